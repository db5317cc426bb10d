"""A run-time error names the same line of the rules in every engine: that of the statement, of the case of a
choice, or of the score, whatever query or fold it happens in and however that is compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.engines import engines_of, graph_of
from conche.graph.from_rulebook import from_rulebook
from conche.modules.load import load
from conche_runtime.errors import RulesError
from interpret.lab import lab

QUERIES = """\
query small(p: Player) = prices[p.gold]
query chosen(p: Player)
  let first = prices[n]
  0 if p.gold < 0
  otherwise first
query asks(p: Player) = small(p) + 1
query big(p: Player) = sum(prices[k] for k in 0..p.gold) + sum(prices[k] for k in 0..p.gold where k mod 2 = 1) + sum(prices[k] * 2 for k in p.gold..p.gold + 9 where k mod 3 = 1)
"""

# The line with the mark is the one to blame.
PLAYS = {
    "a query of one expression": "set n to 2\nset n to small(red)  # here",
    "a query with cases": "set n to n\nset n to chosen(red)  # here",
    "a query that asks another": "set n to 2\nset n to asks(red)  # here",
    "a query too big to be put in": "set n to 2\nset n to min(9, big(red))  # here",
    "a condition": "set n to 2\nif small(red) > 1  # here\n  set n to 1",
    "a loop's condition": "repeat while small(red) > 1  # here\n  set n to 1",
    "a loop's source": "for each k in small(red)..3  # here\n  set n to 1",
    "a loop's guard": "each player p from red if small(p) > 1  # here\n  set n to 1",
    "a fold": "set n to 2\nset n to sum(small(p) for p in players)  # here",
    "an argument's values": "red: choose pick\n  case one(k in 1..n - 9)\n  case two(k in small(red)..n)  # here\n  none\n    set n to 1",
    "a case's guard": "red: choose pick\n  case one(k in 1..n - 9)\n  case two(k in 3..9) if small(red) > 1  # here\n  none\n    set n to 1",
    "a case's guard on its argument": "red: choose pick\n  case one(k in 1..n - 9)\n  case two(k in 3..9) if prices[k + n] > 1  # here\n  none\n    set n to 1",
    "who chooses": "perhaps_nobody: choose pick  # here\n  case one(k in 1..n - 9)\n  none\n    set n to 1",
    "a range": "set n to 9\nset n to min(9, count(n..n * 999999))  # here",
    "an amount in a query": "for each you in players\n  gain small(you) gold  # here",
    "a trigger's guard": "set n to 2\nput 1 lake in deck  # here\nset n to n",
    "an argument of a step": "set n to 2\ndo step_of(small(red))  # here",
    "a long statement": "set n to 2\nset n to max(n,  # here\n  small(red))",
}

MORE = """\
step step_of(k: -99..99)
  set n to min(9, max(0, k))

trigger seen_it when t: Tile enters deck if small(red) > 1
  set n to 1
"""


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS.keys())
def test_same_line(play: str) -> None:
    nobody = "var perhaps_nobody: Player, open\n"
    text = lab(
        f"{play}\nred: choose last(k in 1..2)",
        QUERIES + nobody + (MORE if "deck" in play or "step" in play else ""),
    )
    line = next(number for number, line in enumerate(text.splitlines(), 1) if "# here" in line)
    found = []
    for engine in engines_of(graph_of(text)):
        with pytest.raises(RulesError) as error:
            engine.start(2, 0)
        found.append((error.value.file, error.value.line))
    assert found == [("game.rules", line)] * 3


def test_a_query_that_a_module_modifies(tmp_path: Path) -> None:
    game = lab(
        "set n to 2\nset n to small(red)  # here\nred: choose last(k in 1..2)",
        "query small(p: Player) = p.gold",
    )
    module = 'module more "More" for lab 1.x\n  version 1.0.0\n\nmodify small(p): + prices[p.gold]\n'
    (tmp_path / "lab.rules").write_text(game, encoding="utf-8")
    (tmp_path / "more.rules").write_text(module, encoding="utf-8")
    loaded = load(f"{tmp_path}/lab.rules+{tmp_path}/more.rules")
    assert loaded.rulebook is not None, loaded.diagnostics
    line = next(number for number, line in enumerate(game.splitlines(), 1) if "# here" in line)
    found = []
    for engine in engines_of(from_rulebook(loaded.rulebook)):
        with pytest.raises(RulesError) as error:
            engine.start(2, 0)
        found.append((Path(error.value.file).name, error.value.line))
    assert found == [("lab.rules", line)] * 3
