"""Variables of kinds and members, loops in an order, variables that begin anew."""

from __future__ import annotations

from typing import Any

import pytest

from conche.interpret import Interpreter, InterpreterState
from conche_runtime.errors import RulesError
from interpret.lab import engine, indented

_GAME = """\
game market "Market"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card(worth: 1..9)
  king (9)
  queen (8) written "QUEEN"
  jack (7)

enum Ware
  pots
  chairs

row line of Card, open
var picks: list of 0..99 = [], open
var order: list of Player = [], open
var n: 0..99 = 0, open

each Card has
  price: 0..20 = 1, open
  mark: maybe Player = nothing, open
each Ware has
  stock: 0..9, hidden

each player has
  bid: 0..9 = 0, open
  calm: flag = yes, open, anew each turn

setup
  put 1 jack, 1 king, 1 queen in line

play
{play}

step turn
  add count(p in players where p.calm) to picks
  set red.calm to no
  do again

step again
  add count(p in players where p.calm) to picks

score bid = you.bid
rank by total
"""


def market(play: str) -> Interpreter:
    return engine(_GAME.format(play=indented(play)))


def played(play: str, data: dict[str, Any] | None = None) -> InterpreterState:
    return market(play).position(3, data=data or {})


def test_each_kind_has_its_own() -> None:
    state = played(
        """\
set king.price to 5
for each card in line
  set card.price to card.price + card.worth
set queen.mark to blue
set n to sum(c.price for c in Card)
"""
    )
    snapshot = state.snapshot()
    assert snapshot["price"] == {"king": 14, "QUEEN": 9, "jack": 8}
    assert snapshot["mark"] == {"king": None, "QUEEN": 1, "jack": None}
    assert snapshot["n"] == 31
    assert "stock" not in state.view(0)
    assert snapshot["stock"] == {"pots": None, "chairs": None}


def test_of_the_kind_that_a_value_is() -> None:
    state = played(
        "for each card in line\n  if card.mark != blue: set card.price to 0", {"mark": {"QUEEN": 1}}
    )
    assert state.snapshot()["price"] == {"king": 0, "QUEEN": 1, "jack": 0}


def test_bounds_and_unset_values_are_named() -> None:
    with pytest.raises(RulesError, match=r"'price' of QUEEN would become 21, but it must be 0\.\.20"):
        played("set queen.price to 20\nset queen.price to queen.price + 1")
    with pytest.raises(RulesError, match="'stock' of chairs is read before it is set"):
        played("set pots.stock to 1\nset n to pots.stock + chairs.stock")


def test_positions_and_saves_hold_them() -> None:
    play = "red: choose go(k in 1..2)\nset king.price to king.price + k"
    state = played(play, {"price": {"king": 7, "jack": 3}})
    assert state.snapshot()["price"] == {"king": 7, "QUEEN": 1, "jack": 3}
    loaded = market(play).from_json(state.to_json())
    loaded.step(1)
    assert loaded.snapshot()["price"] == {"king": 9, "QUEEN": 1, "jack": 3}
    with pytest.raises(ValueError, match="what has no such variable"):
        played(play, {"price": {"pope": 1}})


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for each p in players, by p.bid falling", [1, 0, 2]),
        ("for each p in players, by p.bid rising", [0, 2, 1]),
        ("for each p in clockwise(green), by p.bid falling", [1, 2, 0]),
        ("for each p in players, by p.bid falling, seat(p) falling", [1, 2, 0]),
        ("for each p in players, by seat(p) mod 2 rising, p.bid falling, seat(p) falling", [2, 0, 1]),
    ],
)
def test_a_loop_in_an_order(loop: str, expected: list[int]) -> None:
    query = "query seat(p: Player) = if p = red then 0 else if p = blue then 1 else 2\n"
    text = _GAME.format(play=indented(f"{loop}\n  add p to order\n  set p.bid to 0\n"))
    made = engine(f"{text}\n{query}" if "seat(" in loop else text)
    # The keys are read once: that all bids become 0 does not change the order.
    assert made.position(3, data={"bid": [3, 5, 3]}).snapshot()["order"] == expected


def test_pieces_in_an_order() -> None:
    play = "for each card in line, by card.worth rising: add card.worth to picks"
    assert played(play).snapshot()["picks"] == [7, 8, 9]


def test_what_is_anew_each_turn_has_its_first_value_when_the_step_begins() -> None:
    play = "set blue.calm to no\ndo again\ndo turn\ndo again\ndo turn"
    # At first blue is not calm; each turn begins with all calm, then red is not.
    assert played(play).snapshot()["picks"] == [2, 3, 2, 2, 3, 2]
