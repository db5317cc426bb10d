"""Clause files: the rulebook's own text, beside the rules that cite it.

Purpose: reads the headings of a clause file, checks that every citation has its clause, and that no number
means two of them.
Input: Markdown in which a heading `## §1.4 Turn` or `### §A5 Two worker tiles or more` begins a clause; an
AST.
Output: `Clause`s by id; findings about citations.
Invariants: nothing in a clause file is an error but an id that stands twice; text under other headings is
left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Fix, Label
from conche.diagnostics.suggest import closest, did_you_mean
from conche.semantics.walk import walk
from conche.semantics.words import plural
from conche.source import Source, Span
from conche.syntax import ast

_HEADING = re.compile(r"#{1,6} +§(?P<id>[A-Z]?\d+(?:\.\d+)*[a-z]?)(?: +(?P<title>.*\S))? *#* *\Z")
_OTHER_HEADING = re.compile(r"#{1,6} ")
LISTED = 3
"""So many numbers are named in a finding."""

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
        span = _heading(source, clause)
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


def check_numbers(
    file: ast.File, source: Source | None, own: Mapping[str, Clause], others: Mapping[str, Collection[str]]
) -> list[Diagnostic]:
    """Numbers of a module's clauses and rulings that others' have too. `source`: its clause file; `others`:
    by name of the game and of modules that it may cite, the numbers there."""
    places = {decl.cite.id: decl.cite.span for decl in rulings(file)}
    if source is not None:
        places |= {clause.id: _heading(source, clause) for clause in own.values()}
    found: list[Diagnostic] = []
    for name, numbers in others.items():
        both = [number for number in places if number in numbers]
        if not both or file.header is None:
            continue
        shown = ", ".join(f"§{number}" for number in both[:LISTED])
        more = f" and {len(both) - LISTED} more" if len(both) > LISTED else ""
        clauses = f"{plural(len(both), 'clause')} of '{file.header.name.text}'"
        taken = {number for those in others.values() for number in those}
        found.append(
            diagnose(
                "C0255",
                f"{clauses} {'has a number' if len(both) == 1 else 'have numbers'} that '{name}' has too",
                Label(places[both[0]]),
                notes=(
                    f"in question: {shown}{more}",
                    f"where the module cites such a number, it means its own clause, never that of '{name}'",
                ),
                help=(f"number the module's clauses from §{free_chapter(taken)} on: that is free",),
            )
        )
    return found


def rulings(file: ast.File) -> list[ast.RulingDecl]:
    """The rulings that a rules file declares."""
    found: list[ast.RulingDecl] = []
    waiting = list(reversed(file.decls))
    while waiting:
        decl = waiting.pop()
        if isinstance(decl, ast.RulingDecl):
            found.append(decl)
        elif isinstance(decl, ast.WithModules):
            waiting += reversed(decl.decls)
    return found


def rulings_as_clauses(file: ast.File) -> dict[str, Clause]:
    """The same as clauses, with the line of the rules file."""
    return {decl.cite.id: Clause(decl.cite.id, decl.text.value, "", decl.span.line) for decl in rulings(file)}


def free_chapter(numbers: Iterable[str]) -> int:
    """The lowest first number that none of these clauses has."""
    chapters = [re.match(r"\d+", number) for number in numbers]
    taken = {int(chapter[0]) for chapter in chapters if chapter is not None}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def _heading(source: Source, clause: Clause) -> Span:
    start = source.offset(clause.line, 1)
    return source.span(start, start + len(source.line(clause.line)))


def check_clauses(
    file: ast.File,
    clauses: Mapping[str, Clause],
    own: Mapping[str, Clause] | None = None,
    lost: Collection[str] = (),
) -> list[Diagnostic]:
    """Citations of clauses that are neither in a clause file nor a ruling of the rules file's own. `own`: the
    clauses of the file's own clause file, where others can be cited too; `lost`: modules that it speaks of
    and that do not exist: what is cited where they are in question may be theirs."""
    declared = {decl.cite.id: decl for decl in rulings(file)}
    known = [*clauses, *declared]
    found = [
        diagnose(
            "C0224",
            f"§{ruling.cite.id} stands in the clause file already",
            Label(ruling.cite.span),
            help=("give the ruling a number of its own, or cite the clause",),
        )
        for ruling in declared.values()
        if ruling.cite.id in (clauses if own is None else own)
    ]
    nodes = [*walk((file.header, file.decls))]
    unsure = {
        id(cite)
        for node in nodes
        if isinstance(node, ast.WithModules) and any(name.text in lost for name, _ in node.modules)
        for cite in walk(node)
        if isinstance(cite, ast.Cite)
    }
    unread = any(isinstance(node, ast.ErrorDecl) and node.keyword == "ruling" for node in nodes)
    for node in nodes:
        if not isinstance(node, ast.Cite) or node.id in clauses or node.id in declared:
            continue
        if id(node) in unsure:
            continue
        if unread and node.id[:1].isalpha():
            continue  # it may be the ruling that could not be read
        near = closest(node.id, [number for number in known if _alike(node.id, number)])
        finding = diagnose(
            "C0223",
            f"there is no clause §{node.id}",
            Label(node.span),
            help=[] if len(near) == 1 else [did_you_mean(node.id, near) or _add(node.id)],
            fixes=[Fix(node.span, f"§{near[0]}", f"cite §{near[0]}", safe=False)] if len(near) == 1 else (),
        )
        found.append(replace(finding, missing=f"§{node.id}"))
    return found


def _alike(written: str, number: str) -> bool:
    """Whether the one may be the other mistyped: in the same chapter, or but for its points."""
    chapters = [re.match(r"[A-Z]?\d+", one) for one in (written, number)]
    if all(chapters) and len({chapter[0] for chapter in chapters if chapter is not None}) == 1:
        return not written.isdigit() and not number.isdigit()
    return written.replace(".", "") == number.replace(".", "")


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


def _add(number: str) -> str:
    """How there comes to be such a clause."""
    if number[:1].isalpha():
        return f'write the ruling: `ruling §{number} "…"`, or a heading of the clause file'
    return f"write a heading of the clause file: `## §{number} …`"
