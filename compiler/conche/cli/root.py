"""`conche` without a command: the help and the version."""

from __future__ import annotations

from typing import Annotated

import typer


def _version(wanted: bool) -> None:
    if wanted:
        from conche import __version__
        from conche.cli.output import say

        say(f"conche {__version__}")
        raise typer.Exit


def conche(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Conche grinds a rulebook into an engine: it checks, builds and plays the rules of tabletop games.

    A RULESET is the name of a bundled game (cacao), the path of a rules file (./my.rules), or one of them
    with options (cacao:first_seat=random).
    """
