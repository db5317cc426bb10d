"""A trace of one part: its clauses and rules, with all that has to do with them.

Input: a `Trace`, the name of its game or of one of its modules. Output: a `Trace`.
Invariants: rules of other parts stay that cite the part's clauses, and scenarios that cite them or stand in
its file; all else is gone, and what is left keeps its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from conche.traceability.model import Trace


def only_part(trace: Trace, name: str) -> Trace:
    clauses = [clause for clause in trace.clauses if clause.entry.part == name]
    (part,) = (part for part in trace.parts if part.name == name)
    cited = {number for clause in clauses for number in (*clause.rules, *clause.elsewhere)}
    rules = [number for number, rule in enumerate(trace.rules) if rule.part == name or number in cited]
    scenarios = [
        number
        for number, scenario in enumerate(trace.scenarios)
        if scenario.file == part.file.name or any(key[0] == name for key in scenario.clauses)
    ]
    new_rules = {number: place for place, number in enumerate(rules)}
    new_scenarios = {number: place for place, number in enumerate(scenarios)}
    reached = [trace.reached[number] for number in rules]
    return replace(
        trace,
        parts=(part,),
        rules=tuple(trace.rules[number] for number in rules),
        clauses=tuple(
            replace(
                clause,
                rules=_moved(clause.rules, new_rules),
                elsewhere=_moved(clause.elsewhere, new_rules),
                scenarios=_moved(clause.scenarios, new_scenarios),
            )
            for clause in clauses
        ),
        scenarios=tuple(trace.scenarios[number] for number in scenarios),
        reached=tuple(
            None if one is None else replace(one, scenarios=_moved(one.scenarios, new_scenarios))
            for one in reached
        ),
    )


def _moved(numbers: Iterable[int], new: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(new[number] for number in numbers if number in new)
