"""Lays out the inside of one box in ranks.

Input: things by number and edges between them. Output: a `Layout`: layers, order and places by igraph
(Sugiyama's method), or a plain grid where there are no edges.
Invariants: the same input gives the same layout. Every edge that passes a rank has a bend there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from conche.extras import library
from conche.graphpage.model import Direction, Layout, Route, Spot

COLUMNS = 6
"""Of a grid."""


def layered(boxes: Sequence[str], edges: Iterable[tuple[str, str]], direction: Direction) -> Layout:
    """The boxes in layers, so that most edges lead from one layer to a later one. `MissingExtraError`
    where igraph is not installed."""
    numbers = {box: number for number, box in enumerate(boxes)}
    pairs = list(dict.fromkeys((numbers[a], numbers[b]) for a, b in edges if a != b))
    if not pairs:
        return grid(boxes)
    ranks = [round(y) for _, y in _sugiyama(len(boxes), pairs, None)]
    all_ranks, parts = list(ranks), list[tuple[int, int]]()
    bends: list[tuple[int, ...]] = []
    for source, target in pairs:
        first, last = (source, target) if ranks[source] <= ranks[target] else (target, source)
        new = range(len(all_ranks), len(all_ranks) + max(0, ranks[last] - ranks[first] - 1))
        all_ranks += range(ranks[first] + 1, ranks[last])
        chain = [first, *new, last]
        parts += pairwise(chain)
        bends.append(tuple(new) if first == source else tuple(reversed(new)))
    places = _apart(all_ranks, [x for x, _ in _sugiyama(len(all_ranks), parts, all_ranks)])
    spots = tuple(
        Spot(rank, round(at, 3), boxes[number] if number < len(boxes) else "")
        for number, (rank, at) in enumerate(zip(all_ranks, places, strict=True))
    )
    routes = (Route(boxes[a], boxes[b], way) for (a, b), way in zip(pairs, bends, strict=True))
    return Layout(direction, spots, tuple(routes))


def _apart(ranks: Sequence[int], places: Sequence[float]) -> list[float]:
    """The places, a whole step apart in each rank: igraph now and then puts two things in one place."""
    found, last = list(places), dict[int, float]()
    for number in sorted(range(len(places)), key=lambda number: (places[number], number)):
        rank = ranks[number]
        found[number] = max(places[number], last.get(rank, -math.inf) + 1)
        last[rank] = found[number]
    return found


def grid(boxes: Sequence[str], columns: int = COLUMNS) -> Layout:
    """The boxes in rows, one after the other."""
    columns = min(columns, max(1, math.isqrt(2 * len(boxes))))
    spots = (Spot(number // columns, number % columns, box) for number, box in enumerate(boxes))
    return Layout(Direction.DOWN, tuple(spots))


def _sugiyama(
    count: int, edges: Sequence[tuple[int, int]], layers: Sequence[int] | None
) -> list[tuple[float, float]]:
    igraph: Any = library("igraph", what="laying out the graph", extra="graph")
    graph = igraph.Graph(n=count, edges=list(edges), directed=True)
    made = graph.layout_sugiyama(layers=None if layers is None else list(layers), hgap=1, vgap=1)
    return [(float(x), float(y)) for x, y in made.coords]
