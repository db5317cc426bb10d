"""A logical line as the rows of text that it stands on.

Input: a line and the comments of its file. Output: rows.
Invariants: a row is broken behind a comma, an operator or `=` alone, where the language lets a line go on,
and only when it is longer than `WIDTH`; what goes on is indented deeper than the line, by two blanks more for
each bracket that is open. Citations stand at their column, or one blank behind a longer line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conche.format.lines import Comment, Line, Word
from conche.format.spacing import tight
from conche.syntax.tokens import TOKEN
from conche.syntax.wrapping import CITE_COLUMN, break_at

INDENT = 2
"""Blanks for each block."""

WIDTH = 110
"""Columns that the text of a row fills at most, where it can be broken; citations may stand behind them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the result. `comment`: what stands behind its text."""

    text: str
    comment: str = ""


def rows_of(line: Line, comments: Mapping[int, Comment]) -> Iterator[Row]:
    """The rows of a line, with the comments that stand within it and at its end."""
    body, cites = _without_cites(line)
    set_close = tight(line)
    brackets = at = 0
    base = INDENT * line.depth
    for number in range(line.first, line.last + 1):
        comment = comments[number].text if number in comments else ""
        words = [word for word in line.words[at:] if word.line == number]
        texts = [word for word in words if word in body]
        close = set_close[at : at + len(texts)]
        at += len(words)
        if not words:
            if comment:
                yield Row(" " * (base + 2 * INDENT) + comment)
            continue
        parts = list(_broken(_joined(texts, close), base, brackets, first=number == line.first))
        brackets += sum(_brackets(part) for part in parts)
        if number == line.last:
            parts[-1] = _cited(parts[-1], cites)
        yield from (Row(part) for part in parts[:-1])
        yield Row(parts[-1], comment)


def _without_cites(line: Line) -> tuple[frozenset[Word], list[str]]:
    """The words of a line but for the citations at its end, and those. `always §1.4` consists of them."""
    words = list(line.words)
    cites: list[str] = []
    if [word.kind for word in words[:2]] != ["ALWAYS", "CITE"]:
        while words[-1].kind == "CITE":
            cites.insert(0, words.pop().text)
    return frozenset(words), cites


def _joined(words: list[Word], close: list[bool]) -> str:
    text = ""
    for word, tight_here in zip(words, close, strict=True):
        text += word.text if tight_here or not text else f" {word.text}"
    return text


def _broken(text: str, base: int, brackets: int, *, first: bool) -> Iterator[str]:
    """A row of the author's, broken further where it is too long."""
    lead = base if first else _lead(text, base, brackets)
    while lead + len(text) > WIDTH:
        cut = break_at(text, WIDTH - lead)
        if cut is None:
            break
        part, text = text[:cut].rstrip(), text[cut:].lstrip()
        yield " " * lead + part
        brackets += _brackets(part)
        lead = _lead(text, base, brackets)
    yield " " * lead + text


def _lead(text: str, base: int, brackets: int) -> int:
    """The indentation of a row that goes on, where so many brackets are open before it."""
    closing = len(text) - len(text.lstrip(")]}"))
    return base + INDENT + INDENT * max(brackets - closing, 0 if closing else 1)


def _brackets(text: str) -> int:
    """How many more brackets a text opens than it closes."""
    kinds = [match.lastgroup for match in TOKEN.finditer(text)]
    return kinds.count("open") - kinds.count("close")


def _cited(text: str, cites: list[str]) -> str:
    if not cites:
        return text
    lead = f"{text:<{CITE_COLUMN}}" if len(text) < CITE_COLUMN else f"{text} "
    return lead + " ".join(cites)
