"""What a rule that was not reached is about, as things that a player can have much or little of.

Purpose: gives a fast game something to wish for. Input: a goal and how things come about (`goals`). Output:
`Wish`es: variables, zones and locals that its conditions read, with a weight, less for what only helps.
Invariants: nothing is played here, and nothing is known of any game. The sign follows from the condition: what
is to be greater is wished for, what is to be empty is wished away. Where it says neither, chance decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from conche.graph.expressions import children
from conche.lattice.goals import Goal, Kind, Need, Ways
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag, Int, ListT, Type

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
    """Many of it where the weight is above 0, few where it is below."""

    topic: Topic
    weight: float


@dataclass(frozen=True, slots=True)
class _Said:
    """A topic in a condition. sign: 1 more, -1 less, 0 nobody can say."""

    topic: Topic
    sign: int


def wishes_of(goal: Goal, ways: Ways, book: rb.Rulebook, rnd: random.Random) -> tuple[Wish, ...]:
    """For one of its ways, chosen by chance, as are the signs that nothing says."""
    open_ways = [needs for needs in goal.ways if needs]
    if not open_ways:
        return ()
    found: dict[Topic, float] = {}
    todo = [(need, 0) for need in rnd.choice(open_ways)]
    done: set[tuple[str, str]] = set()
    while todo:
        need, deep = todo.pop(0)
        for said in _said(need, book):
            sign = said.sign or rnd.choice((1, -1))
            weight = sign * rnd.choice((1.0, 1.0, 1.0, 4.0)) / _HELP**deep
            if abs(found.get(said.topic, 0.0)) < abs(weight):
                found[said.topic] = weight
            if deep < _DEEP and sign > 0:
                todo += [(one, deep + 1) for one in _come_about(said.topic, ways, done, rnd)]
    return tuple([Wish(topic, weight) for topic, weight in found.items()])


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
    todo: list[tuple[object, int]] = [(need.expr, sign), *[(source, 1) for _, source in need.within]]
    seen: set[tuple[int, int]] = set()
    for _ in range(_FUEL):
        if not todo:
            return
        expr, sign = todo.pop(0)
        if (id(expr), sign) in seen:
            continue
        seen.add((id(expr), sign))
        match expr:
            case rb.GlobalVar() | rb.PlayerVar():
                if _has_size(expr.type):
                    yield _Said(Topic("variable", expr.name), sign)
            case rb.SpaceVar():
                yield _Said(Topic("variable", expr.name), sign)
                todo.append((expr.space, 0))
            case rb.ZoneRef():
                yield _Said(Topic("zone", expr.name), sign)
            case rb.ZoneHolds(kind=rb.Lit(value=str(kind))):
                yield _Said(Topic("zone", expr.zone.name, kind), sign)
            case rb.ZoneHolds():
                yield _Said(Topic("zone", expr.zone.name), sign)
                todo.append((expr.kind, 0))
            case rb.ZoneRoom():
                yield _Said(Topic("zone", expr.zone.name), -sign)
            case rb.Local():
                if _has_size(expr.type):
                    yield _Said(Topic("local", expr.slot.name), sign)
            case rb.Binary(op="in", left=rb.Lit(value=str(kind)), right=rb.ZoneRef() as zone):
                yield _Said(Topic("zone", zone.name, kind), sign)
            case rb.Unary():
                todo.append((expr.operand, -sign))
            case rb.IsEmpty():
                todo.append((expr.value, -sign))
            case rb.Binary(op=">" | ">=" | "-"):
                todo += [(expr.left, sign), (expr.right, -sign)]
            case rb.Binary(op="<" | "<="):
                todo += [(expr.left, -sign), (expr.right, sign)]
            case rb.Binary(op="=" | "!=" | "is"):
                todo += [(expr.left, 1), (expr.right, 0)]
            case rb.Call():
                query = book.queries[expr.query]
                for case in query.cases:
                    todo.append((case.value, sign))
                    if case.condition is not None:
                        todo.append((case.condition, 1))
            case rb.ScoreOf():
                todo.append((book.scores[expr.score].value, sign))
            case rb.Cond():
                todo += [(expr.condition, 1), (expr.then, sign), (expr.otherwise, sign)]
            case rb.Fold():
                todo += [(part, sign) for part in (expr.source, expr.where, expr.body) if part is not None]
            case _:
                todo += [(part, sign) for part in children(expr)]  # type: ignore[arg-type]


def _has_size(of: Type) -> bool:
    return isinstance(of, Int | Flag | ListT)
