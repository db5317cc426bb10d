"""What stands between two lines: blank lines, and comments that have lines of their own.

Input: the line before and the one after, and how the author had it. Output: rows.
Invariants: two blank lines never follow each other, none stands at the beginning of a block or of a file, and
one stands between two declarations of which one has a block. A comment is indented like the line it stands
above, or stays in the block that it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from conche.format.lines import Comment, Line
from conche.format.rows import INDENT, Row


@dataclass(frozen=True, slots=True)
class Between:
    """The place between two lines; None stands for the beginning and the end of the file."""

    before: Line | None
    after: Line | None
    indents: Sequence[int]
    """By depth, the indentation of the blocks that the line before stands in, as the author has it."""
    opens: bool
    """Whether the line after has a block."""


def rows_between(place: Between, comments: Mapping[int, Comment], line_count: int) -> Iterator[Row]:
    """The blank lines and comments of a place."""
    before, after = place.before, place.after
    start = before.last + 1 if before else 1
    end = after.first if after else line_count + 1
    needed = _blank_needed(place)
    blank = False
    may_be_blank = before is not None and not (after is not None and after.depth > before.depth)
    depth: int | None = None
    for number in range(start, end):
        comment = comments.get(number)
        if comment is None:
            blank = may_be_blank
            continue
        depth = _depth(place, comment) if depth is None else min(depth, _depth(place, comment))
        if needed and after is not None and depth <= after.depth:
            blank, needed = True, False
        if blank:
            yield Row("")
        yield Row(" " * (INDENT * depth) + comment.text)
        blank, may_be_blank = False, True
    if after is not None and (blank or needed):
        yield Row("")


def _blank_needed(place: Between) -> bool:
    before, after = place.before, place.after
    if before is None or after is None or not after.declares or after.depth > before.depth:
        return False
    alone = before.declares and before.depth == after.depth
    return place.opens or not alone


def _depth(place: Between, comment: Comment) -> int:
    """The depth of a comment: that of the deepest block it can belong to and is indented for."""
    after = place.after.depth if place.after else 0
    deepest = max(place.before.depth if place.before else 0, after)
    for depth in range(deepest, after, -1):
        if place.indents[depth] < comment.column:
            return depth
    return after
