"""`conche new`: first drafts of rules files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from conche.cli.arguments import Argument, Option
from conche.cli.output import say, waiting
from conche.cli.trouble import GOOD, refuse

if TYPE_CHECKING:
    from conche.scaffold.draft import Draft

LONGEST = 60
"""So many letters a name has at most."""


class Sort(StrEnum):
    MODULE = "module"
    GAME = "game"


def command(
    sort: Annotated[Sort, Argument(metavar="module|game", help="What is begun.")],
    name: Annotated[str, Argument(metavar="NAME", help="Its name, such as lucky_day.")],
    base: Annotated[
        str | None,
        Option("--for", metavar="GAME", help="The game of a module: its name, or the path of its rules."),
    ] = None,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="FILE", help="The rules file; by default NAME.rules, here."),
    ] = None,
) -> int:
    """Begin a module or a game.

    Writes a rules file that compiles, with a clause file beside it and a scenario that passes.

    `conche new module lucky_day --for cacao` also lists, in comments, all that a module can change in Cacao.
    Files that are there already are left alone.
    """
    from conche.resources import write_new
    from conche.scaffold.draft import clauses_beside

    path = _path(name, out)
    for file in (path, clauses_beside(path)):
        if Path(file).exists():
            _is_there(file)
    if sort is Sort.GAME:
        if base is not None:
            refuse("C0501", "a game is for no other game", "leave out --for, or write `conche new module`")
        draft, ruleset = _game(name, path), path
    else:
        if base is None:
            refuse("C0501", "a module needs its game", "write `--for cacao`, or `--for` and a path")
        with waiting(f"looking at {base}"):
            draft = _module(name, path, base)
        ruleset = f"{base}+{path}"
    for file, text in ((draft.clauses_path, draft.clauses), (draft.path, draft.rules)):
        try:
            write_new(file, text)
        except FileExistsError:
            _is_there(file)
        say(f"wrote {file}")
    say(f"try it: `conche test {shlex.quote(ruleset)}`")
    return GOOD


def _path(name: str, out: Path | None) -> str:
    """Where the rules file is to lie, as a ruleset can name it."""
    from conche.syntax.explain.words import RESERVED

    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST:
        refuse(
            "C0501",
            f"'{name[:LONGEST]}' cannot be a name in rules",
            f"a name is up to {LONGEST} small letters, digits and _, and begins with a letter",
        )
    if name in RESERVED or name == "option":
        refuse("C0501", f"'{name}' is a word of the rules language", "choose another name")
    path = Path(f"{name}.rules") if out is None else out
    if path.suffix != ".rules" or any(mark in str(path) for mark in "+:,"):
        refuse(
            "C0501",
            f"'{path}' cannot be the path of a rules file",
            "it ends in .rules and has no `+`, `:` or `,`",
        )
    return path.as_posix() if len(path.parts) > 1 else f"./{path.as_posix()}"


def _is_there(file: str) -> NoReturn:
    refuse("C0504", f"'{file}' is there already", "choose another name, or another file with -o")


def _game(name: str, path: str) -> Draft:
    from conche.scaffold.new_game import new_game

    return new_game(name, path)


def _module(name: str, path: str, base: str) -> Draft:
    from conche.modules.parse_ruleset import parse_ruleset
    from conche.pipeline import CompileError, check
    from conche.resources import find_game
    from conche.scaffold.new_module import new_module

    parsed, found = parse_ruleset(base)
    if parsed is None:
        raise CompileError(found, {})
    if parsed.modules or parsed.game.options:
        refuse("C0501", "--for takes a game alone", f"write `--for {shlex.quote(parsed.game.name)}`")
    checked = check(base)
    rules = checked.must().rulebook
    if not dict(rules.versions)[rules.game]:
        refuse(
            "C0501",
            f"the game '{rules.game}' has no version, and modules are for one",
            "write `version 1.0.0` below the first line of the game",
        )
    beside = Path(base).parent if parsed.game.is_path else (find_game(base) or Path(base)).parent
    if name == rules.game or (beside / f"{name}.rules").exists():
        what = "called so itself" if name == rules.game else f"with a module '{name}' already"
        refuse("C0501", f"there is the game '{rules.game}', {what}", "choose another name")
    texts = [source.text for source in checked.sources.values()]
    return new_module(name, path, base, rules, [*texts, *_modules(beside, rules.game)])


def _modules(folder: Path, game: str) -> Iterator[str]:
    """The rules of the modules of a game that lie beside it."""
    from conche.source import SourceError, read_source

    for file in sorted(folder.glob("*.rules")):
        try:
            text = read_source(file).text
        except SourceError:
            continue
        if re.search(rf"^module .* for {game} ", text, re.MULTILINE):
            yield text
