"""What a part of the rules says, by itself: which things it speaks of, which locals it reads.

Input: a node of the rulebook, or a tuple of nodes. Output: its `Said`.
Invariants: nothing in it depends on the rest of the rulebook, so that it is worked out once for a part that
many rulebooks share.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from conche.graph.expressions import touched
from conche.semantics.facts import Facts
from conche.semantics.rulebook import (
    AddTo,
    Chance,
    Choose,
    DropFrom,
    Expr,
    GainPieces,
    Let,
    Lit,
    Local,
    Members,
    Put,
    SetPlace,
    Slot,
    Swap,
    TableEntry,
)
from conche.semantics.types import EnumT, KindT, ListT, Maybe, RingT, SetT, Type
from conche.semantics.walk import walk
from conche.source import Span


@dataclass(frozen=True, slots=True)
class Said:
    """tables: by name. types: enums and pieces that locals, expressions and sets are of. touched: what its
    expressions read, as `graph.expressions.touched` has it. brings: for each kind that comes into a zone, the
    zone, and the kind where the text tells it. read: the locals that are read; being set, added to or dropped
    from is no reading. introduces: the locals that get a name, with what they are called."""

    tables: frozenset[str]
    types: frozenset[str]
    touched: frozenset[str]
    brings: tuple[tuple[str, str | None], ...]
    read: frozenset[Slot]
    introduces: tuple[tuple[str, Slot, Span], ...]


def _said(root: object) -> Said:
    tables: set[str] = set()
    members: set[str] = set()
    types: list[Type] = []
    exprs: list[Expr] = []
    brings: list[tuple[str, str | None]] = []
    reads: Counter[Slot] = Counter()
    introduces: list[tuple[str, Slot, Span]] = []
    for node in walk(root):
        if isinstance(node, Slot):
            types.append(node.type)
            continue
        if isinstance(node, Expr):
            types.append(node.type)
            exprs.append(node)
        match node:
            case Local(slot=slot):
                reads[slot] += 1
            case TableEntry(table=table):
                tables.add(table)
            case Members(of=of):
                members.add(of)
            case SetPlace(target=Local(slot=slot)) | AddTo(target=Local(slot=slot)):
                reads[slot] -= 1
            case DropFrom(target=Local(slot=slot)):
                reads[slot] -= 1
            case Put(items=items, zone=zone):
                brings += [(zone.name, _told(kind)) for _, kind in items]
            case GainPieces(kind=kind, zone=zone) | Swap(new=kind, zone=zone):
                brings.append((zone.name, _told(kind)))
            case Let(slot=slot):
                introduces.append(("name", slot, node.span))
            case Chance(slot=slot):
                introduces.append(("outcome", slot, node.span))
            case Choose(cases=cases):
                binders = [binder for case in cases for binder in case.binders]
                introduces += [("name", binder.slot, binder.span) for binder in binders if binder.hidden]
            case _:
                pass
    return Said(
        frozenset(tables),
        frozenset(members | named_in(types)),
        frozenset(name for name, _ in touched(exprs)),
        tuple(brings),
        frozenset(slot for slot, times in reads.items() if times > 0),
        tuple(introduces),
    )


said = Facts(_said)


def named_in(types: list[Type]) -> set[str]:
    """The enums and pieces that types are of."""
    found: set[str] = set()
    todo = list(types)
    while todo:
        match todo.pop():
            case EnumT(name) | KindT(name):
                found.add(name)
            case Maybe(element) | SetT(element) | ListT(element) | RingT(element=element):
                todo.append(element)
            case _:
                pass
    return found


def _told(kind: Expr) -> str | None:
    return str(kind.value) if isinstance(kind, Lit) else None
