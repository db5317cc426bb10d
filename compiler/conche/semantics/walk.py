"""Walks over trees without recursion.

Purpose: every pass that only looks for nodes (names, citations, locals) shares one walk.
Input: a node of the AST or of the rulebook, or a tuple of such. Output: its nodes, each before what it holds.
Invariants: works for a tree of any depth; spans and the types of expressions are not visited.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from conche.source import Span


def node_fields(node: object) -> tuple[str, ...]:
    """The names of a node's fields in order, without `span` and `type`; none for what is no node."""
    kind: Any = type(node)
    return class_fields(kind) or ()


def walk(node: object) -> Iterator[object]:
    """Every node below `node`, itself first, in the order of the text."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
            continue
        kind: Any = type(top)
        parts = _parts_backwards(kind)
        if parts is not None:
            yield top
            stack.extend(parts(top))


@cache
def class_fields(kind: Any) -> tuple[str, ...] | None:
    """As `node_fields`, of a class; None for one that is not of nodes."""
    if not hasattr(kind, "__dataclass_fields__") or issubclass(kind, Span):
        return None
    return tuple(name for name in kind.__dataclass_fields__ if name not in ("span", "type"))


@cache
def _parts_backwards(kind: Any) -> Callable[[object], tuple[object, ...]] | None:
    """What gives the values of a node's fields, the last first; None for a class that is not of nodes."""
    names = class_fields(kind)
    if names is None:
        return None
    return getter(names[::-1])


def getter(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """What gives the values of fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda node: ()
    only = attrgetter(*names)
    return lambda node: (only(node),)


def in_dependency_order(uses: Mapping[str, Iterable[str]]) -> tuple[list[str], list[list[str]]]:
    """The names so that each comes after what it uses, and the cycles that stand in the way.

    A cycle `[a, b]` says that a uses b and b uses a; it begins with its first name by alphabet. Of names that
    all use each other in the end one shortest cycle is given. They are in the order too, side by side.
    """
    graph = {name: sorted({other for other in used if other in uses}) for name, used in sorted(uses.items())}
    order: list[str] = []
    cycles: list[list[str]] = []
    for group in _groups(graph):
        order += group
        first = group[0]
        if len(group) > 1 or first in graph[first]:
            cycles.append(_cycle(graph, first, set(group)))
    return order, sorted(cycles)


def _groups(graph: Mapping[str, list[str]]) -> list[list[str]]:
    """The strongly connected components, sorted, each after those it uses."""
    order: dict[str, None] = {}
    is_open: set[str] = set()
    for root in graph:
        todo = [(root, False)]
        while todo:
            name, is_done = todo.pop()
            if is_done:
                is_open.discard(name)
                order[name] = None
            elif name in is_open:
                # Good rules have no cycle, and importing this takes longer than to order all of them.
                import networkx as nx

                whole: nx.DiGraph[str] = nx.DiGraph()
                whole.add_nodes_from(graph)
                whole.add_edges_from((user, used) for user in graph for used in graph[user])
                return [sorted(group) for group in nx.strongly_connected_components(whole)]
            elif name not in order:
                is_open.add(name)
                todo.append((name, True))
                todo += [(used, False) for used in reversed(graph[name])]
    return [[name] for name in order]


def _cycle(graph: Mapping[str, list[str]], first: str, group: set[str]) -> list[str]:
    """A shortest way from a name back to it within its component."""
    came_from: dict[str, str] = {}
    queue = deque([first])
    while queue:
        name = queue.popleft()
        if first in graph[name]:
            ring = [name]
            while ring[-1] != first:
                ring.append(came_from[ring[-1]])
            return ring[::-1]
        for used in graph[name]:
            if used in group and used != first and used not in came_from:
                came_from[used] = name
                queue.append(used)
    raise AssertionError("no cycle in a component")
