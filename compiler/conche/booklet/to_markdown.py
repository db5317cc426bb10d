"""The printed rulebook as Markdown.

Input: a `Booklet`. Output: text that reads well as it stands.
Invariants: names and titles of the rules are escaped, so that they are text and nothing else; of clauses,
which are Markdown, only the HTML is. Rules stand in fences longer than any in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conche.booklet.model import Block, Booklet, Clauses, Paragraph, Rules, RuleText, Section, SeeAlso, Table
from conche.traceability.model import Entry, Key

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|&~]")
_CODE = re.compile(
    r"(^ {0,3}(```+|~~~+).*?^ {0,3}\2[`~]*\s*$|(`+)(?!`).+?(?<!`)\3(?!`))", re.MULTILINE | re.DOTALL
)
"""Fenced blocks and code within a line."""

DEEPEST = 6
"""The lowest level of headings."""


def to_markdown(booklet: Booklet) -> str:
    """The whole rulebook."""
    writer = _Writer(booklet)
    return "\n".join(line.rstrip() for line in writer.lines()).rstrip("\n") + "\n"


def escaped(text: str) -> str:
    """Text on one line that Markdown takes for nothing else."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


class _Writer:
    def __init__(self, booklet: Booklet) -> None:
        self.booklet = booklet
        self.titles = {line.entry.key: line.entry for line in booklet.index}
        self.sections = {line.entry.key: line.section for line in booklet.index}

    def lines(self) -> Iterator[str]:
        yield f"# {escaped(self.booklet.title)}"
        yield ""
        for name, value in self.booklet.facts:
            yield f"- {escaped(name)}: {escaped(value)}"
        yield ""
        yield "## Contents"
        yield ""
        for section in self.booklet.sections:
            yield from self._contents(section, 0)
        yield ""
        for section in self.booklet.sections:
            yield from self._section(section, 2)
        if self.booklet.index:
            yield "## Index of clauses"
            yield ""
            yield "| clause | | section |"
            yield "|---|---|---|"
            for line in self.booklet.index:
                yield f"| {self._id(line.entry.key)} | {escaped(line.entry.title)} | {line.section} |"

    def _contents(self, section: Section, depth: int) -> Iterator[str]:
        yield f"{'  ' * depth}- {section.number} {self._heading(section)}"
        if depth < 2:
            for inner in section.sections:
                yield from self._contents(inner, depth + 1)

    def _heading(self, section: Section) -> str:
        return escaped(section.title) + (f" ({escaped(section.part)})" if section.part else "")

    def _section(self, section: Section, level: int) -> Iterator[str]:
        yield f"{'#' * min(level, DEEPEST)} {section.number} {self._heading(section)}"
        yield ""
        if section.when:
            yield f"*When:* {', '.join(f'`{when}`' for when in section.when)}"
            yield ""
        for block in section.blocks:
            yield from self._block(block)
            yield ""
        for inner in section.sections:
            yield from self._section(inner, level + 1)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph():
                yield escaped(block.text)
            case Clauses():
                for number, entry in enumerate(block.entries):
                    yield from [""] if number else []
                    yield from self._clause(entry)
            case SeeAlso():
                yield f"{block.label}: {', '.join(map(self._reference, block.keys))}."
            case Table():
                yield f"**{escaped(block.caption)}**"
                yield ""
                yield f"| {' | '.join(map(escaped, block.head))} |"
                yield f"|{'---|' * len(block.head)}"
                for row in block.rows:
                    yield f"| {' | '.join(map(escaped, row))} |"
            case Rules():
                for number, rule in enumerate(block.rules):
                    yield from [""] if number else []
                    yield from _rule(rule)

    def _clause(self, entry: Entry) -> Iterator[str]:
        yield f"**{self._id(entry.key)}{' ' if entry.title else ''}{escaped(entry.title)}**"
        if entry.text:
            yield ""
            yield without_html(entry.text)

    def _id(self, key: Key) -> str:
        """The number; with the name of its part where two parts have it."""
        part, id_ = key
        same = sum(other == id_ for _, other in self.titles)
        return f"§{id_}" if same < 2 else f"§{id_} ({escaped(self.booklet.parts[part])})"

    def _reference(self, key: Key) -> str:
        title = self.titles[key].title if key in self.titles else ""
        where = f" ({self.sections[key]})" if key in self.sections else ""
        return f"{self._id(key)} {escaped(title)}".rstrip() + where


def _rule(rule: RuleText) -> Iterator[str]:
    who = " ".join(part for part in (rule.part, rule.note) if part)
    yield f"{escaped(who) or 'Rule'} ({escaped(rule.place)}):"
    yield ""
    longest = max((len(run) for run in re.findall(r"`+", rule.text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}rules"
    yield rule.text
    yield fence


def without_html(text: str) -> str:
    """Markdown in which `<` is a sign like others, but in code, where it is one anyway."""
    parts: list[str] = []
    at = 0
    for found in _CODE.finditer(text):
        parts += [text[at : found.start()].replace("<", "&lt;"), found[0]]
        at = found.end()
    return "".join([*parts, text[at:].replace("<", "&lt;")])
