"""`conche replay`: does a recorded game still fit the rules?"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from conche.cli.arguments import Argument, Option
from conche.cli.options import FormatOption, TextOrJson, number
from conche.cli.output import color, put, report, say, settled
from conche.cli.trouble import GOOD, PROBLEMS, refuse

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche.source import Source
    from conche_runtime.interface import Engine, Event, State
    from conche_runtime.records import DecisionLine, Record
    from conche_runtime.replay import ReplayResult

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def command(
    file: Annotated[str, Argument(metavar="FILE", help="A record that `conche play --record` wrote.")],
    ruleset: Annotated[
        str | None,
        Argument(metavar="[RULESET]", help="Other rules than those it began with, also `REVISION:RULESET`."),
    ] = None,
    to: Annotated[
        int | None, Option("--to", metavar="LINE", help="Stop at this line and show the position.")
    ] = None,
    watch: Annotated[bool, Option("--watch", help="Print each move.")] = False,
    triage: Annotated[
        bool, Option("--triage", help="FILE is a folder: sort its records by whether they still replay.")
    ] = False,
    as_now: Annotated[
        bool, Option("--as-now", help="Play it by its ruleset as it is now, not as the game began.")
    ] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Play a recorded game again.

    Reports the first line that no longer fits the rules, and why. A game is played by the rules that it
    began with, also when these have changed since.

    With --triage, says of each record of a folder whether it replays to the same result, and if not, from
    which line on and because of which change of the rules.

    Exit code 0 when it fits, as far as it goes; 1 when it does not; 2 when the rules it began with are not
    kept.
    """
    import sys
    from pathlib import Path

    from conche.cli.pinned import named_rules, own_rules
    from conche.cli.screen import width
    from conche.draw import Drawing
    from conche.draw.words import Words
    from conche_runtime.records import read_record
    from conche_runtime.replay import replay as play_again

    if triage:
        from conche.cli.triage import triage as sort

        if to is not None or watch or as_now:
            refuse("C0501", "--triage sorts a folder of records; --to, --watch and --as-now are for one")
        return sort(file, ruleset, as_json=style is TextOrJson.JSON)
    if to is not None:
        number(to, "a line", 1, 10**9)
    record = read_record(Path(file))
    if ruleset is not None and as_now:
        refuse("C0501", "--as-now takes the rules that the record names; here are others too")
    pinned = ""
    if ruleset is not None:
        image = named_rules(ruleset)
    else:
        again, header = f"conche replay {shlex.quote(file)}", record.header
        image, pinned = own_rules(file, header.ruleset, header.digest, again, as_now)
    engine = image.engine()
    settled()
    text = style is TextOrJson.TEXT
    players = min(record.header.players, engine.max_players)
    words = Words(engine, players, color(sys.stdout), looks=image.looks)

    def show(state: State, line: DecisionLine | None, events: Sequence[Event]) -> None:
        if line is not None:
            say(words.move(line.player, line.name, line.args or {}))
        for shown in words.events(events, None if record.header.seat is None else [record.header.seat]):
            say(shown)

    result = play_again(engine, record, to_line=to, watch=show if watch and text else None)
    found, sources = _findings(engine, record, result, file)
    if not text:
        document = _document(file, engine, record, result, to)
        put(json.dumps({**document, "pinned": bool(pinned)}, ensure_ascii=False, indent=2) + "\n")
        return GOOD if result.problem is None else PROBLEMS
    if to is not None and result.state is not None:
        seat, state = record.header.seat, result.state
        position = state.snapshot() if seat is None else state.view(seat)
        drawing = Drawing(engine, players, words, image.looks)
        for line in drawing.position(position, width()):
            say(line)
    report(found, sources)
    if pinned:
        say(pinned)
    if result.problem is not None:
        return PROBLEMS
    say(f"{file}: {_verdict(record, result, to)}")
    if result.complete and result.state is not None:
        for line in words.scores(result.state):
            say(line)
    return GOOD


def _verdict(record: Record, result: ReplayResult, to: int | None) -> str:
    total = len(record.lines) + 1
    if result.complete:
        verdict = f"all {total} lines fit"
    elif to is not None and result.lines_done < total:
        verdict = f"lines 1 to {result.lines_done} of {total} fit"
        if result.lines_done > to:
            what = "the set-up" if result.lines_done < _first_move(record) else "the move before it"
            verdict += f"; {what} goes on to line {result.lines_done}"
    else:
        verdict = f"{result.lines_done} of {total} lines fit; the game is not finished"
    return f"{verdict} ({result.note})" if result.note else verdict


def _first_move(record: Record) -> int:
    """The line of the first decision; that behind the last line where there is none."""
    from conche_runtime.records import DecisionLine

    return next((one.line for one in record.lines if isinstance(one, DecisionLine)), len(record.lines) + 2)


def _findings(
    engine: Engine, record: Record, result: ReplayResult, file: str
) -> tuple[list[Diagnostic], dict[str, Source]]:
    """What is to be said about a record; each with the line it speaks of."""
    from conche.diagnostics.codes import diagnose
    from conche.diagnostics.model import Label

    found: list[Diagnostic] = []
    source = _source(file)
    if not result.same_rules:
        theirs, ours = record.header.digest[:16] or "none", engine.digest[:16] or "none"
        title = f"the record is of other rules than '{engine.ruleset}' is now"
        found.append(diagnose("C0513", title, notes=(f"digest {theirs} recorded, {ours} now",)))
    if record.cut is not None:
        found.append(diagnose("C0514", f"line {record.cut}, the last one, is not whole; it is left out"))
    if result.problem is not None:
        line = result.problem.line
        span = source.span(source.offset(line, 1), source.offset(line, len(source.line(line)) + 1))
        found.append(diagnose("C0512", result.problem.message, Label(span)))
    return found, {file: source}


def _source(file: str) -> Source:
    """The text of the record, for the excerpt."""
    from pathlib import Path

    from conche.source import Source

    try:
        return Source(file, Path(file).read_bytes().decode("utf-8", "replace"))
    except OSError:
        return Source(file, "")


def _document(
    file: str, engine: Engine, record: Record, result: ReplayResult, to: int | None
) -> dict[str, Any]:
    """The documented form: `conche replay --format json`.

        {"conche": 1, "file": "…", "ruleset": "cacao", "digest": "…", "same_rules": true, "lines": 214,
        "lines_done": 214,
         "complete": true, "cut": null, "problem": null | {"line": 14, "message": "…"}, "note": null | "…",
         "scores": […] | null, "ranking": […] | null, "state": {…} (with --to)}

    `cut`: the number of a last line that is not whole; `note`: what could not be checked; scores and
    ranking where the game is over.
    """
    state, seat = result.state, record.header.seat
    over = state is not None and state.over
    document: dict[str, Any] = {
        "conche": SCHEMA,
        "file": file,
        "ruleset": engine.ruleset,
        "digest": engine.digest,
        "same_rules": result.same_rules,
        "lines": len(record.lines) + 1,
        "lines_done": result.lines_done,
        "complete": result.complete,
        "cut": record.cut,
        "problem": None
        if result.problem is None
        else {"line": result.problem.line, "message": result.problem.message},
        "note": result.note,
        "scores": state.scores if state is not None and over else None,
        "ranking": state.ranking if state is not None and over else None,
    }
    if to is not None:
        position = None if state is None else state.snapshot() if seat is None else state.view(seat)
        document["state"] = position
    return document
