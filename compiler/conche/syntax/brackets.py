"""Brackets that do not match: which one is wrong.

Input: the text of a declaration whose brackets do not match. Output: the problems.
Invariants: a bracket that closes none is one problem, and so is one that is never closed; a line that is
indented no deeper than the line that left a bracket open ends it, so that one mistake does not spoil the
lines below.
"""

from __future__ import annotations

from conche.syntax.problems import Edit, Mark, Problem
from conche.syntax.tokens import CLOSES, TOKEN


def unbalanced(text: str, limit: int) -> list[Problem]:
    """Which brackets do not match, at most `limit` of them."""
    problems: list[Problem] = []
    opened: list[tuple[int, str, int]] = []
    indent = line_start = 0
    first_on_line = True
    for match in TOKEN.finditer(text):
        if len(problems) == limit:
            return problems
        kind, found, start = match.lastgroup, match.group(), match.start()
        if kind == "newline":
            line_start, first_on_line = match.end(), True
            continue
        if kind in ("blank", "comment"):
            continue
        if first_on_line:
            first_on_line = False
            indent = start - line_start
            if opened and indent <= opened[0][2] and kind != "close":
                problems.append(_unclosed(opened[-1]))
                opened.clear()
        if kind == "open":
            opened.append((start, found, indent))
        elif kind == "close":
            problem = _close(text, match.end(), found, opened)
            if problem is not None:
                problems.append(problem)
    if opened:
        problems.append(_unclosed(opened[-1]))
    return problems


def _close(text: str, end: int, found: str, opened: list[tuple[int, str, int]]) -> Problem | None:
    """Takes the bracket that `found` closes from those that are open; says which one is wrong, if one is."""
    if opened and CLOSES[opened[-1][1]] == found:
        opened.pop()
        return None
    start = end - 1
    matching = next((i for i in reversed(range(len(opened))) if CLOSES[opened[i][1]] == found), None)
    if matching is not None:
        # One of those inside it was not closed.
        inner = opened[-1]
        del opened[matching:]
        return _unclosed(inner)
    if opened and _next_unmatched(text, end) != CLOSES[opened[-1][1]]:
        return _wrong_close(found, start, opened.pop())
    return Problem(
        "C0104",
        f"`{found}` closes no bracket",
        (Mark(start, end, "no such bracket is open here"),),
        edits=(Edit(start, end, "", f"take `{found}` out", safe=False),),
    )


def _next_unmatched(text: str, start: int) -> str | None:
    """The first bracket of the line's rest that closes none of that rest."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        if match.lastgroup == "newline":
            return None
        if match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close":
            if depth == 0:
                return match.group()
            depth -= 1
    return None


def _unclosed(opened: tuple[int, str, int]) -> Problem:
    at, bracket, _ = opened
    return Problem(
        "C0105",
        f"`{bracket}` is never closed",
        (Mark(at, at + 1, f"`{CLOSES[bracket]}` is missing for this"),),
    )


def _wrong_close(found: str, start: int, opened: tuple[int, str, int]) -> Problem:
    at, bracket, _ = opened
    right = CLOSES[bracket]
    return Problem(
        "C0104",
        f"`{found}` cannot close `{bracket}`",
        (
            Mark(start, start + 1, f"expected `{right}`"),
            Mark(at, at + 1, "to close this", primary=False),
        ),
        edits=(Edit(start, start + 1, right, f"write `{right}`"),),
    )
