"""A small auction in which all choose at once, and what tests need to look at it.

Each has a purse that only he sees. `{how}` stands for `together` or `secretly`; `{more}` for lines of play
behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conche.interpret import Interpreter, InterpreterState
from interpret.lab import engine, indented

_GAME = """\
game bids "Bids"
  version 1.0.0
  players 2..3
  seats red, blue, green

var first: Player = blue, open
var order: list of Player = [], open

each player has
  purse: 0..9 = 4, secret
  limit: 0..9 = 2, open
  form: 0..9 = 0, secret
  shown: 0..9 = 0, open
  asked: flag = yes, open

play
{play}

score shown = you.shown
rank by total
"""

TOGETHER = """\
together each player you from first if you.asked
  choose bid
    case (n in 0..you.limit)
      set you.shown to n
      add you to order
"""

PRIVATE = TOGETHER.replace("you.limit", "you.purse")

SECRETLY = """\
secretly each player you from first if you.asked
  choose bid
    case (n in 0..you.limit)
      set you.form to n
"""


def bids(play: str, then: str = "red: choose rest(k in 0..1)\nset red.shown to k") -> Interpreter:
    """The game with these lines of play, and others behind them."""
    return engine(_GAME.format(play=indented(play) + indented(then)))


def begun(play: str, data: Mapping[str, Any], players: int = 3, **more: Any) -> InterpreterState:
    """The game at its first decision, with some things put in place."""
    return bids(play, **more).position(players, data=data, log=True)


def bid(state: InterpreterState, player: int, n: int) -> None:
    state.step(state.find("bid", {"n": n}, player), player)
