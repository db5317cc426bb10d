"""Cacao's modules and the rulebook: every ruling has its rule and its test, every worked scenario its own.

A scenario is found by the clauses that it cites, and by the number of the worked scenario before its title.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.modules.load import load
from conche.resources import rules_dir
from conche.scenarios import run_scenarios
from conche.semantics.clauses import read_clauses
from conche.semantics.walk import walk
from conche.source import Source
from conche.syntax import ast
from conche.syntax.from_text import parse

FOLDER = rules_dir() / "cacao"
MODULES = sorted(path.stem for path in FOLDER.glob("*.rules") if path.stem != "cacao")

OF_RULESETS = {"A54", "A87"}
"""Rulings that say which rulesets there are: no scenario can be played of those that there are not."""

WORKED = [*range(1, 5), *range(6, 16), *range(18, 22), *range(23, 33), 34, 35, 36, 37, 38, 40, 42, 44, 45]
"""The numbers of the worked scenarios."""

COMBINED = [
    "cacao:first_seat=random",
    "cacao+chocolate+huts",
    "cacao+emperor+irrigation",
    "cacao+gem_mines+huts",
    "cacao+gem_mines+map",
    "cacao+huts+irrigation",
    "cacao+huts+new_workers",
    "cacao+huts+tree_of_life",
    "cacao+huts:huts=agreed",
    "cacao+map:overbuild=early",
    "cacao+new_workers:worker_tiles=agreed",
    "cacao+chocolate+tree_of_life",
    "cacao+new_workers+tree_of_life",
    "cacao+chocolate+new_workers+tree_of_life",
    "cacao+chocolate+new_workers+tree_of_life:worker_tiles=agreed",
]
"""Rulesets beside the game and each module alone for which scenarios are written."""


@cache
def file_of(module: str) -> ast.File:
    path = FOLDER / f"{module}.rules"
    file, found = parse(Source(path.name, path.read_text(encoding="utf-8")))
    assert found == []
    return file


def flat(decls: tuple[ast.Decl, ...]) -> Iterator[ast.Decl]:
    for decl in decls:
        yield decl
        if isinstance(decl, ast.WithModules):
            yield from flat(decl.decls)


def cites_of(module: str, *, scenarios: bool) -> set[str]:
    """The clauses that the scenarios of a file cite, or its rules."""
    found: set[str] = set()
    for decl in flat(file_of(module).decls):
        if isinstance(decl, ast.ScenarioDecl) == scenarios:
            nodes = decl.cites if isinstance(decl, ast.WithModules) else decl
            found |= {node.id for node in walk(nodes) if isinstance(node, ast.Cite)}
    header = file_of(module).header
    assert header is not None
    return found if scenarios else found | {cite.id for cite in header.cites}


def clauses_of(module: str) -> dict[str, object]:
    return dict(read_clauses((FOLDER / f"{module}.clauses.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("module", MODULES)
def test_every_ruling_is_cited_by_a_rule_and_by_a_scenario(module: str) -> None:
    rulings = {clause for clause in clauses_of(module) if clause.startswith("A")}
    in_rules = {cite for other in [module, *MODULES] for cite in cites_of(other, scenarios=False)}
    tested = {cite for other in MODULES for cite in cites_of(other, scenarios=True)}
    assert rulings - in_rules == set()
    assert rulings - tested - OF_RULESETS == set()


def test_no_ruling_of_the_modules_is_left_out() -> None:
    known = set(chain.from_iterable(clauses_of(module) for module in MODULES))
    assert {f"A{number}" for number in (*range(18, 56), *range(87, 92))} <= known


def test_every_interaction_has_a_scenario() -> None:
    matrix = {clause for module in MODULES for clause in clauses_of(module) if clause.startswith("3.6")}
    assert len(matrix) == 16
    assert matrix <= {cite for module in MODULES for cite in cites_of(module, scenarios=True)}


def test_every_worked_scenario_is_there() -> None:
    titles = [
        decl.title.value
        for module in ["cacao", *MODULES]
        for decl in flat(file_of(module).decls)
        if isinstance(decl, ast.ScenarioDecl)
    ]
    assert [number for number in WORKED if not any(title.startswith(f"{number}: ") for title in titles)] == []


def test_the_big_game_is_not_for_two() -> None:
    rules = load("+".join(["cacao", *MODULES])).rulebook
    assert rules is not None
    assert rules.players == (3, 4)


def test_early_overbuilding_needs_the_map() -> None:
    for ruleset in ("cacao:overbuild=early", "cacao+chocolate+huts:overbuild=early"):
        (finding,) = load(ruleset).diagnostics
        assert finding.title == "'overbuild' is an option of the module 'map', which is not in play"
    assert load("cacao+map:overbuild=early").diagnostics == []


def alone(module: str) -> str:
    """The ruleset of a module and of those that it requires."""
    header = file_of(module).header
    assert header is not None
    return "+".join(["cacao", module, *(name.text for name in header.requires)])


@pytest.mark.parametrize("ruleset", ["cacao", *map(alone, MODULES), *COMBINED])
def test_the_scenarios_pass(ruleset: str) -> None:
    loaded = load(ruleset)
    assert loaded.rulebook is not None
    results = run_scenarios(from_rulebook(loaded.rulebook), loaded.rulebook.scenarios)
    assert results
    assert [result.title for result in results if not result.passed] == []


def test_each_scenario_is_run_in_one_of_these_rulesets() -> None:
    run = {
        (scenario.span.file, scenario.span.line)
        for ruleset in ("cacao", *map(alone, MODULES), *COMBINED)
        for scenario in getattr(load(ruleset).rulebook, "scenarios", ())
    }
    written = {
        (f"rules/cacao/{module}.rules", decl.span.line)
        for module in ["cacao", *MODULES]
        for decl in flat(file_of(module).decls)
        if isinstance(decl, ast.ScenarioDecl)
    }
    assert written - run == set()
