"""Values inside and outside."""

from __future__ import annotations

import json

import pytest

from conche.semantics.rulebook import Rulebook
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)
from conche.semantics.values import from_json, to_json
from semantics.snippets import check

PAIRS: list[tuple[Type, object, object]] = [
    (Flag(), True, True),
    (Int(-3, 3), -3, -3),
    (EnumT("Good"), "cocoa", "cocoa"),
    (KindT("Tile"), "market(3)", "market(3)"),
    (KindT("Worker"), "w2101", "2-1-0-1"),
    (PlayerT(), 3, 3),
    (SideT(), "W", "W"),
    (SpaceT("table"), (-4, 3), [-4, 3]),
    (EdgeT("table"), (0, 0, "N"), [0, 0, "N"]),
    (TextT(), "pile", "pile"),
    (Maybe(PlayerT()), None, None),
    (Maybe(PlayerT()), 1, 1),
    (SetT(SpaceT("table")), ((0, 0), (1, 1)), [[0, 0], [1, 1]]),
    (ListT(KindT("Worker")), ("w2101", "w1111", "w2101"), ["2-1-0-1", "w1111", "2-1-0-1"]),
    (RingT(4, Int(0, 4)), (2, 1, 0, 1), [2, 1, 0, 1]),
]

REFUSED: list[tuple[Type, object, str]] = [
    (Flag(), 1, "expected yes or no, found 1"),
    (Int(0, 3), 4, "expected a number 0..3, found 4"),
    (Int(0, 3), True, "expected a number 0..3, found True"),
    (Int(0, 3), 1.0, "expected a number 0..3, found 1.0"),
    (EnumT("Good"), "coco", "expected a Good, found 'coco': did you mean 'cocoa'?"),
    (KindT("Worker"), "w2101", "expected a kind of Worker, found 'w2101'"),
    (KindT("Tile"), ["water"], "expected a kind of Tile, found ['water']"),
    (PlayerT(), 4, "expected a player, found 4"),
    (PlayerT(), -1, "expected a player, found -1"),
    (SideT(), "NW", "expected a side, found 'NW'"),
    (SideT(), [], "expected a side, found []"),
    (SpaceT("table"), [4, 0], "expected a space of table, found [4, 0]"),
    (SpaceT("table"), [0], "expected a space of table, found [0]"),
    (SpaceT("table"), [0, "0"], "expected a space of table, found [0, '0']"),
    (EdgeT("table"), [0, 0, "X"], "expected an edge of table, found [0, 0, 'X']"),
    (EdgeT("table"), [0, 0, {}], "expected an edge of table, found [0, 0, {}]"),
    (Maybe(PlayerT()), "red", "expected a player, found 'red'"),
    (SetT(Int(0, 3)), [1, 1], "expected a set of numbers 0..3, found [1, 1]"),
    (ListT(Int(0, 3)), {"a": 1}, "expected a list of numbers 0..3, found {'a': 1}"),
    (ListT(Int(0, 3)), [1, 4], "expected a number 0..3, found 4"),
    (TextT(), None, "expected a text, found None"),
]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    rulebook = check("").rulebook
    assert rulebook is not None
    return rulebook


@pytest.mark.parametrize(("type_", "inside", "outside"), PAIRS)
def test_there_and_back(book: Rulebook, type_: Type, inside: object, outside: object) -> None:
    written = to_json(inside, type_, book)
    assert written == outside
    assert from_json(json.loads(json.dumps(written)), type_, book) == inside


@pytest.mark.parametrize(("type_", "value", "text"), REFUSED)
def test_refuses(book: Rulebook, type_: Type, value: object, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        from_json(value, type_, book)
    assert str(error.value).startswith(text)
