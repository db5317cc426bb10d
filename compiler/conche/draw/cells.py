"""Texts in a terminal: how many cells they take, cut and wrapped by cells, painted.

Purpose: what every part of a picture is made of. A `Line` is a list of runs, each a text with a style;
`width_of` and the rest count cells, not letters: `木` takes two. Invariants: no text that comes out of here
has a control character in it, whatever it came from; escape sequences are made by `ansi` alone, and only
from styles that are known here.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

COLORS = {
    "black": "90",
    "blue": "34",
    "brown": "33",
    "cyan": "36",
    "gray": "37",
    "green": "32",
    "grey": "37",
    "magenta": "35",
    "orange": "33",
    "pink": "95",
    "purple": "35",
    "red": "31",
    "violet": "35",
    "white": "97",
    "yellow": "93",
}
"""The colours that seats and kinds can have, as terminals call them."""

_STYLES = {**COLORS, "faint": "2", "bold": "1", "inverse": "7"}


@dataclass(frozen=True, slots=True)
class Run:
    """A text in one style; `styles`: names of colours, `faint`, `bold`, `inverse`."""

    text: str
    styles: tuple[str, ...] = ()


Line = tuple[Run, ...]


def clean(text: str) -> str:
    """A text without what moves the cursor or changes the terminal: such characters become `�`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("�" if unicodedata.category(one) in _REFUSED else one for one in text)


_REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def line(*parts: str | Run) -> Line:
    return tuple(Run(part) if isinstance(part, str) else part for part in parts)


@functools.lru_cache(maxsize=4096)
def width_of(text: str) -> int:
    """The cells that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def width(line: Line) -> int:
    return sum(width_of(run.text) for run in line)


def cut(text: str, most: int) -> str:
    """A text of at most `most` cells; what is missing shows as `…`."""
    if width_of(text) <= most:
        return text
    if most <= 0:
        return ""
    kept, taken = "", 0
    for letter in text:
        taken += width_of(letter)
        if taken > most - 1:
            break
        kept += letter
    return kept + "…"


def chop(text: str, most: int) -> list[str]:
    """A text in pieces of at most `most` cells each (of one letter at least)."""
    pieces, piece, taken = list[str](), "", 0
    for letter in text:
        size = width_of(letter)
        if piece and taken + size > most:
            pieces.append(piece)
            piece, taken = "", 0
        piece += letter
        taken += size
    return [*pieces, piece] if piece or not pieces else pieces


def wrap(line: Line, most: int, indent: int = 0) -> list[Line]:
    """A line in lines of at most `most` cells, broken at blanks where that can be; all but the first are
    indented."""
    most = max(most, 1)
    indent = min(indent, most // 2)
    done: list[Line] = []
    now: list[Run] = []
    taken = 0

    def close() -> None:
        nonlocal now, taken
        done.append(tuple(now))
        now, taken = ([Run(" " * indent)] if indent else []), indent

    for words in _words(line):
        size = sum(width_of(run.text) for run in words)
        text = "".join(run.text for run in words)
        if taken + size > most and taken > (indent if done else 0):
            if not text.strip():
                continue
            close()
        if not text.strip() and done and taken == indent:
            continue
        if taken + size <= most:
            now += words
            taken += size
            continue
        for run in words:
            for piece in chop(run.text, most - indent):
                if taken + width_of(piece) > most and taken > indent:
                    close()
                now.append(Run(piece, run.styles))
                taken += width_of(piece)
    if now and (not done or taken > indent):
        done.append(tuple(now))
    return [stripped(one) for one in done] or [()]


def _words(line: Line) -> list[list[Run]]:
    """A line in words and blanks; a word may be of several runs."""
    words: list[list[Run]] = []
    glue = False
    for run in line:
        for blank, text in _split(run.text):
            if glue and not blank and words:
                words[-1].append(Run(text, run.styles))
            else:
                words.append([Run(text, run.styles)])
            glue = not blank
    return words


def _split(text: str) -> Iterable[tuple[bool, str]]:
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or (text[end] == " ") != (text[start] == " "):
            yield text[start] == " ", text[start:end]
            start = end


def stripped(line: Line) -> Line:
    """Without blanks at the end."""
    runs = list(line)
    while runs:
        text = runs[-1].text.rstrip(" ")
        if text or "inverse" in runs[-1].styles:
            runs[-1] = Run(text if "inverse" not in runs[-1].styles else runs[-1].text, runs[-1].styles)
            break
        runs.pop()
    return tuple(runs)


def padded(line: Line, size: int, where: str = "left") -> Line:
    """A line with blanks up to `size` cells."""
    free = size - width(line)
    if free <= 0:
        return line
    before = {"left": 0, "right": free, "center": free // 2}[where]
    return (
        *((Run(" " * before),) if before else ()),
        *line,
        *((Run(" " * (free - before)),) if free > before else ()),
    )


def joined(parts: Sequence[Line], between: str) -> Line:
    """Lines behind one another."""
    runs: list[Run] = []
    for number, part in enumerate(parts):
        if number:
            runs.append(Run(between))
        runs += part
    return tuple(runs)


def ansi(line: Line, color: bool) -> str:
    """A line as text, with escape sequences if `color`."""
    line = stripped(line)
    if not color:
        return "".join(clean(run.text) for run in line)
    merged: list[Run] = []
    for run in line:
        if merged and merged[-1].styles == run.styles:
            merged[-1] = Run(merged[-1].text + run.text, run.styles)
        else:
            merged.append(run)
    return "".join(map(_painted, merged))


def _painted(run: Run) -> str:
    codes = [_STYLES[style] for style in run.styles if style in _STYLES]
    text = clean(run.text)
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes and text else text
