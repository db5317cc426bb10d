"""The files of a first draft, and whether they are good.

Input: texts, and what they are added to. Output: `Draft`s; findings.
Invariants: nothing is written; a draft is looked at as if its files lay where they are to lie.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from conche.diagnostics.model import Diagnostic, has_errors
from conche.source import Source, read_source


@dataclass(frozen=True, slots=True)
class Draft:
    """`path`: where the rules file is to lie; the clause file lies beside it."""

    path: str
    rules: str
    clauses: str

    @property
    def clauses_path(self) -> str:
        return clauses_beside(self.path)


def clauses_beside(path: str) -> str:
    """Where the clause file of a rules file lies."""
    return f"{path.removesuffix('.rules')}.clauses.md"


def file_name(path: str) -> str:
    return path.rpartition("/")[2]


def cited(line: str, clause: str) -> str:
    """A line that cites a clause, in its column."""
    return f"{line:<78} §{clause}"


def title_of(name: str) -> str:
    """`lucky_day` → `Lucky Day`"""
    return " ".join(word.capitalize() for word in name.split("_") if word)


def findings(ruleset: str, draft: Draft) -> list[Diagnostic]:
    """What is found in the ruleset, the draft being a part of it; failures of its scenarios too."""
    from conche.graph.from_rulebook import from_rulebook
    from conche.modules.load import load
    from conche.scenarios import run_scenarios
    from conche.validate import validate

    texts = {os.path.normpath(draft.path): draft.rules, os.path.normpath(draft.clauses_path): draft.clauses}

    def read(path: str, name: str) -> Source:
        text = texts.get(os.path.normpath(path))
        return read_source(path, name) if text is None else Source(name, text)

    loaded = load(ruleset, read=read)
    if loaded.rulebook is None or has_errors(loaded.diagnostics):
        return loaded.diagnostics
    graph = from_rulebook(loaded.rulebook)
    found = [*loaded.diagnostics, *validate(graph)]
    if not has_errors(found):
        for result in run_scenarios(graph, loaded.rulebook.scenarios):
            found += result.failures
    return found
