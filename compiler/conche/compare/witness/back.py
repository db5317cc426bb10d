"""The old version in the new names of records, and back.

Purpose: both versions play by the same names; a scenario of the old version speaks in its own.
Input: renames, rulebooks. Output: a rulebook whose kinds are called in records as in the new one; facts in
the old names.
Invariants: what was not renamed stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conche.compare.names import Name, Renames
from conche.compare.witness.lockstep import Fact, Path
from conche.compare.witness.model import Move
from conche.semantics import rulebook as rb

_SPACES = ("var", "zone", "board")


class Back:
    """`played`: the old version in the new names."""

    def __init__(self, renames: Renames, old: rb.Rulebook, played: rb.Rulebook) -> None:
        self.names = {Name(name.space, new): name.text for name, new in renames.items()}
        ours = {renames.get(Name("kind", one.name), one.name): one.written for one in _kinds(old)}
        self.written = {one.written: ours[one.name] for one in _kinds(played) if one.name in ours}
        """How the old version's records call a kind, by how the new ones do."""

    def decision(self, name: str) -> str:
        return self._name("decision", name)

    def fact(self, fact: Fact) -> Fact:
        """A fact in the old names. Kinds in it are called as records of the old version call them."""
        path = self._path(fact.path)
        move = None if fact.move is None else self._move(fact.move)
        score = None if fact.score is None else (self._name("score", fact.score[0]), fact.score[1])
        return replace(fact, path=path, old=self._value(fact.old), move=move, score=score)

    def _move(self, move: Move) -> Move:
        args = {
            self._name("argument", f"{move.name}.{key}").rpartition(".")[2]: self._value(value)
            for key, value in move.args.items()
        }
        return Move(move.player, self.decision(move.name), args)

    def _path(self, path: Path) -> Path:
        if not path or not isinstance(path[0], str):
            return path
        first = path[0]
        for space in _SPACES:
            first = self._name(space, first) if first == path[0] else first
        rest = (self._name("space", part) if isinstance(part, str) else part for part in path[1:])
        return (first, *(self._value(part) for part in rest))

    def _value(self, value: Any) -> Any:
        """A value of a record, in which kinds are called otherwise now."""
        match value:
            case str():
                return self.written.get(value, value)
            case list():
                return [self._value(item) for item in value]
            case dict():
                return {self._value(key): self._value(item) for key, item in value.items()}
            case _:
                return value

    def _name(self, space: str, text: str) -> str:
        return self.names.get(Name(space, text), text)


def in_new_records(old: rb.Rulebook, new: rb.Rulebook) -> rb.Rulebook:
    """`old`, which has the new names, with its kinds called in records as in `new`."""
    written = {one.name: one.written for one in _kinds(new)}
    if all(written.get(one.name, one.written) == one.written for one in _kinds(old)):
        return old
    pieces = {
        name: replace(
            piece,
            kinds=tuple(replace(one, written=written.get(one.name, one.written)) for one in piece.kinds),
        )
        for name, piece in old.pieces.items()
    }
    enums = {
        name: replace(
            enum,
            members=tuple(replace(one, written=written.get(one.name, one.written)) for one in enum.members),
        )
        for name, enum in old.enums.items()
    }
    return replace(old, pieces=pieces, enums=enums)


def _kinds(book: rb.Rulebook) -> list[rb.Kind | rb.Member]:
    return [
        *(kind for piece in book.pieces.values() for kind in piece.kinds),
        *(member for enum in book.enums.values() for member in enum.members),
    ]
