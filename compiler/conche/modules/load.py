"""Loads a ruleset: from its name to the rulebook.

Purpose: finds the files, reads, parses and types them.
Input: the name of a ruleset, or a rules file in hand. Output: a `LoadResult`.
Invariants: findings about files, syntax, types and citations come together, in the order of the files; there
is a rulebook exactly when none of them is an error. Bundled files are called by their path from the
checkout's root.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label, has_errors, in_order
from conche.diagnostics.suggest import did_you_mean
from conche.modules.parse_ruleset import Part, Ruleset, parse_ruleset
from conche.resources import find_game, game_names
from conche.semantics.clauses import Clause, check_clause_file, check_clauses, read_clauses
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook
from conche.semantics.words import listed
from conche.source import Source, SourceError, read_source
from conche.syntax import ast
from conche.syntax.from_text import parse

Read = Callable[[str, str], Source]
"""Reads the file at a path (first) that findings call by a name (second); raises `SourceError`."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """`rulebook` is None exactly when a finding is an error. `sources` by name, for excerpts; clause files
    too."""

    rulebook: Rulebook | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    file: ast.File | None = None


def load(ruleset_text: str, *, read: Read = read_source) -> LoadResult:
    """The rulebook of a ruleset."""
    ruleset, found = parse_ruleset(ruleset_text)
    if ruleset is None:
        return LoadResult(None, found)
    if ruleset.modules:
        return LoadResult(None, [_no_modules(ruleset)])
    located = _locate(ruleset.game)
    if isinstance(located, Diagnostic):
        return LoadResult(None, [located])
    path, name = located
    try:
        source = read(path, name)
    except SourceError as error:
        return LoadResult(None, [error.diagnostic])
    return load_source(
        source,
        ruleset=ruleset.game.name,
        options=dict(ruleset.game.options),
        folder=os.path.dirname(path),
        read=read,
    )


def load_source(
    source: Source,
    *,
    ruleset: str,
    options: Mapping[str, str] | None = None,
    folder: str = "",
    read: Read = read_source,
) -> LoadResult:
    """The rulebook of a game whose rules are at hand. `folder`: where its clause file lies."""
    sources = {source.name: source}
    file, found = parse(source)
    rulebook, findings = from_ast(file, ruleset=ruleset, options=options or {})
    found += findings
    clauses: dict[str, Clause] = {}
    header = file.header
    if header is not None and header.clauses is not None:
        clauses_name = posixpath.join(posixpath.dirname(source.name), header.clauses.value)
        clause_source = _read_clauses(header.clauses, folder, clauses_name, read, found)
        if clause_source is not None:
            sources[clause_source.name] = clause_source
            clauses = read_clauses(clause_source.text)
            found += check_clause_file(clause_source)
            found += check_clauses(file, clauses)
    found = in_order(found)
    return LoadResult(None if has_errors(found) else rulebook, found, sources, clauses, file)


def _locate(part: Part) -> tuple[str, str] | Diagnostic:
    """The path of a game's rules and what findings call the file."""
    if part.is_path:
        return part.name, part.name
    path = find_game(part.name)
    if path is not None:
        return str(path), f"rules/{part.name}/{part.name}.rules"
    games = game_names()
    hints = [did_you_mean(part.name, games) or (f"the games are {listed(games)}" if games else None)]
    if Path(f"{part.name}.rules").is_file():
        hints.append(f"a rules file is named by its path: `./{part.name}.rules`")
    return diagnose("C0227", f"there is no game '{part.name}'", help=[hint for hint in hints if hint])


def _no_modules(ruleset: Ruleset) -> Diagnostic:
    modules = listed(part.name for part in ruleset.modules)
    return diagnose(
        "C0229",
        f"modules cannot be added to a game yet, and '{ruleset}' adds {modules}",
        notes=("a later version composes games with modules",),
        help=(f"leave them out: `{ruleset.game}`",),
    )


def _read_clauses(
    node: ast.StringLit, folder: str, name: str, read: Read, found: list[Diagnostic]
) -> Source | None:
    """The clause file beside the rules. It may not lie elsewhere: a rules file reads nothing but its own
    folder."""
    text = node.value
    parts = text.replace("\\", "/").split("/")
    if (
        not text.strip()
        or os.path.isabs(text)
        or text.startswith(("/", "\\"))
        or ".." in parts
        or ":" in text
    ):
        found.append(
            diagnose(
                "C0225",
                f"the clause file '{text}' does not lie beside the rules file",
                Label(node.span),
                help=("name a file in the same folder",),
            )
        )
        return None
    try:
        return read(os.path.join(folder, text), name)
    except SourceError as error:
        found.append(
            diagnose(
                "C0225",
                f"the clause file '{text}' cannot be read",
                Label(node.span, error.diagnostic.title),
                notes=error.diagnostic.notes,
                help=error.diagnostic.help,
            )
        )
        return None
