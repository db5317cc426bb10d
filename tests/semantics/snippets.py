"""Snippets of rules, and the small game that they are added to.

A file of cases holds, one after another:

    ## what the case is about
    step s
      set placed to «C0201:plced»
    ! there is no name 'plced'

The marks say which code underlines what; lines that begin with `!` are the titles of all findings, in the
order of the text. A case without marks is a good one: nothing may be found. A snippet that begins with `game`
stands alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from conche.diagnostics.model import Diagnostic
from conche.modules.load import LoadResult, load_source
from conche.source import Source

GAME = """\
game lab "Lab"
  version 1.0.0
  players 2..4
  seats red, blue, green, white

option mode in {short, long} = short

enum Good
  cocoa
  sugar

piece Tile
  market(price: 2..4)
  water

piece Worker(faces: ring of 4 of 0..4, cost: 0..9) owned
  w1111 (1, 1, 1, 1, 3)
  w2101 (2, 1, 0, 1, 5) written "2-1-0-1"

board table square grid at most 8 across
  on (x + y) mod 2 = 0 up to 1 Tile
  on (x + y) mod 2 = 1 up to 2 Worker
  each space has
    mark: 0..3 = 0, open

values prices = [1, 2, 4]

pile stock of Tile, hidden
row display of 2 Tile, open
var first: Player = red, open
var placed: Space, open
var counter: 0..9 = 0, open

each player has
  gold: 0..99 = 0, open
  track carrier of [-10, 0, 5], open
  store goods of 5 Good, open
  hand held of Worker, secret
  pending: set of Edge = [], open
  friend: maybe Player = nothing, open

play
  rounds for you from first if yes
    stop

rank by total

"""

_MARK = re.compile(r"«(C\d{4}):([^«»]*)»")


@dataclass(frozen=True)
class Snippet:
    """`marks`: code, start and end of each underlined text, in order."""

    name: str
    text: str
    marks: tuple[tuple[str, int, int], ...]
    titles: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def check(text: str, *, options: dict[str, str] | None = None) -> LoadResult:
    """What becomes of a snippet."""
    whole = text if text.startswith("game ") else GAME + text
    return load_source(Source("lab.rules", whole), ruleset="lab", options=options)


def found(text: str) -> list[Diagnostic]:
    return check(text).diagnostics


def places(diagnostics: list[Diagnostic]) -> list[tuple[str, int, int]]:
    """Code, start and end of each finding's main label."""
    return [(d.code, d.main.span.start, d.main.span.end) for d in typing(diagnostics) if d.main is not None]


def typing(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """What this stage has to say, not the parser."""
    return [diagnostic for diagnostic in diagnostics if not diagnostic.code.startswith("C01")]


def snippets(path: Path) -> list[Snippet]:
    """The cases of a file."""
    parts = re.split(r"^## +", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_snippet(*part.split("\n", 1)) for part in parts]


def _snippet(name: str, body: str) -> Snippet:
    lines = body.rstrip("\n").split("\n")
    titles = tuple(line[2:] for line in lines if line.startswith("! "))
    marked = "\n".join(line for line in lines if not line.startswith("! ")).strip("\n") + "\n"
    if not marked.startswith("game "):
        marked = GAME + marked
    text, marks, end = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[end : mark.start()]
        marks.append((mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        end = mark.end()
    return Snippet(name.strip(), text + marked[end:], tuple(marks), titles)
