"""Lowers what is special to some choices: those made at once, those that can be passed, and what was chosen
secretly.

Input: the nodes of choices, statements that may touch what was chosen. Output: the parts of a decision that
say so, and operations.
Invariants: a choice made at once belongs to its loop: its guard and options speak of the loop's player."""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.lower_loops import Loops
from conche.codegen.lower_statements import Effect, Statements
from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.graph.private import touched_by
from conche.semantics import rulebook as rb


class Choices:
    """The special choices of a graph."""

    def __init__(self, graph: ActionGraph, statements: Statements, loops: Loops) -> None:
        self.graph = graph
        self.statements = statements
        self.expressions = statements.expressions
        self.loops = loops

    def at_once(self, node: Node) -> ir.AtOnce | None:
        """How it is made, where all choose at once."""
        loop = None if node.parent is None else self.graph.node(node.parent)
        if loop is None or not at_once(loop):
            return None
        stmt = loop.owns
        assert isinstance(stmt, rb.EachPlayer)
        return ir.AtOnce(
            self.expressions.slot(stmt.slot),
            self.loops.seats(stmt),
            None if stmt.guard is None else self.expressions.lower(stmt.guard),
            self.loops.rest(loop.id, stmt.slot),
            f"{loop.id}/next",
            stmt.at_once == "together",
            self._anew(node),
        )

    def _anew(self, node: Node) -> tuple[tuple[str, ...], tuple[tuple[ir.Op, ...], ...]] | None:
        """The variables that a choice made secretly sets, and how each case does."""
        names = self.graph.secret_choices.get(node.id)
        if names is None:
            return None
        cases: list[tuple[ir.Op, ...]] = []
        for case in choose_of(node).cases:
            ops: list[ir.Op] = []
            for stmt in case.body:
                assert isinstance(stmt, rb.SetPlace)
                ops += self.statements.lower(stmt)[0]
            cases.append(tuple(ops))
        return tuple(f"var.{name}" for name in sorted(names)), tuple(cases)

    def asking(self, node: Node, stmt: rb.Choose) -> ir.Asking | None:
        """What others may know of a choice that can be passed."""
        if not stmt.passes:
            return None
        found = self.graph.askers(node.id)
        slot, guard = (None, None) if found is None else found
        return ir.Asking(
            self.graph.told_name(node.id),
            None if slot is None else self.expressions.slot(slot),
            None if guard is None else self.expressions.lower(guard),
        )

    def goes_on(self, case: Node, mark: ir.Mark) -> tuple[ir.Op, ...]:
        """Who does not pass makes the loop around go on for another round."""
        choice = self.graph.node(case.parent or "")
        window = self.graph.window(choice.id) if choose_of(choice).passes else None
        if window is None or case.id == choice.parts[len(choose_of(choice).cases) - 1].nodes[0]:
            return ()
        loop = self.graph.node(self.graph.node(window).parent or "")
        assert isinstance(loop.owns, rb.Rounds)
        return (self.loops.goes_on(loop.id, loop.owns, mark),)

    def forget(self, node: Node, stmt: Effect) -> list[ir.Op]:
        """After a statement: what was chosen secretly is not to be chosen anew in samples where others know
        what came of it, or something else did."""
        mark = self.statements.mark(node.span)
        return [
            ir.ForgetChoice(choice, self.expressions.lower(player), mark)
            for choice, names in self.graph.secret_choices.items()
            if not node.id.startswith(f"{choice}/")
            for name, player in touched_by(stmt)
            if name in names
        ]
