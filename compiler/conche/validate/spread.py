"""How what is secret spreads: into locals, into what runs because of it, into the routines that are called.

Input: a `Flow`, the `Labels` and the `Reveals` of a rulebook. Output: for every local what its value
depends on; for every node what it depends on that the node runs at all (its *control*). Data: a local takes
the label of what it is bound to; a parameter those of the arguments of all calls. An argument of a decision
that is shown becomes known by being chosen, so it carries nothing on (`check_secrets` sees to it that it
may be shown); one that is chosen `secretly` is a secret of its player, and so is which of several cases was
chosen. Control: what stands in a branch or loop depends on its condition; what is in `none` on whether there
was an option; a routine on what its calls depend on; after a `stop` that depends on a secret, so does the
whole loop or routine that it leaves. Invariants: least fixed points; owners are keys of the
routine that a label belongs to, translated at calls.
"""

from __future__ import annotations

from dataclasses import replace

from conche.graph.model import ActionGraph, Node
from conche.semantics.rulebook import (
    ActionCase,
    AddTo,
    Binder,
    Case,
    Chance,
    Choose,
    DoAction,
    DropFrom,
    EachPlayer,
    EndGame,
    Expr,
    ForEach,
    If,
    Let,
    Local,
    OnCondition,
    OnEnter,
    OnGain,
    Rounds,
    SetPlace,
    Slot,
    Stop,
    Times,
    Trigger,
    While,
    ZoneKinds,
    ZoneRef,
)
from conche.validate.calls import arguments
from conche.validate.flow import Flow
from conche.validate.labels import (
    NOTHING,
    OPEN,
    SECRET,
    UNKNOWN,
    Atom,
    Label,
    Labels,
    Seen,
    join,
    player_key,
    rename,
    slot_key,
)
from conche.validate.progress import owned_stmt
from conche.validate.reveals import Reveals


class Spread:
    """Worked out once; then asked per node."""

    def __init__(self, flow: Flow, labels: Labels, reveals: Reveals) -> None:
        self._flow = flow
        self._graph = flow.graph
        self._labels = labels
        self._reveals = reveals
        self._locals: dict[str, Label] = {}
        self._called_under: dict[str, Label] = {}
        self._left_under: dict[str, Label] = {}
        self._changed = True
        while self._changed:
            self._changed = False
            for node in self._graph.nodes():
                if node.id in flow.reached:
                    self._step(node)

    def seen(self, node_id: str, player: str | None = None) -> Seen:
        """What is known at a node, to all or to one player."""
        return self._reveals.seen(node_id, self._locals, player)

    def label(
        self,
        node_id: str,
        *exprs: Expr | None,
        player: str | None = None,
        told: frozenset[str] = frozenset(),
    ) -> Label:
        """What expressions of a node depend on that not all know (or that `player` does not know). `told`:
        the keys of locals that all get to know anyway."""
        seen = self.seen(node_id, player)
        if told:
            known = seen.local_known
            seen = replace(seen, local_known=lambda key: key in told or known(key))
        found = self._labels.of(seen, *exprs)
        return found if player is None else unknown_to(found, player)

    def control(self, node_id: str, player: str | None = None) -> Label:
        """What it depends on that a node runs at all."""
        node = self._graph.node(node_id)
        seen = self.seen(node_id, player)
        labels = [self._called_under.get(node.routine, NOTHING), self._left_under.get(node.routine, NOTHING)]
        inside = node
        while inside.parent is not None:
            outer = self._graph.node(inside.parent)
            labels += [self._inside(outer, inside), self._left_under.get(outer.id, NOTHING)]
            inside = outer
        found = {atom: span for atom, span in join(*labels).items() if not seen.atom_known(atom)}
        return found if player is None else unknown_to(found, player)

    def _inside(self, outer: Node, inner: Node) -> Label:
        """What it depends on that control goes into the part of `outer` in which `inner` is."""
        match outer.owns:
            case If(condition=condition):
                return self.label(outer.id, condition)
            case While(condition=condition):
                return self.label(f"{outer.id}/next", condition)
            case Rounds(start=start, guard=guard) | EachPlayer(start=start, guard=guard):
                return self.label(f"{outer.id}/next", start, guard)
            case ForEach(source=source):
                return self._how_many(outer.id, source)
            case Times(times=times):
                return self.label(outer.id, times)
            case Case() if outer.role == "case" and len(self._graph.node(outer.parent or "").parts) > 1:
                return self._chosen_secretly(outer)
            case Choose(cases=cases) if inner.role != "case":
                return join(*(self._whether_open(outer.id, case) for case in cases))
            case _:
                return NOTHING

    def _how_many(self, node_id: str, source: Expr) -> Label:
        if isinstance(source, ZoneRef):
            return self.label(node_id, source.player)
        return self.label(node_id, source)

    def _whether_any(self, node_id: str, source: Expr) -> Label:
        if isinstance(source, ZoneKinds):
            return self.label(node_id, source.zone.player)
        return self._how_many(node_id, source)

    def _whether_open(self, node_id: str, case: Case) -> Label:
        sources = [self._whether_any(node_id, b.source) for b in case.binders if b.source is not None]
        return join(*sources, self.label(node_id, case.guard, case.late_guard))

    # -------------------------------------------------------------------------------------- one node

    def _step(self, node: Node) -> None:
        for routine in self._flow.callees.get(node.id, ()):
            self._call(node, routine)
        match node.owns:
            case Trigger(event=event, guard=guard) if node.role == "start":
                self._trigger(node, event, guard)
            case ForEach(slot=slot, source=source) if node.role == "enter":
                self._bind(slot, self.label(node.id, source))
            case Rounds(slot=slot, start=start) | EachPlayer(slot=slot, start=start) if node.role == "next":
                self._bind(slot, self.label(node.id, start))
            case Case(binders=binders) if node.role == "case":
                self._binders(node, binders)
            case _:
                self._statement(node)

    def _statement(self, node: Node) -> None:
        match owned_stmt(node):
            case Let(slot=slot, value=value):
                self._bind(slot, self.label(node.id, value))
            case Chance(slot=slot, source=source):
                self._bind(slot, self.label(node.id, source))
            case SetPlace(target=Local(slot=slot), value=value) | AddTo(target=Local(slot=slot), value=value):
                self._change(slot, join(self.label(node.id, value), self.control(node.id)))
            case DropFrom(target=Local(slot=slot), value=value):
                self._change(slot, join(self.label(node.id, value), self.control(node.id)))
            case Stop() | EndGame():
                self._stop(node)
            case _:
                pass

    def _binders(self, node: Node, binders: tuple[Binder, ...]) -> None:
        secret = self._chosen_secretly(node)
        for binder in binders:
            if binder.hidden or secret:
                own = self.label(node.id, binder.source, binder.value)
                self._bind(binder.slot, join(own, secret))

    def _chosen_secretly(self, case: Node) -> Label:
        """That a case was chosen, where its player alone knows."""
        choice = self._graph.node(case.parent or "")
        loop = self._graph.node(choice.parent or "").owns
        if isinstance(loop, EachPlayer) and loop.at_once == "secretly":
            return {Atom(f"choice.{choice.id}", SECRET, slot_key(loop.slot)): case.span}
        return NOTHING

    def _bind(self, slot: Slot, label: Label) -> None:
        """A binding made anew each time: owners named by locals stay who they are."""
        self._grow(self._locals, slot_key(slot), rename(label, _lasting))

    def _change(self, slot: Slot, label: Label) -> None:
        """A local that keeps what it got in another turn of a loop: only parameters stay who they are."""
        params = {slot_key(param) for param in self._params(slot.owner)}
        self._grow(self._locals, slot_key(slot), rename(label, lambda key: key if key in params else UNKNOWN))

    def _params(self, routine: str) -> tuple[Slot, ...]:
        if routine not in self._graph:
            return ()
        owns = self._graph.node(routine).owns
        return getattr(owns, "params", ())

    def _grow(self, table: dict[str, Label], key: str, label: Label) -> None:
        before = table.get(key, NOTHING)
        after = join(before, label)
        if after != before:
            table[key], self._changed = after, True

    # -------------------------------------------------------------------------------------- between routines

    def _call(self, node: Node, routine: str) -> None:
        pairs = arguments(self._graph, node, routine)
        keys = {player_key(arg): slot_key(param) for param, arg in reversed(pairs)}

        def owner(key: str) -> str:
            return keys.get(key, key if key.startswith("seat ") else UNKNOWN)

        control = self.control(node.id)
        for param, arg in pairs:
            self._grow(self._locals, slot_key(param), rename(self.label(node.id, arg), owner))
        if isinstance(node.owns, DoAction):
            subject = self.label(node.id, node.owns.subject)
            control = join(control, subject)
            called = self._graph.node(routine).owns
            assert isinstance(called, ActionCase)
            for slot, _ in called.bound:
                self._grow(self._locals, slot_key(slot), rename(subject, owner))
        self._grow(self._called_under, routine, rename(control, owner))

    def _stop(self, node: Node) -> None:
        """What can be left under a secret depends on it."""
        control = self.control(node.id)
        if not control:
            return
        target = self._graph.then(node.id) or ActionGraph.END
        left = self._graph.node(target).routine
        if left == node.routine and self._graph.node(target).role != "end":
            left = self._loop_around(node)
        if self._graph.node(left).routine != node.routine:
            control = rename(control, lambda _: UNKNOWN)
        self._grow(self._left_under, left, control)

    def _loop_around(self, node: Node) -> str:
        inside = node
        while inside.parent is not None:
            inside = self._graph.node(inside.parent)
            if inside.role == "enter":
                return inside.id
        return node.routine

    def _trigger(self, node: Node, event: OnEnter | OnGain | OnCondition, guard: Expr | None) -> None:
        match event:
            case OnEnter(slot=slot, kinds=kinds, zones=zones):
                self._bind(slot, self._unseen([f"zone.{name}" for name in zones], node))
                chosen = [f"zone.{name}" for name in zones if len(kinds) < self._number_of_kinds(name)]
                self._grow(self._called_under, node.id, self._unseen(chosen, node))
            case OnGain(amount=amount, var=var, zone=zone):
                data = f"zone.{zone}" if var is None else self._variable(var)
                self._bind(amount, self._unseen([data], node) if var is not None else NOTHING)
                self._grow(self._called_under, node.id, self._locals.get(slot_key(amount), NOTHING))
            case OnCondition(condition=condition):
                self._grow(self._called_under, node.id, self.label(node.id, condition))
        self._grow(self._called_under, node.id, self.label(node.id, guard))

    def _variable(self, name: str) -> str:
        return f"track.{name}" if name in self._graph.rulebook.tracks else f"var.{name}"

    def _number_of_kinds(self, zone: str) -> int:
        rules = self._graph.rulebook
        of = rules.zones[zone].of
        return len(rules.pieces[of].kinds) if of in rules.pieces else len(rules.enums[of].members)

    def _unseen(self, data: list[str], node: Node) -> Label:
        levels = {name: self._labels.visibility(name) for name in data}
        return {
            Atom(name, level, UNKNOWN if level == SECRET else ""): node.span
            for name, level in sorted(levels.items())
            if level != OPEN
        }


def _lasting(key: str) -> str:
    """Text that names a player may name another one later."""
    return UNKNOWN if key.startswith("expr ") else key


def unknown_to(label: Label, player: str) -> Label:
    """The part of a label that a player does not know as the owner."""
    return {atom: span for atom, span in label.items() if atom.level != SECRET or atom.owner != player}
