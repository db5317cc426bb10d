"""`conche graph`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tiny import TINY

from .conftest import Conche


@pytest.mark.parametrize("form", ["dot", "json", "graphml"])
def test_every_format_is_written(conche: Conche, tmp_path: Path, form: str) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    printed = conche("graph", tmp_path / "tiny.rules", "--format", form)
    assert (printed.code, printed.err) == (0, "")
    written = conche("graph", tmp_path / "tiny.rules", "--format", form, "-o", tmp_path / "new" / "graph")
    assert written.out == f"wrote {tmp_path / 'new' / 'graph'}\n"
    assert (tmp_path / "new" / "graph").read_text().rstrip("\n") == printed.out.rstrip("\n")
    match form:
        case "dot":
            assert printed.out.startswith("digraph ")
        case "json":
            assert json.loads(printed.out)
        case "graphml":
            ElementTree.fromstring(printed.out)


def test_a_graph_with_mistakes_is_shown_with_them(conche: Conche, tmp_path: Path) -> None:
    text = TINY.replace(
        "    do turn", "    repeat while you.coins >= 0\n      set you.coins to 1\n    do turn"
    )
    (tmp_path / "tiny.rules").write_text(text)
    result = conche("graph", tmp_path / "tiny.rules")
    assert result.code == 1
    assert result.out.startswith("digraph ")
    assert "error[C03" in result.err


def test_rules_without_a_graph_have_none(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text("game\n")
    result = conche("graph", tmp_path / "tiny.rules")
    assert (result.code, result.out) == (1, "")
    assert "error[C01" in result.err


def test_a_folder_that_takes_no_file(conche: Conche, no_write: Path) -> None:
    result = conche("graph", "cacao", "-o", no_write / "graph.dot")
    assert result.code == 2
    assert "error[C0505]" in result.err


def test_a_page_and_a_picture_by_the_name_of_the_file(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    for name, start in (("g.html", "<!doctype html>"), ("g.svg", "<svg "), ("g.graphml", "<graphml")):
        assert conche("graph", tmp_path / "tiny.rules", "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text().startswith(start), name
    assert "step turn" in (tmp_path / "g.html").read_text()
    printed = conche("graph", tmp_path / "tiny.rules", "--format", "svg", "--open")
    assert ElementTree.fromstring(printed.out).tag.endswith("svg")


def test_a_library_that_is_missing_is_told(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    monkeypatch.setitem(sys.modules, "igraph", None)
    result = conche("graph", tmp_path / "tiny.rules", "-o", tmp_path / "g.html")
    assert (result.code, result.out) == (2, "")
    assert "error[C0508]: laying out the graph needs the library igraph, which is not installed" in result.err
    assert "conche[graph]" in result.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["tiny.rules"]


@pytest.mark.parametrize("name", ["g.png", "g.pdf", "g", "svg"])
def test_an_ending_that_cannot_be_written_is_refused(conche: Conche, tmp_path: Path, name: str) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    result = conche("graph", tmp_path / "tiny.rules", "-o", tmp_path / name)
    assert (result.code, result.out) == (2, "")
    assert (
        "error[C0501]: a graph is written as *.dot, *.json, *.graphml, *.html, *.svg, *.gv or *.txt"
        in result.err
    )
    assert not (tmp_path / name).exists()
    assert conche("graph", tmp_path / "tiny.rules", "--format", "dot", "-o", tmp_path / name).code == 0


def test_a_text_is_written_as_one(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    assert conche("graph", tmp_path / "tiny.rules", "-o", tmp_path / "g.txt").code == 0
    assert (tmp_path / "g.txt").read_text().startswith("graph of ")
