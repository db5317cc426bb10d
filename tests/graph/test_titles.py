"""Expressions as people read them: what is shown of a typed expression means what it did."""

from __future__ import annotations

import pytest

from conche.graph.titles import show
from interpret.lab import lab, rulebook

NUMBERS = [
    "(n + 1) * 2",
    "n + 1 * 2",
    "n - (1 - 2)",
    "n - 1 - 2",
    "n / (2 * 3)",
    "-(n + 1)",
    "-n mod 3",
    "sum(p.gold * (n - 1) for p in players where p.gold > 3)",
    "if n > 3 then 1 else 2 + 1",
    "(if n > 3 then 1 else 2) + 1",
]
FLAGS = [
    "(n > 1 or lit) and n < 9",
    "n > 1 or lit and n < 9",
    "not (lit or n > 1)",
    "not lit or n > 1",
    "n is not in picks",
    "picks is not empty",
    "n + 1 is in 1..n - 2",
    "n is in picks + [2]",
]


@pytest.mark.parametrize("text", NUMBERS + FLAGS)
def test_brackets_stand_where_the_meaning_needs_them(text: str) -> None:
    rules = rulebook(lab("set n to 1", f"query asked() = {text}"))
    (case,) = rules.queries["asked"].cases
    shown = show(case.value, rules.seats, 9)
    # Read again it is the same, so no bracket is missing; as it was written, so none is too much.
    (again,) = rulebook(lab("set n to 1", f"query asked() = {shown}")).queries["asked"].cases
    assert show(again.value, rules.seats, 9) == shown
    assert shown == text
