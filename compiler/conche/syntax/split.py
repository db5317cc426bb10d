"""Splitting: a file into the texts of its declarations.

Input: the text of a file. Output: its pieces. A declaration begins at column 0 and reaches up to the next
one; blank lines and comments between them belong to neither.
Invariants: linear; together the pieces hold everything that is written but comments. This is why one mistake
spoils one declaration, and why an edit costs the reading of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIRST_WORD = re.compile(r"\w+|\S")


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` begins at offset `start` of the file and ends with a line end."""

    start: int
    text: str

    @property
    def word(self) -> str:
        """The first word, or the first sign where there is no word."""
        match = _FIRST_WORD.match(self.text)
        return match.group() if match else ""

    @property
    def indented(self) -> bool:
        """Only the first piece of a file can be: what stands before the first declaration."""
        return self.text[0] in " \t"


def split(text: str) -> list[Piece]:
    """The declarations of a file, the header among them."""
    pieces: list[Piece] = []
    start = end = at = 0
    for line in text.split("\n"):
        written = line.strip()
        if written and not written.startswith("#"):
            if line[0] not in " \t" and end > start:
                pieces.append(Piece(start, text[start:end] + "\n"))
                start = end = at
            elif end == start:
                start = at
            end = at + len(line)
        at += len(line) + 1
    if end > start:
        pieces.append(Piece(start, text[start:end] + "\n"))
    return pieces
