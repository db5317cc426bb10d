"""Renames as changes.

Purpose: each name that is another now, once, with what it names.
Input: the renames, the declarations of both sides in the new names. Output: `Found` changes.
Invariants: the kinds of one family are one rename.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conche.compare.declarations import SORTS, Declaration
from conche.compare.found import Found
from conche.compare.model import Kind
from conche.compare.names import Name, Renames, space_of
from conche.semantics import rulebook as rb
from conche.semantics.walk import walk

Declarations = Mapping[str, Declaration]


def found_renames(renames: Renames, ours: Declarations, theirs: Declarations) -> Iterator[Found]:
    families = {name.text for name in renames if name.space == "family"}
    shown: set[str] = set()
    for name, new in sorted(renames.items()):
        family = name.text.partition("(")[0]
        if name.space == "family" or (name.space == "kind" and family in shown):
            continue
        if name.space == "kind" and family in families:
            shown.add(family)
            name, new = Name("kind", family), new.partition("(")[0]
        yield _found(name, new, ours, theirs)


def _found(name: Name, new: str, ours: Declarations, theirs: Declarations) -> Found:
    what = f"{name.space} {name.text} is now {new}"
    for sort in SORTS.values():
        path = f"{sort}.{new}"
        if space_of(sort) == name.space and path in theirs:
            old = ours[path].node if path in ours else None
            return Found(Kind.RENAME, path, what, old, theirs[path].node, renamed_from=name.text)
    old, unit = (_user(name.space, new, side) for side in (ours, theirs))
    return Found(Kind.RENAME, f"{name.space}.{new}", what, old, unit, renamed_from=name.text)


def _user(space: str, text: str, theirs: Declarations) -> object:
    """What has a name that is no declaration's."""
    for declaration in theirs.values():
        for part in walk(declaration.node):
            match part:
                case rb.Choose(name=name) if space == "decision" and name == text:
                    return part
                case rb.Choose(name=name, cases=cases) if space == "argument" and text.startswith(f"{name}."):
                    found = [case for case in cases if text.rpartition(".")[2] in _arguments(case)]
                    if found:
                        return found[0]
                case rb.Chance(name=name) if space == "chance" and name == text:
                    return part
                case rb.Kind(name=name, family=family) if space == "kind" and text in (name, family):
                    return part
                case rb.Member(name=name) if space == "kind" and name == text:
                    return part
                case rb.Var(name=name, owner="space") if space == "space" and name == text:
                    return part
                case _:
                    pass
    return None


def _arguments(case: rb.Case) -> list[str]:
    return [binder.slot.name for binder in case.binders if not binder.hidden]
