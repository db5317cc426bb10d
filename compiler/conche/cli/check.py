"""`conche check`: are the rules good?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from conche.cli.arguments import Argument, Option
from conche.cli.findings import Style, check_each, fix_each, show_fixes, watch_each
from conche.cli.options import TextOrJson, number, seed_for
from conche.cli.trouble import refuse

GAMES = 60
"""So many games and pieces of games `--witness` aims at rules at most, where nobody says how many."""


def command(
    rulesets: Annotated[list[str], Argument(metavar="RULESET...", help="Games or rules files.")],
    fix: Annotated[bool, Option("--fix", help="Mend in the files what is plain how to mend.")] = False,
    dry_run: Annotated[bool, Option("--dry-run", help="With --fix: only show the changes.")] = False,
    watch: Annotated[bool, Option("--watch", help="Check again when a file is saved.")] = False,
    matrix: Annotated[bool, Option("--matrix", help="Every combination of the game's modules.")] = False,
    census: Annotated[bool, Option("--census", help="What the set-up lays out, and from where.")] = False,
    witness: Annotated[
        bool, Option("--witness", help="Games that reach the rules; with --matrix of every module.")
    ] = False,
    players: Annotated[
        int | None, Option("--players", metavar="N", help="With one of these: only so many players.")
    ] = None,
    seed: Annotated[int, Option("--seed", metavar="S", help="Start of the games of --witness.")] = 0,
    games: Annotated[
        int,
        Option("--games", metavar="N", help="So many games of --witness aim at rules, after others."),
    ] = GAMES,
    record: Annotated[
        Path | None,
        Option("--record", metavar="FILE", help="Keeps the games of --witness: FILE, FILE-2, …"),
    ] = None,
    force: Annotated[bool, Option("--force", help="Overwrite the record.")] = False,
    workers: Annotated[
        int | None,
        Option("--workers", metavar="N", help="Processes for --matrix and --witness; by default one a core."),
    ] = None,
    style: Annotated[Style, Option("--format", help="How the result is written.")] = Style.TEXT,
) -> int:
    """Check rules for mistakes.

    Syntax, names and types, and what the action graph shows: endless loops, secrets in the open, unused
    parts. --matrix does so in every combination of the game's modules, those beside it and those named.

    --census and --witness run the rules instead: the set-up, and games. With --matrix --census counts the
    pieces in every combination.

    --fix makes the changes that findings propose, where it is plain what was meant, and says which.

    Exit code 0 when no errors are found, 1 when some are. What no game of --witness reached is no error.
    """
    if not witness and (record is not None or force or games != GAMES or seed):
        refuse("C0501", "--record, --force, --games and --seed belong to --witness")
    if workers is not None:
        if not (matrix or witness):
            refuse("C0501", "--workers belongs to --matrix and --witness")
        number(workers, "the number of workers", 1, 1000)
    if not (matrix or census or witness):
        if players is not None:
            refuse("C0501", "--players belongs to --matrix, --census or --witness")
        return _one_by_one(rulesets, style, fix=fix, dry_run=dry_run, watch=watch)
    if fix or dry_run or watch or style is Style.SARIF:
        refuse("C0501", "--fix, --watch and SARIF are for rulesets one by one")
    shown = TextOrJson(style)
    if len(rulesets) > 1:
        refuse("C0501", "--matrix, --census and --witness are for one ruleset")
    if census and witness:
        refuse("C0501", "--census and --witness are asked for one after the other")
    if witness:
        from conche.cli.witness import Wanted, show_witness, show_witnesses

        number(games, "the number of games", 1, 10**6)
        wanted = Wanted(players, seed_for(seed), games, record, force, shown, workers)
        return (show_witnesses if matrix else show_witness)(rulesets[0], wanted)
    if matrix and census:
        from conche.cli.census import show_censuses

        return show_censuses(rulesets[0], players, workers, shown)
    if matrix:
        from conche.cli.matrix import check_lattice

        return check_lattice(rulesets[0], players, workers, shown)
    from conche.cli.census import show_census

    return show_census(rulesets[0], players, shown)


def _one_by_one(rulesets: list[str], style: Style, *, fix: bool, dry_run: bool, watch: bool) -> int:
    if dry_run and not fix:
        refuse("C0501", "--dry-run says something only with --fix")
    if watch:
        if fix or style is not Style.TEXT:
            refuse("C0501", "--watch goes with neither --fix nor another format than text")
        return watch_each(rulesets)
    if not fix:
        return check_each(rulesets, style)
    return show_fixes(rulesets) if dry_run else fix_each(rulesets, style)
