"""Rules nested as deep as the parser lets them: no stage here runs out of stack."""

from __future__ import annotations

import pytest

from conche.graph.dump import dump
from conche.validate import validate
from validate.snippets import graph_of, whole

_DEEP = 96


def test_deep_branches() -> None:
    lines = [f"{'  ' * depth}if year > {depth % 9}" for depth in range(1, _DEEP)]
    text = "\n".join(["step turn", *lines, f"{'  ' * _DEEP}gain 1 coins"]) + "\n"
    graph = graph_of(whole(text))
    assert dump(graph).count("[branch]") == _DEEP - 1
    assert [d.code for d in validate(graph) if d.code < "C0360"] == []


def test_deep_choices() -> None:
    lines = []
    for depth in range(1, _DEEP, 2):
        lines += [f"{'  ' * depth}choose pick", f"{'  ' * depth}  case a"]
    text = "\n".join(["step turn", *lines, f"{'  ' * (_DEEP + 1)}gain 1 coins"]) + "\n"
    graph = graph_of(whole(text))
    assert [d.code for d in validate(graph) if d.code < "C0360"] == []


@pytest.mark.parametrize(
    "expression",
    ["(" * 95 + "year" + ")" * 95, "max(1, " * 95 + "year" + ")" * 95, " + ".join(["year"] * 95)],
)
def test_deep_expressions(expression: str) -> None:
    graph = graph_of(whole(f"step turn\n  if {expression} > 3: gain 1 coins\n"))
    assert [d.code for d in validate(graph) if d.code < "C0360"] == []
