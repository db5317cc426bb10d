"""What a rule that was not reached is about, as things that a player can have much or little of.

Purpose: gives a fast game something to wish for. Input: a goal and how things come about (`goals`). Output:
`Wish`es: variables, zones and locals that its conditions read, with a weight, less for what only helps.
Invariants: nothing is played here, and nothing is known of any game. The sign follows from the condition:
what is to be greater is wished for, what is to be empty is wished away. Where it says neither, chance
decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from conche.graph.expressions import children
from conche.lattice.goals import Goal, Kind, Need, Ways
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag, Int, ListT, SetT, Type

_DEEP = 2
"""So far back it is looked how something comes about."""

_HELP = 30.0
"""By so much what helps weighs less than what it helps with."""

_FUEL = 400
"""So many expressions are looked at for one condition."""


@dataclass(frozen=True, slots=True)
class Topic:
    """what: variable, zone (of a `kind`, None: of all), local."""

    what: str
    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """Much of it where the weight is above 0, but no more than `most`; little where it is below."""

    topic: Topic
    weight: float
    most: float


@dataclass(frozen=True, slots=True)
class _Said:
    """A topic in a condition. sign: 1 more, -1 less, 0 nobody can say. most: more is of no use."""

    topic: Topic
    sign: int
    most: float


_NO_END = float("inf")


def wishes_of(goal: Goal, ways: Ways, book: rb.Rulebook, rnd: random.Random) -> tuple[Wish, ...]:
    """For one of its ways, chosen by chance, as are the signs that nothing says."""
    open_ways = [needs for needs in goal.ways if needs]
    if not open_ways:
        return ()
    found: dict[Topic, Wish] = {}
    todo = [(need, 0) for need in rnd.choice(open_ways)]
    done: set[tuple[str, str]] = set()
    while todo:
        need, deep = todo.pop(0)
        for said in _said(need, book):
            sign = said.sign or rnd.choice((1, -1))
            weight = sign * rnd.choice((1.0, 1.0, 1.0, 4.0)) / _HELP**deep
            if said.topic not in found or abs(found[said.topic].weight) < abs(weight):
                found[said.topic] = Wish(said.topic, weight, said.most)
            if deep < _DEEP and sign > 0:
                todo += [(one, deep + 1) for one in _come_about(said.topic, ways, done, rnd)]
    return tuple(found.values())


def _come_about(topic: Topic, ways: Ways, done: set[tuple[str, str]], rnd: random.Random) -> tuple[Need, ...]:
    """What must be so for more of it."""
    key = (topic.what, topic.name)
    table = {"zone": ways.into, "variable": ways.sets}.get(topic.what, {})
    found = table.get(topic.name, [])
    if key in done or not found:
        return ()
    done.add(key)
    return rnd.choice(found).needs


def _said(need: Need, book: rb.Rulebook) -> Iterator[_Said]:
    sign = -1 if need.kind in (Kind.NO, Kind.NONE) else 1
    most = 1.0 if need.kind in (Kind.SOME, Kind.NONE) else _NO_END
    todo: list[tuple[rb.Expr, int, float]] = [
        (need.expr, sign, most),
        *[(source, 1, 1.0) for _, source in need.within],
    ]
    seen: set[tuple[int, int]] = set()
    for _ in range(_FUEL):
        if not todo:
            return
        expr, sign, most = todo.pop(0)
        if (id(expr), sign) in seen:
            continue
        seen.add((id(expr), sign))
        match expr:
            case rb.GlobalVar() | rb.PlayerVar() | rb.SpaceVar():
                if _has_size(expr.type):
                    yield _Said(Topic("variable", expr.name), sign, most)
            case rb.ZoneRef():
                yield _Said(Topic("zone", expr.name), sign, most)
            case rb.ZoneHolds(kind=rb.Lit(value=str(kind))):
                yield _Said(Topic("zone", expr.zone.name, kind), sign, most)
            case rb.ZoneHolds():
                yield _Said(Topic("zone", expr.zone.name), sign, most)
            case rb.ZoneRoom():
                yield _Said(Topic("zone", expr.zone.name), -sign, _NO_END)
            case rb.Local():
                if _has_size(expr.type):
                    yield _Said(Topic("local", expr.slot.name), sign, most)
            case rb.Binary(op="in", left=rb.Lit(value=str(kind)), right=rb.ZoneRef() as zone):
                yield _Said(Topic("zone", zone.name, kind), sign, 1.0)
            case rb.Unary():
                todo.append((expr.operand, -sign, _NO_END))
            case rb.IsEmpty():
                todo.append((expr.value, -sign, 1.0))
            case rb.Binary(op=">" | ">="):
                enough = _number(expr.right, 1 if expr.op == ">" else 0)
                todo += [(expr.left, sign, enough if sign > 0 else most), (expr.right, -sign, _NO_END)]
            case rb.Binary(op="<" | "<="):
                todo += [(expr.left, -sign, _NO_END), (expr.right, sign, _NO_END)]
            case rb.Binary(op="-"):
                todo += [(expr.left, sign, _NO_END), (expr.right, -sign, _NO_END)]
            case rb.Binary(op="=" | "!="):
                todo += [(expr.left, 1, _number(expr.right, 0)), (expr.right, 0, _NO_END)]
            case rb.Call():
                query = book.queries[expr.query]
                for case in query.cases:
                    todo.append((case.value, sign, most))
                    if case.condition is not None:
                        todo.append((case.condition, 1, _NO_END))
            case rb.ScoreOf():
                todo.append((book.scores[expr.score].value, sign, most))
            case rb.Cond():
                todo += [(expr.condition, 1, _NO_END), (expr.then, sign, most), (expr.otherwise, sign, most)]
            case _:
                todo += [(part, sign, most) for part in children(expr)]


def _number(expr: rb.Expr, more: int) -> float:
    """What a condition compares with, where it is a number, and something more; if that is above 0."""
    match expr:
        case rb.Lit(value=int(value)) if value + more > 0:
            return value + more
        case _:
            return _NO_END


def _has_size(of: Type) -> bool:
    return isinstance(of, Int | Flag | ListT | SetT)
