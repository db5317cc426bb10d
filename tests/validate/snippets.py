"""Snippets of rules for the checks of the graph, and the small game that they are added to.

A file `cases/<check>.cases` holds, one after another:

    ## what the case is about
    step turn
      «C0310»repeat while you.coins < 9
        set year to 1
    ! this loop may never end

`«C0310»` says where the main label of a finding begins; lines that begin with `! ` are the titles of all
findings in the order of the text. A case without marks is a good one: its check finds nothing. What a snippet
declares for itself (`play`, `setup`, a score) takes the place of what the small game has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conche.diagnostics.render_text import render_text
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.modules.load import load_source
from conche.source import Source

GAME = """\
game small "Small"
  version 1.0.0
  players 2..4
  seats red, blue, green, white

piece Card
  ace
  king

piece Tile
  rock

board map square grid at most 16 across
  on x >= 0 up to 1 Tile

pile deck of Card, hidden
pile pit of Card, hidden
pool market of Card, open
bag sack of Tile, hidden

var year: 0..20 = 0, open
var omen: 0..20 = 0, hidden
var leader: Player = red, open

each player has
  coins: 0..99 = 0, open
  purse: 0..99 = 0, secret
  passed: flag = no, open
  marks: set of Card = [], open
  hand cards of Card, secret
  pool won of Card, open

"""

LEAN = """\
game lean "Lean"
  version 1.0.0
  players 2..2
  seats red, blue

piece Card
  ace
  king

pile deck of Card, hidden

each player has
  coins: 0..99 = 0, open

play
  each player you from red
    do turn

score coins = you.coins + count(deck)
rank by total

"""
"""For `check_used`: a game in which nothing is superfluous but what a snippet adds."""

DEFAULTS = {
    "setup": "setup\n  put 10 ace, 10 king in deck\n  for each p in players: draw 3 from deck to p.cards\n",
    "play": "play\n  each player you from leader\n    do turn\n",
    "score": "score coins = you.coins\n",
    "rank": "rank by total\n",
}

_MARK = re.compile(r"«(C\d{4})»")


@dataclass(frozen=True)
class Snippet:
    """`marks`: code and start of each main label, in order."""

    check: str
    name: str
    text: str
    marks: tuple[tuple[str, int], ...]
    titles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.check}: {self.name}"


def snippets() -> list[Snippet]:
    """All cases of all files."""
    return [case for path in sorted(Path(__file__).parent.glob("cases/*.cases")) for case in _of(path)]


def whole(snippet: str, check: str = "") -> str:
    """A snippet with the small game around it."""
    if check == "check_used":
        supply = "setup\n  put 1 ace, 1 king in deck\n"
        return LEAN + (snippet if "setup\n" in snippet else supply + snippet)
    said = re.findall(r"^(?:«C\d{4}»)?(\w+)", snippet, re.MULTILINE)
    return GAME + "".join(text for word, text in DEFAULTS.items() if word not in said) + snippet


@cache
def graph_of(text: str) -> ActionGraph:
    """The graph of rules that have no mistake of an earlier stage."""
    source = Source("small.rules", text)
    result = load_source(source, ruleset="small")
    assert result.rulebook is not None, "\n" + render_text(result.diagnostics, {source.name: source})
    return from_rulebook(result.rulebook)


def _of(path: Path) -> list[Snippet]:
    parts = re.split(r"^## +", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_snippet(path.stem, *part.split("\n", 1)) for part in parts]


def _snippet(check: str, name: str, body: str) -> Snippet:
    lines = body.rstrip("\n").split("\n")
    titles = tuple(line[2:] for line in lines if line.startswith("! "))
    marked = whole("\n".join(line for line in lines if not line.startswith("! ")).strip("\n") + "\n", check)
    text, marks, end = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[end : mark.start()]
        marks.append((mark[1], len(text)))
        end = mark.end()
    return Snippet(check, name.strip(), text + marked[end:], tuple(marks), titles)
