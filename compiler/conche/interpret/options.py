"""The options of a decision, and the moves they are shown as.

Purpose: what may be chosen at a choice. Input: a `Choose`, the position through an evaluator. Output:
options and moves. Invariants: the order is that of the text: case by case, the binders of a case as nested
loops, the first outermost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from conche.interpret.book import Book
from conche.interpret.evaluate import EMPTY, BrokenRuleError, Env, Evaluator, slot_key
from conche.interpret.position import Heap, SlotKey, Value
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import Binder, Case, Choose
from conche.semantics.types import KindT


@dataclass(frozen=True, slots=True)
class Option:
    """The number of its case and the values of that case's binders."""

    case: int
    values: tuple[Value, ...]


class InterpreterMove:
    """A named move. Its arguments are JSON values as in records, but a space or list is a tuple."""

    __slots__ = ("_key", "items", "name")

    def __init__(self, name: str, items: tuple[tuple[str, Any], ...]) -> None:
        self.name = name
        self.items = tuple((arg, _frozen(value)) for arg, value in items)
        self._key = json.dumps([name, dict(self.items)], sort_keys=True)

    @property
    def args(self) -> dict[str, Any]:
        return {arg: _thawed(value) for arg, value in self.items}

    def __getattr__(self, name: str) -> Any:
        """An argument by its name: `move.at`."""
        for arg, value in self.items if name != "items" else ():
            if arg == name:
                return value
        raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InterpreterMove) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{arg}={value!r}' for arg, value in self.items)})"


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def options_of(choose: Choose, evaluator: Evaluator, env: Env = EMPTY) -> list[Option]:
    """All options, in order. Of pieces that carry the same, one stands for all. `env`: whose options, where
    that is not in the position."""
    every = (
        Option(number, values)
        for number, case in enumerate(choose.cases)
        for values in _of_case(case, evaluator, env)
    )
    found = list(islice(every, MANY + 1))
    if len(found) > MANY:
        raise BrokenRuleError(f"'{choose.name}' has more than {MANY} options")
    book = evaluator.book
    if not book.copies:
        return found
    alike: dict[object, Option] = {}
    for number, option in enumerate(found):
        carries = any(isinstance(value, str) and book.carried(value) for value in option.values)
        key = (option.case, move_of(choose, option, evaluator)) if carries else number
        alike.setdefault(key, option)
    return list(alike.values())


def _of_case(case: Case, evaluator: Evaluator, env: Env) -> Iterator[tuple[Value, ...]]:
    """The values of a case's options. What goes wrong is the case's doing."""
    try:
        if case.guard is None or evaluator.flag(case.guard, env):
            yield from _bindings(case, evaluator, env)
    except BrokenRuleError as fault:
        raise BrokenRuleError(fault.message, fault.span or case.span) from None


def passes(choose: Choose, option: Option) -> bool:
    """Whether an option is to pass."""
    return choose.passes and option.case == len(choose.cases) - 1


def _bindings(case: Case, evaluator: Evaluator, env: Env) -> Iterator[tuple[Value, ...]]:
    """All values of the binders for which the late guard holds."""
    for inner, values in _bound(case.binders, evaluator, env):
        if case.late_guard is None or evaluator.flag(case.late_guard, inner):
            yield values


def _bound(
    binders: Sequence[Binder], evaluator: Evaluator, env: Env
) -> Iterator[tuple[Env, tuple[Value, ...]]]:
    """The values of some binders, as the locals that they are and in a row: never listed, there may be
    many."""
    if not binders:
        yield env, ()
        return
    *outer, last = binders
    for inner, values in _bound(outer, evaluator, env):
        options = (
            evaluator.items(last.source, inner)
            if last.source is not None
            else (_value_of(last.value, evaluator, inner),)
        )
        for value in options:
            yield {**inner, slot_key(last.slot): value}, (*values, value)


def _value_of(expr: Any, evaluator: Evaluator, env: Env) -> Value:
    assert expr is not None
    return evaluator.value(expr, env)


def bind(choose: Choose, option: Option) -> dict[SlotKey, Value]:
    """The locals that an option sets."""
    binders = choose.cases[option.case].binders
    return {slot_key(binder.slot): value for binder, value in zip(binders, option.values, strict=True)}


def move_of(choose: Choose, option: Option, evaluator: Evaluator) -> InterpreterMove:
    """How an option is shown: its name, which is the decision's unless the rules say otherwise, and the
    arguments that are not hidden; with a piece that carries others comes what it carries."""
    book, case = evaluator.book, choose.cases[option.case]
    items: list[tuple[str, Any]] = []
    for binder, value in zip(case.binders, option.values, strict=True):
        if binder.hidden:
            continue
        items.append((binder.slot.name, book.to_json(value, binder.slot.type)))
        carried = book.carried(value) if isinstance(value, str) else None
        if carried is not None and isinstance(binder.slot.type, KindT):
            items.append(
                (carried[0].partition(".")[2], contents(book, evaluator.position.heaps[carried], carried))
            )
    return InterpreterMove(case.move or choose.name, tuple(items))


def contents(book: Book, heap: Heap, key: tuple[str, int]) -> dict[str, int]:
    """What is in a zone that a piece carries, by names as in records."""
    of = book.zone(key[0]).of
    return {book.written(of, kind): number for kind, number in book.by_order(of, heap.total()).items()}
