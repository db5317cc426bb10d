"""Which nodes of a graph modules have changed.

Input: a rulebook, the nodes made of it. Output: what modules have done, in the order of the text, with the
node of each place; None for what has none, such as a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import Choose, Modified, Rulebook

_PHASES = {"setup": ActionGraph.START, "play": ActionGraph.PLAY}


def modified_nodes(rulebook: Rulebook, nodes: Mapping[str, Node]) -> Iterator[tuple[Modified, str | None]]:
    for change in sorted(rulebook.modified, key=lambda one: one.span):
        place = _PHASES.get(change.place, change.place)
        node = place if change.choice is None else _choice(place, change.choice, nodes)
        yield change, node if node in nodes else None


def _choice(place: str, name: str, nodes: Mapping[str, Node]) -> str | None:
    """A choice in a routine, or in what stood there before modules did something around it."""
    routines = (place, f"step.{place.partition('.')[2]}.original")
    found = [
        node.id
        for node in nodes.values()
        if isinstance(node.owns, Choose) and node.owns.name == name and node.routine in routines
    ]
    return min(found, default=None)
