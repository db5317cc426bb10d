"""Walking and rebuilding trees of the engine IR.

Input: any node of the IR, or a tuple of such. Output: its nodes, or a changed copy.
Invariants: slots, marks, types and plain values are leaves; what nothing changed in is returned as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from conche.codegen import ir
from conche.semantics import types
from conche.semantics.rulebook import Slot

_LEAVES: tuple[type, ...] = (Slot, ir.Mark, *types.Type.__args__)
T = TypeVar("T")


_FIELDS: dict[type, tuple[str, ...]] = {}


def node_fields(kind: type) -> tuple[str, ...]:
    """The fields of a node class that can hold nodes; none of a leaf."""
    found = _FIELDS.get(kind)
    if found is None:
        names = fields(kind) if is_dataclass(kind) and not issubclass(kind, _LEAVES) else ()
        found = tuple(field.name for field in names if field.name not in ("type", "mark"))
        _FIELDS[kind] = found
    return found


def walk(node: object) -> Iterator[Any]:
    """Every node within, itself first, each before its parts."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
        elif is_dataclass(top) and not isinstance(top, _LEAVES):
            yield top
            stack.extend(getattr(top, name) for name in reversed(node_fields(type(top))))


def rebuild(node: T, change: Callable[[Any], Any]) -> T:
    """A copy in which `change` has been applied to every node, parts before wholes."""
    return _rebuild(node, change)  # type: ignore[no-any-return]


def _rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, tuple):
        new = tuple(_rebuild(item, change) for item in node)
        return new if any(a is not b for a, b in zip(new, node, strict=True)) else node
    if not is_dataclass(node) or isinstance(node, _LEAVES):
        return node
    return change(rebuild_parts(node, lambda part: _rebuild(part, change)))


def rebuild_parts(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of one node in which `change` has been applied to each field that can hold nodes."""
    names = node_fields(type(node))
    old = [getattr(node, name) for name in names]
    new = [change(part) for part in old]
    if all(a is b for a, b in zip(old, new, strict=True)):
        return node
    values = {field.name: getattr(node, field.name) for field in fields(node)}
    values.update(zip(names, new, strict=True))
    return type(node)(**values)


def substitute(node: T, values: Mapping[Slot, ir.Expr]) -> T:
    """A copy in which locals are replaced by expressions."""
    if not values:
        return node

    def change(part: Any) -> Any:
        return values.get(part.slot, part) if isinstance(part, ir.Local) else part

    return rebuild(node, change)


def locals_read(node: object) -> set[Slot]:
    """The locals read in a node, those that folds in it bring left out."""
    found: set[Slot] = set()
    bound: set[Slot] = set()
    for part in walk(node):
        if isinstance(part, ir.Local):
            found.add(part.slot)
        elif isinstance(part, ir.Fold):
            bound.add(part.slot)
    return found - bound


def asked(node: object) -> set[str]:
    """The queries asked in a node."""
    return {part.query for part in walk(node) if isinstance(part, ir.Ask)}


def is_simple(expr: ir.Expr) -> bool:
    """Whether to evaluate it twice costs nothing and gives the same."""
    return isinstance(expr, ir.Const | ir.Local | ir.PlayerNumber)


def same(left: object, right: object) -> bool:
    """Whether two nodes mean the same, whatever their types say of ranges."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right) or not node_fields(type(left)):
        return left == right
    return all(same(getattr(left, name), getattr(right, name)) for name in node_fields(type(left)))
