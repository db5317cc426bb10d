"""Ways from node to node, where only who follows on whom counts.

Input: a table that gives for a node those that follow it; what is not in it has none. Output: sets of nodes,
and a shortest way round.
Invariants: nothing here recurses; results do not depend on the order of a set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Ways = Mapping[str, Iterable[str]]


def reachable(starts: Iterable[str], onward: Callable[[str], Iterable[str]]) -> set[str]:
    """What can be come to from `starts`, themselves included."""
    found: set[str] = set()
    todo = list(starts)
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += onward(node)
    return found


def leads_to(ways: Ways, starts: Iterable[str]) -> set[str]:
    """What can be come to from `starts`, themselves included."""
    return reachable(starts, lambda node: ways.get(node, ()))


def turned(ways: Ways) -> dict[str, list[str]]:
    """The same ways the other way."""
    found: dict[str, list[str]] = {}
    for node, after in ways.items():
        for other in after:
            found.setdefault(other, []).append(node)
    return found


def part_around(ways: Ways, node: str) -> set[str]:
    """The strongly connected part with a node; empty when it lies on no way round."""
    after = leads_to(ways, ways.get(node, ()))
    if node not in after:
        return set()
    return after & leads_to(turned(ways), [node])


def shortest_round(ways: Ways, starts: Iterable[str]) -> list[str]:
    """A shortest way from one of `starts` back to it, which is its first and last node; empty when there is
    none."""
    rounds: list[list[str]] = []
    for start in starts:
        afters = [after for after in ways.get(start, ()) if start in leads_to(ways, [after])]
        if afters:
            # Only findings have a way round to show, and importing this takes longer than all checks.
            import networkx as nx

            graph: nx.DiGraph[str] = nx.DiGraph([(node, after) for node in ways for after in ways[node]])
            rounds += [[start, *nx.shortest_path(graph, after, start)] for after in afters]
    return min(rounds, key=lambda way: (len(way), way), default=[])
