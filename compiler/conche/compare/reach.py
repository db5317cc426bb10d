"""What a change can influence.

Purpose: from a changed place forward over the action graph.
Input: the graphs of both versions, and a change. Output: a `Reach`.
Invariants: what the graph allows, not what happens in a game. Followed are: from what is written to who
reads it; from a condition, choice or loop to all that stands in it and the routines that are run there;
from a local to where its routine speaks of it; from what leaves a loop or routine to the rest of that
routine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from conche.compare.found import Found
from conche.compare.model import Reach
from conche.compare.names import Name, names_in
from conche.graph.expressions import own_exprs, walk
from conche.graph.model import ActionGraph, EdgeKind, Node, NodeKind
from conche.semantics import rulebook as rb

_NEAR = 3

_UNDER = (NodeKind.BRANCH, NodeKind.LOOP, NodeKind.CHOICE, NodeKind.STEP, NodeKind.ACTION, NodeKind.TRIGGER)


class Influence:
    """The forward steps over one graph."""

    def __init__(self, graph: ActionGraph) -> None:
        self.graph = graph
        self.by_owner: dict[int, list[str]] = {}
        self.inside: dict[str, list[str]] = {}
        self.out: dict[str, list[str]] = {}
        self.speaking: dict[tuple[str, int], list[str]] = {}
        self.naming: dict[Name, list[str]] = {}
        for node in graph.nodes():
            if node.owns is not None:
                self.by_owner.setdefault(id(node.owns), []).append(node.id)
            if node.parent is not None:
                self.inside.setdefault(node.parent, []).append(node.id)
            for source, _ in graph.into(node.id, EdgeKind.WRITES):
                self.out.setdefault(source, []).append(node.id)
            for kind in (EdgeKind.DOES, EdgeKind.TRIGGERS):
                for source, _ in graph.into(node.id, kind):
                    self.out.setdefault(source, []).append(node.id)
            self._own(node)

    def _own(self, node: Node) -> None:
        for part in _own_parts(node):
            if isinstance(part, rb.Local):
                key = (part.slot.owner, part.slot.number)
                self.speaking.setdefault(key, []).append(node.id)
            for name in names_in(part):
                if name.space in ("kind", "values", "attribute", "space"):
                    self.naming.setdefault(name, []).append(node.id)

    def seeds(self, unit: Any, around: Iterable[Any], names: Iterable[Name], path: str) -> list[str]:
        """The nodes that a changed unit is, or the innermost one around it; else that of its declaration."""
        found = list(self.by_owner.get(id(unit), ()))
        for outer in reversed(tuple(around)):
            if not found:
                found = list(self.by_owner.get(id(outer), ()))
        if not found and path in self.graph:
            found = [path]
        for name in names:
            found += self.naming.get(name, ())
        return list(dict.fromkeys(found))

    def after(self, node_id: str) -> Iterator[str]:
        """What a node influences at once."""
        node = self.graph.node(node_id)
        yield from self.out.get(node_id, ())
        yield from (source for source, _ in self.graph.into(node_id, EdgeKind.READS))
        if node.kind is NodeKind.ZONE:
            # What is drawn or moved out depends on what is in it.
            yield from (
                source for source, label in self.graph.into(node_id, EdgeKind.WRITES) if label == "from"
            )
        if node.kind in _UNDER:
            yield from self.inside.get(node_id, ())
        owned = node.owns
        if isinstance(owned, rb.Case) and node.parent is not None:
            yield node.parent
        if isinstance(owned, rb.Stop | rb.EndGame):
            yield from self.inside.get(node.parent or node.routine, ())
            yield from self.inside.get(node.routine, ())
            if isinstance(owned, rb.EndGame):
                yield ActionGraph.END
        for slot in _slots(owned):
            yield from self.speaking.get((slot.owner, slot.number), ())

    def from_(self, seeds: Iterable[str]) -> dict[str, int]:
        """The nodes reached, with the number of edges to each."""
        found = dict.fromkeys(seeds, 0)
        waiting = deque(found)
        while waiting:
            node_id = waiting.popleft()
            for other in self.after(node_id):
                if other not in found and other in self.graph:
                    found[other] = found[node_id] + 1
                    waiting.append(other)
        return found


def _own_parts(node: Node) -> Iterator[object]:
    """The expressions of a node itself."""
    owned: Any = node.owns
    match owned:
        case rb.Query():
            yield from walk(*(part for case in owned.cases for part in (case.condition, case.value)))
            yield from walk(*(let.value for let in owned.lets))
        case rb.Score():
            yield from walk(owned.value)
        case rb.Trigger():
            yield from walk(owned.guard)
        case rb.Step() | rb.ActionCase() | rb.Zone() | rb.Var() | rb.Track() | rb.Board() | None:
            return
        case _:
            yield from walk(*own_exprs(owned))


def _slots(owned: object) -> tuple[rb.Slot, ...]:
    """The locals that a node gives a value."""
    match owned:
        case rb.Let() | rb.ForEach() | rb.Chance():
            return (owned.slot,)
        case rb.Case():
            return tuple(binder.slot for binder in owned.binders)
        case rb.SetPlace(target=rb.Local(slot=slot)) | rb.AddTo(target=rb.Local(slot=slot)):
            return (slot,)
        case rb.DropFrom(target=rb.Local(slot=slot)):
            return (slot,)
        case _:
            return ()


def reach(found: Found, old: Influence, new: Influence) -> Reach:
    """What a change may influence, in either version."""
    reached: dict[Node, int] = {}
    for side, unit in ((old, found.old), (new, found.new)):
        if unit is None:
            continue
        names = {name for name in found.declares() if name.space in ("kind", "values", "space")}
        for node_id, far in side.from_(side.seeds(unit, found.around, names, found.path)).items():
            node = side.graph.node(node_id)
            reached[node] = min(far, reached.get(node, far))
    return Reach(
        steps=_names(reached, _step_of),
        decisions=_names(reached, _decision_of),
        queries=_names(reached, lambda node: node.owns.name if isinstance(node.owns, rb.Query) else None),
        scores=_names(reached, lambda node: node.owns.name if isinstance(node.owns, rb.Score) else None),
        direct=_direct(reached),
    )


def _names(reached: dict[Node, int], name: Any) -> tuple[str, ...]:
    return tuple(sorted({found for node in reached for found in [name(node)] if found is not None}))


def _step_of(node: Node) -> str | None:
    if not node.routine or node.role == "end":
        return None
    return node.routine.partition(".")[2] if node.routine.startswith(("step.", "action.")) else None


def _decision_of(node: Node) -> str | None:
    match node.owns:
        case rb.Choose(name=name):
            return name
        case _:
            return None


def _direct(reached: dict[Node, int]) -> tuple[str, ...]:
    """The decisions, queries and scores that are near."""
    found = set()
    for node, far in reached.items():
        match node.owns:
            case rb.Choose(name=name) if far <= _NEAR:
                found.add(f"decision {name}")
            case rb.Query(name=name) if far <= _NEAR:
                found.add(f"query {name}")
            case rb.Score(name=name) if far <= _NEAR:
                found.add(f"score {name}")
            case _:
                pass
    return tuple(sorted(found))
