"""Ways from node to node, against networkx."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import pytest

from conche.graph.model import EdgeKind
from conche.graph.ways import leads_to, part_around, shortest_round, turned
from graph.games import graph_of


def _random_ways(seed: int) -> dict[str, list[str]]:
    dice = random.Random(seed)
    names = [f"n{number}" for number in range(dice.randint(1, 8))]
    return {name: sorted({dice.choice(names) for _ in range(dice.randint(0, 2))}) for name in names}


@pytest.mark.parametrize("seed", range(60))
def test_ways_are_those_of_networkx(seed: int) -> None:
    ways = _random_ways(seed)
    whole: nx.DiGraph[str] = nx.DiGraph(ways)
    parts = {node: part for part in nx.strongly_connected_components(whole) for node in part}
    for node in ways:
        assert leads_to(ways, [node]) == nx.descendants(whole, node) | {node}
        assert leads_to(turned(ways), [node]) == nx.ancestors(whole, node) | {node}
        alone = len(parts[node]) == 1 and node not in ways[node]
        assert part_around(ways, node) == (set() if alone else parts[node])


@pytest.mark.parametrize("seed", range(60))
def test_a_shortest_way_round(seed: int) -> None:
    ways = _random_ways(seed)
    found = shortest_round(ways, sorted(ways))
    lengths = [len(cycle) + 1 for cycle in nx.simple_cycles(nx.DiGraph(ways))]
    assert len(found) == min(lengths, default=0)
    assert found[:1] == found[-1:]
    assert all(after in ways[before] for before, after in pairwise(found))


def test_the_tables_of_a_graph_are_its_edges() -> None:
    graph = graph_of("small")
    for node in graph.nodes():
        assert node.id in graph
        for kind in EdgeKind:
            edges = graph.nx.in_edges(node.id, data=True)
            told = sorted((source, data["label"]) for source, _, data in edges if data["kind"] == kind)
            assert graph.into(node.id, kind) == told
    assert "step.nothing" not in graph
