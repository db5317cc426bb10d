"""The graphs that the tests here look at: Cacao, and a small game with every kind of node."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.modules.load import load, load_source
from conche.source import Source

HERE = Path(__file__).parent
SMALL = (HERE / "small.rules").read_text(encoding="utf-8")
RULESETS = ("cacao", "cacao:first_seat=random", "small")


@cache
def graph_of(ruleset: str) -> ActionGraph:
    return graph_of_text(SMALL) if ruleset == "small" else _graph(ruleset)


def graph_of_text(text: str) -> ActionGraph:
    result = load_source(Source("small.rules", text), ruleset="small", folder=str(HERE))
    assert result.rulebook is not None, result.diagnostics
    return from_rulebook(result.rulebook)


def _graph(ruleset: str) -> ActionGraph:
    result = load(ruleset)
    assert result.rulebook is not None, result.diagnostics
    return from_rulebook(result.rulebook)
