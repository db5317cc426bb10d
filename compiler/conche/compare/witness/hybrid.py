"""The old version with one group of changes alone.

Purpose: a witness of one group must not be hidden by the changes of others.
Input: a comparison and the number of a group. Output: a closed rulebook, or None where the group does not
stand alone.
Invariants: the declarations that the group touches are those of the new version, all others those of the
old one (in the new names); what these need and lack is taken from the new version, else kept from the old
one. A rulebook whose calls and names do not fit is not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from conche.compare.compare_versions import Compared
from conche.compare.declarations import SORTS, Declaration, Passage, declarations
from conche.compare.model import Kind
from conche.compare.names import Name, names_in, space_of
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.semantics import rulebook as rb
from conche.semantics.walk import walk
from conche_runtime.errors import RulesError

_FIELDS = {sort: field for field, sort in SORTS.items()}
_ROUNDS = 20


def hybrid(compared: Compared, group: int) -> rb.Rulebook | None:
    """The rulebook with that group alone."""
    old, new = compared.matched.old, compared.new.rulebook
    ours, theirs = declarations(old), declarations(new)
    touched = {
        path
        for change, found in zip(compared.comparison.changes, compared.found, strict=True)
        if change.group == group and change.kind is not Kind.CLAUSE
        for path in (found.path, *found.runs_in)
    }
    chosen = {path: one for path, one in ours.items() if path not in touched}
    chosen |= {path: theirs[path] for path in touched if path in theirs}
    if not _closed(chosen, ours, theirs):
        return None
    made = _rulebook(chosen, old)
    if "players" in touched:
        made = replace(made, players=new.players)
    return made if _fits(made) and _begins(made) else None


def _closed(
    chosen: dict[str, Declaration], ours: Mapping[str, Declaration], theirs: Mapping[str, Declaration]
) -> bool:
    """Adds what is spoken of and not there."""
    for _ in range(_ROUNDS):
        missing = _missing(chosen)
        if not missing:
            return True
        for name in missing:
            found = next(
                (side[path] for side in (theirs, ours) for path in _paths(name) if path in side), None
            )
            if found is None:
                return False
            chosen[found.path] = found
    return False


def _missing(chosen: Mapping[str, Declaration]) -> set[Name]:
    declared = {Name(space_of(one.sort), one.name) for one in chosen.values()}
    spaces = {space_of(sort) for sort in _FIELDS}
    used = {name for one in chosen.values() for name in names_in(one.node) if name.space in spaces}
    return used - declared


def _paths(name: Name) -> Iterable[str]:
    sorts = [sort for sort in _FIELDS if space_of(sort) == name.space]
    return (f"{sort}.{name.text}" for sort in sorts)


def _rulebook(chosen: Mapping[str, Declaration], old: rb.Rulebook) -> rb.Rulebook:
    changed: dict[str, Any] = {field: {} for field in SORTS}
    cases: dict[str, list[rb.ActionCase]] = {}
    for path, one in sorted(chosen.items()):
        match one.node:
            case Passage(name=name, body=body):
                changed[name] = body
            case rb.Rank():
                changed["rank"] = one.node
            case rb.ActionCase():
                cases.setdefault(path.split(".")[1], []).append(one.node)
            case _ if one.sort in _FIELDS:
                changed[_FIELDS[one.sort]][one.name] = one.node
            case _:
                changed.setdefault(one.sort, {})[one.name] = one.node
    for name, action in changed["actions"].items():
        changed["actions"][name] = replace(action, cases=tuple(cases.get(name, ())))
    known = {field.name for field in fields(old)}
    return replace(old, **{field: value for field, value in changed.items() if field in known})


def _begins(book: rb.Rulebook) -> bool:
    """Whether a game of it can be begun. What two versions make together has not been checked as a whole:
    whatever it fails of, it is not used."""
    try:
        Interpreter(from_rulebook(book)).start(book.players[0], 0)
    except RulesError:
        return True  # that is a difference, and no fault of putting it together
    except Exception:
        return False
    return True


def _fits(book: rb.Rulebook) -> bool:
    """Whether calls give what is taken, and actions know the kinds that there are."""
    for part in walk((*(one.node for one in declarations(book).values()),)):
        match part:
            case rb.Do() if len(part.args) != len(book.steps[part.step].params):
                return False
            case rb.Call() if len(part.args) != len(book.queries[part.query].params):
                return False
            case rb.DoAction():
                cases = book.actions[part.action].cases
                if not cases or any(len(case.params) != len(part.args) for case in cases):
                    return False
            case _:
                pass
    for action in book.actions.values():
        of: Any = book.pieces.get(action.of) or book.enums.get(action.of)
        kinds = {one.name for one in (of.kinds if isinstance(of, rb.PieceType) else of.members)}
        if kinds - {kind for case in action.cases for kind in case.kinds}:
            return False
    return True
