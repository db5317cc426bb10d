"""The modules of a game: their files, read, parsed and typed once in a process.

Purpose: finds a module by name beside its game, or by path, and types it over the game.
Input: names and paths. Output: `Entry`s: source, file, typed module, findings.
Invariants: what was typed is remembered by the texts it depends on (the module's, the game's, those of the
modules that it speaks of), so that a combination costs no second typing; findings belong to the module's
entry.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.modules.beside import Read as Read
from conche.modules.data import with_data
from conche.modules.naming import no_module
from conche.semantics import typed_module as tm
from conche.semantics.clauses import Clause
from conche.semantics.from_ast import type_game
from conche.semantics.module_from_ast import module_from_ast
from conche.source import Source, SourceError
from conche.syntax import ast
from conche.syntax.from_text import parse

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
MOST_REMEMBERED = 256

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Entry:
    """A module's file. `written`: how the ruleset names it; `folder`: where it lies; `data`: the data files
    that it names."""

    written: str
    source: Source
    folder: str
    file: ast.File
    found: tuple[Diagnostic, ...]
    data: tuple[Source, ...] = ()

    @property
    def name(self) -> str:
        return self.file.header.name.text if self.file.header is not None else self.written


_Key = tuple[str, ...]
_games: OrderedDict[_Key, tm.TypedGame | None] = OrderedDict()
_modules: OrderedDict[_Key, tuple[tm.TypedModule | None, list[Diagnostic]]] = OrderedDict()


_files: OrderedDict[_Key, tuple[ast.File, tuple[Diagnostic, ...]]] = OrderedDict()


def parsed(source: Source, *, scenarios: bool = True) -> tuple[ast.File, list[Diagnostic]]:
    """A file and its findings; remembered by its text."""
    key = (source.name, source.text, *([] if scenarios else ["no scenarios"]))
    known = _files.get(key)
    if known is None:
        file, found = parse(source, scenarios=scenarios)
        known = _remember(_files, key, (file, tuple(found)))
    return known[0], list(known[1])


def declared_in(decls: tuple[ast.Decl, ...]) -> Iterator[ast.Decl]:
    """Declarations and changes, those in `with` blocks too, the blocks themselves among them."""
    for decl in decls:
        yield decl
        if isinstance(decl, ast.WithModules):
            yield from declared_in(decl.decls)


def spoken_of(file: ast.File, find: Callable[[str], ast.File | None]) -> list[str]:
    """The modules that a file speaks of, and those that these require."""
    seen: set[str] = set()
    waiting = [file]
    first = True
    while waiting:
        top = waiting.pop()
        names = [name.text for name in top.header.requires] if top.header is not None else []
        if first:
            for node in declared_in(top.decls):
                if isinstance(node, ast.WithModules):
                    names += [name.text for name, _ in node.modules]
            first = False
        for name in names:
            other = None if name in seen else find(name)
            seen.add(name)
            if other is not None:
                waiting.append(other)
    return sorted(seen)


def _remember(memo: OrderedDict[K, V], key: K, value: V) -> V:
    memo[key] = value
    while len(memo) > MOST_REMEMBERED:
        memo.popitem(last=False)
    return value


def typed_game(source: Source, file: ast.File) -> tm.TypedGame | None:
    """The game as modules see it; None when it has errors."""
    key = (source.name, source.text, *(text for _, text in file.data))
    return _games[key] if key in _games else _remember(_games, key, type_game(file))


@dataclass
class Library:
    """The modules of one game. `folder`, `shown`: where it lies, and how findings call that; `written`: how
    a ruleset names it, where that is known."""

    game_source: Source
    game: tm.TypedGame
    folder: str
    shown: str
    read: Read
    written: str = ""
    entries: dict[str, Entry | None] = field(default_factory=dict)
    clauses: dict[str, dict[str, Clause]] = field(default_factory=dict)
    """Of modules that others speak of, as far as they were read."""
    lost: dict[str, Diagnostic] = field(default_factory=dict)
    """Why modules that others speak of could not be had."""

    def names(self) -> list[str]:
        """The rules files that lie beside the game and may be its modules."""
        try:
            files = os.listdir(self.folder or ".")
        except OSError:
            return []
        found = [name.removesuffix(".rules") for name in files if name.endswith(".rules")]
        return sorted(name for name in found if _NAME.match(name) and name != self.game.rulebook.game)

    def modules(self) -> list[str]:
        """Those of them that are modules of the game, by what their files say."""
        files = {name: self.find(name) for name in self.names()}
        headers = {name: file.header for name, file in files.items() if file is not None}
        game = self.game.rulebook.game
        return [name for name, head in headers.items() if head and head.base and head.base.text == game]

    def open(self, name: str, *, is_path: bool, scenarios: bool = True) -> Entry | Diagnostic:
        """A module by the name or path that a ruleset gives it."""
        if is_path:
            path = shown = name
        else:
            path, shown = (
                os.path.join(self.folder, f"{name}.rules"),
                posixpath.join(self.shown, f"{name}.rules"),
            )
            if not _NAME.match(name) or not Path(path).is_file():
                written = self.written or self.game_source.name
                return no_module(self.game.rulebook.game, written, name, self.modules())
        try:
            source = self.read(path, shown)
        except SourceError as error:
            return error.diagnostic
        file, found = parsed(source, scenarios=scenarios)
        folder = os.path.dirname(path)
        filled = with_data(file, folder, posixpath.dirname(shown), self.read, (self.game.file,))
        file, found = filled.file, [*found, *filled.found]
        entry = Entry(name, source, folder, file, tuple(found), filled.sources)
        header = file.header
        if header is not None and header.kind == "game":
            return diagnose(
                "C0241",
                f"'{shown}' is a game, no module",
                Label(header.name.span),
                help=("a ruleset has one game, named first",),
            )
        if header is not None and not is_path and header.name.text != name:
            return diagnose(
                "C0242",
                f"the file '{shown}' is the module '{header.name.text}', not '{name}'",
                Label(header.name.span),
                help=("name the file as the module in it, or the module as the file",),
            )
        self.entries[entry.name] = entry
        return entry

    def find(self, name: str) -> ast.File | None:
        """The file of a module that others speak of: one of the ruleset, or one beside the game. Of the
        latter nobody asks for the scenarios."""
        if name not in self.entries:
            opened = self.open(name, is_path=False, scenarios=False)
            self.entries[name] = opened if isinstance(opened, Entry) else None
            if isinstance(opened, Diagnostic):
                self.lost[name] = opened
        entry = self.entries[name]
        return None if entry is None else entry.file

    def type(self, entry: Entry) -> tuple[tm.TypedModule | None, list[Diagnostic]]:
        """The typed module, and all findings of its file but those on citations."""
        key = self._key(entry)
        known = _modules.get(key)
        if known is None:
            known = module_from_ast(entry.file, self.game, _Finder(self))
            if not known[1]:  # hints of findings depend on all other modules
                _remember(_modules, key, known)
        module, found = known
        if module is not None and module.file is not entry.file:
            module = replace(module, file=entry.file)
        return (None if entry.found else module), [*entry.found, *found]

    def _key(self, entry: Entry) -> _Key:
        texts = [text for _, text in (*self.game.file.data, *entry.file.data)]
        for name in spoken_of(entry.file, self.find):
            self.find(name)
            other = self.entries.get(name)
            texts += [name, other.source.text if other is not None else ""]
        game = self.game_source
        return (game.name, game.text, entry.source.name, entry.source.text, *texts)


@dataclass(frozen=True, slots=True)
class _Finder:
    """The modules of a library, as typing asks for them."""

    library: Library

    def __call__(self, name: str, /) -> ast.File | None:
        return self.library.find(name)

    def names(self) -> list[str]:
        opened = (name for name, entry in self.library.entries.items() if entry is not None)
        return sorted({*self.library.names(), *opened})

    def why_not(self, name: str) -> Diagnostic | None:
        return self.library.lost.get(name) if self.library.find(name) is None else None
