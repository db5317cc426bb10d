"""A slice is the same for the same number, another for another, and in the order of its list."""

from __future__ import annotations

import pytest

import slices


@pytest.fixture(autouse=True)
def _one_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "ALL", False)


def _slice(number: int, size: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(slices, "number", lambda: number)
    return slices.slice_of(range(1000), size)


def test_the_number_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    first = _slice(1, 20, monkeypatch)
    assert first == _slice(1, 20, monkeypatch)
    assert first != _slice(2, 20, monkeypatch)
    assert first == sorted(set(first))
    assert len(first) == 20


def test_a_run_of_everything_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "ALL", True)
    assert _slice(1, 20, monkeypatch) == list(range(1000))


def test_a_short_list_is_taken_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _slice(1, 2000, monkeypatch) == list(range(1000))


def test_the_environment_may_say_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    slices.number.cache_clear()
    monkeypatch.setenv("CONCHE_SLICE", "77")
    assert slices.number() == 77
    slices.number.cache_clear()
