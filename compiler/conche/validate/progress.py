"""Which statements bring a loop nearer to its end.

Input: what runs in the loop (nodes, called routines included) and the conditions under which it goes on.
Output: for a node, in words, why it makes progress, or None.
A node makes progress when it does one of these, and nothing else in the loop undoes it:
    - it drops an element from a set or list that nothing in the loop adds to or sets;
    - it lets a number fall (or rise) by at least 1, and nothing in the loop moves that number the other way;
    - it takes a piece from where none flows in: of the places that pieces come to it from within the loop,
    none gets
      pieces from where this one goes, nor from the box or the supply;
    - it eliminates a player who is still in;
    - it sets what the loop's condition reads to a constant for which the condition is false, and nothing in
    the loop
      sets it to anything else.
Each of these can happen only finitely often. Numbers have bounds, so one that moves one way must stop (or
end in the run-time error that the rules asked for). Errs on the side of None: what cannot be seen in the
text is no progress.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass

from conche.graph.expressions import place_node, target_node, variable_node
from conche.graph.model import Node
from conche.graph.ways import leads_to, turned
from conche.semantics.rulebook import (
    AddTo,
    Binary,
    Case,
    Chance,
    Do,
    Draw,
    DropFrom,
    EachPlayer,
    Eliminate,
    Expr,
    ForEach,
    GainPieces,
    GainVar,
    GlobalVar,
    If,
    IsEmpty,
    IsKind,
    Let,
    ListOf,
    Lit,
    Local,
    Move,
    PayPieces,
    PayVar,
    Place,
    PlayerVar,
    Put,
    Rounds,
    SetPlace,
    Slot,
    Step,
    Stmt,
    Swap,
    Take,
    Unary,
    While,
    ZoneCount,
    ZoneRef,
)
from conche.semantics.types import Int, Type
from conche.validate.flow import Flow
from conche.validate.same import conjuncts, same

BOX, SUPPLY = "the box", "the supply"
"""Where pieces without end can come from."""

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True, slots=True)
class _Change:
    """What one statement does to one place.

    kind: add, drop, clear, shift (by low..high), set (to `value`), let (a local begins anew)."""

    kind: str
    target: Place | None
    low: int = 0
    high: int = 0
    value: Expr | None = None


class Progress:
    """The statements of one loop, looked at together. `conditions`: what holds whenever the loop goes on;
    `slot`: of a loop over players, the one whose turn it is."""

    def __init__(
        self,
        flow: Flow,
        deep: Collection[str],
        conditions: list[tuple[Expr, bool]],
        slot: Slot | None = None,
    ) -> None:
        self._flow = flow
        self._rulebook = flow.graph.rulebook
        self._conditions = conditions
        self._nodes = [flow.graph.node(node_id) for node_id in sorted(deep)]
        self._changes: dict[str, list[_Change]] = {}
        self._pieces: dict[str, set[str]] = {}
        self._turn = self._slots_of_turn(slot)
        for node in self._nodes:
            stmt = owned_stmt(node)
            if stmt is not None:
                for key, change in self._changes_of(stmt):
                    self._changes.setdefault(key, []).append(change)
                for (source, target), _ in self._flows_of(stmt):
                    self._pieces.setdefault(source, set()).add(target)
            for slot in _bound(node):
                self._changes.setdefault(_slot_key(slot), []).append(_Change("let", None))
        self._sources = turned(self._pieces)

    def why(self, node: Node) -> str | None:
        """Why a node makes progress; None when it does not, as far as can be seen."""
        stmt = owned_stmt(node)
        if stmt is None:
            return None
        if isinstance(stmt, Eliminate):
            return "a player leaves the game" if node.id in self._flow.still_in else None
        for key, change in self._changes_of(stmt):
            reason = self._variable_progress(key, change)
            if reason is not None:
                return reason
        for (source, target), sure in self._flows_of(stmt):
            if (sure or self._draws_surely(stmt, node)) and self._one_way(source, target):
                return f"pieces leave {source} for good"
        return None

    def blocked(self) -> set[str]:
        """The ids of all nodes that make progress."""
        return {node.id for node in self._nodes if self.why(node) is not None}

    # -------------------------------------------------------------------------------------- variables

    def _changes_of(self, stmt: Stmt) -> list[tuple[str, _Change]]:
        match stmt:
            case GainVar():
                low, high = _bounds(stmt.amount)
                least = 0 if stmt.up_to else low
                return [
                    (variable_node(self._rulebook, stmt.var), _Change("shift", None, min(least, low), high))
                ]
            case PayVar():
                if stmt.to is not None:
                    return []  # the sum over all players stays
                low, high = _bounds(stmt.amount)
                return [(variable_node(self._rulebook, stmt.var), _Change("shift", None, -high, -low))]
            case SetPlace():
                return [(self._key(stmt.target), _set_change(stmt))]
            case AddTo():
                return [(self._key(stmt.target), _Change("add", stmt.target))]
            case DropFrom():
                return [(self._key(stmt.target), _Change("drop", stmt.target))]
            case _:
                return []

    def _key(self, place: Place) -> str:
        return place_node(self._rulebook, place) or _slot_key(
            place.slot if isinstance(place, Local) else None
        )

    def _variable_progress(self, key: str, change: _Change) -> str | None:
        others = self._changes[key]
        match change.kind:
            case "drop" if all(other.kind in ("drop", "clear") for other in others):
                return f"{_plain(key)} loses an element"
            case "shift" if change.low >= 1 and all(o.kind == "shift" and o.low >= 0 for o in others):
                return f"{_plain(key)} rises"
            case "shift" if change.high <= -1 and all(o.kind == "shift" and o.high <= 0 for o in others):
                return f"{_plain(key)} falls"
            case "set" if self._ends_loop(change) and all(
                o.kind == "set" and self._ends_loop(o) for o in others
            ):
                return f"{_plain(key)} is set so that the loop ends"
            case _:
                return None

    def _ends_loop(self, change: _Change) -> bool:
        """Whether a condition of the loop is false once a place is set."""
        if not isinstance(change.value, Lit) or change.target is None:
            return False
        value = change.value.value
        return any(self._false_after(part, holds, change.target, value) for part, holds in self._conditions)

    def _false_after(self, part: Expr, holds: bool, target: Place, value: object) -> bool:
        match part:
            case Binary(op=op, left=left, right=Lit(value=other)) if op in _COMPARE and self._is(
                left, target
            ):
                return _compares(op, value, other) is (not holds)
            case Binary(op=op, left=Lit(value=other), right=right) if op in _COMPARE and self._is(
                right, target
            ):
                return _compares(_MIRRORED[op], value, other) is (not holds)
            case IsKind(value=tested, kinds=kinds) if self._is(tested, target):
                return (value in kinds) is not holds
            case _ if self._is(part, target) and isinstance(value, bool):
                return value is not holds
            case _:
                return False

    def _is(self, expr: Expr, target: Place) -> bool:
        """Whether an expression reads what a place names, at any two moments of the loop."""
        if isinstance(expr, PlayerVar) and isinstance(target, PlayerVar) and expr.name == target.name:
            if same(expr, target) and self._stays(target.player):
                return True
            return self._has_turn(expr.player) and self._has_turn(target.player)
        return isinstance(expr, GlobalVar | Local) and same(expr, target)

    def _stays(self, player: Expr) -> bool:
        if isinstance(player, Local | GlobalVar):
            return self._key(player) not in self._changes
        return isinstance(player, Lit)

    def _has_turn(self, player: Expr) -> bool:
        return isinstance(player, Local) and _slot_key(player.slot) in self._turn

    def _slots_of_turn(self, slot: Slot | None) -> set[str]:
        """The slots that hold the loop's player: its own, and parameters that get nothing else in the
        loop."""
        if slot is None:
            return set()
        calls: dict[str, list[Do]] = {}
        for node in self._nodes:
            if isinstance(node.owns, Do) and node.role == "":
                calls.setdefault(node.owns.step, []).append(node.owns)
        found = {_slot_key(slot)}
        before = -1
        while before != len(found):
            before = len(found)
            for name in sorted(calls):
                for number, param in enumerate(self._rulebook.steps[name].params):
                    args = [call.args[number] for call in calls[name]]
                    if all(isinstance(arg, Local) and _slot_key(arg.slot) in found for arg in args):
                        found.add(_slot_key(param))
        return found

    # -------------------------------------------------------------------------------------- pieces

    def _flows_of(self, stmt: Stmt) -> list[tuple[tuple[str, str], bool]]:
        """From where to where a statement moves pieces, and whether it surely moves one."""
        match stmt:
            case Move():
                return [((f"zone.{stmt.source.name}", target_node(stmt.target)), True)]
            case Draw():
                edge = (f"zone.{stmt.source.name}", target_node(stmt.target))
                return [(edge, not stmt.up_to and _bounds(stmt.amount)[0] >= 1)]
            case Take():
                sure = any(_bounds(count)[0] >= 1 for count, _ in stmt.items)
                return [((f"zone.{stmt.zone.name}", BOX), sure)]
            case Put():
                return [((BOX, f"zone.{stmt.zone.name}"), False)]
            case GainPieces():
                return [((SUPPLY, f"zone.{stmt.zone.name}"), False)]
            case PayPieces(to=None):
                return [((f"zone.{stmt.zone.name}", SUPPLY), _bounds(stmt.amount)[0] >= 1)]
            case Swap() | PayPieces():
                return []  # as many as before, over all players
            case _:
                return []

    def _one_way(self, source: str, target: str) -> bool:
        upstream = leads_to(self._sources, [source])
        return upstream.isdisjoint((target, BOX, SUPPLY))

    def _draws_surely(self, stmt: Stmt, node: Node) -> bool:
        """Whether a draw of `up to` moves a piece because a condition around it says that there is one.
        (Where something else in the loop has emptied the place since, that was progress too: all goes out one
        way.)"""
        if not isinstance(stmt, Draw) or not self._has_room(stmt.target):
            return False
        source = f"zone.{stmt.source.name}"
        if not all(self._one_way(source, target) for target in self._pieces[source]):
            return False
        known = [*self._conditions, *self._known_at(node)]
        return any(_says_filled(part, holds, stmt.source) for part, holds in known) and (
            _bounds(stmt.amount)[0] >= 1
            or any(_says_positive(part, holds, stmt.amount) for part, holds in known)
        )

    def _has_room(self, target: ZoneRef | Expr) -> bool:
        return not isinstance(target, ZoneRef) or self._rulebook.zones[target.name].capacity is None

    def _known_at(self, node: Node) -> list[tuple[Expr, bool]]:
        """Conditions of the branches, loops and cases a node stands in."""
        found: list[tuple[Expr, bool]] = []
        inside = node
        while inside.parent is not None:
            outer = self._flow.graph.node(inside.parent)
            if isinstance(outer.owns, If):
                label = next(part.label for part in outer.parts if inside.id in part.nodes)
                found += conjuncts(outer.owns.condition, label == "yes")
            elif isinstance(outer.owns, While) and outer.role == "enter":
                found += conjuncts(outer.owns.condition)
            elif isinstance(outer.owns, Case):
                found += [*conjuncts(outer.owns.guard), *conjuncts(outer.owns.late_guard)]
            inside = outer
        return found


def owned_stmt(node: Node) -> Stmt | None:
    """The statement that a node carries out itself; None for heads of loops, cases, starts and ends."""
    return node.owns if node.role == "" and node.parent is not None else None  # type: ignore[return-value]


def _bound(node: Node) -> list[Slot]:
    """The locals that get a value of their own at a node."""
    match node.owns:
        case Let(slot=slot) | Chance(slot=slot):
            return [slot]
        case Case(binders=binders):
            return [binder.slot for binder in binders]
        case ForEach(slot=slot) | EachPlayer(slot=slot) | Rounds(slot=slot):
            return [slot] if node.role == "next" else []
        case Step(params=params):
            return list(params) if node.role == "start" else []
        case _:
            return []


def _slot_key(slot: Slot | None) -> str:
    assert slot is not None
    return f"local {slot.name} {slot.owner}#{slot.number}"


def _plain(key: str) -> str:
    """A key as in messages: the name."""
    return f"'{key.split()[1]}'" if key.startswith("local ") else f"'{key.split('.')[-1]}'"


def _bounds(amount: Expr) -> tuple[int, int]:
    return _range(amount.type)


def _range(type_: Type) -> tuple[int, int]:
    return (type_.low, type_.high) if isinstance(type_, Int) else (0, 0)


def _set_change(stmt: SetPlace) -> _Change:
    """`set x to x + k - m` moves x by k - m, `set x to []` clears it; anything else sets it."""
    if isinstance(stmt.value, ListOf) and not stmt.value.items:
        return _Change("clear", stmt.target)
    low = high = seen = 0
    stack = [(stmt.value, 1)]
    while stack:
        part, sign = stack.pop()
        match part:
            case Binary(op="+" | "-" as op):
                stack += [(part.left, sign), (part.right, sign if op == "+" else -sign)]
            case Unary(op="-"):
                stack.append((part.operand, -sign))
            case _ if sign == 1 and same(part, stmt.target):
                seen += 1
            case _:
                bounds = sorted(sign * bound for bound in _range(part.type))
                low, high = low + bounds[0], high + bounds[1]
    if seen == 1:
        return _Change("shift", stmt.target, low, high)
    return _Change("set", stmt.target, value=stmt.value)


def _compares(op: str, value: object, other: object) -> bool | None:
    if isinstance(value, int) and isinstance(other, int):
        return _COMPARE[op](value, other)
    if op in ("=", "!="):
        return (value == other) is (op == "=")
    return None


def _says_filled(part: Expr, holds: bool, zone: ZoneRef) -> bool:
    """Whether a condition says that a zone has a piece."""
    match part:
        case IsEmpty(value=value):
            return not holds and same(value, zone)
        case Binary(op=op, left=ZoneCount(zone=counted), right=Lit(value=int() as n)) if holds:
            return same(counted, zone) and (op, n) in ((">", 0), (">=", 1), ("!=", 0))
        case _:
            return False


def _says_positive(part: Expr, holds: bool, amount: Expr) -> bool:
    match part:
        case Binary(op=op, left=left, right=Lit(value=int() as n)) if holds:
            return same(left, amount) and ((op == ">" and n >= 0) or (op == ">=" and n >= 1))
        case _:
            return False
