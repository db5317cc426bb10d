"""Puts small queries in where they are asked.

Input: a program. Output: a program in which queries of a few operations are gone.
Invariants: an argument that costs something is never evaluated more often than before: a query is put in only
where each argument is simple, or its parameter is read once at most. Locals of folds are renamed, each time
anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import asked, is_simple, rebuild, substitute, walk
from conche.codegen.passes.fold_constants import FALSE
from conche.semantics.rulebook import Slot

LARGEST = 40
"""Queries of more nodes stay queries."""


def inline_queries(program: ir.Program) -> ir.Program:
    """The pass."""
    numbers = count(2_000_000)
    ready: dict[str, ir.Query] = {}
    for query in _in_order(program.queries):
        ready[query.name] = rebuild(query, lambda node: _inline(node, ready, numbers))
    program = rebuild(program, lambda node: _inline(node, ready, numbers))
    return replace(program, queries=tuple(ready[query.name] for query in program.queries))


def _in_order(queries: tuple[ir.Query, ...]) -> list[ir.Query]:
    """Each after those it asks."""
    by_name = {query.name: query for query in queries}
    done: dict[str, ir.Query] = {}

    def visit(query: ir.Query) -> None:
        if query.name not in done:
            for name in sorted(asked(query)):
                visit(by_name[name])
            done[query.name] = query

    for query in queries:
        visit(query)
    return list(done.values())


def _inline(node: Any, ready: dict[str, ir.Query], numbers: count[int]) -> Any:
    if not isinstance(node, ir.Ask) or node.query not in ready:
        return node
    query = ready[node.query]
    body = as_expression(query)
    if body is None or sum(1 for _ in walk(body)) > LARGEST:
        return node
    for param, arg in zip(query.params, node.args, strict=True):
        if (
            not is_simple(arg)
            and not _read_once(param, body)
            and not (_is_edge(arg) and _taken_apart(param, body))
        ):
            return node
    return substitute(_renamed(body, numbers), dict(zip(query.params, node.args, strict=True)))


def _is_edge(arg: ir.Expr) -> bool:
    """space * 4 + side, of which one or the other will be left"""
    match arg:
        case ir.Arith(op="+", left=ir.Arith(op="*", left=space, right=ir.Const(value=4))):
            return is_simple(space)
        case _:
            return False


def _taken_apart(param: Slot, body: ir.Expr) -> bool:
    """Whether all that is asked of an edge is its space, and once its side."""
    sides, others = 0, 0
    for node in walk(body):
        match node:
            case ir.Arith(op="mod", left=ir.Local(slot=slot), right=ir.Const(value=4)) if slot == param:
                sides += 1
            case ir.Arith(op="/", left=ir.Local(slot=slot), right=ir.Const(value=4)) if slot == param:
                others += 1
            case _:
                pass
    reads = sum(1 for node in walk(body) if node == ir.Local(param))
    return (
        sides <= 1 and reads == sides + others and not any(isinstance(node, ir.Fold) for node in walk(body))
    )


def as_expression(query: ir.Query) -> ir.Expr | None:
    """A query as one expression; None where it has lets, or more than two cases of which not all are flags
    that do not hold up to the last."""
    if query.lets:
        return None
    if len(query.cases) > 2 and not all(value == FALSE for _, value, _ in query.cases[:-1]):
        return None
    *conditional, (_, value, _) = query.cases
    for condition, other, _ in reversed(conditional):
        assert condition is not None
        value = ir.Cond(condition, other, value, query.type)
    return value


def _read_once(param: Slot, body: ir.Expr) -> bool:
    """Whether a parameter is read at most once, and not in a loop."""
    reads = [node for node in walk(body) if node == ir.Local(param)]
    if not reads:
        # It would not be evaluated at all.
        return False
    looped = [
        node
        for fold in walk(body)
        if isinstance(fold, ir.Fold)
        for node in walk((fold.body, fold.where))
        if node == ir.Local(param)
    ]
    return len(reads) == 1 and not looped


def _renamed(body: ir.Expr, numbers: count[int]) -> ir.Expr:
    """The body with new locals for its folds."""

    def change(node: Any) -> Any:
        if isinstance(node, ir.Fold):
            slot = replace(node.slot, number=next(numbers))
            inner = {node.slot: ir.Local(slot)}
            return replace(
                node, slot=slot, body=substitute(node.body, inner), where=substitute(node.where, inner)
            )
        return node

    return rebuild(body, change)
