"""Which section shows which clause in full: its home.

Input: the chapters, the rules, the clauses. Output: by clause its place.
Invariants: a clause that rules in force cite is at home with one of them. First in what is done (steps,
actions, triggers), there where it stands at the head of a rule rather than at one of its lines; else where
scores, then where terms, then where components cite it. One that mostly components cite is at home with them.
What a header cites is about its whole part. A clause that nothing cites is with the clause above it; if nothing
cites that either, with most of the clauses below it. Rulings have a chapter of their own. What belongs to other combinations has no home.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conche.booklet.outline import COMPONENTS, END, IN_PLAY, TERMS, Place
from conche.syntax import ast
from conche.traceability.model import Citation, Key, Rule, Standing, Traced
from conche.traceability.trace import is_below

_LAST = {IN_PLAY: -1, END: 1, TERMS: 2, COMPONENTS: 3}
"""Which chapters come before and after those in which something is done."""


def homes(chapters: Sequence[Place], rules: Sequence[Rule], clauses: Sequence[Traced]) -> dict[Key, Place]:
    """The home of every clause that has one."""
    found: dict[Key, Place] = {}
    chapter_of: dict[int, Place] = {}
    citing: dict[Key, list[tuple[tuple[int, int, int], Place]]] = {}
    order = 0
    for chapter in chapters:
        for place in chapter.all():
            chapter_of[id(place)] = chapter
            order += 1
            for number in place.rules:
                for cite in rules[number].cites:
                    if cite.clause is not None and cite.in_force:
                        rank = (_LAST.get(chapter.title, 0), _depth(rules[number], cite), order)
                        citing.setdefault(cite.clause, []).append((rank, place))
    shown = [
        clause for clause in clauses if not clause.entry.is_ruling and clause.standing != Standing.ELSEWHERE
    ]
    for clause in shown:
        places = citing.get(clause.entry.key, [])
        if places:
            found[clause.entry.key] = _best(places)
    _below(shown, found, chapter_of)
    _above(shown, found)
    return found


def _depth(rule: Rule, cite: Citation) -> int:
    """0 for a citation at the head of a rule, 1 for one further in."""
    heads = () if isinstance(rule.decl, ast.ErrorDecl) else rule.decl.cites
    return 0 if cite.line <= rule.line or any(c.id == cite.id for c in heads) else 1


def _best(places: Sequence[tuple[tuple[int, int, int], Place]]) -> Place:
    components = [pair for pair in places if pair[0][0] == _LAST[COMPONENTS]]
    if len(components) > 2 * (len(places) - len(components)):
        return min(components, key=lambda pair: pair[0])[1]
    return min(places, key=lambda pair: pair[0])[1]


def _below(shown: Sequence[Traced], found: dict[Key, Place], chapter_of: dict[int, Place]) -> None:
    """Clauses that only their parts are cited of: with these, if all are in one section, else at the head of
    the chapter where most of them are."""
    for clause in reversed(shown):
        if clause.entry.key in found:
            continue
        below = [other.entry.key for other in shown if is_below(other.entry, clause.entry)]
        places = [found[key] for key in below if key in found]
        if not places:
            continue
        if all(place is places[0] for place in places):
            found[clause.entry.key] = places[0]
            continue
        chapters = Counter(id(chapter_of[id(place)]) for place in places)
        most = max(chapters.values())
        first = next(place for place in places if chapters[id(chapter_of[id(place)])] == most)
        found[clause.entry.key] = chapter_of[id(first)]


def _above(shown: Sequence[Traced], found: dict[Key, Place]) -> None:
    """Clauses that nothing cites: with the longest number above them."""
    for clause in shown:
        if clause.entry.key in found:
            continue
        above = [o.entry for o in shown if is_below(clause.entry, o.entry) and o.entry.key in found]
        if above:
            found[clause.entry.key] = found[max(above, key=lambda entry: len(entry.id)).key]
