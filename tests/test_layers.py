"""Imports go one way: between the folders of the compiler there are no circles, hidden ones included.

An import within a function counts as one at the head of a file, and so does one for type checkers alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[1]
COMPILER, RUNTIME = ROOT / "compiler" / "conche", ROOT / "runtime" / "conche_runtime"

CIRCLES = {
    frozenset({"diagnostics", "source"}): "for type checkers: findings are shown with the texts",
    frozenset({"interpret", "why"}): "docs/decisions/0011: a state answers `explain`",
}
"""Those that there are, and why."""

_IMPORT = re.compile(
    r"^\s*(?:from|import) +(conche(?:_runtime)?)(?:\.([a-z_]+))?[\w.]*(?: import (.+))?", re.MULTILINE
)
_DOCSTRING = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""')


def imports(file: Path) -> Iterator[str]:
    """What a file imports of the compiler: folders, and files beside them."""
    for package, part, names in _IMPORT.findall(_DOCSTRING.sub('""', file.read_text("utf-8"))):
        if package == "conche" and part:
            yield part
        elif package == "conche":
            # `from conche import store`: a part, or something of the package itself.
            yield from (name for name in re.findall(r"\w+", names) if name in parts())


@cache
def parts() -> frozenset[str]:
    return frozenset(path.stem for path in COMPILER.iterdir() if path.is_dir() or path.suffix == ".py")


@cache
def layers() -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    for file in sorted(COMPILER.rglob("*.py")):
        # The package itself only looks things up in others, when it is asked.
        part = file.relative_to(COMPILER).parts[0].removesuffix(".py")
        if part not in ("__init__", "__main__"):
            graph.add_edges_from((part, other) for other in imports(file) if other != part)
    return graph


def test_there_are_no_circles_but_those_that_are_told() -> None:
    found = {frozenset(circle) for circle in nx.strongly_connected_components(layers()) if len(circle) > 1}
    assert found == CIRCLES.keys()


def test_nothing_is_built_on_the_command_line() -> None:
    assert list(layers().predecessors("cli")) == []


def test_what_engines_need_knows_nothing_of_the_compiler() -> None:
    files = sorted(RUNTIME.rglob("*.py"))
    assert len(files) > 20
    assert [file.name for file in files if list(imports(file))] == []


def test_the_stages_stand_in_their_order() -> None:
    """As compiler/README.md draws them: whatever a stage imports stands before it."""
    stages = ["syntax", "semantics", "modules", "graph", "validate"]
    for number, stage in enumerate(stages):
        later = [*stages[number + 1 :], "interpret", "codegen", "pipeline"]
        assert [other for other in later if nx.has_path(layers(), stage, other)] == [], stage
    for stage, other in (("interpret", "codegen"), ("codegen", "interpret"), ("codegen", "validate")):
        assert not layers().has_edge(stage, other)
