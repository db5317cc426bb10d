"""Walks over trees without recursion.

Purpose: every pass that only looks for nodes (names, citations, locals) shares one walk.
Input: a node of the AST or of the rulebook, or a tuple of such. Output: its nodes, each before what it holds.
Invariants: works for a tree of any depth; spans and the types of expressions are not visited.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Iterator, Mapping

from conche.source import Span


def node_fields(node: object) -> list[str]:
    """The names of a node's fields in order, without `span` and `type`; none for what is no node."""
    if isinstance(node, Span):
        return []
    names: Iterable[str] = getattr(type(node), "__dataclass_fields__", ())
    return [name for name in names if name not in ("span", "type")]


def walk(node: object) -> Iterator[object]:
    """Every node below `node`, itself first, in the order of the text."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
        elif hasattr(type(top), "__dataclass_fields__") and not isinstance(top, Span):
            yield top
            stack.extend(getattr(top, name) for name in reversed(node_fields(top)))


def in_dependency_order(uses: Mapping[str, Iterable[str]]) -> tuple[list[str], list[list[str]]]:
    """The names so that each comes after what it uses, and the cycles that stand in the way.

    A cycle `[a, b]` says that a uses b and b uses a; it begins with its first name by alphabet. Names on a cycle
    are in the order too, somewhere.
    """
    graph = {name: sorted({other for other in used if other in uses}) for name, used in sorted(uses.items())}
    cycles: list[list[str]] = []
    while True:
        try:
            return list(graphlib.TopologicalSorter(graph).static_order()), cycles
        except graphlib.CycleError as error:
            ring: list[str] = list(reversed(error.args[1]))[:-1]
            first = ring.index(min(ring))
            ring = ring[first:] + ring[:first]
            cycles.append(ring)
            for name in ring:
                graph[name] = [other for other in graph[name] if other not in ring]
