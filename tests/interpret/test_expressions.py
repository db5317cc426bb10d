"""What expressions are worth: each line holds in one fixed position, and its negation does not."""

from __future__ import annotations

import pytest
from conche_runtime.errors import RulesError

from conche.interpret.evaluate import Evaluator
from conche.scenarios import position_from_scenario, run_scenario
from conche.semantics.rulebook import ThenHolds
from interpret.lab import engine, lab

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

HOLDS = """
1 + 2 * 3 = 7
7 - 2 - 2 = 3
-7 / 2 = -4
-7 mod 3 = 2
7 mod -3 = -2
min(4, 2, 9) = 2 and max(4, 2, 9) = 9
(if n > 6 then 1 else 2) = 1
not n = 8
n != 8
n < 8 and n > 6 and n <= 7 and n >= 7
lit = no or 1 / (n - 7) = 1
not (lit and 1 / (n - 7) = 1)
lit = no
who = blue
who.gold = 3
picks = [4, 9, 4]
picks != [4, 4, 9]
4 is in 3..5 and 6 is not in 3..5
9 is in picks and 5 is not in picks
seen = [east, north]
seen != [east]
count(seen) = 2
east is in seen
count(picks) = 3
count(picks + [1, 2]) = 5
perhaps = lake
perhaps != nothing
5..4 is empty
1..1 is not empty
count(players) = 3
count(sides) = 4
count(Fruit) = 2 and count(Tile) = 3
prices[0] = 4 and prices[2] = 1
value(red.climb) = -2 and value(blue.climb) = 3
blue.climb = 2 and last(blue.climb) = 2
count(red.purse) = 3
room(red.purse) = 1
red.purse[fig] = 2 and red.purse[plum] = 1
blue.purse is empty
kinds(red.purse) = [plum, fig]
each(f in red.purse) = [plum, fig, fig]
each(t in line) = [lake, hill(2)]
kinds(line) = [hill(2), lake]
each(t in deck) = [3 hill(1), lake]
lake is in line and hill(1) is not in line
fig.worth = 5
sum(f.worth for f in red.purse) = 13
(0, 0).mark = 4 and (2, 0).mark = 0
(0, 0).size = 2
(0, 0) is hill
(0, 0) is hill(2)
(0, 0) is not hill(1)
(0, 0) is not lake
(0, 2) is not hill
(1, 0) is cross
(1, 0) is a Road
(0, 0) is not a Road
(3, 2) is empty and (0, 0) is not empty
(1, 0).height = 2 and (0, 1).height = 1 and (3, 3).height = 0
(1, 0).owner = red and (0, 1).owner = blue
(0, 1).turn = 1 and (1, 0).turn = 0
(3, -2).x = 3 and (3, -2).y = -2
edge((0, 1), south).ways = 2
edge((0, 1), west).ways = 1
edge((0, 1), north).ways = 0
edge((0, 1), east).ways = 0
edge((0, 1), south).at = (0, 1)
edge((0, 1), south).side = south
edge((0, 1), south).across = (0, 2)
beside((0, 1), north) = (0, 0)
toward((0, 1), (0, 0)) = north
toward((0, 1), (1, 1)) = east
around((0, 0)) = [(1, 0), (0, 1), (-1, 0), (0, -1)]
count(spaces) = 10
each(s in spaces where s.y < 0) = [(0, -1), (1, -1)]
each(s in spaces where s.y = 0) = [(-1, 0), (0, 0), (1, 0), (2, 0)]
turns(straight) = [0, 1]
turns(bend) = [0, 1, 2, 3]
turns(cross) = [0]
count(p in players where p.gold > 4) = 2
any(p in players where p.gold = 12)
not any(p in players where p.gold = 13)
all(p.gold > 2 for p in players)
not all(p.gold > 3 for p in players)
sum(p.gold for p in players) = 20
most(p.gold for p in players) = 12
least(p.gold for p in players) = 3
most(p.gold for p in players where p.gold > 90) = 0
least(k for k in 2..1) = 0
each(k * k for k in 1..4 where k != 2) = [1, 9, 16]
sum(sum(a * b for a in 1..b) for b in 1..3) = 25
twice(twice(3)) = 12
grade(red) = 112 and grade(blue) = 0 and grade(green) = 2
roads_of(red) = [(1, 0)]
count(roads_of(green)) = 0
total(red) = 12 and score(blue, gold) = 3
rank(red) = 1 and rank(green) = 2 and rank(blue) = 3
""".strip().split("\n")


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
