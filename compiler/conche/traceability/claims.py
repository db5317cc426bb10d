"""What makes clauses count: the parts and conditions of the rules and scenarios that cite them.

Input: parts and rules. Output: `Claim`s by clause, and in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from conche.semantics.typed_module import Condition
from conche.semantics.words import listed
from conche.syntax import ast
from conche.traceability.model import Claim, Key, Part, Rule
from conche.traceability.parts import meanings
from conche.traceability.rules import scenarios_in


def claims_of(rule: Rule, key: Key) -> Iterator[tuple[Claim, bool]]:
    """The claims of a rule on a clause, and whether each is in force."""
    for cite in rule.cites:
        if cite.clause == key:
            in_force = rule.in_force and cite.in_force
            yield Claim(rule.part, cite.condition, cite.in_force and not in_force), in_force


def claims_of_scenarios(parts: Sequence[Part]) -> dict[Key, list[Claim]]:
    """By clause, the claims of all scenarios of the files, those of other combinations too."""
    found: dict[Key, list[Claim]] = {}
    for part in parts:
        known = meanings(parts, part.name)
        for scenario, condition in scenarios_in(part.file.decls):
            for key in _cited(scenario, known):
                found.setdefault(key, []).append(Claim(part.name, condition))
    return found


def _cited(scenario: ast.ScenarioDecl, known: dict[str, Key]) -> list[Key]:
    return [known[cite.id] for cite in scenario.cites if cite.id in known]


def shortest(claims: Collection[Claim], parts: Sequence[Part]) -> tuple[Claim, ...]:
    """In the order of the parts; where a whole part claims a clause, its conditions say no more."""
    whole = {claim.part for claim in claims if claim.condition == Condition() and not claim.replaced}
    order = {part.name: place for place, part in enumerate(parts)}
    kept = {c for c in claims if c.part not in whole or (c.condition == Condition() and not c.replaced)}
    return tuple(sorted(kept, key=lambda claim: (order[claim.part], claim)))


def words(claim: Claim) -> str:
    """`huts`, `huts with 'chocolate'`, `cacao, option first_seat is random`."""
    condition = claim.condition
    present = [name for name, there in condition.modules if there]
    absent = [name for name, there in condition.modules if not there]
    text = claim.part
    if present:
        text += f" with {listed(present)}"
    if absent:
        text += f" without {listed(absent)}"
    text += "".join(f", option {name} is {value}" for name, value in condition.options)
    return f"{text} (replaced)" if claim.replaced else text
