"""Decisions taken argument by argument, on a state made by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from conche_runtime.errors import IllegalMove
from conche_runtime.interface import State
from conche_runtime.moves import ABSENT
from conche_runtime.submoves import NAME, Partial


@dataclass(frozen=True)
class _Move:
    name: str
    items: tuple[tuple[str, Any], ...]

    @property
    def args(self) -> dict[str, Any]:
        return dict(self.items)


class _State:
    """Only what `Partial` looks at."""

    def __init__(self, *moves: tuple[str, dict[str, Any]]) -> None:
        self.moves = [_Move(name, tuple(args.items())) for name, args in moves]

    def legal_moves(self, player: int | None = None) -> list[_Move]:
        return self.moves


def _partial(*moves: tuple[str, dict[str, Any]]) -> Partial:
    return Partial(cast(State, _State(*moves)), 0)


BIDS = [("bid", {"bars": bars, "price": price}) for bars in range(1, 4) for price in range(1, 12 // bars + 1)]


def test_one_argument_after_the_other_and_only_what_is_open() -> None:
    part = _partial(*BIDS)
    assert (part.argument, part.values, part.args) == ("bars", [1, 2, 3], {})
    part.take(2)
    assert (part.argument, part.values, part.args) == ("price", [1, 2, 3, 4], {"bars": 3})
    with pytest.raises(IllegalMove, match="'price' is still to be chosen"):
        _ = part.index
    part.take(1)
    assert (part.argument, part.args) == (None, {"bars": 3, "price": 2})
    assert BIDS[part.index] == ("bid", {"bars": 3, "price": 2})


def test_every_option_is_come_to_in_one_way() -> None:
    moves = [*BIDS, ("loan", {}), ("bid", {"bars": 0, "price": 0}), ("bid", {"bars": True, "price": 0})]
    found = []
    todo: list[list[int]] = [[]]
    while todo:
        taken = todo.pop()
        part = _partial(*moves)
        for number in taken:
            part.take(number)
        if part.argument is None:
            found.append(part.index)
        else:
            todo += [[*taken, number] for number in range(len(part.values))]
    assert sorted(found) == list(range(len(moves)))


def test_names_come_first_and_an_argument_can_be_absent() -> None:
    part = _partial(("staff", {"do": "hire", "category": "rep"}), ("staff", {"do": "done"}), ("loan", {}))
    assert (part.argument, part.values) == (NAME, ["staff", "loan"])
    part.take(0)
    assert (part.argument, part.values) == ("do", ["hire", "done"])
    part = _partial(("go", {"to": 1, "with": "a"}), ("go", {"to": 1}))
    assert (part.argument, part.values, part.args) == ("with", ["a", ABSENT], {"to": 1})
    part.take(1)
    assert part.index == 1


def test_what_cannot_be_chosen() -> None:
    with pytest.raises(IllegalMove, match="nothing is to be chosen"):
        _partial()
    part = _partial(*BIDS)
    with pytest.raises(IllegalMove, match=r"no value 3: they are numbered 0..2"):
        part.take(3)
    part = _partial(("go", {"to": 1}))
    assert (part.argument, part.index) == (None, 0)
    with pytest.raises(IllegalMove):
        part.take(0)
