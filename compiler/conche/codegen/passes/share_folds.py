"""Works out once for all players what several folds of a query ask of each.

Input: a program. Output: a program in which a query that has, say, `most(f(q, t) for q in players)` and
`count(q in players where f(q, t) = best)` asks `f` once for each player and folds over the answers.
Invariants: the folds must run over the same source and have no other use of the player; a let of the query
must evaluate one of them whatever happens, since the answers are worked out first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, rebuild, substitute, walk
from conche.semantics.rulebook import Slot
from conche.semantics.types import ListT, PlayerT

FIRST = 6_000_000


def share_folds(program: ir.Program) -> ir.Program:
    """The pass."""
    number = FIRST
    queries: list[ir.Query] = []
    for query in program.queries:
        number += 10
        queries.append(_shared(query, number))
    return replace(program, queries=tuple(queries))


def _shared(query: ir.Query, number: int) -> ir.Query:
    folds = [node for node in walk((query.lets, query.cases)) if isinstance(node, ir.Fold)]
    wanted: Counter[tuple[ir.Expr, ir.Expr]] = Counter()
    item = Slot("", number, "item", PlayerT())
    for fold in folds:
        for asked in _asked(fold):
            wanted[fold.source, substitute(asked, {fold.slot: ir.Local(item)})] += 1
    sure = {
        (fold.source, substitute(asked, {fold.slot: ir.Local(item)}))
        for _, value in query.lets
        if isinstance(value, ir.Fold)
        for fold in (value,)
        for asked in _asked(fold)
    }
    for (source, asked), times in sorted(wanted.items(), key=lambda entry: -entry[1]):
        if times > 1 and (source, asked) in sure and _is_early(source, asked, item, query):
            return _rewritten(query, source, asked, item, number)
    return query


def _asked(fold: ir.Fold) -> set[ir.Expr]:
    """The questions a fold asks of each item."""
    return {
        node
        for node in walk((fold.body, fold.where))
        if isinstance(node, ir.Ask) and fold.slot in locals_read(node)
    }


def _is_early(source: ir.Expr, asked: ir.Expr, item: Slot, query: ir.Query) -> bool:
    """Whether it needs nothing but the query's parameters."""
    return not (locals_read((source, asked)) - set(query.params) - {item})


def _rewritten(query: ir.Query, source: ir.Expr, asked: ir.Expr, item: Slot, number: int) -> ir.Query:
    assert isinstance(asked, ir.Ask)
    answers = Slot("", number + 1, f"{asked.query}_of_each", ListT(asked.type))
    answer = Slot("", number + 2, asked.query, asked.type)
    given = ir.Local(answers)

    def change(node: Any) -> Any:
        match node:
            case ir.Fold() if node.source == source:
                mine = (
                    substitute(asked, {item: ir.Local(node.slot)}),
                    ir.At(given, ir.Local(node.slot), asked.type),
                )
                body, where = (
                    None
                    if part is None
                    else rebuild(part, lambda inner: ir.Local(answer) if inner in mine else inner)
                    for part in (node.body, node.where)
                )
                left = locals_read(tuple(part for part in (body, where) if part is not None))
                keeps = (node.body is None and node.op not in ("count", "any")) or node.op == "sorted"
                if (body, where) == (node.body, node.where) or node.slot in left or keeps:
                    return node
                return replace(node, slot=answer, source=given, body=body, where=where)
            case ir.Ask() if _is_of_player(node, asked, item, source):
                seat = node.args[asked.args.index(ir.Local(item))]
                return ir.At(given, seat, asked.type)
            case _:
                return node

    lets = tuple((slot, rebuild(value, change)) for slot, value in query.lets)
    cases = tuple(
        (None if condition is None else rebuild(condition, change), rebuild(value, change), mark)
        for condition, value, mark in query.cases
    )
    each = ir.Fold("each", asked, item, source, None, answers.type)
    return replace(query, lets=((answers, each), *lets), cases=cases)


def _is_of_player(node: ir.Ask, asked: ir.Ask, item: Slot, source: ir.Expr) -> bool:
    """Whether a question is the one asked of every player, asked of one of them."""
    if ir.Local(item) not in asked.args or node.query != asked.query or not _is_players(source):
        return False
    place = asked.args.index(ir.Local(item))
    seat = node.args[place]
    if not isinstance(seat, ir.Local) or not isinstance(seat.type, PlayerT):
        return False
    return substitute(asked, {item: seat}) == node


def _is_players(source: ir.Expr) -> bool:
    match source:
        case ir.Interval(
            low=ir.Const(value=0),
            high=ir.Arith(op="-", left=ir.PlayerNumber(), right=ir.Const(value=1)),
        ):
            return True
        case _:
            return False
