"""Works out what is known when the engine is built.

Input: a program. Output: a program that means the same, with constants folded, dead arms gone and sizes taken
inside.
Invariants: what can fail at run time is never dropped where it would have been evaluated; `simplify` is used
by other passes on single expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conche.codegen import ir
from conche.codegen.ir_walk import is_simple, rebuild
from conche.codegen.members import member
from conche.semantics.types import Int

Tables = Mapping[str, "ir.Table | ir.GridTable"]
_NUMBER = Int(-(2**53), 2**53)
TRUE = ir.Const(True, ir.FLAG)
FALSE = ir.Const(False, ir.FLAG)


def fold_constants(program: ir.Program) -> ir.Program:
    """The pass."""
    folder = Folder(program)
    return rebuild(program, folder.change)


def simplify(program: ir.Program, expr: ir.Expr) -> ir.Expr:
    """One expression, folded."""
    folder = Folder(program)
    return rebuild(expr, folder.change)


class Folder:
    def __init__(self, program: ir.Program) -> None:
        self.tables: Tables = {table.name: table for table in program.tables}
        self.grids = {grid.name: grid for grid in program.layout.grids}

    def change(self, node: Any) -> Any:
        match node:
            case ir.Arith():
                return self._arith(node)
            case ir.Lookup():
                return self._lookup(node)
            case ir.Compare():
                return _compare(node)
            case ir.OneOf(value=ir.Const(value=int() as value), codes=codes):
                return TRUE if value in codes else FALSE
            case ir.OneOf(codes=()) if not _fails(node.value):
                return FALSE
            case ir.Logic():
                return _logic(node)
            case ir.Not():
                return _not(node)
            case ir.Negate(operand=ir.Const(value=int() as value)):
                return ir.Const(-value, node.type)
            case ir.Cond():
                return _cond(node)
            case ir.MinMax():
                return _min_max(node)
            case ir.Size():
                return _size(node)
            case ir.Fold():
                return _fold(node)
            case ir.Distinct(source=ir.Sequence(items=items)) if len(items) < 2 and all(
                n < 2 for n, _ in items
            ):
                return node.source
            case ir.Distinct(source=ir.Distinct()):
                return node.source
            case ir.Member():
                found = member(node.value, node.source)
                return found if isinstance(found, ir.Member) else rebuild(found, self.change)
            case ir.If() | ir.Select() | ir.While() | ir.For():
                return _structure(node)
            case ir.Run(ops=ops, end=ir.Branch(condition=ir.Const(value=bool() as value)) as branch):
                arm = branch.yes if value else branch.no
                return ir.Run((*flat(ops), *arm.ops), arm.end)
            case ir.Run(ops=ops, end=end) if flat(ops) != ops:
                return ir.Run(flat(ops), end)
            case ir.Query():
                return _query(node)
            case ir.Case(guard=ir.Const(value=True)):
                return replace(node, guard=None)
            case ir.Case(late_guard=ir.Const(value=True)):
                return replace(node, late_guard=None)
            case tuple():
                return node
            case ir.Function():
                return replace(node, body=flat(node.body))
            case _:
                return node

    # ---------------------------------------------------------------------------------------- numbers

    def _arith(self, node: ir.Arith) -> ir.Expr:
        left, right = node.left, node.right
        a, b = _number(left), _number(right)
        if a is not None and b is not None:
            match node.op:
                case "+":
                    return ir.Const(a + b, node.type)
                case "-":
                    return ir.Const(a - b, node.type)
                case "*":
                    return ir.Const(a * b, node.type)
                case "/" if b:
                    return ir.Const(a // b, node.type)
                case "mod" if b:
                    return ir.Const(a % b, node.type)
            return node
        match node.op:
            case "+" if b == 0:
                return left
            case "+" if a == 0:
                return right
            case "+" if a is not None:
                return self._arith(ir.Arith("+", right, left, node.type))
            case "+" if b is not None and b < 0:
                return ir.Arith("-", left, ir.Const(-b, right.type), node.type)
            case "-" if b == 0:
                return left
            case "-":
                return self._difference(node)
            case "*" if a == 1:
                return right
            case "*" if b == 1:
                return left
            case "/" if b == 1:
                return left
            case "/" | "mod" if b == 4:
                return self._of_edge(node)
        return node

    def _difference(self, node: ir.Arith) -> ir.Expr:
        """x - (x + c)"""
        a, b = _offset(node.left), _offset(node.right)
        if a[0] == b[0] and is_simple(a[0]):
            return ir.Const(a[1] - b[1], node.type)
        return node

    def _of_edge(self, node: ir.Arith) -> ir.Expr:
        """The space or the side of space * 4 + side."""
        match node.left:
            case ir.Arith(op="+", left=ir.Arith(op="*", left=space, right=ir.Const(value=4)), right=side):
                if self._is_side(side):
                    return space if node.op == "/" else side
            case _:
                pass
        return node

    def _is_side(self, side: ir.Expr) -> bool:
        number = _number(side)
        if number is not None:
            return 0 <= number < 4
        match side:
            case ir.Lookup(table=name):
                table = self.tables[name]
                return isinstance(table, ir.GridTable) and table.which == "toward"
            case _:
                return False

    def _lookup(self, node: ir.Lookup) -> ir.Expr:
        index = _number(node.index)
        if index is None:
            return node
        table = self.tables[node.table]
        match table:
            case ir.Table(values=values) if 0 <= index < len(values) and values[index] is not None:
                value = values[index]
                assert value is not None
                return ir.Const(value, node.type)
            case ir.GridTable(which="toward", board=board):
                width = self.grids[board].width
                steps = {1: 0, width: 1, -1: 2, -width: 3}
                return ir.Const(steps[index], node.type) if index in steps else node
            case _:
                return node


# ------------------------------------------------------------------------------------------------ flags


def _compare(node: ir.Compare) -> ir.Expr:
    match node.left, node.right:
        case ir.Const(value=left), ir.Const(value=right):
            if isinstance(left, ir.Absent) or isinstance(right, ir.Absent):
                return TRUE if (left is right) == (node.op == "=") else FALSE
            if isinstance(left, tuple) or isinstance(right, tuple):
                return node
            found = {
                "=": left == right,
                "!=": left != right,
                "<": left < right,  # type: ignore[operator]
                ">": left > right,  # type: ignore[operator]
                "<=": left <= right,  # type: ignore[operator]
                ">=": left >= right,  # type: ignore[operator]
            }[node.op]
            return TRUE if found else FALSE
        case ir.Cond(condition=condition, then=ir.Const(), otherwise=ir.Const()), ir.Const():
            then = _compare(ir.Compare(node.op, node.left.then, node.right))
            otherwise = _compare(ir.Compare(node.op, node.left.otherwise, node.right))
            return _cond(ir.Cond(condition, then, otherwise, ir.FLAG))
        case _:
            return node


def _logic(node: ir.Logic) -> ir.Expr:
    stops = node.op == "or"
    parts: list[ir.Expr] = []
    for part in node.parts:
        inner = part.parts if isinstance(part, ir.Logic) and part.op == node.op else (part,)
        for one in inner:
            if isinstance(one, ir.Const):
                if one.value is stops:
                    parts.append(one)
                    return _joined(node.op, parts)
                continue
            parts.append(one)
    return _joined(node.op, parts)


def _joined(op: str, parts: list[ir.Expr]) -> ir.Expr:
    if len(parts) > 1 and isinstance(parts[-1], ir.Const) and not any(_fails(part) for part in parts):
        return parts[-1]
    if not parts:
        return FALSE if op == "or" else TRUE
    return parts[0] if len(parts) == 1 else ir.Logic(op, tuple(parts))


def _not(node: ir.Not) -> ir.Expr:
    match node.operand:
        case ir.Const(value=bool() as value):
            return FALSE if value else TRUE
        case ir.Not(operand=inner):
            return inner
        case _:
            return node


def _cond(node: ir.Cond) -> ir.Expr:
    match node.condition, node.then, node.otherwise:
        case ir.Const(value=True), then, _:
            return then
        case ir.Const(value=False), _, otherwise:
            return otherwise
        case condition, ir.Const(value=True), ir.Const(value=False):
            return condition
        case condition, ir.Const(value=False), ir.Const(value=True):
            return _not(ir.Not(condition))
        case condition, ir.Const(value=False), otherwise:
            return _logic(ir.Logic("and", (_not(ir.Not(condition)), otherwise)))
        case condition, then, ir.Const(value=False):
            return _logic(ir.Logic("and", (condition, then)))
        case condition, then, otherwise if then == otherwise and not _fails(condition):
            return then
        case _:
            return node


# ------------------------------------------------------------------------------------------------ sequences


def _min_max(node: ir.MinMax) -> ir.Expr:
    numbers = [_number(arg) for arg in node.args]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return node
    return ir.Const(min(known) if node.op == "min" else max(known), node.type)


def _size(node: ir.Size) -> ir.Expr:
    match node.source:
        case ir.Sequence(items=items):
            if not any(_fails(item) for _, item in items):
                return ir.Const(sum(number for number, _ in items), node.type)
        case ir.Cond(condition=condition, then=then, otherwise=otherwise):
            sizes = _size(ir.Size(then, node.type)), _size(ir.Size(otherwise, node.type))
            return _cond(ir.Cond(condition, *sizes, node.type))
        case ir.Concat(parts=parts):
            total: ir.Expr = ir.Const(0, node.type)
            for part in parts:
                size = _size(ir.Size(part, node.type))
                total = size if _number(total) == 0 else ir.Arith("+", total, size, node.type)
            return total
        case ir.PlayersIn():
            return ir.PlayersLeft(node.type)
        case ir.Fold(op="each") as fold:
            return ir.Fold("count", None, fold.slot, fold.source, fold.where, node.type)
        case _:
            pass
    return node


def _fold(node: ir.Fold) -> ir.Expr:
    if isinstance(node.where, ir.Const):
        if node.where.value is True:
            node = replace(node, where=None)
        elif not _fails(node.source):
            return _of_nothing(node)
    if node.op == "count" and node.where is None:
        return _size(ir.Size(node.source, node.type))
    return node


def _of_nothing(node: ir.Fold) -> ir.Expr:
    match node.op:
        case "any":
            return FALSE
        case "all":
            return TRUE
        case "each" | "sorted":
            return ir.Sequence((), node.type)
        case _:
            return ir.Const(0, node.type)


# ------------------------------------------------------------------------------------------------ structure


def flat(ops: tuple[ir.Op, ...]) -> tuple[ir.Op, ...]:
    """Without ifs whose condition is known."""
    out: list[ir.Op] = []
    for op in ops:
        match op:
            case ir.If(condition=ir.Const(value=bool() as value)):
                out += flat(op.then if value else op.otherwise)
            case ir.While(condition=ir.Const(value=False)):
                pass
            case ir.For(source=ir.Sequence(items=())):
                pass
            case ir.ZoneSwap(old=old, new=new) if old == new and isinstance(old, ir.Const):
                pass
            case ir.Require(condition=ir.Const(value=True)):
                pass
            case _:
                out.append(op)
    return tuple(out)


def _structure(node: Any) -> Any:
    match node:
        case ir.If():
            return replace(node, then=flat(node.then), otherwise=flat(node.otherwise))
        case ir.While():
            condition = node.condition
            if condition == TRUE:
                condition = None
            return replace(node, condition=condition, body=flat(node.body))
        case ir.For():
            return replace(node, body=flat(node.body))
        case ir.Select():
            return replace(node, arms=tuple((codes, flat(ops)) for codes, ops in node.arms))
        case _:
            return node


def _query(query: ir.Query) -> ir.Query:
    """Cases up to the first that always holds; flags that only say whether a case holds become that."""
    cases: list[tuple[ir.Expr | None, ir.Expr, ir.Mark]] = []
    for condition, value, mark in query.cases:
        if condition == FALSE:
            continue
        if condition is None or condition == TRUE:
            cases.append((None, value, mark))
            break
        cases.append((condition, value, mark))
    if len(cases) > 1 and isinstance(query.type, type(ir.FLAG)):
        (condition, value, mark), (_, last, _) = cases[-2:]
        assert condition is not None
        joined = _cond(ir.Cond(condition, value, last, ir.FLAG))
        literals = isinstance(value, ir.Const) and isinstance(last, ir.Const)
        if (literals or len(cases) == 2) and not isinstance(joined, ir.Cond):
            cases[-2:] = [(None, joined, mark)]
    return replace(query, cases=tuple(cases))


# ------------------------------------------------------------------------------------------------ helpers


def _number(expr: ir.Expr) -> int | None:
    match expr:
        case ir.Const(value=bool()):
            return None
        case ir.Const(value=int() as value):
            return value
        case _:
            return None


def _offset(expr: ir.Expr) -> tuple[ir.Expr, int]:
    """An expression as another one and a number added to it."""
    match expr:
        case ir.Arith(op="+", left=left, right=ir.Const(value=int() as value)):
            return left, value
        case ir.Arith(op="-", left=left, right=ir.Const(value=int() as value)):
            return left, -value
        case _:
            return expr, 0


def _fails(expr: ir.Expr) -> bool:
    """Whether evaluating it might be a run-time error."""
    match expr:
        case ir.Const() | ir.Local() | ir.PlayerNumber() | ir.Spaces() | ir.Running():
            return False
        case ir.PlayersIn() | ir.PlayersLeft():
            return False
        case ir.Global(checked=checked):
            return checked
        case ir.Top(space=inner) | ir.Height(space=inner) | ir.Not(operand=inner) | ir.OneOf(value=inner):
            return _fails(inner)
        case ir.Size(source=inner):
            return _fails(inner)
        case ir.Compare(left=left, right=right):
            return _fails(left) or _fails(right)
        case ir.Arith(op="+" | "-" | "*", left=left, right=right):
            return _fails(left) or _fails(right)
        case ir.Logic(parts=parts) | ir.HowMany(parts=parts):
            return any(_fails(part) for part in parts)
        case ir.Kept(key=key):
            return key is not None and _fails(key)
        case ir.Lookup(index=index):
            # Neighbours of a space exist; other tables may have no entry.
            return not isinstance(index, ir.Local)
        case _:
            return True
