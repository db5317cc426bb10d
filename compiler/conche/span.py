"""A place in a text: what findings, nodes and sources all speak of.

Input: none. Output: `Span`.
Invariants: offsets count characters; lines and columns count from 1; ends are exclusive.
"""

from __future__ import annotations

from conche.node import node


@node(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file. Spans sort by file, then by place."""

    file: str
    start: int
    """Offset of the first character."""
    end: int
    """Offset after the last character; equal to `start` for a place between two characters."""
    line: int
    column: int
    end_line: int
    end_column: int
    """Column after the last character, on `end_line`."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The stretch from the beginning of this span to the end of `other`, a later one in the same file."""
        if self.file != other.file:
            raise ValueError(f"spans of two files: {self.file} and {other.file}")
        last = max(self, other, key=lambda span: span.end)
        return Span(self.file, self.start, last.end, self.line, self.column, last.end_line, last.end_column)
