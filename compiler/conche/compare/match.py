"""What is called otherwise: the renames between two versions.

Purpose: a declaration that only has another name is the same declaration.
Input: two rulebooks. Output: `Renames` from old to new names, and the old rulebook in the new names.
Invariants: a rename joins a name that only the old side uses and one that only the new side does, of one
sort. It is taken where the bodies are equal but for the name, or where the places that use it become equal
by it, or where the bodies are alike enough, or where it is used in the same places in much the same way; the
search is repeated until it finds nothing more, since one rename uncovers others. A name is renamed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from conche.compare.declarations import Declaration, declarations
from conche.compare.digests import Numbers, Scope, subtrees
from conche.compare.names import Name, names_in, renamed, space_of
from conche.semantics import rulebook as rb
from conche.semantics.canonical import write
from conche.semantics.walk import walk

_SLIGHT = frozenset({"zone", "var", "kind", "space", "type", "chance"})
"""Sorts that many things of one form can have: only their use tells them apart."""

_TOLD_BY_USE = frozenset({"zone", "var", "kind"})

_USED = 0.3
"""The share of the places that use a name which must become equal, where the body does not tell."""

_ALIKE = 0.6
"""How alike bodies must be, from 0 to 1, where nothing is equal."""

_FOREIGN = 0.25
"""How alike bodies must be where the places that use them become equal."""

_MOST_PAIRS = 400


@dataclass(frozen=True, slots=True)
class Matched:
    """`old` speaks in the new names, as far as `renames` go."""

    old: rb.Rulebook
    renames: dict[Name, str]


def match(old: rb.Rulebook, new: rb.Rulebook) -> Matched:
    """The renames, and the old rulebook with them."""
    renames: dict[Name, str] = {}
    while True:
        found = _Search(old, new).find()
        if not found:
            return Matched(old, renames)
        renames |= found
        old = rename_rulebook(old, found)


def rename_rulebook(rulebook: rb.Rulebook, renames: Mapping[Name, str]) -> rb.Rulebook:
    """A rulebook with other names, in the order that it then has."""
    changed: dict[str, Any] = {}
    for field in fields(rulebook):
        value: Any = getattr(rulebook, field.name)
        if isinstance(value, dict):
            nodes = [(key, renamed(node, renames)) for key, node in value.items()]
            changed[field.name] = dict(sorted((_key(node, key), node) for key, node in nodes))
        elif isinstance(value, tuple) or is_dataclass(value):
            changed[field.name] = renamed(value, renames)
    return replace(rulebook, **changed)


def _key(node: object, key: str) -> str:
    return node.piece if isinstance(node, rb.Conserve) else getattr(node, "name", key)


class _Search:
    """One round: the renames that these two sides show at once."""

    def __init__(self, old: rb.Rulebook, new: rb.Rulebook) -> None:
        self.old, self.new = declarations(old), declarations(new)
        self.old_users, self.new_users = _users(self.old), _users(self.new)
        self.bodies = (_bodies(self.old), _bodies(self.new))
        self.found: dict[Name, str] = {}

    def find(self) -> dict[Name, str]:
        gone = self._by_space(self.old_users, self.new_users)
        come = self._by_space(self.new_users, self.old_users)
        for space in sorted(gone.keys() & come.keys()):
            self._equal(space, gone[space], come[space])
        for space in sorted(gone.keys() & come.keys()):
            self._by_use(space, gone[space], come[space])
        if not self.found:
            for space in sorted(gone.keys() & come.keys()):
                self._alike(space, gone[space], come[space])
                self._used_alike(space, gone[space], come[space])
        return self.found

    @staticmethod
    def _by_space(ours: Iterable[Name], theirs: Mapping[Name, object]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in sorted(set(ours) - set(theirs)):
            found.setdefault(name.space, []).append(name.text)
        return found

    def _rest(self, space: str, gone: list[str], come: list[str]) -> tuple[list[str], list[str]]:
        """What has no partner yet."""
        taken = {other for name, other in self.found.items() if name.space == space}
        return (
            [name for name in gone if Name(space, name) not in self.found],
            [name for name in come if name not in taken],
        )

    def _take(self, space: str, old: str, new: str) -> None:
        self.found |= self._trial(space, old, new)

    def _trial(self, space: str, old: str, new: str) -> dict[Name, str]:
        """A rename; of a kind with its family, and so with the other kinds of that."""
        trial = {Name(space, old): new}
        ours, theirs = (
            body.get(Name(space, text)) for body, text in zip(self.bodies, (old, new), strict=True)
        )
        if not isinstance(ours, rb.Kind | rb.Member) or not isinstance(theirs, rb.Kind | rb.Member):
            return trial
        if ours.family != theirs.family:
            trial[Name("family", ours.family)] = theirs.family
            new_kinds = {body.values: body for body in self._family(1, theirs.family)}
            for kind in self._family(0, ours.family):
                if kind.values in new_kinds and kind.name != new_kinds[kind.values].name:
                    trial[Name("kind", kind.name)] = new_kinds[kind.values].name
        return trial

    def _family(self, side: int, family: str) -> list[rb.Kind | rb.Member]:
        kinds = [body for body in self.bodies[side].values() if isinstance(body, rb.Kind | rb.Member)]
        return [kind for kind in kinds if kind.family == family]

    def _equal(self, space: str, gone: list[str], come: list[str]) -> None:
        """Bodies that are equal but for the name."""
        texts: dict[str, list[str]] = {}
        for name in come:
            body = self.bodies[1].get(Name(space, name))
            if body is not None:
                texts.setdefault(_nameless(body, Name(space, name)), []).append(name)
        for name in gone:
            body = self.bodies[0].get(Name(space, name))
            others = [] if body is None else texts.get(_nameless(body, Name(space, name)), [])
            others = [other for other in others if _may_be(space, name, other)]
            if space in _SLIGHT:
                others = [other for other in others if self._use(space, name, other) >= _USED]
            if others:
                best = max(others, key=lambda other: (SequenceMatcher(None, name, other).ratio(), other))
                texts[_nameless(body, Name(space, name))].remove(best)
                self._take(space, name, best)

    def _by_use(self, space: str, gone: list[str], come: list[str]) -> None:
        """Names whose users become equal."""
        gone, come = self._rest(space, gone, come)
        if len(gone) * len(come) > _MOST_PAIRS:
            return
        pairs = [
            (old, new)
            for old in gone
            for new in come
            if _may_be(space, old, new) and self._not_foreign(space, old, new)
        ]
        found = [(self._use(space, old, new), old, new) for old, new in pairs]
        for share, old, new in sorted(found, key=lambda one: (-one[0], one[1:])):
            left, right = self._rest(space, gone, come)
            if share >= 0.5 and old in left and new in right:
                self._take(space, old, new)

    def _not_foreign(self, space: str, old: str, new: str) -> bool:
        """Whether two bodies, where there are any, have something in common: a place that did one thing and
        now does another has not renamed what it does."""
        ours, theirs = self.bodies[0].get(Name(space, old)), self.bodies[1].get(Name(space, new))
        if space in _SLIGHT or ours is None or theirs is None:
            return True
        scope = Scope(Numbers())
        counts = [
            _count(scope, renamed(body, {Name(space, name): "·"}))
            for body, name in ((ours, old), (theirs, new))
        ]
        return likeness(counts[0], counts[1]) >= _FOREIGN

    def _use(self, space: str, old: str, new: str) -> float:
        """The share of the declarations that use a name which become equal by its rename."""
        trial = self._trial(space, old, new)
        users = [
            path
            for path in self.old_users[Name(space, old)]
            if path in self.new and write(self.old[path].node) != write(self.new[path].node)
        ]
        if not users:
            return 0.0
        equal = [
            path for path in users if write(renamed(self.old[path].node, trial)) == write(self.new[path].node)
        ]
        return len(equal) / len(users)

    def _alike(self, space: str, gone: list[str], come: list[str]) -> None:
        """Bodies that have most of their parts in common."""
        gone, come = self._rest(space, gone, come)
        if space in _SLIGHT or len(gone) * len(come) > _MOST_PAIRS:
            return
        scope = Scope(Numbers())
        counts: list[dict[str, Counter[int]]] = []
        for bodies, names in zip(self.bodies, (gone, come), strict=True):
            known = {name: bodies.get(Name(space, name)) for name in names}
            counts.append(
                {
                    name: _count(scope, renamed(body, {Name(space, name): "·"}))
                    for name, body in known.items()
                    if body is not None
                }
            )
        found = [
            (likeness(ours, theirs), old, new)
            for old, ours in counts[0].items()
            for new, theirs in counts[1].items()
            if _may_be(space, old, new)
        ]
        for share, old, new in sorted(found, key=lambda one: (-one[0], one[1:])):
            left, right = self._rest(space, gone, come)
            if share >= _ALIKE and old in left and new in right:
                self._take(space, old, new)

    def _used_alike(self, space: str, gone: list[str], come: list[str]) -> None:
        """Of the sorts that only their use tells apart: what is used in the same places in much the same
        way."""
        gone, come = self._rest(space, gone, come)
        if space not in _TOLD_BY_USE or len(gone) * len(come) > _MOST_PAIRS:
            return
        pairs = [(old, new) for old in gone for new in come if self._one_sort(space, old, new)]
        found = [(self._likeness_of_use(space, old, new), old, new) for old, new in pairs]
        for share, old, new in sorted(found, key=lambda one: (-one[0], one[1:])):
            left, right = self._rest(space, gone, come)
            if share >= _ALIKE and old in left and new in right:
                self._take(space, old, new)

    def _one_sort(self, space: str, old: str, new: str) -> bool:
        """Whether two things are declared in the same way, whatever their bounds are."""
        ours: Any = self.bodies[0].get(Name(space, old))
        theirs: Any = self.bodies[1].get(Name(space, new))
        match ours, theirs:
            case (rb.Kind(), rb.Kind()) | (rb.Member(), rb.Member()):
                return len(ours.values) == len(theirs.values)
            case rb.Zone(), rb.Zone():
                return (ours.kind, ours.of, ours.owner) == (theirs.kind, theirs.of, theirs.owner)
            case rb.Var(), rb.Var():
                return bool(ours.owner == theirs.owner and type(ours.type) is type(theirs.type))
            case _:
                return False

    def _likeness_of_use(self, space: str, old: str, new: str) -> float:
        """How alike the places are that use a name, once it is renamed; 0 where one has none on the other
        side, or most of them have none."""
        trial = self._trial(space, old, new)
        used = (self.old_users[Name(space, old)], self.new_users[Name(space, new)])
        here = {path: _relabelled(path, old, new) for path in used[0]}
        shared = [(path, other) for path, other in here.items() if other in used[1]]
        if not shared or len(shared) < _ALIKE * max(map(len, used)):
            return 0.0
        scope = Scope(Numbers())
        shares = [
            likeness(_count(scope, renamed(self.old[path].node, trial)), _count(scope, self.new[other].node))
            for path, other in shared
        ]
        return sum(shares) / len(shares) if min(shares) >= _FOREIGN else 0.0


def _relabelled(path: str, old: str, new: str) -> str:
    """The path of the case of an action that is called by a kind, by its new name."""
    sort, _, rest = path.partition(".")
    action, _, label = rest.partition(".")
    return f"{sort}.{action}.{new}" if sort == "action" and label == old else path


def _may_be(space: str, old: str, new: str) -> bool:
    """An argument stays with its decision."""
    return space != "argument" or old.rpartition(".")[0] == new.rpartition(".")[0]


def likeness(ours: Counter[int], theirs: Counter[int]) -> float:
    """How much two bodies share, from 0 to 1."""
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 0.0


def _count(scope: Scope, body: object) -> Counter[int]:
    return Counter(scope.of(part) for part in subtrees(body))


def _users(found: Mapping[str, Declaration]) -> dict[Name, set[str]]:
    """By name, the declarations that use it."""
    users: dict[Name, set[str]] = {}
    for path, declaration in found.items():
        for name in names_in(declaration.node):
            users.setdefault(name, set()).add(path)
    return users


def _bodies(found: Mapping[str, Declaration]) -> dict[Name, object]:
    """By name, what declares it."""
    bodies: dict[Name, object] = {}
    for declaration in found.values():
        node: Any = declaration.node
        if declaration.name and hasattr(node, "name"):
            bodies[Name(space_of(declaration.sort), declaration.name)] = node
        match node:
            case rb.PieceType():
                bodies |= {Name("kind", kind.name): kind for kind in node.kinds}
            case rb.Enum():
                bodies |= {Name("kind", member.name): member for member in node.members}
            case rb.Board():
                bodies |= {Name("space", var.name): var for var in node.attributes}
            case _:
                for part in walk(node):
                    if isinstance(part, rb.Choose):
                        _add_decision(bodies, part)
    return bodies


def _add_decision(bodies: dict[Name, object], choose: rb.Choose) -> None:
    bodies.setdefault(Name("decision", choose.name), choose)
    for case in choose.cases:
        for binder in case.binders:
            if not binder.hidden:
                bodies.setdefault(Name("argument", f"{choose.name}.{binder.slot.name}"), binder)


def _nameless(body: object, name: Name) -> str:
    """A body without its own name; without that in records too, where it is the same."""
    renames = {name: "·"}
    if isinstance(body, rb.Kind | rb.Member):
        renames[Name("family", body.family)] = "·"
        body = replace(body, written="·") if body.written == body.name else body
    if isinstance(body, rb.Binder):
        body = replace(body, slot=replace(body.slot, name="·"))
    return write(renamed(body, renames))
