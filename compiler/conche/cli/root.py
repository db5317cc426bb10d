"""`conche` without a command: the help and the version."""

from __future__ import annotations

import click

HELP = """Conche grinds a rulebook into an engine: it checks, builds and plays the rules of tabletop games.

A RULESET is the name of a bundled game (cacao), the path of a rules file (./my.rules), or one of them with
options (cacao:first_seat=random).
"""


class _Program(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they were added."""
        return list(self.commands)


def root() -> click.Group:
    """The program, without its commands."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_version,
        help="Show the version.",
    )
    return _Program(
        "conche",
        params=[version],
        help=HELP,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


def _version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from conche import __version__
        from conche.cli.output import say

        say(f"conche {__version__}")
        context.exit()
