"""Lays a line of source text out on a terminal.

Purpose: what the text renderer needs to know of columns: tabs, wide and invisible characters, overlong lines.
Input: the text of one line. Output: a `Line` that maps its characters to display columns; a `Canvas` to draw
below it. Invariants: display columns count from 0; the shown text holds no control character and none that
reorders text.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

TAB = 4
MAX_WIDTH = 160
"""Display columns after which a line is cut, so that one overlong line does not flood the screen."""

_LEAD = 40
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as shown; `edges[i]` is the display column where character `i` starts."""

    text: str
    edges: tuple[int, ...]
    width: int

    def column(self, character: int) -> int:
        """Display column of a character; of the end for all characters beyond it."""
        if character < len(self.edges) - 1:
            return self.edges[max(character, 0)]
        return self.edges[-1]

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Display columns of the characters from `start` to `end`, at least one column wide."""
        first = self.column(start)
        return first, max(self.column(end), first + 1)


@dataclass(slots=True)
class Canvas:
    """One row of styled characters, drawn at any column in any order."""

    cells: dict[int, tuple[str, str]] = field(default_factory=dict)

    def put(self, column: int, character: str, style: str) -> None:
        self.cells[column] = (character, style)

    def write(self, column: int, text: str, style: str) -> None:
        """Puts a text that starts at `column`; nothing is drawn to the right of it afterwards."""
        self.cells[column] = (text, style)

    def render(self, paint: Callable[[str, str], str]) -> str:
        """The row, with neighbours of one style painted together."""
        out: list[str] = []
        run, run_style, at = "", "", 0
        for column, (text, style) in sorted(self.cells.items()):
            if style != run_style or column > at:
                out += [paint(run_style, run) if run else "", " " * (column - at)]
                run, run_style = "", style
            run += text
            at = column + 1
        return "".join((*out, paint(run_style, run) if run else ""))


def lay_out(text: str, focus: int = 0) -> Line:
    """The line for display, cut around character `focus` when it is wider than `MAX_WIDTH`."""
    cells: list[str] = []
    edges = [0]
    for character in text:
        shown, width = _cell(character, edges[-1])
        cells.append(shown)
        edges.append(edges[-1] + width)
    if edges[-1] <= MAX_WIDTH:
        return Line("".join(cells), tuple(edges), edges[-1])

    left = max(0, min(edges[min(max(focus, 0), len(cells))] - _LEAD, edges[-1] - MAX_WIDTH))
    right = left + MAX_WIDTH
    before, after = ("…" if left else ""), ("…" if right < edges[-1] else "")
    kept = [i for i in range(len(cells)) if edges[i] >= left and edges[i + 1] <= right]
    start = edges[kept[0]] if kept else left
    end = edges[kept[-1] + 1] if kept else left
    shift = len(before) - start
    shown = before + "".join(cells[i] for i in kept) + after
    return Line(shown, tuple(min(max(edge, start), end) + shift for edge in edges), end + shift + len(after))


def clean(text: str) -> str:
    """The text in one row, without characters that could steer the terminal."""
    return "".join(" " if character in "\t\n" else _cell(character, 0)[0] for character in text)


def _cell(character: str, column: int) -> tuple[str, int]:
    """What stands for a character at a display column, and how wide that is."""
    if " " <= character <= "~":
        return character, 1
    if character == "\t":
        width = TAB - column % TAB
        return " " * width, width
    category = unicodedata.category(character)
    if character in _JOINERS or category in ("Mn", "Me"):
        return character, 0
    if category[0] == "C" or category in ("Zl", "Zp"):
        # Controls, marks that reorder text, lone surrogates: shown as a replacement, never sent.
        return "\N{REPLACEMENT CHARACTER}", 1
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1
