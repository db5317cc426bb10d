"""The modules that a change may break.

Purpose: a module refines places of its game by name; what happens to those places concerns it.
Input: a change, and the typed modules beside the game. Output: `AtRisk`s by module and place.
Invariants: `breaks` only where a place or name that the module needs is gone, is called otherwise or has
another form; a module that changes a changed place is named too, since its change now stands on other
ground.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.compare.found import Found
from conche.compare.model import AtRisk, Kind
from conche.semantics import typed_module as tm


def at_risk(found: Found, modules: Sequence[tm.TypedModule]) -> tuple[AtRisk, ...]:
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
