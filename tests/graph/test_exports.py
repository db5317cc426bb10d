"""The text forms of a graph: the golden dump, and exports that others can read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from conche.graph.dump import dump
from conche.graph.model import CONTROL
from conche.graph.to_dot import quote, to_dot
from conche.graph.to_graphml import to_graphml
from conche.graph.to_json import to_json
from graph.games import HERE, RULESETS, graph_of

_ROOT = HERE.parents[1]
_STRING = r'"(?:[^"\\\n]|\\["\\])*"'
_ATTRIBUTES = rf"\[(?:[a-z]+=(?:{_STRING}|[A-Za-z0-9]+) ?)+\]"
_FRAME = (
    rf"digraph {_STRING} {{|  subgraph {_STRING} {{|  }}|}}|    label={_STRING};|  (node|edge) {_ATTRIBUTES};"
)


def test_golden_dump() -> None:
    golden = HERE / "small.graph.txt"
    text = dump(graph_of("small"))
    if os.environ.get("CONCHE_UPDATE") == "1":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_dump_has_every_node_and_edge_once(ruleset: str) -> None:
    graph = graph_of(ruleset)
    lines = [line.strip() for line in dump(graph).splitlines()]
    nodes = [line.split(" ", 1)[0] for line in lines if re.match(r"\S+ \[\w+( \w+)?\] ", line)]
    assert sorted(nodes) == sorted(graph.nx.nodes)
    assert sum(" -> " in line for line in lines) == graph.nx.number_of_edges()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_json_reads_back(ruleset: str) -> None:
    graph = graph_of(ruleset)
    data = json.loads(to_json(graph))
    assert (data["conche_graph"], data["ruleset"]) == (1, graph.rulebook.ruleset)
    again = nx.node_link_graph(data, edges="edges")
    assert set(again.nodes) == set(graph.nx.nodes)
    assert set(again.edges(keys=True)) == set(graph.nx.edges(keys=True))
    for node in graph.nodes():
        fields = again.nodes[node.id]
        assert (fields["kind"], fields["role"], fields["line"]) == (node.kind, node.role, node.span.line)
        assert [tuple(part["nodes"]) for part in fields["parts"]] == [part.nodes for part in node.parts]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_graphml_reads_back(ruleset: str) -> None:
    graph = graph_of(ruleset)
    again = nx.parse_graphml(to_graphml(graph), force_multigraph=True)
    assert set(again.nodes) == set(graph.nx.nodes)
    assert again.number_of_edges() == graph.nx.number_of_edges()
    assert all(again.nodes[node.id]["title"] == node.title for node in graph.nodes())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_dot_is_well_formed(ruleset: str) -> None:
    graph = graph_of(ruleset)
    nodes, edges, depth = [], [], 0
    for line in to_dot(graph).splitlines():
        if node := re.fullmatch(rf" *({_STRING}) {_ATTRIBUTES};", line):
            nodes.append(node[1])
        elif edge := re.fullmatch(rf" *({_STRING}) -> ({_STRING}) {_ATTRIBUTES};", line):
            edges.append((edge[1], edge[2]))
        else:
            assert re.fullmatch(_FRAME, line), line
        depth += line.endswith("{") - (line.strip() == "}")
    assert depth == 0
    assert sorted(nodes) == sorted(quote(node) for node in graph.nx.nodes)
    assert sorted(edges) == sorted((quote(a), quote(b)) for a, b in graph.nx.edges())


def test_dot_without_data_has_control_alone() -> None:
    graph = graph_of("cacao")
    text = to_dot(graph, data=False)
    control = [kind for _, _, kind in graph.nx.edges(data="kind") if kind in CONTROL]
    assert text.count(" -> ") == len(control)
    assert "zone.jungle" not in text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a", '"a"'),
        ('say "no"', '"say \\"no\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ('\\"; evil [', '"\\\\\\"; evil ["'),
        ("two\nlines", '"two lines"'),
        ("\x1b\u202e", '"  "'),
    ],
)
def test_dot_quotes_everything(text: str, quoted: str) -> None:
    assert quote(text) == quoted
    assert re.fullmatch(_STRING, quoted)


@pytest.mark.slow
def test_the_same_under_every_hash_seed() -> None:
    program = (
        "from graph.games import graph_of\n"
        "from conche.graph.dump import dump\n"
        "from conche.graph.to_dot import to_dot\n"
        "from conche.graph.to_graphml import to_graphml\n"
        "from conche.graph.to_json import to_json\n"
        "from conche.validate import validate\n"
        "for name in ('cacao', 'small'):\n"
        "    graph = graph_of(name)\n"
        "    print(dump(graph), to_dot(graph), to_json(graph), to_graphml(graph), validate(graph))\n"
    )
    path = os.pathsep.join(str(_ROOT / part) for part in ("compiler", "runtime", "tests"))
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            cwd=Path(_ROOT),
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(texts) == 1
