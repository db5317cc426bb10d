"""Choices that can be passed, of which nothing shows, rounds until all pass, and private choices."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from conche.interpret import InterpreterState
from conche_runtime.errors import IllegalMove
from conche_runtime.interface import ForcedEvent
from conche_runtime.records import Recorder, read_record
from conche_runtime.replay import replay
from interpret.lab import engine, indented

_GAME = """\
game window "Window"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card
  hit
  miss

row played of Card, open
var first: Player = red, open
var log: list of Player = [], open

each player has
  hand cards of Card, secret
  cash: 0..99 = 0, secret
  debt: 0..9 = 0, open

setup
  for each p in players: put 1 hit, 1 miss in p.cards

play
{play}

step pay(you: Player)
  choose repay
    case (n in 1..min(you.debt, you.cash))
      set you.cash to you.cash - n
      set you.debt to you.debt - n
    pass (n = 0)
  choose save
    case (n in 1..you.cash)
      set you.cash to you.cash - n
    pass (n = 0)

score debt = you.debt
rank by total
"""

ROUNDS = """\
rounds for you from first if you.cards is not empty until all pass
  add you to log
  choose play
    case (card in each(c in kinds(you.cards) where c = hit or you.cash > 0))
      move card from you.cards to played
    pass (card = nothing)
"""

FINANCE = """\
each player you from first
  do pay(you)
"""

RED, BLUE, GREEN = range(3)


def begun(play: str, data: dict[str, Any], players: int = 3) -> InterpreterState:
    made = engine(_GAME.format(play=indented(play)))
    return made.position(players, data=data, log=True)


def play(state: InterpreterState, player: int, card: str | None) -> None:
    state.step(state.find("play", {"card": card}, player), player)


# ------------------------------------------------------------------------------------------------ rounds


def test_rounds_go_on_until_all_pass() -> None:
    state = begun(ROUNDS, {})
    assert (state.decision, state.to_act, state.can_pass) == ("play", (RED,), True)
    assert [move.args for move in state.legal_moves()] == [{"card": "hit"}, {"card": None}]
    play(state, RED, None)
    play(state, BLUE, "hit")
    play(state, GREEN, None)
    # Blue has not passed, so there is another round; blue is asked too, and has nothing to play.
    assert state.to_act == (RED,)
    play(state, RED, None)
    assert state.to_act == (GREEN,)
    play(state, GREEN, None)
    assert state.over
    assert state.snapshot()["log"] == [RED, BLUE, GREEN, RED, BLUE, GREEN]
    assert state.snapshot()["played"] == ["hit"]


def test_rounds_end_when_nobody_is_asked() -> None:
    state = begun(ROUNDS, {"cards": [{}, {"hit": 1}, {}]})
    assert state.to_act == (BLUE,)
    play(state, BLUE, "hit")
    assert state.over
    assert state.snapshot()["log"] == [BLUE]
    assert begun(ROUNDS, {"cards": [{}, {}, {}]}).over


def test_a_play_by_the_last_one_is_answered() -> None:
    state = begun(ROUNDS, {})
    for seat in (RED, BLUE):
        play(state, seat, None)
    play(state, GREEN, "hit")
    assert state.to_act == (RED,)


def test_rounds_without_a_condition_end_after_all_have_passed() -> None:
    play_ = ROUNDS.replace(" if you.cards is not empty", "")
    assert begun(play_, {"cards": [{}, {}, {}]}).snapshot()["log"] == [RED, BLUE, GREEN]


# ------------------------------------------------------------------------------------------------ seeing


def asked(state: InterpreterState, seat: int) -> tuple[Any, list[int]]:
    view = state.view(seat)
    return view["decision"], view["to_act"]


def test_others_see_all_who_may_be_asked() -> None:
    state = begun(ROUNDS, {"cards": [{"hit": 1}, {"miss": 1}, {"hit": 1}]})
    assert state.snapshot()["decision"] == {"name": "play", "player": RED}
    assert asked(state, RED) == ({"name": "play", "player": RED}, [RED])
    assert asked(state, BLUE) == ({"name": "play", "player": None}, [RED, GREEN])
    assert asked(state, GREEN) == ({"name": "play", "player": None}, [RED, BLUE])
    play(state, RED, None)
    assert state.to_act == (GREEN,)  # blue, with nothing to play, has passed
    assert asked(state, BLUE) == ({"name": "play", "player": None}, [RED, GREEN])
    assert asked(state, GREEN) == ({"name": "play", "player": GREEN}, [GREEN])
    # Who holds no card is not asked, which all know.
    state = begun(ROUNDS, {"cards": [{"hit": 1}, {}, {"hit": 1}]})
    assert asked(state, GREEN)[1] == [RED]


def test_which_of_two_choices_is_not_told() -> None:
    state = begun(FINANCE, {"cash": [5, 5, 5], "debt": [1, 0, 0]})
    assert (state.decision, state.to_act) == ("repay", (RED,))
    hidden = ({"name": None, "player": None}, [RED, GREEN])
    assert asked(state, BLUE) == hidden
    state.step(0)
    assert (state.decision, state.to_act) == ("save", (RED,))
    assert asked(state, BLUE) == hidden
    state.step(state.count() - 1)
    assert (state.decision, state.to_act) == ("save", (BLUE,))
    assert asked(state, GREEN) == ({"name": None, "player": None}, [RED, BLUE])


def test_without_a_loop_it_is_the_player_himself() -> None:
    state = begun("do pay(red)", {"cash": [5, 5, 5], "debt": [1, 0, 0]})
    assert asked(state, BLUE) == ({"name": "repay", "player": None}, [RED])


def test_a_forced_pass_concerns_nobody_and_a_forced_answer_of_a_private_choice_looks_free() -> None:
    state = begun(
        ROUNDS.replace(" until all pass", "").replace("    pass (card = nothing)\n", "    none: stop\n"),
        {"cards": [{"hit": 1}, {"hit": 1}, {"hit": 1}]},
    )
    assert [event for event in state.log or () if isinstance(event, ForcedEvent)] == [
        ForcedEvent(seat, "play", {"card": "hit"}, True) for seat in range(3)
    ]
    state = begun(ROUNDS, {"cards": [{"miss": 1}] * 3})
    assert [event for event in state.log or () if isinstance(event, ForcedEvent)] == [
        ForcedEvent(seat, "play", {"card": None}, False) for seat in range(3)
    ]
    state = begun("red: choose go(n in 2..2)\nset red.debt to n", {})
    assert state.log == [ForcedEvent(RED, "go", {"n": 2}, False)]


# ------------------------------------------------------------------------------------------------ records


def recorded(state: InterpreterState, moves: list[tuple[int, str | None]], **more: Any) -> list[Any]:
    stream = io.StringIO()
    recorder = Recorder(state.engine, state, stream, **more)
    for player, card in moves:
        recorder.apply(state.move(state.find("play", {"card": card}, player), player), player)
    return [json.loads(line) for line in stream.getvalue().splitlines()[1:]]


MOVES: list[tuple[int, str | None]] = [(RED, None), (BLUE, "hit"), (GREEN, None), (RED, None), (GREEN, None)]


def test_another_ones_pass_is_no_line() -> None:
    lines = recorded(begun(ROUNDS, {}), MOVES, seat=GREEN)
    assert lines[:-1] == [
        {"player": BLUE, "name": "play", "args": {"card": "hit"}},
        {"player": GREEN, "name": "play", "args": {"card": None}, "options": 2},
        {"player": GREEN, "name": "play", "args": {"card": None}, "options": 2},
    ]
    host = recorded(begun(ROUNDS, {}), MOVES, full=True)
    told = [
        (line["player"], line["args"]["card"], line.get("forced", False)) for line in host if "args" in line
    ]
    forced = (BLUE, None, True)
    assert told == [*[(*move, False) for move in MOVES[:4]], forced, (*MOVES[4], False)]


@pytest.mark.parametrize("seat", range(3))
def test_a_full_record_of_a_seat_does_not_tell_where_play_stood_still(seat: int) -> None:
    """With a card that cannot be played another one is not asked at all; the record must be the same."""
    found = []
    for cards in ({"hit": 1}, {"miss": 1}):
        hands = [cards if other == (seat + 1) % 3 else {"hit": 1} for other in range(3)]
        state = begun(ROUNDS, {"cards": hands})
        stream = io.StringIO()
        recorder = Recorder(state.engine, state, stream, full=True, seat=seat)
        while not state.over:
            recorder.apply(state.count() - 1)
        found.append(stream.getvalue())
    assert found[0] == found[1]


def test_records_with_passes_replay() -> None:
    made = begun(ROUNDS, {}).engine
    for seat in (None, RED, BLUE, GREEN):
        for full in (False, True):
            state = made.start(3, seed=1, log=True)
            stream = io.StringIO()
            recorder = Recorder(made, state, stream, full=full, seat=seat)
            for player, card in MOVES:
                recorder.apply(state.find("play", {"card": card}, player), player)
            result = replay(made, read_record(stream.getvalue()))
            assert result.problem is None
            assert result.complete
            assert result.state is not None
            assert result.state.snapshot() == state.snapshot()


# ------------------------------------------------------------------------------------------------ names


def test_a_move_can_have_a_name_of_its_own() -> None:
    state = begun(
        """\
red: choose staff
  case hire(n in 1..2)
    set red.debt to n
  case loan as loan
    set red.debt to 9
red: choose rest(k in 0..1)
set red.debt to red.debt - k
""",
        {},
    )
    assert [(move.name, move.args) for move in state.legal_moves()] == [
        ("staff", {"n": 1}),
        ("staff", {"n": 2}),
        ("loan", {}),
    ]
    assert state.decision == "staff"
    assert state.find("loan", {}) == 2
    lines = io.StringIO()
    Recorder(state.engine, state, lines, full=True).apply(2)
    decision = json.loads(lines.getvalue().splitlines()[2])
    assert (decision["name"], decision["args"], decision["legal"][0]) == (
        "loan",
        {},
        {"name": "staff", "args": {"n": 1}},
    )
    assert state.snapshot()["debt"] == [9, 0, 0]


def test_an_error_does_not_tell_who_is_asked() -> None:
    state = begun(ROUNDS, {})
    for call in (lambda: state.step(0, BLUE), lambda: state.apply(state.move(0), BLUE)):
        with pytest.raises(IllegalMove) as error:
            call()
        assert str(error.value) == "seat 1 is not to act"
