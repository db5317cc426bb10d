"""What `model.py` promises of every graph."""

from __future__ import annotations

import re
from collections import Counter

import networkx as nx
import pytest

from conche.graph.from_rulebook import case_labels, from_rulebook
from conche.graph.model import CONTROL, ActionGraph, EdgeKind, Node, NodeKind
from conche.graph.order import data_nodes, nested, routines
from conche.semantics.rulebook import Choose, EndGame, If, Stmt, Stop, Trigger, While
from conche.semantics.walk import walk
from graph.games import RULESETS, SMALL, graph_of, graph_of_text

pytestmark = pytest.mark.parametrize("ruleset", RULESETS)


def _nodes(graph: ActionGraph) -> list[Node]:
    return [node for node in graph.nodes() if node.routine]


def _ends(graph: ActionGraph) -> set[str]:
    return {node.id for node in graph.nodes() if node.role == "end"}


def test_every_statement_has_one_node_that_owns_it(ruleset: str) -> None:
    graph = graph_of(ruleset)
    rules = graph.rulebook
    parts = [rules.setup, rules.play, *rules.steps.values(), *rules.triggers.values()]
    parts += [case for action in rules.actions.values() for case in action.cases]
    said = Counter(id(node) for part in parts for node in walk(part) if isinstance(node, Stmt))
    owned = Counter(id(node.owns) for node in _nodes(graph) if node.role in ("", "enter"))
    assert owned == said


def test_kinds_and_roles(ruleset: str) -> None:
    for node in _nodes(graph_of(ruleset)):
        assert node.role in ("", "start", "end", "enter", "next", "fire", "case")
        assert (node.role in ("enter", "next")) == (node.kind is NodeKind.LOOP)
        assert (node.role == "fire") == (isinstance(node.owns, Trigger) and node.role != "start")
        assert (node.parent is None) == (node.role in ("start", "end"))
        assert node.cites == () or node.role != "end" or node.id == ActionGraph.END


def test_routines_begin_and_end(ruleset: str) -> None:
    graph = graph_of(ruleset)
    for routine in routines(graph):
        if routine == ActionGraph.END:
            assert graph.control(routine) == {}
            continue
        assert graph.node(routine).role == "start"
        assert set(graph.control(routine)) == {(EdgeKind.THEN, "")}
        after = {"phase.setup": "phase.play", "phase.play": "phase.end"}.get(routine)
        assert graph.then(f"{routine}/end") == after


def test_edges_lead_where_they_may(ruleset: str) -> None:
    graph = graph_of(ruleset)
    ends = _ends(graph)
    for source, target, data in graph.nx.edges(data=True):
        start, end = graph.node(source), graph.node(target)
        match data["kind"]:
            case EdgeKind.DOES:
                assert end.role == "start"
                assert end.kind in (NodeKind.STEP, NodeKind.ACTION)
            case EdgeKind.TRIGGERS:
                assert (start.role, end.role, end.kind) == ("fire", "start", NodeKind.TRIGGER)
            case EdgeKind.REPEATS:
                assert end.role == "next"
                assert source.startswith(target.removesuffix("/next"))
            case EdgeKind.THEN | EdgeKind.OPTION:
                assert end.routine == start.routine or target in ends or source in ends
            case EdgeKind.READS | EdgeKind.WRITES:
                assert end.kind in (NodeKind.ZONE, NodeKind.QUERY, NodeKind.SCORE)
            case EdgeKind.CITES:
                assert end.kind is NodeKind.CLAUSE
                assert target == f"clause.{start.cites[start.cites.index(target.removeprefix('clause.'))]}"


def test_control_is_complete(ruleset: str) -> None:
    """Every node goes on in exactly the ways its statement has."""
    graph = graph_of(ruleset)
    for node in _nodes(graph):
        out = graph.control(node.id)
        onward = [kind for kind, _ in out if kind in (EdgeKind.THEN, EdgeKind.REPEATS)]
        options = {label for kind, label in out if kind is EdgeKind.OPTION}
        match node.owns:
            case If():
                assert (options, onward) == ({"yes", "no"}, [])
            case Choose() as choose:
                assert options == {*case_labels(choose), *(["none"] if choose.none is not None else [])}
                assert onward == []
            case While(condition=None) if node.role == "next":
                assert (options, onward) == ({"body"}, [])
            case _ if node.role == "next":
                assert (options, len(onward)) == ({"body"}, 1)
            case _ if node.role == "end":
                assert len(onward) == (node.id in ("phase.setup/end", "phase.play/end"))
            case _:
                assert (options, len(onward)) == (set(), 1), node.id


def test_parts_agree_with_edges(ruleset: str) -> None:
    graph = graph_of(ruleset)
    for node in _nodes(graph):
        for part in node.parts:
            source = f"{node.id}/next" if node.role == "enter" else node.id
            entry = graph.option(source, part.label) if part.label else graph.then(node.id)
            assert entry is not None
            if part.nodes:
                assert entry == part.nodes[0]
            assert all(graph.node(inner).parent == node.id for inner in part.nodes)
            for one, after in zip(part.nodes, part.nodes[1:], strict=False):
                if not isinstance(graph.node(one).owns, If | Choose | Stop | EndGame):
                    follows = f"{one}/next" if graph.node(one).role == "enter" else one
                    assert graph.then(follows) == after or isinstance(graph.node(one).owns, While)
        if node.role in ("", "start") and not node.parts:
            assert not any(inner.parent == node.id for inner in _nodes(graph))


def test_every_node_is_shown_once(ruleset: str) -> None:
    graph = graph_of(ruleset)
    shown = [node.id for routine in routines(graph) for _, node in nested(graph, routine)]
    shown += [node.id for node in data_nodes(graph)]
    assert sorted(shown) == sorted(graph.nx.nodes)


def test_ids_say_where_a_node_stands(ruleset: str) -> None:
    for node in _nodes(graph_of(ruleset)):
        assert node.id.startswith(node.routine)
        if node.parent is not None and node.role != "fire":
            assert node.id.startswith(f"{node.parent}/")
        assert re.fullmatch(r"[a-z0-9_./()]+", node.id)


def test_every_node_reaches_an_end_of_a_routine(ruleset: str) -> None:
    graph = graph_of(ruleset)
    control = nx.DiGraph()
    control.add_nodes_from(graph.nx.nodes)
    control.add_edges_from(
        (source, target)
        for source, target, data in graph.nx.edges(data=True)
        if data["kind"] in CONTROL and data["kind"] not in (EdgeKind.DOES, EdgeKind.TRIGGERS)
    )
    for node in _nodes(graph):
        assert ({node.id} | nx.descendants(control, node.id)) & _ends(graph)


def test_fire_nodes_stand_right_after_their_statement(ruleset: str) -> None:
    graph = graph_of(ruleset)
    for node in _nodes(graph):
        if node.role == "fire":
            assert node.parent is not None
            statement = node.id.rsplit("/fire.", 1)[0]
            (part,) = (p for p in graph.node(node.parent).parts if node.id in p.nodes)
            between = part.nodes[part.nodes.index(statement) + 1 : part.nodes.index(node.id)]
            assert all(other.startswith(f"{statement}/fire.") for other in between)
            assert graph.triggers(node.id) == f"trigger.{node.id.rsplit('/fire.', 1)[1]}"


def test_the_order_of_declarations_changes_nothing(ruleset: str) -> None:
    if ruleset != "small":
        return
    _, header, *decls = re.split(r"\n(?=[a-z])", SMALL.rstrip("\n"))
    turned = graph_of_text("\n".join([header, *reversed(decls)]) + "\n")
    graph = graph_of(ruleset)
    assert list(turned.nx.nodes) == list(graph.nx.nodes)
    assert list(turned.nx.edges(keys=True)) == list(graph.nx.edges(keys=True))


def test_it_is_built_of_the_rulebook_alone(ruleset: str) -> None:
    graph = graph_of(ruleset)
    again = from_rulebook(graph.rulebook)
    assert list(again.nx.nodes(data=True)) == list(graph.nx.nodes(data=True))
    assert list(again.nx.edges(data=True)) == list(graph.nx.edges(data=True))
