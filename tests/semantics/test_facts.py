"""What is remembered about nodes."""

from __future__ import annotations

import pytest

from conche.semantics import facts
from conche.semantics.facts import Facts
from conche.semantics.types import Int


def test_a_fact_is_found_once_for_a_node_and_again_for_its_equal() -> None:
    asked: list[object] = []

    def find(node: object) -> int:
        asked.append(node)
        return len(asked)

    fact = Facts(find)
    one, same = Int(0, 1), Int(0, 1)
    assert [fact(one), fact(one), fact(same), fact(one)] == [1, 1, 2, 1]
    assert [id(node) for node in asked] == [id(one), id(same)]


def test_nothing_is_mixed_up_and_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MOST", 5)
    fact = Facts(repr)
    for number in range(100):
        # Each is gone before the next one is made, which may get its identity.
        assert fact(Int(0, number)) == f"Int(low=0, high={number})"
    assert len(fact._known) <= 5
