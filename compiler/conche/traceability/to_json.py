"""A trace as JSON: `conche clauses --format json`.

Input: a `Trace`. Output: the documented form (docs/formats.md). Rules and scenarios are named by their place
in their lists, from 0.
"""

from __future__ import annotations

from typing import Any

from conche.semantics.typed_module import Condition
from conche.traceability.model import Rule, Trace, Traced

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def to_json(trace: Trace) -> dict[str, Any]:
    """The whole document."""
    missing = {id(rule) for rule in trace.without_clause}
    return {
        "conche": SCHEMA,
        "ruleset": trace.ruleset,
        "parts": [
            {"name": part.name, "title": part.title, "rules": part.file.name, "clauses": part.clause_file}
            for part in trace.parts
        ],
        "games": {"each": trace.games, "players": list(trace.players), "seed": trace.seed},
        "clauses": [_clause(clause) for clause in trace.clauses],
        "rules": [_rule(trace, number) for number in range(len(trace.rules))],
        "scenarios": [
            {
                "title": scenario.title,
                "file": scenario.file,
                "line": scenario.line,
                "clauses": [id_ for _, id_ in scenario.clauses],
                "passed": scenario.passed,
            }
            for scenario in trace.scenarios
        ],
        "without_rule": [n for n, clause in enumerate(trace.clauses) if clause.without_rule],
        "without_clause": [n for n, rule in enumerate(trace.rules) if id(rule) in missing],
    }


def _clause(clause: Traced) -> dict[str, Any]:
    entry = clause.entry
    return {
        "id": entry.id,
        "title": entry.title,
        "part": entry.part,
        "file": entry.file,
        "line": entry.line,
        "ruling": entry.is_ruling,
        "standing": clause.standing.value,
        "rules": list(clause.rules),
        "elsewhere": list(clause.elsewhere),
        "by": [
            {"part": claim.part, **_condition(claim.condition), "replaced": claim.replaced}
            for claim in clause.claims
        ],
        "scenarios": list(clause.scenarios),
    }


def _rule(trace: Trace, number: int) -> dict[str, Any]:
    rule, reached = trace.rules[number], trace.reached[number]
    return {
        "name": rule.name,
        "part": rule.part,
        "file": rule.file,
        "line": rule.line,
        "in_force": rule.in_force,
        **_condition(rule.condition),
        "cites": _cites(rule),
        "reached": None
        if reached is None
        else {"scenarios": list(reached.scenarios), "games": reached.games, "times": reached.times},
    }


def _cites(rule: Rule) -> list[dict[str, Any]]:
    return [
        {
            "id": cite.id,
            "part": None if cite.clause is None else cite.clause[0],
            "line": cite.line,
            "in_force": rule.in_force and cite.in_force,
            "players": list(cite.players),
        }
        for cite in rule.cites
    ]


def _condition(condition: Condition) -> dict[str, Any]:
    return {"modules": dict(condition.modules), "options": dict(condition.options)}
