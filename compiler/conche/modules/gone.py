"""Kinds that are gone: a module put other rows in place of those of a type.

Input: a `Draft` with all changes laid over it. Output: findings, on what still speaks of a kind or member
that is no more.
"""

from __future__ import annotations

from collections.abc import Iterator

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.modules.draft import Draft
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.types import EnumT, KindT
from conche.semantics.walk import walk
from conche.source import Span


def check_gone(draft: Draft) -> list[Diagnostic]:
    """One finding for each kind that is spoken of and gone, at the first place that speaks of it."""
    found: dict[tuple[str, str], Diagnostic] = {}
    for change in draft.changes:
        if not isinstance(change.edit, tm.ReplaceType):
            continue
        of = change.edit.place.partition(".")[2]
        here = {kind.name for kind in draft.kinds_of(of)}
        for name, span in _spoken(draft, of):
            if name not in here and (of, name) not in found:
                found[of, name] = diagnose(
                    "C0254",
                    f"'{change.module}' does away with '{name}', which the rules speak of",
                    Label(change.span, f"other rows of {of}"),
                    Label(span, f"'{name}' is needed here", primary=False),
                    help=(f"keep '{name}' among the rows, or replace what speaks of it too",),
                )
    return list(found.values())


def _spoken(draft: Draft, of: str) -> Iterator[tuple[str, Span]]:
    """Every kind or member of a type that is named, and where."""
    declared = (
        *draft.parts.values(),
        *draft.steps.values(),
        *draft.actions.values(),
        *draft.queries.values(),
        *draft.triggers.values(),
        *draft.scores.values(),
        *draft.invariants.values(),
        *draft.boards.values(),
        *draft.variables.values(),
        draft.rank,
    )
    for node in walk(declared):
        match node:
            case rb.Lit(str(name), EnumT(type_) | KindT(type_), span) if type_ == of:
                yield name, span
            case rb.IsKind(value, kinds, _, span) if value.type in (EnumT(of), KindT(of)):
                yield from ((name, span) for name in kinds)
            case rb.Action(of=type_) if type_ == of:
                yield from ((name, case.span) for case in node.cases for name in case.kinds)
            case _:
                pass
