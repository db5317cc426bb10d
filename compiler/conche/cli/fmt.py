"""`conche fmt`: lays rules files out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Argument, Option
from conche.cli.output import put, report, say
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE, refuse

if TYPE_CHECKING:
    from conche.source import Source

STDIN = "-"


def command(
    paths: Annotated[
        list[str], Argument(metavar="PATH...", help="Rules files, folders of them, or - for stdin.")
    ],
    check: Annotated[
        bool, Option("--check", help="Change nothing; say what would be, by exit code 1 too.")
    ] = False,
    diff: Annotated[bool, Option("--diff", help="Change nothing; show what would be.")] = False,
) -> int:
    """Lay rules files out in one way: indentation, blanks, blank lines, citations below one another.

    What the rules say stays, and so do comments and the places where you broke a line. A file that cannot be
    read is left alone, with the mistake shown.

    Exit code 0 when all is in order, 1 when a file has a mistake, or with --check or --diff would change.
    """
    if STDIN in paths:
        if len(paths) > 1:
            refuse("C0501", "`-` stands alone: stdin is formatted to stdout")
        return _stdin(check, diff)
    codes = [_one(path, check, diff) for path in _files(paths)]
    if len(codes) > 1 and not diff:
        changed = sum(changed for _, changed in codes)
        say(f"{len(codes)} files, {changed} {'would change' if check else 'changed'}")
    return max(code for code, _ in codes)


def _files(paths: list[str]) -> list[str]:
    """The files that are named, or lie in a folder that is; each once."""
    found: dict[str, None] = {}
    for path in paths:
        if not Path(path).is_dir():
            found[path] = None
            continue
        inside = [
            str(file)
            for file in sorted(Path(path).rglob("*.rules"))
            if not any(part.startswith(".") for part in file.relative_to(path).parts)
        ]
        if not inside:
            refuse("C0001", f"there is no rules file in the folder '{path}'")
        found.update(dict.fromkeys(inside))
    return list(found)


def _one(path: str, check: bool, diff: bool) -> tuple[int, bool]:
    """Formats a file: the exit code, and whether it changes."""
    from conche.diagnostics.model import Diagnostic
    from conche.resources import find_game
    from conche.rewrite import changes, rewrite
    from conche.source import SourceError, read_source

    try:
        source = read_source(path)
    except SourceError as error:
        found: Diagnostic = error.diagnostic
        game = find_game(path)
        if game is not None:
            from dataclasses import replace

            found = replace(found, help=(f"the rules of '{path}' are those of the folder `{game.parent}`",))
        report([found])
        return TROUBLE, False
    text = _formatted(source)
    if text is None:
        return PROBLEMS, False
    if text == source.text:
        return GOOD, False
    if diff:
        put(changes(path, source.text, text))
    elif check:
        say(f"{path}: would change")
    else:
        rewrite(path, text)
        say(f"{path}: changed")
    return (PROBLEMS if check or diff else GOOD), True


def _stdin(check: bool, diff: bool) -> int:
    from conche.rewrite import changes
    from conche.source import Source, decode

    raw = getattr(sys.stdin, "buffer", None)
    name = "stdin"
    source = Source(name, decode(raw.read() if raw is not None else sys.stdin.read().encode(), name))
    text = _formatted(source)
    if text is None:
        return PROBLEMS
    if diff:
        put(changes(name, source.text, text))
    elif not check:
        put(text)
    return PROBLEMS if (check or diff) and text != source.text else GOOD


def _formatted(source: Source) -> str | None:
    """The text of a file, laid out; None, with the findings shown, where it cannot be read."""
    from conche.diagnostics.render_text import render_summary
    from conche.format import format_source
    from conche.syntax.from_text import parse

    _, found = parse(source)
    if found:
        report(found, {source.name: source})
        say(f"{source.name}: left as it is, {render_summary(found)}")
        return None
    return format_source(source)
