"""A machine that notes which rules it goes by.

Purpose: what a decision leads to, for a search that wants to see every rule. Input: a position. Output: the
position moved on, the numbers of the rules that were reached, and how near one came to the conditions of
those that are looked for in queries.
Invariant: it plays as `Machine` does, and changes nothing of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from conche.graph.model import Node
from conche.interpret.book import Book
from conche.interpret.decisions import Program
from conche.interpret.evaluate import EMPTY, Env, Evaluator, slot_key
from conche.interpret.execute import Executor
from conche.interpret.machine import Machine
from conche.interpret.options import Option
from conche.interpret.position import Position, Value
from conche.lattice.distance import Atom, Meter, total
from conche.lattice.goals import Goal, Ways
from conche.lattice.rules import Rule, span_of
from conche.semantics.rulebook import Choose, Expr, Rulebook
from conche.semantics.walk import walk
from conche_runtime.interface import Event


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
    """`reached`: the numbers of rules, with how often. `near`: of goals in queries, by rule, the conditions
    where they were nearest to be met."""

    def __init__(
        self,
        program: Program,
        position: Position,
        watch: Watch,
        log: Callable[[Event], None] | None = None,
        looked_for: Sequence[Goal] = (),
        ways: Ways | None = None,
    ) -> None:
        super().__init__(program, position, None, log)
        self.reached: dict[int, int] = {}
        self.near: dict[int, tuple[Atom, ...]] = {}
        self._nodes: Mapping[str, int] = watch.nodes
        if looked_for and ways is not None:
            self.evaluator: Evaluator = _Measuring(
                program.book, position, watch.expressions, self.reached, looked_for, ways, self.near
            )
        else:
            self.evaluator = _Tracing(program.book, position, watch.expressions, self.reached)
        self.executor = Executor(self.evaluator, None, log, self.graph)

    def _check_told_apart(self, choose: Choose, options: list[Option]) -> None:
        """Not here: it takes long, and the games that are shown are played again by those that do."""

    def _advance(self, node: Node) -> str | None:
        number = self._nodes.get(node.id)
        if number is not None:
            self.reached[number] = self.reached.get(number, 0) + 1
        return super()._advance(node)

    def finish(self, watch: Watch) -> None:
        """At the end: notes what is worked out for the scores, and those that bring somebody something."""
        for name, number in watch.scores.items():
            if any(self.evaluator.score(name, seat) for seat in range(self.position.players)):
                self.reached[number] = self.reached.get(number, 0) + 1
        self.evaluator.ranking()


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


class _Measuring(_Tracing):
    """Measures the needs of goals in a query whenever it is worked out, with its arguments."""

    def __init__(
        self,
        book: Book,
        position: Position,
        expressions: Mapping[int, int],
        reached: dict[int, int],
        looked_for: Sequence[Goal],
        ways: Ways,
        near: dict[int, tuple[Atom, ...]],
    ) -> None:
        super().__init__(book, position, expressions, reached)
        self._looked_for = {goal.query or "": goal for goal in looked_for}
        self._near = near
        self._aside = Evaluator(book, position)
        self._meter = Meter(self._aside, ways)

    def forget(self) -> None:
        super().forget()
        self._aside.forget()

    def query(self, name: str, args: tuple[Value, ...]) -> Value:
        goal = self._looked_for.get(name)
        if goal is not None and (name, args) not in self._known:
            query = self.book.rulebook.queries[name]
            env = {slot_key(slot): arg for slot, arg in zip(query.params, args, strict=True)}
            found = self._meter.nearest(goal.ways, env)
            if goal.rule not in self._near or total(found) < total(self._near[goal.rule]):
                self._near[goal.rule] = found
        return super().query(name, args)
