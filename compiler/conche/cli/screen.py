"""The terminal that a game is played at: its size, and an empty screen.

Input: the environment. Output: text on stdout.
Invariant: where there is no terminal that can clear itself, nothing but text is written; colours are the
caller's.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable

from conche.cli.output import flush, is_terminal, put, say

PIPED = 100
"""Columns where there is no terminal and COLUMNS does not say."""

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""To the corner; nothing on the screen; nothing above it either."""


def width() -> int:
    """How many columns there are, between 20 and 400."""
    return min(max(shutil.get_terminal_size((PIPED, 24)).columns, 20), 400)


def height() -> int | None:
    """How many lines there are, 10 at least; None where nothing scrolls away."""
    return max(shutil.get_terminal_size((PIPED, 24)).lines, 10) if is_terminal(sys.stdout) else None


def has_width() -> bool:
    """Whether lines must fit: at a terminal, and where COLUMNS says how many there are. Elsewhere each is
    left whole, for programs to read."""
    return is_terminal(sys.stdout) or "COLUMNS" in os.environ


def can_clear() -> bool:
    return is_terminal(sys.stdout) and os.environ.get("TERM", "") not in ("", "dumb")


def clear() -> None:
    """An empty screen, with nothing to scroll back to; a line across where that cannot be."""
    if can_clear():
        put(_CLEAR)
        flush()
    else:
        say("-" * min(width(), 72))


def wrapped(text: str, hang: int = 0) -> list[str]:
    """A text in lines that fit, all but the first indented by `hang`. Broken at spaces alone; colours have no
    width."""
    room = width() - 1
    if _length(text) <= room or not has_width():
        return [text]
    bare = text.lstrip(" ")
    first, *words = bare.split(" ")
    lines: list[str] = []
    line = " " * (len(text) - len(bare)) + first
    for word in words:
        if word and _length(line) + 1 + _length(word) > room:
            lines.append(line.rstrip(" "))
            line = " " * hang + word
        else:
            line = f"{line} {word}"
    return [*lines, line.rstrip(" ")]


def tell_lines(lines: Iterable[str], hang: int = 4, *, indented: bool = False) -> None:
    """Prints lines, broken where they are too long. `indented`: `hang` counts from where a line begins."""
    for line in lines:
        begins = len(line) - len(line.lstrip(" ")) if indented else 0
        for part in wrapped(line, min(begins + hang, width() // 2)):
            say(part)


def _length(text: str) -> int:
    return len(_COLORS.sub("", text))


_COLORS = re.compile(r"\x1b\[[0-9;]*m")
