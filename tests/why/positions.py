"""Positions and games that the tests here ask about."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter, InterpreterState
from conche.modules.load import load
from conche_runtime.explanation import Explanation, Reason

EXAMPLES = {
    "rules/examples/orchard.rules": 3,
    "rules/examples/sealed_bids.rules": 3,
    "rules/examples/tictactoe.rules": 2,
    "rules/examples/tidewater.rules": 3,
    "rules/examples/tricks.rules": 4,
    "rules/examples/workshop.rules": 3,
}
"""With how many play."""


@lru_cache(maxsize=16)
def interpreter(ruleset: str) -> Interpreter:
    rulebook = load(ruleset).rulebook
    assert rulebook is not None
    return Interpreter(from_rulebook(rulebook))


def on(x: int, y: int, *pieces: dict[str, Any]) -> dict[str, Any]:
    """A space of a board with its pieces."""
    return {"at": [x, y], "pieces": list(pieces)}


def jungle(kind: str) -> dict[str, Any]:
    return {"kind": kind}


def worker(owner: int, kind: str = "1-1-1-1", turn: int = 0) -> dict[str, Any]:
    return {"kind": kind, "owner": owner, "turn": turn}


START = (on(0, 0, jungle("plantation(1)")), on(1, 1, jungle("market(2)")))
"""The table of Cacao as it is laid out."""


def cacao(*more: dict[str, Any], ruleset: str = "cacao", players: int = 2, **data: Any) -> InterpreterState:
    """Seat 0 to place one of the workers 1-1-1-1 and 2-1-0-1."""
    held = [{"1-1-1-1": 1, "2-1-0-1": 1}, *[{} for _ in range(players - 1)]]
    table = [*START, *more]
    return interpreter(ruleset).position(players, data={"held": held, "table": table, **data})


def lines(explanation: Explanation) -> set[tuple[str, int]]:
    """The places of the rules that are named, by the file's name."""
    return {(rule.file.rpartition("/")[2], rule.line) for rule in explanation.rules}


def reasons(explanation: Explanation) -> list[Reason]:
    return [one for reason in explanation.reasons for one in reason.walk()]


def values(explanation: Explanation) -> dict[str, str]:
    """All values that decided."""
    return {value.name: value.shown for one in reasons(explanation) for value in one.values}


def line_of(file: str, text: str) -> int:
    """The number of the line of a rules file that begins with a text."""
    from conche.resources import data_root

    found = [
        number
        for number, line in enumerate((data_root() / file).read_text("utf-8").split("\n"), 1)
        if line.strip().startswith(text)
    ]
    assert len(found) == 1, (file, text, found)
    return found[0]
