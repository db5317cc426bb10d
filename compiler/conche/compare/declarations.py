"""A rulebook as declarations by path.

Purpose: the units that are matched between two versions.
Input: a `Rulebook`. Output: `Declaration`s by path (`step.fill`, `action.use.market`, `zone.display`,
`setup`).
Invariants: paths are those of the canonical form; every field of the rulebook that play depends on is in
some declaration, a field that is added to `Rulebook` later under its own name. The cases of an action are
declarations of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from conche.semantics import rulebook as rb
from conche.semantics.walk import walk
from conche.source import Span

SORTS = {
    "enums": "enum",
    "pieces": "piece",
    "tables": "values",
    "boards": "board",
    "zones": "zone",
    "tracks": "track",
    "variables": "var",
    "steps": "step",
    "actions": "action",
    "queries": "query",
    "triggers": "trigger",
    "scores": "score",
    "invariants": "always",
    "conserved": "conserve",
}
"""The word in the path, by the field of the rulebook."""

_NOT_PLAYED = frozenset({"options", "rulings", "scenarios"})


@dataclass(frozen=True, slots=True)
class Passage:
    """`setup` or `play`: a body that stands for itself."""

    name: str
    body: tuple[rb.Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """`sort` is the first word of the path; `name` the rest, empty where there is one only."""

    path: str
    sort: str
    name: str
    node: object


def declarations(rulebook: rb.Rulebook) -> dict[str, Declaration]:
    """All declarations, in the order of the rulebook's fields."""
    found: dict[str, Declaration] = {}

    def add(sort: str, name: str, node: object) -> None:
        path = f"{sort}.{name}" if name else sort
        found[path] = Declaration(path, sort, name, node)

    for field in fields(rulebook):
        value = getattr(rulebook, field.name)
        if isinstance(value, dict) and field.name not in _NOT_PLAYED:
            for name, node in value.items():
                add(SORTS.get(field.name, field.name), name, node)
    for action in rulebook.actions.values():
        for case in action.cases:
            add("action", f"{action.name}.{case.label}", case)
    add("setup", "", Passage("setup", rulebook.setup, rulebook.setup_span, rulebook.setup_cites))
    add("play", "", Passage("play", rulebook.play, rulebook.play_span, rulebook.play_cites))
    add("rank", "", rulebook.rank)
    return found


def cites_below(node: object) -> set[str]:
    """The clauses that a node and what is below it cite."""
    found = set(getattr(node, "cites", ()))
    for part in walk(node):
        found.update(getattr(part, "cites", ()))
    return found
