"""Changes as they are shown.

Purpose: from what was found to what every output shows.
Input: `Found` changes, both versions. Output: `Change`s.
Invariants: one for each, in order; numbered from `c1`.
"""

from __future__ import annotations

from dataclasses import replace

from conche.compare.at_risk import at_risk
from conche.compare.declarations import cites_below, declarations
from conche.compare.found import Found
from conche.compare.groups import groups
from conche.compare.match import Matched
from conche.compare.model import Change, Kind, Reach, Text
from conche.compare.reach import Influence, reach
from conche.compare.retyped import broken_modules
from conche.compare.texts import clause_texts, meaning_of, text_of
from conche.compare.verdicts import arguments_of, used_in_setup, verdicts_of
from conche.semantics import rulebook as rb
from conche.semantics.clauses import Clause
from conche.versions.version import Version


def finished(found: list[Found], old: Version, new: Version, matched: Matched) -> tuple[Change, ...]:
    """The changes with their texts, groups, reach, risks and verdicts, in the order of `found`."""
    if not found:
        return ()
    ours, theirs = _cited_in(matched.old), _cited_in(new.rulebook)
    numbers = groups(found, ours - theirs, theirs - ours)
    played = any(one.kind is not Kind.CLAUSE for one in found)
    influences = None
    if played:
        aligned = replace(old, rulebook=matched.old)
        influences = (Influence(aligned.graph), Influence(new.graph))
    # A module in play was put together with its side's rules: it is part of what is compared.
    in_play = {name for side in (old, new) for name, _ in side.rulebook.versions}
    modules = [module for module in old.modules if module.name not in in_play] if played else []
    risks = at_risk(found, modules, broken_modules(old, new) if modules else {})
    in_setup, arguments = used_in_setup(new.rulebook), arguments_of(new.rulebook)
    changes = []
    for number, (one, group) in enumerate(zip(found, numbers, strict=True), 1):
        changes.append(
            Change(
                f"c{number}",
                one.kind,
                one.path,
                _node_of(one, influences) or one.path,
                one.what,
                *_texts(one, old, new),
                group,
                reach(one, *influences)
                if influences is not None and one.kind is not Kind.CLAUSE
                else Reach(),
                risks[number - 1],
                verdicts_of(one, in_setup, arguments),
            )
        )
    return tuple(changes)


def _node_of(found: Found, influences: tuple[Influence, Influence] | None) -> str | None:
    if influences is None:
        return None
    side, unit = (influences[0], found.old) if found.new is None else (influences[1], found.new)
    nodes = side.by_owner.get(id(unit), [])
    return nodes[0] if nodes else None


def _texts(found: Found, old: Version, new: Version) -> tuple[Text | None, Text | None]:
    """Both sides as they are written; as they are meant, where the files say the same."""
    ours, theirs = _text(found.old, old), _text(found.new, new)
    if isinstance(found.node, Clause):
        return clause_texts(found.old, found.new)
    told = found.kind in (Kind.CLAUSE, Kind.RENAME) or found.moved
    if ours is None or theirs is None or ours.text != theirs.text or told:
        return ours, theirs
    said = meaning_of(found.old), meaning_of(found.new)
    if said[0] == said[1]:
        return ours, theirs
    return replace(ours, text=said[0] or ours.text), replace(theirs, text=said[1] or theirs.text)


def _text(unit: object, version: Version) -> Text | None:
    return text_of(unit, version.sources) if hasattr(unit, "span") else None


def _cited_in(book: rb.Rulebook) -> frozenset[str]:
    found: set[str] = set()
    for declaration in declarations(book).values():
        found |= cites_below(declaration.node)
    return frozenset(found)
