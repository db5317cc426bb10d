"""Types established again: the ranges of numbers in what modules changed, and in what depends on it.

Purpose: a query that is modified, a type that is extended or a step that is replaced may give other numbers
than the game's own typing knew; this pass works out every range anew, as typing would.
Input: declarations of a composed rulebook. Output: the same with right types, shared where nothing changed;
and findings about numbers without bound and decisions that may now be without an option.
Invariants: on a rulebook as typing left it, this changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from conche.modules.rebuild import fields_of, with_parts
from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.check_choices import always_open
from conche.semantics.check_statements import to_the_limit, wider
from conche.semantics.check_types import join
from conche.semantics.check_values import element_of
from conche.semantics.symbols import Globals
from conche.semantics.type_of import type_of
from conche.semantics.types import ErrorT, Int, ListT, SetT, Type

N = TypeVar("N")

Report = Callable[[str, str, object], None]
"""Reports a code and a title about a node."""

_ROUNDS_BEFORE_WIDENING = 3


class Retype:
    """`globals_` has the composed types, board, zones and players; `query_types` grows as queries are
    typed."""

    def __init__(self, globals_: Globals, report: Report) -> None:
        self.globals = globals_
        self.report = report
        self.slots: dict[tuple[str, int], Type] = {}
        self.widened: dict[tuple[str, int], Type] = {}
        self.growth: dict[tuple[str, int], Type] = {}
        self.lets: set[tuple[str, int]] = set()

    def body(self, node: N) -> N:
        """A declaration or a part of one, whose locals are its own."""
        self.widened.clear()
        for attempt in range(20):
            self.slots.clear()
            self.growth.clear()
            self.lets.clear()
            result = self._node(node)
            if not self.growth:
                break
            for key, grown in self.growth.items():
                known = self.widened.get(key, grown)
                if attempt >= _ROUNDS_BEFORE_WIDENING:
                    grown = to_the_limit(known, grown)
                self.widened[key] = join(known, grown) or known
        return cast(N, result)

    def query(self, node: rb.Query) -> rb.Query:
        """A query, whose type is that of its answers."""
        typed = self.body(node)
        type_: Type = ErrorT()
        for case in typed.cases:
            type_ = join(type_, case.value.type) or type_
        self.globals.query_types[node.name] = type_
        return typed if typed.type == type_ else replace(typed, type=type_)

    def _node(self, node: Any) -> Any:
        match node:
            case tuple():
                items = [self._node(item) for item in node]
                return node if all(a is b for a, b in zip(items, node, strict=True)) else tuple(items)
            case rb.Slot():
                type_ = self.slots.get((node.owner, node.number), node.type)
                return node if type_ is node.type or type_ == node.type else replace(node, type=type_)
            case rb.Fold():
                return self._fold(node)
            case rb.Sorted():
                source = self._node(node.source)
                self._bind(node.slot, element_of(source.type))
                return self._fixed(self._with(node, source=source))
            case rb.Let():
                return self._let(node)
            case rb.ForEach() | rb.Chance():
                source = self._node(node.source)
                self._bind(node.slot, element_of(source.type))
                return self._with(node, source=source)
            case rb.Binder():
                return self._binder(node)
            case rb.Choose():
                return self._choose(with_parts(node, self._node))
            case rb.SetPlace(target, _):
                typed = with_parts(node, self._node)
                self._grow(target, typed.value.type)
                return typed
            case rb.AddTo(_, target):
                added = with_parts(node, self._node)
                held = added.value.type
                self._grow(target, SetT(held) if isinstance(added.target.type, SetT) else ListT(held))
                return added
        if not fields_of(node):
            return self._fixed(node)
        return self._fixed(with_parts(node, self._node))

    def _with(self, node: N, **known: object) -> N:
        """The node with some parts as they are known, and the others typed."""
        changed = {name: part for name, part in known.items() if part is not getattr(node, name)}
        for name in fields_of(node):
            if name not in known:
                old = getattr(node, name)
                new = self._node(old)
                if new is not old:
                    changed[name] = new
        return cast(N, replace(cast(Any, node), **changed)) if changed else node

    def _bind(self, slot: rb.Slot, type_: Type | None) -> None:
        if type_ is not None and not isinstance(type_, ErrorT):
            self.slots[slot.owner, slot.number] = type_

    # ------------------------------------------------------------------------------------------ statements

    def _let(self, node: rb.Let) -> rb.Let:
        value = self._node(node.value)
        key = (node.slot.owner, node.slot.number)
        type_ = value.type
        if key in self.widened:
            type_ = join(type_, self.widened[key]) or type_
        self.lets.add(key)
        self._bind(node.slot, type_)
        return self._with(node, value=value)

    def _grow(self, target: rb.Place, value: Type) -> None:
        if not isinstance(target, rb.Local):
            return
        key = (target.slot.owner, target.slot.number)
        if key not in self.lets:
            return
        known = self.slots.get(key, target.type)
        reach = wider(known, value)
        if reach is not None and reach != known:
            self.growth[key] = join(self.growth.get(key, reach), reach) or reach

    def _binder(self, node: rb.Binder) -> rb.Binder:
        source, value = self._node(node.source), self._node(node.value)
        type_ = element_of(source.type) if source is not None else value.type if value is not None else None
        self._bind(node.slot, type_)
        return self._with(node, source=source, value=value)

    def _choose(self, node: rb.Choose) -> rb.Choose:
        sure = any(always_open(self.globals, case) for case in node.cases) or (node.sure and _in_order(node))
        if sure == node.sure:
            return node
        if not sure and node.none is None and not node.always and not self.growth:
            self.report(
                "C0213", f"'{node.name}' may now be without an option, and says nothing about that", node
            )
        return replace(node, sure=sure)

    # ----------------------------------------------------------------------------------------- expressions

    def _fold(self, node: rb.Fold) -> rb.Fold:
        source = self._node(node.source)
        self._bind(node.slot, element_of(source.type))
        typed = self._with(node, source=source)
        return cast(rb.Fold, self._fixed(typed))

    def _retyped(self, node: N, type_: Type | None) -> N:
        known = cast(Any, node).type
        if type_ is None or isinstance(type_, ErrorT) or type_ == known:
            return node
        if isinstance(type_, Int) and intervals.too_large(type_):
            self.report("C0232", "this number can now grow beyond 2^53", node)
            type_ = intervals.clamp(type_)
        return cast(N, replace(cast(Any, node), type=type_))

    def _fixed(self, node: Any) -> Any:
        """A node whose parts are right with the right type."""
        return self._retyped(node, type_of(self.globals, node)) if isinstance(node, rb.Expr) else node


def _in_order(node: rb.Choose) -> bool:
    """Whether it is a loop in chosen order, which ends when nothing is left: there is always an option."""
    if len(node.cases) != 1 or len(node.cases[0].binders) != 1 or not node.cases[0].body:
        return False
    first, source = node.cases[0].body[0], node.cases[0].binders[0].source
    if isinstance(source, rb.Fold) and source.body is None and source.where is None:
        source = source.source  # the different elements of a list
    return isinstance(first, rb.DropFrom) and isinstance(source, rb.Local) and first.target == source
