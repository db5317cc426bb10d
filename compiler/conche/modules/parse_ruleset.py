"""The names of rulesets: `cacao`, `cacao+map+huts:overbuild=early,huts=agreed`, `./my.rules`,
`cacao+./mine.rules`.

Purpose: takes the name of a ruleset apart.
Input: the name as a person writes it. Output: a `Ruleset`, and findings.
Invariants: parts are divided by `+`, the options of a part follow its `:`, divided by `,`; a part with a `/`
or that ends in `.rules` is a path. `str(ruleset)` is the name again, without blanks and with sorted options.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_VALUE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z|[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class Part:
    """A game or module by name, or a rules file by path, with the options that are given to it."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_path(self) -> bool:
        return is_path(self.name)

    def __str__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}:{options}" if options else self.name


@dataclass(frozen=True, slots=True)
class Ruleset:
    """`game` is the part that all others are added to."""

    game: Part
    modules: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self.game, *self.modules)

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))


def is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith(".rules")


def parse_ruleset(text: str) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The ruleset of that name; None when it is not written as one."""
    found: list[Diagnostic] = []
    parts: list[Part] = []
    for piece in text.split("+"):
        part = _part(piece.strip(), text, found)
        if part is None:
            continue
        if any(part.name == other.name for other in parts):
            found.append(_malformed(text, f"the ruleset names '{part.name}' twice"))
        parts.append(part)
    if found:
        return None, found
    return Ruleset(parts[0], tuple(parts[1:])), []


def _part(piece: str, text: str, found: list[Diagnostic]) -> Part | None:
    name, colon, rest = _split_options(piece)
    if not name:
        title = "the ruleset has no name" if not text.strip() else f"a part of the ruleset '{text}' is empty"
        found.append(_malformed(text, title))
        return None
    if not is_path(name) and not _NAME.match(name):
        found.append(_malformed(text, f"'{name}' is neither a name nor the path of a rules file"))
        return None
    options: dict[str, str] = {}
    for assignment in rest.split(",") if colon else ():
        option, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals or not _NAME.match(option) or not _VALUE.match(value):
            found.append(
                _malformed(text, f"'{assignment.strip()}' does not give an option of '{name}' a value")
            )
        elif option in options:
            found.append(_malformed(text, f"the option '{option}' of '{name}' is given twice"))
        else:
            options[option] = value
    return Part(name, tuple(sorted(options.items())))


def _split_options(piece: str) -> tuple[str, str, str]:
    """Name, colon and options. The colon of a drive (`C:\\rules`) belongs to the path."""
    start = 2 if re.match(r"[A-Za-z]:[\\/]", piece) else 0
    name, colon, rest = piece[start:].partition(":")
    return piece[:start] + name.strip(), colon, rest


def _malformed(text: str, title: str) -> Diagnostic:
    return diagnose("C0226", title, help=("write `game`, `game:option=value` or `game+module+./mine.rules`",))
