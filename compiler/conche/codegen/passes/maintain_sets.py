"""Keeps sets of spaces up to date instead of looking for them.

Input: a program. Output: a program in which `each(s in spaces where P(s))` and every other fold over `spaces`
with such a condition runs over a maintained set, if P asks nothing but what lies on `s` and beside it.

It is run before queries are put in for their asking, when sets have the names of their queries, and again
after it.

    P: the longest first part of the condition that speaks of `s` alone, and only of `Top` and `Height` at `s`
    and, in folds over `around(s)`, of `Top` there. A comparison `owner of s = seat` in it makes one set for
    each seat.
    Upkeep: P is worked out for a piece of each type that comes on an empty space: at that space, where all
    that is known of the piece is its type; and at the neighbours, where nothing changes if no question asked
    of a neighbour is answered otherwise than before.

Invariants: a set holds what the fold would have found, in the same order. P must be false where nothing lies
on or beside a space, since such spaces are not in `spaces`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import locals_read, rebuild, substitute, walk
from conche.codegen.passes.fold_constants import FALSE, TRUE, simplify
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int, SetT, SpaceT

_NUMBER = Int(-(2**53), 2**53)


def maintain_sets(program: ir.Program) -> ir.Program:
    """The pass."""
    keeper = _Keeper(program)
    changed = replace(
        program,
        queries=tuple(keeper.within(query, query.name) for query in program.queries),
        functions=tuple(
            keeper.within(function, function.id.partition(".")[2]) for function in program.functions
        ),
        blocks=tuple(
            keeper.within(block, block.id.split("/")[0].partition(".")[2]) for block in program.blocks
        ),
        decisions=tuple(keeper.within(decision, decision.name) for decision in program.decisions),
        scores=tuple(keeper.within(score, score.name) for score in program.scores),
        rank=keeper.within(program.rank, "rank"),
    )
    tables = list(program.tables)
    for board in sorted({kept.board for kept in keeper.sets.values()}):
        around = ir.GridTable(f"{board}.around", board, "around")
        if around not in tables:
            tables.append(around)
    layout = replace(program.layout, sets=tuple(keeper.sets.values()))
    return replace(changed, layout=layout, tables=tuple(tables))


class _Keeper:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.grids = {grid.name: grid for grid in program.layout.grids}
        self.tables = {table.name: table for table in program.tables}
        self.around = {
            table.name
            for table in program.tables
            if isinstance(table, ir.GridTable) and table.which == "around"
        }
        self.sets: dict[tuple[str, ir.Expr, str | None], ir.MaintainedSet] = {
            (kept.board, kept.holds, kept.key): kept for kept in program.layout.sets
        }
        self.whole = {
            as_key(query): query.name for query in program.queries if query.cases and not query.lets
        }

    def within(self, node: Any, name: str) -> Any:
        """A declaration whose folds over spaces run over maintained sets."""

        def change(part: Any) -> Any:
            if isinstance(part, ir.Fold) and isinstance(part.source, ir.Spaces):
                return self._fold(part, part.source.board, name)
            return part

        node = rebuild(node, change)

        def rest(part: Any) -> Any:
            return self._all_spaces(part) if isinstance(part, ir.Spaces) else part

        return rebuild(node, rest)

    def _all_spaces(self, spaces: ir.Spaces) -> ir.Expr:
        """`spaces` itself is such a set."""
        slot = Slot("", 3_000_000, "s", SpaceT(spaces.board))
        kept = self._keep(spaces.board, slot, (), None, f"spaces_of_{spaces.board}")
        return spaces if kept is None else ir.Kept(kept.slot, None, spaces.type)

    def _fold(self, fold: ir.Fold, board: str, name: str) -> ir.Expr:
        conjuncts = _conjuncts(fold.where)
        taken: list[ir.Expr] = []
        key: tuple[str, ir.Expr] | None = None
        rest = list(conjuncts)
        while rest:
            found = self._key(rest[0], fold.slot, board, taken) if key is None else None
            if found is not None:
                key = found
            elif self._is_local(rest[0], fold.slot):
                taken.append(rest[0])
            else:
                break
            rest.pop(0)
        if not taken and key is None:
            return fold
        wanted = self.whole.get(
            _shape(ir.Fold("each", None, fold.slot, ir.Spaces(board, fold.type), fold.where, fold.type)), name
        )
        kept = self._keep(board, fold.slot, tuple(taken), None if key is None else key[0], wanted)
        if kept is None:
            return fold
        source = ir.Kept(kept.slot, None if key is None else key[1], SetT(SpaceT(board)))
        where = None if not rest else rest[0] if len(rest) == 1 else ir.Logic("and", tuple(rest))
        if fold.op == "each" and fold.body is None and where is None:
            return replace(source, type=fold.type)
        if fold.op == "count" and where is None:
            return ir.Size(source, fold.type)
        if fold.op == "any" and fold.body is None and where is None:
            return ir.Compare(">", ir.Size(source, _NUMBER), ir.Const(0, _NUMBER))
        return replace(fold, source=source, where=where)

    # ---------------------------------------------------------------------------------------- what can be
    # kept

    def _is_local(self, expr: ir.Expr, slot: Slot) -> bool:
        """Whether an expression asks nothing but what lies on a space and beside it."""
        here = ir.Local(slot)
        match expr:
            case ir.Top(space=space) | ir.Height(space=space):
                return space == here
            case ir.Fold(source=ir.Lookup(table=name, index=index)):
                if name not in self.around or index != here or fold_reads_height(expr):
                    return False
                beside = ir.Local(expr.slot)
                return all(
                    self._reads_only(part, beside) for part in (expr.body, expr.where) if part is not None
                )
            case _:
                return self._composed(expr, lambda part: self._is_local(part, slot))

    def _reads_only(self, expr: ir.Expr, beside: ir.Expr) -> bool:
        match expr:
            case ir.Top(space=space):
                return space == beside
            case ir.Height() | ir.Fold():
                return False
            case _:
                return self._composed(expr, lambda part: self._reads_only(part, beside))

    def _composed(self, expr: ir.Expr, good: Callable[[ir.Expr], bool]) -> bool:
        """Whether an expression is made by pure computing of parts that are good."""
        match expr:
            case ir.Const():
                return True
            case ir.Lookup(table=name, index=index):
                return isinstance(self.tables[name], ir.Table) and good(index)
            case ir.OneOf(value=value):
                return good(value)
            case ir.Compare(left=left, right=right) | ir.Arith(left=left, right=right):
                return good(left) and good(right)
            case ir.Logic(parts=parts):
                return all(good(part) for part in parts)
            case ir.Not(operand=operand):
                return good(operand)
            case _:
                return False

    def _key(
        self, expr: ir.Expr, slot: Slot, board: str, before: list[ir.Expr]
    ) -> tuple[str, ir.Expr] | None:
        """`owner of s = seat`: the table of owners, and the seat, if the table has an entry wherever the
        earlier conditions hold."""
        if not isinstance(expr, ir.Compare) or expr.op != "=":
            return None
        for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
            match side:
                case ir.Lookup(table=name, index=ir.Top(space=ir.Local(slot=at))) if at == slot:
                    table = self.tables[name]
                    owners = isinstance(table, ir.Table) and name == f"{board}.owner"
                    if (
                        owners
                        and slot not in locals_read(other)
                        and self._defined(table, slot, board, before)
                    ):
                        return name, other
                case _:
                    pass
        return None

    def _defined(self, table: ir.Table | ir.GridTable, slot: Slot, board: str, before: list[ir.Expr]) -> bool:
        assert isinstance(table, ir.Table)
        for code, value in enumerate(table.values):
            if value is None and not any(
                simplify(self.program, at_code(condition, slot, board, code)) == FALSE for condition in before
            ):
                return False
        return True

    # ---------------------------------------------------------------------------------------- making a set

    def _keep(
        self, board: str, slot: Slot, conditions: tuple[ir.Expr, ...], key: str | None, name: str
    ) -> ir.MaintainedSet | None:
        space = Slot("", 3_000_001, "space", SpaceT(board))
        holds = canonical(_joined(substitute(conditions, {slot: ir.Local(space)})))
        if not self._never_far(holds, space, board):
            holds = canonical(_joined((*_conjuncts(holds), self._in_spaces(space, board))))
        known = self.sets.get((board, holds, key))
        if known is not None:
            return known
        taken = {kept.slot for kept in self.sets.values()}
        slot_name, number = f"set.{name}", 2
        while slot_name in taken:
            slot_name = f"set.{name}_{number}"
            number += 1
        upkeep = tuple(
            ir.Upkeep(
                room.piece,
                self._here(holds, space, board, room.piece),
                self._near(holds, space, board, room.piece),
            )
            for room in self.grids[board].room
        )
        kept = ir.MaintainedSet(slot_name, slot_name.partition(".")[2], board, space, holds, key, upkeep)
        self.sets[board, holds, key] = kept
        return kept

    def _never_far(self, holds: ir.Expr, space: Slot, board: str) -> bool:
        """Whether a space on and beside which nothing lies is surely not in the set."""
        return simplify(self.program, nothing_near(at_code(holds, space, board, 0), board)) == FALSE

    def _in_spaces(self, space: Slot, board: str) -> ir.Expr:
        code, flag = Int(0, 2**31), ir.FLAG
        beside = Slot("", 3_000_002, "n", SpaceT(board))
        around = ir.Lookup(f"{board}.around", ir.Local(space), SetT(SpaceT(board)))
        taken = ir.Not(ir.Compare("=", ir.Top(board, ir.Local(beside), code), ir.Const(0, code)))
        here = ir.Not(ir.Compare("=", ir.Top(board, ir.Local(space), code), ir.Const(0, code)))
        return ir.Logic("or", (here, ir.Fold("any", None, beside, around, taken, flag)))

    def _codes(self, board: str, piece: str) -> tuple[int, ...]:
        return tuple(
            number
            for number, code in enumerate(self.grids[board].codes)
            if code is not None and code.piece == piece
        )

    def _here(self, holds: ir.Expr, space: Slot, board: str, piece: str) -> ir.Expr | None:
        """Whether the space belongs to the set once a piece of a type has come on it; None: it does not, nor
        did it."""
        after = simplify(self.program, self._with_piece(holds, space, board, piece))
        before = simplify(self.program, at_code(holds, space, board, 0))
        return None if after == FALSE and before == FALSE else after

    def _with_piece(self, expr: ir.Expr, space: Slot, board: str, piece: str) -> ir.Expr:
        """The condition, knowing that exactly one piece, of a type, lies on the space."""
        codes = self._codes(board, piece)

        def change(node: Any) -> Any:
            match node:
                case ir.Height(space=ir.Local(slot=at)) if at == space:
                    return ir.Const(1, node.type)
                case ir.OneOf() | ir.Compare() if _speaks_of_top(node, space):
                    answers = {simplify(self.program, at_code(node, space, board, code)) for code in codes}
                    return answers.pop() if answers in ({TRUE}, {FALSE}) else node
                case _:
                    return node

        return rebuild(expr, change)

    def _near(self, holds: ir.Expr, space: Slot, board: str, piece: str) -> ir.Expr | None:
        """Whether a neighbour of the put piece belongs to the set; None when nothing changes."""
        codes = self._codes(board, piece)
        touched = False

        def change(node: Any) -> Any:
            nonlocal touched
            if not isinstance(node, ir.Fold):
                return node
            asked = [part for part in (node.where, node.body) if part is not None]
            for part in asked:
                old = simplify(self.program, at_code(part, node.slot, board, 0))
                new = {simplify(self.program, at_code(part, node.slot, board, code)) for code in codes}
                if new != {old}:
                    touched = True
            where = TRUE if node.where is None else node.where
            holds_now = {simplify(self.program, at_code(where, node.slot, board, code)) for code in codes}
            if node.op == "any" and node.body is None and holds_now == {TRUE}:
                return TRUE
            return node

        near = simplify(self.program, rebuild(holds, change))
        return near if touched else None


# ------------------------------------------------------------------------------------------------ helpers


def _conjuncts(condition: ir.Expr | None) -> tuple[ir.Expr, ...]:
    match condition:
        case None:
            return ()
        case ir.Const(value=True):
            return ()
        case ir.Logic(op="and", parts=parts):
            return tuple(inner for part in parts for inner in _conjuncts(part))
        case _:
            return (condition,)


def _joined(conditions: tuple[ir.Expr, ...]) -> ir.Expr:
    if not conditions:
        return TRUE
    return conditions[0] if len(conditions) == 1 else ir.Logic("and", conditions)


def at_code(expr: ir.Expr, space: Slot, board: str, code: int) -> ir.Expr:
    """An expression where a space has a top code, and with it the height of a single piece."""

    def change(node: Any) -> Any:
        match node:
            case ir.Top(space=ir.Local(slot=at)) if at == space:
                return ir.Const(code, node.type)
            case ir.Height(space=ir.Local(slot=at)) if at == space and code == 0:
                return ir.Const(0, node.type)
            case _:
                return node

    del board
    return rebuild(expr, change)


def nothing_near(expr: ir.Expr, board: str) -> ir.Expr:
    """An expression where nothing lies on any neighbour."""

    def change(node: Any) -> Any:
        if isinstance(node, ir.Fold):
            return replace(
                node,
                body=None if node.body is None else at_code(node.body, node.slot, board, 0),
                where=None if node.where is None else at_code(node.where, node.slot, board, 0),
            )
        return node

    return rebuild(expr, change)


def _speaks_of_top(node: ir.Expr, space: Slot) -> bool:
    """Whether a condition is about the top code of a space and nothing else."""
    read = [part for part in walk(node) if isinstance(part, ir.Top | ir.Height | ir.Fold)]
    return bool(read) and all(isinstance(part, ir.Top) and part.space == ir.Local(space) for part in read)


def fold_reads_height(fold: ir.Fold) -> bool:
    return any(isinstance(node, ir.Height) for node in walk(fold))


def canonical(expr: ir.Expr) -> ir.Expr:
    """The expression with its folds' locals numbered from the outside, so that equal ones are equal."""
    folds = [node for node in walk(expr) if isinstance(node, ir.Fold)]
    for number, fold in enumerate(folds):
        slot = Slot("", 3_100_000 + number, fold.slot.name, fold.slot.type)

        def change(node: Any, old: Slot = fold.slot, new: Slot = slot) -> Any:
            match node:
                case ir.Local(slot=at) if at == old:
                    return ir.Local(new)
                case ir.Fold(slot=at) if at == old:
                    return replace(node, slot=new)
                case _:
                    return node

        expr = rebuild(expr, change)
    return expr


def as_key(query: ir.Query) -> ir.Expr:
    """What a query's value looks like, whatever its locals are called."""
    return _shape(query.cases[-1][1])


def _shape(expr: ir.Expr) -> ir.Expr:
    numbers: dict[Slot, Slot] = {}

    def change(node: Any) -> Any:
        match node:
            case ir.Local(slot=slot):
                return ir.Local(_anonymous(slot, numbers))
            case ir.Fold():
                return replace(node, slot=_anonymous(node.slot, numbers))
            case _:
                return node

    return rebuild(expr, change)


def _anonymous(slot: Slot, numbers: dict[Slot, Slot]) -> Slot:
    if slot not in numbers:
        numbers[slot] = Slot("", len(numbers), "_", slot.type)
    return numbers[slot]
