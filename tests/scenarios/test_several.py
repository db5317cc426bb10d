"""Scenarios in which several choose at once, that begin with a step, or that break what always holds."""

from __future__ import annotations

import pytest

from conche.scenarios import run_scenarios
from interpret.lab import engine

GAME = """\
game bids "Bids"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card
  king
  queen

pile deck of Card, hidden
var first: Player = blue, open
var left: 0..99 = 6, open

each player has
  gold: 0..99 = 2, open
  bid: 0..9 = 0, open, anew each auction

setup
  put 3 king, 2 queen in deck

play
  do auction
  do round(blue)

step auction
  together each player you from first
    choose bid
      case (n in 0..you.gold)
        set you.bid to n

step round(you: Player)
  choose staff
    case hire(n in 1..2)
      set you.gold to you.gold + n
    case loan as loan
      set you.gold to you.gold + 9
  do last

step last
  if left > 90: stop round
  if red.gold > 10: set left to left + 1

always "six": left = 6
conserve Card

score gold = you.gold
rank by total

"""


def said(*lines: str) -> list[str]:
    """The findings of a scenario with these lines."""
    text = GAME + 'scenario "one"\n' + "".join(f"  {line}\n" for line in ("given 3 players", *lines))
    made = engine(text)
    (result,) = run_scenarios(made, made.program.graph.rulebook.scenarios)
    return [failure.title for failure in result.failures]


def test_moves_come_in_any_order() -> None:
    moves = ["move green: bid(n = 2)", "move red: bid(n = 1)", "move blue: bid(n = 0)"]
    ends = ["then green.bid = 2 and red.bid = 1 and blue.bid = 0", "then blue can staff(n = 2)"]
    for order in (moves, moves[::-1]):
        assert said(*order, *ends) == []


def test_who_has_chosen_cannot_choose_again() -> None:
    one = "move green: bid(n = 2)"
    assert said(one, "then green cannot bid", "then red can bid(n = 1)", "then red cannot bid(n = 3)") == []
    assert said(one, "then green can bid(n = 1)") == ["green is not asked for 'bid' now"]
    assert said(one, "move green: bid(n = 1)") == ["green is not asked for 'bid' now"]
    assert said(one, "then red chooses bid n in [0, 1, 2]", "then green chooses bid n in [0]") == [
        "green is not asked for 'bid' now"
    ]


def test_it_is_told_who_is_waited_for() -> None:
    text = GAME + 'scenario "one"\n  given 3 players\n  then the game is over\n'
    made = engine(text)
    (result,) = run_scenarios(made, made.program.graph.rulebook.scenarios)
    assert result.failures[0].notes == ("blue, green and red have to choose 'bid' now",)


def test_a_step_in_place_of_play() -> None:
    assert (
        said("given red.gold = 4", "begin with round(red)", "move red: staff(n = 2)", "then red.gold = 6")
        == []
    )
    assert said("begin with round(red)", "move red: staff(n = 2)", "then the game is over") == []
    assert said("begin with auction", "then blue can bid(n = 2)", "then blue cannot staff") == []


def test_a_variable_that_the_step_begins_anew() -> None:
    lines = ["given red.bid = 7", "begin with auction", "then red.bid = 0"]
    assert said(*lines) == []
    assert said("given red.bid = 7", "begin with round(red)", "then red.bid = 7") == []


def test_a_stop_of_a_step_that_does_not_run() -> None:
    (title,) = said("given left = 91", "begin with last")
    assert title.startswith("the rules fail: ")
    assert "round" in title


def test_a_move_by_its_own_name() -> None:
    begin = "begin with round(blue)"
    assert said(begin, "then blue can loan", "move blue: loan", "then blue.gold = 11") == []
    assert said(begin, "move blue: staff") == ["2 moves agree with this"]
    assert said(begin, "then blue chooses staff n in [1, 2]") == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("given red.gold = 2", ["'six' should always hold"]),
        ("given left = 5", []),  # broken already: nothing is said
    ],
)
def test_what_the_given_position_breaks_is_not_checked(given: str, expected: list[str]) -> None:
    assert said(given, "begin with round(red)", "move red: loan") == expected
