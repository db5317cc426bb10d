"""Puts an explanation together.

Purpose: `State.explain`. Input: rules on the interpreter, a position, a player, what is asked about.
Output: an `Explanation`.
Invariants: only what the player may know is used: of a decision of others nothing but that they are asked,
as the player's view says it; of his own, his options and what he sees (`seen.py`). The answer is the same for
positions that the player cannot tell apart. Whatever is asked, there is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conche.diagnostics.lists import in_a_row
from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.interpret.asked import asked_by
from conche.interpret.chance import same_json
from conche.interpret.decisions import Program
from conche.interpret.evaluate import EMPTY, Env
from conche.interpret.machine import Machine
from conche.interpret.options import InterpreterMove, Option, move_of
from conche.interpret.position import Position
from conche.why.cases import Attempt, Cases
from conche.why.conditions import Conditions
from conche.why.course import between, cites_of, path_text, way_to
from conche.why.near import fits, near
from conche.why.pattern import Names, Pattern, names_of, read
from conche.why.seen import Seen
from conche.why.texts import Texts
from conche.why.words import json_text, short
from conche_runtime.errors import RULES_FAILED
from conche_runtime.explanation import Explanation, Reason, Rule, Verdict

MOST_CASES = 4
"""So many cases of a decision are gone through in an answer."""


def explain(
    program: Program,
    position: Position,
    player: int,
    what: Any,
    texts: Texts | None = None,
    *,
    failed: bool = False,
) -> Explanation:
    """Why a player can, or cannot, do what is asked about. `failed`: the rules have failed before."""
    found = _Question(program, position, player, texts or Texts(program.book.rulebook), failed)
    return found.answer(what)


class _Question:
    def __init__(self, program: Program, position: Position, player: int, texts: Texts, failed: bool) -> None:
        self.graph, self.book = program.graph, program.book
        self.position, self.player, self.texts, self.failed = position, player, texts, failed
        self.machine = Machine(program, position)
        self.seen = Seen(program.book, position, player)
        self.conditions = Conditions(self.seen, texts)
        self.names = Names(program.graph, program.book, position.players, player)

    # -------------------------------------------------------------------------------- who is asked

    @property
    def over(self) -> bool:
        return self.position.node == ActionGraph.END

    def asked_now(self) -> Node | None:
        """The choice, if the player is asked one now."""
        if self.over or self.failed or self.player not in self.machine.to_act():
            return None
        return self.graph.choice(self.position.node)

    def told_now(self) -> str | None:
        """The decision that is asked now, as the player may know it."""
        if self.over or self.failed:
            return None
        decision = asked_by(self.graph, self.machine.evaluator, self.player).decision
        name = None if decision is None else decision.get("name")
        return name if isinstance(name, str) else None

    def answer(self, what: Any) -> Explanation:
        node = self.asked_now()
        now = [] if node is None else [node]
        if node is None and (name := self.told_now()) is not None:
            now = self.names.called(name)
        pattern = read(what, self.names, now)
        if pattern.problems:
            return self._unclear(pattern, what, node)
        if node is None:
            return self._not_asked(pattern, what)
        if pattern.name is not None and pattern.name not in names_of(choose_of(node)):
            return self._other_decision(pattern, what, node)
        return self._asked(pattern, what, node)

    # -------------------------------------------------------------------------------- the player is asked

    def _asked(self, pattern: Pattern, what: Any, node: Node) -> Explanation:
        choose = choose_of(node)
        options = self.machine.options(self.player)
        moves = [move_of(choose, option, self.machine.evaluator) for option in options]
        if pattern.index is not None:
            if not 0 <= pattern.index < len(options):
                title = (
                    f"there is no option {short(str(pattern.index))}: they are numbered 0..{len(options) - 1}"
                )
                reason = Reason("unknown", f"{choose.name} is asked now", self._rule_of(node))
                return self._made(pattern, what, node, "illegal", title, (reason,))
            fitting = [pattern.index]
            pattern = Pattern(moves[pattern.index].name, moves[pattern.index].args)
        else:
            fitting = [
                number
                for number, (move, option) in enumerate(zip(moves, options, strict=True))
                if pattern.case in (None, choose.cases[option.case].label)
                and self._fits(move, pattern, choose.name)
            ]
        cases = Cases(self.conditions, node, cites_of(self.graph, node), self._env())
        if fitting:
            return self._legal(pattern, what, node, cases, options, moves, fitting)
        return self._illegal(pattern, what, node, cases, options, moves)

    def _env(self) -> Env:
        at = self.graph.node(self.position.node)
        return self.machine.whose(at, self.player) if at_once(at) else EMPTY

    @staticmethod
    def _fits(move: InterpreterMove, pattern: Pattern, decision: str) -> bool:
        if pattern.exact is not None:
            return pattern.name == move.name and same_json(move.args, pattern.exact)
        return pattern.name in (None, decision, move.name) and fits(move.args, pattern.args)

    def _legal(
        self,
        pattern: Pattern,
        what: Any,
        node: Node,
        cases: Cases,
        options: list[Option],
        moves: list[InterpreterMove],
        fitting: list[int],
    ) -> Explanation:
        first = fitting[0]
        option, move = options[first], moves[first]
        shown = self._shown(move.name, move.args, node)
        reasons = [cases.allowed(option.case, option.values)]
        if len(fitting) == 1:
            title = f"{shown} is legal"
        else:
            asked = self._shown(pattern.name or choose_of(node).name, pattern.args, node, pattern.case)
            title = f"{asked} is legal in {len(fitting)} of {len(options)} ways; the first is {shown}"
            others = [number for number in fitting if options[number].case != option.case]
            seen = {option.case}
            for number in others:
                if options[number].case not in seen:
                    seen.add(options[number].case)
                    reasons.append(cases.allowed(options[number].case, options[number].values))
        made = self._made(pattern, what, node, "legal", title, tuple(reasons[:MOST_CASES]))
        return _of_move(made, move.name, move.args)

    def _illegal(
        self,
        pattern: Pattern,
        what: Any,
        node: Node,
        cases: Cases,
        options: list[Option],
        moves: list[InterpreterMove],
    ) -> Explanation:
        attempts = cases.attempts(pattern)
        shown = self._shown(pattern.name or choose_of(node).name, pattern.args, node, pattern.case)
        best = _nearest(attempts)
        types = self.names.arguments([node], pattern.name)
        cases_of = choose_of(node).cases
        near_by = [
            (move.name, move.args)
            for move, option in zip(moves, options, strict=True)
            if pattern.name in (None, choose_of(node).name, move.name)
            and pattern.case in (None, cases_of[option.case].label)
        ]
        instead = near(self.book, near_by, pattern, types)
        reasons = tuple(attempt.reason for attempt in best[:MOST_CASES])
        made = self._made(pattern, what, node, "illegal", f"{shown} is not legal now", reasons, instead)
        if pattern.exact is None:
            return made
        return _of_move(made, pattern.name or choose_of(node).name, pattern.exact)

    # -------------------------------------------------------------------------------- not asked

    def _not_asked(self, pattern: Pattern, what: Any) -> Explanation:
        shown = "that"
        if pattern.index is None:
            shown = self._shown(pattern.name, pattern.args, None, pattern.case)
        reasons: list[Reason] = []
        if self.failed:
            reasons.append(Reason("over", RULES_FAILED))
        elif self.over:
            end = self.book.rulebook.rank
            reasons.append(Reason("over", "the game is over", self.texts.rule(end.span, "rank", end.cites)))
        else:
            reasons.append(self._turn())
        reasons += self._when(pattern, None)
        title = f"{shown} is not legal now: {reasons[0].text}"
        return self._made(pattern, what, None, "illegal", title, tuple(reasons))

    def _turn(self) -> Reason:
        """Who is asked, as the player may know it."""
        asked = asked_by(self.graph, self.machine.evaluator, self.player)
        name = None if asked.decision is None else asked.decision.get("name")
        rule = None
        nodes = self.names.called(name) if isinstance(name, str) else []
        if len(nodes) == 1:
            rule = self._rule_of(nodes[0])
        at = self.graph.node(self.position.node)
        if at_once(at) and any(seat == self.player for seat, _, _ in self.machine.kept(at.id)):
            return Reason("turn", f"you have chosen ({name}); others may still choose", rule)
        others = [self.book.seat_name(seat) for seat in asked.seats if seat != self.player]
        said = (
            in_a_row(others, "or")
            if asked.decision and asked.decision.get("player") is None
            else in_a_row(others)
        )
        if at_once(at):
            return Reason("turn", f"you are not asked ({name}); {said or 'nobody'} may be", rule)
        if asked.decision is not None and asked.decision.get("player") is not None:
            return Reason("turn", f"{said} is asked now ({name})", rule)
        return Reason("turn", f"you are not asked now; {said or 'another player'} may be", rule)

    def _other_decision(self, pattern: Pattern, what: Any, node: Node) -> Explanation:
        shown = self._shown(pattern.name, pattern.args, None, pattern.case)
        now = choose_of(node).name
        text = f"you are asked to choose {now} now"
        reasons = (Reason("decision", text, self._rule_of(node)), *self._when(pattern, node))
        return self._made(pattern, what, node, "illegal", f"{shown} is not legal now: {text}", reasons)

    def _when(self, pattern: Pattern, now: Node | None) -> list[Reason]:
        """Where the decision that was asked about stands in the rules."""
        if pattern.name is None:
            return []
        found: list[Reason] = []
        for node in self.names.called(pattern.name)[:MOST_CASES]:
            way = way_to(self.graph, node)
            text = f"{pattern.name} is asked in {path_text(self.graph, way)}"
            because = None if now is None else between(self.graph, way_to(self.graph, now), way)
            text = text if because is None else f"{text}; {because}"
            found.append(Reason("decision", text, self._rule_of(node)))
        return found

    def _rule_of(self, node: Node) -> Rule:
        return self.texts.rule(node.span, node.routine, cites_of(self.graph, node))

    # -------------------------------------------------------------------------------- not understood

    def _unclear(self, pattern: Pattern, what: Any, node: Node | None) -> Explanation:
        name = pattern.name or (None if node is None else choose_of(node).name)
        nodes = ([node] if node is not None and name in names_of(choose_of(node)) else []) or (
            self.names.called(name) if name is not None else []
        )
        rule = self._rule_of(nodes[0]) if nodes else None
        reasons = tuple(
            Reason("unknown", f"{one.text}; {one.hint}" if one.hint else one.text, rule)
            for one in pattern.problems
        )
        title = reasons[0].text
        return self._made(pattern, what, node, "unclear", title, reasons)

    # -------------------------------------------------------------------------------- the answer

    def _made(
        self,
        pattern: Pattern,
        what: Any,
        node: Node | None,
        verdict: Verdict,
        title: str,
        reasons: tuple[Reason, ...],
        instead: tuple[str, ...] = (),
    ) -> Explanation:
        decision = None if node is None else choose_of(node).name
        asked = short(what) if isinstance(what, str) else self._shown(pattern.name, pattern.args, node)
        return Explanation(self.player, asked, verdict, decision, title, reasons, instead)

    def _shown(
        self, name: str | None, args: Mapping[str, Any], node: Node | None, case: str | None = None
    ) -> str:
        """`place worker 2-1-0-1, at (1, 2)`"""
        nodes = [node] if node is not None else [] if name is None else self.names.called(name)
        types = self.names.arguments(nodes, None)
        parts = [
            f"no {arg}"
            if value is None
            else f"{arg} {json_text(self.book, value, next(iter(types.get(arg, ())), None))}"
            for arg, value in args.items()
        ]
        return " ".join(part for part in (name or "", case or "", ", ".join(parts)) if part) or "that"


def _nearest(attempts: list[Attempt]) -> list[Attempt]:
    """The cases that the pattern is meant for: those that have its arguments, the ones it gets farthest in
    first."""
    meant = [attempt for attempt in attempts if attempt.reached >= 0] or attempts
    meant = [attempt for attempt in meant if not attempt.other] or meant
    return sorted(meant, key=lambda attempt: -attempt.reached)


def _of_move(explanation: Explanation, name: str, args: Mapping[str, Any]) -> Explanation:
    return replace(explanation, name=name, args=dict(args))
