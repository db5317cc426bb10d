"""Makes cases of alternatives that each ask first which code something has.

Input: a program. Output: a program in which a query such as `(what is a market and …) or (what is a mine and
…)` looks for the one alternative that can hold, and asks nothing of the others.
Invariants: only where all alternatives ask of the same thing and no code is asked for by two; so what is
evaluated is evaluated in the same order as before, and the rest could not have mattered."""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.passes.fold_constants import FALSE, TRUE
from conche.semantics.types import Flag

LEAST = 3
"""Fewer alternatives are left as they are."""

Arm = tuple[frozenset[int], ir.Expr]


def part_by_code(program: ir.Program) -> ir.Program:
    """The pass."""
    return replace(program, queries=tuple(_parted(query) for query in program.queries))


def _parted(query: ir.Query) -> ir.Query:
    (_, value, mark), *others = query.cases
    if query.lets or others or not isinstance(query.type, Flag):
        return query
    first = _first_test(value)
    if first is None:
        return query
    arms = _arms(value, first.value)
    if arms is None or len(arms) < LEAST or sum(len(codes) for codes, _ in arms) != len(_all_codes(arms)):
        return query
    cases: list[tuple[ir.Expr | None, ir.Expr, ir.Mark]] = [
        (replace(first, codes=tuple(sorted(codes))), then, mark) for codes, then in arms
    ]
    return replace(query, cases=(*cases, (None, FALSE, mark)))


def _all_codes(arms: list[Arm]) -> frozenset[int]:
    return frozenset().union(*(codes for codes, _ in arms))


def _first_test(value: ir.Expr) -> ir.OneOf | None:
    """The test of a code that is made first of all."""
    match value:
        case ir.OneOf():
            return value
        case ir.Logic(parts=parts):
            return _first_test(parts[0])
        case ir.Cond(condition=ir.OneOf() as test):
            return test
        case _:
            return None


def _arms(value: ir.Expr, subject: ir.Expr) -> list[Arm] | None:
    """What a flag is for some codes of the subject; it does not hold for others. None: it does not only ask
    for its code."""
    match value:
        case ir.Const(value=False):
            return []
        case ir.OneOf(value=asked, codes=codes) if asked == subject:
            return [(frozenset(codes), TRUE)]
        case ir.Logic(op="and", parts=(ir.OneOf(value=asked, codes=codes), *rest)) if asked == subject:
            return [(frozenset(codes), rest[0] if len(rest) == 1 else ir.Logic("and", tuple(rest)))]
        case ir.Logic(op="or", parts=parts):
            arms: list[Arm] = []
            for part in parts:
                found = _arms(part, subject)
                if found is None:
                    return None
                arms += found
            return arms
        case ir.Cond(condition=ir.OneOf(value=asked, codes=codes), then=then, otherwise=otherwise) if (
            asked == subject
        ):
            others = _arms(otherwise, subject)
            if others is None:
                return None
            left = [(other - frozenset(codes), value) for other, value in others]
            return [(frozenset(codes), then), *[arm for arm in left if arm[0]]]
        case _:
            return None
