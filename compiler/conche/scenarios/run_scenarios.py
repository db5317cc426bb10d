"""Runs scenarios.

Purpose: plays what a scenario says and checks what it claims. Input: an action graph (or an interpreter, to
prepare it once for many) and scenarios. Output: for each a `ScenarioResult`; every failing line has a
diagnostic. Invariants: a failing `then` does not end a scenario, since nothing follows from it; a `given`,
`chance` or `move` that cannot be done does. What the rules say always holds, and what they conserve, is
checked at every decision after set-up, but for what the given position breaks already. A `chance` line that
is never drawn is a failure, as the scenario then tests something else than it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeGuard, TypeVar, assert_never

from conche.diagnostics import Diagnostic, Label, diagnose, did_you_mean
from conche.graph.model import ActionGraph
from conche.interpret import Given, Interpreter, InterpreterState
from conche.interpret.chance import same_json
from conche.interpret.decisions import guarded
from conche.interpret.evaluate import BrokenRuleError, Evaluator
from conche.interpret.given import put_given
from conche.interpret.machine import Machine
from conche.interpret.position import Position, Space
from conche.scenarios.conservation import pieces_in_play
from conche.scenarios.parts import in_setup, parts_of
from conche.scenarios.scripted_chance import ImpossibleOutcomeError, ScriptedChance
from conche.scenarios.show import moves_in_brief, nearest, show_args, show_json
from conche.semantics.rulebook import (
    Binary,
    Expr,
    GivenPiece,
    GivenPlace,
    GivenZone,
    Lit,
    NextChance,
    PlayMove,
    Scenario,
    ScenarioLine,
    ThenCan,
    ThenHolds,
    ThenOptions,
    ThenOver,
    Unary,
)
from conche.semantics.types import KindT
from conche.source import Span
from conche_runtime.arguments import frozen
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChosenEvent, Event, ForcedEvent, Move

L = TypeVar("L", bound=ScenarioLine)


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """`line`: where the scenario stands in its file."""

    title: str
    passed: bool
    failures: list[Diagnostic]
    line: int


def run_scenarios(graph: ActionGraph | Interpreter, scenarios: Iterable[Scenario]) -> list[ScenarioResult]:
    """All results, in order."""
    engine = graph if isinstance(graph, Interpreter) else Interpreter(graph)
    return [run_scenario(engine, scenario) for scenario in scenarios]


def run_scenario(graph: ActionGraph | Interpreter, scenario: Scenario) -> ScenarioResult:
    engine = graph if isinstance(graph, Interpreter) else Interpreter(graph)
    run = _Run(engine, scenario)
    run.play()
    return ScenarioResult(scenario.title, not run.failures, run.failures, scenario.span.line)


def position_from_scenario(graph: ActionGraph | Interpreter, scenario: Scenario) -> InterpreterState:
    """The position that a scenario begins with. ValueError where a line or the rules forbid it."""
    engine = graph if isinstance(graph, Interpreter) else Interpreter(graph)
    run = _Run(engine, scenario)
    try:
        state, _ = run.begin()
    except _OverError:
        raise ValueError(run.failures[0].title) from None
    return state


class _OverError(Exception):
    """The scenario cannot go on; the failure has been noted."""


@dataclass
class _Run:
    engine: Interpreter
    scenario: Scenario
    chance: ScriptedChance = field(default_factory=ScriptedChance)
    failures: list[Diagnostic] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    conserved: dict[str, int] | None = None
    """How many pieces of each type there are; None in set-up."""

    def play(self) -> None:
        try:
            state, rest = self.begin()
            for line in rest:
                self._line(state, line)
            for chance in self.chance.unused:
                self._fail(
                    "C0409",
                    f"nothing was drawn from '{chance.source}' for this line",
                    Label(chance.span),
                    help=("take the line out, or move it before what draws",),
                )
        except _OverError:
            pass

    def _fail(self, code: str, title: str, *labels: Label, **more: Iterable[str]) -> None:
        self.failures.append(diagnose(code, title, *labels, **more))  # type: ignore[arg-type]

    # ---------------------------------------------------------------------------------------- the beginning

    def begin(self) -> tuple[InterpreterState, tuple[ScenarioLine, ...]]:
        """Set-up with the lines that stand before the position, the position, and play up to the first
        decision of two or more options; and the lines that are left."""
        parts = parts_of(self.scenario)
        setup = self._script(parts.setup)
        span = self.scenario.span
        with self._failing(span, "set-up"):
            position = self.engine.after_setup(self.scenario.players, None, self.chance)
        state = InterpreterState(self.engine, position, self.chance, [])
        for line in setup:
            if isinstance(line, NextChance):
                self.chance.script(line)
            else:
                self._move_in_setup(state, line)
        if parts.given:
            self._place(state, parts.given)
            self._note_what_does_not_hold(state.position)
        if self.scenario.begin is not None:
            self._begin_with(state, *self.scenario.begin)
        self._note_end_of_setup(state.position)
        rest = self._script(parts.play)
        with self._failing(span, "play up to the first decision"):
            Machine(self.engine.program, state.position, self.chance, _log_of(state).append).run()
        self._check_always(state, span)
        return state, rest

    def _script(self, lines: tuple[L, ...]) -> tuple[L, ...]:
        """Takes the `chance` lines at the beginning; gives the lines that are left."""
        for place, line in enumerate(lines):
            if not isinstance(line, NextChance):
                return lines[place:]
            self.chance.script(line)
        return ()

    def _move_in_setup(self, state: InterpreterState, line: PlayMove) -> None:
        if state.position.node == ActionGraph.PLAY:
            self._fail(
                "C0401",
                "this move stands before a `given` line, and the set-up asks nobody now",
                Label(line.span),
                help=("write the moves of the game behind the `given` lines",),
            )
            raise _OverError
        self._move(state, line, until=ActionGraph.PLAY)

    def _begin_with(self, state: InterpreterState, step: str, args: tuple[Expr, ...]) -> None:
        if state.position.node != ActionGraph.PLAY:
            self._fail(
                "C0401",
                f"'{step}' cannot begin: the set-up is not done",
                Label(self.scenario.span, self._asked(state)),
                help=("write the moves of the set-up first, and a `given` line behind them",),
            )
            raise _OverError
        machine = Machine(self.engine.program, state.position)
        with self._failing(self.scenario.span, f"'{step}'"):
            values = guarded(lambda: tuple(map(machine.evaluator.value, args)), self.scenario.span)
        machine.begin_with(step, values)

    def _note_what_does_not_hold(self, position: Position) -> None:
        """The invariants that the given position breaks already: nothing is said about them."""
        evaluator = Evaluator(self.engine.program.book, position)
        for name, invariant in self.engine.program.book.rulebook.invariants.items():
            try:
                holds = evaluator.flag(invariant.condition)
            except BrokenRuleError:
                holds = False
            if not holds:
                self.broken.add(name)

    def _place(self, state: InterpreterState, given: Iterable[Given]) -> None:
        laid = {space for stacks in state.position.boards.values() for space in stacks}
        for line in given:
            if state.position.node != ActionGraph.PLAY:
                self._fail(
                    "C0401",
                    "this cannot be put in place: the set-up is not done",
                    Label(line.span, self._asked(state)),
                    help=("write the moves of the set-up in front of the `given` lines",),
                )
                raise _OverError
            try:
                self._put(state.position, line)
            except RulesError as error:
                self._fail(
                    "C0401",
                    f"this cannot be put in place: {_message(error)}",
                    Label(line.span),
                    help=(
                        "put something else in place, or less of it",
                        *self._drawn_before(state.position, line, laid),
                    ),
                )
                raise _OverError from None

    def _drawn_before(self, position: Position, line: Given, laid: set[Space]) -> tuple[str, ...]:
        """How what the set-up drew by chance is settled: a `given` line adds to what lies on a space. `laid`:
        the spaces on which the set-up has put something."""
        if not isinstance(line, GivenPiece) or not isinstance(line.kind.type, KindT):
            return ()
        if Machine(self.engine.program, position).evaluator.value(line.at) not in laid:
            return ()
        zones = self.engine.program.book.rulebook.zones.values()
        drawn = [
            zone.name for zone in zones if zone.of == line.kind.type.piece and zone.kind in ("pile", "bag")
        ]
        return tuple(
            f"what the set-up draws from `{name}` is settled by lines before the first `given`:"
            f" `chance {name}: {show_json(self._kind_of(line))}`"
            for name in drawn[:1]
        )

    def _kind_of(self, line: GivenPiece) -> object:
        return line.kind.value if isinstance(line.kind, Lit) else "KIND"

    def _put(self, position: Position, line: Given) -> None:
        executor = Machine(self.engine.program, position).executor
        guarded(lambda: put_given(executor, line), line.span)

    def _note_end_of_setup(self, position: Position) -> None:
        """What is conserved is counted when the set-up is done."""
        if self.conserved is None and not in_setup(self.engine.program.graph, position):
            self.conserved = pieces_in_play(self.engine.program.book, position)

    @contextmanager
    def _failing(self, span: Span, what: str) -> Iterator[None]:
        """Rules that fail, and outcomes that cannot come, end the scenario."""
        try:
            yield
        except RulesError as error:
            raise self._rules_failed(error, span, what) from None
        except ImpossibleOutcomeError as error:
            raise self._impossible(error) from None

    def _rules_failed(self, error: RulesError, span: Span, what: str) -> _OverError:
        note = f"in {error.file}, line {error.line}"
        self._fail(
            "C0410", f"the rules fail: {_message(error)}", Label(span, f"{what} ends there"), notes=(note,)
        )
        return _OverError()

    def _impossible(self, error: ImpossibleOutcomeError) -> _OverError:
        line = error.line
        title = f"{show_json(line.value)} cannot come from '{line.source}' when it is drawn from"
        possible = ", ".join(show_json(value) for value in error.possible)
        self._fail("C0408", title, Label(line.span), notes=(f"possible then: {possible}",))
        return _OverError()

    # ---------------------------------------------------------------------------------------- line by line

    def _line(self, state: InterpreterState, line: ScenarioLine) -> None:
        match line:
            case NextChance():
                self.chance.script(line)
            case PlayMove():
                self._move(state, line)
            case ThenHolds():
                self._holds(state, line)
            case ThenCan():
                self._can(state, line)
            case ThenOptions():
                self._options(state, line)
            case ThenOver():
                if not state.over:
                    self._fail("C0407", "the game is not over", Label(line.span), notes=(self._asked(state),))
            case GivenPlace() | GivenZone() | GivenPiece():
                raise AssertionError("`given` stands before all other lines")
            case _:
                assert_never(line)

    def _seat(self, seat: int) -> str:
        return self.engine.program.book.seat_name(seat)

    def _asked(self, state: InterpreterState) -> str:
        """Who has to choose what now, in words."""
        if state.over:
            return "the game is over"
        *others, last = map(self._seat, state.to_act)
        who = f"{', '.join(others)} and {last} have" if others else f"{last} has"
        return f"{who} to choose '{state.decision}' now"

    def _moves(self, state: InterpreterState, player: int, name: str) -> list[Move]:
        """The legal moves of that name, if that player is asked now."""
        return [move for move in state.legal_moves(player) if move.name == name]

    def _move(self, state: InterpreterState, line: PlayMove, until: str = ActionGraph.END) -> None:
        args = dict(line.args)
        moves = self._moves(state, line.player, line.decision)
        agreeing = [index for index, move in enumerate(moves) if _agrees(move, args)]
        exact = [index for index in agreeing if moves[index].args.keys() == args.keys()]
        found = exact or agreeing
        if not found:
            self._not_legal(state, line, moves)
            raise _OverError
        if len(found) > 1 and any(moves[index] != moves[found[0]] for index in found):
            self._fail(
                "C0403",
                f"{len(found)} moves agree with this",
                Label(line.span),
                notes=(moves_in_brief([moves[index] for index in found]),),
                help=("give more of the arguments",),
            )
            raise _OverError
        index = state.legal_moves(line.player).index(moves[found[0]])
        state.log = []
        with self._failing(line.span, "this move"):
            state.step(index, line.player, until=until)
        if until == ActionGraph.END:
            self._check_always(state, line.span)

    def _not_legal(self, state: InterpreterState, line: PlayMove, moves: list[Move]) -> None:
        args, who = dict(line.args), self._seat(line.player)
        shown = show_args(line.decision, args)
        if not moves:
            notes = [self._asked(state)]
            for event in state.log or ():
                if _is_forced(event) and (event.player, event.name) == (line.player, line.decision):
                    made = show_args(event.name, dict(event.args))
                    notes.append(f"{who} had no other choice than {made}, which was made without a line")
            hint = None
            if state.decision is not None and not state.over:
                names = [move.name for move in state.legal_moves(state.to_act[0])]
                hint = did_you_mean(line.decision, list(dict.fromkeys([state.decision, *names])))
            self._fail(
                "C0402",
                f"{who} is not asked for '{line.decision}' now",
                Label(line.span, self._asked(state)),
                notes=notes[1:],
                help=(hint,) if hint else (),
            )
            return
        near = nearest(args, moves)
        self._fail(
            "C0402",
            f"{shown} is not legal for {who} now",
            Label(line.span),
            notes=(moves_in_brief(moves),),
            help=(f"the nearest legal move is {show_args(near.name, near.args)}",),
        )

    def _holds(self, state: InterpreterState, line: ThenHolds) -> None:
        evaluator = Evaluator(self.engine.program.book, state.position)
        try:
            if evaluator.flag(line.condition):
                return
            culprit = _culprit(evaluator, line.condition)
        except BrokenRuleError as error:
            self._fail("C0404", f"this cannot be checked: {error.message}", Label(line.span))
            return
        if not isinstance(culprit, Binary) or culprit.op not in _FAILED:
            self._fail("C0404", "this does not hold", Label(culprit.span))
            return
        left, right = (self._value(evaluator, side) for side in (culprit.left, culprit.right))
        title = f"this does not hold: {left} {_FAILED[culprit.op]} {right}"
        labels = [
            Label(side.span, f"this is {shown}")
            for side, shown in ((culprit.left, left), (culprit.right, right))
            if not _is_plain(side)
        ]
        self._fail("C0404", title, *(labels or [Label(culprit.span)]))

    def _value(self, evaluator: Evaluator, expr: Expr) -> str:
        return show_json(evaluator.book.to_json(evaluator.value(expr), expr.type))

    def _can(self, state: InterpreterState, line: ThenCan) -> None:
        args, who = dict(line.args), self._seat(line.player)
        moves = self._moves(state, line.player, line.decision)
        agreeing = [move for move in moves if _agrees(move, args)]
        shown = show_args(line.decision, args)
        if bool(agreeing) == line.can:
            return
        if not line.can:
            title = f"{who} can {shown}"
            self._fail("C0405", title, Label(line.span), notes=(moves_in_brief(agreeing),))
        elif not moves:
            title = f"{who} is not asked for '{line.decision}' now"
            self._fail("C0405", title, Label(line.span, self._asked(state)))
        else:
            near = nearest(args, moves)
            self._fail(
                "C0405",
                f"{who} cannot {shown}",
                Label(line.span),
                notes=(moves_in_brief(moves),),
                help=(f"the nearest legal move is {show_args(near.name, near.args)}",),
            )

    def _options(self, state: InterpreterState, line: ThenOptions) -> None:
        moves = self._moves(state, line.player, line.decision)
        if not moves:
            title = f"{self._seat(line.player)} is not asked for '{line.decision}' now"
            self._fail("C0406", title, Label(line.span, self._asked(state)))
            return
        actual = [move.args[line.arg] for move in moves if line.arg in move.args]
        missing = _without(line.values, actual)
        surplus = _without(actual, line.values)
        if missing or surplus:
            notes = [
                f"{words}: {', '.join(show_json(value) for value in values)}"
                for words, values in (("expected, but not offered", missing), ("offered as well", surplus))
                if values
            ]
            title = f"'{line.arg}' has other values"
            self._fail("C0406", title, Label(line.span), notes=notes)

    # ---------------------------------------------------------------------------------------- what always hol

    def _check_always(self, state: InterpreterState, span: Span) -> None:
        """Each breach is reported once, where it first shows. Set-up is not looked at."""
        self._note_end_of_setup(state.position)
        if self.conserved is None:
            return
        rules = self.engine.program.book.rulebook
        evaluator = Evaluator(self.engine.program.book, state.position)
        for name, invariant in rules.invariants.items():
            if name in self.broken:
                continue
            try:
                holds = evaluator.flag(invariant.condition)
                why = "it does not hold"
            except BrokenRuleError as error:
                holds, why = False, error.message
            if not holds:
                self.broken.add(name)
                self._fail(
                    "C0411",
                    f"'{invariant.text}' should always hold",
                    Label(span, f"after this: {why}"),
                    Label(invariant.span, "said here", primary=False),
                )
        now = pieces_in_play(self.engine.program.book, state.position)
        for name, conserve in rules.conserved.items():
            before, after = self.conserved.get(conserve.piece, 0), now.get(conserve.piece, 0)
            if before != after:
                self.conserved[conserve.piece] = after
                self._fail(
                    "C0412",
                    f"there were {before} pieces of {name}, and now there are {after}",
                    Label(span, "after this"),
                    Label(conserve.span, "conserved by this", primary=False),
                )


def _log_of(state: InterpreterState) -> list[Event]:
    assert state.log is not None
    return state.log


def _is_forced(event: Event) -> TypeGuard[ForcedEvent | ChosenEvent]:
    return isinstance(event, ForcedEvent) or (isinstance(event, ChosenEvent) and event.forced)


def _agrees(move: Move, args: dict[str, Any]) -> bool:
    made = move.args
    return all(name in made and same_json(made[name], value) for name, value in args.items())


def _without(values: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """The values that are not among the others, each once, in order."""
    known = {frozen(value) for value in others}
    out: list[Any] = []
    for value in values:
        if frozen(value) not in known:
            known.add(frozen(value))
            out.append(value)
    return out


def _culprit(evaluator: Evaluator, condition: Expr) -> Expr:
    """The part of a false condition that makes it false: of parts joined by `and` the first false one."""
    while isinstance(condition, Binary) and condition.op == "and":
        condition = condition.right if evaluator.flag(condition.left) else condition.left
    return condition


def _is_plain(expr: Expr) -> bool:
    """Whether its text shows its value already."""
    return isinstance(expr, Lit) or (isinstance(expr, Unary) and isinstance(expr.operand, Lit))


def _message(error: RulesError) -> str:
    """What it says, without the place."""
    return str(error).removeprefix(f"{error.file}:{error.line}: ")


_FAILED = {
    "=": "is not",
    "!=": "is",
    "<": "is not below",
    ">": "is not above",
    "<=": "is above",
    ">=": "is below",
    "in": "is not in",
}
"""How a comparison failed, in words between its two sides."""
