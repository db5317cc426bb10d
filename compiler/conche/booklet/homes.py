"""Which section shows which clause in full: its home.

Input: the chapters, the rules, the clauses. Output: by clause its place.
Invariants: a clause that rules in force cite is at home with one of them. First in the set-up, which is read
first; then in what else is done (play, actions, triggers); else where scores, then where terms, then where
components cite it. Within these, there where it stands at the head of a rule rather than at one of its lines,
and then where it is cited first. One that mostly components cite is at home with them. What several scores
cite, and nothing that is done, stands at the head of their chapter.
What a header cites is about its whole part. One that only terms cite is with the clause above it, or where
none above it is cited with one beside it, that something else cites. A clause that nothing cites is with the
clause above it; if nothing cites that either, with most of the clauses below it. Rulings have a chapter of
their own. What belongs to other combinations has no home.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conche.booklet.outline import COMPONENTS, END, IN_PLAY, SETUP, TERMS, Place
from conche.syntax import ast
from conche.traceability.model import Citation, Entry, Key, Rule, Standing, Traced
from conche.traceability.trace import is_below

_LAST = {IN_PLAY: -2, SETUP: -1, END: 1, TERMS: 2, COMPONENTS: 3}
"""Which chapters come before and after those in which something is done."""


_Cited = tuple[tuple[int, int, int], Place]
"""A section that cites a clause, ranked by chapter, by depth in its rule, and by the order of reading."""


def homes(chapters: Sequence[Place], rules: Sequence[Rule], clauses: Sequence[Traced]) -> dict[Key, Place]:
    """The home of every clause that has one."""
    found: dict[Key, Place] = {}
    chapter_of: dict[int, Place] = {}
    citing: dict[Key, dict[tuple[str, int], _Cited]] = {}
    order = 0
    for chapter in chapters:
        for place in chapter.all():
            chapter_of[id(place)] = chapter
            order += 1
            for number in place.rules:
                for cite in rules[number].cites:
                    if cite.clause is not None and cite.in_force:
                        rank = (_LAST.get(chapter.title, 0), _depth(rules[number], cite), order)
                        # What one line cites for several rules, such as all that a player has, counts once.
                        at = rules[number].file, cite.line
                        citing.setdefault(cite.clause, {}).setdefault(at, (rank, place))
    shown = [clause for clause in clauses if not clause.entry.is_ruling and is_here(clause, rules)]
    for clause in shown:
        places = citing.get(clause.entry.key)
        if places:
            found[clause.entry.key] = _best([*places.values()])
    _over_scores(found, citing, chapter_of)
    _out_of_terms(shown, found, chapter_of)
    _below(shown, found, chapter_of)
    _above(shown, found)
    return found


def is_here(clause: Traced, rules: Sequence[Rule]) -> bool:
    """Whether a clause is one of this combination. That an option is declared does not make it one, where the
    rules that follow it are those of another value."""
    if clause.standing == Standing.ELSEWHERE:
        return False
    only_told = all(isinstance(rules[number].decl, ast.OptionDecl) for number in clause.rules)
    return not (clause.rules and clause.elsewhere and only_told)


def _depth(rule: Rule, cite: Citation) -> int:
    """0 for a citation at the head of a rule, 1 for one further in."""
    heads = () if isinstance(rule.decl, ast.ErrorDecl) else rule.decl.cites
    return 0 if cite.line <= rule.line or any(c.id == cite.id for c in heads) else 1


def _best(places: Sequence[_Cited]) -> Place:
    components = [pair for pair in places if pair[0][0] == _LAST[COMPONENTS]]
    if len(components) > 2 * (len(places) - len(components)):
        return min(components, key=lambda pair: pair[0])[1]
    return min(places, key=lambda pair: pair[0])[1]


def _over_scores(
    found: dict[Key, Place], citing: dict[Key, dict[tuple[str, int], _Cited]], chapter_of: dict[int, Place]
) -> None:
    for key, home in found.items():
        chapter = chapter_of[id(home)]
        if chapter.title == END:
            scores = {id(place) for _, place in citing[key].values() if chapter_of[id(place)] is chapter}
            if len(scores) > 1:
                found[key] = chapter


def _out_of_terms(shown: Sequence[Traced], found: dict[Key, Place], chapter_of: dict[int, Place]) -> None:
    """Moves clauses that only terms cite to what they are about: so that they can be read in one piece."""
    kept = {key for key, place in found.items() if chapter_of[id(place)].title not in (TERMS, IN_PLAY)}
    for number, clause in enumerate(shown):
        key = clause.entry.key
        if key not in found or chapter_of[id(found[key])].title != TERMS:
            continue
        before, after = [one.entry for one in reversed(shown[:number])], [one.entry for one in shown[number:]]
        near = [entry for entry in before if is_below(clause.entry, entry) and entry.key in found]
        if not near:
            near = [entry for entry in (*before, *after) if _beside(entry, clause.entry)]
        home = next((entry.key for entry in near if entry.key in kept), None)
        if home is not None:
            found[key] = found[home]


def _beside(entry: Entry, other: Entry) -> bool:
    """Whether two clauses are parts of one: `1.7a` and `1.7c`."""
    return (
        entry.part == other.part
        and entry.id[-1:].isalpha()
        and other.id[-1:].isalpha()
        and entry.id[:-1] == other.id[:-1]
    )


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
