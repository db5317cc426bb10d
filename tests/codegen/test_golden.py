"""The text of every stage after the graph, of two small games. CONCHE_UPDATE=1 in the environment writes
them anew; the change is then read as a diff."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.engines import PLAIN, graph_of
from conche.codegen import build, emit_ir
from conche.graph.model import ActionGraph
from graph.games import graph_of as small_graph_of

_FOLDER = Path(__file__).parent / "golden"
_ROOT = Path(__file__).resolve().parents[2]

STAGES: dict[str, Callable[[ActionGraph], str]] = {
    "lowered.txt": lambda graph: emit_ir(graph, skip=PLAIN),
    "ir.txt": emit_ir,
    "py.txt": build,
}


def _graph(game: str) -> ActionGraph:
    if game == "small":
        return small_graph_of("small")
    path = _ROOT / "rules/examples" / f"{game}.rules"
    return graph_of(path.read_text(encoding="utf-8"), path.name)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("game", ["small", "tictactoe"])
def test_golden(game: str, stage: str) -> None:
    path = _FOLDER / f"{game}.{stage}"
    text = STAGES[stage](_graph(game))
    if os.environ.get("CONCHE_UPDATE") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
