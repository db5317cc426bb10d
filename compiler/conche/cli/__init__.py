"""The command line: `conche COMMAND …`. One file per command.

Purpose: wraps the core for the shell: reads arguments, writes texts, sets the exit code.
Input: arguments. Output: text on stdout, findings and progress on stderr.
Invariants: exit 0 good, 1 problems found, 2 misuse or trouble, 130 interrupted, 141 nobody reads on.
Whatever the user gets wrong is a diagnostic; a traceback is shown only with CONCHE_DEBUG=1. Only the
module of the command that was asked for is imported, and that imports the compiler when it runs.

A new command: a file here of the command's name (with `_` for `-`), with a function `command` that returns
the exit code, and its name in `COMMANDS`.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

COMMANDS = (
    "check",
    "fmt",
    "explain",
    "build",
    "graph",
    "diff",
    "git-diff",
    "migrate",
    "pin",
    "play",
    "replay",
    "log",
    "simulate",
    "test",
    "clauses",
    "rulebook",
    "new",
)
"""In the order of the help."""


def main() -> NoReturn:
    """The program."""
    import gc
    import signal

    # What is made while rules are compiled is kept until the end: looking for garbage in it is in vain.
    # Commands that play games switch it on again (`output.settled`).
    gc.disable()
    with contextlib.suppress(ValueError, OSError):
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
        # SIGHUP: the terminal was closed; a system without it has none to close.
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)
    sys.exit(run(sys.argv[1:]))


def _interrupt(number: int, frame: object) -> NoReturn:
    """The first Ctrl-C, or request to end, ends the program; another one, while it cleans up, changes
    nothing."""
    import signal

    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def run(args: Sequence[str]) -> int:
    """Runs the program with these arguments; returns the exit code."""
    from conche.cli.trouble import guarded

    return guarded(lambda: _dispatch(list(args)))


def _dispatch(args: list[str]) -> int:
    import click

    from conche.cli.arguments import command
    from conche.cli.root import root
    from conche.cli.trouble import Interrupted, misuse, refuse
    from conche.diagnostics.suggest import did_you_mean

    program = root()
    if args[:1] == ["git-diff"] and (len(args) > 2 or args[-1].endswith(".rules")):
        # What git adds are files, also where their names begin with a dash.
        args.insert(1, "--")
    word = next((arg for arg in args if not arg.startswith("-")), None)
    if word is not None and word not in COMMANDS:
        hint = did_you_mean(word, COMMANDS)
        refuse(
            "C0501",
            f"no such command '{word}'",
            *[hint] if hint else [],
            "`conche --help` says what there is",
        )
    for name in [word] if word in COMMANDS else COMMANDS:
        assert name is not None
        function: Callable[..., int] = importlib.import_module(f"conche.cli.{name.replace('-', '_')}").command
        program.add_command(command(name, _stoppable(function)))
    try:
        code = program.main(args or ["--help"], prog_name="conche", standalone_mode=False)
    except click.Abort:
        raise Interrupted from None
    except SystemExit:
        # The one thing after which click leaves by itself here: nobody reads its output.
        raise BrokenPipeError from None
    except click.ClickException as error:
        return misuse(error, f"conche {word}" if word in COMMANDS else "conche")
    return (code if isinstance(code, int) else 0) if args else 2


def _stoppable(command: Callable[..., int]) -> Callable[..., int]:
    """The command, interrupted by an exception of our own: click would answer for it otherwise."""
    import functools

    from conche.cli.trouble import Interrupted

    @functools.wraps(command)
    def wrapper(*args: object, **options: object) -> int:
        try:
            return command(*args, **options)
        except KeyboardInterrupt:
            raise Interrupted from None

    return wrapper
