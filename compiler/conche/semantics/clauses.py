"""Clause files: the rulebook's own text, beside the rules that cite it.

Purpose: reads the headings of a clause file, and checks that every citation has its clause.
Input: Markdown in which a heading `## §1.4 Turn` or `### §A5 Two worker tiles or more` begins a clause; an
AST.
Output: `Clause`s by id; findings about citations.
Invariants: nothing in a clause file is an error but an id that stands twice; text under other headings is
left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Fix, Label
from conche.diagnostics.suggest import closest, did_you_mean
from conche.semantics.walk import walk
from conche.source import Source, Span
from conche.syntax import ast

_HEADING = re.compile(r"#{1,6} +§(?P<id>[A-Z]?\d+(?:\.\d+)*[a-z]?)(?: +(?P<title>.*\S))? *#* *\Z")
_OTHER_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is what stands under the heading; `line` is the heading's, from 1."""

    id: str
    title: str
    text: str
    line: int


def read_clauses(text: str) -> dict[str, Clause]:
    """The clauses of a file by id, in their order; the first of two with one id."""
    clauses: dict[str, Clause] = {}
    for clause in _all_clauses(text):
        clauses.setdefault(clause.id, clause)
    return clauses


def check_clause_file(source: Source) -> list[Diagnostic]:
    """Ids that stand twice."""
    seen: dict[str, Span] = {}
    found: list[Diagnostic] = []
    for clause in _all_clauses(source.text):
        start = source.offset(clause.line, 1)
        span = source.span(start, start + len(source.line(clause.line)))
        if clause.id in seen:
            found.append(
                diagnose(
                    "C0224",
                    f"the clause §{clause.id} stands in '{source.name}' twice",
                    Label(span, "again here"),
                    Label(seen[clause.id], "first here", primary=False),
                    help=("give one of them another number",),
                )
            )
        seen.setdefault(clause.id, span)
    return found


def check_clauses(
    file: ast.File, clauses: Mapping[str, Clause], own: Mapping[str, Clause] | None = None
) -> list[Diagnostic]:
    """Citations of clauses that are neither in a clause file nor a ruling of the rules file's own. `own`: the
    clauses of the file's own clause file, where others can be cited too."""
    rulings = {decl.cite.id: decl for decl in walk(file.decls) if isinstance(decl, ast.RulingDecl)}
    known = [*clauses, *rulings]
    found = [
        diagnose(
            "C0224",
            f"§{ruling.cite.id} stands in the clause file already",
            Label(ruling.cite.span),
            help=("give the ruling a number of its own, or cite the clause",),
        )
        for ruling in rulings.values()
        if ruling.cite.id in (clauses if own is None else own)
    ]
    for node in walk((file.header, file.decls)):
        if not isinstance(node, ast.Cite) or node.id in clauses or node.id in rulings:
            continue
        near = closest(node.id, known)
        found.append(
            diagnose(
                "C0223",
                f"there is no clause §{node.id}",
                Label(node.span),
                help=[hint for hint in (did_you_mean(node.id, known),) if hint],
                fixes=[Fix(node.span, f"§{near[0]}", f"cite §{near[0]}", safe=False)]
                if len(near) == 1
                else (),
            )
        )
    return found


def _all_clauses(text: str) -> list[Clause]:
    heads: list[tuple[str, str, int]] = []
    bodies: list[list[str]] = []
    inside, fenced = False, False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is not None:
            heads.append((heading["id"], heading["title"] or "", number))
            bodies.append([])
            inside = True
        elif not fenced and _OTHER_HEADING.match(line):
            inside = False
        elif inside:
            bodies[-1].append(line)
    return [
        Clause(id_, title, "\n".join(body).strip(), line)
        for (id_, title, line), body in zip(heads, bodies, strict=True)
    ]
