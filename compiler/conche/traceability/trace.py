"""Puts a trace together.

Input: a checked ruleset without errors. Output: its `Trace`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conche.pipeline import Checked
from conche.semantics.rulebook import Rulebook
from conche.traceability.claims import claims_of, claims_of_scenarios, shortest
from conche.traceability.model import Entry, Key, Part, Rule, ScenarioRun, Standing, Trace, Traced
from conche.traceability.parts import meanings, parts_of
from conche.traceability.reach import reach
from conche.traceability.rules import rules_of


def trace_of(checked: Checked, *, games: int = 0, seed: int = 0) -> Trace:
    """The trace of a ruleset. `games`: random games for each number of players. CompileError where the rules
    have errors, RulesError where they fail in a game."""
    graph = checked.must()
    parts = parts_of(checked)
    rules = rules_of(parts, graph)
    reached, passed = reach(graph, [rule.counts for rule in rules], games, seed)
    scenarios = _scenarios(graph.rulebook, parts, passed)
    low, high = graph.rulebook.players
    return Trace(
        graph.rulebook.ruleset,
        parts,
        rules,
        clauses_of(parts, rules, scenarios, options_of(graph.rulebook)),
        scenarios,
        tuple(found if rule.counts else None for rule, found in zip(rules, reached, strict=True)),
        tuple(range(low, high + 1)),
        games,
        seed,
    )


def options_of(rulebook: Rulebook) -> dict[str, str]:
    """The value of every option."""
    return {name: option.value for name, option in rulebook.options.items()}


def clauses_of(
    parts: Sequence[Part],
    rules: Sequence[Rule],
    scenarios: Sequence[ScenarioRun],
    options: Mapping[str, str],
) -> tuple[Traced, ...]:
    """All clauses, each with what cites it."""
    entries = [entry for part in parts for entry in part.entries]
    modules = frozenset(part.name for part in parts if not part.is_game)
    citing = _citing(rules)
    claimed = claims_of_scenarios(parts)
    played: dict[Key, list[int]] = {}
    for number, scenario in enumerate(scenarios):
        for key in scenario.clauses:
            played.setdefault(key, []).append(number)
    in_force = {key for key, (here, _) in citing.items() if here}
    found: list[Traced] = []
    for entry in entries:
        own, other = citing.get(entry.key, ([], []))
        # What another part does with a clause in other combinations does not bind it to these.
        other = [number for number in other if own or rules[number].part == entry.part]
        claims = [claim for claim in claimed.get(entry.key, []) if claim.part == entry.part]
        below = {one.key for one in entries if is_below(one, entry)}
        if own:
            standing = Standing.RULE
        elif below & in_force:
            standing = Standing.PARTS
        elif other:
            standing = Standing.ELSEWHERE
        elif any(c.condition.holds(modules, options) for c in claimed.get(entry.key, [])):
            standing = Standing.SCENARIO
        elif claims or below & citing.keys():
            standing = Standing.ELSEWHERE
        else:
            standing = Standing.NONE
        by_rules = [pair for number in own or other for pair in claims_of(rules[number], entry.key)]
        wanted = [claim for claim, here in by_rules if here or not own] or claims
        found.append(
            Traced(
                entry,
                standing,
                tuple(own),
                tuple(other),
                tuple(played.get(entry.key, ())),
                shortest(wanted, parts),
            )
        )
    return tuple(found)


def _citing(rules: Sequence[Rule]) -> dict[Key, tuple[list[int], list[int]]]:
    """By clause the rules that cite it: those in force, and those that are not."""
    found: dict[Key, tuple[list[int], list[int]]] = {}
    for number, rule in enumerate(rules):
        keys = {cite.clause: False for cite in rule.cites}
        keys |= {cite.clause: True for cite in rule.cites if rule.in_force and cite.in_force}
        for key, here in keys.items():
            if key is not None:
                found.setdefault(key, ([], []))[0 if here else 1].append(number)
    return found


def is_below(entry: Entry, other: Entry) -> bool:
    """Whether one clause is a part of another by its number: `1.4a` and `1.4.2` are parts of `1.4`."""
    rest = entry.id.removeprefix(other.id)
    return (
        entry.part == other.part
        and not other.is_ruling
        and entry.id != other.id
        and len(rest) < len(entry.id)
        and not rest[0].isdigit()
    )


def _scenarios(rulebook: Rulebook, parts: Sequence[Part], passed: Sequence[bool]) -> tuple[ScenarioRun, ...]:
    """The scenarios with the clauses that they cite."""
    by_file = {part.file.name: meanings(parts, part.name) for part in parts}
    found: list[ScenarioRun] = []
    for scenario, good in zip(rulebook.scenarios, passed, strict=True):
        known = by_file[scenario.span.file]
        keys = tuple(dict.fromkeys(known[cite] for cite in scenario.cites if cite in known))
        found.append(ScenarioRun(scenario.title, scenario.span.file, scenario.span.line, keys, good))
    return tuple(found)
