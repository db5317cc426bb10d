"""`conche check`: are the rules good?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from conche.cli.options import FormatOption, TextOrJson, number, seed_for
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import exit_code, refuse

GAMES = 20
"""So many games `--witness` plays at most, where nobody says how many."""


def command(
    rulesets: Annotated[list[str], typer.Argument(metavar="RULESET...", help="Games or rules files.")],
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Every combination of the game's modules.")
    ] = False,
    census: Annotated[
        bool, typer.Option("--census", help="What the set-up lays out, and from where.")
    ] = False,
    witness: Annotated[
        bool, typer.Option("--witness", help="Games that reach the rules; with --matrix of every module.")
    ] = False,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="With one of these: only so many players.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Start of the games of --witness.")] = 0,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="At most so many games for --witness.")
    ] = GAMES,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keeps the games of --witness: FILE, FILE-2, …"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the record.")] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Processes for --matrix; by default one for each core."),
    ] = None,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Check rules for mistakes.

    Syntax, names and types, and what the action graph shows: endless loops, secrets in the open, unused
    parts. --matrix does so in every combination of the game's modules, those beside it and those named.

    --census and --witness run the rules instead: the set-up, and games.

    Exit code 0 when no errors are found, 1 when some are. What no game of --witness reached is no error.
    """
    if not (matrix or census or witness):
        if players is not None or workers is not None or record is not None:
            refuse("C0501", "--players, --workers and --record belong to --matrix, --census or --witness")
        return _check_each(rulesets, style)
    if len(rulesets) > 1 or (census and (matrix or witness)):
        refuse("C0501", "--matrix, --census and --witness are for one ruleset, --census by itself")
    if witness:
        from conche.cli.witness import Wanted, show_witness, show_witnesses

        number(games, "the number of games", 1, 10**6)
        wanted = Wanted(players, seed_for(seed), games, record, force, style)
        return (show_witnesses if matrix else show_witness)(rulesets[0], wanted)
    if matrix:
        from conche.cli.matrix import check_lattice

        return check_lattice(rulesets[0], players, workers, style)
    from conche.cli.census import show_census

    return show_census(rulesets[0], players, style)


def _check_each(rulesets: list[str], style: TextOrJson) -> int:
    from conche.api import find
    from conche.diagnostics.model import Diagnostic, has_errors
    from conche.diagnostics.render_json import render_json
    from conche.diagnostics.render_text import render_summary
    from conche.source import Source

    found: list[Diagnostic] = []
    sources: dict[str, Source] = {}
    good: list[str] = []
    for ruleset in dict.fromkeys(rulesets):
        with waiting(f"checking {ruleset}"):
            findings = find(ruleset)
        found += findings.diagnostics
        sources.update(findings.sources)
        if not has_errors(findings.diagnostics):
            good.append(ruleset)
    if style is TextOrJson.JSON:
        put(render_json(found))
    else:
        report(found, sources)
        for ruleset in good:
            say(f"{ruleset}: good")
        if found:
            say(render_summary(found))
    return exit_code(found)
