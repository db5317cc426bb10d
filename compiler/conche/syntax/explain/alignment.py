"""Explanations of lines that begin a blank too far to the left or right.

Purpose: finds the one line that is moved, which need not be the one where the parser notices it.
Input: the text of a declaration and where its lines stop fitting. Output: a `Problem`, or None when no line
or more than one can be meant.
Invariant: with the proposed change the whole declaration parses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lark.exceptions import UnexpectedInput

from conche.syntax.explain.trial import MAX_TRIED, run
from conche.syntax.explain.words import CHANGES, DECLARATIONS
from conche.syntax.layout import DedentError
from conche.syntax.lines import Line, lines
from conche.syntax.problems import Edit, Mark, Problem
from conche.syntax.tokens import TOKEN

_FAR = 1
"""So many blanks a line may be moved by a slip; more is a block in the wrong place."""


def moved_line(text: str, start: str, at: int) -> Problem | None:
    """Which line is moved, where the lines do not fit from the one at offset `at` on."""
    if at > MAX_TRIED:
        return None
    written = [line for line in lines(text) if not line.goes_on]
    index = next((i for i, line in enumerate(written) if at <= line.end), None)
    if index is None:
        return None
    tried = [*_moves(written, index, index), *_moves(written, _first_of_block(written, index), index)]
    right = [
        (line, indent)
        for line, indent in dict.fromkeys(tried)
        if _is_usual(indent, (other for other in written if other not in (line, written[index])))
        and parses(text[: line.start] + " " * indent + text[line.start + line.indent :], start)
    ]
    if len(right) > 1:
        # All others are indented by two blanks: then so was this one meant to be.
        right = [(line, indent) for line, indent in right if line.indent % 2 and not indent % 2]
    return _problem(text, *right[0], written[index]) if len(right) == 1 else None


def _is_usual(indent: int, others: Iterable[Line]) -> bool:
    """Whether a line may be moved there: not to an odd place where no line has one."""
    return indent % 2 == 0 or any(other.indent % 2 for other in others)


def late_declaration(text: str, at: int) -> int | None:
    """Where a declaration begins that is not at the left margin: at the line of offset `at`, if at all."""
    line = next((line for line in lines(text) if at <= line.end), None)
    if line is None or line.goes_on or not line.indent or line.first not in (*DECLARATIONS, *CHANGES):
        return None
    rest = text[line.start + line.indent :]
    following = [other for other in lines(rest)[1:] if not other.goes_on]
    end = next((other.start for other in following if other.indent <= line.indent), len(rest))
    return line.start + line.indent if parses(rest[:end], "decl") else None


def _moves(written: list[Line], index: int | None, noticed: int) -> Iterator[tuple[Line, int]]:
    """How a line could be moved to fit those around it."""
    if index is None or index == 0:
        return
    line = written[index]
    around = {other.indent for other in written[: noticed + 2]} | {
        other.indent + 2 for other in written[:index]
    }
    for indent in sorted(around):
        if indent != line.indent and indent > 0 and abs(indent - line.indent) <= _FAR:
            yield line, indent


def _first_of_block(written: list[Line], index: int) -> int | None:
    """The line that began the block nearest to a line's indentation: it may be that one which is moved."""
    for other in range(index - 1, 0, -1):
        away = written[other].indent - written[index].indent
        if away and abs(away) <= _FAR and written[other - 1].indent < written[other].indent:
            return other
    return None


def parses(text: str, start: str) -> bool:
    """Whether a declaration has no mistake."""
    try:
        stop = run(text, start)
    except (UnexpectedInput, DedentError):
        return False
    return stop is None


def said_end(text: str, start: int) -> int:
    """Where what is said on the line ends: before its citations and comments."""
    said = start
    for token in TOKEN.finditer(text, start):
        if token.lastgroup == "newline":
            break
        if token.lastgroup not in ("blank", "comment", "cite"):
            said = token.end()
    return said


def _problem(text: str, line: Line, indent: int, noticed: Line) -> Problem:
    begin = line.start + line.indent
    mark = f"{_counted(line.indent)} before this, where its block has {indent}"
    marks = [Mark(begin, said_end(text, begin), mark)]
    if noticed is not line:
        at = noticed.start + noticed.indent
        marks.append(Mark(at, said_end(text, at), "as here", primary=False))
    return Problem(
        "C0107",
        "a line is not indented like the other lines of its block",
        tuple(marks),
        edits=(Edit(line.start, begin, " " * indent, f"indent the line by {_counted(indent)}"),),
    )


def _counted(blanks: int) -> str:
    return "1 blank" if blanks == 1 else f"{blanks} blanks"
