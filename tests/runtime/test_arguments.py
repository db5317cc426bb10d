"""Nonsense handed to a state is refused, in the same words by engine and interpreter, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from codegen.engines import engines_of, graph_of
from conche_runtime.errors import IllegalMove
from conche_runtime.interface import Engine, State
from interpret.lab import lab

PLAY = """\
red: choose pick
  case one(k in 1..n, fruit in [plum, fig])
  case none_of_it(w = yes) if turns > 0
  none
    set n to n
set turns to 0
blue: choose last(k in 1..2)
"""

HUGE = 10**5000


@cache
def engines() -> list[Engine]:
    return engines_of(graph_of(lab(PLAY, "var turns: 0..9 = 1, open")))


def states(steps: int = 0) -> list[State]:
    made = [engine.start(2, 0) for engine in engines()]
    for state in made:
        for _ in range(steps):
            state.step(0)
    return made


NONSENSE: dict[str, Callable[[State], object]] = {
    "step: an index below 0": lambda state: state.step(-1),
    "step: an index too high": lambda state: state.step(7),
    "step: a huge index": lambda state: state.step(HUGE),
    "step: a huge index below 0": lambda state: state.step(-HUGE),
    "step: no index": lambda state: state.step(None),  # type: ignore[arg-type]
    "step: a flag": lambda state: state.step(True),
    "move: a flag": lambda state: state.move(True),
    "step: a float": lambda state: state.step(1.0),  # type: ignore[arg-type]
    "step: a text": lambda state: state.step("1"),  # type: ignore[arg-type]
    "step: a list": lambda state: state.step([1]),  # type: ignore[arg-type]
    "move: an index below 0": lambda state: state.move(-1),
    "move: a huge index": lambda state: state.move(HUGE),
    "move: a dictionary": lambda state: state.move({}),  # type: ignore[arg-type]
    "step: another's turn": lambda state: state.step(0, 1),
    "step: no such seat": lambda state: state.step(0, 2),
    "step: a seat below 0": lambda state: state.step(0, -1),
    "step: a huge seat": lambda state: state.step(0, HUGE),
    "step: a seat by its name": lambda state: state.step(0, "red"),  # type: ignore[arg-type]
    "step: a list of seats": lambda state: state.step(0, [0]),  # type: ignore[arg-type]
    "move: no such seat": lambda state: state.move(0, 9),
    "move: a seat by its name": lambda state: state.move(0, "red"),  # type: ignore[arg-type]
    "count: no such seat": lambda state: state.count(-1),
    "count: a seat by its name": lambda state: state.count("red"),  # type: ignore[arg-type]
    "legal_moves: no such seat": lambda state: state.legal_moves(5),
    "legal_moves: a list": lambda state: state.legal_moves([0]),  # type: ignore[arg-type]
    "view: no such seat": lambda state: state.view(-1),
    "view: nobody": lambda state: state.view(None),  # type: ignore[arg-type]
    "sample: no such seat": lambda state: state.sample(2),
    "sample: a text": lambda state: state.sample("0"),  # type: ignore[arg-type]
    "apply: nothing": lambda state: state.apply(None),  # type: ignore[arg-type]
    "apply: a number": lambda state: state.apply(0),  # type: ignore[arg-type]
    "apply: a name": lambda state: state.apply("pick"),  # type: ignore[arg-type]
    "apply: a dictionary": lambda state: state.apply({"name": "pick", "args": {"k": 1}}),  # type: ignore[arg-type]
    "apply: a list": lambda state: state.apply([1, "plum"]),  # type: ignore[arg-type]
    "apply: a seat by its name": lambda state: state.apply(state.move(0), "red"),  # type: ignore[arg-type]
    "apply: another's turn": lambda state: state.apply(state.move(0), 1),
    "find: no arguments": lambda state: state.find("pick", None),  # type: ignore[arg-type]
    "find: a list": lambda state: state.find("pick", [1, "plum"]),  # type: ignore[arg-type]
    "find: a text": lambda state: state.find("pick", "k"),  # type: ignore[arg-type]
    "find: another decision": lambda state: state.find("last", {"k": 1}),
    "find: too few": lambda state: state.find("pick", {"k": 1}),
    "find: too many": lambda state: state.find("pick", {"k": 1, "fruit": "plum", "w": True}),
    "find: a flag for a number": lambda state: state.find("pick", {"k": True, "fruit": "plum"}),
    "find: a float": lambda state: state.find("pick", {"k": 1.0, "fruit": "plum"}),
    "find: a huge number": lambda state: state.find("pick", {"k": HUGE, "fruit": "plum"}),
    "find: a list for a number": lambda state: state.find("pick", {"k": [1], "fruit": "plum"}),
    "find: a dictionary for a name": lambda state: state.find("pick", {"k": 1, "fruit": {"plum": 1}}),
    "find: a set": lambda state: state.find("pick", {"k": {1}, "fruit": "plum"}),
    "find: no names": lambda state: state.find("pick", {1: 1, (2,): "plum"}),  # type: ignore[dict-item]
    "find: no name": lambda state: state.find(["pick"], {"k": 1, "fruit": "plum"}),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("ask", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_is_refused_and_changes_nothing(ask: Callable[[State], object]) -> None:
    messages = []
    for state in states():
        before = state.to_json()
        with pytest.raises(IllegalMove) as error:
            ask(state)
        assert state.to_json() == before
        messages.append(str(error.value))
    assert len(set(messages)) == 1


def test_the_move_of_another_decision_is_refused() -> None:
    for state, later in zip(states(), states(1), strict=True):
        before = state.to_json()
        with pytest.raises(IllegalMove, match="is not a legal move now"):
            state.apply(later.move(0))
        assert state.to_json() == before


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    for state in states(2):
        assert state.over
        assert (state.count(), state.legal_moves()) == (0, [])
        for ask in (
            lambda state: state.step(0),
            lambda state: state.step("0", "red"),
            lambda state: state.move(0),
            lambda state: state.apply(None),
        ):
            with pytest.raises(IllegalMove, match=r"the game is over|by its number"):
                ask(state)


class Number:
    """A whole number of another class."""

    def __index__(self) -> int:
        return 1


def test_whole_numbers_of_other_classes_are_as_good() -> None:
    number: Any = Number()
    for state in states():
        assert state.move(number) == state.move(1)
        state.step(number)
        assert state.to_act == (1,)


@pytest.mark.parametrize("players", [1, 4, -2, 10**400, True, None, "2", 2.0, [2]])
def test_wrong_numbers_of_players(players: Any) -> None:
    for engine in engines():
        with pytest.raises(ValueError, match=r"is for 2\.\.3 players"):
            engine.start(players)


@pytest.mark.parametrize("seed", [-1, 1 << 64, 10**400, True, "7", 1.5, [1]])
def test_wrong_seeds(seed: Any) -> None:
    for engine in engines():
        with pytest.raises(ValueError, match="a seed is"):
            engine.start(2, seed)
        with pytest.raises(ValueError, match="a seed is"):
            engine.start(2, 0).sample(0, seed)
