"""Equal subtrees have equal numbers.

Purpose: what the comparison asks all the time: are these two subtrees the same?
Input: nodes of two typed trees. Output: a number for each, the same for trees with the same contents.
Invariants: the contents are those of the canonical form, but a local counts by its name (in a `Scope`, the
new side's names for what the old side calls otherwise) and without the range that typing found for it,
which follows from other places. Numbers are given out once for each content, so two different trees never
share one. No recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass

from conche.semantics import rulebook as rb
from conche.semantics.canonical import contents, write_type
from conche.semantics.types import Int, Type
from conche.semantics.walk import walk

Number = int


class Numbers:
    """Numbers for contents, shared by both sides."""

    def __init__(self) -> None:
        self._known: dict[object, Number] = {}

    def of(self, content: object) -> Number:
        return self._known.setdefault(content, len(self._known))


class Scope:
    """Numbers for the nodes of one side. `names`: by the name of a local here, the name it is known by."""

    def __init__(self, numbers: Numbers, names: Mapping[str, str] | None = None) -> None:
        self._numbers = numbers
        self._names = names or {}
        self._memo: dict[int, Number] = {}
        self._kept: list[object] = []
        """What is numbered must live on, or another object could get its identity."""

    def of(self, root: object) -> Number:
        stack = [root]
        open_parts: dict[int, list[object]] = {}
        while stack:
            top = stack[-1]
            if self._done(top) is not None:
                stack.pop()
                continue
            # Some contents are made on the spot: they must be the same ones when their node comes up again.
            parts = open_parts.setdefault(id(top), self._parts(top))
            waiting = [part for part in parts if self._done(part) is None]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            self._kept.append(open_parts.pop(id(top)))
            kind = type(top).__name__
            content = (kind, *[self._done(part) for part in parts])
            self._memo[id(top)] = self._numbers.of(content)
            self._kept.append(top)
        found = self._done(root)
        assert found is not None
        return found

    def _done(self, node: object) -> Number | None:
        """The number of what is numbered already, or is no tree."""
        if isinstance(node, rb.Slot):
            name = self._names.get(node.name, node.name)
            return self._numbers.of(("local", name, _sort(node.type)))
        if isinstance(node, tuple) or is_dataclass(node):
            return self._memo.get(id(node))
        return self._numbers.of((type(node).__name__, node))

    def _parts(self, node: object) -> list[object]:
        if isinstance(node, tuple):
            return list(node)
        return [value for _, value in parts(node)]


def _sort(type_: Type) -> str:
    return "Int" if isinstance(type_, Int) else write_type(type_)


def parts(node: object) -> list[tuple[str, object]]:
    """The fields of a node that count, with their values."""
    return contents(node)


def subtrees(node: object) -> Iterator[object]:
    """Every node below one, itself first."""
    for part in walk(node):
        if not isinstance(part, rb.Slot):
            yield part


def same_locals(old: object, new: object) -> dict[str, str]:
    """By the name of a local on the new side, its name on the old one: of those that only one side has, the
    first is the first, as long as they have types of one sort."""
    ours, theirs = _locals(old), _locals(new)
    gone = [slot for name, slot in ours.items() if name not in theirs]
    come = [slot for name, slot in theirs.items() if name not in ours]
    found: dict[str, str] = {}
    for slot in come:
        partner = next((other for other in gone if type(other.type) is type(slot.type)), None)
        if partner is not None:
            gone.remove(partner)
            found[slot.name] = partner.name
    return found


def _locals(node: object) -> dict[str, rb.Slot]:
    found: dict[str, rb.Slot] = {}
    for part in walk(node):
        if isinstance(part, rb.Slot):
            found.setdefault(part.name, part)
    return found
