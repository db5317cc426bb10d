"""The lines of a declaration: which belong together, and how one is blanked.

Input: the text of a declaration. Output: its lines; the text with a line made unreadable on purpose, so that
what is wrong in the lines after it shows too.
Invariants: offsets never change. This is about text that may be wrong in any way, so brackets and continued
lines are judged by indentation where they contradict it.
"""

from __future__ import annotations

from dataclasses import dataclass

from conche.syntax.tokens import TOKEN

BLANKED = "\0"
"""What a blanked line consists of: the grammar's terminal BAD."""

_CONTINUING = frozenset({",", "=", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "mod", "and", "or"})


_CASES = frozenset({"case", "none", "always", "pass"})


@dataclass(frozen=True, slots=True)
class Line:
    """A line with something written on it."""

    start: int
    end: int
    """After its last written character, comments left out."""
    indent: int
    first: str
    """Its first token."""
    goes_on: bool
    """Whether it belongs to the line before it."""


def lines(text: str) -> list[Line]:
    """The lines on which something is written."""
    found: list[Line] = []
    depth = opened_at = start = 0
    ends_open = False
    for raw in text.split("\n"):
        tokens = [m for m in TOKEN.finditer(raw) if m.lastgroup not in ("blank", "comment")]
        if tokens:
            indent = tokens[0].start()
            if depth and indent <= opened_at and tokens[0].group() not in ")]}":
                depth = 0
            goes_on = bool(found) and (depth > 0 or (ends_open and indent > found[-1].indent))
            found.append(Line(start, start + tokens[-1].end(), indent, tokens[0].group(), goes_on))
            for token in tokens:
                if token.lastgroup == "open":
                    opened_at = opened_at if depth else indent
                    depth += 1
                elif token.lastgroup == "close":
                    depth = max(depth - 1, 0)
            ends_open = tokens[-1].group() in _CONTINUING
        start += len(raw) + 1
    return found


def blank(text: str, offset: int, *, stray_cases: bool = False) -> str | None:
    """The text without the line at `offset`, what it continues, its block and its `else`.
    `stray_cases`: and without the cases behind it, where it is a `case` that belongs to no `choose`.

    None when that is the declaration's first line, or blanked already: then nothing sensible is left.
    """
    all_lines = lines(text)
    index = next((i for i, line in enumerate(all_lines) if offset <= line.end), len(all_lines) - 1)
    while index > 0 and all_lines[index].goes_on:
        index -= 1
    head = all_lines[index]
    if head.indent == 0 or head.first.startswith(BLANKED):
        return None
    last = index
    while last + 1 < len(all_lines):
        following = all_lines[last + 1]
        its_else = following.indent == head.indent and following.first == "else"
        its_case = stray_cases and following.indent == head.indent and following.first in _CASES
        if following.indent <= head.indent and not (following.goes_on or its_else or its_case):
            break
        last += 1
    start, end = head.start + head.indent, all_lines[last].end
    return text[:start] + BLANKED * (end - start) + text[end:]


def line_at(text: str, offset: int) -> tuple[int, int]:
    """Where the line of `offset` begins and ends, with the lines that it continues and that continue it."""
    all_lines = lines(text)
    index = next((i for i, line in enumerate(all_lines) if offset <= line.end), len(all_lines) - 1)
    last = index
    while index > 0 and all_lines[index].goes_on:
        index -= 1
    while last + 1 < len(all_lines) and all_lines[last + 1].goes_on:
        last += 1
    return all_lines[index].start, all_lines[last].end
