"""The modules that a change may break.

Purpose: a module refines places of its game by name; what happens to those places concerns it.
Input: a change, and the typed modules beside the game. Output: `AtRisk`s by module and place.
Invariants: `breaks` only of a module that cannot be compiled over the new game; a module that changes a
changed place is named too, since its change now stands on other ground. A broken module is named at least
once: where a name that it needs is gone, is called otherwise or has another form; else at a change that it
or the finding speaks of; else at the first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conche.compare.found import Found
from conche.compare.model import AtRisk, Kind
from conche.semantics import typed_module as tm


def at_risk(
    found: Sequence[Found], modules: Sequence[tm.TypedModule], broken: Mapping[str, str]
) -> list[tuple[AtRisk, ...]]:
    """For each change the modules at risk. `broken`: see `retyped.broken_modules`."""
    every = [_touched(one, modules) for one in found]
    for module in modules:
        why = broken.get(module.name)
        places = [at for at, risks in enumerate(every) if any(one.module == module.name for one in risks)]
        if why is None:
            for at in places:
                every[at] = tuple(
                    replace(one, breaks=False) if one.module == module.name else one for one in every[at]
                )
            continue
        gone = [at for at in places if any(one.module == module.name and one.breaks for one in every[at])]
        for at in gone or _spoken_of(found, why) or places[:1] or _played(found)[:1]:
            mine = [one for one in every[at] if one.module == module.name]
            mine = [one for one in mine if one.breaks] or mine or [AtRisk(module.name, found[at].path, True)]
            others = [one for one in every[at] if one.module != module.name]
            told = [replace(one, breaks=True, why=why) for one in mine]
            every[at] = tuple(sorted((*others, *told), key=lambda one: (one.module, one.place)))
    return every


def _spoken_of(found: Sequence[Found], title: str) -> list[int]:
    """The change whose declaration a finding names, or the numbers of players where it speaks of those."""
    named = [at for at in _played(found) if f"'{found[at].path.partition('.')[2]}'" in title]
    counted = [at for at, one in enumerate(found) if one.path == "players" and " players" in title]
    return (named or counted)[:1]


def _played(found: Sequence[Found]) -> list[int]:
    return [at for at, one in enumerate(found) if one.kind not in (Kind.CLAUSE, Kind.CHECK)]


def _touched(found: Found, modules: Sequence[tm.TypedModule]) -> tuple[AtRisk, ...]:
    if found.kind in (Kind.CLAUSE, Kind.CHECK):
        return ()
    gone = _gone(found)
    result: dict[tuple[str, str], AtRisk] = {}
    for module in modules:
        for change in module.changes:
            places = {change.edit.place}
            effects = change.effects
            used = places | {_plain(path) for path in effects.uses | effects.reads | effects.writes}
            if gone & used:
                risk = AtRisk(module.name, sorted(gone & used)[0], True)
            elif found.path in places:
                risk = AtRisk(module.name, found.path, False)
            else:
                continue
            known = result.get((risk.module, risk.place))
            if known is None or risk.breaks:
                result[risk.module, risk.place] = risk
    return tuple(result[key] for key in sorted(result))


def _gone(found: Found) -> set[str]:
    """The paths that a module can no longer name as it does."""
    if found.whole and found.new is None:
        return {found.path}
    if found.renamed_from is not None:
        return {f"{found.sort}.{found.renamed_from}"}
    if found.kind is Kind.INTERFACE and not found.whole:
        return {found.path}
    return set()


def _plain(path: str) -> str:
    return path if "." in path else f"board.{path}"
