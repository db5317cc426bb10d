"""How far a condition is from being so.

Purpose: tells a search whether a position is nearer to a rule than another. Input: needs (`goals`), a
position through an evaluator. Output: a number for each condition that is asked for, 0 where it is met.
Invariants: nothing is changed, and nothing is known of any game. Of two numbers the distance is what lacks,
of a zone that is to be empty what it holds, of "and" the sum, of "or" the least. That a piece is to be in a
zone, or a variable to have a value, is as far as the conditions under which a rule brings that about. A local
that has no value is the player, piece or argument that is nearest; where there are too many or the rules
forbid the question, the distance is a flat 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from conche.interpret.evaluate import BrokenRuleError, Env, Evaluator, slot_key
from conche.interpret.position import SlotKey, Value
from conche.lattice.goals import Kind, Need, Way, Ways, free_players
from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, Flag, Int, KindT, PlayerT

UNKNOWN = 1.0
NEVER = 1000.0
"""Of what is no by itself."""

_MOST = 64
"""So many values of one local are tried."""

_DEEP = 2
"""So far back it is looked how something comes about."""

_PLENTY = 0.25
_AMPLE = 4

_FUEL = 200
"""So many expressions are looked at for one answer."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition that is asked for, and how far it is from that."""

    kind: Kind
    expr: rb.Expr
    far: float
    said: str = ""
    """What it was about, in numbers: `7, not 8`."""
    ample: int = 0
    """Of what is to be there at all and is: how many of it, up to 4."""

    @property
    def cost(self) -> float:
        """The distance; a bit less where there is plenty, as what is used up on the way then lasts longer."""
        return self.far - _PLENTY * self.ample


class Meter:
    """Measures in one position."""

    def __init__(self, evaluator: Evaluator, ways: Ways) -> None:
        self.evaluator = evaluator
        self.book = evaluator.book
        self.ways = ways
        self._deep = 0
        self._fuel = _FUEL

    # ------------------------------------------------------------------------------------ of needs

    def nearest(self, ways: Sequence[Sequence[Need]], env: Env | None = None) -> tuple[Atom, ...]:
        """The conditions of that way which is the nearest to be gone."""
        self._fuel = _FUEL
        found = [self.atoms(needs, env or {}) for needs in ways]
        return min(found, key=total, default=())

    def atoms(self, needs: Sequence[Need], env: Env) -> tuple[Atom, ...]:
        """For those players, among the ones that the needs leave open, who are the nearest."""
        players = [
            slot
            for slot in free_players(*(one.expr for one in needs))
            if slot_key(slot) not in env and not any(slot == s for one in needs for s, _ in one.within)
        ][:2]
        best: tuple[Atom, ...] | None = None
        seats = self.evaluator.position.still_in()
        for chosen in product(seats, repeat=len(players)):
            inner = {**env, **{slot_key(slot): seat for slot, seat in zip(players, chosen, strict=True)}}
            found = tuple(atom for need in needs for atom in self._need(need, inner))
            if best is None or total(found) < total(best):
                best = found
        return best or ()

    def _need(self, need: Need, env: Env) -> tuple[Atom, ...]:
        best: tuple[Atom, ...] | None = None
        for inner in self._assigned(need.within, dict(env)):
            found = tuple(self._flat(need.kind, need.expr, inner))
            if best is None or total(found) < total(best):
                best = found
            if total(best) == 0 or self._fuel <= 0:
                break
        if best is None:  # nothing to choose from
            (first, *_) = [source for _, source in need.within]
            return (Atom(Kind.SOME, first, 1.0),)
        return best

    def _assigned(
        self, within: tuple[tuple[rb.Slot, rb.Expr], ...], env: dict[SlotKey, Value]
    ) -> Iterator[dict[SlotKey, Value]]:
        if not within:
            yield env
            return
        (slot, source), *rest = within
        key = slot_key(slot)
        if key in env:
            yield from self._assigned(tuple(rest), env)
            return
        for item in self._some_items(source, env):
            yield from self._assigned(tuple(rest), {**env, key: item})

    def _some_items(self, source: rb.Expr, env: Env) -> tuple[Value, ...]:
        try:
            return tuple(dict.fromkeys(self.evaluator.items(source, env)))[:_MOST]
        except (BrokenRuleError, AssertionError):
            return ()

    def _flat(self, kind: Kind, expr: rb.Expr, env: Env) -> Iterator[Atom]:
        """The parts of a condition of which all must be so."""
        match expr:
            case rb.Binary(op="and" | "or") if kind is (Kind.YES if expr.op == "and" else Kind.NO):
                yield from self._flat(kind, expr.left, env)
                yield from self._flat(kind, expr.right, env)
            case rb.Unary(op="not"):
                yield from self._flat(Kind.NO if kind is Kind.YES else Kind.YES, expr.operand, env)
            case rb.Call() if (opened := self._opened(expr, env)) is not None:
                yield from self._flat(kind, opened[0], opened[1])
            case rb.Cond(otherwise=rb.Lit(value=0)) if kind is Kind.WORTH:
                yield from self._flat(Kind.YES, expr.condition, env)
                yield from self._flat(Kind.WORTH, expr.then, env)
            case _:
                far = self.far(kind, expr, env)
                yield Atom(kind, expr, far, self._said(expr, env), 0 if far else self._ample(kind, expr, env))

    def _ample(self, kind: Kind, expr: rb.Expr, env: Env) -> int:
        if kind is Kind.NO and isinstance(expr, rb.IsEmpty):
            return min(_AMPLE, len(self.evaluator.items(expr.value, env)))
        return min(_AMPLE, len(self.evaluator.items(expr, env))) if kind is Kind.SOME else 0

    def _opened(self, call: rb.Call, env: Env) -> tuple[rb.Expr, Env] | None:
        """The value of a query that has just one, with its arguments."""
        query = self.book.rulebook.queries[call.query]
        if query.lets or len(query.cases) != 1:
            return None
        try:
            return query.cases[0].value, self._given(query, call, env)
        except (BrokenRuleError, AssertionError):
            return None

    def _given(self, query: rb.Query, call: rb.Call, env: Env) -> dict[SlotKey, Value]:
        return {
            slot_key(slot): self.evaluator.value(arg, env)
            for slot, arg in zip(query.params, call.args, strict=True)
        }

    def _said(self, expr: rb.Expr, env: Env) -> str:
        try:
            match expr:
                case rb.Binary(op="<" | ">" | "<=" | ">=" | "=" | "!=") if isinstance(expr.left.type, Int):
                    left = self.evaluator.number(expr.left, env)
                    right = self.evaluator.number(expr.right, env)
                    return f"{left} and {right}"
                case rb.IsEmpty(value=rb.ZoneRef() as zone):
                    return f"{self.evaluator.heap(zone, env).size} left"
                case rb.IsEmpty(value=value):
                    return f"{len(self.evaluator.items(value, env))} in it"
        except (BrokenRuleError, AssertionError):
            pass
        return ""

    # ------------------------------------------------------------------------------ of expressions

    def far(self, kind: Kind, expr: rb.Expr, env: Env) -> float:
        self._fuel -= 1
        try:
            if self._fuel <= 0:
                return 0.0 if self._met(kind, expr, env) else UNKNOWN
            match kind:
                case Kind.YES:
                    return self._yes(expr, env)
                case Kind.NO:
                    return self._no(expr, env)
                case Kind.SOME:
                    return self._some(expr, env)
                case Kind.NONE:
                    return float(len(self.evaluator.items(expr, env)))
                case Kind.WORTH:
                    return self._worth(expr, env)
        except (BrokenRuleError, AssertionError, KeyError):
            return UNKNOWN

    def _met(self, kind: Kind, expr: rb.Expr, env: Env) -> bool:
        match kind:
            case Kind.YES | Kind.NO:
                return self.evaluator.flag(expr, env) == (kind is Kind.YES)
            case Kind.SOME | Kind.NONE:
                return bool(self.evaluator.items(expr, env)) == (kind is Kind.SOME)
            case Kind.WORTH:
                return self.evaluator.number(expr, env) != 0

    def _yes(self, expr: rb.Expr, env: Env) -> float:
        match expr:
            case rb.Lit():
                return 0.0 if expr.value else NEVER
            case rb.Binary(op="and"):
                return self.far(Kind.YES, expr.left, env) + self.far(Kind.YES, expr.right, env)
            case rb.Binary(op="or"):
                return min(self.far(Kind.YES, expr.left, env), self.far(Kind.YES, expr.right, env))
            case rb.Unary():
                return self.far(Kind.NO, expr.operand, env)
            case rb.Cond():
                return self._either(Kind.YES, expr, env)
            case rb.Call():
                return self._call(Kind.YES, expr, env)
            case rb.Fold(op="any" | "all"):
                return self._fold(Kind.YES, expr, env)
            case rb.IsEmpty():
                return float(len(self.evaluator.items(expr.value, env)))
            case rb.Binary():
                return self._compare(expr.op, expr, env)
        if self.evaluator.flag(expr, env):
            return 0.0
        return 1.0 + self._comes_about(expr, True, env)

    def _no(self, expr: rb.Expr, env: Env) -> float:
        match expr:
            case rb.Lit():
                return NEVER if expr.value else 0.0
            case rb.Binary(op="and"):
                return min(self.far(Kind.NO, expr.left, env), self.far(Kind.NO, expr.right, env))
            case rb.Binary(op="or"):
                return self.far(Kind.NO, expr.left, env) + self.far(Kind.NO, expr.right, env)
            case rb.Unary():
                return self.far(Kind.YES, expr.operand, env)
            case rb.Cond():
                return self._either(Kind.NO, expr, env)
            case rb.Call():
                return self._call(Kind.NO, expr, env)
            case rb.Fold(op="any" | "all"):
                return self._fold(Kind.NO, expr, env)
            case rb.IsEmpty():
                return self._some(expr.value, env)
            case rb.Binary() if expr.op in _OPPOSITE:
                return self._compare(_OPPOSITE[expr.op], expr, env)
        if not self.evaluator.flag(expr, env):
            return 0.0
        return 1.0 + self._comes_about(expr, False, env)

    def _either(self, kind: Kind, expr: rb.Cond, env: Env) -> float:
        then = self.far(Kind.YES, expr.condition, env) + self.far(kind, expr.then, env)
        return min(then, self.far(Kind.NO, expr.condition, env) + self.far(kind, expr.otherwise, env))

    def _call(self, kind: Kind, call: rb.Call, env: Env) -> float:
        if self._met(kind, call, env):  # this is remembered, what follows is not
            return 0.0
        query = self.book.rulebook.queries[call.query]
        inner = self._given(query, call, env)
        for let in query.lets:
            inner[slot_key(let.slot)] = self.evaluator.value(let.value, inner)
        best, before = NEVER, 0.0
        for case in query.cases:
            here = before + self.far(kind, case.value, inner)
            if case.condition is not None:
                here += self.far(Kind.YES, case.condition, inner)
                before += self.far(Kind.NO, case.condition, inner)
            best = min(best, here)
        return best

    def _fold(self, kind: Kind, expr: rb.Fold, env: Env) -> float:
        """`any` holds: the nearest of them; `all` holds: every one; and the other way round."""
        key, one = slot_key(expr.slot), (expr.op == "any") == (kind is Kind.YES)
        found: list[float] = []
        for item in self.evaluator.items(expr.source, env)[:_MOST]:
            if self._fuel <= 0:
                break
            inner = {**env, key: item}
            far = 0.0 if expr.body is None else self.far(kind, expr.body, inner)
            if expr.where is not None:
                if one:
                    far += self.far(Kind.YES, expr.where, inner)
                else:
                    far = min(far, self.far(Kind.NO, expr.where, inner))
            found.append(far)
        return min(found, default=1.0) if one else sum(found)

    def _some(self, expr: rb.Expr, env: Env) -> float:
        """Not empty. Of what is picked out of others: the nearest to be picked."""
        if self.evaluator.items(expr, env):
            return 0.0
        if isinstance(expr, rb.Range):
            low = self.evaluator.number(expr.low, env)
            return float(max(1, low - self.evaluator.number(expr.high, env)))
        if isinstance(expr, rb.Fold) and expr.where is not None:
            key = slot_key(expr.slot)
            items = self.evaluator.items(expr.source, env)[:_MOST]
            return min((self.far(Kind.YES, expr.where, {**env, key: item}) for item in items), default=1.0)
        zone = expr.zone if isinstance(expr, rb.ZoneKinds) else expr
        if isinstance(zone, rb.ZoneRef):
            return 1.0 + self._comes_in(zone, None, env)
        return 1.0

    def _worth(self, expr: rb.Expr, env: Env) -> float:
        """A number that is not 0."""
        match expr:
            case rb.Lit():
                return 0.0 if expr.value else NEVER
            case rb.Cond():
                return self._either(Kind.WORTH, expr, env)
            case rb.Call():
                return self._call(Kind.WORTH, expr, env)
            case rb.Binary(op="*"):
                return self.far(Kind.WORTH, expr.left, env) + self.far(Kind.WORTH, expr.right, env)
            case _ if self.evaluator.number(expr, env) != 0:
                return 0.0
            case rb.Binary(op="+" | "-"):
                return min(self.far(Kind.WORTH, expr.left, env), self.far(Kind.WORTH, expr.right, env))
            case rb.Fold(op="count" | "sum" | "most"):
                return self._some_worth(expr, env)
            case rb.ZoneHolds():
                return 1.0 + self._comes_in(expr.zone, self.evaluator.text(expr.kind, env), env)
        return 1.0

    def _some_worth(self, expr: rb.Fold, env: Env) -> float:
        """The nearest of those that are counted, or of the pieces that could be."""
        key, best = slot_key(expr.slot), 1.0 + UNKNOWN
        if self._fuel <= 0:
            return best

        def far(item: Value) -> float:
            inner = {**env, key: item}
            found = 0.0 if expr.where is None else self.far(Kind.YES, expr.where, inner)
            return found + (0.0 if expr.body is None else self.far(Kind.WORTH, expr.body, inner))

        for item in self.evaluator.items(expr.source, env)[:_MOST]:
            if self._fuel > 0:
                best = min(best, far(item))
        if isinstance(expr.source, rb.ZoneRef):
            for kind in self.book.order[self.book.zone(expr.source.name).of]:
                if far(kind) == 0:
                    best = min(best, 1.0 + self._comes_in(expr.source, kind, env))
        return best

    def _compare(self, op: str, expr: rb.Binary, env: Env) -> float:
        if op in ("in", "not in"):
            return self._among(op, expr, env)
        if op in ("=", "!="):
            if self.evaluator.flag(expr, env) == (op == expr.op):
                return 0.0
            left, right = self.evaluator.value(expr.left, env), self.evaluator.value(expr.right, env)
            if op == "!=":
                return 1.0
            if isinstance(left, int) and isinstance(right, int) and isinstance(expr.left.type, Int):
                return float(abs(left - right))
            return 1.0 + self._comes_about(expr.left, right, env)
        left, right = self.evaluator.number(expr.left, env), self.evaluator.number(expr.right, env)
        lacks = {"<": left - right + 1, "<=": left - right, ">": right - left + 1, ">=": right - left}[op]
        if lacks <= 0:
            return 0.0
        if isinstance(expr.left, rb.ZoneHolds) and op in (">", ">="):
            return lacks + self._comes_in(expr.left.zone, self.evaluator.text(expr.left.kind, env), env)
        return float(lacks)

    def _among(self, op: str, expr: rb.Binary, env: Env) -> float:
        found, items = self.evaluator.value(expr.left, env), self.evaluator.items(expr.right, env)
        if (found in items) == (op == "in"):
            return 0.0
        if op != "in":
            return float(items.count(found))
        if isinstance(expr.right, rb.ZoneRef) and isinstance(found, str):
            return 1.0 + self._comes_in(expr.right, found, env)
        if isinstance(found, int) and isinstance(expr.left.type, Int):
            return float(min((abs(item - found) for item in items if isinstance(item, int)), default=1))
        return 1.0

    # ------------------------------------------------------------------------ how it comes about

    def _comes_in(self, zone: rb.ZoneRef, kind: str | None, env: Env) -> float:
        """What must be so for a piece (of that kind) to come into a zone."""
        seat = None
        if zone.player is not None:
            seat = self.evaluator.value(zone.player, env)
        return self._least(self.ways.into.get(zone.name, ()), kind, seat)

    def _comes_about(self, place: rb.Expr, value: Value, env: Env) -> float:
        """What must be so for a variable to get a value."""
        match place:
            case rb.GlobalVar() | rb.SpaceVar():
                return self._least(self.ways.sets.get(place.name, ()), value, None)
            case rb.PlayerVar():
                seat = self.evaluator.seat(place.player, env)
                return self._least(self.ways.sets.get(place.name, ()), value, seat)
            case _:
                return 0.0

    def _least(self, ways: Sequence[Way], value: Value, seat: Value) -> float:
        """Between 0 and 4; the nearer the ends, the less it says."""
        if self._deep >= _DEEP or not ways:
            return 0.0
        self._deep += 1
        found: list[float] = []
        for way in ways:
            env = self._bound(way, value, seat)
            if env is not None:
                found.append(total(self.atoms(way.needs, env)))
            if self._fuel <= 0:
                break
        self._deep -= 1
        far = min(found, default=NEVER)
        return 4 * far / (far + 6)

    def _bound(self, way: Way, value: Value, seat: Value) -> dict[SlotKey, Value] | None:
        """The locals for which the way brings just this value to this player; None for never."""
        env: dict[SlotKey, Value] = {}
        if isinstance(way.player, rb.Local) and isinstance(way.player.slot.type, PlayerT):
            env[slot_key(way.player.slot)] = seat
        match way.value:
            case _ if value is None:
                pass
            case rb.Local(slot=slot):
                env[slot_key(slot)] = value
                if not self._offered(way, slot, value, env):
                    return None
            case rb.Lit(value=other) if other != value and not self._copy(other, value):
                return None
        return env

    def _copy(self, family: Value, kind: Value) -> bool:
        return isinstance(family, str) and kind in self.book.copies.get(family, ())

    def _offered(self, way: Way, slot: rb.Slot, value: Value, env: Mapping[SlotKey, Value]) -> bool:
        """Whether an argument that has a source can have that value now."""
        if not isinstance(slot.type, KindT | EnumT | Flag):
            return True
        sources = [source for need in way.needs for own, source in need.within if own == slot]
        if not sources:
            return True
        try:
            return value in self.evaluator.items(sources[0], env)
        except (BrokenRuleError, AssertionError):
            return True


_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "=", "in": "not in"}


def total(atoms: Sequence[Atom]) -> float:
    return sum(atom.far for atom in atoms)
