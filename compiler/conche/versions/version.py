"""A version of a game: its rulebook, with what is needed to show and compare it.

Purpose: the one form that all sources (names, revisions, records, engines) are brought into.
Input: the name of a ruleset, and how its files are read. Output: a `Version`.
Invariants: a version has no errors; one that has some is a `CompileError` with the texts that show them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from conche.diagnostics.model import Diagnostic, has_errors
from conche.modules.library import Library, Read, parsed, typed_game
from conche.modules.load import load_ruleset, open_game
from conche.modules.parse_ruleset import Ruleset
from conche.pipeline import CompileError
from conche.semantics import rulebook as rb
from conche.semantics.canonical import digest
from conche.semantics.clauses import Clause
from conche.semantics.typed_module import TypedModule
from conche.source import Source, read_source

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph


@dataclass
class Version:
    """`label`: how the user called it. `keeps`: what must live as long as the version."""

    label: str
    rulebook: rb.Rulebook
    sources: Mapping[str, Source]
    clauses: Mapping[str, Clause]
    ruleset: Ruleset
    read: Read = read_source
    keeps: list[object] = field(default_factory=list)

    @cached_property
    def modules(self) -> tuple[TypedModule, ...]:
        """All that lie beside the game, in play or not, that have no mistakes."""
        return _modules_beside(self.ruleset, self.read)

    @cached_property
    def digest(self) -> str:
        return digest(self.rulebook)

    @cached_property
    def graph(self) -> ActionGraph:
        from conche.graph.from_rulebook import from_rulebook

        return from_rulebook(self.rulebook)


def load_version(label: str, ruleset: Ruleset, read: Read = read_source) -> Version:
    """The version that a ruleset names. CompileError where its rules have errors."""
    loaded = load_ruleset(ruleset, read=read)
    if loaded.rulebook is None or has_errors(loaded.diagnostics):
        raise CompileError(loaded.diagnostics, loaded.sources)
    return Version(label, loaded.rulebook, loaded.sources, loaded.clauses, ruleset, read)


def _modules_beside(ruleset: Ruleset, read: Read) -> tuple[TypedModule, ...]:
    """The typed modules in the game's folder."""
    opened = open_game(ruleset.game, read)
    if isinstance(opened, Diagnostic):
        return ()
    source, folder = opened
    game = typed_game(source, parsed(source)[0])
    if game is None:
        return ()
    library = Library(source, game, folder, posixpath.dirname(source.name), read)
    found: list[TypedModule] = []
    for name in library.names():
        entry = library.open(name, is_path=False)
        if not isinstance(entry, Diagnostic):
            module, _ = library.type(entry)
            if module is not None:
                found.append(module)
    return tuple(found)
