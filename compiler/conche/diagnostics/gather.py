"""One finding for one mistake that shows in many places, such as a name that is missing.

Purpose: who misspells the declaration of a name reads one finding, not one for each use; who cites a clause
before it is written, one for each clause.
Input: findings, and the texts by the file names of their spans. Output: the findings, in order.
Invariants: findings of the same missing name stay apart where they would be mended differently or lie in
different files. Where the name that is near is declared and spoken of nowhere else, the declaration is what
is misspelt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from conche.diagnostics.lists import counted
from conche.diagnostics.model import Diagnostic, Fix, Label, in_order
from conche.diagnostics.suggest import is_slip

if TYPE_CHECKING:
    from conche.source import Source
    from conche.span import Span

SHOWN = 3
"""So many places are shown; of others it is said how many there are."""


def gather(found: Iterable[Diagnostic], sources: Mapping[str, Source]) -> list[Diagnostic]:
    """The findings, with those of the same missing name made one."""
    result: list[Diagnostic] = []
    names: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in in_order(found):
        if finding.missing is None or finding.main is None:
            result.append(finding)
        else:
            names.setdefault((finding.main.span.file, finding.missing), []).append(finding)
    for (file, name), group in names.items():
        declared = _misspelt(name, group, sources.get(file)) if len(group) > 1 else None
        if declared is not None:
            result.append(_misdeclared(name, *declared, group))
            continue
        alike: dict[tuple[str, ...], list[Diagnostic]] = {}
        for finding in group:
            meant = tuple(fix.replacement for fix in finding.fixes)
            same = alike.setdefault((finding.code, *finding.help, *meant), [])
            if finding not in same:  # two modules may say the same of a third
                same.append(finding)
        result += [_one(same) if len(same) > 1 else same[0] for same in alike.values()]
    return in_order(result)


def _misspelt(name: str, group: list[Diagnostic], source: Source | None) -> tuple[str, Span] | None:
    """The declared name that nothing but its declaration speaks of, and that was to be `name`; and where."""
    near = {fix.replacement for finding in group for fix in finding.fixes}
    if source is None:
        return None
    alone = [(other, places[0]) for other in sorted(near) if len(places := _places(source, other)) == 1]
    return alone[0] if len(alone) == 1 and _declares(source, alone[0][1]) else None


_DECLARING = re.compile(
    r"[ ]*(?:(?:piece|enum|option|values|board|pile|row|hand|store|bag|pool|track|var|step|action|query|score"
    r"|trigger|let|choose|chance|case)[ ]+)?|[ ]*seats[ ].*"
)
"""What stands before a name on the line that declares it; statements begin with words of the language."""

_BINDING = re.compile(r"[ ]*(?:case|choose|chance)\b.*[(,][ ]*|.*\bfor each[ ]+")
"""What stands before a name of what is chosen, or gone through, with `in` behind it."""


def _declares(source: Source, place: Span) -> bool:
    """Whether a name is declared where it stands: names of the game and built-in ones are only used."""
    line = source.line(place.line)
    before, behind = line[: place.column - 1], line[place.end_column - 1 :]
    binds = behind.startswith(" in ") and _BINDING.fullmatch(before) is not None
    return binds or _DECLARING.fullmatch(before) is not None


def _places(source: Source, name: str) -> list[Span]:
    """Where a name stands in a text, but for its comments and what is in quotation marks."""
    found = re.finditer(rf'"[^"\n]*"|#[^\n]*|\b({re.escape(name)})\b', source.text)
    return [source.span(*match.span()) for match in found if match[1]]


def _misdeclared(name: str, written: str, declared: Span, group: list[Diagnostic]) -> Diagnostic:
    """The declaration is misspelt."""
    return replace(
        group[0],
        title=f"'{name}' is spoken of in {len(group)} places, and '{written}' is declared",
        labels=(Label(declared, f"did you mean '{name}'?"), *_others(group)),
        notes=(*_more(group, SHOWN), f"nothing speaks of '{written}'"),
        help=(),
        fixes=(Fix(declared, name, f"write '{name}'", safe=is_slip(written, name)),),
    )


def _one(group: list[Diagnostic]) -> Diagnostic:
    """The first finding, with the places of all."""
    first = group[0]
    return replace(
        first,
        labels=(*first.labels, *_others(group[1:])),
        notes=(*first.notes, *_more(group[1:], SHOWN)),
        fixes=tuple(fix for finding in group for fix in finding.fixes),
    )


def _others(group: list[Diagnostic]) -> list[Label]:
    return [
        Label(finding.main.span, "here", primary=False)
        for finding in group[:SHOWN]
        if finding.main is not None
    ]


def _more(group: list[Diagnostic], shown: int) -> tuple[str, ...]:
    left = len(group) - shown
    return (f"and in {counted(left, 'more place')}",) if left > 0 else ()
