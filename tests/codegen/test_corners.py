"""Corners in which the engine once differed from the interpreter, or could not be imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.api import load
from conche_runtime.errors import RulesError
from conche_runtime.interface import Engine, State
from interpret import lab

_ASK = "red: choose ask(answer in 0..1)\nset n to n + answer"

PLAYS = {
    "a pile with known tops is gone through by kind": """\
put 2 lake, 2 hill(1) in deck
move hill(1) from deck to shown
move lake from deck to shown
move hill(1) from deck to shown
for each t in shown
  if t is lake: set n to n * 2
  else: set n to n + 3""",
    "each keeps the order of kinds in a pile with known tops": """\
put 1 lake, 1 hill(1) in deck
move hill(1) from deck to shown
move lake from deck to shown
let order = each(t in shown)
for each t in order
  if t is lake: set n to n * 2
  else: set n to n + 3""",
    "up to as many as the target has room for": """\
put 4 plum, 4 fig in sack
for each p in players: draw up to 9 from sack to p.purse
for each p in players: draw up to 1 from sack to p.purse""",
    "up to less than nothing is nothing": """\
put 4 plum, 4 fig in sack
for each you in players
  draw up to n - 9 from sack to you.purse
  gain up to n - 9 gold
  gain up to n - 9 plum""",
    "gaining less than nothing": "for each you in players: gain n - 5 gold",
    "paying less than nothing": "for each you in players: pay n - 5 gold",
    "paying less than nothing to somebody": "for each you in players: pay n - 5 gold to red",
    "gaining fewer than no pieces": "for each you in players: gain n - 5 plum",
    "paying fewer than no pieces": "for each you in players: pay n - 5 plum",
    "putting fewer than no pieces": "put n - 5 lake in deck",
    "taking fewer than no pieces": "take n - 5 lake out of deck",
    "drawing fewer than no pieces": "draw n - 5 from deck to line",
    "equal elements are one option of a chosen order": """\
set picks to [1, 2, 1]
for each k in picks, in order chosen by red as order
  set n to n + k""",
    "equal pieces are one option of a chosen order": """\
put 2 plum, 1 fig in heap
for each f in heap, in order chosen by red as order
  set n to n + f.worth""",
    "two cases whose arguments overlap": """\
red: choose pick
  case a(k in 1..2)
  case b(k in 2..n)""",
    "arguments by names of the runtime's own": 'red: choose pick(k in 1..2, kind = "x", self = "y")',
}


def _start(engine: Engine) -> State | str:
    """A game, or what the rules did that they forbid."""
    try:
        return engine.start(players=2, seed=3)
    except RulesError as fault:
        return str(fault).partition(": ")[2]


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS.keys())
def test_both_do_the_same(play: str, tmp_path: Path) -> None:
    text = lab.lab(f"{play}\n{_ASK}")
    path = tmp_path / "lab.rules"
    path.write_text(text, encoding="utf-8")
    engine, interpreter = load(str(path)), lab.engine(text)
    one, two = _start(engine), _start(interpreter)
    if isinstance(one, str) or isinstance(two, str):
        assert one == two
        return
    while not two.over:
        assert one.snapshot() == two.snapshot()
        assert [(m.name, m.args) for m in one.legal_moves()] == [(m.name, m.args) for m in two.legal_moves()]
        one.step(two.count() - 1)
        two.step(two.count() - 1)
    assert one.over
    assert one.snapshot() == two.snapshot()
