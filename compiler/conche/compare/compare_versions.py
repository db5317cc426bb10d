"""Two versions compared: all steps in their order.

Purpose: what a front end calls. Input: two `Version`s. Output: a `Comparison`, and the matter that the
search for a witness starts from.
Invariants: without changes exactly when nothing differs that a person could read; the versions' canonical
forms differ exactly when some change is no wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from conche.compare.classify import Place, classify, whole
from conche.compare.context import Context
from conche.compare.declarations import Declaration, cites_below, declarations
from conche.compare.describe import name_of
from conche.compare.digests import Numbers, Scope
from conche.compare.finish import finished
from conche.compare.found import Found
from conche.compare.homes import new_homes
from conche.compare.match import Matched, match
from conche.compare.model import Comparison, Kind, Sameness, Side
from conche.compare.renames import found_renames
from conche.compare.texts import text_of
from conche.compare.tree_diff import Atom, Difference, tree_diff, units
from conche.compare.verdicts import proposed_version, worst
from conche.compare.wording import cited, offered, worded
from conche.semantics import rulebook as rb
from conche.semantics.canonical import digest, write
from conche.versions.version import Version


@dataclass(frozen=True, slots=True)
class Compared:
    """`matched.old` is the old rulebook in the new names. `found` belongs to the comparison's changes, one by
    one."""

    comparison: Comparison
    matched: Matched
    found: tuple[Found, ...]
    old: Version
    new: Version

    @property
    def aligned(self) -> Version:
        """The old version in the new names."""
        return (
            self.old
            if self.old.rulebook is self.matched.old
            else replace(self.old, rulebook=self.matched.old)
        )


def compare_versions(old: Version, new: Version) -> Compared:
    """Everything but a witness."""
    equal = old.digest == new.digest
    matched = Matched(old.rulebook, {}) if equal else match(old.rulebook, new.rulebook)
    found = list(_Search(old, new, matched).find())
    if equal:
        sameness = Sameness.EQUAL
    elif digest(written_anew(matched, new.rulebook)) == new.digest:
        sameness = Sameness.RENAMED
    else:
        sameness = Sameness.DIFFERENT
    changes = finished(found, old, new, matched)
    verdicts = worst(changes)
    game = dict(old.rulebook.versions).get(old.rulebook.game, "0.0.0")
    comparison = Comparison(
        _side(old),
        _side(new),
        sameness,
        changes,
        verdicts,
        proposed_version(game, changes, verdicts),
        {id_: clause.title for side in (old, new) for id_, clause in side.clauses.items()},
    )
    return Compared(comparison, matched, tuple(found), old, new)


def _side(version: Version) -> Side:
    book = version.rulebook
    return Side(version.label, book.ruleset, version.digest, book.versions)


class _Search:
    def __init__(self, old: Version, new: Version, matched: Matched) -> None:
        self.versions = (old, new)
        self.matched = matched
        self.ours, self.theirs = declarations(matched.old), declarations(new.rulebook)
        self.contexts = (Context.of(matched.old), Context.of(new.rulebook))
        numbers = Numbers()
        self.scopes = (Scope(numbers), Scope(numbers))
        self.implicit = _implicit(matched, new.rulebook)
        self.same: list[tuple[str, object, object]] = []

    def find(self) -> Iterator[Found]:
        played = self._without_derived(
            [
                *found_renames(self.matched.renames, self.ours, self.theirs),
                *self._carried(_without_runs(list(self._differences()))),
                *offered(self.matched.old, self.versions[1].rulebook),
            ]
        )
        if not played and self.versions[0].digest != self.versions[1].digest:
            played = list(self._unexplained())
        yield from played
        yield from cited(self.same)  # after the differences, which fill it
        yield from worded(*self.versions)

    def _without_derived(self, found: list[Found]) -> list[Found]:
        """In the order of classes, without numbers that typing has worked out from what changed elsewhere
        (`last(p.track)`): the text there is the same."""
        anew = self._set_anew(found)
        kept = [one for one in found if not self._is_derived(one) and one not in anew] or found
        return sorted(kept, key=lambda one: list(Kind).index(one.kind))

    @staticmethod
    def _set_anew(found: list[Found]) -> list[Found]:
        """The statements that `anew` stands for, where that is told of the variable."""
        told = {
            side.span
            for one in found
            if any(atom.field == "Var.anew" for atom in one.atoms)
            for side in (one.old, one.new)
        }
        return [one for one in found if isinstance(one.node, get_args(rb.Stmt)) and one.node.span in told]

    def _is_derived(self, found: Found) -> bool:
        if not found.atoms or any(atom.path[-1:] != ("Lit.value",) for atom in found.atoms):
            return False
        if found.old is None or found.new is None:
            return False
        old, new = self.versions
        return text_of(found.old, old.sources).text == text_of(found.new, new.sources).text != ""

    def _differences(self) -> Iterator[Found]:
        homes = new_homes(self.ours, self.theirs)
        for home in homes:
            place = self._place(home.outer)
            yield from self._changed(_called(self.ours[home.old], home.new), self.theirs[home.new], place)
            for unit in home.around:
                one = whole(unit, home.is_new, place)
                pair = (None, unit) if home.is_new else (unit, None)
                yield Found(one.kind, home.outer, one.what, *pair)
        told = {path for home in homes for path in (home.inner, home.outer)} | self._reworded()
        for path in [*self.theirs, *(path for path in self.ours if path not in self.theirs)]:
            ours, theirs = self.ours.get(path), self.theirs.get(path)
            place = self._place(path)
            if path in told:
                continue
            if ours is not None and theirs is not None:
                yield from self._changed(ours, theirs, place)
            elif ours is None and theirs is not None:
                one = whole(theirs.node, True, place)
                yield Found(one.kind, path, one.what, None, theirs.node, whole=True)
            elif ours is not None:
                one = whole(ours.node, False, place)
                yield Found(one.kind, path, one.what, ours.node, None, whole=True)

    def _carried(self, found: list[Found]) -> list[Found]:
        """Statements that stand in a step now which is new, or did in one that is gone, have moved there or
        from there."""
        homes: dict[tuple[bool, int], str] = {}
        for one in found:
            if one.whole and isinstance(one.node, rb.Step):
                is_new = one.old is None
                for unit in units(one.node):
                    homes.setdefault((is_new, self.scopes[is_new].of(unit)), one.node.name)
        if not homes:
            return found
        return [self._from_home(one, homes) for one in found]

    def _from_home(self, found: Found, homes: Mapping[tuple[bool, int], str]) -> Found:
        is_new = found.old is None
        one_sided = is_new != (found.new is None)
        if found.whole or not one_sided or not isinstance(found.node, get_args(rb.Stmt)):
            return found
        step = homes.get((not is_new, self.scopes[is_new].of(found.node)))
        if step is None:
            return found
        word = f"moved here from step {step}" if is_new else f"moved to step {step}"
        return replace(found, kind=Kind.ORDER, what=f"{name_of(found.node)}: {word}")

    def _reworded(self) -> set[str]:
        """Invariants that say the same in other words."""
        ours, theirs = (
            {write(one.node): path for path, one in side.items() if one.sort == "always"}
            for side in (self.ours, self.theirs)
        )
        return {path for text in ours.keys() & theirs.keys() for path in (ours[text], theirs[text])}

    def _changed(self, ours: Declaration, theirs: Declaration, place: Place) -> Iterator[Found]:
        differences = tree_diff(ours.node, theirs.node, self.implicit)
        heads = (ours.node, theirs.node)
        everywhere = (cites_below(ours.node), cites_below(theirs.node))
        for old, new in differences.same:
            mine, other = set(old.cites), set(new.cites)
            # Where more has changed, a citation may only stand on another line.
            moved = not (mine - everywhere[1]) and not (other - everywhere[0])
            if not differences.differences or ((old, new) != heads and not moved):
                self.same.append((theirs.path, old, new))
        for difference in _readable(ours.node, theirs.node, differences.differences):
            for one in classify(difference, place):
                if self._is_told(one.kind, difference.new):
                    continue
                yield Found(
                    one.kind,
                    theirs.path,
                    one.what,
                    difference.old,
                    difference.new,
                    one.atoms,
                    moved=difference.moved,
                    around=difference.around,
                )

    def _is_told(self, kind: Kind, node: object) -> bool:
        """Whether a difference follows from a rename: the name that a renamed kind has in records."""
        return (
            kind is Kind.RENAME
            and isinstance(node, rb.Kind | rb.Member)
            and node.written == node.name
            and node.name in self.matched.renames.values()
        )

    def _unexplained(self) -> Iterator[Found]:
        """Declarations that the canonical form tells apart, where nothing else was found."""
        for path, theirs in self.theirs.items():
            ours = self.ours.get(path)
            if ours is not None and write(ours.node) != write(theirs.node):
                kind = whole(theirs.node, True, self._place(path)).kind
                yield Found(kind, path, f"{path}: differs", ours.node, theirs.node)

    def _place(self, path: str) -> Place:
        sort = path.partition(".")[0]
        old, new = self.contexts
        scopes = self.scopes
        return Place(path, sort, old, new, lambda a, b: scopes[0].of(a) == scopes[1].of(b))


def _without_runs(found: list[Found]) -> list[Found]:
    """A step that is new, and the statement that runs it, are one change; one that is gone likewise."""
    whole_steps = {one.path for one in found if one.whole and isinstance(one.node, rb.Step)}
    runs: dict[str, list[str]] = {}
    kept = []
    for one in found:
        is_run = isinstance(one.node, rb.Do) and (one.old is None or one.new is None)
        path = f"step.{one.node.step}" if is_run else ""
        if path in whole_steps:
            runs.setdefault(path, []).append(one.path)
        else:
            kept.append(one)
    return [
        _run_by(one, dict.fromkeys(runs[one.path])) if one.path in runs and one.whole else one for one in kept
    ]


def _run_by(found: Found, paths: Iterable[str]) -> Found:
    paths = tuple(paths)
    return replace(found, what=f"{found.what}, run by {', '.join(paths)}", runs_in=paths)


def _called(declaration: Declaration, path: str) -> Declaration:
    """A step by the name of its body's new home."""
    node = declaration.node
    if not isinstance(node, rb.Step):
        return declaration
    return replace(declaration, node=replace(node, name=path.partition(".")[2]))


def _readable(old: object, new: object, differences: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """A query most of whose cases are others is another query, not a list of cases."""
    if isinstance(old, rb.Query) and isinstance(new, rb.Query):
        others = [one for one in differences if one.old is None or one.new is None]
        if len(others) > 2 and 2 * len(others) > len(old.cases) + len(new.cases):
            return (Difference(old, new, (), (Atom(("Query.cases",), old.cases, new.cases),)),)
    return differences


def written_anew(matched: Matched, new: rb.Rulebook) -> rb.Rulebook:
    """The old rulebook with the new names in records too, of kinds that go there by their name."""
    renamed = {text for name, text in matched.renames.items() if name.space == "kind"}
    kinds = [(kind.name, kind.written) for piece in new.pieces.values() for kind in piece.kinds]
    kinds += [(member.name, member.written) for enum in new.enums.values() for member in enum.members]
    plain = {name for name, written in kinds if name in renamed and name == written}
    if not plain:
        return matched.old
    pieces = {
        name: replace(
            piece,
            kinds=tuple(replace(one, written=one.name) if one.name in plain else one for one in piece.kinds),
        )
        for name, piece in matched.old.pieces.items()
    }
    enums = {
        name: replace(
            enum,
            members=tuple(
                replace(one, written=one.name) if one.name in plain else one for one in enum.members
            ),
        )
        for name, enum in matched.old.enums.items()
    }
    return replace(matched.old, pieces=pieces, enums=enums)


def _implicit(matched: Matched, new: rb.Rulebook) -> tuple[frozenset[str], frozenset[str]]:
    """For each side the steps and actions that have a first parameter there which nobody wrote, and which
    the other side does not have."""
    ours, theirs = _routines(matched.old), _routines(new)
    found = (_only_here(ours, theirs), _only_here(theirs, ours))
    renamed = {f"{name.space}.{text}": f"{name.space}.{name.text}" for name, text in matched.renames.items()}
    return found[0] | {renamed[path] for path in found[0] if path in renamed}, found[1]


def _routines(book: rb.Rulebook) -> dict[str, tuple[bool, int]]:
    """Of each step and action: whether nobody wrote its first parameter, and how many it has."""
    steps = {f"step.{one.name}": (one.implicit_you, len(one.params)) for one in book.steps.values()}
    return steps | {
        f"action.{one.name}": (one.implicit_you, len(one.cases[0].params) if one.cases else 0)
        for one in book.actions.values()
    }


def _only_here(
    mine: Mapping[str, tuple[bool, int]], others: Mapping[str, tuple[bool, int]]
) -> frozenset[str]:
    return frozenset(
        path
        for path, (implicit, count) in mine.items()
        if implicit and (path not in others or (not others[path][0] and others[path][1] < count))
    )
