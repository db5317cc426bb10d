"""What everybody has come to know, at each node.

Input: a `Flow` and the rulebook's `Labels`. Output: per node, the facts that hold whenever control comes to
it. A fact says that a zone, variable or track of a player (`*`: of every player), or a local, has been
revealed to all (`*`) or to one player. `reveal` makes facts; so does moving a piece, named by a local, to
where all see it. Whatever may put something new into a place ends the facts about that place; binding a
local anew ends those about it. This is a forward analysis over all ways (a fact holds if it holds on every
way), routine by routine, with calls: facts go into a routine that is called if they hold at all its calls,
and come back from its end. Invariants: facts err on the side of nothing being known; keys of players are
translated between caller and called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from conche.graph.expressions import place_node, target_node, writes_of
from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import (
    Case,
    Chance,
    EachPlayer,
    Expr,
    ForEach,
    GlobalVar,
    Let,
    Lit,
    Local,
    Move,
    Players,
    PlayerVar,
    Reveal,
    Rounds,
    Slot,
    ZoneKinds,
    ZoneRef,
)
from conche.validate.calls import arguments
from conche.validate.flow import Flow
from conche.validate.labels import OPEN, Atom, Label, Labels, Seen, player_key, slot_key
from conche.validate.progress import owned_stmt

ALL = "*"
_NEW = ("to", "set", "add", "gain", "swap", "order")
"""Labels of `writes` edges that may bring something not yet known."""


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """what: a data node, or the key of a local. owner: a player's key, `*`, or "". to: a player's key, or
    `*`."""

    what: str
    owner: str
    to: str


Facts = frozenset[Fact]
NONE: Facts = frozenset()


class Reveals:
    """The facts at every node of a graph."""

    def __init__(self, flow: Flow, labels: Labels) -> None:
        self._flow = flow
        self._graph = flow.graph
        self._labels = labels
        self._overwritten = {node: self._data_changed(flow.deep([node])) for node in sorted(flow.callees)}
        self._ends: dict[str, Facts] = {}
        self._at: dict[str, Facts] = {}
        self._outward: dict[str, Facts] = {}
        self._summarize()
        self._settle()

    def at(self, node_id: str) -> Facts:
        """What holds when control comes to a node; at the end of the game, however it came about."""
        return self._at.get(node_id, NONE)

    def seen(self, node_id: str, locals_: Mapping[str, Label], player: str | None = None) -> Seen:
        """How `Labels` is to look at expressions of a node: with what all know, or what one player knows."""
        facts = sorted(self.at(node_id))
        known = {(fact.what, fact.owner) for fact in facts if fact.to in (ALL, player)}

        def atom_known(atom: Atom) -> bool:
            return (atom.data, ALL) in known or (atom.data, atom.owner) in known

        return Seen(locals_, atom_known, lambda key: (key, "") in known)

    # -------------------------------------------------------------------------------------- calls

    def _summarize(self) -> None:
        """What holds at the end of each routine although nothing did at its start."""
        changed = True
        while changed:
            changed = False
            for routine in sorted(self._flow.members):
                left_from_within = f"{routine}/end" in self._outward
                facts = NONE if left_from_within else self._run(routine, NONE).get(f"{routine}/end", NONE)
                if facts != self._ends.get(routine, NONE):
                    self._ends[routine], changed = facts, True

    def _settle(self) -> None:
        """What holds at each node: facts at the start of a routine are those that hold at all its calls."""
        self._outward = {}
        entries: dict[str, Facts] = {ActionGraph.START: NONE, ActionGraph.PLAY: NONE}
        todo = [ActionGraph.START, ActionGraph.PLAY]
        while todo:
            routine = todo.pop(0)
            found = self._run(routine, entries[routine])
            self._at.update(found)
            for node_id in sorted(found):
                for called in self._flow.callees.get(node_id, ()):
                    facts = self._into(found[node_id], node_id, called)
                    entry = facts if called not in entries else entries[called] & facts
                    if entries.get(called) != entry:
                        entries[called] = entry
                        todo.append(called)
        ends = [self._at.get(f"{ActionGraph.PLAY}/end"), self._outward.get(ActionGraph.END)]
        known = [facts for facts in ends if facts is not None]
        self._at[ActionGraph.END] = frozenset.intersection(*known) if known else NONE

    def _into(self, facts: Facts, node_id: str, routine: str) -> Facts:
        pairs = arguments(self._graph, self._graph.node(node_id), routine)
        return _translated(facts, {player_key(arg): slot_key(param) for param, arg in reversed(pairs)})

    def _out_of(self, node_id: str) -> Facts:
        """What is known after a call that was not known before it."""
        found: list[Facts] = []
        for routine in self._flow.callees[node_id]:
            pairs = arguments(self._graph, self._graph.node(node_id), routine)
            keys = {slot_key(param): player_key(arg) for param, arg in pairs if _steady(arg)}
            found.append(_translated(self._ends.get(routine, NONE), keys))
        return frozenset.intersection(*found) if found else NONE

    # -------------------------------------------------------------------------------------- one routine

    def _run(self, routine: str, entry: Facts) -> dict[str, Facts]:
        """The facts at the nodes of a routine that are come to from its start."""
        found: dict[str, Facts] = {routine: entry}
        todo = [routine]
        while todo:
            node_id = todo.pop()
            for target in self._flow.next_nodes(node_id, self._flow.exits):
                leaves = self._graph.node(target).routine != routine
                if leaves and node_id in self._flow.callees:
                    continue  # what holds there is seen to where the called routine is left
                facts = self._along(node_id, target, found[node_id])
                if leaves:
                    facts = frozenset(
                        fact for fact in facts if fact.owner in (ALL, "") and _is_data(fact.what)
                    )
                    self._outward[target] = self._outward.get(target, facts) & facts
                    continue
                merged = facts if target not in found else found[target] & facts
                if found.get(target) != merged:
                    found[target] = merged
                    todo.append(target)
        return found

    def _along(self, node_id: str, target: str, facts: Facts) -> Facts:
        """The facts after a node, on the way to one of those that follow it."""
        node = self._graph.node(node_id)
        if node.role == "next":
            return self._past_head(node, target, facts)
        if node_id in self._flow.callees:
            changed = self._overwritten[node_id]
            left = frozenset(fact for fact in facts if fact.what not in changed)
            returns = node.role != "fire" and target == self._graph.then(node_id)
            return left | self._out_of(node_id) if returns else left
        stmt = owned_stmt(node)
        lost = (
            set()
            if stmt is None
            else {data for data, how in writes_of(self._graph.rulebook, stmt) if how in _NEW}
        )
        keys = {slot_key(slot) for slot in _bound(node)}
        left = frozenset(
            fact for fact in facts if fact.what not in lost and not keys & {fact.what, fact.owner, fact.to}
        )
        return left | self._made_by(node)

    def _past_head(self, head: Node, target: str, facts: Facts) -> Facts:
        """Past the end of a loop over all players, what was revealed of each is revealed of all."""
        match head.owns:
            case ForEach(slot=slot) | EachPlayer(slot=slot) | Rounds(slot=slot):
                key = slot_key(slot)
            case _:
                return facts
        if target != self._graph.option(head.id, "body") and _over_all_players(head):
            changed = self._data_changed(self._flow.deep(self._flow.inside(head.id)))
            facts = frozenset(
                replace(fact, owner=ALL) if fact.owner == key and fact.what not in changed else fact
                for fact in facts
            )
        return frozenset(fact for fact in facts if key not in (fact.what, fact.owner, fact.to))

    def _made_by(self, node: Node) -> Facts:
        match owned_stmt(node):
            case Reveal(value=value, to=to) if to is None or _steady(to):
                told = ALL if to is None else player_key(to)
                place = self._place(value)
                return NONE if place is None else frozenset((Fact(*place, told),))
            case Move(kind=Local(slot=slot), target=target) if self._is_open(target):
                return frozenset((Fact(slot_key(slot), "", ALL),))
            case _:
                return NONE

    def _is_open(self, target: ZoneRef | Expr) -> bool:
        return self._labels.visibility(target_node(target)) == OPEN

    def _place(self, value: Expr) -> tuple[str, str] | None:
        """What a `reveal` is about: a data node or local, and whose."""
        match value:
            case ZoneKinds(zone=zone):
                return self._place(zone)
            case ZoneRef(player=None):
                return f"zone.{value.name}", ""
            case ZoneRef(player=player) if player is not None and _steady(player):
                return f"zone.{value.name}", player_key(player)
            case GlobalVar():
                return place_node(self._graph.rulebook, value) or "", ""
            case PlayerVar(player=player) if _steady(player):
                return place_node(self._graph.rulebook, value) or "", player_key(player)
            case Local(slot=slot):
                return slot_key(slot), ""
            case _:
                return None

    def _data_changed(self, nodes: set[str]) -> set[str]:
        found: set[str] = set()
        for node_id in self._flow.deep(nodes):
            stmt = owned_stmt(self._graph.node(node_id))
            if stmt is not None:
                found |= {data for data, how in writes_of(self._graph.rulebook, stmt) if how in _NEW}
        return found


def _over_all_players(head: Node) -> bool:
    match head.owns:
        case ForEach(source=Players()) | EachPlayer(guard=None):
            return True
        case _:
            return False


def _bound(node: Node) -> list[Slot]:
    match node.owns:
        case Let(slot=slot) | Chance(slot=slot):
            return [slot]
        case Case(binders=binders):
            return [binder.slot for binder in binders]
        case _:
            return []


def _steady(player: Expr) -> bool:
    """Whether a player stays the same for as long as the key that names it does."""
    return isinstance(player, Local | Lit)


def _is_data(what: str) -> bool:
    return "#" not in what


def _translated(facts: Facts, keys: Mapping[str, str]) -> Facts:
    """Facts in the keys of another routine; those that cannot be said there are left out."""
    kept = {"": "", ALL: ALL, **keys}
    return frozenset(
        Fact(what, kept[fact.owner], kept[fact.to])
        for fact in facts
        for what in ((fact.what,) if _is_data(fact.what) else (kept.get(fact.what, ""),))
        if what and fact.owner in kept and fact.to in kept
    )
