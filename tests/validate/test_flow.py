"""The exits of routines, against a plain reckoning."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph, EdgeKind
from conche.modules.load import load
from conche.validate.flow import Flow, flow_of
from validate.snippets import graph_of, whole

TWICE = whole(
    "step turn\n  do inner\n  gain 1 coins\n  repeat while year > 3\n    do inner\n    stop turn\n"
    "step inner\n  if year = 0: stop turn\n  do last\n"
    "step last\n  if year = 1: stop inner\n  if year = 2: stop turn\n  gain 1 coins\n"
    "trigger more when you gains n of coins\n  if year = 4\n    gain 1 purse\n"
)


def _plain(flow: Flow, graph: ActionGraph, blocked: Collection[str]) -> dict[str, frozenset[str]]:
    """All routines over and over, until nothing changes."""
    exits = {routine: frozenset[str]() for routine in flow.members}
    while True:
        found = {}
        for routine in exits:
            seen: set[str] = set()
            todo = [routine]
            while todo:
                node = todo.pop()
                if node in seen:
                    continue
                seen.add(node)
                if node not in blocked and graph.node(node).routine == routine:
                    todo += flow.next_nodes(node, exits)
            found[routine] = frozenset(
                node for node in seen if graph.node(node).routine != routine or node == f"{routine}/end"
            )
        if found == exits:
            return exits
        exits = found


@pytest.mark.parametrize("name", ["small", "cacao"])
def test_exits_without_any_one_node(name: str) -> None:
    if name == "small":
        graph = graph_of(TWICE)
    else:
        rulebook = load(name).rulebook
        assert rulebook is not None
        graph = from_rulebook(rulebook)
    flow = Flow(graph)
    assert flow.exits == _plain(flow, graph, ())
    nodes = [node.id for node in graph.nodes() if node.routine]
    for node in nodes[:: 1 if name == "small" else 12]:
        assert flow.exits_without({node}) == _plain(flow, graph, {node})
    assert flow.exits_without(set(nodes[::3])) == _plain(flow, graph, set(nodes[::3]))


def test_the_small_game_has_exits_of_every_sort() -> None:
    flow = Flow(graph_of(TWICE))
    assert flow.exits["step.last"] == {"step.last/end", "step.inner/end", "step.turn/end"}
    assert flow.exits["step.inner"] == {"step.inner/end", "step.turn/end"}
    assert any(
        kind is EdgeKind.TRIGGERS for node in flow.graph.nodes() for kind, _ in flow.graph.control(node.id)
    )


def test_one_flow_serves_all_checks_of_a_graph() -> None:
    graph, other = graph_of(TWICE), graph_of(whole("step turn\n  gain 1 coins\n"))
    assert flow_of(graph) is flow_of(graph)
    assert flow_of(other).graph is other
    assert flow_of(graph).graph is graph
