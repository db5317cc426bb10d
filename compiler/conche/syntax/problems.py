"""A mistake in a declaration, before it is known where in the file the declaration lies.

Purpose: lets the reading of a declaration be remembered by its text alone.
Input: offsets that count from the beginning of the declaration. Output: a `Diagnostic` of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from conche.diagnostics import Diagnostic, Fix, Label, diagnose
from conche.source import Source


@dataclass(frozen=True, slots=True)
class Mark:
    """A label: from `start` to `end`, and what is said there."""

    start: int
    end: int
    text: str = ""
    primary: bool = True


@dataclass(frozen=True, slots=True)
class Edit:
    """A fix: `replacement` for what stands from `start` to `end`."""

    start: int
    end: int
    replacement: str
    text: str
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Problem:
    """What `Diagnostic` is to a file.

    `known`: a regular expression of what the file says elsewhere, if this is meant: that a type is declared,
    or a step. Where it says no such thing, `instead` is the problem; without one the changes are proposals.
    """

    code: str
    title: str
    marks: tuple[Mark, ...]
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    known: str = ""
    instead: Problem | None = None

    @property
    def start(self) -> int:
        """Where the mistake is."""
        return self.marks[0].start

    def at(self, source: Source, base: int) -> Diagnostic:
        """The diagnostic, for a declaration that begins at offset `base`."""
        if self.known and not re.search(self.known, source.text, re.MULTILINE):
            if self.instead is not None:
                return self.instead.at(source, base)
            unsure = tuple(replace(edit, safe=False) for edit in self.edits)
            return replace(self, known="", edits=unsure).at(source, base)
        return diagnose(
            self.code,
            self.title,
            *(
                Label(source.span(base + mark.start, base + mark.end), mark.text, mark.primary)
                for mark in self.marks
            ),
            notes=self.notes,
            help=self.help,
            fixes=[
                Fix(source.span(base + edit.start, base + edit.end), edit.replacement, edit.text, edit.safe)
                for edit in self.edits
            ],
        )
