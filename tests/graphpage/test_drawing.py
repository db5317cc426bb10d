"""The drawing of a graph: what is in it, and where it lies."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from conche import graphpage
from conche.extras import MissingExtraError
from conche.graphpage import layout
from conche.graphpage.layout import grid, layered
from conche.graphpage.model import ROOT, Direction, Drawing
from conche.graphpage.outline import lines_of, open_at_first, outline
from conche.graphpage.place import Rect, place, ways
from conche.graphpage.to_html import drawing_data
from graph.games import graph_of

RULESETS = ("small", "cacao")
SCRIPT = Path(graphpage.__file__).parent / "templates" / "graph.js"


@cache
def drawing_of(ruleset: str) -> Drawing:
    return outline(graph_of(ruleset))


def some_open(drawing: Drawing, seed: int) -> frozenset[str]:
    """Nothing, everything, or some boxes open."""
    holders = drawing.holders()
    sets = {0: frozenset[str](), 1: frozenset(holders), 2: open_at_first(drawing)}
    if seed in sets:
        return sets[seed]
    bands = {name for name in holders if drawing.boxes[name].kind == "band"}
    some = random.Random(seed).sample(holders, len(holders) // 3)
    return frozenset({*some, *(bands if seed % 2 else ())})


# ------------------------------------------------------------------------------------------------ outline


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_node_and_edge_is_in_it_once(ruleset: str) -> None:
    graph, drawing = graph_of(ruleset), drawing_of(ruleset)
    leaves = [name for name, box in drawing.boxes.items() if box.layout is None]
    assert sorted(leaves) == sorted(graph.nx.nodes)
    edges = sorted((a, b, str(data["kind"]), data["label"]) for a, b, data in graph.nx.edges(data=True))
    assert sorted((e.source, e.target, e.kind, e.label) for e in drawing.lines) == edges
    for name, box in drawing.boxes.items():
        if box.layout is not None:
            assert sorted(spot.box for spot in box.layout.spots if spot.box) == sorted(drawing.inside(name))


def test_what_only_the_setup_runs_stands_with_it() -> None:
    drawing = drawing_of("cacao")
    assert "page:routine:step.make_jungle" in drawing.inside("page:setup")
    assert "page:routine:step.fill" in drawing.inside("page:play")
    assert "phase.end" in drawing.inside("page:play")
    assert drawing.boxes["zone.jungle"].parent == "page:data:zone"
    assert list(drawing.around("step.fill/end")) == ["page:routine:step.fill", "page:play"]


def test_marks_are_on_nodes_and_on_what_they_are_in() -> None:
    marks = {"step.turn": "added", "zone.deck": "changed", "nothing.there": "added"}
    boxes = outline(graph_of("small"), marks).boxes
    assert {name: box.mark for name, box in boxes.items() if box.mark} == {
        "step.turn": "added",
        "page:routine:step.turn": "added",
        "page:play": "added",
        "zone.deck": "changed",
        "page:data:zone": "changed",
        "page:data": "changed",
    }


def test_a_small_game_is_open_at_first_and_a_large_one_is_not() -> None:
    assert "page:routine:step.turn" in open_at_first(drawing_of("small"))
    assert open_at_first(drawing_of("cacao")) == {"page:setup", "page:play", "page:data"}
    assert open_at_first(drawing_of("cacao"), everything=True) == set(drawing_of("cacao").holders())


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("", ("",)),
        ("one", ("one",)),
        ("a " * 14 + "b", (("a " * 14).strip(), "b")),
        ("x" * 40, ("x" * 28, "x" * 12)),
        (
            "word " * 30,
            ("word word word word word", "word word word word word", "word word word word word …"),
        ),
        ("two\nlines\u202e", ("two lines",)),
    ],
)
def test_titles_are_broken_into_lines(title: str, lines: tuple[str, ...]) -> None:
    assert lines_of(title) == lines


# ------------------------------------------------------------------------------------------------ layout


def test_layers_follow_the_edges() -> None:
    made = layered("abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("b", "b")], Direction.DOWN)
    assert [(spot.rank, spot.box) for spot in made.spots[:4]] == [(0, "a"), (1, "b"), (2, "c"), (3, "d")]
    assert [(spot.rank, spot.box) for spot in made.spots[4:]] == [(1, ""), (2, "")]
    ways_ = {(route.source, route.target): route.bends for route in made.routes}
    assert ways_ == {("a", "b"): (), ("b", "c"): (), ("c", "d"): (), ("a", "d"): (4, 5)}
    for rank in range(4):
        places = [spot.at for spot in made.spots if spot.rank == rank]
        assert len(set(places)) == len(places)


def test_a_cycle_is_laid_out_too() -> None:
    made = layered("abc", [("a", "b"), ("b", "c"), ("c", "a")], Direction.RIGHT)
    assert sorted(spot.rank for spot in made.spots if spot.box) == [0, 1, 2]


def test_without_edges_no_library_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*args: object, **more: object) -> None:
        raise MissingExtraError("drawing", "igraph", "graph")

    monkeypatch.setattr(layout, "library", none)
    made = layered("abcdefg", [], Direction.RIGHT)
    assert made == grid("abcdefg")
    assert [(s.rank, s.at) for s in made.spots] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)]
    with pytest.raises(MissingExtraError, match="igraph"):
        layered("ab", [("a", "b")], Direction.RIGHT)


# ------------------------------------------------------------------------------------------------ places


def apart(a: Rect, b: Rect) -> bool:
    return a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_boxes_lie_in_what_they_are_in_and_apart(ruleset: str, seed: int) -> None:
    drawing = drawing_of(ruleset)
    placed = place(drawing, some_open(drawing, seed))
    whole = Rect(0, 0, placed.width, placed.height)
    for name, rect in placed.rects.items():
        outer = placed.rects.get(drawing.boxes[name].parent, whole)
        assert outer.x < rect.x
        assert outer.y < rect.y
        assert rect.x + rect.w < outer.x + outer.w
        assert rect.y + rect.h < outer.y + outer.h
    for name in (ROOT, *placed.rects):
        seen = [placed.rects[inner] for inner in drawing.inside(name) if inner in placed.rects]
        assert all(apart(a, b) for a, b in combinations(seen, 2))


def test_only_what_is_open_shows_what_is_in_it() -> None:
    drawing = drawing_of("cacao")
    assert set(place(drawing, ()).rects) == {"page:setup", "page:play", "page:data"}
    rects = place(drawing, {"page:play", "page:routine:step.make_jungle"}).rects
    assert "page:routine:step.fill" in rects
    assert not {"step.fill", "step.make_jungle", "page:routine:step.make_jungle"} & set(rects)


def test_lines_of_a_closed_box_lead_to_it() -> None:
    drawing = drawing_of("cacao")
    placed = place(drawing, {"page:play"})
    found = {(way.source, way.target) for way in ways(drawing, placed)}
    assert ("page:routine:step.turn", "page:routine:step.fill") in found
    assert ("page:setup", "page:routine:phase.play") in found
    assert all(source != target for source, target in found)
    with_data = {(w.source, w.target) for w in ways(drawing, placed, data=True) if not w.control}
    assert ("page:routine:step.fill", "page:data") in with_data


def test_labels_stand_on_lines_between_nodes() -> None:
    drawing = drawing_of("cacao")
    made = ways(drawing, place(drawing, drawing.holders()))
    labels = {(way.source, way.label) for way in made}
    branch = next(name for name, box in drawing.boxes.items() if box.kind == "branch")
    assert {(branch, "yes"), (branch, "no")} <= labels
    closed = ways(drawing, place(drawing, {"page:play"}))
    assert {way.label for way in closed} == {""}


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_page_places_boxes_as_the_picture_does(tmp_path: Path) -> None:
    cases = [(ruleset, seed) for ruleset in RULESETS for seed in range(6)]
    wanted = [sorted(some_open(drawing_of(ruleset), seed)) for ruleset, seed in cases]
    given = {
        "drawings": {ruleset: drawing_data(drawing_of(ruleset)) for ruleset in RULESETS},
        "cases": [[ruleset, opened] for (ruleset, _), opened in zip(cases, wanted, strict=True)],
    }
    (tmp_path / "given.json").write_text(json.dumps(given))
    program = (
        "const { read, place, ways } = require(process.argv[1]);"
        "const given = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));"
        "console.log(JSON.stringify(given.cases.map(([name, opened]) => {"
        "  const drawing = read(given.drawings[name]), placed = place(drawing, new Set(opened));"
        "  return [[...placed.rects].map(([id, r]) => [id, r.x, r.y, r.w, r.h]),"
        "    ways(drawing, placed, () => true).map((w) => [w.source, w.target, w.label, w.path])];"
        "})))"
    )
    done = subprocess.run(
        ["node", "-e", program, str(SCRIPT), str(tmp_path / "given.json")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for (ruleset, _), opened, (rects, lines) in zip(cases, wanted, json.loads(done.stdout), strict=True):
        drawing = drawing_of(ruleset)
        placed = place(drawing, opened)
        assert [name for name, *_ in rects] == list(placed.rects)
        for name, *sides in rects:
            here = placed.rects[name]
            assert sides == pytest.approx([here.x, here.y, here.w, here.h])
        own = [(way.source, way.target, way.label) for way in ways(drawing, placed, data=True)]
        assert [tuple(line[:3]) for line in lines] == own
        for line, way in zip(lines, ways(drawing, placed, data=True), strict=True):
            assert numbers(line[3]) == pytest.approx(numbers(way.path), abs=0.11)


def numbers(path: str) -> list[float]:
    return [float(part) for part in path.replace("M", " ").replace("C", " ").replace(",", " ").split()]
