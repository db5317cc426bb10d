"""The parts of a ruleset: the game and its modules, each with the clauses of its clause file.

Input: a checked ruleset. Output: `Part`s: the game first, then the modules by name.
Invariant: a ruling that a rules file declares is a clause of its part, after those of the clause file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from conche.modules.library import declared_in, spoken_of
from conche.pipeline import Checked
from conche.semantics.clauses import read_clauses
from conche.source import Source
from conche.syntax import ast
from conche.traceability.model import Entry, Key, Part


def parts_of(checked: Checked) -> tuple[Part, ...]:
    """The parts of a ruleset without errors."""
    versions = dict(checked.must().rulebook.versions)
    assert checked.file is not None
    game = _part(checked.file, versions, checked.sources)
    modules = [_part(file, versions, checked.sources) for file in checked.modules]
    return (game, *sorted(modules, key=lambda part: part.name))


def _part(file: ast.File, versions: Mapping[str, str], sources: Mapping[str, Source]) -> Part:
    header = file.header
    assert header is not None
    name = header.name.text
    clause_file = None
    entries: list[Entry] = []
    if header.clauses is not None:
        clause_file = posixpath.join(posixpath.dirname(file.name), header.clauses.value)
        entries = [
            Entry(name, clause.id, clause.title, clause.text, clause_file, clause.line)
            for clause in read_clauses(sources[clause_file].text).values()
        ]
    entries += [
        Entry(name, decl.cite.id, decl.text.value, "", file.name, decl.span.line)
        for decl in declared_in(file.decls)
        if isinstance(decl, ast.RulingDecl)
    ]
    return Part(
        name,
        header.title.value,
        versions.get(name, ""),
        header.kind == "game",
        file,
        clause_file,
        tuple(entries),
    )


def meanings(parts: Sequence[Part], part: str) -> dict[str, Key]:
    """Which clause a number means in the files of a part: its own, else the game's, else one of a module that
    it speaks of."""
    files = {one.name: one.file for one in parts}
    near = {part, *spoken_of(files[part], files.get)}
    known: dict[str, Key] = {}
    for one in sorted(parts, key=lambda other: other.name != part):
        if one.is_game or one.name in near:
            for entry in one.entries:
                known.setdefault(entry.id, entry.key)
    return known
