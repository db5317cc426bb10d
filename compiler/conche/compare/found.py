"""A change while it is being worked out.

Purpose: the trees behind a change, for the steps between finding it and showing it.
Input: none. Output: `Found`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from conche.compare.declarations import Passage
from conche.compare.model import Kind
from conche.compare.names import Name, names_in, space_of
from conche.compare.tree_diff import Atom, units
from conche.semantics import rulebook as rb
from conche.semantics.canonical import write


@dataclass(frozen=True, slots=True)
class Found:
    """`old`, `new`: the unit on each side (None: not there). `whole`: a declaration that only one side has.
    `renamed_from`: its old name, of a rename. `runs_in`: the declarations that begin or cease to run it."""

    kind: Kind
    path: str
    what: str
    old: Any
    new: Any
    atoms: tuple[Atom, ...] = ()
    whole: bool = False
    moved: bool = False
    renamed_from: str | None = None
    around: tuple[Any, ...] = field(default=())
    runs_in: tuple[str, ...] = ()

    @property
    def node(self) -> Any:
        return self.old if self.new is None else self.new

    @property
    def sort(self) -> str:
        return self.path.partition(".")[0]

    def declares(self) -> Iterator[Name]:
        """The names that this change brings, takes away or gives another form."""
        if self.whole:
            yield Name(space_of(self.sort), self.path.partition(".")[2])
        if self.old is None or self.new is None:
            match self.node:
                case rb.Kind() | rb.Member() as kind:
                    yield Name("kind", kind.name)
                    yield Name("family", kind.family)
                case rb.Var(owner="space") as var:
                    yield Name("space", var.name)
                case _:
                    pass
        if self.kind is Kind.INTERFACE and not self.whole:
            yield Name(space_of(self.sort), self.path.partition(".")[2])

    def bounds(self) -> Iterator[Name]:
        """What has other bounds by this change."""
        if self.kind is Kind.ZONES and self.atoms and self.sort in ("zone", "var", "track"):
            yield Name(space_of(self.sort), self.path.partition(".")[2])

    def mentions(self) -> set[Name]:
        """The names in what differs, and of what is run or asked with other arguments."""
        if self.atoms:
            parts = [part for atom in self.atoms for part in (*self._around(atom), atom.old, atom.new)]
        elif isinstance(self.node, Passage):
            parts = []
        else:
            parts = [self.old, self.new]
        return {name for part in parts for name in names_in(part)}

    def _around(self, atom: Atom) -> Iterator[object]:
        """What a difference stands in, of each side: the unit, or where other units stand in that, its
        field."""
        own = atom.field.partition(".")[2]
        for side in (self.old, self.new):
            if sum(1 for _ in units(side)) == 1:
                yield side
            elif isinstance(side, rb.Case) and own == "binders":
                yield from self._binders(side)
            elif isinstance(getattr(side, own, None), rb.Expr):
                yield getattr(side, own)

    def _binders(self, case: rb.Case) -> Iterator[rb.Binder]:
        """The arguments of a side that the other one does not have so."""
        other = self.old if case is self.new else self.new
        known = {write(binder) for binder in other.binders}
        return (binder for binder in case.binders if write(binder) not in known)

    def cites(self) -> tuple[frozenset[str], frozenset[str]]:
        """The clauses that the old and the new unit cite."""
        return (
            frozenset(getattr(self.old, "cites", ())),
            frozenset(getattr(self.new, "cites", ())),
        )
