"""The action graph: a `networkx.MultiDiGraph` whose nodes own the typed statements of the rulebook.

Input: built by `from_rulebook`. Output: walked by the reference interpreter, checked by `validate`, lowered
by `codegen`.

Every node is a `Node`, stored under its id (`graph.nodes[id]["node"]`). Every edge carries `kind` (see
EdgeKind) and `label` (a text, "" where there is only one such edge).

Control. The nodes of one *routine* (set-up, play, a step, an action's case, a trigger) hang together by
control edges:

    then      what comes next; a body's last node leads to what follows the compound node it stands in
    option    into a part: a branch's "yes" / "no", a loop's "body", a choice's cases by label or number ("0",
              …) and its "none", a dispatch's action cases by their label; from a choice, by "out", to where
              one goes on who has left the game
    repeats   from the end of a loop's body back to the loop's head
    does      from a `do` to the routine it runs; after that routine's end the `then` edge of the `do` is
              followed
    triggers  from a `fire` node to its trigger's routine; after it, back to the same `fire` node

A routine starts at its own node (`step.fill`), which leads by `then` to its first statement, and ends at
the node `<routine>/end`, which has no control edge out (but `phase.setup/end` leads on to `phase.play`, and
`phase.play/end` to `phase.end`). An empty part leads straight to what follows. `stop` has one `then` edge
to where it leads: past a loop, or to the end of a routine (perhaps a calling one).

Structure. A compound node lists the nodes of its parts in `parts`, so that a stage which wants nesting has
it. A loop has two nodes: the one that enters it (reads the source; role `enter`) and its head (role
`next`), whose id is `<id>/next`.

Data edges, from the node whose statement does it (not its parts): `reads` and `writes` to zone and query
nodes, where a variable, track or board is a `zone` node as well; `label` tells the part concerned where it
is known. `cites` to a `clause` node. `modifies` from the node of a module to what it changes, where that has
a node; `label` says how (`before`, `extend`, `+`, …).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from conche.semantics.rulebook import (
    Action,
    ActionCase,
    Board,
    Case,
    Choose,
    EachPlayer,
    Expr,
    ForEach,
    Query,
    Rounds,
    Rulebook,
    Score,
    Slot,
    Step,
    Stmt,
    Track,
    Trigger,
    Var,
    Zone,
)
from conche.semantics.types import PlayerT
from conche.source import Span

if TYPE_CHECKING:
    import networkx

    from conche.graph.whose import Whose


class NodeKind(StrEnum):
    PHASE = "phase"
    STEP = "step"
    ACTION = "action"
    CHOICE = "choice"
    CHANCE = "chance"
    EFFECT = "effect"
    BRANCH = "branch"
    LOOP = "loop"
    TRIGGER = "trigger"
    QUERY = "query"
    SCORE = "score"
    ZONE = "zone"
    CLAUSE = "clause"
    MODULE = "module"


class EdgeKind(StrEnum):
    THEN = "then"
    OPTION = "option"
    REPEATS = "repeats"
    DOES = "does"
    TRIGGERS = "triggers"
    READS = "reads"
    WRITES = "writes"
    MODIFIES = "modifies"
    CITES = "cites"


OUT = "out"
"""Label of the edge from a choice for one who has left the game."""

CONTROL = (EdgeKind.THEN, EdgeKind.OPTION, EdgeKind.REPEATS, EdgeKind.DOES, EdgeKind.TRIGGERS)

Owned = Stmt | Case | Step | Action | ActionCase | Trigger | Query | Score | Zone | Var | Track | Board | None


@dataclass(frozen=True, slots=True)
class Part:
    """A body of a compound node: its label as on the option edge, and its nodes in order, heads of loops left
    out."""

    label: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """role: "" for a plain statement; `start` and `end` of a routine; `enter` and `next` of a loop; `fire`
    for the place after a statement where a trigger is tried; `case` for a case of a choice (kind choice; it
    leads on to its body).

    `routine` is the id of the routine's first node; `parent` the compound node (or routine) whose part this
    node is in."""

    id: str
    kind: NodeKind
    role: str
    title: str
    routine: str
    parent: str | None
    owns: Owned
    parts: tuple[Part, ...]
    span: Span
    cites: tuple[str, ...]


class Edge(NamedTuple):
    source: str
    target: str
    kind: EdgeKind
    label: str


class ActionGraph:
    """The graph with quick look-ups. Read only once built.

    `nodes`: by id; `edges`: all different. What the passes ask for all the time is kept in tables of its own;
    `nx`, the graph as networkx has it, is made when it is first asked for.

    `private`: the choices whose options may depend on what not all know. `secret_choices`: those made
    `secretly` that can be made anew, with the variables that their cases set. `eliminates`: whether players
    can be out while the game goes on.
    """

    START = "phase.setup"
    PLAY = "phase.play"
    END = "phase.end"

    def __init__(
        self,
        rulebook: Rulebook,
        nodes: Mapping[str, Node],
        edges: Iterable[Edge],
        private: frozenset[str],
        secret_choices: Mapping[str, frozenset[str]],
    ) -> None:
        self.rulebook = rulebook
        self.private = private
        self.secret_choices = secret_choices
        self._nodes = {node_id: nodes[node_id] for node_id in sorted(nodes)}
        self._edges = tuple(sorted(edges))
        self._next: dict[str, dict[tuple[EdgeKind, str], str]] = {}
        self._into: dict[tuple[str, EdgeKind], list[tuple[str, str]]] = {}
        for source, target, kind, label in self._edges:
            assert source in nodes, source
            assert target in nodes, target
            self._into.setdefault((target, kind), []).append((source, label))
            if kind in CONTROL:
                self._next.setdefault(source, {})[(kind, label)] = target

    @cached_property
    def eliminates(self) -> bool:
        return self.rulebook.eliminates

    @cached_property
    def whose(self) -> Whose:
        """Whose values are that the rules reveal."""
        from conche.graph.whose import Whose

        return Whose(self)

    @cached_property
    def nx(self) -> networkx.MultiDiGraph[str]:
        """Nodes in the order of their ids, edges by source, target and key."""
        # Importing it takes as long as all checks of a small game do.
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for node_id, node in self._nodes.items():
            graph.add_node(node_id, node=node)
        for source, target, kind, label in self._edges:
            graph.add_edge(source, target, key=f"{kind}:{label}", kind=kind, label=label)
        return graph

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def node(self, node_id: str) -> Node:
        return self._nodes[node_id]

    def nodes(self) -> Iterator[Node]:
        """All nodes, by id."""
        return iter(self._nodes.values())

    def into(self, node_id: str, kind: EdgeKind) -> list[tuple[str, str]]:
        """The edges of a kind into a node: source and label, in order."""
        return self._into.get((node_id, kind), [])

    def then(self, node_id: str) -> str | None:
        """Where the `then` or `repeats` edge of a node leads."""
        out = self._next.get(node_id, {})
        return out.get((EdgeKind.THEN, "")) or out.get((EdgeKind.REPEATS, ""))

    def option(self, node_id: str, label: str) -> str:
        return self._next[node_id][(EdgeKind.OPTION, label)]

    def does(self, node_id: str, label: str = "") -> str:
        """The routine that a `do` (label: "") or a dispatch (label: the action case's) runs."""
        return self._next[node_id][(EdgeKind.DOES, label)]

    def cases(self, node_id: str) -> list[tuple[str, ActionCase]]:
        """The routines that a dispatch can run, each with the action's case that it is, by id."""
        found: list[tuple[str, ActionCase]] = []
        for (kind, _), target in sorted(self.control(node_id).items()):
            case = self.node(target).owns
            if kind is EdgeKind.DOES and isinstance(case, ActionCase):
                found.append((target, case))
        return found

    def queries(self) -> list[Query]:
        """All queries, by name."""
        return [node.owns for node in self.nodes() if isinstance(node.owns, Query)]

    def scores(self) -> list[Score]:
        """All scores, by name."""
        return [node.owns for node in self.nodes() if isinstance(node.owns, Score)]

    def triggers(self, node_id: str) -> str:
        return self._next[node_id][(EdgeKind.TRIGGERS, "")]

    def control(self, node_id: str) -> dict[tuple[EdgeKind, str], str]:
        """All control edges out of a node."""
        return self._next.get(node_id, {})

    # -------------------------------------------------------------------------------------- choices

    def choice(self, node_id: str) -> Node:
        """The choice that is asked where play waits: at itself, or at the loop in which all choose at
        once."""
        node = self.node(node_id)
        return self.node(node.parts[0].nodes[0]) if at_once(node) else node

    def window(self, choice: str) -> str | None:
        """The head of the innermost loop of the same routine that goes on until all pass."""
        for outer in self._around(choice):
            if isinstance(outer.owns, Rounds) and outer.owns.until_pass and outer.role == "enter":
                return f"{outer.id}/next"
        return None

    def askers(self, choice: str) -> tuple[Slot, Expr | None] | None:
        """The player of the innermost loop over players around a choice, and the condition under which he
        has his turn; None where there is no such loop, or not always the same."""
        loop = self._loops[choice] if choice in self._loops else self._loop_over_players(choice)
        match None if loop is None else self.node(loop).owns:
            case EachPlayer(slot=slot, guard=guard) | Rounds(slot=slot, guard=guard):
                return slot, guard
            case ForEach(slot=slot):
                return slot, None
            case _:
                return None

    def told_name(self, choice: str) -> str | None:
        """As what others know a choice that can be passed: None where another one of the same loop over
        players could be meant."""
        loop = self._loops.get(choice)
        alike = sum(1 for other in self._loops.values() if other == loop)
        return None if loop is not None and alike > 1 else choose_of(self.node(choice)).name

    @cached_property
    def _loops(self) -> dict[str, str | None]:
        """By choice that can be passed: the innermost loop over players around it."""
        return {
            node.id: self._loop_over_players(node.id)
            for node in self.nodes()
            if isinstance(node.owns, Choose) and node.owns.passes and node.role == ""
        }

    def _loop_over_players(self, choice: str) -> str | None:
        """Looked for in the calling routines too, where all calls stand in the same loop."""
        found: set[str | None] = set()
        todo, seen = [choice], {choice}
        while todo:
            here = todo.pop()
            loop = next((outer.id for outer in self._around(here) if _is_over_players(outer)), None)
            start = self.node(here).routine
            callers = [
                source for kind in (EdgeKind.DOES, EdgeKind.TRIGGERS) for source, _ in self.into(start, kind)
            ]
            if loop is not None or not callers:
                found.add(loop)
                continue
            todo += [caller for caller in callers if caller not in seen]
            seen.update(callers)
        return found.pop() if len(found) == 1 else None

    def _around(self, node_id: str) -> Iterator[Node]:
        """The nodes that a node stands in, the innermost first, in its routine."""
        parent = self.node(node_id).parent
        while parent is not None:
            node = self.node(parent)
            yield node
            parent = node.parent


def _is_over_players(node: Node) -> bool:
    match node.owns:
        case EachPlayer() | Rounds():
            return node.role == "enter"
        case ForEach(slot=slot):
            return node.role == "enter" and isinstance(slot.type, PlayerT)
        case _:
            return False


def choose_of(node: Node) -> Choose:
    assert isinstance(node.owns, Choose)
    return node.owns


def at_once(node: Node) -> bool:
    """Whether players choose at once at this node."""
    return node.role == "enter" and isinstance(node.owns, EachPlayer) and node.owns.at_once != ""
