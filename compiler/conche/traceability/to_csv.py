"""A trace as CSV: one line for each pair of a clause and a rule in force that cites it.

Input: a `Trace`. Output: text. A clause without a rule has a line with no rule, a rule without a clause one
with no clause.
"""

from __future__ import annotations

import csv
import io

from conche.traceability.model import Trace

HEAD = (
    "clause",
    "title",
    "part",
    "standing",
    "rule",
    "rule_part",
    "file",
    "line",
    "scenarios",
    "games",
    "times",
)


def to_csv(trace: Trace) -> str:
    """The lines, clauses in their order, then rules that cite nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for clause in trace.clauses:
        entry = clause.entry
        head = [entry.id, entry.title, entry.part, clause.standing.value]
        for number in clause.rules:
            writer.writerow([*head, *_rule(trace, number)])
        if not clause.rules:
            writer.writerow([*head, *[""] * (len(HEAD) - len(head))])
    for rule in trace.without_clause:
        number = next(n for n, other in enumerate(trace.rules) if other is rule)
        writer.writerow(["", "", "", "", *_rule(trace, number)])
    return out.getvalue()


def _rule(trace: Trace, number: int) -> list[str | int]:
    rule, reached = trace.rules[number], trace.reached[number]
    place: list[str | int] = [rule.name, rule.part, rule.file, rule.line]
    if reached is None:
        return [*place, "", "", ""]
    return [*place, len(reached.scenarios), reached.games, reached.times]
