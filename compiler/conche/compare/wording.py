"""What differs without changing play: citations, clauses, rulings, titles, hints; options and who may play.

Purpose: the differences that the canonical form does not hold.
Input: two versions and the pairs of units without a difference. Output: `Found` changes.
Invariant: nothing here changes the course of a game, but for the number of players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from conche.compare.describe import name_of
from conche.compare.found import Found
from conche.compare.model import Kind
from conche.compare.tree_diff import Atom
from conche.semantics import rulebook as rb
from conche.source import Span
from conche.versions.version import Version


def cited(pairs: Iterable[tuple[str, Any, Any]]) -> Iterator[Found]:
    """Units that are the same and cite other clauses. `pairs`: path, old, new."""
    for path, old, new in pairs:
        ours, theirs = tuple(old.cites), tuple(new.cites)
        # What an action cites is what its cases cite.
        if ours != theirs and not isinstance(new, rb.Action):
            what = f"{name_of(new)}: cites {_listed(ours)} → {_listed(theirs)}"
            yield Found(Kind.CLAUSE, path, what, old, new)


def _listed(cites: tuple[str, ...]) -> str:
    return " ".join(f"§{cite}" for cite in cites) or "nothing"


def worded(old: Version, new: Version) -> Iterator[Found]:
    """Clauses, rulings, titles, names of seats, hints for pictures."""
    for about, ours, theirs in (
        ("title", old.rulebook.title, new.rulebook.title),
        ("seats", ", ".join(old.rulebook.seats), ", ".join(new.rulebook.seats)),
    ):
        if ours != theirs and not (about == "title" and _other_modules(old, new)):
            yield Found(Kind.CLAUSE, about, f"{about}: {ours} → {theirs}", None, None)
    if not _other_modules(old, new):
        yield from _rulings(old.rulebook, new.rulebook)
        yield from _hints(old.rulebook, new.rulebook)
    yield from _clauses(old, new)
    texts = (set(old.rulebook.invariants), set(new.rulebook.invariants))
    by_condition = {_bare(one): text for text, one in new.rulebook.invariants.items()}
    for text in sorted(texts[0] - texts[1]):
        other = by_condition.get(_bare(old.rulebook.invariants[text]))
        if other is not None and other not in texts[0]:
            what = f"always: {text} → {other}"
            yield Found(
                Kind.CLAUSE,
                f"always.{other}",
                what,
                old.rulebook.invariants[text],
                new.rulebook.invariants[other],
            )


def _bare(invariant: rb.Invariant) -> str:
    from conche.semantics.canonical import write

    return write(invariant)


def _other_modules(old: Version, new: Version) -> bool:
    """Whether other modules are in play: what they bring of titles, clauses and rulings is no change of
    those."""
    ours, theirs = ([name for name, _ in side.rulebook.versions] for side in (old, new))
    return ours != theirs


def _rulings(old: rb.Rulebook, new: rb.Rulebook) -> Iterator[Found]:
    for id_ in sorted(old.rulings.keys() | new.rulings.keys()):
        ours, theirs = old.rulings.get(id_), new.rulings.get(id_)
        if ours is None or theirs is None or ours.text != theirs.text:
            word = "new" if ours is None else "gone" if theirs is None else "says something else"
            yield Found(Kind.CLAUSE, f"ruling.{id_}", f"ruling §{id_}: {word}", ours, theirs)


def _hints(old: rb.Rulebook, new: rb.Rulebook) -> Iterator[Found]:
    """What is said of how things are shown: all of it is one change."""
    ours, theirs = (tuple(replace(one, span=_NOWHERE) for one in side.hints) for side in (old, new))
    if ours != theirs:
        what = "new" if not ours else "gone" if not theirs else "other ones"
        yield Found(Kind.CLAUSE, "show", f"hints for pictures: {what}", None, None)


_NOWHERE = Span("", 0, 0, 0, 0, 0, 0)


def _natural(id_: str) -> list[tuple[int, str]]:
    """Clauses in the order of their numbers."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.findall(r"\d+|\D+", id_)]


def _clauses(old: Version, new: Version) -> Iterator[Found]:
    for id_ in sorted(old.clauses.keys() | new.clauses.keys(), key=_natural):
        ours, theirs = old.clauses.get(id_), new.clauses.get(id_)
        if ours is None or theirs is None:
            if _other_modules(old, new):
                continue
            word = "new" if ours is None else "gone"
        elif (ours.title, " ".join(ours.text.split())) != (theirs.title, " ".join(theirs.text.split())):
            word = "says something else"
        else:
            continue
        yield Found(Kind.CLAUSE, f"clause.{id_}", f"clause §{id_}: {word}", ours, theirs)


def offered(old: rb.Rulebook, new: rb.Rulebook) -> Iterator[Found]:
    """Options and their values, and for how many the game is."""
    for name in sorted(old.options.keys() | new.options.keys()):
        ours, theirs = old.options.get(name), new.options.get(name)
        if ours is None or theirs is None:
            word = "new" if ours is None else "gone"
            yield Found(Kind.INTERFACE, f"option.{name}", f"option {name}: {word}", ours, theirs)
        elif (ours.values, ours.default) != (theirs.values, theirs.default):
            what = f"option {name}: {_option(ours)} → {_option(theirs)}"
            yield Found(Kind.INTERFACE, f"option.{name}", what, ours, theirs)
    if old.players != new.players:
        atom = Atom(("Rulebook.players",), old.players, new.players)
        ours_text, theirs_text = ("..".join(map(str, side.players)) for side in (old, new))
        yield Found(Kind.SETUP, "players", f"players {ours_text} → {theirs_text}", None, None, (atom,))


def _option(option: rb.Option) -> str:
    return f"{{{', '.join(option.values)}}} = {option.default}"
