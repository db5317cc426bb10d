"""Where a decision stands that is not asked now, and whether it comes (again): what the graph says. And which
clauses a statement is by: those of the innermost statement around it that cites some."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.interpret import InterpreterState
from conche.modules.load import load
from conche.why.effects import Effect, NotingInterpreter, effects_of

GAME = """\
game walk "Walk"
  version 1.0.0
  players 2..2
  seats red, blue
  clauses "walk.clauses.md"

each player has
  coins: 0..9 = 0, open
  steps: 0..9 = 0, open

play
  do begin
  repeat 2 times
    do day
  do finish

step begin
  each player you from red
    choose opening(n in 1..2)
    set you.coins to n

step day                                                                       §1
  each player you from red
    choose market(n in 1..2)
    for each m in 1..n                                                         §2
      set you.steps to you.steps + m
      if m > 1                                                                 §3
        set you.coins to 0
    set you.coins to you.coins + 1
    do fork

step fork
  if you.coins > 1
    choose rich(n in 1..2)
    set you.coins to n
  else
    choose poor(n in 1..2)
    set you.coins to n

step finish
  if red.coins > 1
    red: choose pride(n in 1..2)
    set red.coins to n
  else
    red: choose shame(n in 1..2)
    set red.coins to n

score coins = you.coins
rank by total, you.steps
"""

CLAUSES = "## §1 A day\n\nx\n\n## §2 Walking\n\nx\n\n## §3 Far\n\nx\n"


@lru_cache(maxsize=1)
def engine() -> NotingInterpreter:
    with TemporaryDirectory() as folder:
        (Path(folder) / "walk.rules").write_text(GAME, encoding="utf-8")
        (Path(folder) / "walk.clauses.md").write_text(CLAUSES, encoding="utf-8")
        loaded = load((Path(folder) / "walk.rules").as_posix())
    assert loaded.rulebook is not None, [one.title for one in loaded.diagnostics]
    return NotingInterpreter(from_rulebook(loaded.rulebook))


def at(decision: str) -> InterpreterState:
    """The first time that it is asked, where 1 is chosen before, but 2 for what leads to `pride`."""
    state = engine().start(2, 0)
    while state.decision != decision:
        assert state.to_act, decision
        state.step(1 if decision == "pride" else 0, state.to_act[0])
    return state


def said(now: str, then: str) -> str:
    state = at(now)
    return state.explain(state.to_act[0], then).reasons[1].text


@pytest.mark.parametrize(
    ("now", "then", "told"),
    [
        ("market", "opening", "it stands before what is asked now, and does not come again"),
        ("rich", "opening", "it stands before what is asked now, and does not come again"),
        ("pride", "market", "it stands before what is asked now, and does not come again"),
        ("rich", "market", "it stands before what is asked now; it may come again later"),
        ("opening", "market", "it comes after what is asked now"),
        ("market", "pride", "it comes after what is asked now"),
        ("rich", "poor", "it may come later"),
        ("pride", "shame", "no way leads to it from what is asked now"),
    ],
)
def test_what_comes_is_what_the_graph_has_a_way_to(now: str, then: str, told: str) -> None:
    assert said(now, then).partition("; ")[2] == told


def test_an_effect_is_by_the_clauses_of_the_innermost_statement_that_cites() -> None:
    state = at("market")
    _, happened = effects_of(state, 1, state.to_act[0])
    clauses = [
        (one.text, [clause.id for clause in one.rule.clauses])
        for one in happened
        if isinstance(one, Effect) and one.kind == "variable"
    ]
    assert clauses == [
        ("red.steps 0 → 1", ["2"]),
        ("red.steps 1 → 3", ["2"]),
        ("red.coins 1 → 0", ["3"]),
        ("red.coins 0 → 1", ["1"]),
    ]
