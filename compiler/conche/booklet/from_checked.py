"""Makes the printed rulebook of a ruleset.

Input: a checked ruleset without errors. Output: its `Booklet`.
Invariants: the same booklet in whatever order modules are named; every clause of the parts is in it once, but
those that belong to other combinations.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.booklet.components import drawn_table, kept_tables, start_table, type_tables
from conche.booklet.homes import homes, is_here
from conche.booklet.model import Block, Booklet, Clauses, IndexLine, Paragraph, Rules, Section, SeeAlso
from conche.booklet.outline import (
    ACTIONS,
    ALWAYS,
    COMPONENTS,
    COURSE,
    SETUP,
    TERMS,
    TRIGGERS,
    Place,
    outline,
    plain,
)
from conche.booklet.rule_text import is_empty, rule_texts
from conche.lattice.census import census
from conche.pipeline import Checked
from conche.semantics.rulebook import Rulebook
from conche.traceability.model import Entry, Key, Part, Rule, Traced
from conche.traceability.parts import parts_of
from conche.traceability.rules import rules_of
from conche.traceability.trace import clauses_of, is_below, options_of

RULINGS, FURTHER = "Rulings", "Further clauses"

INTRODUCTIONS = {
    COMPONENTS: "Numbers are of all that the set-up brings into the game, whoever gets it. Where one is given"
    " as “0 to 2”, chance or a choice decides how many of that kind come.",
    SETUP: "The steps below are done in this order, before anybody has a turn.",
    COURSE: "The steps below are done in this order; what stands below a step is done in it, as it says.",
    ACTIONS: "What happens with each kind of piece, whenever a step does such an action.",
    TRIGGERS: "These happen at once, as soon as what they wait for comes about, whoever has the turn.",
    TERMS: "Names that the rules use, and what they stand for, in the order of the alphabet.",
    ALWAYS: "This is true all the time: of pieces that are conserved none comes or goes after the set-up.",
}
"""What a chapter is, for who reads such a rulebook for the first time."""


def booklet_of(checked: Checked, *, brief: bool = False) -> Booklet:
    """The rulebook of just this combination. `brief`: without the text of rules, and without sections that
    have nothing else. CompileError where the rules have errors."""
    graph = checked.must()
    rulebook = graph.rulebook
    parts = parts_of(checked)
    rules = rules_of(parts, graph)
    clauses = clauses_of(parts, rules, (), options_of(rulebook))
    low, high = rulebook.players
    counts = {players: census(graph, players) for players in range(low, high + 1)}
    chapters = outline(parts, rules, rulebook)
    titles = {part.name: "" if part.is_game else part.title for part in parts}
    writer = _Writer(rules, clauses, homes(chapters, rules, clauses), titles, options_of(rulebook), brief)
    for chapter in chapters:
        if chapter.title == COMPONENTS:
            writer.extra[id(chapter)] = [
                *type_tables(rulebook, rules, counts),
                *kept_tables(rules, titles),
            ]
        elif chapter.title == SETUP:
            writer.extra[id(chapter)] = [*start_table(counts), *drawn_table(counts)]
    if brief:
        chapters = [chapter for chapter in chapters if writer.says_more_than_rules(chapter)]
    writer.number(chapters)
    sections = [writer.section(chapter) for chapter in chapters]
    here = [clause for clause in clauses if is_here(clause, rules)]
    rulings = [c for c in here if c.entry.is_ruling]
    further = [c for c in here if not c.entry.is_ruling and c.entry.key not in writer.homes]
    for title, those in ((RULINGS, rulings), (FURTHER, further)):
        if those:
            number = str(len(sections) + 1)
            entries = tuple(clause.entry for clause in those)
            sections.append(Section(number, title, "", (), (Clauses(entries),), ()))
            writer.shown.update({entry.key: number for entry in entries})
    index = [IndexLine(c.entry, writer.shown[c.entry.key]) for c in clauses if c.entry.key in writer.shown]
    return Booklet(
        rulebook.title,
        rulebook.ruleset,
        tuple(_facts(rulebook, parts)),
        tuple(sections),
        tuple(index),
        {part.name: part.title for part in parts},
    )


def _facts(rulebook: Rulebook, parts: Sequence[Part]) -> list[tuple[str, str]]:
    """What stands on the title page."""
    low, high = rulebook.players
    facts = [("Players", str(low) if low == high else f"{low} to {high}")]
    if rulebook.seats:
        facts.append(("Seats", ", ".join(rulebook.seats[:high])))
    facts.append(("In play", ", ".join(f"{part.title} {part.version}".strip() for part in parts)))
    for option in rulebook.options.values():
        others = [plain(value).lower() for value in option.values if value != option.value]
        if option.numbers is not None:
            others = [f"another number from {option.numbers[0]} to {option.numbers[1]}"] if others else []
        instead = f" (or {', '.join(others)})" if others else ""
        facts.append(
            (f"Option {option.name.replace('_', ' ')}", f"{option.value.replace('_', ' ')}{instead}")
        )
    facts.append(("Ruleset", rulebook.ruleset))
    return facts


class _Writer:
    """`shown`: by clause the number of the section where it stands in full. `extra`: further blocks of a
    section, by its place."""

    def __init__(
        self,
        rules: Sequence[Rule],
        clauses: Sequence[Traced],
        homes: dict[Key, Place],
        titles: dict[str, str],
        options: dict[str, str],
        brief: bool,
    ) -> None:
        self.rules = rules
        self.clauses = clauses
        self.homes = homes
        self.titles = titles
        self.options = options
        self.brief = brief
        self.shown: dict[Key, str] = {}
        self.extra: dict[int, list[Block]] = {}
        self.numbers: dict[int, str] = {}
        self.named: dict[str, str] = {}

    def number(self, places: Sequence[Place], above: str = "") -> None:
        """Gives every section its number."""
        for count, place in enumerate(places, 1):
            number = f"{above}.{count}" if above else str(count)
            self.numbers[id(place)] = number
            if place.name:
                self.named[place.name] = number
            self.number(place.places, number)

    def says_more_than_rules(self, place: Place) -> bool:
        """Whether something is left of a section without the text of its rules: clauses, tables, or what
        comes after what. Sections within it of which nothing is left go."""
        place.places = [inner for inner in place.places if self.says_more_than_rules(inner)]
        at_home = any(home is place for home in self.homes.values())
        step = place.name.startswith("step ") or self._in_play(place)
        return bool(place.places) or at_home or id(place) in self.extra or step

    def section(self, place: Place) -> Section:
        number = self.numbers[id(place)]
        own = [c.entry for c in self.clauses if self.homes.get(c.entry.key) is place]
        self.shown.update({entry.key: number for entry in own})
        blocks: list[Block] = []
        if "." not in number and place.title in INTRODUCTIONS:
            blocks.append(Paragraph(INTRODUCTIONS[place.title]))
        blocks += [Clauses(tuple(own))] if own else []
        blocks += self._parts_elsewhere(place, own)
        blocks += self._see_also(place, own)
        blocks += self.extra.get(id(place), [])
        if place.again:
            again = [f"{plain(name).lower()} ({self.named[f'step {name}']})" for name in place.again]
            blocks.append(Paragraph(f"Done here too: {', '.join(again)}."))
        told = [self.rules[number] for number in place.rules if self.rules[number].needs_clause]
        if told and all(is_empty(rule, self.options) for rule in told):
            blocks.append(Paragraph("With these options nothing happens here."))
        texts = () if self.brief else rule_texts(told, self.titles, self.options)
        blocks += [Rules(texts)] if texts else []
        sections = tuple(self.section(inner) for inner in place.places)
        part = "" if number.count(".") == 1 and self._in_play(place) else place.part
        return Section(number, place.title, part, place.when, tuple(blocks), sections)

    def _in_play(self, place: Place) -> bool:
        return any(not self.rules[number].needs_clause for number in place.rules)

    def _parts_elsewhere(self, place: Place, own: Sequence[Entry]) -> list[Block]:
        """Clauses below those that stand here, that stand neither here nor in a section of this one."""
        inside = {id(inner) for inner in place.all()}
        keys = tuple(
            clause.entry.key
            for clause in self.clauses
            if (home := self.homes.get(clause.entry.key)) is not None
            and id(home) not in inside
            and any(entry.key == self._above(clause.entry) for entry in own)
        )
        return [SeeAlso("Parts elsewhere", keys)] if keys else []

    def _above(self, entry: Entry) -> Key | None:
        """The clause that another is a part of."""
        above = [c.entry for c in self.clauses if is_below(entry, c.entry) and c.entry.key in self.homes]
        return max(above, key=lambda one: len(one.id)).key if above else None

    def _see_also(self, place: Place, own: Sequence[Entry]) -> list[Block]:
        """Clauses and rulings that the rules here cite, and that stand elsewhere."""
        here = {entry.key for entry in own}
        cited = {
            cite.clause
            for number in place.rules
            for cite in self.rules[number].cites
            if cite.in_force and cite.clause is not None and cite.clause not in here
        }
        entries = [
            clause.entry
            for clause in self.clauses
            if clause.entry.key in cited and is_here(clause, self.rules)
        ]
        clauses = tuple(entry.key for entry in entries if not entry.is_ruling)
        rulings = tuple(entry.key for entry in entries if entry.is_ruling)
        return [SeeAlso(label, keys) for label, keys in (("See also", clauses), ("Rulings", rulings)) if keys]
