"""Walking and rebuilding trees of the engine IR.

Input: any node of the IR, or a tuple of such. Output: its nodes, or a changed copy.
Invariants: slots, marks, types and plain values are leaves; what nothing changed in is returned as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import is_not
from typing import Any, TypeVar

from conche.codegen import ir
from conche.semantics import types
from conche.semantics.facts import Facts
from conche.semantics.rulebook import Slot
from conche.semantics.walk import getter

_LEAVES: tuple[type, ...] = (Slot, ir.Mark, *types.Type.__args__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Shape:
    """Of a node class. parts: the fields that can hold nodes. values, backwards: what they hold, in their
    order and in the other. whole: what all fields hold. places: of each part among all fields."""

    parts: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]
    backwards: Callable[[Any], tuple[Any, ...]]
    whole: Callable[[Any], tuple[Any, ...]]
    places: tuple[int, ...]


@cache
def _shape(kind: Any) -> _Shape | None:
    """None for a class of leaves."""
    if issubclass(kind, _LEAVES) or not is_dataclass(kind):
        return None
    names = tuple(field.name for field in fields(kind))
    parts = tuple(name for name in names if name not in ("type", "mark"))
    places = tuple(names.index(name) for name in parts)
    return _Shape(parts, getter(parts), getter(parts[::-1]), getter(names), places)


def node_fields(kind: type) -> tuple[str, ...]:
    """The fields of a node class that can hold nodes; none of a leaf."""
    shape = _shape(kind)
    return () if shape is None else shape.parts


def walk(node: object) -> Iterator[Any]:
    """Every node within, itself first, each before its parts."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
            continue
        kind: Any = type(top)
        shape = _shape(kind)
        if shape is not None:
            yield top
            stack.extend(shape.backwards(top))


def rebuild(node: T, change: Callable[[Any], Any]) -> T:
    """A copy in which `change` has been applied to every node, parts before wholes."""
    return _rebuild(node, change)  # type: ignore[no-any-return]


def _rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, tuple):
        new = [_rebuild(item, change) for item in node]
        return tuple(new) if any(map(is_not, new, node)) else node
    kind: Any = type(node)
    if _shape(kind) is None:
        return node
    return change(rebuild_parts(node, lambda part: _rebuild(part, change)))


def rebuild_parts(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of one node in which `change` has been applied to each field that can hold nodes."""
    kind: Any = type(node)
    shape = _shape(kind)
    if shape is None:
        return node
    old = shape.values(node)
    new = [change(part) for part in old]
    if not any(map(is_not, new, old)):
        return node
    whole = list(shape.whole(node))
    for place, part in zip(shape.places, new, strict=True):
        whole[place] = part
    return kind(*whole)


def without(node: T, unwanted: Callable[[object], bool]) -> T:
    """A copy in which rows of nodes lack those that are unwanted."""

    def change(part: Any) -> Any:
        if isinstance(part, tuple):
            kept = [change(item) for item in part if not unwanted(item)]
            return tuple(kept) if len(kept) != len(part) or any(map(is_not, kept, part)) else part
        return rebuild_parts(part, change) if node_fields(type(part)) else part

    return change(node)  # type: ignore[no-any-return]


def substitute(node: T, values: Mapping[Slot, ir.Expr]) -> T:
    """A copy in which locals are replaced by expressions."""
    if not values:
        return node

    def change(part: Any) -> Any:
        return values.get(part.slot, part) if isinstance(part, ir.Local) else part

    return rebuild(node, change)


def _locals_read(node: object) -> frozenset[Slot]:
    found: set[Slot] = set()
    bound: set[Slot] = set()
    for part in walk(node):
        if isinstance(part, ir.Local):
            found.add(part.slot)
        elif isinstance(part, ir.Fold):
            bound.add(part.slot)
    return frozenset(found - bound)


locals_read = Facts(_locals_read)
"""The locals read in a node, those that folds in it bring left out. (Passes leave most nodes as they are.)"""


def asked(node: object) -> set[str]:
    """The queries asked in a node."""
    return {part.query for part in walk(node) if isinstance(part, ir.Ask)}


def is_simple(expr: ir.Expr) -> bool:
    """Whether to evaluate it twice costs nothing and gives the same."""
    return isinstance(expr, ir.Const | ir.Local | ir.PlayerNumber)


def can_fail(expr: ir.Expr) -> bool:
    """Whether to work it out could be a run-time error, as far as can be seen from it alone."""
    match expr:
        case ir.Const() | ir.Local() | ir.PlayerNumber():
            return False
        case ir.Global(checked=checked):
            return checked
        case ir.Item(checked=checked, index=ir.Local() | ir.Const()):
            return checked
        case _:
            return True


def same(left: object, right: object) -> bool:
    """Whether two nodes mean the same, whatever their types say of ranges."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right) or not node_fields(type(left)):
        return left == right
    return all(same(getattr(left, name), getattr(right, name)) for name in node_fields(type(left)))
