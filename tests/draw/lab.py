"""A game with all that a picture can have trouble with, and positions of it that are made up."""

from __future__ import annotations

import functools
from typing import Any

from conche.draw import Drawing, Looks
from conche.draw.looks_of import looks_of
from conche.draw.words import Words
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.modules.load import load_source
from conche.semantics.rulebook import Rulebook
from conche.source import Source

LONG = "n" * 250

TEXT = f"""\
game lab "Lab"
  version 1.0.0
  players 2..4
  seats red, rose, {LONG}1, {LONG}2

enum Way
  road
  river
  wall

piece Tile(ways: ring of 4 of 0..12)
  bend (1, 1, 12, 12)
  twin (1, 1, 12, 12)
  through (0, 12, 0, 12)
  wide (12, 12, 12, 12) written "大きな木のある場所"
  {LONG} (12, 12, 12, 1)

piece Hut owned
  small
  large
  hoard carries store loot of Way, open

pile stack of Tile, hidden
pool market of Tile, open

board land square grid at most 64 across
  on x < 100 up to 1 Tile
  on x < 100 up to 5 Hut
  each space has
    wet: 0..9 = 0, open

each player has
  coins: 0..9 = 0, open
  {LONG}: 0..9 = 1, open
  store huts of Hut, open

setup
  put 4 bend, 4 twin, 4 through, 4 wide, 1 {LONG} in stack
  put 1 wide, 2 {LONG} in market
  for each p in players
    put 3 small, 2 large, 1 hoard in p.huts

play
  repeat 5 times
    each player you from red
      do turn

step turn
  choose turn
    case tile(at in spaces, turn in 0..3)
      draw 1 from stack to market
      if at is empty
        for each t in kinds(market)
          if at is empty: move t from market to at turned turn
      set at.wet to 3
      gain up to 1 coins
      set you.{LONG} to 2
    case hut(at in each(s in spaces where s is empty or s is a Hut), hut in kinds(you.huts))
      move hut from you.huts to at
    none: stop

score coins = you.coins + you.{LONG}
rank by total
"""


@functools.cache
def rulebook(text: str = TEXT) -> Rulebook:
    loaded = load_source(Source("lab.rules", text), ruleset="lab")
    assert loaded.rulebook is not None, loaded.diagnostics
    return loaded.rulebook


def looks(text: str = TEXT) -> Looks:
    return looks_of(rulebook(text))


def drawing(players: int, color: bool = False, text: str = TEXT) -> Drawing:
    engine = Interpreter(from_rulebook(rulebook(text)))
    return Drawing(engine, players, Words(engine, players, color, looks=looks(text)), looks(text))


def piece(kind: str, owner: int | None = None, turn: int | None = None, **carried: Any) -> dict[str, Any]:
    more = {key: value for key, value in (("owner", owner), ("turn", turn)) if value is not None}
    return {"kind": kind, **more, **carried}


def cell(x: int, y: int, *pieces: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    return {"at": [x, y], "pieces": list(pieces), **attributes}
