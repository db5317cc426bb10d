"""The printed rulebook as data: a title page and numbered sections.

Input: built by `from_checked`. Output: read by `to_markdown` and `to_html`.
Invariants: all texts are plain, but those of clauses, which are Markdown; nothing here is escaped for any
format. Of every clause that is shown there is one `Clauses` block, its home.
"""

from __future__ import annotations

from dataclasses import dataclass

from conche.traceability.model import Entry, Key


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses in full, in the order of their file."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class SeeAlso:
    """Clauses that the rules here cite, or that are parts of those here, and that stand elsewhere. `label`
    says what they are."""

    label: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Table:
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in the rules language. `part`: the title of the module that says so, empty for the game;
    `note`: what it does to what stands there, for a change."""

    part: str
    note: str
    file: str
    line: int
    last_line: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands in the rules."""
        if self.line == self.last_line:
            return f"{self.file}, line {self.line}"
        return f"{self.file}, from line {self.line} to {self.last_line}"


@dataclass(frozen=True, slots=True)
class Rules:
    rules: tuple[RuleText, ...]


Block = Paragraph | Clauses | SeeAlso | Table | Rules


@dataclass(frozen=True, slots=True)
class Section:
    """`number`: `3.1.2`; `part`: the title of the module that brings it, empty for the game's own; `when`:
    under what it comes, as the rules say it, outermost first."""

    number: str
    title: str
    part: str
    when: tuple[str, ...]
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]

    @property
    def anchor(self) -> str:
        return f"section-{self.number}"


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A clause of the index and the section where it stands."""

    entry: Entry
    section: str


@dataclass(frozen=True, slots=True)
class Booklet:
    """`facts`: lines of the title page, name and value. `parts`: titles by the names of game and modules."""

    title: str
    ruleset: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    index: tuple[IndexLine, ...]
    parts: dict[str, str]
