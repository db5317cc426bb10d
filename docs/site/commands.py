"""The page of all commands, made of what `conche COMMAND --help` says.

Input: the program. Output: the page, as Markdown.
"""

from __future__ import annotations

import importlib

import click

from conche.cli import COMMANDS
from conche.cli.arguments import command
from conche.cli.root import root

WIDTH = 100


def commands_page() -> str:
    """The page, one section for each command."""
    program = root()
    parts = ["# Commands", "What `conche COMMAND --help` says, for each command.", _block(program, "conche")]
    for name in COMMANDS:
        module = importlib.import_module(f"conche.cli.{name.replace('-', '_')}")
        one = command(name, module.command)
        program.add_command(one)
        parts += [f"## conche {name}", _block(one, f"conche {name}")]
    parts[2] = _block(program, "conche")
    return "\n\n".join(parts) + "\n"


def _block(one: click.Command, name: str) -> str:
    context = click.Context(one, info_name=name, max_content_width=WIDTH, terminal_width=WIDTH)
    return f"```text\n{one.get_help(context).strip()}\n```"
