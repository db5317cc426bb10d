"""`conche log`: what happened in a recorded game, and by which rules."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from conche.cli.arguments import Argument, Option
from conche.cli.options import FormatOption, TextOrJson, number
from conche.cli.output import color, put, report, say, settled, waiting
from conche.cli.trouble import GOOD, PROBLEMS, refuse

if TYPE_CHECKING:
    from conche.api import Image
    from conche.draw.words import Words
    from conche.play.turns import Turn
    from conche.why.effects import Happening, NotingInterpreter
    from conche_runtime.explanation import Rule
    from conche_runtime.interface import Engine, Event, State
    from conche_runtime.records import DecisionLine, Record

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def command(
    file: Annotated[str, Argument(metavar="RECORD", help="A record that `conche play --record` wrote.")],
    ruleset: Annotated[
        str | None, Argument(metavar="[RULESET]", help="Other rules than those the record names.")
    ] = None,
    rules: Annotated[
        bool, Option("--rules", help="Say of each effect which rule it came from, with its clause.")
    ] = False,
    first: Annotated[int | None, Option("--from", metavar="LINE", help="Begin with this line.")] = None,
    last: Annotated[int | None, Option("--to", metavar="LINE", help="End with this line.")] = None,
    as_now: Annotated[
        bool, Option("--as-now", help="Play it by its ruleset as it is now, not as the game began.")
    ] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Print what happened in a recorded game.

    Each decision stands behind the number of its line in the record. With --rules the rule that allowed it
    and every effect follow: what changed, and the place in the rules that changed it. Of a seat's record it
    is what that seat knows.

    Exit code 0 when the record fits the rules, as far as it is printed; 1 when it does not.
    """
    import sys
    from pathlib import Path

    from conche.cli.pinned import named_rules, own_rules
    from conche.draw.words import Words
    from conche_runtime.records import read_record
    from conche_runtime.replay import replay

    if ruleset is not None and as_now:
        refuse("C0501", "--as-now takes the rules that the record names; here are others too")
    for value in (first, last):
        if value is not None:
            number(value, "a line", 1, 10**9)
    if first is not None and last is not None and first > last:
        refuse("C0501", f"line {first} comes after line {last}", "say --from the smaller of the two")
    record = read_record(Path(file))
    if ruleset is not None:
        image, pinned = named_rules(ruleset), ""
    else:
        again, header = f"conche log {shlex.quote(file)}", record.header
        image, pinned = own_rules(file, header.ruleset, header.digest, again, as_now)
    engine = image.engine()
    words = Words(
        engine, min(record.header.players, engine.max_players), color(sys.stdout), looks=image.looks
    )
    if rules:
        with waiting(f"reading the rules of {image.ruleset}"):
            engine = _noting(image, file)
    settled()
    if pinned and style is TextOrJson.TEXT:
        say(pinned)
    log = _Log(engine, record, words, first or 1, last, as_json=style is TextOrJson.JSON)
    result = replay(engine, record, to_line=last, watch=log.step)
    if style is TextOrJson.JSON:
        problem = result.problem
        document = {
            "conche": SCHEMA,
            "file": file,
            "ruleset": engine.ruleset,
            "digest": engine.digest,
            "pinned": bool(pinned),
            "seat": record.header.seat,
            "steps": log.steps,
            "problem": None if problem is None else {"line": problem.line, "message": problem.message},
        }
        put(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    if result.problem is not None:
        from conche.diagnostics.codes import diagnose
        from conche.diagnostics.model import Label
        from conche.source import Source

        source = Source(file, Path(file).read_bytes().decode("utf-8", "replace"))
        line = result.problem.line
        span = source.span(source.offset(line, 1), source.offset(line, len(source.line(line)) + 1))
        report([diagnose("C0512", result.problem.message, Label(span))], {file: source})
        return PROBLEMS
    return GOOD


def _noting(image: Image, file: str) -> NotingInterpreter:
    """An interpreter of the same rules that notes what it does."""
    from dataclasses import replace
    from pathlib import Path

    from conche.graph.from_rulebook import from_rulebook
    from conche.why.effects import NotingInterpreter
    from conche.why.for_engine import rules_of
    from conche.why.texts import Texts

    engine = image.engine()
    rulebook, sources = rules_of(image.ruleset, engine.digest, Path(file).parent)
    named = replace(rulebook, ruleset=engine.ruleset)
    return NotingInterpreter(from_rulebook(named), Texts(named, sources))


class _Log:
    """Prints, or collects, the steps of a record."""

    def __init__(
        self, engine: Engine, record: Record, words: Words, first: int, last: int | None, as_json: bool
    ) -> None:
        self.engine, self.words, self.first, self.last, self.as_json = engine, words, first, last, as_json
        self.seat = record.header.seat
        self.eyes = None if self.seat is None else [self.seat]
        self.width = len(str(len(record.lines) + 1))
        self.line = 1
        self.before: State | None = None
        self.steps: list[dict[str, Any]] = []

    def step(self, state: State, line: DecisionLine | None, events: Sequence[Event]) -> None:
        """One decision, or the set-up."""
        if line is not None:
            self.line = line.line
        if self.line >= self.first and (self.last is None or self.line <= self.last):
            happened = self._happened(state, events)
            if self.as_json:
                self.steps.append(self._document(line, happened))
            else:
                self._print(line, happened)
        self.before = state.clone()
        if self._noting is not None:
            self._noting.forget()

    @property
    def _noting(self) -> NotingInterpreter | None:
        from conche.why.effects import NotingInterpreter

        return self.engine if isinstance(self.engine, NotingInterpreter) else None

    def _happened(self, state: State, events: Sequence[Event]) -> Sequence[Happening]:
        """What followed, with the effects and the changed scores where the rules are wanted."""
        from conche.interpret import InterpreterState

        noting = self._noting
        if noting is None or not isinstance(state, InterpreterState):
            return events
        before = self.before if isinstance(self.before, InterpreterState) else None
        return noting.told(before, state, self.seat)

    # -------------------------------------------------------------------------------- text

    def _print(self, line: DecisionLine | None, happened: Sequence[Happening]) -> None:
        head = None if line is None else self.words.move(line.player, line.name, line.args or {})
        number = "" if line is None else str(line.line)
        player = None if line is None else line.player
        for shown in step_lines(self.words, player, head, happened, self.eyes):
            say(f"{number.rjust(self.width)}  {shown}")
            number = ""

    # -------------------------------------------------------------------------------- JSON

    def _document(self, line: DecisionLine | None, happened: Sequence[Happening]) -> dict[str, Any]:
        from conche.why.effects import Took

        found = [self._entry(one) for one in happened]
        document: dict[str, Any] = {"line": self.line if line is None else line.line}
        if line is not None:
            document |= {"player": line.player, "name": line.name, "args": line.args}
            if happened and isinstance(happened[0], Took) and happened[0].player == line.player:
                document["rule"] = happened[0].rule.to_json()
                found = found[1:]
        return document | {"happened": [entry for entry in found if entry is not None]}

    def _entry(self, one: Happening) -> dict[str, Any] | None:
        from conche.draw.words import Words
        from conche.why.effects import Effect, Took
        from conche_runtime.interface import ChanceEvent, ChosenEvent, ForcedEvent, RevealEvent

        match one:
            case Effect():
                return {"effect": one.to_json()}
            case Took():
                return {"took": {"player": one.player, "name": one.decision, "rule": one.rule.to_json()}}
            case _ if not Words.shown(one, self.eyes):
                return None
            case ChanceEvent():
                return {"chance": one.source, "value": one.value}
            case ForcedEvent() | ChosenEvent():
                return {"player": one.player, "name": one.name, "args": dict(one.args)}
            case RevealEvent():
                return {"reveal": one.what, "value": one.value}


def step_lines(
    words: Words,
    player: int | None,
    head: str | None,
    happened: Sequence[Happening],
    eyes: Sequence[int] | None,
) -> list[str]:
    """A decision and what followed it, as `eyes` may know it. `head`: the decision of `player`; None for the
    set-up, and where it is not shown. Whose a case is stands before it, where it does not follow on his move:
    what players choose at once is done after the last of them."""
    from conche.why.effects import Effect, Took
    from conche_runtime.interface import ChosenEvent, ForcedEvent

    lines = [] if head is None else [head]
    mover = None if head is None else player
    for one in happened:
        last, mover = mover, one.player if isinstance(one, ForcedEvent | ChosenEvent) else None
        match one:
            case Took():
                whose = "" if one.player == last else f"{words.seats[one.player]}: "
                lines.append(f"    {words.faint(whose + _rule(one.rule, whole=True))}")
            case Effect():
                lines.append(f"      {one.text}  {words.faint(_rule(one.rule))}")
            case _:
                lines += words.events([one], eyes)
    return lines


def game_lines(
    image: Image, words: Words, players: int, seed: int, turns: Sequence[Turn], eyes: int | None
) -> list[list[str]]:
    """A game under way, with the rule of each effect, as one may know it, step by step: it is played again,
    from its seed and moves. NotExplainedError when the rules are not kept."""
    noting = _noting(image, ".")
    state = noting.start(players, seed)
    seats = None if eyes is None else [eyes]
    steps = [step_lines(words, None, None, noting.told(None, state, eyes), seats)]
    for turn in turns:
        before = state.clone()
        state.step(state.find(turn.name, turn.args, turn.player), turn.player)
        head = words.move(turn.player, turn.name, turn.args) if turn.shown_to(seats) else None
        steps.append(step_lines(words, turn.player, head, noting.told(before, state, eyes), seats))
        noting.forget()
    return steps


def last_lines(steps: Sequence[Sequence[str]], most: int) -> list[str]:
    """The last lines of all steps, of which the first is the set-up; where they begin within a move, its
    first line stands before them."""
    lines = [line for step in steps for line in step]
    begin = len(lines) - most
    if begin <= 0:
        return lines
    at = 0
    for place, step in enumerate(steps):
        if place and at < begin < at + len(step):
            left = [f"      … {begin - at - 1} more"] if begin - at > 1 else []
            return [step[0], *left, *lines[begin:]]
        at += len(step)
    return lines[begin:]


def _rule(rule: Rule, *, whole: bool = False) -> str:
    """`cacao.rules:112 step.place §1.4a`; whole: the line of the rules in place of where it stands."""
    from conche_runtime.explanation import rule_line

    if whole:
        return rule_line(rule)
    clauses = " ".join(f"§{clause.id}" for clause in rule.clauses)
    place = f"{rule.file.rpartition('/')[2]}:{rule.line}"
    return " ".join(part for part in (place, rule.path, clauses) if part)
