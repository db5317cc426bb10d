"""The rulebook's text, and its canonical form, of two games that have every node. `CONCHE_UPDATE=1` in the
environment writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conche.modules.load import load_source
from conche.semantics import rulebook as rb
from conche.semantics.canonical import canonical, declaration_digests
from conche.semantics.dump import dump
from conche.semantics.walk import walk
from conche.source import Source

_FOLDER = Path(__file__).parent / "golden"


GAMES = ("every", "windows")


def typed(game: str) -> rb.Rulebook:
    text = (_FOLDER / f"{game}.rules").read_text(encoding="utf-8")
    result = load_source(Source(f"{game}.rules", text), ruleset=game)
    assert result.diagnostics == []
    assert result.rulebook is not None
    return result.rulebook


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("name", "emit"), [("rulebook", dump), ("canonical", canonical)])
def test_golden(game: str, name: str, emit: object) -> None:
    path = _FOLDER / f"{game}.{name}.txt"
    assert callable(emit)
    text = emit(typed(game))
    if os.environ.get("CONCHE_UPDATE") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def _nodes(book: rb.Rulebook) -> set[type]:
    groups = [
        getattr(book, name)
        for name in ("enums", "pieces", "tables", "boards", "zones", "tracks", "variables", "steps")
    ]
    groups += [book.actions, book.queries, book.triggers, book.scores, book.invariants, book.conserved]
    nodes = [node for group in groups for node in group.values()]
    return {type(node) for node in walk((tuple(nodes), book.setup, book.play, book.rank, book.scenarios))}


def test_the_games_have_every_node() -> None:
    seen = {node for game in GAMES for node in _nodes(typed(game))}
    missing = {*rb.Expr.__args__, *rb.Stmt.__args__, *rb.ScenarioLine.__args__} - seen
    assert missing == {rb.Bad, rb.SpaceKind}
    assert len(declaration_digests(typed("every"))) > 40
