"""What a picture of a game needs to know of its rules.

Purpose: one record of facts and hints, made from the rulebook (`looks_of`), kept with the engine, read by
whoever shows a position or a move. Input and output: itself as JSON. Invariants: plain data; nothing of it
decides what happens in a game; an empty record is good for every game, only plainer. All texts of it are
free of control characters. Order: kinds as declared, types by name; the rest by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Ring:
    """An attribute with a number for each side of a piece, E S W N as printed."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KindLooks:
    """A kind of piece or a member of an enum. `sign`: its short name, of its own among all of the game; a
    person may type it, too. `family`: the variant, `market` of `market(2)`. `attributes`: as declared,
    rings apart. `color`: "" where the rules hint at none."""

    of: str
    family: str
    sign: str
    label: str
    rings: tuple[Ring, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    color: str = ""


@dataclass(frozen=True, slots=True)
class ZoneLooks:
    """kind: pile, row, hand, store, bag, pool. owner: game, player, or the family that carries one each."""

    kind: str
    owner: str
    of: str
    visibility: str
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class VariableLooks:
    """A variable, or a track (then `fields` is what is printed on it). owner: game, player, space or kind.
    type: number, flag, kind, player, side, space, edge, text, or `set`, `list` of several. `initial`: its
    value at first as records have it, where that is a constant."""

    owner: str
    type: str
    visibility: str
    initial: Any = None
    fields: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardLooks:
    """`spaces`: all there are, by y then x; () where they are too many to draw. `one_kind`: whether only
    their owners tell its pieces apart. `across`: coordinates run from -across/2 to across/2 - 1.
    `attributes`: variables that spaces have."""

    of: tuple[str, ...]
    one_kind: bool
    across: int
    spaces: tuple[tuple[int, int], ...] = ()
    attributes: Mapping[str, VariableLooks] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Things that are shown together, in this order, under a title or none."""

    title: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Looks:
    """`seated`: what of a game is a player (see `looks_of.seated_of`). `kinds`: by the name that records
    have. `labels`: what a variable, zone or board is called in words. `seat_colors`: by the seat's name.
    `left_out`: what is not shown. `groups`: in the order in which they are shown."""

    seated: frozenset[str] = frozenset()
    kinds: Mapping[str, KindLooks] = field(default_factory=dict)
    zones: Mapping[str, ZoneLooks] = field(default_factory=dict)
    variables: Mapping[str, VariableLooks] = field(default_factory=dict)
    boards: Mapping[str, BoardLooks] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    seat_colors: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    groups: tuple[Group, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data for `json`; sets are sorted."""
        document = asdict(self)
        return {**document, "seated": sorted(self.seated), "left_out": sorted(self.left_out)}

    @classmethod
    def from_json(cls, document: Any) -> Looks:
        """What `to_json` has written. KeyError, TypeError or ValueError for anything else."""
        return cls(
            frozenset(_texts(document["seated"])),
            {_text(name): _kind(one) for name, one in document["kinds"].items()},
            {_text(name): ZoneLooks(**one) for name, one in document["zones"].items()},
            {_text(name): _variable(one) for name, one in document["variables"].items()},
            {_text(name): _board(one) for name, one in document["boards"].items()},
            {_text(name): _text(label) for name, label in document["labels"].items()},
            {_text(name): _text(color) for name, color in document["seat_colors"].items()},
            frozenset(_texts(document["left_out"])),
            tuple(Group(_text(one["title"]), _texts(one["names"])) for one in document["groups"]),
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"no text: {value!r}")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(map(_text, values))


def _kind(one: Any) -> KindLooks:
    rings = tuple(Ring(_text(ring["name"]), tuple(map(int, ring["values"]))) for ring in one["rings"])
    attributes = tuple((_text(name), _text(value)) for name, value in one["attributes"])
    return KindLooks(**{**one, "rings": rings, "attributes": attributes})


def _variable(one: Any) -> VariableLooks:
    return VariableLooks(**{**one, "fields": tuple(map(int, one["fields"]))})


def _board(one: Any) -> BoardLooks:
    return BoardLooks(
        _texts(one["of"]),
        bool(one["one_kind"]),
        int(one["across"]),
        tuple((int(x), int(y)) for x, y in one["spaces"]),
        {_text(name): _variable(of) for name, of in one["attributes"].items()},
    )
