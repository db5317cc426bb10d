"""Loads a ruleset: from its name to the rulebook.

Purpose: finds the files of the game and its modules, reads, parses, types and composes them.
Input: the name of a ruleset, or a rules file in hand. Output: a `LoadResult`.
Invariants: findings about files, syntax, types and citations come together, in the order of the files; there
is a rulebook exactly when none of them is an error. Bundled files are called by their path from the
checkout's root.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, has_errors, in_order
from conche.modules.absent_options import without_absent
from conche.modules.beside import read_beside
from conche.modules.compose import compose
from conche.modules.data import with_data
from conche.modules.library import MOST_REMEMBERED, Entry, Library, Read, parsed, spoken_of, typed_game
from conche.modules.naming import module_alone, no_game
from conche.modules.parse_ruleset import Part, Ruleset, parse_ruleset
from conche.resources import find_game
from conche.semantics.clauses import (
    Clause,
    check_clause_file,
    check_clauses,
    check_numbers,
    read_clauses,
    rulings_as_clauses,
)
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook
from conche.semantics.typed_module import TypedGame, TypedModule
from conche.source import Source, SourceError, read_source
from conche.syntax import ast


@dataclass(frozen=True, slots=True)
class LoadResult:
    """`rulebook` is None exactly when a finding is an error. `sources` by name, for excerpts; clause files
    too."""

    rulebook: Rulebook | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    file: ast.File | None = None
    modules: tuple[TypedModule, ...] = ()


def load(ruleset_text: str, *, read: Read = read_source) -> LoadResult:
    """The rulebook of a ruleset."""
    ruleset, found = parse_ruleset(ruleset_text)
    return LoadResult(None, found) if ruleset is None else load_ruleset(ruleset, read=read)


def load_ruleset(ruleset: Ruleset, *, read: Read = read_source) -> LoadResult:
    """The rulebook of a ruleset whose name was taken apart."""
    opened = open_game(ruleset.game, read)
    if isinstance(opened, Diagnostic):
        return LoadResult(None, [opened])
    source, folder = opened
    if ruleset.modules:
        return load_modules(ruleset, source, folder=folder, read=read)
    options, absent = without_absent(
        dict(ruleset.game.options), [parsed(source)[0]], folder, posixpath.dirname(source.name), read
    )
    result = load_source(source, ruleset=ruleset.game.name, options=options, folder=folder, read=read)
    return (
        result if not absent else replace(result, rulebook=None, diagnostics=[*result.diagnostics, *absent])
    )


def open_game(part: Part, read: Read = read_source) -> tuple[Source, str] | Diagnostic:
    """The text of a game's rules, and the folder in which they lie."""
    located = _locate(part)
    if isinstance(located, Diagnostic):
        return located
    path, name = located
    try:
        return read(path, name), os.path.dirname(path)
    except SourceError as error:
        return error.diagnostic


def load_modules(ruleset: Ruleset, source: Source, *, folder: str, read: Read = read_source) -> LoadResult:
    """The rulebook of a game whose rules are at hand and of modules beside it or elsewhere."""
    options, found = all_options(ruleset)
    typed = type_modules(ruleset, source, folder=folder, read=read)
    if typed.file is not None and len(typed.modules) == len(ruleset.modules):
        files = [typed.file, *(module.file for module in typed.modules)]
        options, absent = without_absent(options, files, folder, posixpath.dirname(source.name), read)
        found += absent
    found = in_order(dict.fromkeys([*found, *typed.diagnostics]))
    rulebook = None
    if typed.game is not None and not has_errors(found) and len(typed.modules) == len(ruleset.modules):
        rulebook, findings = compose(typed.game, typed.modules, options, written=typed.written)
        found += in_order(findings)
    return LoadResult(
        None if has_errors(found) else rulebook,
        found,
        typed.sources,
        typed.clauses,
        typed.file,
        typed.modules,
    )


@dataclass(frozen=True, slots=True)
class TypedResult:
    """A game and modules before they are composed. `game` is None when the game has errors; `modules` are
    those without; `written`: how the ruleset names each."""

    game: TypedGame | None
    modules: tuple[TypedModule, ...]
    written: dict[str, str]
    diagnostics: list[Diagnostic]
    sources: dict[str, Source]
    clauses: dict[str, Clause]
    file: ast.File | None


def type_modules(ruleset: Ruleset, source: Source, *, folder: str, read: Read = read_source) -> TypedResult:
    """The typed game and modules of a ruleset, and the findings of their files."""
    base = load_source(source, ruleset=ruleset.game.name, folder=folder, read=read)
    found = list(base.diagnostics)
    game = typed_game(source, base.file) if base.file is not None and base.rulebook is not None else None
    if game is None:
        return TypedResult(None, (), {}, found, base.sources, base.clauses, base.file)
    library = Library(source, game, folder, posixpath.dirname(source.name), read, ruleset.game.name)
    entries: list[Entry] = []
    for part in ruleset.modules:
        opened = library.open(part.name, is_path=part.is_path)
        if isinstance(opened, Diagnostic):
            found.append(opened)
        elif any(opened.name == entry.name for entry in entries):
            found.append(diagnose("C0226", f"the ruleset names the module '{opened.name}' twice"))
        else:
            entries.append(opened)
    sources, clauses = dict(base.sources), dict(base.clauses)
    modules: list[TypedModule] = []
    for entry in entries:
        module, findings = library.type(entry)
        found += findings
        sources |= {source.name: source for source in (entry.source, *entry.data)}
        clauses |= _module_clauses(library, entry, base.clauses, sources, read, found)
        if module is not None:
            modules.append(module)
    written = {entry.name: entry.written for entry in entries}
    written[game.rulebook.game] = ruleset.game.name
    found = in_order(dict.fromkeys(found))
    return TypedResult(game, tuple(modules), written, found, sources, clauses, base.file)


def all_options(ruleset: Ruleset) -> tuple[dict[str, str], list[Diagnostic]]:
    """The options of all parts: their names are known to all."""
    options: dict[str, str] = {}
    found: list[Diagnostic] = []
    for part in ruleset.parts:
        for name, value in part.options:
            if options.setdefault(name, value) != value:
                found.append(diagnose("C0226", f"the option '{name}' is given two values in '{ruleset}'"))
    return options, found


def _module_clauses(
    library: Library,
    entry: Entry,
    game: Mapping[str, Clause],
    sources: dict[str, Source],
    read: Read,
    found: list[Diagnostic],
) -> dict[str, Clause]:
    """A module's own clauses. It may cite those of the game and of modules that it speaks of too. Where its
    clause file cannot be read, nothing is said about citations."""
    source, own = _read_own_clauses(entry, read, found)
    header = entry.file.header
    if header is None or (header.clauses is not None and source is None):
        return own
    book = library.game.rulebook.game
    others = {book: {**game, **rulings_as_clauses(library.game.file)}}
    for name in spoken_of(entry.file, library.find):
        other = library.entries.get(name)
        if other is not None and other.name != entry.name:
            if name not in library.clauses:
                _, theirs = _read_own_clauses(other, read, [])
                library.clauses[name] = {**theirs, **rulings_as_clauses(other.file)}
            others[name] = library.clauses[name]
    if source is not None:
        sources[source.name] = source
    known = {number: clause for those in others.values() for number, clause in those.items()} | own
    lost = {name for name in spoken_of(entry.file, library.find) if _is_lost(library.entries.get(name))}
    if not any(name.text in lost for name in header.requires):
        found += _citations(entry.source, entry.file, known, own, frozenset(lost))
    found += check_numbers(entry.file, source, own, others)
    return own


def _is_lost(entry: Entry | None) -> bool:
    """Whether a module is not there, or where its clauses lie cannot be read."""
    return entry is None or entry.file.header is None


_checked: dict[tuple[str, str, frozenset[str], frozenset[str], frozenset[str]], list[Diagnostic]] = {}


def _citations(
    source: Source,
    file: ast.File,
    known: Mapping[str, Clause],
    own: Mapping[str, Clause],
    lost: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """Findings about citations; remembered by the file's text and the clauses that there are."""
    key = (source.name, source.text, frozenset(known), frozenset(own), lost)
    if key not in _checked:
        if len(_checked) >= MOST_REMEMBERED:
            _checked.clear()
        _checked[key] = check_clauses(file, known, own, lost)
    return _checked[key]


def _read_own_clauses(
    entry: Entry, read: Read, found: list[Diagnostic]
) -> tuple[Source | None, dict[str, Clause]]:
    """The clause file of a module and its clauses; None where it has none that could be read."""
    header = entry.file.header
    if header is None or header.clauses is None:
        return None, {}
    shown = posixpath.dirname(entry.source.name)
    source = _read_clauses(header.clauses, entry.folder, shown, read, found)
    if source is None:
        return None, {}
    found += check_clause_file(source)
    return source, read_clauses(source.text)


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
    file, found = parsed(source)
    filled = with_data(file, folder, posixpath.dirname(source.name), read)
    file = filled.file
    found += filled.found
    sources |= {data.name: data for data in filled.sources}
    if file.header is not None and file.header.kind == "module":
        found.append(module_alone(file.header, ruleset, folder))
        return LoadResult(None, in_order(found), sources, {}, file)
    rulebook, findings = _typed(source, file, ruleset, options or {})
    found += findings
    clauses: dict[str, Clause] = {}
    header = file.header
    if header is not None and header.clauses is not None:
        shown = posixpath.dirname(source.name)
        clause_source = _read_clauses(header.clauses, folder, shown, read, found)
        if clause_source is not None:
            sources[clause_source.name] = clause_source
            clauses = read_clauses(clause_source.text)
            found += check_clause_file(clause_source)
            found += _citations(source, file, clauses, clauses)
    found = in_order(found)
    return LoadResult(None if has_errors(found) else rulebook, found, sources, clauses, file)


_games: dict[tuple[object, ...], tuple[Rulebook | None, list[Diagnostic]]] = {}


def _typed(
    source: Source, file: ast.File, ruleset: str, options: Mapping[str, str]
) -> tuple[Rulebook | None, list[Diagnostic]]:
    """A game alone, typed; remembered by its text and options."""
    key = (source.name, source.text, file.data, ruleset, *sorted(options.items()))
    if key not in _games:
        if len(_games) >= MOST_REMEMBERED:
            _games.clear()
        _games[key] = from_ast(file, ruleset=ruleset, options=options)
    rulebook, found = _games[key]
    return rulebook, list(found)


def _locate(part: Part) -> tuple[str, str] | Diagnostic:
    """The path of a game's rules and what findings call the file."""
    if part.is_path:
        return part.name, part.name
    path = find_game(part.name)
    if path is not None:
        return str(path), f"rules/{part.name}/{part.name}.rules"
    return no_game(part.name)


def _read_clauses(
    node: ast.StringLit, folder: str, shown: str, read: Read, found: list[Diagnostic]
) -> Source | None:
    return read_beside(node, "the clause file", "C0225", folder, shown, read, found)
