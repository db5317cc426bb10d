"""Rebuilding typed trees: copies what changes and shares the rest.

Input: a node of the rulebook, and what becomes of some of its nodes. Output: the node, the same one where
nothing below it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from operator import is_not
from typing import Any, TypeVar, cast

from conche.semantics import rulebook as rb
from conche.semantics.facts import Facts
from conche.semantics.symbols import OPEN_OPTION
from conche.semantics.types import Flag, Int
from conche.semantics.walk import class_fields, getter, walk

N = TypeVar("N")

_LEAVES = (str, int, bool, type(None))


def fields_of(node: object) -> tuple[str, ...]:
    """The fields of a node that may hold nodes."""
    kind: Any = type(node)
    return _fields_of(kind)[0]


@cache
def _fields_of(kind: Any) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    """The names, and what gives the values."""
    names = tuple(name for name in class_fields(kind) or () if name != "cites")
    return names, getter(names)


def rebuild(node: N, change: Callable[[Any], object | None]) -> N:
    """`change` gives what stands for a node instead, or None to go on below it."""
    return cast(N, _rebuild(node, change))


def _rebuild(node: object, change: Callable[[Any], object | None]) -> object:
    if type(node) in _LEAVES:
        return node
    if isinstance(node, tuple):
        items = [_rebuild(item, change) for item in node]
        return tuple(items) if any(map(is_not, items, node)) else node
    if not fields_of(node):
        return node
    found = change(node)
    return with_parts(node, lambda part: _rebuild(part, change)) if found is None else found


def with_parts(node: N, work: Callable[[Any], object]) -> N:
    """The node with each of its parts as `work` gives it."""
    kind: Any = type(node)
    names, values = _fields_of(kind)
    changed: dict[str, object] = {}
    for name, old in zip(names, values(node), strict=True):
        if type(old) in _LEAVES:
            continue
        new = work(old)
        if new is not old:
            changed[name] = new
    return replace(cast(Any, node), **changed) if changed else node


def rename_owners(node: N, owners: Mapping[str, str]) -> N:
    """Locals that belong to another routine now."""

    def change(part: object) -> object | None:
        if isinstance(part, rb.Slot):
            owner = owners.get(part.owner)
            return part if owner is None else rb.Slot(owner, part.number, part.name, part.type)
        return None

    return rebuild(node, change)


def substitute(node: N, slots: Mapping[tuple[str, int], rb.Slot]) -> N:
    """Other locals in place of some."""

    def change(part: object) -> object | None:
        if isinstance(part, rb.Slot):
            return slots.get((part.owner, part.number), part)
        return None

    return rebuild(node, change)


def slots_in(*nodes: object) -> dict[tuple[str, int], rb.Slot]:
    """All locals that are spoken of, in the order of the text."""
    return {
        (part.owner, part.number): part for top in nodes for part in walk(top) if isinstance(part, rb.Slot)
    }


def settle(node: N, options: Mapping[str, str]) -> N:
    """What depends on options, decided."""
    if not _has_options(node):
        return node

    def change(part: object) -> object | None:
        match part:
            case rb.IsKind(rb.GlobalVar(name), (value,)) if name.startswith(OPEN_OPTION):
                return rb.Lit(options[name.removeprefix(OPEN_OPTION)] == value, Flag(), part.span)
            case rb.GlobalVar(name, Int(), span) if name.startswith(OPEN_OPTION):
                number = int(options[name.removeprefix(OPEN_OPTION)])
                return rb.Lit(number, Int(number, number), span)
            case _:
                return None

    return rebuild(_settle_blocks(node, options), change)


def _speaks_of_options(node: object) -> bool:
    return any(isinstance(part, rb.GlobalVar) and part.name.startswith(OPEN_OPTION) for part in walk(node))


_has_options = Facts(_speaks_of_options)


def _counts_players(node: object) -> bool:
    return any(isinstance(part, rb.PlayersLeft) for part in walk(node))


_counts = Facts(_counts_players)


def all_in(node: N) -> N:
    """Where nobody is ever out, those still in are as many as began."""
    if not _counts(node):
        return node

    def change(part: object) -> object | None:
        return rb.PlayerCount(part.type, part.span) if isinstance(part, rb.PlayersLeft) else None

    return rebuild(node, change)


def _settle_blocks(node: N, options: Mapping[str, str]) -> N:
    """`with option o is v` leaves what stands in it, or nothing."""

    def work(part: object) -> object:
        if not isinstance(part, tuple):
            return with_parts(part, work) if fields_of(part) else part
        result: list[object] = []
        for item in part:
            held = _held(item, options)
            if held is None:
                result.append(work(item))
            elif held:
                assert isinstance(item, rb.If)
                inner = work(item.then)
                assert isinstance(inner, tuple)
                result += [replace(stmt, cites=(*stmt.cites, *item.cites)) for stmt in inner]
        same = len(result) == len(part) and all(a is b for a, b in zip(result, part, strict=True))
        return part if same else tuple(result)

    return cast(N, work(node))


def _held(node: object, options: Mapping[str, str]) -> bool | None:
    """Of a `with option` whether it holds; None of all else. (An `if` about an option stands on its own line,
    a `with` covers its whole condition: they differ in where the condition lies.)"""
    match node:
        case rb.If(rb.IsKind(rb.GlobalVar(name), (value,), _, span), _, (), whole) if (
            name.startswith(OPEN_OPTION) and span == whole
        ):
            return options[name.removeprefix(OPEN_OPTION)] == value
        case _:
            return None
