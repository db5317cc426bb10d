"""Why a condition holds or does not, and why a value is in a collection or is not.

Purpose: from an expression to the innermost parts that decided, with the values of what they speak of.
Input: expressions and the values of their locals, in what a player sees. Output: `Reason`s.
Invariants: what the player does not see decides nothing here but that one says so; what is told depends on
nothing else (`seen.py`). Every reason has a rule. The depth is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conche.graph.expressions import children
from conche.interpret.evaluate import Env, as_space, board_of, slot_key
from conche.interpret.position import SlotKey, Value
from conche.semantics.rulebook import (
    Around,
    Binary,
    Call,
    Case,
    Cond,
    Expr,
    Fold,
    IsEmpty,
    IsKind,
    IsPiece,
    ListOf,
    Lit,
    Members,
    MinMax,
    PlayerCount,
    Players,
    PlayerVar,
    Query,
    Range,
    Sides,
    SpaceEmpty,
    SpaceField,
    SpaceKind,
    Spaces,
    Turns,
    Unary,
    ZoneCount,
    ZoneHolds,
    ZoneKinds,
    ZoneRef,
    ZoneRoom,
)
from conche.semantics.types import ListT, PlayerT, SetT, SpaceT, Type
from conche.why.seen import Look, Seen
from conche.why.texts import Texts
from conche.why.words import items_text, kind_text, value_text
from conche_runtime.explanation import Kind, Reason, Rule
from conche_runtime.explanation import Value as Told

MOST_DEPTH = 12
MOST_PARTS = 6
"""So many parts of a collection, or of a condition, are explained."""


@dataclass(frozen=True, slots=True)
class Home:
    """The declaration that an expression stands in. `name`: what its locals belong to."""

    path: str
    file: str
    cites: tuple[str, ...]


class Conditions:
    """Explains expressions in one position to one player."""

    def __init__(self, seen: Seen, texts: Texts) -> None:
        self.seen = seen
        self.texts = texts
        self.book = seen.book

    # -------------------------------------------------------------------------------- places and words

    def rule(self, expr: Expr | Case, home: Home) -> Rule:
        """The line of an expression. What a module has put into another's declaration cites for itself."""
        own = expr.span.file == home.file
        return self.texts.rule(expr.span, home.path, home.cites if own else ())

    def say(self, expr: Expr, env: Env) -> str:
        """An expression in the rules' words."""
        return self.texts.expression(expr)

    def shown(self, look: Look, type_: Type) -> str:
        if look.hidden:
            return "what you cannot see"
        if look.fault is not None:
            return "not to be had"
        return value_text(self.book, look.value, type_)

    def on(self, board: str, value: Value) -> str:
        """What lies on a space."""
        stack = self.seen.position.boards[board].get(as_space(value), ())
        if not stack:
            return "no piece"
        top = stack[-1]
        whose = "" if top.owner is None else f" of {self.book.seat_name(top.owner)}"
        more = f", {len(stack)} high" if len(stack) > 1 else ""
        return f"{kind_text(self.book, top.of, top.kind)}{whose}{more}"

    # -------------------------------------------------------------------------------- values that decided

    def values(self, *exprs: Expr | None, env: Env) -> tuple[Told, ...]:
        """What the parts of expressions are worth, each once; what the player does not see is left out."""
        found: dict[Told, None] = {}
        for expr in exprs:
            if expr is not None:
                found.update(dict.fromkeys(self._atoms(expr, env)))
        return tuple(found)

    def _atoms(self, expr: Expr, env: Env) -> Iterator[Told]:
        match expr:
            case Lit() | Members() | Sides() | Players() | PlayerCount():
                return
            case IsEmpty(value=ZoneRef() as zone):
                yield from self._contents(zone, env)
            case Binary() | Unary() | MinMax() | Cond() | Range() | ListOf() | IsEmpty():
                for part in children(expr):
                    yield from self._atoms(part, env)
            case SpaceEmpty(space=space) | IsPiece(space=space) | SpaceKind(space=space):
                yield from self._space(space, env)
            case IsKind(value=value) if isinstance(value.type, SpaceT):
                yield from self._space(value, env)
            case IsKind(value=value):
                yield from self._atoms(value, env)
            case SpaceField(space=space):
                yield from self._space(space, env)
                yield from self._value(expr, env)
            case _:
                yield from self._value(expr, env)

    def _value(self, expr: Expr, env: Env) -> Iterator[Told]:
        look = self.seen.look(expr, env)
        if look.known:
            yield Told(self._name(expr, env), value_text(self.book, look.value, expr.type))

    def _contents(self, zone: ZoneRef, env: Env) -> Iterator[Told]:
        """What is in a zone; of one that the player cannot look into how much."""
        look = self.seen.look(zone, env)
        if look.known:
            yield Told(self._name(zone, env), value_text(self.book, look.value, zone.type))
        elif zone.player is None or self.seen.look(zone.player, env).known:
            size = self.seen.size(zone, env)
            if size is not None:
                yield Told(f"count({self._name(zone, env)})", str(size))

    def _space(self, space: Expr, env: Env) -> Iterator[Told]:
        look = self.seen.look(space, env)
        if look.known and look.value is not None:
            shown = value_text(self.book, look.value, space.type)
            name = f"on {shown}" if isinstance(space, Lit) else f"on {self.say(space, env)} {shown}"
            yield Told(name, self.on(board_of(space), look.value))

    def _name(self, expr: Expr, env: Env) -> str:
        """What a value is of; players by their names where the rules have a local for them."""
        match expr:
            case PlayerVar(name=name, player=player) | ZoneRef(name=name, player=player):
                return f"{self._owner(player, env)}{name}"
            case ZoneCount(zone=zone):
                return f"count({self._name(zone, env)})"
            case ZoneRoom(zone=zone):
                return f"room({self._name(zone, env)})"
            case ZoneKinds(zone=zone):
                return f"kinds({self._name(zone, env)})"
            case ZoneHolds(zone=zone, kind=kind):
                look = self.seen.look(kind, env)
                inner = self.shown(look, kind.type) if look.known else self.say(kind, env)
                return f"{self._name(zone, env)}[{inner}]"
            case Call(query=query, args=args):
                looks = [(self.seen.look(arg, env), arg) for arg in args]
                shown = [
                    value_text(self.book, look.value, arg.type) if look.known else self.say(arg, env)
                    for look, arg in looks
                ]
                return f"{query}({', '.join(shown)})"
            case _:
                return self.say(expr, env)

    def _owner(self, player: Expr | None, env: Env) -> str:
        if player is None:
            return ""
        if isinstance(player.type, PlayerT):
            look = self.seen.look(player, env)
            if look.known and isinstance(look.value, int):
                return f"{self.book.seat_name(look.value)}."
        return f"{self.say(player, env)}."

    # -------------------------------------------------------------------------------- conditions

    def condition(self, expr: Expr, env: Env, home: Home, want: bool, depth: int = 0) -> list[Reason]:
        """Why a condition is as wanted: the innermost parts that make it so."""
        look = self.seen.look(expr, env)
        if depth > MOST_DEPTH or (look.fault is not None and not look.hidden):
            return [self._leaf(expr, env, home, look, want)]
        match expr:
            case Binary(op="and" | "or"):
                return self._joined(expr, env, home, want, depth)
            case Unary(op="not", operand=operand) if not isinstance(operand, IsEmpty | SpaceEmpty):
                inner = self.seen.look(operand, env)
                if _is_deep(operand) and not inner.hidden:
                    return self.condition(operand, env, home, not want, depth + 1)
            case Call() if not look.hidden:
                return [self._call(expr, env, home, want, depth)]
            case Fold(op="any" | "all") if not look.hidden:
                return self._any_all(expr, env, home, want, depth)
            case Cond() if not look.hidden:
                chosen = self.seen.look(expr.condition, env)
                if chosen.known:
                    branch = expr.then if chosen.value else expr.otherwise
                    told = (
                        [] if isinstance(branch, Lit) else self.condition(branch, env, home, want, depth + 1)
                    )
                    return [*self.condition(expr.condition, env, home, bool(chosen.value), depth + 1), *told]
            case Binary(op="in", left=left, right=right) if not look.hidden and _is_deep(right):
                value = self.seen.look(left, env)
                if value.known:
                    inner_reasons = self.membership(right, value.value, left.type, env, home, want, depth + 1)
                    return [
                        Reason(
                            "holds" if want else "fails",
                            self._claim(expr, env, want),
                            self.rule(expr, home),
                            self.values(left, env=env),
                            tuple(inner_reasons),
                        )
                    ]
            case _:
                pass
        return [self._leaf(expr, env, home, look, want)]

    def _claim(self, expr: Expr, env: Env, holds: bool) -> str:
        return f"'{self.say(expr, env)}' {'holds' if holds else 'does not hold'}"

    def _leaf(self, expr: Expr, env: Env, home: Home, look: Look, want: bool) -> Reason:
        rule = self.rule(expr, home)
        if look.hidden:
            return Reason("hidden", f"'{self.say(expr, env)}' depends on what you cannot see", rule)
        if look.fault is not None:
            return Reason("fault", f"'{self.say(expr, env)}' cannot be worked out: {look.fault}", rule)
        kind: Kind = "holds" if want else "fails"
        return Reason(kind, self._claim(expr, env, want), rule, self.values(expr, env=env))

    def _joined(self, expr: Binary, env: Env, home: Home, want: bool, depth: int) -> list[Reason]:
        """Parts joined by `and` or `or`."""
        parts = list(_parts(expr, expr.op))
        looks = [self.seen.look(part, env) for part in parts]
        decided_by_one = want == (expr.op == "or")
        if decided_by_one:  # one true part of `or`, one false part of `and`
            for part, look in zip(parts, looks, strict=True):
                if look.known and look.value == want:
                    return self.condition(part, env, home, want, depth + 1)
            for part, look in zip(parts, looks, strict=True):
                if look.hidden or look.fault is not None:
                    return [self._leaf(part, env, home, look, want)]
            return [self._leaf(expr, env, home, Look(hidden=True), want)]
        return [
            reason
            for part, look in zip(parts, looks, strict=True)
            for reason in (
                self.condition(part, env, home, want, depth + 1)
                if look.known
                else [self._leaf(part, env, home, look, want)]
            )
        ]

    def _call(self, expr: Call, env: Env, home: Home, want: bool, depth: int) -> Reason:
        """A query that is a condition."""
        query = self.book.rulebook.queries[expr.query]
        args = [self.seen.look(arg, env) for arg in expr.args]
        rule = self.rule(expr, home)
        claim = f"'{self._name(expr, env)}' {'holds' if want else 'does not hold'}"
        kind: Kind = "holds" if want else "fails"
        if not all(arg.known for arg in args):
            return Reason("hidden", f"'{self.say(expr, env)}' depends on what you cannot see", rule)
        inner = self._query_env(query, [arg.value for arg in args])
        because: list[Reason] = []
        if inner is not None:
            for case in query.cases:
                inside = self._home(query, case.cites)
                if case.condition is not None:
                    holds = self.seen.look(case.condition, inner)
                    if not holds.known:
                        because.append(self._leaf(case.condition, inner, inside, holds, want))
                        break
                    if not holds.value:
                        continue
                    because += self.condition(case.condition, inner, inside, True, depth + 1)
                if isinstance(case.value, Lit):
                    because = because or [
                        Reason(
                            kind,
                            f"it is {value_text(self.book, want, expr.type)}",
                            self.rule(case.value, inside),
                        )
                    ]
                    if case.condition is None and len(query.cases) > 1:
                        because = self._none_of(query, inner, depth)
                else:
                    because += self.condition(case.value, inner, inside, want, depth + 1)
                break
        return Reason(kind, claim, rule, (), tuple(because[: 2 * MOST_PARTS]))

    def _none_of(self, query: Query, env: Env, depth: int) -> list[Reason]:
        """Why none of a query's conditions holds."""
        found: list[Reason] = []
        for case in query.cases[:MOST_PARTS]:
            if case.condition is not None:
                inside = self._home(query, case.cites)
                found += self.condition(case.condition, env, inside, False, depth + 1)
        return found

    def _any_all(self, expr: Fold, env: Env, home: Home, want: bool, depth: int) -> list[Reason]:
        """One item decides that any does, or that not all do."""
        source = self.seen.look(expr.source, env)
        if not source.known or not isinstance(source.value, tuple):
            return [self._leaf(expr, env, home, self.seen.look(expr, env), want)]
        rule, name = self.rule(expr, home), expr.slot.name
        fits: list[Value] = []
        for item in source.value:
            inner = self._with(expr, env, item)
            where = Look(True) if expr.where is None else self.seen.look(expr.where, inner)
            if not where.known:
                return [self._leaf(expr, env, home, where, want)]
            if where.value:
                fits.append(item)
        if (expr.op == "any") == want:
            for item in fits:
                inner = self._with(expr, env, item)
                body = Look(True) if expr.body is None else self.seen.look(expr.body, inner)
                if body.known and bool(body.value) == want:
                    parts = [part for part in (expr.where, expr.body) if part is not None]
                    because = [
                        reason
                        for part in parts
                        for reason in self.condition(
                            part, inner, home, want if part is expr.body else True, depth + 1
                        )
                    ]
                    told = (Told(name, value_text(self.book, item, expr.slot.type)),)
                    claim = self._claim(expr, env, want)
                    return [Reason("holds" if want else "fails", claim, rule, told, tuple(because))]
        listed_items = self._items(source.value, expr.slot.type)
        values = (Told(self._name(expr.source, env), listed_items),)
        because = []
        if expr.op == "any" and len(source.value) == 1:
            inner = self._with(expr, env, source.value[0])
            part = expr.where if expr.where is not None and not fits else expr.body
            if part is not None:
                because = self.condition(part, inner, home, False, depth + 1)
        return [
            Reason("holds" if want else "fails", self._claim(expr, env, want), rule, values, tuple(because))
        ]

    # -------------------------------------------------------------------------------- collections

    def membership(
        self, source: Expr, value: Value, type_: Type, env: Env, home: Home, want: bool, depth: int = 0
    ) -> list[Reason]:
        """Why a value is in a collection, or is not."""
        look = self.seen.look(source, env)
        if look.hidden or look.fault is not None or depth > MOST_DEPTH:
            return [self._leaf(source, env, home, look, want)]
        match source:
            case Call():
                return [self._in_query(source, value, type_, env, home, want, depth)]
            case Fold(op="each", body=None):
                return self._in_filter(source, value, type_, env, home, want, depth)
            case Fold(op="each") if want:
                return self._in_images(source, value, env, home, depth)
            case Binary(op="concat", left=left, right=right):
                parts = [part for part in (left, right) if not want or self._has(part, value, env)]
                return [
                    reason
                    for part in (parts[:1] if want else parts)
                    for reason in self.membership(part, value, type_, env, home, want, depth + 1)
                ]
            case Cond():
                return self._in_branch(source, value, type_, env, home, want, depth)
            case _:
                return [self._in_leaf(source, look, value, type_, env, home, want)]

    def _has(self, expr: Expr, value: Value, env: Env) -> bool:
        look = self.seen.look(expr, env)
        return look.known and isinstance(look.value, tuple) and value in look.value

    def _in_leaf(
        self, source: Expr, look: Look, value: Value, type_: Type, env: Env, home: Home, want: bool
    ) -> Reason:
        shown, rule = value_text(self.book, value, type_), self.rule(source, home)
        kind: Kind = "in" if want else "outside"
        word = "is" if want else "is not"
        values: tuple[Told, ...]
        match source:
            case Range(low=low, high=high):
                ends = f"{self._end(low, env)}..{self._end(high, env)}"
                return Reason(kind, f"{shown} {word} in {ends}", rule, self.values(low, high, env=env))
            case Spaces(board=board):
                text = f"{shown} {word} a space with a piece on it or beside it"
                return Reason(kind, text, rule, (Told(f"on {shown}", self.on(board, value)),))
            case Around(space=space):
                return Reason(
                    kind, f"{shown} {word} beside {self.say(space, env)}", rule, self.values(space, env=env)
                )
            case ListOf(items=written) if all(isinstance(item, Lit) for _, item in written):
                return Reason(kind, f"{shown} {word} in {self.say(source, env)}", rule)
            case Turns(kind=of):
                values = self.values(of, env=env)
            case _:
                values = ()
        items = look.value if isinstance(look.value, tuple) else ()
        item_type = source.type.element if isinstance(source.type, SetT | ListT) else type_
        told = Told(self._name(source, env), self._items(items, item_type))
        return Reason(kind, f"{shown} {word} in {self._name(source, env)}", rule, (*values, told))

    def _end(self, expr: Expr, env: Env) -> str:
        return self.shown(self.seen.look(expr, env), expr.type)

    def _items(self, items: Sequence[Value], type_: Type) -> str:
        return items_text(value_text(self.book, item, type_) for item in items)

    def _in_filter(
        self, source: Fold, value: Value, type_: Type, env: Env, home: Home, want: bool, depth: int
    ) -> list[Reason]:
        """`each(s in source where …)`"""
        inner = self._with(source, env, value)
        inside = self._has(source.source, value, env)
        found: list[Reason] = []
        if not inside or (want and _is_deep(source.source)):
            found += self.membership(source.source, value, type_, env, home, inside, depth + 1)
        if source.where is not None and (want or inside or isinstance(source.source, Spaces)):
            where = self.seen.look(source.where, inner)
            if not where.known:
                found.append(self._leaf(source.where, inner, home, where, want))
            elif bool(where.value) == want:
                found += self.condition(source.where, inner, home, want, depth + 1)
        return found or [self._in_leaf(source, self.seen.look(source, env), value, type_, env, home, want)]

    def _in_images(self, source: Fold, value: Value, env: Env, home: Home, depth: int) -> list[Reason]:
        """`each(f(s) for s in source where …)`: the first item that gives the value."""
        items = self.seen.look(source.source, env)
        assert source.body is not None
        for item in items.value if items.known and isinstance(items.value, tuple) else ():
            inner = self._with(source, env, item)
            where = Look(True) if source.where is None else self.seen.look(source.where, inner)
            body = self.seen.look(source.body, inner)
            if where.known and where.value and body.known and body.value == value:
                told = (Told(source.slot.name, value_text(self.book, item, source.slot.type)),)
                because = (
                    [] if source.where is None else self.condition(source.where, inner, home, True, depth + 1)
                )
                claim = f"it is {self.say(source.body, inner)}"
                return [Reason("in", claim, self.rule(source, home), told, tuple(because))]
        return [self._leaf(source, env, home, Look(hidden=True), True)]

    def _in_branch(
        self, source: Cond, value: Value, type_: Type, env: Env, home: Home, want: bool, depth: int
    ) -> list[Reason]:
        chosen = self.seen.look(source.condition, env)
        if not chosen.known:
            return [self._leaf(source.condition, env, home, chosen, want)]
        branch, other = source.then, source.otherwise
        if not chosen.value:
            branch, other = other, branch
        found = self.membership(branch, value, type_, env, home, want, depth + 1)
        if want or self._has(other, value, env):
            found += self.condition(source.condition, env, home, bool(chosen.value), depth + 1)
        return found

    def _in_query(
        self, source: Call, value: Value, type_: Type, env: Env, home: Home, want: bool, depth: int
    ) -> Reason:
        """A query that gives a collection: the case that counts, and those that would have had the value."""
        query = self.book.rulebook.queries[source.query]
        args = [self.seen.look(arg, env) for arg in source.args]
        word = "is" if want else "is not"
        kind: Kind = "in" if want else "outside"
        claim = f"{value_text(self.book, value, type_)} {word} in {self._name(source, env)}"
        inner = (
            self._query_env(query, [arg.value for arg in args]) if all(arg.known for arg in args) else None
        )
        because: list[Reason] = []
        missed: list[Reason] = []
        for case in query.cases if inner is not None else ():
            assert inner is not None
            inside = self._home(query, case.cites)
            holds = Look(True) if case.condition is None else self.seen.look(case.condition, inner)
            if not holds.known:
                assert case.condition is not None
                because.append(self._leaf(case.condition, inner, inside, holds, want))
                break
            if not holds.value:
                assert case.condition is not None
                if not want and self._has(case.value, value, inner):
                    text = f"it would be there if '{self.say(case.condition, inner)}' held"
                    failing = self.condition(case.condition, inner, inside, False, depth + 1)
                    missed.append(Reason("fails", text, self.rule(case.value, inside), (), tuple(failing)))
                continue
            if want and case.condition is not None:
                because += self.condition(case.condition, inner, inside, True, depth + 1)
            because += self.membership(case.value, value, type_, inner, inside, want, depth + 1)
            break
        because = [*because, *missed][: 2 * MOST_PARTS]
        return Reason(kind, claim, self._query_rule(query), (), tuple(because))

    # -------------------------------------------------------------------------------- queries

    def _home(self, query: Query, cites: tuple[str, ...]) -> Home:
        return Home(f"query.{query.name}", query.span.file, cites or query.cites)

    def _query_rule(self, query: Query) -> Rule:
        return self.texts.rule(query.span, f"query.{query.name}", query.cites)

    def _query_env(self, query: Query, args: Sequence[Value]) -> dict[SlotKey, Value] | None:
        """The locals of a query; None where one cannot be known."""
        env: dict[SlotKey, Value] = {
            slot_key(param): arg for param, arg in zip(query.params, args, strict=True)
        }
        for let in query.lets:
            look = self.seen.look(let.value, env)
            if not look.known:
                return None
            env[slot_key(let.slot)] = look.value
        return env

    def _with(self, fold: Fold, env: Env, item: Value) -> dict[SlotKey, Value]:
        return {**env, slot_key(fold.slot): item}


def _parts(expr: Expr, op: str) -> Iterator[Expr]:
    """The parts that one operator joins, in order."""
    stack: list[Expr] = [expr]
    while stack:
        top = stack.pop()
        if isinstance(top, Binary) and top.op == op:
            stack += (top.right, top.left)
        else:
            yield top


def _is_deep(expr: Expr) -> bool:
    """Whether there is more to be said of it than its value."""
    match expr:
        case Call() | Fold(op="each" | "any" | "all") | Cond() | Binary(op="concat" | "and" | "or"):
            return True
        case Unary(op="not", operand=operand):
            return _is_deep(operand)
        case _:
            return False


__all__ = ["Conditions", "Home"]
