"""How a place of the rules reads: its lines, without citations and comments.

Purpose: old and new text side by side, as a person wrote them.
Input: a unit of a typed tree, and the texts of the files. Output: a `Text`.
Invariants: whole lines, without the blanks that all of them begin with; of what has a body only the head. A
file whose text is not at hand gives an empty text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from conche.compare.declarations import Passage
from conche.compare.model import Text
from conche.compare.tree_diff import units
from conche.graph.titles import show
from conche.semantics import rulebook as rb
from conche.semantics.clauses import Clause
from conche.semantics.show_statements import show_block
from conche.source import Source, Span

_CITES = re.compile(r"\s+§\S+(?:\s+§\S+)*\s*$")


def text_of(unit: Any, sources: Mapping[str, Source]) -> Text:
    """How a unit reads."""
    span: Span = unit.span
    source = sources.get(span.file)
    cites = tuple(getattr(unit, "cites", ()))
    if source is None:
        return Text("", span.file, span.line, cites)
    last = max(span.line, span.end_line if span.end_column > 1 else span.end_line - 1)
    if has_body(unit):
        inner = [part.span.line for part in units(unit) if part is not unit]
        inside = [line for line in inner if line >= span.line]
        last = max(span.line, min(inside) - 1) if inside else span.line
    lines = [plain_line(source.line(number)) for number in range(span.line, last + 1)]
    return Text(textwrap.dedent("\n".join(lines)).strip("\n"), span.file, span.line, cites)


def meaning_of(unit: Any) -> str:
    """How a unit reads in the typed tree, where no file says it in one place: what modules have changed."""
    if isinstance(unit, rb.Query):
        return "\n".join([f"query {unit.name}", *(f"  {line}" for line in _cases(unit.cases))])
    if isinstance(unit, rb.QueryCase):
        return "\n".join(_cases((unit,)))
    if isinstance(unit, rb.Choose):
        return "\n".join([f"choose {unit.name}", *_without_options(unit)])
    if isinstance(unit, rb.Stmt):
        return re.sub(r"\b([a-z_]\w*)\.\d+\b", r"\1", "\n".join(show_block([unit], "")))
    return ""


def _cases(cases: Sequence[rb.QueryCase]) -> list[str]:
    """A query case by case; what modules have added to it as lines of their own."""
    if len(cases) == 1 and cases[0].condition is None:
        return _grown(cases[0].value)
    return [
        f"{show(case.value, (), 12)}{f' if {show(case.condition, (), 12)}' if case.condition else ''}"
        for case in cases
    ]


def _grown(value: rb.Expr) -> list[str]:
    """`A or B or C`, where A has cases, as those and a line for each of the others."""
    added: list[str] = []
    inner = value
    while isinstance(inner, rb.Binary):
        added.append(f"{inner.op} {show(inner.right, (), 12)}")
        inner = inner.left
    if not isinstance(inner, rb.Cond):
        return [show(value, (), 12)]
    lines = []
    while isinstance(inner, rb.Cond):
        lines.append(f"{show(inner.then, (), 12)} if {show(inner.condition, (), 12)}")
        inner = inner.otherwise
    return [*lines, show(inner, (), 12), *reversed(added)]


def _without_options(choose: rb.Choose) -> list[str]:
    """What a choice says of having no option."""
    if choose.passes:
        return ["  pass"]
    if choose.none is not None:
        return ["  none", *show_block(choose.none, "    ")]
    return ["  always"] if choose.always else []


def clause_texts(old: Clause | None, new: Clause | None) -> tuple[Text | None, Text | None]:
    """The lines of a clause that are others; of one that only one side has, its title."""
    if old is None or new is None:
        return _title_of(old), _title_of(new)
    sides = ([old.title, *old.text.split("\n")], [new.title, *new.text.split("\n")])
    kept: tuple[list[str], list[str]] = ([], [])
    for word, a, b, c, d in SequenceMatcher(None, sides[0], sides[1], autojunk=False).get_opcodes():
        if word != "equal":
            kept[0].extend(line for line in sides[0][a:b] if line.strip())
            kept[1].extend(line for line in sides[1][c:d] if line.strip())
    return Text("\n".join(kept[0]), "", old.line, ()), Text("\n".join(kept[1]), "", new.line, ())


def _title_of(clause: Clause | None) -> Text | None:
    return None if clause is None else Text(clause.title, "", clause.line, ())


def has_body(unit: object) -> bool:
    """Whether other units stand in it that are shown by themselves."""
    return isinstance(unit, Passage) or (
        not isinstance(unit, rb.Query) and any(part is not unit for part in units(unit))
    )


def plain_line(line: str) -> str:
    """A line without its comment and citations."""
    quoted = False
    for place, sign in enumerate(line):
        if sign == '"':
            quoted = not quoted
        elif sign == "#" and not quoted:
            line = line[:place]
            break
    return _CITES.sub("", line.rstrip())
