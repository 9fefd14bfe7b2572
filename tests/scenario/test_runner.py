"""What the runner promises to whoever writes a case."""

from __future__ import annotations

import pytest

from companion.game import BadInput, Fault
from companion.locale import words
from companion.scenario.case import load_case
from tests.scenario.conftest import Runner

ROLL = '[[when]]\ndo = "noise_roll"\n'
ENCOUNTER = '[[when]]\ndo = "encounter"\nseat = 1\n'


def problem(case: Runner, text: str) -> str:
    result = case(text)
    assert not result.passed
    return "\n".join(result.problems)


def test_a_draw_with_an_empty_queue_fails(case: Runner) -> None:
    assert "draws noise" in problem(case, ROLL)


def test_a_leftover_fails_unless_allowed(case: Runner) -> None:
    text = '[chance]\nnoise = ["2", "3"]\n' + ROLL
    assert "left over {'noise': ['3']}" in problem(case, text)
    assert case("allow_unused = true\n" + text).passed


def test_an_outcome_that_cannot_be_is_named(case: Runner) -> None:
    text = 'given = { bag = ["blank"] }\n[chance]\nbag = ["queen"]\n' + ENCOUNTER
    found = problem(case, text)
    assert "chance.bag" in found
    assert "queen" in found


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[given.rooms.006]\ncolour = 1", "case.toml: given.rooms.006.colour"),
        ("[given.rooms.099]\nfire = true", "case.toml: given.rooms.099"),
        ("[given.corridors.001-021]\nnoise = true", "case.toml: given.corridors.001-021"),
        ("[given.characters.captain]\nhat = 1", "case.toml: given.characters.captain.hat"),
        ("[given.characters.pilot]\nroom = '001'", "case.toml: given.characters.pilot"),
        ("[given]\ntracks = { tide = 1 }", "case.toml: given.tracks.tide"),
        ("[given]\neggs = 9", "case.toml: given.eggs"),
        ("[given]\nadaptations = ['agile']", "case.toml: given.adaptations"),
        ("[given]\nown = { lairs_destroyed = 2 }", "case.toml: given.own.lairs_destroyed"),
        ("[chance]\ncoins = ['head']", "case.toml: chance.coins"),
        ("[setup]\nplayers = ['nobody']", "case.toml: setup.players"),
        ("[setup]\nswitches = { gravity = 'off' }", "case.toml: setup.switches.gravity"),
        ("[setup]\nnumbers = [1, 2]", "case.toml: setup.numbers"),
        ("[then]\nweather = 'fine'", "then.weather"),
        ("[then.rooms.006]\ncolour = false", "then.rooms.006.colour"),
        ("[then.not.rooms.006]\ncolour = false", "then.not.rooms.006.colour"),
        ("[then.view.seat_9]\nround = 1", "case.toml: then.view.seat_9"),
    ],
)
def test_an_unknown_word_is_named_with_its_place(case: Runner, text: str, place: str) -> None:
    assert place in problem(case, text)


def test_the_blue_corpse_lies_where_a_case_says(case: Runner) -> None:
    """In the Hibernatorium, where setup lays it, unless another place or none is stated."""
    then = "then.rooms.011.objects = {}\nthen.rooms.006.objects = {}\n"
    roll = '[[when]]\ndo = "noise_roll"\nface = "silence"\n'
    there, moved, none = '["corpse_blue"]', 'given.rooms.006.objects = ["corpse_blue"]\n', "[]"
    for given, here, far in (
        ("", there, none),
        (moved, none, there),
        ("given.rooms.011.objects = []\n", none, none),
        ('given.rooms.011.objects = ["egg"]\n', '["corpse_blue", "egg"]', none),
    ):
        assert case(given + then.format(here, far) + roll).passed, given


def test_a_failure_names_the_question_that_held_it_up(case: Runner) -> None:
    text = '[chance]\nbag = ["adult"]\n' + ENCOUNTER + "[then]\nmet = false\n"
    assert "still open: ask.keep_objective (seat 1)" in problem(case, text)


def test_what_lies_on_the_board_of_the_species_can_be_expected(case: Runner) -> None:
    seeders = 'setup.species = "void_seeders"\ngiven.intruder_board = ["lair"]\ngiven.eggs = 1\n'
    roll = '[[when]]\ndo = "noise_roll"\nface = "silence"\n'
    then = "[then]\nlairs_destroyed = 1\nintruder_board = { lair = 1, egg = 1 }\n"
    assert case(seeders + roll + then).passed


def test_lurking_goes_by_the_name_of_the_rulebook(case: Runner) -> None:
    text = 'setup.species = "void_seeders"\n[given.rooms.006]\nintruders = ["lurker"]\n'
    text += '[given.characters.captain]\nroom = "001"\n'
    text += '[[when]]\ndo = "event_phase"\nstep = "lurking"\n[then.rooms.006]\nintruders = []\n'
    assert case(text).passed


def test_words_outside_the_form_are_refused_on_loading(case: Runner) -> None:
    with pytest.raises(BadInput) as refused:
        case('titel = "x"')
    assert refused.value.path == "case.toml: titel"
    with pytest.raises(BadInput):
        case("when = [1]")


def test_a_file_that_is_no_toml_is_named(tmp_path) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(b"\xff\xfe[[")
    with pytest.raises(BadInput) as refused:
        load_case(file)
    assert "broken.toml" in refused.value.path
    with pytest.raises(Fault):
        load_case(tmp_path / "missing.toml")


def test_a_refusal_must_be_expected(case: Runner) -> None:
    move = '[[when]]\ndo = "move"\nto = "001"\n'
    assert "move.no_corridor" in problem(case, move)
    assert case(move + "[then]\nrefused = true").passed
    assert not case(move + '[then]\nrefused = "corridor_closed"').passed
    assert not case(ROLL + "[chance]\nnoise = ['2']\n[then]\nrefused = true").passed


def test_it_happened_anyway_only_after_a_refusal(case: Runner) -> None:
    assert "by_hand.nothing" in problem(case, '[[when]]\ndo = "by_hand"')


def test_undo_keeps_the_outcome_for_the_same_command_only(case: Runner) -> None:
    undone = '[chance]\nnoise = ["2", "3"]\n' + ROLL + '[[when]]\ndo = "undo"\n'
    again = "[then.corridors]\n006-011 = { noise = true }\n"
    assert "left over" in problem(case, undone + ROLL + again)
    other = '[[when]]\ndo = "noise_roll"\nseat = 2\n[then.corridors]\n008-011 = { noise = true }\n'
    assert case('[setup]\nplayers = ["captain", "scout"]\n' + undone + other).passed


PROMPTS = {
    "yes_no": (
        '[given]\nmet = true\n[chance]\nbag = ["adult/4"]\n' + ENCOUNTER,
        "false",
        '[then.not]\nlog = ["BASE-153"]',
    ),
    "choice": (
        "[given]\nlocked = []\n[given.pods]\npod_1 = 'a'\n"
        "[given.rooms.013]\ntile = 'evacuation_section_a'\n"
        "[given.characters.captain]\nroom = '013'\n[chance]\nnoise = ['silence']\n"
        "[[when]]\ndo = 'pod'\naction = 'board'\npod = 'pod_1'\nseat = 1\n",
        "'wait'",
        '[then.characters.captain]\nstate = "pod_waiting"',
    ),
    "faces": (
        "[setup]\nplayers = ['captain', 'scout']\n[given.rooms.011]\nintruders = ['adult']\n"
        "[chance]\nattack = ['slime/5']\n[[when]]\ndo = 'event_phase'\nstep = 'attack'\n",
        "[2]",
        "[then.characters.scout]\nslime = true",
    ),
    "place": (
        "[given.rooms.006]\ntile = 'canteen'\n[[when]]\ndo = 'move'\nto = '006'\ncareful = true\n",
        "'007-006'",
        "[then.corridors.006-007]\nnoise = true",
    ),
    "card": (
        "[given.characters.captain]\nobjectives = ['destination_earth', 'special_delivery']\n"
        "[chance]\nbag = ['larva']\n" + ENCOUNTER,
        "'special_delivery'",
        "[then.characters.captain]\nkept = 'special_delivery'",
    ),
    "roll": (
        "[setup]\ntruth = { dice = 'physical' }\n" + ROLL,
        "'2'",
        "[then.corridors.006-011]\nnoise = true",
    ),
}


@pytest.mark.parametrize("kind", PROMPTS)
def test_each_kind_of_question_opens_and_takes_its_answer(case: Runner, kind: str) -> None:
    before, value, then = PROMPTS[kind]
    opened = case(f"allow_unused = true\n{before}[then]\nprompt = {{ kind = '{kind}' }}")
    assert opened.passed, opened.problems
    answered = case(f"{before}[[when]]\ndo = 'answer'\nvalue = {value}\n{then}")
    assert answered.passed, answered.problems


def test_an_answer_that_does_not_fit_is_refused(case: Runner) -> None:
    before, _, _ = PROMPTS["yes_no"]
    text = f"{before}[[when]]\ndo = 'answer'\nvalue = true\n[[when]]\ndo = 'answer'\nvalue = 5\n"
    assert "attack" in problem(case, text)
    text = f"{before}[[when]]\ndo = 'answer'\nvalue = 5\n[then]\nrefused = 'answer.yes_no'"
    assert case(text).passed


def test_seats_and_places_may_be_named_in_several_ways(case: Runner) -> None:
    setup = "[setup]\nplayers = ['captain', 'scout']\n[given.rooms.006]\ntile = 'canteen'\n"
    for who in ("seat = 2", "seat = 'scout'", "character = 'scout'", "player = 'scout'"):
        for where in ("to = '006'", "to = 6", "room = '006'", "to = 'canteen'"):
            text = f"{setup}[chance]\nnoise = ['3']\n[[when]]\ndo = 'move'\n{who}\n{where}\n"
            result = case(text + "[then.characters.scout]\nroom = '006'")
            assert result.passed, (who, where, result.problems)


@pytest.mark.parametrize(
    "arguments", ["die = 'adult'", "face = 'adult'", "hits = 1", "injuries = 1"]
)
@pytest.mark.parametrize("piece", ["adult", "adult#1"])
def test_an_injury_may_be_told_in_several_ways(case: Runner, arguments: str, piece: str) -> None:
    text = (
        "[given.rooms.011]\nintruders = ['adult']\n[chance]\nattack = [{ blood = 6 }]\n"
        f"[[when]]\ndo = 'injure'\nroom = '011'\nintruder = '{piece}'\n{arguments}\n"
        "[then.rooms.011]\nintruders = [{ type = 'adult', injuries = 1 }]"
    )
    result = case(text)
    assert result.passed, result.problems


def test_words_of_the_reference_are_accepted(case: Runner) -> None:
    result = case(
        "[setup]\ngame = 'nemesis'\nboard = 'nemesis/basic'\nspecies = 'intruders'\n"
        "mode = 'standard'\nplayers = ['captain', 'scout']\nnumbers = [2, 1]\nswitches = {}\n"
        "[given]\nfirst_player = 1\nbag = { blank = 1, adult = 2 }\ntracks = { time = 9 }\n"
        "engines = { 1 = 'working', 2 = 'damaged' }\n"
        "coordinates = ['mars', 'earth', 'venus', 'deep_space']\ndestination = 'C'\neggs = 4\n"
        "adaptations = []\n[given.technical]\nnoise = true\n"
        "[given.characters.captain]\nroom = '011'\nhand = 4\nlight_wounds = 1\nslime = true\n"
        "cards = { action = 10, infected = 1, clean = 2 }\n"
        "[chance]\nbag = ['blank']\n[[when]]\ndo = 'bag_development'\n"
        "[then]\nengines = { 1 = 'working', 2 = 'damaged' }\ndestination = 'C'\neggs = 4\n"
        "coordinates = ['mars', 'earth', 'venus', 'deep_space']\nadaptations = []\n"
        "bag = ['blank', 'adult', 'adult', 'adult']\ntechnical = { noise = true }\n"
        "[then.characters.captain]\nhand = 4\ncards = { action = 10, infected = 1, clean = 2 }"
    )
    assert result.passed, result.problems


@pytest.mark.parametrize("step", ["time", "attack", "fire", "event", "bag_development", "end"])
def test_each_step_of_the_event_phase_runs_alone(case: Runner, step: str) -> None:
    queues = {"event": "event = [{ corridors = [2, 3], moves = ['adult'], effect = 'none' }]"}
    queues["bag_development"] = "bag = ['blank']"
    result = case(
        f"[chance]\n{queues.get(step, '')}\n[[when]]\ndo = 'event_phase'\nstep = '{step}'\n"
        "[then]\nprompt = false\nagenda = []"
    )
    assert result.passed, result.problems
    assert result.rules


@pytest.mark.parametrize("do", ["panic", "mutate", "room_action", "dance"])
def test_what_is_not_played_is_refused_plainly(case: Runner, do: str) -> None:
    assert case(f"[[when]]\ndo = '{do}'\nseat = 1\n[then]\nrefused = true").passed


def test_lists_of_pieces_compare_without_order_but_whole(case: Runner) -> None:
    start = (
        "[given.rooms.001]\nintruders = [{ type = 'adult', injuries = 2 }, { type = 'larva' }]\n"
        '[[when]]\ndo = "contaminate"\nseat = 1\n[then.rooms.001]\n'
    )
    assert case(start + "intruders = [{ type = 'larva' }, { type = 'adult' }]").passed
    assert case(start + "intruders = { adult = 1, larva = 1 }").passed
    assert not case(start + "intruders = [{ type = 'adult' }]").passed
    assert not case(start + "intruders = [{ type = 'larva' }, { type = 'larva' }]").passed
    assert not case(
        start + "intruders = [{ type = 'larva' }, { type = 'adult', injuries = 1 }]"
    ).passed


def test_not_means_that_none_of_it_is_so(case: Runner) -> None:
    start = (
        "[given.rooms.001]\nfire = true\nintruders = ['adult', 'larva']\n"
        '[[when]]\ndo = "contaminate"\nseat = 1\n[then.not.rooms.001]\n'
    )
    assert case(start + "malfunction = true").passed
    assert not case(start + "fire = true\nmalfunction = true").passed
    assert not case(start + "intruders = [{ type = 'adult' }]").passed
    assert case(start + "intruders = [{ type = 'queen' }]").passed


def test_a_stated_face_needs_no_queue(case: Runner) -> None:
    assert case(
        "[[when]]\ndo = 'noise_roll'\nface = '2'\n[then.corridors.006-011]\nnoise = true"
    ).passed


def test_a_number_drawn_is_in_the_bag_that_setup_filled(case: Runner) -> None:
    for number in (2, 3, 4):
        text = f"[given]\nmet = true\n[chance]\nbag = ['adult/{number}']\n{ENCOUNTER}"
        result = case(text + "[then.rooms.011]\nintruders = ['adult']")
        assert result.passed, result.problems


MOVE = "[chance]\nnoise = ['silence']\n" + ROLL


@pytest.mark.parametrize(
    ("then", "place", "meant"),
    [
        ("[then.not.rooms.906]\nfire = true", "then.not.rooms.906", ""),
        ("[then.not.view.table.rooms.006]\nfyre = true", "view.table.rooms.006.fyre", "fire"),
        ("[then.not.view.tabel]\nround = 9", "then.view.tabel", "table"),
        ("[then.view.seat_1]\nmee = false", "then.view.seat_1.mee", "me"),
        ("[then.not.phase]\nx = 1", "then.not.phase", ""),
        ("[then.not.view.table.seats.x]\ny = 1", "then.not.view.table.seats", ""),
        ("[then.not.rooms.006]\nintruders = [{ injury = 0 }]", "intruders.injury", "injuries"),
        ("[then.not.rooms.006]\nintruders = ['adlut']", "intruders.adlut", "adult"),
        ("[then.not.rooms.006]\nintruders = { adlut = 1 }", "intruders.adlut", "adult"),
        ("[then.not.pods]\npod_9 = 'a'", "then.not.pods.pod_9", "pod_4"),
        ("[then.not.supply]\nfyre = 1", "then.not.supply.fyre", "fire"),
        ("[then.not]\nbag = { adlut = 1 }", "then.not.bag.adlut", "adult"),
        ("[then.not.characters.captian]\nslime = true", "captian", "captain"),
        ("[then.not.decks.evnet]\ndeck = ['x']", "then.not.decks.evnet", "event"),
        ("[then.not.instructions]\npeice = 'x'", "peice", "piece"),
        ("[then.not.prompt]\nkid = 1", "kid", "kind"),
        ("[then.not]\nlog = ['BASE-1177']", "then.not.log", "BASE-117"),
        ("[then]\nlog = ['BASE-1177']", "then.log", "BASE-117"),
        ("[then.not]\nrefused = 'move.no_corridoor'", "then.not.refused", "move.no_corridor"),
    ],
)
def test_what_must_not_be_has_to_be_something(
    case: Runner, then: str, place: str, meant: str
) -> None:
    result = case(MOVE + then)
    assert not result.passed
    assert result.bad
    assert place in result.problems[0]
    assert meant in result.problems[0].sentence(words("en"))


@pytest.mark.parametrize(
    "then",
    [
        "[then.not.rooms.006]\nintruders = ['adult']",
        "[then.not.view.table.me]\nsecrets = {}",
        "[then.not]\nbag = { queen = 9 }",
        "[then.not.pods]\npod_1 = 'c'",
        "[then.not.rooms.006]\nobjects = [{ type = 'egg' }]",
        "[then.not]\nlog = ['BASE-118']\nrefused = 'move.no_corridor'",
    ],
)
def test_what_is_absent_is_not_so(case: Runner, then: str) -> None:
    assert case(MOVE + then).passed


@pytest.mark.parametrize("coop", ["true", "false"])
def test_an_objective_alone_is_the_one_kept(case: Runner, coop: str) -> None:
    given = (
        f'[setup]\nplayers = ["captain", "scout"]\ncoop = {coop}\n'
        '[given.characters.captain]\nobjectives = ["hoarder"]\n'
        '[[when]]\ndo = "pass"\n'
        '[then.view.seat_1.me.secrets]\nobjectives = ["hoarder"]\nkept = '
    )
    assert case(given + '"hoarder"').passed
    assert not case(given + '"ab_ovo"').passed


def test_a_pod_is_boarded_by_the_first_seat_unless_another_is_named(case: Runner) -> None:
    text = (
        '[setup]\nplayers = ["captain", "scout"]\n'
        '[given]\npods = { pod_1 = "a" }\nlocked = []\n'
        '[given.characters.captain]\nstate = "pod_waiting"\npod = "pod_1"\n'
        '[[when]]\ndo = "pod"\naction = "step_out"\npod = 1\n'
        '[then.characters.captain]\nstate = "aboard"\n'
    )
    assert case(text).problems == []
