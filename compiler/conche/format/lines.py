"""Text to logical lines: what the layout of a file is made of.

Input: a `Source` without syntax errors. Output: its lines, each with its words as the grammar reads them, and
its comments by the number of the line that they stand on.
Invariant: the words of all lines, in order, are all that is written in the file but its comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conche.source import Source
from conche.syntax import tables
from conche.syntax.scan import comments
from conche.syntax.split import Piece, split


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign. `kind`: the grammar's terminal, which tells a keyword from a name."""

    kind: str
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without the blanks at its end. `column` counts from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Line:
    """What the parser takes for one line, on however many lines of the file it stands."""

    words: tuple[Word, ...]
    depth: int
    """How many blocks it stands in."""
    holder: tuple[str, ...]
    """The kinds of the first two words of the line that its block belongs to; empty at the margin."""
    declares: bool
    """Whether a declaration begins with it."""

    @property
    def first(self) -> int:
        """The line of the file on which it begins."""
        return self.words[0].line

    @property
    def last(self) -> int:
        return self.words[-1].line

    @property
    def indent(self) -> int:
        """How many blanks it is indented by."""
        return self.words[0].column - 1


def read_lines(source: Source) -> list[Line]:
    """The lines of a file, in order."""
    return [line for piece in split(source.text) for line in _lines(source, piece)]


def read_comments(source: Source) -> dict[int, Comment]:
    """The comments of a file, by the number of their line."""
    found = {}
    for start, end in comments(source.text):
        line, column = source.position(start)
        found[line] = Comment(source.text[start:end].rstrip(), line, column)
    return found


def _lines(source: Source, piece: Piece) -> Iterator[Line]:
    start = "header" if piece.word in ("game", "module") else "decl"
    words: list[Word] = []
    holders: list[tuple[str, ...]] = []
    head: tuple[str, ...] = ()
    for token in tables.load().parse_interactive(piece.text, start=start).iter_parse():
        match token.type:
            case "_NL":
                # A declaration may stand in the block of `with huts`, and no deeper.
                declares = not holders or (len(holders) == 1 and holders[0][0] == "WITH")
                yield Line(tuple(words), len(holders), holders[-1] if holders else (), declares)
                head, words = tuple(word.kind for word in words[:2]), []
            case "_INDENT":
                holders.append(head)
            case "_DEDENT":
                holders.pop()
            case _:
                assert token.start_pos is not None, "a word stands somewhere"
                line, column = source.position(piece.start + token.start_pos)
                words.append(Word(token.type, str(token), line, column))
