"""How control runs through the graph, calls and returns included.

Input: an `ActionGraph`. Output: a `Flow`: which routines call which, where each can be left, what is reached.
A routine is summarised by its *exits*: the `end` nodes at which control can leave it. That is its own end;
the end of a calling step, by a `stop` that names it; and the end of the game. A `do` leads on to its `then`
only if the own end of a routine that it runs is among that routine's exits; its other exits are passed on
to the caller. Invariants: all results are sorted or sets; summaries are least fixed points, so that
triggers which call each other are no trouble; nothing is recursive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from conche.graph.model import OUT, ActionGraph, EdgeKind, Node
from conche.graph.order import place
from conche.graph.ways import reachable
from conche.semantics.rulebook import (
    Around,
    EachPlayer,
    ForEach,
    If,
    ListOf,
    Members,
    Players,
    Sides,
    Times,
)
from conche.semantics.types import Int
from conche.source import Span

MOST_STEPS = 5
"""How many steps of a way round a loop are told."""

Exits = Mapping[str, frozenset[str]]
"""By routine, the `end` nodes at which control can leave it."""


class Flow:
    """Read only once built. `still_in`: the choices and `eliminate`s whose player cannot have left the game
    before, as `still_in.py` finds them; all other choices can be passed over."""

    def __init__(self, graph: ActionGraph, still_in: Collection[str] = ()) -> None:
        self.graph = graph
        self.still_in = still_in
        members: dict[str, list[str]] = {}
        callers: dict[str, list[str]] = {}
        self.callees: dict[str, tuple[str, ...]] = {}
        self._after: dict[str, tuple[str, ...]] = {}
        for node in graph.nodes():
            if not node.routine:
                continue
            members.setdefault(node.routine, []).append(node.id)
            called: list[str] = []
            after: set[str] = set()
            for (kind, label), target in graph.control(node.id).items():
                if label == OUT and kind is EdgeKind.OPTION and node.id in still_in:
                    continue
                if kind in (EdgeKind.DOES, EdgeKind.TRIGGERS):
                    called.append(target)
                    callers.setdefault(target, []).append(node.id)
                else:
                    after.add(target)
            if called:
                self.callees[node.id] = tuple(sorted(called))
            if node.role == "end":
                after = set()
            elif node.role == "enter" and at_least_once(node):
                after = {graph.option(f"{node.id}/next", "body")}
            self._after[node.id] = tuple(sorted(after))
        self.members = {routine: tuple(inside) for routine, inside in members.items()}
        self.callers = {routine: tuple(calls) for routine, calls in callers.items()}
        self._callees_first = self._depth_first()
        self.exits = self._exits(frozenset(self.members), {}, frozenset())
        self.reached = self._reach()

    # -------------------------------------------------------------------------------------- summaries

    def next_nodes(self, node_id: str, exits: Exits) -> Sequence[str]:
        """Where control can go from a node without going into a routine: nodes of the same routine, and
        exits of the routines it runs that lie outside them."""
        after = self._after[node_id]
        callees = self.callees.get(node_id)
        if callees is None:
            return after
        found: set[str] = set()
        if self.graph.node(node_id).role == "fire" or any(f"{c}/end" in exits[c] for c in callees):
            found.update(after)
        for routine in callees:
            found |= exits[routine] - {f"{routine}/end"}
        return sorted(found)

    def exits_without(self, blocked: Collection[str]) -> Exits:
        """The exits of all routines that can be reached from their starts without passing a node of
        `blocked`."""
        changed = {self.graph.node(node).routine for node in blocked}
        todo = sorted(changed)
        while todo:
            for caller in self.callers.get(todo.pop(), ()):
                routine = self.graph.node(caller).routine
                if routine not in changed:
                    changed.add(routine)
                    todo.append(routine)
        return self._exits(changed, self.exits, frozenset(blocked)) if changed else self.exits

    def _exits(self, routines: Collection[str], known: Exits, blocked: frozenset[str]) -> Exits:
        """The exits of `routines`, and those that are known of all others."""
        exits = {**known, **dict.fromkeys(routines, frozenset[str]())}
        unsettled = set(routines)
        while unsettled:
            for routine in self._callees_first:
                if routine not in unsettled:
                    continue
                unsettled.discard(routine)
                found = self._local(routine, exits, blocked)
                left = frozenset(node for node in found if self._leaves(node, routine))
                if left != exits[routine]:
                    exits[routine] = left
                    unsettled.update(
                        self.graph.node(caller).routine for caller in self.callers.get(routine, ())
                    )
        return exits

    def _depth_first(self) -> list[str]:
        """The routines, each after those that it runs as far as they do not run each other."""
        found: dict[str, None] = {}
        for start in self.members:
            todo = [(start, False)]
            seen: set[str] = set()
            while todo:
                routine, is_done = todo.pop()
                if is_done:
                    found[routine] = None
                elif routine not in found and routine not in seen:
                    seen.add(routine)
                    todo.append((routine, True))
                    called = {c for node in self.members[routine] for c in self.callees.get(node, ())}
                    todo += [(name, False) for name in sorted(called)]
        return list(found)

    def _local(self, routine: str, exits: Exits, blocked: Collection[str]) -> set[str]:
        """What is reached within a routine from its start, exits included."""
        return reachable([routine], lambda node: self._onward(node, routine, exits, blocked))

    def _onward(self, node: str, routine: str, exits: Exits, blocked: Collection[str]) -> Sequence[str]:
        if node in blocked or self.graph.node(node).routine != routine:
            return ()
        return self.next_nodes(node, exits)

    def _leaves(self, node_id: str, routine: str) -> bool:
        return self.graph.node(node_id).routine != routine or node_id == f"{routine}/end"

    def _reach(self) -> frozenset[str]:
        """Every node that the game can come to, from the beginning of set-up."""
        found: set[str] = set()
        todo = [ActionGraph.START]
        done: set[str] = set()
        while todo:
            routine = todo.pop()
            if routine in done:
                continue
            done.add(routine)
            local = self._local(routine, self.exits, ())
            found |= local
            for node in sorted(local):
                todo += self.callees.get(node, ())
                if node == f"{ActionGraph.START}/end":
                    todo.append(ActionGraph.PLAY)
                elif node == f"{ActionGraph.PLAY}/end":
                    found.add(ActionGraph.END)
        return frozenset(found)

    def deep(self, nodes: Iterable[str]) -> set[str]:
        """These nodes and all that run because of them: the routines they call, their triggers, and so on."""
        found: set[str] = set()
        todo = sorted(nodes)
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                for routine in self.callees.get(node, ()):
                    todo += self.members[routine]
        return found

    def inside(self, head: str) -> set[str]:
        """A loop's head and all nodes in its body."""
        found = {head}
        todo = [self.graph.node(head).parent or head]
        while todo:
            for part in self.graph.node(todo.pop()).parts:
                for inner in part.nodes:
                    found.add(inner)
                    if self.graph.node(inner).role == "enter":
                        found.add(f"{inner}/next")
                    todo.append(inner)
        return found

    # -------------------------------------------------------------------------------------- ways to a node

    @cached_property
    def _chains(self) -> dict[str, tuple[str, ...]]:
        """By routine: the calling nodes by which it is first come to, a shortest way."""
        chains: dict[str, tuple[str, ...]] = {}
        phases = (ActionGraph.PLAY, ActionGraph.START)
        todo: deque[tuple[str, tuple[str, ...]]] = deque((phase, (phase,)) for phase in phases)
        while todo:
            routine, chain = todo.popleft()
            if routine in chains:
                continue
            chains[routine] = chain
            for node in self.members[routine]:
                if node in self.reached:
                    todo += [(called, (*chain, node)) for called in self.callees.get(node, ())]
        return chains

    def chain(self, node_id: str) -> tuple[str, ...]:
        """Nodes by which one comes to a node: the phase, the calls on the way, the node."""
        routine = self.graph.node(node_id).routine
        chain = self._chains.get(routine, (routine,))
        return chain if node_id == chain[-1] else (*chain, node_id)

    def way(self, node_id: str) -> str:
        """`chain` as a note."""
        return "the way here: " + self.path(self.chain(node_id))

    def path(self, nodes: Iterable[str]) -> str:
        """Nodes as a readable path, each with its line; a loop is shown once, by its first line."""
        shown: list[str] = []
        for node_id in nodes:
            node = self.graph.node(node_id)
            name = named(self.graph.node(node.parent or node_id) if node.role == "next" else node)
            if shown[-1:] != [name]:
                shown.append(name)
        return " → ".join(shown)

    def round(self, nodes: list[str]) -> str:
        """A way round a loop in a few steps: which cases are chosen and which conditions hold; other
        statements only where there is nothing else to tell."""
        head = self.span(nodes[0])
        told: list[str] = []
        plain: list[str] = []
        for node_id, after in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
            node = self.graph.node(node_id)
            line = f"(line {node.span.line})" if node.span.file == head.file else f"({place(node.span)})"
            if isinstance(node.owns, If) and node.role == "":
                inside = [n for part in node.parts if part.label == "yes" for n in part.nodes]
                holds = any(after in (n, f"{n}/next") for n in inside)
                told.append(f"`{node.title}` {'holds' if holds else 'does not hold'} {line}")
            elif node.role == "case":
                told.append(f"`{node.title}` {line}")
            elif node.role == "" and node.parent is not None and node.span.line != head.line:
                plain.append(f"`{node.title}` {line}")
        steps = told or plain
        if len(steps) > MOST_STEPS:
            steps = [*steps[: MOST_STEPS - 2], "…", *steps[-2:]]
        return " → ".join([*steps, f"again from line {head.line}"])

    def expand(self, nodes: list[str], exits: Exits, blocked: Collection[str]) -> list[str]:
        """A way through one routine with the ways through the routines that it runs, without blocked nodes.
        (Steps do not run each other in a circle, so this comes to an end.)"""
        found: list[str] = []
        for node, after in zip(nodes, [*nodes[1:], ""], strict=True):
            found.append(node)
            if not after or self.graph.node(node).role == "fire":
                continue
            for routine in self.callees.get(node, ()):
                returns = after in self.graph.control(node).values() and f"{routine}/end" in exits[routine]
                left = f"{routine}/end" if returns else after
                inner = self._shortest(routine, left, exits, blocked)
                if inner:
                    found += self.expand(inner, exits, blocked)[1:-1]
                    break
        return found

    def _shortest(self, routine: str, end: str, exits: Exits, blocked: Collection[str]) -> list[str]:
        """A shortest way from a routine's start to where it is left."""
        come_from: dict[str, str] = {}
        todo = deque([routine])
        while todo:
            node = todo.popleft()
            for after in self._onward(node, routine, exits, blocked):
                if after not in come_from and after not in blocked:
                    come_from[after] = node
                    todo.append(after)
        way = [end] if end in come_from else []
        while way and way[-1] != routine:
            way.append(come_from[way[-1]])
        return way[::-1]

    def span(self, node_id: str) -> Span:
        return self.graph.node(node_id).span


@lru_cache(maxsize=1)
def flow_of(graph: ActionGraph) -> Flow:
    """The flow of a graph, worked out once for all checks."""
    flow = Flow(graph)
    if not graph.eliminates:
        return flow
    # It needs the flow itself.
    from conche.validate.still_in import surely_in

    return Flow(graph, surely_in(flow))


def named(node: Node) -> str:
    return f"{node.title} ({place(node.span)})"


def at_least_once(node: Node) -> bool:
    """Whether a loop's body runs at least once whenever the loop is come to."""
    match node.owns:
        case EachPlayer(guard=None):
            return True
        case Times(times=times):
            return isinstance(times.type, Int) and times.type.low >= 1
        case ForEach(source=Players() | Sides() | Members() | Around()):
            return True
        case ForEach(source=ListOf(items=items)):
            return any(count > 0 for count, _ in items)
        case _:
            return False
