"""An engine that marks what it goes by.

Purpose: tells a search that plays many games which of them does something that none did before. Input: the
text of a generated engine. Output: the engine, and a row of marks, one for each place in the text where play
can go one way or the other: functions, branches, loops, the parts of conditional expressions.
Invariants: it plays as the engine does. It is kept nowhere and serves nothing else. What a mark means for
the rules is not said here: a game that sets a new one is played again by the interpreter, which knows.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any

_ROW, _SET = "_marks_of_play", "_mark_of_play"


@dataclass(frozen=True, slots=True)
class Marked:
    """`marks`: a byte for each place, 0 until play comes to it; it stays the same object."""

    engine: Any
    marks: bytearray


def marked(text: str) -> Marked:
    """The engine, ready to play, its marks all 0."""
    tree = ast.parse(text)
    marker = _Marker()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            marker.function(node)
    ast.fix_missing_locations(tree)
    marks = bytearray(marker.number)
    module = ModuleType(f"conche_marked_engine_{hashlib.sha256(text.encode()).hexdigest()[:12]}")
    module.__dict__.update({_ROW: marks, _SET: marks.__setitem__})
    sys.modules[module.__name__] = module  # dataclasses look for it there
    exec(compile(tree, "<marked engine>", "exec"), module.__dict__)  # of our own making, from checked rules
    marks[:] = bytes(len(marks))
    return Marked(module.engine, marks)


class _Marker:
    """Puts the marks in. Statements get one at the head of every block and behind every branch, expressions
    one wherever a part of them may be left out."""

    def __init__(self) -> None:
        self.number = 0

    def function(self, node: ast.FunctionDef) -> None:
        if node.name.startswith(("move_", "moves_", "apply_")):
            return  # how moves are called and compared is no rule
        node.body = self._block(node.body)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = [self._statement()]
        for stmt in body:
            for name in ("body", "orelse"):
                if getattr(stmt, name, None):
                    setattr(stmt, name, self._block(getattr(stmt, name)))
            _Parts(self).of_statement(stmt)
            done.append(stmt)
            if isinstance(stmt, ast.If | ast.For | ast.While) and stmt is not body[-1]:
                done.append(self._statement())
        return done

    def next(self) -> ast.Constant:
        self.number += 1
        return ast.Constant(self.number - 1)

    def _statement(self) -> ast.stmt:
        row = ast.Subscript(ast.Name(_ROW, ast.Load()), self.next(), ast.Store())
        return ast.Assign([row], ast.Constant(1))

    def expression(self, value: ast.expr) -> ast.expr:
        mark = ast.Call(ast.Name(_SET, ast.Load()), [self.next(), ast.Constant(1)], [])
        return ast.BoolOp(ast.Or(), [mark, value])  # the mark is None


class _Parts(ast.NodeTransformer):
    def __init__(self, marker: _Marker) -> None:
        self.marker = marker

    def of_statement(self, stmt: ast.stmt) -> None:
        for name, value in ast.iter_fields(stmt):
            if isinstance(value, ast.expr):
                setattr(stmt, name, self.visit(value))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.body = self.marker.expression(node.body)
        node.orelse = self.marker.expression(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values[-1] = self.marker.expression(node.values[-1])
        return node
