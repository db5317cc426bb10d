"""A small game with one of everything, and what tests need to run lines of rules in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conche.diagnostics.render_text import render_text
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter, InterpreterState
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook
from conche.source import Source
from conche.syntax.from_text import parse
from conche_runtime.interface import ChanceSource

LAB = """\
game lab "Lab"
  version 1.0.0
  players 2..3
  seats red, blue, green

enum Fruit(worth: 1..9)
  plum (3)
  fig (5) written "FIG"

piece Tile
  hill(size: 1..2)
  lake

piece Road(ways: ring of 4 of 0..3) owned
  straight (1, 0, 1, 0)
  bend (2, 1, 0, 0) written "BEND"
  cross (1, 1, 1, 1)

board land square grid at most 8 across
  on (x + y) mod 2 = 0 up to 1 Tile
  on (x + y) mod 2 = 1 up to 2 Road
  each space has
    mark: 0..5 = 0, open

pile deck of Tile, hidden
pile shown of Tile, open
row line of 3 Tile, open
bag sack of Fruit, hidden
pool heap of Fruit, open

values prices = [4, 2, 1]

var n: -9..99 = 3, open
var who: Player, open
var picks: list of 0..99 = [], open
var seen: set of Side = [], open
var perhaps: maybe Tile = nothing, open
var lit: flag = no, open

each player has
  gold: 0..20 = 5, open
  bid: 0..9 = 0, secret
  track climb of [-2, 0, 3], open
  store purse of 4 Fruit, open
  pile roads of Road, hidden
  hand held of Road, secret
"""

SETUP = """
setup
  set n to n
"""

END = """
score gold = you.gold
rank by total
"""


def indented(lines: str) -> str:
    return "".join(f"  {line}\n" for line in lines.strip("\n").split("\n"))


def lab(play: str, more: str = "", setup: str = "") -> str:
    """The rules of the small game with these lines as its play, and more declarations."""
    begin = f"\nsetup\n{indented(setup)}" if setup else SETUP
    return f"{LAB}{begin}\nplay\n{indented(play)}\n{more}\n{END}"


def rulebook(text: str) -> Rulebook:
    source = Source("lab.rules", text)
    file, found = parse(source)
    rules, more = from_ast(file, ruleset="lab", options={})
    assert rules is not None, render_text([*found, *more], {source.name: source})
    return rules


def engine(text: str) -> Interpreter:
    return Interpreter(from_rulebook(rulebook(text)))


def start(
    play: str,
    more: str = "",
    setup: str = "",
    players: int = 2,
    outcomes: Mapping[str, Sequence[Any]] | None = None,
) -> InterpreterState:
    """The small game with these lines as its play. `outcomes`: what chance gives, by source; else seed 0."""
    made = engine(lab(play, more, setup))
    if outcomes is None:
        return made.start(players, seed=0, log=True)
    return made.start(players, chance=scripted(outcomes), log=True)


def scripted(outcomes: Mapping[str, Sequence[Any]]) -> ChanceSource:
    rest = {source: list(values) for source, values in outcomes.items()}

    def chance(source: str, possible: Sequence[tuple[Any, int]]) -> Any:
        return rest[source].pop(0)

    return chance


def moves(state: InterpreterState) -> list[dict[str, Any]]:
    return [move.args for move in state.legal_moves()]


# ------------------------------------------------------------------------------------------------ cases

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class CaseText:
    """A case of a file in `cases/`: `=== title`, lines of play, perhaps `--- more` and declarations, `---`,
    and what is expected."""

    title: str
    play: str
    more: str
    expected: str


def read_cases(name: str) -> list[CaseText]:
    _, *texts = (CASES / name).read_text(encoding="utf-8").split("\n=== ")
    cases = []
    for text in texts:
        title, _, rest = text.partition("\n")
        rules, _, expected = rest.partition("\n---\n")
        play, _, more = rules.partition("\n--- more\n")
        cases.append(CaseText(title, play, more, expected.strip()))
    return cases


def read_lines(name: str) -> list[str]:
    _, _, text = (CASES / name).read_text(encoding="utf-8").partition("\n\n")
    return text.splitlines()
