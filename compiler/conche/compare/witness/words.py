"""Moves and values of records in words, as a witness shows them.

Purpose: `one (2, 0), two (0, 2)` rather than `one [2, 0], two [0, 2]`.
Input: an interpreter; moves as in records. Output: texts of one line.
Invariants: kinds are called as records call them, players and spaces as the rules do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conche.interpret import Interpreter
from conche.semantics import rulebook as rb
from conche.semantics.types import Type
from conche.semantics.walk import walk
from conche.why.words import json_text


class Words:
    """For the moves of one version."""

    def __init__(self, engine: Interpreter) -> None:
        self.book = engine.program.book
        self.types = argument_types(self.book.rulebook)

    def arguments(self, name: str, args: Mapping[str, Any]) -> str:
        """The arguments of a decision of that name; of one that is nothing, `no worker`."""
        return ", ".join(
            f"no {arg}" if value is None else f"{arg} {self._value(value, self.types.get((name, arg), ()))}"
            for arg, value in args.items()
        )

    def _value(self, value: Any, types: tuple[Type, ...] | list[Type]) -> str:
        for type_ in types:
            try:
                self.book.from_json(value, type_)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
            return json_text(self.book, value, type_)
        return json_text(self.book, value, None)


def statements(rules: rb.Rulebook) -> list[object]:
    """All parts of all that is done."""
    bodies = (
        rules.setup,
        rules.play,
        *rules.steps.values(),
        *rules.actions.values(),
        *rules.triggers.values(),
    )
    return [part for body in bodies for part in walk(body)]


def argument_types(rules: rb.Rulebook) -> dict[tuple[str, str], list[Type]]:
    """By decision and argument, its types."""
    found: dict[tuple[str, str], list[Type]] = {}
    for part in statements(rules):
        if isinstance(part, rb.Choose):
            for case in part.cases:
                for binder in case.binders:
                    if not binder.hidden:
                        types = found.setdefault((part.name, binder.slot.name), [])
                        if binder.slot.type not in types:
                            types.append(binder.slot.type)
    return found
