"""The vocabulary of a game: state, board, chance, procedures and the driver. Pure."""

from companion.game.board import Board, Corridor, Entrance, Room
from companion.game.chance import Chance, Source, combine
from companion.game.driver import Drawn, Run, run
from companion.game.errors import BadInput, CompanionError, Fault, Refused
from companion.game.procedure import (
    Ask,
    AskAll,
    Draw,
    Event,
    Instruction,
    Need,
    Option,
    Steps,
    Tell,
    options,
)
from companion.game.state import Person, State

__all__ = [
    "Ask",
    "AskAll",
    "BadInput",
    "Board",
    "Chance",
    "CompanionError",
    "Corridor",
    "Draw",
    "Drawn",
    "Entrance",
    "Event",
    "Fault",
    "Instruction",
    "Need",
    "Option",
    "Person",
    "Refused",
    "Room",
    "Run",
    "Source",
    "State",
    "Steps",
    "Tell",
    "combine",
    "options",
    "run",
]
