"""Long lines: breaks them where the language lets a line go on, and sets the citations at their end.

Input: a line's indentation, text and citations. Output: one or more lines of text.
Invariant: a break stands behind a comma, an operator or `=`, outside texts, and the rest is indented deeper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conche.syntax import ast

WIDTH = 100
"""Columns that a line's text fills at most, where it can be broken."""

CITE_COLUMN = 79
"""Citations stand below one another here, if the text leaves room."""

_BREAK = re.compile(r'"[^"\n]*"|[(\[{]|[)\]}]|,|(?<= )(?:=|!=|<=|>=|<|>|\+|-|\*|/|mod|and|or)(?= )')

_JOINTS = {",": 2, "and": 2, "or": 2, "=": 1}
"""Behind these a line breaks better than within a sum, behind a higher one best."""


def cited(indent: str, text: str, cites: Iterable[ast.Cite]) -> str:
    """The line, broken where it is too long, with its citations."""
    lines = wrap(indent, text)
    ids = " ".join(f"§{cite.id}" for cite in cites)
    if ids:
        lines[-1] = (
            f"{lines[-1]:<{CITE_COLUMN}}{ids}" if len(lines[-1]) < CITE_COLUMN else f"{lines[-1]} {ids}"
        )
    return "\n".join(lines)


def wrap(indent: str, text: str) -> list[str]:
    """The line as one or more, none longer than `WIDTH` if that can be."""
    lines: list[str] = []
    lead = indent
    while len(lead) + len(text) > WIDTH:
        cut = break_at(text, WIDTH - len(lead))
        if cut is None:
            break
        lines.append(lead + text[:cut].rstrip())
        text = text[cut:].lstrip()
        lead = f"{indent}    "
    lines.append(lead + text)
    return lines


def break_at(text: str, room: int) -> int | None:
    """Where to break: outside of brackets if possible, rather between parts than within one, far right."""
    depth = 0
    best: tuple[int, int, int] | None = None
    for match in _BREAK.finditer(text):
        found = match.group()
        if match.end() > room:
            break
        if found in "([{":
            depth += 1
        elif found in ")]}":
            depth -= 1
        elif found[0] != '"' and match.end() < len(text) and match.end() > room // 3:
            here = (-depth, _JOINTS.get(found, 0), match.end())
            best = here if best is None else max(best, here)
    return best[2] if best else None
