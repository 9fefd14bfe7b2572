"""Names of things in the reader's language: what ids in events, prompts and cards stand for."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.game.state import INTRUDER_BOARD, kind_of, label_of
from companion.library.model import FIRST_BOARD, Content, Names
from companion.locale import Words, words
from companion.rules.facts import SPECIMENS
from companion.rules.packing import NOTED, UNSEEN
from web.services import View

NOTHING = "–"
#: Pieces of a packed game that are said with what they show.
PACKED = (
    *("items", "time", "self_destruct", "destination", "eggs", "light", "first_player"),
    *("mutation_markers", "insanity", "nest_destroyed"),
)

#: Parameters of the lines of a draft.
DRAFTED = {"character", "characters"}

#: What the words of a view depend on, besides language and content.
Naming = tuple[Any, ...]


def marks(names: Mapping[str, str]) -> dict[str, str]:
    """Each name's initial; where another begins alike, two letters that tell them apart.

    The second is the next one, or the first place in which those that are still equal differ, an
    accent not counted.
    """

    def pairs(place: int) -> dict[str, str]:
        return {key: name[:1] + name[place : place + 1] for key, name in names.items()}

    alike = Counter(_plain(name[:1]) for name in names.values())
    found = {k: p if alike[_plain(p[:1])] > 1 else p[:1] for k, p in pairs(1).items()}
    for equal in [
        held for held, count in Counter(map(_plain, found.values())).items() if count > 1
    ]:
        those = {key for key, mark in found.items() if _plain(mark) == equal}
        taken = {_plain(mark) for key, mark in found.items() if key not in those}
        for place in range(2, min(len(names[key]) for key in those)):
            tried = {key: pair for key, pair in pairs(place).items() if key in those}
            new = set(map(_plain, tried.values()))
            if len(new) == len(those) and not new & taken:
                found |= tried
                break
    return found


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


class Terms:
    """Says ids in ``language``, with the rooms and people of one view."""

    def __init__(self, content: Content, language: str, view: View) -> None:
        self.content = content
        self.language = language
        self.words: Words = words(language)
        self._seats = {s["seat"]: s for s in view.get("seats", ())}
        self._rooms: Mapping[str, Any] = view.get("rooms", {})
        self._people: Mapping[str, Any] = view.get("people", {})
        self.discovered = frozenset(view.get("weaknesses", {}).values())
        self.chosen = frozenset(view.get("switches", {}))  # readings this table has chosen
        game = view.get("game", {})
        self.species = content.species.get(game.get("species", ""))
        self._creatures = {
            creature.id: creature.names
            for creature in (self.species.creatures.values() if self.species else ())
        } or {c.id: c.names for s in content.species.values() for c in s.creatures.values()}
        self.board = content.boards.get(game.get("board") or FIRST_BOARD)
        self.cardboard = view.get("truth", {}).get("objectives") == "physical"

    @cached_property
    def naming(self) -> Naming:
        """Equal in two views whose ids have the same names (`stands_in` apart)."""
        return (
            self.board.id if self.board else "",
            self.cardboard,
            tuple(self._creatures),
            tuple((seat, held["character"]) for seat, held in self._seats.items()),
            tuple((seat, held.get("name")) for seat, held in self._people.items()),
            tuple((r, held.get("tile")) for r, held in self._rooms.items() if held.get("explored")),
        )

    def say(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """A message whose parameters are ids."""
        return self.words.say(key, self.all(params or {}))

    def happened(self, event: Mapping[str, Any]) -> str:
        """An event as the story tells it, or else as the log does."""
        kind = event["type"]
        known = next((k for k in (f"story.{kind}", f"log.{kind}") if self.words.has(k)), None)
        return self.say(known, event["params"]) if known else ""

    def all(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter as words; counts stay numbers. ``own_board`` is that of the aliens."""
        said = {name: self.param(name, value, params) for name, value in params.items()}
        return {"own_board": self.own_board(), **said}

    def param(self, name: str, value: Any, params: Mapping[str, Any]) -> Any:
        """One parameter as words, by its name."""
        if name in ("n", "count", "hits", "time", "number", "first", "second", "low", "high"):
            return value
        if name == "blood":
            return self.words.say("ui.arrow") if value is None else value
        if name in ("infected", "launched"):
            return self.words.say(f"ui.{name}.{'yes' if value else 'no'}")
        if name == "corridor" and value is None:
            return self.term("technical")
        if value is None:
            return NOTHING
        say = getattr(self, f"_say_{name}", None)
        if say is not None:
            return say(value, params)
        if isinstance(value, (list, tuple)):
            return ", ".join(map(str, value))
        return str(value)

    # Things -------------------------------------------------------------------------------------

    def term(self, kind: str) -> str:
        """A word printed on the box."""
        names = self.content.terms.get(kind)
        return names.get(self.language) if names else kind.replace("_", " ")

    def own_board(self) -> str:
        """What the board of the aliens in play is called within a sentence."""
        called = self.species.board if self.species else {}
        return called.get(self.language) or called.get("en") or self.term("intruder_board")

    def seat(self, seat: Any) -> str:
        """The character of a seat."""
        held = self._seats.get(int(seat)) if str(seat).isdigit() else None
        if held is None:
            return self.person(seat)
        return self.content.characters[held["character"]].names.get(self.language)

    def person(self, seat: Any) -> str:
        """Who sits there, whatever they play: the name they gave, or the seat's number."""
        name = self._people.get(str(seat), {}).get("name")
        return str(name or self.words.say("ui.seat", {"seat": seat}))

    @cached_property
    def letters(self) -> dict[str, str]:
        """What the figure of each character in play is marked with; no two are alike."""
        playing = (self.content.characters[s["character"]] for s in self._seats.values())
        return marks({held.id: held.names.get(self.language) for held in playing})

    def room(self, room: str) -> str:
        """``007 Nest``; the number alone while nobody knows what is there."""
        tile = self.tile_of(room)
        return f"{room} {self.tile(tile)}" if tile else room

    def tile_of(self, room: str) -> str | None:
        """The tile that everybody knows to lie in a room."""
        held = self._rooms.get(room)
        if held and held.get("explored") and held.get("tile"):
            return str(held["tile"])
        printed = self.board.rooms.get(room) if self.board else None
        return printed.fixed if printed else None

    def tile(self, tile: str) -> str:
        """A room tile or printed room."""
        known = self.content.tiles.get(tile)
        return known.names.get(self.language) if known else tile

    def space(self, space: str) -> str:
        """A corridor by its rooms, of two its number too; a technical space by its name."""
        if self.board and space in self.board.corridors:
            corridor = self.board.corridors[space]
            rooms = "–".join(corridor.rooms)
            twins = self.board.between(*corridor.rooms)  # the advanced side has double ones
            if len(twins) == 1:
                return rooms
            return self.words.say("ui.corridor", {"rooms": rooms, "numbers": self.corridor(space)})
        if self.board and space in self.board.spaces:
            return self.term(space)
        return self.room(space)

    def corridor(self, corridor: str) -> str:
        """A corridor by its printed numbers."""
        held = self.board.corridors.get(corridor) if self.board else None
        return "/".join(map(str, held.numbers)) if held else corridor

    def piece_names(self, piece: str) -> Names | None:
        """The names of what a piece is, when content has any."""
        kind = kind_of(piece.removeprefix("token:"))
        if kind in self._creatures:
            return self._creatures[kind]
        if kind in self.content.characters:
            return self.content.characters[kind].names
        return self.content.terms.get(kind)

    def piece(self, piece: str) -> str:
        """A miniature, marker, object or figure."""
        if piece.startswith("seat:"):
            return self.seat(piece[5:])
        if piece.startswith("pod_"):
            return self.words.say("ui.pod", {"pod": piece[4:]})
        kind, _, held = piece.partition(":")
        if held and kind == "tile":
            return self.tile(held)
        if kind == UNSEEN:
            return self.unseen("back", held)
        if kind in PACKED:
            return self.words.say(f"ui.piece.{kind}", {"n": label_of(held)})
        if kind in ("injuries", "destroyed", "open", "mutation_card", NOTED):
            return self._packed(kind, held)
        if kind in ("locked", "unlocked"):
            return self.words.say(f"log.pod_{kind}", {"pod": self.piece(held)})
        names = self.piece_names(kind if held and kind != "token" else piece)
        if names is None and self.board and piece in self.board.rooms:
            return self.room(piece)
        if names is None and self.board and piece in self.board.corridors:
            return self.space(piece)
        if names is None and self.words.has(f"vision.piece.{piece}"):  # a command card, Laika
            return self.words.say(f"vision.piece.{piece}")
        return names.get(self.language) if names else label_of(piece).replace("_", " ")

    def _packed(self, kind: str, held: str) -> str:
        """A line of a packed game that is not one piece by its name."""
        shown, _, whose = held.partition("#")
        match kind:
            case "injuries":
                return self.words.say("ui.piece.injuries", {"n": shown, "piece": self.piece(whose)})
            case "destroyed":
                return f"{self.piece(held)} · {self.words.say('ui.door.destroyed')}"
            case "open":
                return self._say_weakness(shown, {})
            case "mutation_card":
                return f"{self.term('mutation_card')} · {self._say_mutation(shown, {})}"
        return self.words.say(f"tracking.topic.{held}")

    def unseen(self, line: str, step: str) -> str:
        """A step of `packing.STEPS` in the words of the aliens in play; ``line``: step or back.

        Objectives are in an envelope where they are cards.
        """
        key = f"pack.{line}.{step}"
        for more in (self.species.id if self.species else "", "objectives" * self.cardboard):
            key = f"{key}.{more}" if self.words.has(f"{key}.{more}") else key
        return self.words.say(key)

    def stands_in(self, piece: str) -> str:
        """The room an intruder stands in, empty when it is nowhere."""
        for number, room in self._rooms.items():
            if any(i["id"] == piece for i in room.get("intruders", ())):
                return str(number)
        return ""

    def token(self, token: str) -> str:
        """``Adult 3``; a token without a number by its kind."""
        label = label_of(token)
        value = label.split("/", 1)[1] if "/" in label else ""
        return f"{self.piece(token)} {value}".strip()

    def card(self, card: str) -> str:
        """A card of any deck by its name."""
        content = self.content
        known = content.events.get(card) or content.attacks.get(card) or self._own_card(card)
        return known.names.get(self.language) if known else card

    def learnt(self, entry: str, line: Mapping[str, Any]) -> str:
        """What was entered by hand: a card, or what is printed on a sheet of the box."""
        kind, _, rest = entry.partition(":")
        if kind == "insanity":
            return self.say("log.insanity_symbol", {"n": rest, "kind": line.get("kind", "")})
        if kind == "die":
            creature, _, face = rest.partition(":")
            said = {"kind": creature, "face": face}
            answer = self.words.say("ui.page.yes" if line.get("hits") else "ui.page.no")
            return f"{self.say('ask.die_symbol', said)} {answer}"
        return f"{self.words.say(f'ui.deck.{kind}')}: {rest}"

    def _say_entry(self, value: Any, _: Any) -> str:
        return str(value).partition(":")[2]

    def _own_card(self, card: str) -> Any:
        alike = (c for c in self.content.own_cards.values() if card in (c.id, c.text))
        return next(alike, None)

    def place(self, place: str | None) -> str:
        """Where a piece comes from or goes to, as an instruction says it."""
        if place is None:
            return NOTHING
        if self.board and place in self.board.rooms:
            return place
        if self.board and (place in self.board.corridors or place in self.board.spaces):
            return self.space(place)
        if place in self._creatures:  # on its card on the species' own board
            return self.words.say("ui.place.card", {"piece": self.piece(place)})
        if place in SPECIMENS:  # what was found out about it lies there
            return self.words.say("ui.place.slot", {"piece": self.piece(place)})
        if place == INTRUDER_BOARD:
            return self.own_board()
        if place.isdigit():
            return self.words.say("ui.place.sheet", {"seat": self.seat(place)})
        return self.words.say(f"ui.place.{place}") if self.words.has(f"ui.place.{place}") else place

    def field(self, path: str) -> str:
        """The part of a command at ``path`` (``seat``, ``players.2``), as a refusal begins."""
        name = path.partition(".")[0]
        key = f"ui.field.{name}"
        if self.words.has(key):
            return self.words.say(key)
        return self.words.say("ui.field.other", {"name": name[:40]})

    # Parameters by name -------------------------------------------------------------------------

    def _say_seat(self, value: Any, params: Mapping[str, Any]) -> str:
        """The player, in lines about who comes to play whom, also when the log is read later."""
        if params.get("name"):
            return str(params["name"])
        return self.person(value) if params.keys() & DRAFTED else self.seat(value)

    _say_to_seat = _say_seat

    def _say_character(self, value: Any, _: Any) -> str:
        known = self.content.characters.get(str(value))
        return known.names.get(self.language) if known else str(value)

    def _say_characters(self, value: Sequence[str], _: Any) -> str:
        return ", ".join(self._say_character(c, _) for c in value)

    def _say_room(self, value: Any, _: Any) -> str:
        return self.room(str(value))

    _say_to_room = _say_from_room = _say_room

    def _say_also(self, value: Sequence[str], _: Any) -> str:
        return ", ".join(map(self.room, value))

    def _say_space(self, value: Any, _: Any) -> str:
        return self.space(str(value))

    def _say_from_place(self, value: Any, _: Any) -> str:
        return self.place(str(value))

    _say_to_place = _say_from_place

    def _say_corridor(self, value: Any, params: Mapping[str, Any]) -> str:
        if "to_room" in params:  # the rooms are named already
            return self.words.say("ui.via", {"numbers": self.corridor(str(value))})
        return self.space(str(value))

    def _say_piece(self, value: Any, _: Any) -> str:
        return self.piece(str(value))

    _say_into = _say_kind = _say_intruder = _say_piece

    def _say_token(self, value: Any, _: Any) -> str:
        return self.token(str(value))

    def _say_tokens(self, value: Any, _: Any) -> str:
        held = value.items() if isinstance(value, Mapping) else ((t, 1) for t in value)
        return ", ".join(f"{self.piece(kind)} ×{count}" for kind, count in held)

    def _say_gone(self, value: Mapping[str, int], params: Any) -> str:
        return ", ".join(f"{self._say_exploration(k, params)} ×{n}" for k, n in value.items())

    _say_added = _say_gone

    def _say_tiles(self, value: Sequence[str], _: Any) -> str:
        return ", ".join(map(self.tile, value))

    def _say_card(self, value: Any, _: Any) -> str:
        return self.card(str(value))

    def _say_played(self, value: Any, _: Any) -> str:
        known = self.content.cards.get(str(value))
        return known.names.get(self.language) if known else str(value)

    def _say_tend(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.tend.{value}")

    def _say_pile_end(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.pile_end.{value}")

    def _say_deck(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.deck.{value}")

    def _say_tile(self, value: Any, _: Any) -> str:
        return self.tile(str(value))

    def _say_exploration(self, value: Any, _: Any) -> str:
        kind, _slash, number = label_of(str(value)).partition("/")
        known = self.content.explorations
        names = next((t.names for i, t in known.items() if kind_of(i) == kind), None)
        number = number if number.isdigit() else ""  # of a Lair's token no source says it
        return f"{names.get(self.language) if names else kind} {number}".strip()

    def objective_text(self, ident: str) -> str:
        """What an objective asks for among the aliens in play; empty for one that is unknown."""
        known = self.content.objectives.get(ident)
        if known is None:
            return ""
        reread = self.species.objectives.get(ident) if self.species else None
        text = reread or known.text
        return text.get(self.language) or text["en"]

    def card_text(self, ident: str) -> str:
        """What a card or Item does among the aliens in play."""
        reread = self.species.cards.get(ident) if self.species else None
        text = reread or self.content.cards[ident].text
        return text.get(self.language) or text["en"]

    def _say_objective(self, value: Any, _: Any) -> str:
        known = self.content.objectives.get(str(value))
        return known.names.get(self.language) if known else str(value)

    def _say_objectives(self, value: Sequence[str], _: Any) -> str:
        return ", ".join(self._say_objective(o, _) for o in value)

    def _say_wound(self, value: Any, _: Any) -> str:
        names = None
        for game in self.content.games.values():
            names = names or game.wound_names.get(kind_of(str(value)))
        return names.get(self.language) if names else self.words.say("ui.wound.unknown")

    def _say_pod(self, value: Any, _: Any) -> str:
        return self.piece(str(value))

    def _say_pods(self, value: Sequence[str], _: Any) -> str:
        return ", ".join(str(v).removeprefix("pod_") for v in value)

    def _say_face(self, value: Any, _: Any) -> str:
        if str(value).isdigit():
            return str(value)
        for species in self.content.species.values():  # the die is the same whoever is aboard
            if value in species.creatures:
                return species.creatures[value].names.get(self.language)
        return self.words.say(f"ui.face.{value}")

    def _say_result(self, value: Any, _: Any) -> str:
        return self.term({"clean": "not_infected"}.get(str(value), str(value)))

    def _say_action(self, value: Any, _: Any) -> str:
        return self.words.say(f"room_action.{value}")

    def _say_mutation(self, value: Any, _: Any) -> str:
        known = self.content.own_cards.get(str(value))
        if known is None and value != "unknown":
            return str(value)  # read from its card by this table
        return known.names.get(self.language) if known else self.words.say("ask.other_mutation")

    def _say_food(self, value: Any, _: Any) -> str:
        return self.piece(str(value))

    def _say_weakness(self, value: Any, _: Any) -> str:
        known = self.content.weaknesses.get(str(value))
        return known.names.get(self.language) if known else str(value)

    def _say_door(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.door.{value}")

    def _say_arrival(self, value: Any, _: Any) -> str:
        return self.term(str(value))

    def _say_engines(self, value: Mapping[str, str], _: Any) -> str:
        states = (f"{e}: {self.words.say(f'ui.engine.{held}')}" for e, held in value.items())
        return " · ".join(states)

    _say_by = _say_seat

    def _say_seats(self, value: Sequence[Any], _: Any) -> str:
        return ", ".join(self.seat(seat) for seat in value)

    def _say_switch(self, value: Any, _: Any) -> str:
        known = self.content.switches.get(str(value))
        return (known.names.get(self.language) or known.names["en"]) if known else str(value)

    def _say_value(self, value: Any, params: Mapping[str, Any]) -> str:
        known = self.content.switches.get(str(params.get("switch")))
        if known is None or value not in known.value_names:
            return str(value)
        said = known.value_names[str(value)]
        return said.get(self.language) or said["en"]

    def _say_topic(self, value: Any, _: Any) -> str:
        return self.words.say(f"tracking.topic.{value}")

    def _say_unsure(self, value: Any, _: Any) -> str:
        topics = [t for t in str(value).split(", ") if t]
        return ", ".join(self.words.say(f"tracking.topic.{t}") for t in topics) or NOTHING

    def _say_level(self, value: Any, _: Any) -> str:
        return self.words.say(f"tracking.level.{value}")

    def _say_component(self, value: Any, _: Any) -> str:
        return self.words.say(f"truth.component.{value}")

    def _say_place(self, value: Any, _: Any) -> str:
        if value in ("digital", "physical"):
            return self.words.say(f"truth.place.{value}")
        return self.place(str(value)) if value else NOTHING

    def _say_choice(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.choice.{value}")

    def _say_pile(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.pile.{value}")

    def _say_intruder_card(self, value: Any, _: Any) -> str:
        return self.words.say(f"ui.intruder_card.{value}")

    def _say_species(self, value: Any, _: Any) -> str:
        known = self.content.species.get(str(value))
        return known.names.get(self.language) if known else str(value)

    def _say_ending(self, value: Any, _: Any) -> str:
        return self.words.say(f"ending.{value}")

    def _say_do(self, value: Any, params: Mapping[str, Any]) -> str:
        done = self.words.say(f"verb.{value}")
        return f"{done} · {self.seat(params['seat'])}" if "seat" in params else done

    def _say_step(self, value: Any, _: Any) -> str:
        own = self.species.steps.get(str(value)) if self.species else None
        if own:
            return own[self.language]
        key = f"step.{value}"
        return self.words.say(key) if self.words.has(key) else self.words.say(f"verb.{value}")
