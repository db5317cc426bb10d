"""Records and replays of what several choose at once, on the interpreter."""

from __future__ import annotations

import io
import itertools
import json
from typing import Any

import pytest

from conche.interpret import InterpreterState
from conche_runtime.errors import IllegalMove
from conche_runtime.records import Recorder, read_record
from conche_runtime.replay import replay
from interpret.bids import PRIVATE, SECRETLY, TOGETHER, bids

RED, BLUE, GREEN = range(3)

LIMITS = "set red.limit to 3\nset green.limit to 0\n"


def game(play: str) -> InterpreterState:
    return bids(LIMITS + play).start(3, seed=1, log=True)


def recorded(play: str, moves: list[tuple[int, int]], **more: Any) -> tuple[str, InterpreterState]:
    """Bids, then red's rest."""
    state = game(play)
    stream = io.StringIO()
    recorder = Recorder(state.engine, state, stream, **more)
    for seat, n in moves:
        recorder.apply(state.find("bid", {"n": n}, seat), seat)
    recorder.apply(1)
    assert state.over
    return stream.getvalue(), state


def lines(text: str) -> list[Any]:
    found = [json.loads(line) for line in text.splitlines()[1:]]
    return [line for line in found if "player" in line]


OWN = {"player": RED, "name": "bid", "args": {"n": 3}, "options": 4}
REST = {"player": RED, "name": "rest", "args": {"k": 1}}


def test_the_hosts_record_has_the_order_of_choosing() -> None:
    for moves in itertools.permutations([(RED, 3), (BLUE, 1)]):
        text, _ = recorded(TOGETHER, list(moves))
        told = [(line["player"], line["args"]["n"]) for line in lines(text)[:-1]]
        assert told == list(moves)  # green, who had but one option, is left out
    text, _ = recorded(TOGETHER, [(RED, 3), (BLUE, 1)], full=True)
    assert [(line["player"], line.get("forced", False)) for line in lines(text)] == [
        (RED, False),
        (BLUE, False),
        (GREEN, True),
        (RED, False),
    ]


def test_a_seats_record_has_its_own_choice_at_once_and_the_others_when_all_have_chosen() -> None:
    others = [
        {"player": BLUE, "name": "bid", "args": {"n": 1}},
        {"player": GREEN, "name": "bid", "args": {"n": 0}},
    ]
    for moves in itertools.permutations([(RED, 3), (BLUE, 1)]):
        text, _ = recorded(TOGETHER, list(moves), seat=RED)
        assert lines(text) == [OWN, *others, {**REST, "options": 2}]
    text, _ = recorded(SECRETLY, [(RED, 3), (BLUE, 1)], seat=RED)
    hidden = [{"player": BLUE, "name": "bid"}, {"player": GREEN, "name": "bid"}]
    assert lines(text) == [OWN, *hidden, {**REST, "options": 2}]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("seat", [None, RED, BLUE, GREEN])
@pytest.mark.parametrize("play", [TOGETHER, PRIVATE])
def test_records_replay(play: str, seat: int | None, full: bool) -> None:
    for moves in itertools.permutations([(RED, 3), (BLUE, 1)] + [(GREEN, 2)] * (play is PRIVATE)):
        text, state = recorded(play, list(moves), seat=seat, full=full)
        result = replay(state.engine, read_record(text))
        assert result.problem is None, result.problem
        assert result.complete
        assert result.state is not None
        assert result.state.snapshot() == state.snapshot()


@pytest.mark.parametrize("first", ["red", "blue", "green"])
def test_a_full_record_of_who_had_but_one_option_replays(first: str) -> None:
    """His line comes with the others', when all have chosen: before, between or behind them."""
    for moves in itertools.permutations([(RED, 3), (BLUE, 1)]):
        text, state = recorded(f"set first to {first}\n{TOGETHER}", list(moves), seat=GREEN, full=True)
        told = [(line["player"], line.get("forced", False)) for line in lines(text)[:3]]
        order = [(seat, seat == GREEN) for seat in (RED, BLUE, GREEN)]
        start = ["red", "blue", "green"].index(first)
        assert told == order[start:] + order[:start]
        result = replay(state.engine, read_record(text))
        assert result.problem is None, result.problem
        assert result.complete


def test_a_secret_choice_of_another_ends_the_replay() -> None:
    text, state = recorded(SECRETLY, [(RED, 3), (BLUE, 1)], seat=RED)
    result = replay(state.engine, read_record(text))
    assert (result.problem, result.complete) == (None, False)
    assert result.note == "line 3: the choice of blue was not shown"
    text, state = recorded(SECRETLY, [(RED, 3), (BLUE, 1)], full=True)
    assert replay(state.engine, read_record(text)).complete


@pytest.mark.parametrize(
    ("number", "change", "expected"),
    [
        (0, {"args": {"n": 4}}, "not legal here"),
        (1, {"args": {"n": 9}}, "not legal here"),
        (2, {"args": {"n": 1}}, "green's 'bid' n 1 is recorded, but green's 'bid' n 0 here"),
        (2, {"player": BLUE}, "blue's 'bid' n 0 is recorded, but green's 'bid' n 0 here"),
    ],
)
def test_what_does_not_fit(number: int, change: dict[str, Any], expected: str) -> None:
    text, state = recorded(TOGETHER, [(RED, 3), (BLUE, 1)], seat=RED)
    header, *rest = text.splitlines()
    decisions = [index for index, line in enumerate(rest) if "player" in json.loads(line)]
    rest[decisions[number]] = json.dumps({**json.loads(rest[decisions[number]]), **change})
    result = replay(state.engine, read_record("\n".join([header, *rest]) + "\n"))
    assert result.problem is not None
    assert expected in result.problem.message
    assert result.problem.line == decisions[number] + 2


def test_a_record_stays_as_it_was_when_a_move_is_refused() -> None:
    state = game(TOGETHER)
    recorder = Recorder(state.engine, state, io.StringIO(), seat=RED)
    before = recorder.lines
    for index, seat in ((0, GREEN), (9, RED), (0, None)):
        with pytest.raises(IllegalMove, match=r"seat 2 has chosen|no option 9|say who"):
            recorder.apply(index, seat)
    assert recorder.lines == before
