"""A machine that notes which rules it goes by.

Purpose: what a decision leads to, for a search that wants to see every rule. Input: a position. Output: the
position moved on, and the numbers of the rules that were reached.
Invariant: it plays as `Machine` does, and changes nothing of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conche.graph.model import Node
from conche.interpret.book import Book
from conche.interpret.decisions import Program
from conche.interpret.evaluate import EMPTY, Env, Evaluator
from conche.interpret.execute import Executor
from conche.interpret.machine import Machine
from conche.interpret.position import Position, Value
from conche.lattice.rules import Rule, span_of
from conche.semantics.rulebook import Expr, Rulebook
from conche.semantics.walk import walk


class Watch:
    """Which nodes and expressions stand for which rules, by number."""

    def __init__(self, rules: Sequence[Rule], rulebook: Rulebook) -> None:
        self.nodes = {rule.node: number for number, rule in enumerate(rules) if rule.node is not None}
        self.scores: dict[str, int] = {}
        self.expressions: dict[int, int] = {}
        spans: dict[object, int] = {}
        for number, rule in enumerate(rules):
            if rule.kind == "score":
                self.scores[rule.title.removeprefix("score ")] = number
            elif rule.node is None:
                spans[rule.span] = number
        self._kept = (rulebook.queries, rulebook.scores)  # their ids stay theirs
        for node in walk((*rulebook.queries.values(), *rulebook.scores.values())):
            if span_of(node) in spans:
                self.expressions[id(node)] = spans[span_of(node)]


class TracingMachine(Machine):
    """`reached`: the numbers of rules, with how often."""

    def __init__(self, program: Program, position: Position, watch: Watch) -> None:
        super().__init__(program, position)
        self.reached: dict[int, int] = {}
        self._nodes: Mapping[str, int] = watch.nodes
        self.evaluator = _Tracing(program.book, position, watch.expressions, self.reached)
        self.executor = Executor(self.evaluator, None, None)

    def _advance(self, node: Node) -> str | None:
        number = self._nodes.get(node.id)
        if number is not None:
            self.reached[number] = self.reached.get(number, 0) + 1
        return super()._advance(node)


class _Tracing(Evaluator):
    def __init__(
        self, book: Book, position: Position, expressions: Mapping[int, int], reached: dict[int, int]
    ) -> None:
        super().__init__(book, position)
        self._expressions = expressions
        self._reached = reached

    def value(self, expr: Expr, env: Env = EMPTY) -> Value:
        number = self._expressions.get(id(expr))
        if number is not None:
            self._reached[number] = self._reached.get(number, 0) + 1
        return super().value(expr, env)
