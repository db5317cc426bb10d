"""Where a bracket or a quotation mark is missing.

Purpose: proposes the place where what was opened is closed.
Input: a declaration and the problem that something in it is not closed. Output: the problem, with an edit
where there is a place with which the whole declaration parses.
Invariant: the change is safe only where there is one such place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from conche.syntax.explain.alignment import parses
from conche.syntax.explain.trial import MAX_TRIED
from conche.syntax.problems import Edit, Problem
from conche.syntax.tokens import CLOSES, TOKEN

_MOST = 40
"""How many places are tried."""


def closed(text: str, start: str, problem: Problem) -> Problem:
    """The problem with the change that mends it, if there is one."""
    if problem.code not in ("C0103", "C0105") or len(text) > MAX_TRIED or problem.edits:
        return problem
    opened = text[problem.start]
    sign = CLOSES.get(opened, '"')
    lines = [_word_ends(text, problem.start)] if sign == '"' else _token_ends(text, problem.start)
    right: list[int] = []
    tried = 0
    for places in lines:
        right = [at for at in places[: _MOST - tried] if parses(text[:at] + sign + text[at:], start)]
        tried += len(places)
        if right or tried >= _MOST:
            break
    if not right:
        return problem
    at = right[-1]
    behind = text[problem.start : at].split()[-1] if sign == '"' else _last_token(text, problem.start, at)
    edit = Edit(at, at, sign, f"write `{sign}` behind `{behind}`", safe=len(right) == 1)
    return replace(problem, edits=(edit,))


def _last_token(text: str, opened: int, end: int) -> str:
    """What stands before an offset."""
    tokens = [token.group() for token in TOKEN.finditer(text, opened + 1, end) if token.group().strip()]
    if not tokens:
        return text[opened]
    # A bracket alone would say little.
    return tokens[-1] if tokens[-1][-1].isalnum() else text[opened + 1 : end].split()[-1]


def _token_ends(text: str, opened: int) -> Iterator[list[int]]:
    """Behind each token, line by line: that of an offset, and those below it that are indented deeper."""
    begin = text.rfind("\n", 0, opened) + 1
    indent = len(text[begin:]) - len(text[begin:].lstrip(" "))
    ends: list[int] = []
    for token in TOKEN.finditer(text, opened):
        if token.lastgroup == "newline":
            yield ends
            ends = []
            below = text[token.end() :].partition("\n")[0]
            if len(below) - len(below.lstrip(" ")) <= indent:
                return
        elif token.lastgroup not in ("blank", "comment", "cite"):
            ends.append(token.end())
    yield ends


def _word_ends(text: str, opened: int) -> list[int]:
    """Behind each word of the line of an offset, up to a citation."""
    line = text[opened:].partition("\n")[0].partition("§")[0]
    return [opened + word.end() for word in re.finditer(r"\S+", line)]
