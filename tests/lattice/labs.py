"""A small clean game with modules in a folder, and its lattice."""

from __future__ import annotations

from pathlib import Path

from conche.lattice.lattice import Lattice, Opened, open_lattice

GAME = """\
game lab "Lab"
  version 1.2.0
  players 2..4
  seats red, blue, green, white

option mode in {short, long} = short

piece Tile
  water
  stone

pile stock of Tile, hidden
row display of 2 Tile, open
var left: 0..9 = 5, open

each player has
  gold: 0..99 = 0, open

setup
  do supply
  do show

step supply
  put 3 water, 2 stone in stock
  with option mode is long: put 2 stone in stock

step show
  shuffle stock
  draw 2 from stock to display

play
  rounds for you from red if left > 0
    do turn

step turn
  set left to left - 1
  do act
  do refill

step act
  choose act
    case take(tile in kinds(display))
      take 1 tile out of display
      gain worth(you) gold
    none
      stop

step refill
  draw up to 2 - count(display) from stock to display

query worth(p: Player) = 1
score gold = you.gold
rank by total
"""

HEAD = """\
module {name} "{name}" for lab 1.x
  version 1.0.0
"""


def folder(path: Path, game: str = GAME, /, **modules: str) -> str:
    """The ruleset of the game; a module's text may begin with more lines of its header, indented."""
    (path / "lab.rules").write_text(game, encoding="utf-8")
    for name, text in modules.items():
        (path / f"{name}.rules").write_text(HEAD.format(name=name) + text, encoding="utf-8")
    return f"{path.as_posix()}/lab.rules"


def opened(path: Path, game: str = GAME, /, **modules: str) -> Opened:
    return open_lattice(folder(path, game, **modules))


def lattice(path: Path, game: str = GAME, /, **modules: str) -> Lattice:
    found = opened(path, game, **modules)
    assert found.lattice is not None, [one.title for one in found.diagnostics]
    assert found.diagnostics == []
    return found.lattice
