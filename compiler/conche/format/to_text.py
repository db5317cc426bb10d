"""A rules file, laid out.

Input: a `Source` without syntax errors. Output: its text.
Invariants: those of the package; that every word and comment is still there, in its order, is looked at
before the text is handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from conche.format.blanks import Between, rows_between
from conche.format.lines import Line, read_comments, read_lines
from conche.format.rows import Row, rows_of
from conche.source import Source
from conche.syntax.tokens import TOKEN


def format_source(source: Source) -> str:
    """The text of a file that the parser reads without a finding, laid out."""
    text = "".join(f"{row}\n" for row in _with_comments(_rows(source)))
    if _written(text) != _written(source.text):
        raise AssertionError(f"formatting would change what '{source.name}' says")
    return text


def _rows(source: Source) -> Iterator[Row]:
    lines: list[Line | None] = list(read_lines(source))
    comments = read_comments(source)
    indents: list[int] = []
    for before, after, following in zip(
        [None, *lines], [*lines, None], [*lines[1:], None, None], strict=True
    ):
        opens = after is not None and following is not None and following.depth > after.depth
        yield from rows_between(Between(before, after, indents, opens), comments, source.line_count)
        if after is not None:
            indents = [*indents[: after.depth], after.indent]
            yield from rows_of(after, comments)


def _with_comments(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as text; comments behind rows that follow one another stand below one another."""
    for has_comment, group in groupby(rows, key=lambda row: bool(row.comment)):
        run = list(group)
        column = max(len(row.text) for row in run) + 2
        for row in run:
            yield f"{row.text:<{column}}{row.comment}" if has_comment else row.text


def _written(text: str) -> list[str]:
    """All that is written in a text, without blanks and line ends."""
    return [
        match.group().rstrip()
        for match in TOKEN.finditer(text)
        if match.lastgroup not in ("blank", "newline")
    ]
