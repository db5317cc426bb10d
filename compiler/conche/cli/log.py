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
    from conche.draw.words import Words
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
    from conche.why.log import noting_engine
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
            engine = noting_engine(engine, image.ruleset, Path(file).parent)
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


class _Log:
    """Prints, or collects, the steps of a record."""

    def __init__(
        self, engine: Engine, record: Record, words: Words, first: int, last: int | None, as_json: bool
    ) -> None:
        from conche.why.log import Follower

        self.words, self.first, self.last, self.as_json = words, first, last, as_json
        seat = record.header.seat
        self.eyes = None if seat is None else [seat]
        self.follower = Follower(engine, seat)
        self.width = len(str(len(record.lines) + 1))
        self.line = 1
        self.steps: list[dict[str, Any]] = []

    def step(self, state: State, line: DecisionLine | None, events: Sequence[Event]) -> None:
        """One decision, or the set-up."""
        from conche.why.log import step_document, step_lines

        if line is not None:
            self.line = line.line
        if self.line < self.first or (self.last is not None and self.line > self.last):
            self.follower.pass_by(state)
            return
        happened = self.follower.happened(state, events)
        player = None if line is None else line.player
        if self.as_json:
            name, args = ("", None) if line is None else (line.name, line.args)
            found = step_document(player, name, args, happened, self.eyes)
            self.steps.append({"line": self.line, **found})
            return
        head = None if line is None else self.words.move(line.player, line.name, line.args or {})
        number = "" if line is None else str(line.line)
        for shown in step_lines(self.words, player, head, happened, self.eyes):
            say(f"{number.rjust(self.width)}  {shown}")
            number = ""
