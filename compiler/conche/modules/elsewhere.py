"""Scenarios that are written for other rulesets: those of the same files that this one does not play.

Input: the name of a ruleset without errors. Output: rulesets with the scenarios that belong to them.
Invariants: of a game alone they are its own, else those of the modules that are named; rulesets are named as
this one is, in the order of their scenarios.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from conche.diagnostics.model import Diagnostic
from conche.modules.library import Library, declared_in
from conche.modules.load import all_options, open_game, type_modules
from conche.modules.parse_ruleset import Ruleset, parse_ruleset
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.module_scope import closure
from conche.source import read_source
from conche.syntax import ast


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A ruleset, and the titles of scenarios that are written for it."""

    ruleset: str
    titles: tuple[str, ...]


def scenarios_elsewhere(ruleset_text: str) -> list[Elsewhere]:
    """Empty where the ruleset has errors."""
    ruleset, _ = parse_ruleset(ruleset_text)
    opened = None if ruleset is None else open_game(ruleset.game)
    if ruleset is None or opened is None or isinstance(opened, Diagnostic):
        return []
    source, folder = opened
    typed = type_modules(ruleset, source, folder=folder)
    if typed.game is None:
        return []
    library = Library(source, typed.game, folder, posixpath.dirname(source.name), read_source)
    for part in ruleset.modules:
        library.open(part.name, is_path=part.is_path)
    here = _key(frozenset(typed.written) - {typed.game.rulebook.game}, all_options(ruleset)[0], library)
    found: dict[tuple[frozenset[str], tuple[tuple[str, str], ...]], list[str]] = {}
    for scenario, condition, module in _scenarios(typed.game, typed.modules):
        present = {name for name, there in condition.modules if there}
        meant = closure(frozenset(present | module), library.find)
        key = _key(meant, dict(condition.options), library)
        if key != here:
            found.setdefault(key, []).append(scenario.title)
    return [
        Elsewhere(_written(ruleset, typed.written, modules, options), tuple(titles))
        for (modules, options), titles in found.items()
    ]


def _scenarios(
    game: tm.TypedGame, modules: tuple[tm.TypedModule, ...]
) -> list[tuple[rb.Scenario, tm.Condition, set[str]]]:
    """Scenarios, each with the condition of its part and the module that it is of."""
    if modules:
        return [(*pair, {module.name}) for module in modules for pair in module.scenarios]
    every = sorted((*game.rulebook.scenarios, *game.rulebook.other_scenarios), key=lambda one: one.span)
    return [(scenario, tm.Condition((), scenario.options), set()) for scenario in every]


def _key(
    modules: frozenset[str], options: Mapping[str, str], library: Library
) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """What tells rulesets apart: the modules, and the options that are not at their default."""
    files = [library.game.file, *(library.find(name) for name in sorted(modules))]
    defaults = {
        decl.name.text: decl.default.text
        for file in files
        if file is not None
        for decl in declared_in(file.decls)
        if isinstance(decl, ast.OptionDecl)
    }
    return modules, tuple(
        sorted((name, value) for name, value in options.items() if defaults.get(name) != value)
    )


def _written(
    ruleset: Ruleset,
    written: Mapping[str, str],
    modules: frozenset[str],
    options: tuple[tuple[str, str], ...],
) -> str:
    order = {name: place for place, name in enumerate(written)}
    names = sorted(modules, key=lambda name: (order.get(name, len(order)), name))
    parts = [ruleset.game.name, *(written.get(name, name) for name in names)]
    chosen = ",".join(f"{name}={value}" for name, value in options)
    return ":".join(["+".join(parts), *([chosen] if chosen else [])])
