"""`conche check --matrix`: every combination of a game's modules.

Input: the name of a ruleset. Output: a table, each mistake once, the exit code.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conche.cli.findings import show_findings
from conche.cli.options import TextOrJson
from conche.cli.output import put, report, say, waiting
from conche.cli.progress import LOG, progress_bar
from conche.cli.tables import show_table
from conche.cli.trouble import exit_code, refuse

if TYPE_CHECKING:
    from conche.lattice.lattice import Lattice
    from conche.lattice.matrix import Matrix, Mistake

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def check_lattice(ruleset: str, players: int | None, workers: int | None, style: TextOrJson) -> int:
    from conche.diagnostics.render_text import render_summary
    from conche.lattice.lattice import open_lattice
    from conche.lattice.matrix import check_matrix
    from conche.workers import cores

    with waiting(f"reading {ruleset}"):
        opened = open_lattice(ruleset)
    lattice = opened.lattice
    if lattice is None:
        return show_findings(opened.diagnostics, opened.sources, style)
    check_players(lattice, players)
    wanted = None if players is None else [players]
    with progress_bar("combinations", len(lattice.combinations), every=LOG) as progress:
        matrix = check_matrix(opened, players=wanted, workers=workers or cores(), progress=progress)
    found = [mistake.diagnostic for mistake in matrix.mistakes]
    if style is TextOrJson.JSON:
        put(json.dumps(to_json(matrix), ensure_ascii=False, indent=2) + "\n")
    else:
        report(found, opened.sources)
        _text(matrix)
        if found:
            say(render_summary(found))
    return exit_code(found)


def check_players(lattice: Lattice, players: int | None) -> None:
    """Refuses a number of players that no combination is for."""
    spans = [one.players for one in lattice.combinations]
    if players is not None and not any(low <= players <= high for low, high in spans):
        refuse("C0502", f"no combination of modules is for {players} players")


def _text(matrix: Matrix) -> None:
    from conche.semantics.words import plural

    numbers = matrix.players
    span = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
    rows: list[list[str] | None] = [
        _row(module, matrix, [module in one.modules for one in matrix.combinations])
        for module in matrix.modules
    ]
    rows += [None, _row("all", matrix, [True] * len(matrix.combinations))]
    title = f"{matrix.game}: {plural(len(matrix.combinations), 'combination')}"
    title += f" of {plural(len(matrix.modules), 'module')}"
    show_table(title, ["with", "combinations", "rulesets", "good"], rows)
    if matrix.ruled_out:
        out = plural(matrix.ruled_out, "more combination")
        say(f"{out}, ruled out by what modules say of each other or of the game's version")
    if matrix.broken:
        say(f"modules with errors of their own, in no combination: {', '.join(matrix.broken)}")
    if matrix.options:
        say(f"options, in pairs: {', '.join(matrix.options)}; {plural(matrix.rulesets, 'ruleset')} in all")
    say(f"each set up for {span} players: {matrix.cells} with the options at their defaults")
    if not any(matrix.bad) and not matrix.broken:
        say(f"{matrix.game}: good in all combinations")


def _row(name: str, matrix: Matrix, here: list[bool]) -> list[str]:
    chosen = [(one, bad) for one, bad, yes in zip(matrix.combinations, matrix.bad, here, strict=True) if yes]
    rulesets = sum(len(one.rows) for one, _ in chosen)
    good = sum(not bad for _, bad in chosen)
    return [name, str(len(chosen)), str(rulesets), str(good)]


def to_json(matrix: Matrix) -> dict[str, Any]:
    """The document that docs/formats.md describes."""
    return {
        "conche": SCHEMA,
        "game": matrix.game,
        "modules": list(matrix.modules),
        "broken": list(matrix.broken),
        "options": {name: list(values) for name, values in matrix.options.items()},
        "players": list(matrix.players),
        "combinations": [
            {
                "modules": list(one.modules),
                "players": list(one.players),
                "options": [dict(row) for row in one.rows],
                "good": not bad,
            }
            for one, bad in zip(matrix.combinations, matrix.bad, strict=True)
        ],
        "ruled_out": matrix.ruled_out,
        "rulesets": matrix.rulesets,
        "cells": matrix.cells,
        "diagnostics": [_mistake(mistake) for mistake in matrix.mistakes],
    }


def _mistake(mistake: Mistake) -> dict[str, Any]:
    from conche.diagnostics.render_json import to_json as diagnostics_to_json

    document: dict[str, Any] = diagnostics_to_json([mistake.diagnostic])["diagnostics"][0]
    where = mistake.where
    return {
        **document,
        "combinations": mistake.combinations,
        "smallest": mistake.smallest or None,
        "where": None
        if where is None
        else {
            "with": list(where.present),
            "without": list(where.absent),
            "options": dict(where.options),
            "players": list(where.players),
            "exact": where.exact,
        },
    }
