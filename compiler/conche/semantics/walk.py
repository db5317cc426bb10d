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
    if len(names) > 1:
        return attrgetter(*reversed(names))
    return lambda node: tuple(getattr(node, name) for name in names)


def in_dependency_order(uses: Mapping[str, Iterable[str]]) -> tuple[list[str], list[list[str]]]:
    """The names so that each comes after what it uses, and the cycles that stand in the way.

    A cycle `[a, b]` says that a uses b and b uses a; it begins with its first name by alphabet. Of names that
    all use each other in the end one shortest cycle is given. They are in the order too, side by side.
    """
    graph = {name: sorted({other for other in used if other in uses}) for name, used in sorted(uses.items())}
    order: list[str] = []
    cycles: list[list[str]] = []
    for group in _components(graph):
        order += group
        first = group[0]
        if len(group) > 1 or first in graph[first]:
            cycles.append(_cycle(graph, first, set(group)))
    return order, sorted(cycles)


def _components(graph: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The strongly connected components, sorted, each after those it uses (Tarjan 1972, without
    recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    is_open: set[str] = set()
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(graph[root]))]
        number[root] = low[root] = len(number)
        open_.append(root)
        is_open.add(root)
        while work:
            name, rest = work[-1]
            for used in rest:
                if used not in number:
                    number[used] = low[used] = len(number)
                    open_.append(used)
                    is_open.add(used)
                    work.append((used, iter(graph[used])))
                    break
                if used in is_open:
                    low[name] = min(low[name], number[used])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == number[name]:
                    group = [open_.pop()]
                    while group[-1] != name:
                        group.append(open_.pop())
                    is_open.difference_update(group)
                    yield sorted(group)


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
