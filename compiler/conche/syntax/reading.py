"""Reading one declaration: its text to a lark tree, and what is wrong with it.

Input: the text of a declaration, from column 0. Output: a `Reading`.
Invariants: the same text gives the same reading, so that readings are remembered; a mistake in one line of a
block does not hide those in others, for that line is blanked and the rest read again; no tree is deeper than
`MAX_DEPTH`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from conche.syntax import tables
from conche.syntax.explain.alignment import moved_line, parses, said_end
from conche.syntax.explain.closing import closed
from conche.syntax.explain.trial import MAX_TRIED
from conche.syntax.explain.unexpected import explain
from conche.syntax.layout import DedentError
from conche.syntax.lines import BLANKED, blank, lines
from conche.syntax.problems import Edit, Mark, Problem
from conche.syntax.scan import MAX_PROBLEMS, scan

MAX_DEPTH = 100
"""How deep operations and statements may lie inside one another. Stages recurse along the tree, so this is
far below Python's limit; a sum of a hundred parts is as deep as that."""

_MAX_REMEMBERED = 20_000
"""Characters of the longest declaration that is remembered."""

_MAX_REREAD = 100_000
"""Characters of the longest declaration that is read again after a problem."""

# Nodes that group what belongs to one node of the AST, or leave none.
_FLAT = frozenset(
    {
        "paren",
        "block",
        "inline",
        "line",
        "cites",
        "args",
        "params",
        "param",
        "where",
        "guard",
        "items",
        "item",
    }
    | {"binders", "bind_in", "bind_hidden", "bind_is", "else_body", "none_body", "case_head", "labelled"}
    | {"unlabelled", "chooser", "turned", "under", "visibility", "zone_kind", "names"}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """`tree` is None when the declaration could not be read. Then there are problems; else there may be."""

    tree: Tree[Token] | None
    problems: tuple[Problem, ...]


def read(text: str, start: str) -> Reading:
    """Reads a declaration (`start` is `decl`) or a header (`header`)."""
    return _read(text, start) if len(text) > _MAX_REMEMBERED else _remembered(text, start)


@lru_cache(maxsize=512)
def _remembered(text: str, start: str) -> Reading:
    return _read(text, start)


def _read(text: str, start: str) -> Reading:
    problems = _indentation(text, start) if "\t" in text else []
    if problems:
        return Reading(None, tuple(problems))
    problems = scan(text)
    if len(problems) == 1:  # with another one left no place would do
        problems = [closed(text, start, problems[0])]
    rest: str | None = text
    for problem in problems:
        rest = blank(rest, problem.start) if rest is not None else None
    while rest is not None and len(problems) < MAX_PROBLEMS:
        try:
            tree = tables.load().parse(rest, start=start)
        except DedentError as error:
            if not problems:  # else it may well come of a line that was blanked
                problems.append(moved_line(text, start, error.start) or _dedent(text, error))
            break
        except UnexpectedInput:
            problem, culprit = explain(rest, start)
            if problems and rest.startswith(BLANKED, problem.start):
                break  # a line that is reported already, where no line can be left out
            problems.append(problem)
            stray = problem.code == "C0116" and rest.startswith("case", culprit)
            rest = blank(rest, culprit, stray_cases=stray) if len(text) <= _MAX_REREAD else None
        else:
            deep = _too_deep(tree)
            return Reading(None if deep else tree, (*problems, *deep))
    return Reading(None, tuple(problems))


def _indentation(text: str, start_symbol: str) -> list[Problem]:
    """Tabs before the first character of a line."""
    tabs: list[tuple[int, int]] = []
    for line in lines(text):
        blank_part = text[line.start : line.start + line.indent]
        if "\t" in blank_part:
            tabs.append((line.start, line.start + line.indent))
    if not tabs:
        return []
    start, end = tabs[0]
    width = next((width for width in _WIDTHS if _fits(text, start_symbol, width)), 2)
    more = f" ({len(tabs)} lines of this declaration)" if len(tabs) > 1 else ""
    return [
        Problem(
            "C0106",
            "a line is indented with a tab",
            (Mark(start, end, "blanks are needed here"),),
            notes=(f"a block is indented with blanks, two for each level{more}",),
            edits=tuple(
                Edit(a, b, text[a:b].expandtabs(width), f"write {_WIDTHS[width]} blanks for each tab")
                for a, b in tabs
            ),
        )
    ]


_WIDTHS = {2: "two", 4: "four", 8: "eight", 3: "three"}
"""How wide a tab may have looked to its author."""


def _fits(text: str, start: str, width: int) -> bool:
    """Whether a declaration parses with tabs of a width."""
    changed = re.sub(r"^[ \t]+", lambda blank: blank.group().expandtabs(width), text, flags=re.MULTILINE)
    return len(text) <= MAX_TRIED and parses(changed, start)


def _dedent(text: str, error: DedentError) -> Problem:
    end = said_end(text, error.start)
    begin = text.rfind("\n", 0, error.start) + 1
    levels = " or ".join(str(level) for level in error.expected if level)
    return Problem(
        "C0107",
        "a line is indented like no block above it",
        (Mark(error.start, end, f"{error.start - begin} blanks, where a block has {levels}"),),
        help=("lines of one block begin below one another",),
    )


def _too_deep(tree: Tree[Token]) -> tuple[Problem, ...]:
    """Looks through the tree without recursion."""
    todo = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        if node.data not in _FLAT:
            depth += 1
        if depth > MAX_DEPTH:
            start, end = node.meta.start_pos, node.meta.end_pos
            return (
                Problem(
                    "C0109",
                    f"this is nested more than {MAX_DEPTH} levels deep",
                    (Mark(start, end, "one level too deep"),),
                    help=("name parts of it with `let`, or by a `query` or `step` of their own",),
                ),
            )
        todo.extend((child, depth) for child in node.children if isinstance(child, Tree))
    return ()
