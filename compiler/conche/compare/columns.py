"""Two texts side by side, or one below the other where there is no room.

Purpose: old and new at a glance. Input: two texts and a width. Output: lines.
Invariants: no line is wider than asked for; control characters of a rules file do not reach the terminal.
"""

from __future__ import annotations

import textwrap
import unicodedata

LEAST = 90
"""So many columns two texts side by side need."""


def beside(old: str | None, new: str | None, width: int) -> list[tuple[str, str]]:
    """Pairs of lines: the left one filled up to its column, or, where there is no room for two, `below`."""
    if width < LEAST:
        return below(old, new, width)
    half = (width - 3) // 2
    left, right = _wrapped(old, half), _wrapped(new, half)
    rows = max(len(left), len(right))
    left += [""] * (rows - len(left))
    right += [""] * (rows - len(right))
    return [(f"{a}{' ' * (half - wide(a))}", b) for a, b in zip(left, right, strict=True)]


def below(old: str | None, new: str | None, width: int | None) -> list[tuple[str, str]]:
    """Pairs of a mark (`-`, `+`) and a line; without a width lines are left whole."""
    within = None if width is None else width - 2
    return [
        *[("-", line) for line in _wrapped(old, within)],
        *[("+", line) for line in _wrapped(new, within)],
    ]


def fits(old: str | None, new: str | None, width: int) -> bool:
    """Whether two texts side by side need no line to be wrapped."""
    half = (width - 3) // 2
    return all(wide(clean(line)) <= half for text in (old, new) for line in (text or "").split("\n"))


def _wrapped(text: str | None, width: int | None) -> list[str]:
    if text is None:
        return ["(nothing)"]
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        plain = clean(line)
        if width is None:
            lines.append(plain)
            continue
        lines += (
            textwrap.wrap(plain, width, subsequent_indent=indent[: width // 2], drop_whitespace=False)
            if len(plain) > width
            else [plain]
        ) or [""]
    return [line.rstrip() for line in lines]


def clean(text: str) -> str:
    """Without control characters."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def wide(text: str) -> int:
    """How many columns a text takes."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
