"""The rules as people read them: a line of the rules file, its clauses, the module that it is of.

Purpose: turns places in the rules into `Rule`s of an explanation.
Input: a rulebook; its texts, as far as they can be found. Output: `Rule`s.
Invariants: nothing here reads a position. Where a text is not at hand, or is not that of the rules any more,
the line is left empty and clauses have no titles: an explanation never fails for it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cached_property

from conche.graph.titles import show
from conche.resources import data_root
from conche.semantics.clauses import read_clauses
from conche.semantics.rulebook import Expr, Rulebook
from conche.source import Source, SourceError, Span, read_source
from conche_runtime.explanation import Clause, Rule

_DEPTH = 12
"""Expressions nested deeper are cut."""

_LONGEST = 160

_CITES = re.compile(r"\s+((?:§[A-Z]?\d+(?:\.\d+)*[a-z]?\s*)+)$")
_CITE = re.compile(r"§([A-Z]?\d+(?:\.\d+)*[a-z]?)")
_CLAUSE_FILE = re.compile(r'^  clauses "([^"]*)"', re.MULTILINE)


class Texts:
    """Look-ups for one rulebook. `sources`: texts that are known already, by the names that spans have."""

    def __init__(self, rulebook: Rulebook, sources: Mapping[str, Source] | None = None) -> None:
        self.rulebook = rulebook
        self._sources: dict[str, Source | None] = dict(sources or {})
        self._clauses: dict[str, dict[str, str]] = {}
        self._rules: dict[tuple[Span, str, tuple[str, ...]], Rule] = {}

    def expression(self, expr: Expr) -> str:
        """An expression as the rules write it, or close to that."""
        text = show(expr, self.rulebook.seats, _DEPTH)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

    def rule(self, span: Span, path: str, cites: tuple[str, ...] = ()) -> Rule:
        """A place in a declaration; `cites` are the clauses that it cites where its line has none."""
        key = (span, path, cites)
        if key not in self._rules:
            text, own = self._line(span)
            clauses = tuple(Clause(id_, self._title(span.file, id_)) for id_ in dict.fromkeys(own or cites))
            shown = path.removesuffix(".original")  # as a rule that is wrapped is called
            self._rules[key] = Rule(span.file, span.line, shown, self.module(span.file), text, clauses)
        return self._rules[key]

    def module(self, file: str) -> str:
        """The game or module of a file."""
        stem = posixpath.basename(file).removesuffix(".rules")
        return stem if stem in self._names or not self._names else self._declared(file) or stem

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.rulebook.versions)

    def _declared(self, file: str) -> str | None:
        source = self._source(file)
        found = None if source is None else re.search(r"^(?:game|module) (\w+)", source.text, re.MULTILINE)
        return None if found is None else found[1]

    def _line(self, span: Span) -> tuple[str, tuple[str, ...]]:
        """The first line of a place without its citations, and these; those of a place's last line where the
        first has none and the place goes on there."""
        source = self._source(span.file)
        if source is None or source.position(span.start) != (span.line, span.column):
            return "", ()
        line = source.line(span.line)
        cites = _CITES.search(line)
        text = (line[: cites.start()] if cites else line).strip()
        if cites is None and span.end_line > span.line:
            cites = _CITES.search(source.line(span.end_line)) if _is_short(span) else None
        found = tuple(_CITE.findall(cites[1])) if cites else ()
        return (text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"), found

    def _source(self, file: str) -> Source | None:
        if file not in self._sources:
            self._sources[file] = next(
                (found for path in (file, str(data_root() / file)) if (found := _read(path, file))), None
            )
        return self._sources[file]

    def _title(self, file: str, id_: str) -> str:
        """The title of a clause: of the file's own module, of the game, or of any other; else the ruling's
        text."""
        near = [file, self.rulebook.play_span.file, *sorted(self._files)]
        for one in near:
            title = self._clauses_beside(one).get(id_)
            if title:
                return title
        ruling = self.rulebook.rulings.get(id_)
        return "" if ruling is None else ruling.text

    @cached_property
    def _files(self) -> frozenset[str]:
        """The files that modules have changed something from."""
        return frozenset(change.span.file for change in self.rulebook.modified)

    def _clauses_beside(self, file: str) -> dict[str, str]:
        """The titles of the clause file that a rules file names."""
        if file not in self._clauses:
            self._clauses[file] = {}
            source = self._source(file)
            named = None if source is None else _CLAUSE_FILE.search(source.text)
            if named is not None:
                clauses = self._source(posixpath.join(posixpath.dirname(file), named[1]))
                if clauses is not None:
                    found = read_clauses(clauses.text)
                    self._clauses[file] = {clause.id: clause.title for clause in found.values()}
        return self._clauses[file]


def _is_short(span: Span) -> bool:
    return span.end_line - span.line <= 2


def _read(path: str, name: str) -> Source | None:
    try:
        return read_source(path, name)
    except SourceError:
        return None
