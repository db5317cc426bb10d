"""Nodes are what a frozen dataclass with slots would be."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, fields, is_dataclass, replace

import pytest

from conche.node import node
from conche.span import Span


@node(frozen=True, slots=True)
class Pair:
    """Two things."""

    left: object
    right: object = field(default_factory=tuple)


@node(frozen=True, slots=True)
class Other:
    left: object
    right: object


@node(frozen=True, slots=True)
class One:
    only: object


@node(frozen=True, slots=True)
class Bare:
    pass


@node(frozen=True, slots=True, order=True)
class Place:
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Usual:
    line: int
    column: int = 1


def test_equal_nodes_are_of_one_class_with_equal_fields() -> None:
    assert Pair(1, (One(2),)) == Pair(1, (One(2),))
    assert Pair(1, 2) != Pair(1, 3)
    assert Pair(1, 2) != Other(1, 2)
    assert Pair(1, 2) != (1, 2)
    assert One((1,)) != One(1)
    assert Bare() == Bare()
    assert Pair(1) == Pair(1, ())
    assert {Pair(1, One(2)): "found"}[Pair(1, One(2))] == "found"
    assert len({Pair(1, 2), Pair(1, 2), Pair(2, 1), Bare(), Bare()}) == 3


def test_they_are_dataclasses_with_slots() -> None:
    assert is_dataclass(Pair)
    assert [one.name for one in fields(Pair)] == ["left", "right"]
    assert replace(Pair(1, 2), right=3) == Pair(1, 3)
    assert not hasattr(Pair(1, 2), "__dict__")
    assert pickle.loads(pickle.dumps(Pair(1, Place(2)))) == Pair(1, Place(2))
    match Pair(1, One("x")):
        case Pair(1, One(found)):
            assert found == "x"
        case _:
            raise AssertionError
    assert (Pair.__doc__, One.__doc__) == ("Two things.", "One")


def test_they_show_their_fields() -> None:
    assert repr(Pair("a", (One(2),))) == "Pair(left='a', right=(One(only=2),))"
    assert repr(Bare()) == "Bare()"


def test_places_sort_as_dataclasses_do() -> None:
    numbers = [(2, 1), (1, 9), (1, 2), (2, 1), (0, 0)]
    expected = [(one.line, one.column) for one in sorted(Usual(*two) for two in numbers)]
    assert [(one.line, one.column) for one in sorted(Place(*two) for two in numbers)] == expected
    assert Place(1) <= Place(1) < Place(1, 2)
    assert Place(2) >= Place(2) > Place(1, 2)
    with pytest.raises(TypeError):
        _ = Place(1) < Usual(2)  # type: ignore[operator]
    first, second = Span("a", 0, 1, 1, 1, 1, 2), Span("a", 5, 6, 1, 6, 1, 7)
    assert min(second, first) is first
    assert first.to(second) == Span("a", 0, 6, 1, 1, 1, 7)


def test_what_is_not_to_be_frozen_is_no_node() -> None:
    with pytest.raises(AssertionError):
        node(frozen=False, slots=True)
