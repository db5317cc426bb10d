"""The modules of the old version, read again over the game of the new one.

Purpose: whether a change of the game breaks a module is seen by compiling the module.
Input: both versions. Output: by module the first error that it has now.
Invariants: the modules' texts are those of the old side, so that only the game differs; one that had errors
over the old game is not among them. Scenarios are left out: they may hold other numbers now and no rule is
broken by that. A module is put together with those it requires; conflicts count as errors.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from conche.diagnostics.model import Diagnostic, Severity, has_errors
from conche.modules.compose import compose
from conche.modules.library import Library, parsed, typed_game
from conche.modules.load import open_game
from conche.semantics import typed_module as tm
from conche.versions.version import Version


def broken_modules(old: Version, new: Version) -> Mapping[str, str]:
    """The title of the first error of each module that has one now."""
    mine, theirs = open_game(old.ruleset.game, old.read), open_game(new.ruleset.game, new.read)
    if isinstance(mine, Diagnostic) or isinstance(theirs, Diagnostic):
        return {}
    (source, folder), (changed, _) = mine, theirs
    if source.text == changed.text:
        return {}
    game = typed_game(changed, parsed(changed)[0])
    if game is None:
        return {}
    library = Library(changed, game, folder, posixpath.dirname(source.name), old.read)
    typed: dict[str, tm.TypedModule] = {}
    broken: dict[str, str] = {}
    for module in old.modules:
        entry = library.open(module.name, is_path=False, scenarios=False)
        if isinstance(entry, Diagnostic):
            continue
        again, found = library.type(entry)
        if again is None or has_errors(found):
            broken[module.name] = _first(found)
        else:
            typed[module.name] = again
    for name, module in typed.items():
        others = _required(module, typed)
        if others is not None:
            _, found = compose(game, [*others, module], {})
            if has_errors(found):
                broken[name] = _first(found)
    return broken


def _first(found: list[Diagnostic]) -> str:
    return next((one.title for one in found if one.severity is Severity.ERROR), "it cannot be read")


def _required(module: tm.TypedModule, typed: Mapping[str, tm.TypedModule]) -> list[tm.TypedModule] | None:
    """The modules it requires, and theirs; None where one of them is broken itself."""
    found: dict[str, tm.TypedModule] = {}
    waiting = [one.text for one in module.requires]
    while waiting:
        name = waiting.pop()
        if name in found or name == module.name:
            continue
        if name not in typed:
            return None
        found[name] = typed[name]
        waiting += [one.text for one in typed[name].requires]
    return list(found.values())
