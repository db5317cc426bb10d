"""What expressions are worth: each line holds in one fixed position, and its negation does not."""

from __future__ import annotations

import pytest

from conche.interpret.evaluate import Evaluator
from conche.scenarios import position_from_scenario, run_scenario
from conche.semantics.rulebook import ThenHolds
from conche_runtime.errors import RulesError
from interpret.lab import engine, lab, read_lines

GIVEN = """
scenario "here"
  given 3 players
  given n = 7
  given who = blue
  given picks = [4, 9, 4]
  given seen = [north, east]
  given perhaps = lake
  given red.gold = 12
  given blue.gold = 3
  given blue.climb = 2
  given red.purse = [2 fig, plum]
  given line = [lake, hill(2)]
  given deck = [3 hill(1), lake]
  given red.held = [bend]
  given (0, 0).mark = 4
  given hill(2) at (0, 0)
  given bend of blue at (1, 0) turned 1
  given cross of red at (1, 0)
  given bend of blue at (0, 1) turned 1
  then {}
"""

QUERIES = """
query twice(k: 0..99) = k + k
query grade(p: Player)
  let g = p.gold
  let h = g / 2
  0 if g < 5
  h if h < 6
  otherwise 100 + g
query roads_of(p: Player) = each(s in spaces where s is a Road and s.owner = p)
"""

HOLDS = read_lines("expressions.txt")


@pytest.mark.parametrize("line", HOLDS)
def test_line_holds_and_its_negation_does_not(line: str) -> None:
    for condition, passes in ((line, True), (f"not ({line})", False)):
        made = engine(lab("set n to n", QUERIES + GIVEN.replace("{}", condition)))
        (scenario,) = made.program.book.rulebook.scenarios
        result = run_scenario(made, scenario)
        assert result.passed == passes, result.failures


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 / (n - 7) = 0", "a division by 0"),
        ("1 mod (n - 7) = 0", "a division by 0"),
        ("prices[n] = 0", "'prices' has no entry 7: they are numbered 0..2"),
        ("(3, 3).owner = red", "there is no piece on (3, 3)"),
        ("(0, 0).owner = red", "the piece on (0, 0) has no owner"),
        ("(1, 0).size = 1", "there is no piece with 'size' on (1, 0)"),
        ("(2, 2).size = 1", "there is no piece with 'size' on (2, 2)"),
        ("edge((0, 0), east).ways = 1", "there is no piece with 'ways' on (0, 0)"),
        ("toward((0, 0), (1, 1)) = east", "(0, 0) and (1, 1) are not neighbours"),
    ],
)
def test_what_cannot_be_answered(line: str, message: str) -> None:
    made = engine(lab("set n to n", QUERIES + GIVEN.replace("{}", line)))
    (scenario,) = made.program.book.rulebook.scenarios
    (failure,) = run_scenario(made, scenario).failures
    assert failure.code == "C0404"
    assert failure.title == f"this cannot be checked: {message}"


def test_an_answer_of_a_query_is_forgotten_when_the_position_changes() -> None:
    made = engine(lab("set n to n", QUERIES + GIVEN.replace("{}", "twice(1) = 2")))
    (scenario,) = made.program.book.rulebook.scenarios
    state = position_from_scenario(made, scenario)
    evaluator = Evaluator(made.program.book, state.position)
    assert evaluator.query("grade", (0,)) == 112
    state.position.variables["gold", 0] = 6
    evaluator.forget()
    assert evaluator.query("grade", (0,)) == 3
    assert isinstance(scenario.lines[-1], ThenHolds)


def test_the_kind_of_a_space() -> None:
    rules = """\
game dots "Dots"
  version 1.0.0
  players 1..1
  seats red

piece Dot
  black
  white(size: 1..2)

board land square grid at most 4 across
  on x = x up to 2 Dot

pool box of Dot, open
var n: 0..9 = 0, open

setup
  put 1 black, 2 white(2) in box
  move black from box to (0, 0)
  move white(2) from box to (0, 0)
  move white(2) from box to (1, 0)

play
  if kind((0, 0)) = kind((1, 0)): set n to 1
  if kind((0, 0)) != black: set n to n + kind((0, 0)).size
  if kind((0, 1)) = black: set n to 9

score n = n
rank by total
"""
    with pytest.raises(RulesError, match=r"lab.rules:25: there is no piece on \(0, 1\)"):
        engine(rules).start(1, seed=0)
    state = engine(rules.replace("  if kind((0, 1)) = black: set n to 9\n", "")).start(1, seed=0)
    assert state.snapshot()["n"] == 3
