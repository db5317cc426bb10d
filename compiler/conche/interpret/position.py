"""A position of a game as plain data: where every piece lies, what every variable holds, and where the
rules stand.

Purpose: the one thing that the interpreter changes; all else is derived from it and the rules.
Input: none. Output: `Position` and its parts, `encode` and `decode` for saves.
Invariants: every value is None, a bool, an int, a str or a tuple of values, so it is hashable and a copy of
a position is a copy of its dictionaries. A space is (x, y), an edge (x, y, side), a list or a set a tuple,
a kind or a member its name. A variable that is not in `variables` is unset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from conche.semantics.intervals import MANY

Value: TypeAlias = "bool | int | str | tuple[Value, ...] | None"
Space: TypeAlias = tuple[int, int]
SlotKey: TypeAlias = tuple[str, int]
"""A local: the path of its owner and its number there."""

GAME = -1
"""Stands for a seat where something is common to all players."""

ALL, NOBODY = -1, 0
"""Who knows a piece, as a number with one bit for each seat: everybody, nobody."""


def knows(mask: int, seat: int) -> bool:
    """Whether a seat is among those who know."""
    return bool(mask >> seat & 1)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a board. `of` is its piece type; owner None where the type is not owned; turn 0 without a
    ring."""

    of: str
    kind: str
    owner: int | None
    turn: int


@dataclass(slots=True)
class Heap:
    """What is in a zone.

    Unordered zones: `counts` alone. A row: `top` alone, first to last. A pile: known pieces on top and at
    the bottom, both listed from the top downwards, and between them `counts`, whose order nobody knows: it
    is not in the position. `top_known`, `bottom_known`: of a pile, who knows each of these pieces.
    """

    counts: dict[str, int] = field(default_factory=dict)
    top: list[str] = field(default_factory=list)
    bottom: list[str] = field(default_factory=list)
    top_known: list[int] = field(default_factory=list)
    bottom_known: list[int] = field(default_factory=list)

    def copy(self) -> Heap:
        return Heap(
            dict(self.counts),
            list(self.top),
            list(self.bottom),
            list(self.top_known),
            list(self.bottom_known),
        )

    @property
    def size(self) -> int:
        return sum(self.counts.values()) + len(self.top) + len(self.bottom)

    def holds(self, kind: str) -> int:
        return self.counts.get(kind, 0) + self.top.count(kind) + self.bottom.count(kind)

    def total(self) -> dict[str, int]:
        """How many of each kind there are, known order or not."""
        out = dict(self.counts)
        for kind in (*self.top, *self.bottom):
            out[kind] = out.get(kind, 0) + 1
        return out

    def add(self, kind: str, number: int = 1) -> None:
        """To the unordered part."""
        if number:
            self.counts[kind] = self.counts.get(kind, 0) + number

    def append(self, kind: str) -> None:
        """To the end of a row."""
        self.top.append(kind)

    def put_on(self, kind: str, known: int) -> None:
        """On top of a pile; `known`: who knows it there."""
        self.top.insert(0, kind)
        self.top_known.insert(0, known)

    def put_under(self, kind: str, known: int) -> None:
        self.bottom.append(kind)
        self.bottom_known.append(known)

    def take_unknown(self, kind: str) -> None:
        """A piece of unknown place."""
        self.counts[kind] -= 1
        if not self.counts[kind]:
            del self.counts[kind]

    def take_first(self) -> tuple[str, int] | None:
        """The topmost piece of a pile and who knows it; None when its place is not known."""
        if self.top:
            return self.top.pop(0), self.top_known.pop(0)
        if not self.counts and self.bottom:
            return self.bottom.pop(0), self.bottom_known.pop(0)
        return None

    def remove(self, kind: str) -> int | None:
        """Takes one piece: of unknown place first, else the topmost known one. None when there is none, else
        who knew it there."""
        if self.counts.get(kind, 0):
            self.take_unknown(kind)
            return NOBODY
        for part, known in ((self.top, self.top_known), (self.bottom, self.bottom_known)):
            if kind in part:
                place = part.index(kind)
                del part[place]
                return known.pop(place) if known else NOBODY
        return None


@dataclass(slots=True)
class Position:
    """All of a game's state.

    node: the id of the graph node that comes next (at a decision: the choice; at the end: the end).
    variables: game and player variables and the markers of tracks, by name and seat; those of kinds by name
    and number of the kind.
    attributes: those of spaces that have been set, by board, name and space.
    heaps: the zones, by name and seat. boards: the stacks, bottom to top, of the spaces that hold pieces.
    locals: by slot. loops: by node, what a loop or a trigger's place still has to go through.
    returns: by routine, the node to go on at after its end.
    draws: by source of chance, how many numbers of its stream are used up; seed None with outside chance.
    out: the seats that have left the game, in the order in which they did.

    Where players choose at once, `node` is the node that enters their loop, and `loops` has at that node for
    each who was asked, in player order, `(seat, number of the case or -1, values)`: -1 as long as he has not
    chosen.
    """

    players: int
    node: str
    seed: int | None = None
    draws: dict[str, int] = field(default_factory=dict)
    variables: dict[tuple[str, int], Value] = field(default_factory=dict)
    attributes: dict[tuple[str, str, Space], Value] = field(default_factory=dict)
    heaps: dict[tuple[str, int], Heap] = field(default_factory=dict)
    boards: dict[str, dict[Space, tuple[Piece, ...]]] = field(default_factory=dict)
    locals: dict[SlotKey, Value] = field(default_factory=dict)
    loops: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    returns: dict[str, str] = field(default_factory=dict)
    out: tuple[int, ...] = ()

    def copy(self) -> Position:
        return Position(
            self.players,
            self.node,
            self.seed,
            dict(self.draws),
            dict(self.variables),
            dict(self.attributes),
            {key: heap.copy() for key, heap in self.heaps.items()},
            {name: dict(board) for name, board in self.boards.items()},
            dict(self.locals),
            dict(self.loops),
            dict(self.returns),
            self.out,
        )

    def still_in(self, start: int = 0) -> tuple[int, ...]:
        """The seats of those still in, from one on and clockwise."""
        seats = ((start + i) % self.players for i in range(self.players))
        return tuple(seat for seat in seats if seat not in self.out)


# -------------------------------------------------------------------------------- saves


def encode(position: Position) -> dict[str, Any]:
    """As JSON, sorted, so that equal positions give equal text."""
    return {
        "players": position.players,
        "node": position.node,
        "seed": position.seed,
        "draws": dict(sorted(position.draws.items())),
        "variables": [[*key, _plain(value)] for key, value in sorted(position.variables.items(), key=_key)],
        "attributes": [
            [board, name, list(space), _plain(value)]
            for (board, name, space), value in sorted(position.attributes.items(), key=_key)
        ],
        "heaps": [
            [
                *key,
                dict(sorted(heap.counts.items())),
                heap.top,
                heap.bottom,
                heap.top_known,
                heap.bottom_known,
            ]
            for key, heap in sorted(position.heaps.items(), key=_key)
        ],
        "boards": {
            name: [
                [list(space), [[piece.of, piece.kind, piece.owner, piece.turn] for piece in stack]]
                for space, stack in sorted(board.items(), key=_key)
            ]
            for name, board in sorted(position.boards.items())
        },
        "locals": [[*key, _plain(value)] for key, value in sorted(position.locals.items(), key=_key)],
        "loops": {node: _plain(rest) for node, rest in sorted(position.loops.items())},
        "returns": dict(sorted(position.returns.items())),
        "out": list(position.out),
    }


def decode(data: Any) -> Position:
    """The position of which `encode` made this. Raises KeyError, TypeError or ValueError for anything
    else."""
    return Position(
        players=_int(data["players"]),
        node=_str(data["node"]),
        seed=None if data["seed"] is None else _int(data["seed"]),
        draws={_str(source): _int(number) for source, number in data["draws"].items()},
        variables={(_str(name), _int(seat)): _value(value) for name, seat, value in data["variables"]},
        attributes={
            (_str(board), _str(name), _space(space)): _value(value)
            for board, name, space, value in data["attributes"]
        },
        heaps={
            (_str(name), _int(seat)): Heap(
                {_str(kind): _pieces(number) for kind, number in counts.items()},
                [_str(kind) for kind in top],
                [_str(kind) for kind in bottom],
                [_int(known) for known in top_known],
                [_int(known) for known in bottom_known],
            )
            for name, seat, counts, top, bottom, top_known, bottom_known in data["heaps"]
        },
        boards={
            _str(name): {
                _space(space): tuple(
                    Piece(_str(of), _str(kind), None if owner is None else _int(owner), _int(turn))
                    for of, kind, owner, turn in stack
                )
                for space, stack in board
            }
            for name, board in data["boards"].items()
        },
        locals={(_str(owner), _int(number)): _value(value) for owner, number, value in data["locals"]},
        loops={_str(node): tuple(_value(value) for value in rest) for node, rest in data["loops"].items()},
        returns={_str(routine): _str(node) for routine, node in data["returns"].items()},
        out=tuple(_int(seat) for seat in data["out"]),
    )


def _key(entry: tuple[Any, Any]) -> Any:
    return entry[0]


def _plain(value: Value) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _value(data: Any) -> Value:
    if isinstance(data, list):
        return tuple(_value(item) for item in data)
    if data is None or isinstance(data, bool | int | str):
        return data
    raise TypeError(f"not a value: {data!r}")


def _int(data: Any) -> int:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise TypeError(f"not a number: {data!r}")


def _pieces(data: Any) -> int:
    if 0 < _int(data) <= MANY:
        return int(data)
    raise ValueError(f"not a number of pieces: {data!r}")


def _str(data: Any) -> str:
    if isinstance(data, str):
        return data
    raise TypeError(f"not a text: {data!r}")


def _space(data: Any) -> Space:
    x, y = data
    return _int(x), _int(y)
