"""Which routines ask nobody, and who calls whom.

Input: the action graph. Output: `Routines`: for every routine whether it can be a plain function, where it is
called from, and whether it may be started again while it runs (by a trigger).
Invariants: a routine is a plain function when nothing in it asks a player, ends the game or leaves more than
itself, it calls plain functions alone, it cannot start itself, and it is not nested too deep for a target to
write it with statements within statements."""

from __future__ import annotations

from dataclasses import dataclass, field

from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.graph.order import nested, routines
from conche.graph.ways import part_around
from conche.semantics import rulebook as rb

MAX_NESTED = 10
"""So many loops and ifs within each other are structured operations; what stands around them is in blocks.
Python allows 20 loops and 100 levels of indentation, and an operation may be a loop or two by itself."""


@dataclass(slots=True)
class Routine:
    """`sites`: the nodes that call it."""

    id: str
    nodes: list[Node]
    sites: list[str] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    plain: bool = True
    restarts: bool = False


class Routines:
    """The routines of a graph."""

    def __init__(self, graph: ActionGraph) -> None:
        self.graph = graph
        self.by_id: dict[str, Routine] = {}
        self._height: dict[str, int] = {}
        for name in routines(graph):
            if name != ActionGraph.END:
                self.by_id[name] = Routine(name, [node for _, node in nested(graph, name)])
        self._find_calls()
        self._find_restarts()
        self._find_plain()

    def _find_calls(self) -> None:
        for routine in self.by_id.values():
            for node in routine.nodes:
                for (kind, _), target in sorted(self.graph.control(node.id).items()):
                    if kind in (EdgeKind.DOES, EdgeKind.TRIGGERS):
                        routine.calls.add(target)
                        self.by_id[target].sites.append(node.id)

    def _find_restarts(self) -> None:
        """Cycles of calls: through triggers alone, since steps and actions do not recur."""
        calls = {routine.id: routine.calls for routine in self.by_id.values()}
        for routine in self.by_id.values():
            routine.restarts = bool(part_around(calls, routine.id))

    def _find_plain(self) -> None:
        for routine in self.by_id.values():
            routine.plain = not routine.id.startswith("phase.") and not routine.restarts
            routine.plain &= self.height(self.graph.node(routine.id)) <= MAX_NESTED + 1
            routine.plain &= not any(self._asks(node) or self._leaves(node) for node in routine.nodes)
        changed = True
        while changed:
            changed = False
            for routine in self.by_id.values():
                if routine.plain and not all(self.by_id[called].plain for called in routine.calls):
                    routine.plain = False
                    changed = True

    def _asks(self, node: Node) -> bool:
        return isinstance(node.owns, rb.Choose | rb.EndGame)

    def _leaves(self, node: Node) -> bool:
        """Whether a `stop` leads out of its routine."""
        if not isinstance(node.owns, rb.Stop):
            return False
        target = self.graph.then(node.id)
        return target is None or self.graph.node(target).routine != node.routine

    # ---------------------------------------------------------------------------------------- parts of
    # routines

    def structured(self, node: Node) -> bool:
        """Whether a statement can be a structured operation of a block: nothing in it asks, or leaves it, and
        it is not nested too deep."""
        if self.height(node) > MAX_NESTED:
            return False
        for inner in self.within(node):
            if self._asks(inner) or any(
                not self.by_id[target].plain
                for (kind, _), target in self.graph.control(inner.id).items()
                if kind in (EdgeKind.DOES, EdgeKind.TRIGGERS)
            ):
                return False
            if isinstance(inner.owns, rb.Stop) and not self._stays(inner, node):
                return False
        return True

    def height(self, node: Node) -> int:
        """How many compound nodes stand within each other from a node down; 0 for a plain statement."""
        if node.id not in self._height:
            below = [self.height(self.graph.node(inner)) for part in node.parts for inner in part.nodes]
            self._height[node.id] = 1 + max(below, default=0) if node.parts else 0
        return self._height[node.id]

    def within(self, node: Node) -> list[Node]:
        """A node and all that stands in it."""
        found, todo = [], [node.id]
        while todo:
            current = self.graph.node(todo.pop())
            found.append(current)
            todo += [below for part in current.parts for below in part.nodes]
        return found

    def _stays(self, stop: Node, outer: Node) -> bool:
        """Whether a `stop` leaves a loop that is within `outer`."""
        assert isinstance(stop.owns, rb.Stop)
        if stop.owns.target is not None:
            return False
        node = stop
        while node.id != outer.id:
            assert node.parent is not None
            node = self.graph.node(node.parent)
            if node.role == "enter":
                return True
        return False
