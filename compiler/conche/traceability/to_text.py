"""A trace as tables for a terminal.

Input: a `Trace`, how many columns there are. Output: text; the most needed lists stand at its end, where a
terminal shows them.
Invariant: no line is wider than asked for, and no text of a rules file can do anything to a terminal.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from textwrap import shorten

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conche.diagnostics.excerpt import clean
from conche.semantics.words import plural
from conche.traceability.claims import words
from conche.traceability.model import Rule, Standing, Trace, Traced

NOTHING = "–"
TITLE = 40
"""So many characters of its text stand for a title."""


def to_text(trace: Trace, width: int = 80) -> str:
    """The tables: scenarios, clauses, rules, rulings; then what is missing."""
    out = io.StringIO()
    console = Console(file=out, width=max(width, 40), color_system=None, force_terminal=False, emoji=False)

    def show(*lines: Table | str) -> None:
        for line in lines:
            text = Text(line) if isinstance(line, str) else line
            console.print(text, markup=False, highlight=False, soft_wrap=False)

    show(_summary(trace), "")
    if trace.scenarios:
        show("Scenarios", _scenarios(trace))
    show("Clauses, with the rules in force and the scenarios that cite them", _clauses(trace))
    show(f"Rules in force, with what {_counted(trace)}", _rules(trace))
    if any(clause.entry.is_ruling for clause in trace.clauses):
        show("Rulings", _rulings(trace))
    show(*_missing(trace))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _summary(trace: Trace) -> str:
    counts = [
        plural(len(trace.clauses), "clause"),
        plural(sum(rule.in_force and rule.needs_clause for rule in trace.rules), "rule") + " in force",
        plural(len(trace.scenarios), "scenario"),
    ]
    games = ""
    if trace.games:
        players = [str(trace.players[0]), str(trace.players[-1])]
        span = " to ".join(dict.fromkeys(players))
        how = f"{trace.games} each with {span} players, seed {trace.seed}"
        games = f"; {plural(trace.all_games, 'random game')} ({how})"
    return f"{clean(trace.ruleset)}: {', '.join(counts)}{games}"


def _counted(trace: Trace) -> str:
    games = f", in how many of {trace.all_games} games, and how often" if trace.games else ""
    return f"reached them: the scenarios{games}"


def _table(*columns: tuple[str, bool, int | None]) -> Table:
    """Columns: head, whether numbers stand in it, its greatest share of the width."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=False)
    for head, is_number, ratio in columns:
        table.add_column(
            head,
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number,
            ratio=ratio,
        )
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*[Text(clean(cell)) for cell in cells])


def _scenarios(trace: Trace) -> Table:
    table = _table(("", True, None), ("scenario", False, None), ("at", False, None))
    for number, scenario in enumerate(trace.scenarios, 1):
        failed = "" if scenario.passed else "FAILED: "
        _row(table, str(number), failed + scenario.title, f"{_file(scenario.file)}:{scenario.line}")
    return table


def _clauses(trace: Trace) -> Table:
    table = _table(("clause", False, None), ("", False, 5), ("rules", False, 7), ("scenarios", False, 2))
    several = len(trace.parts) > 1
    for part in trace.parts:
        if several and part.entries:
            _row(table, f"{part.title}:", "", "", "")
        for clause in trace.clauses:
            if clause.entry.part == part.name:
                rules = ", ".join(_names(trace, clause.rules, part.name)) or _why_none(clause)
                _row(table, f"§{clause.entry.id}", _title(clause), rules, numbers(clause.scenarios))
    return table


def _names(trace: Trace, rules: Iterable[int], part: str) -> list[str]:
    """Rules by name; those of another part than the clause's with it."""
    found = [trace.rules[number] for number in rules]
    return [rule.name if rule.part == part else f"{rule.name} ({rule.part})" for rule in found]


def _why_none(clause: Traced) -> str:
    match clause.standing:
        case Standing.PARTS:
            return "in its parts"
        case Standing.ELSEWHERE:
            return f"not here: {'; '.join(map(words, clause.claims)) or 'its parts'}"
        case Standing.SCENARIO:
            return f"{NOTHING} no rule, only scenarios"
        case _:
            return f"{NOTHING} no rule"


def _rules(trace: Trace) -> Table:
    games = [("games", True, None), ("times", True, None)] if trace.games else []
    table = _table(
        ("line", True, None), ("rule", False, 8), ("clauses", False, 5), ("scenarios", False, 4), *games
    )
    blank = [""] * (3 + len(games))
    for part in trace.parts:
        if len(trace.parts) > 1:
            table.add_row("", Text(f"{clean(part.title)}:"), *blank[1:])
        for rule, reached in zip(trace.rules, trace.reached, strict=True):
            if rule.part != part.name or not rule.in_force or not rule.needs_clause:
                continue
            cites = " ".join(f"§{cite}" for cite in dict.fromkeys(c.id for c in rule.cites if c.in_force))
            if reached is None:
                row = ["", *["" for _ in games]]
            else:
                every = len(reached.scenarios) == len(trace.scenarios) > 1
                row = [("all" if every else numbers(reached.scenarios)) or NOTHING]
                row += [str(reached.games), str(reached.times)] if games else []
            _row(table, str(rule.line), rule.name, cites or f"{NOTHING} none", *row)
    return table


def _rulings(trace: Trace) -> Table:
    table = _table(("ruling", False, None), ("", False, 6), ("in force", False, None), ("by", False, 6))
    for clause in trace.clauses:
        if clause.entry.is_ruling:
            yes = "yes" if clause.rules else "no"
            why = "; ".join(map(words, clause.claims)) if clause.rules else _why_none(clause)
            _row(table, f"§{clause.entry.id}", _title(clause), yes, why)
    return table


def _missing(trace: Trace) -> list[str]:
    lines = ["Clauses without a rule" + ("" if trace.without_rule else ": none")]
    lines += [f"  §{clean(c.entry.id)} {clean(_title(c))}  ({_place(c)})" for c in trace.without_rule]
    lines += ["Rules without a clause" + ("" if trace.without_clause else ": none")]
    lines += [f"  {clean(rule.name)}  ({_place(rule)})" for rule in trace.without_clause]
    if trace.games:
        never = [
            rule
            for rule, reached in zip(trace.rules, trace.reached, strict=True)
            if reached is not None and not reached.scenarios and not reached.games
        ]
        lines += ["Rules that nothing reached" + ("" if never else ": none")]
        lines += [f"  {clean(rule.name)}  ({_place(rule)})" for rule in never]
    return lines


def _title(clause: Traced) -> str:
    """Its title, else how its text begins."""
    entry = clause.entry
    return entry.title or shorten(" ".join(entry.text.split()), TITLE, placeholder=" …")


def _place(of: Traced | Rule) -> str:
    file, line = (of.entry.file, of.entry.line) if isinstance(of, Traced) else (of.file, of.line)
    return f"{_file(file)}:{line}"


def _file(path: str) -> str:
    """A file without its folders: those of one ruleset are told apart by name."""
    return clean(path.replace("\\", "/").rpartition("/")[2])


def numbers(found: Sequence[int]) -> str:
    """Numbers from 0 as one counts them, runs of them drawn together: `1-3 5`."""
    runs: list[list[int]] = []
    for number in found:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(low + 1) if low == high else f"{low + 1}-{high + 1}" for low, high in runs)
