"""What a generated engine says of itself, so that saves, snapshots and samples need no code of its own.

Everything here is made once, when a generated module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from conche_runtime.chance import fnv1a64
from conche_runtime.codecs import Codec, NameCodec, SpaceCodec

Step = Callable[[Any], Any]
"""A block: takes the state, gives the next block, or None where the state waits."""


class OutsideGrid(tuple[int, ...]):
    """The neighbours of a space on the rim of a grid, which lie outside it."""

    __slots__ = ()
    _error: ClassVar[str] = "a space lies too far outside the board"

    def __iter__(self) -> Any:
        raise IndexError(self._error)

    def __getitem__(self, index: Any) -> Any:
        raise IndexError(self._error)

    def __len__(self) -> int:
        raise IndexError(self._error)

    def __contains__(self, value: object) -> bool:
        raise IndexError(self._error)


FAR = -(1 << 58)
"""The cell of a space outside a grid: any use of it fails."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What a top code stands for; owner None where the type has none, turn None where it has no ring."""

    of: str
    kind: int
    owner: int | None
    turn: int | None


class Grid:
    """A board: `across` spaces wide and high, and `margin` more on each side that hold nothing.

    `pieces`: what each top code stands for, 0 for nothing; `codes`: by type and kind those that stand for
    such a piece; `kinds`: by type, the names of its kinds; `room`: by type, how many pieces of it a space
    takes."""

    def __init__(
        self,
        name: str,
        attribute: str,
        across: int,
        margin: int,
        kinds: Mapping[str, NameCodec],
        shapes: Mapping[str, tuple[int, bool]],
        room: Mapping[str, Callable[[int, int], int]],
    ) -> None:
        """shapes: by type, in the order of codes, the number of its owners (0: it has none) and whether it
        has a ring."""
        self.name = name
        self.attribute = attribute
        self.across = across
        self.width = width = across + 2 * margin
        self.half = half = across // 2 + margin
        self.size = width * width
        self.kinds = dict(kinds)
        self.space = SpaceCodec(width, half)
        self.pieces: list[Piece | None] = [None]
        self.first: dict[str, int] = {}
        for of, (owners, ring) in shapes.items():
            self.first[of] = len(self.pieces)
            self.pieces += [
                Piece(of, kind, owner, turn)
                for kind in range(len(kinds[of].names))
                for owner in (range(owners) if owners else (None,))
                for turn in (range(4) if ring else (None,))
            ]
        self.codes: dict[tuple[NameCodec, int], list[int]] = {}
        for code, piece in enumerate(self.pieces):
            if piece is not None:
                self.codes.setdefault((self.kinds[piece.of], piece.kind), []).append(code)
        self.x = tuple(cell % width - half for cell in range(self.size))
        self.y = tuple(cell // width - half for cell in range(self.size))
        low, high = -(across // 2), across // 2 - 1
        inside = [low <= x <= high and low <= y <= high for x, y in zip(self.x, self.y, strict=True)]
        self.room = {
            of: tuple(
                allowed(x, y) if within else 0 for x, y, within in zip(self.x, self.y, inside, strict=True)
            )
            for of, allowed in room.items()
        }
        rim = [
            x in (-half, width - half - 1) or y in (-half, width - half - 1)
            for x, y in zip(self.x, self.y, strict=True)
        ]
        steps = (1, width, -1, -width)
        self.around: tuple[tuple[int, ...], ...] = tuple(
            OutsideGrid() if outside else (cell + 1, cell + width, cell - 1, cell - width)
            for cell, outside in enumerate(rim)
        )
        self.beside: tuple[int, ...] = tuple(
            FAR if outside else cell + step for cell, outside in enumerate(rim) for step in steps
        )
        self.toward = {step: side for side, step in enumerate(steps)}

    @property
    def storage(self) -> type[bytearray] | type[list[int]]:
        """What holds the top codes."""
        return bytearray if len(self.pieces) <= 256 else list

    def empty(self) -> Any:
        """The top codes of a board that holds nothing. One row more: a neighbour's code can be read without a
        look at the rim."""
        size = self.size + self.width
        return bytearray(size) if len(self.pieces) <= 256 else [0] * size


@dataclass(frozen=True, slots=True)
class Variable:
    """owner: game (an attribute), player (a list by seat), space (a dictionary by cell of `grid`), kind (a
    list by number of its `kinds`, shown as `names`). initial: the code it starts with."""

    attribute: str
    name: str
    owner: str
    codec: Codec
    visibility: str
    initial: Any
    grid: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    """storage: `counts`, `row` or `pile`; `known`: a pile of which some order can be known; `masked`: by some
    alone, so that it keeps who knows what.

    The state's attributes: of counts and piles `attribute` (how many, seat by seat and kind by kind) and,
    where there is more than one kind, `attribute_size`; of a pile with `known` also `attribute_top` and
    `attribute_bottom`, with `masked` also `attribute_top_known` and `attribute_bottom_known`; of a row
    `attribute`. By seat where owner is player.

    A zone that pieces carry has their family as owner. There is one for each copy; `carriers` are the copies'
    kinds among those of `carrier`, and the seat of a copy's zone is its place there."""

    attribute: str
    name: str
    kind: str
    owner: str
    kinds: NameCodec
    storage: str
    known: bool
    visibility: str
    capacity: int | None
    carrier: NameCodec | None = None
    carriers: tuple[int, ...] = ()
    masked: bool = False

    def places(self, players: int) -> tuple[int | None, ...]:
        """The seats that it is kept for; of a common zone None."""
        if self.owner == "game":
            return (None,)
        return tuple(range(players if self.owner == "player" else len(self.carriers)))

    @property
    def short(self) -> str:
        """What it is called where the piece that carries it is shown."""
        return self.name.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Stream:
    """A source of chance; `first`: its place among a state's streams (of seat 0 where there is one by
    seat). copies: not 0, one for each of so many copies, which are counted from 1."""

    path: str
    by_seat: bool
    first: int
    codec: Codec
    copies: int = 0

    def paths(self, players: int) -> tuple[str, ...]:
        """One for each of its streams."""
        if self.copies:
            return tuple([f"{self.path}[{copy}]" for copy in range(1, self.copies + 1)])
        return tuple([f"{self.path}[{seat}]" for seat in range(players)]) if self.by_seat else (self.path,)


class Decision:
    """A place where a state waits. `key` names it in saves, `name` in moves; `passes`: its last option is to
    pass.

    step(state, index): takes an option, gives the block to go on with. move(state, index), moves(state): its
    named form. apply(state, move): takes it; IllegalMove when it is none. ask: the block that counts the
    options.

    Where it can be passed, told: what it is called in the views of others, None where it could be another
    one. may_be_asked(state, seat): whether open facts allow that; None: nobody but who is."""

    __slots__ = (
        "apply",
        "ask",
        "key",
        "may_be_asked",
        "move",
        "moves",
        "name",
        "passes",
        "step",
        "told",
    )

    def __init__(
        self,
        key: str,
        name: str,
        ask: Step,
        step: Callable[..., Any],
        move: Callable[..., Any],
        moves: Callable[..., list[Any]],
        apply: Callable[..., Any],
        *,
        passes: bool = False,
        told: str | None = None,
        may_be_asked: Callable[[Any, int], bool] | None = None,
    ) -> None:
        self.key = key
        self.name = name
        self.ask = ask
        self.step = step
        self.move = move
        self.moves = moves
        self.apply = apply
        self.passes = passes
        self.told = told
        self.may_be_asked = may_be_asked

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key!r})"


@dataclass(frozen=True, slots=True)
class Anew:
    """How samples choose anew what was chosen secretly. `variables`: the attributes that the choice sets,
    `held`: the attribute with what they held before, by seat, () where others know more. take(state, index,
    seat) sets them to that, and then as an option does."""

    variables: tuple[str, ...]
    held: str
    take: Callable[[Any, int, int], None]


class AtOnce(Decision):
    """A place where several players choose at once. `step`, `move`, `moves` and `apply` take a seat too;
    `step` and `apply` keep what was chosen.

    count(state, seat): how many options; holds(state, seat): whether that player is to choose, None: all
    are. named(state, seat): what he has chosen, as a move. done: the block to go on with when all have.
    kept: the attribute with what was chosen, by seat (`conche_runtime.several`); codecs: of the arguments
    kept, case by case; order: the attribute with the seats of all who were asked. shown: all see then what
    the others chose. private: not all can work out the options. told_apart: no two options look alike."""

    __slots__ = (
        "anew",
        "codecs",
        "count",
        "done",
        "holds",
        "kept",
        "named",
        "order",
        "private",
        "shown",
        "told_apart",
    )

    def __init__(
        self,
        key: str,
        name: str,
        ask: Step,
        step: Callable[[Any, int, int], None],
        move: Callable[[Any, int, int], Any],
        moves: Callable[[Any, int], list[Any]],
        apply: Callable[[Any, Any, int], None],
        *,
        count: Callable[[Any, int], int],
        holds: Callable[[Any, int], bool] | None,
        named: Callable[[Any, int], Any],
        done: Step,
        kept: str,
        codecs: tuple[tuple[Codec, ...], ...],
        order: str,
        shown: bool,
        private: bool,
        told_apart: bool,
        anew: Anew | None = None,
    ) -> None:
        super().__init__(key, name, ask, step, move, moves, apply)
        self.count = count
        self.holds = holds
        self.named = named
        self.done = done
        self.kept = kept
        self.codecs = codecs
        self.order = order
        self.shown = shown
        self.private = private
        self.told_apart = told_apart
        self.anew = anew

    def waiting(self, state: Any) -> tuple[int, ...]:
        """The seats that have yet to choose, in the order in which they were asked."""
        kept = getattr(state, self.kept)
        return tuple([seat for seat in getattr(state, self.order) if not kept[seat]])


def _nowhere(*_: Any) -> Any:
    raise AssertionError("nothing is asked")


OVER = Decision("over", "", _nowhere, _nowhere, _nowhere, _nowhere, _nowhere)
"""Where a state is when the game is over."""

FAILED = Decision("failed", "", _nowhere, _nowhere, _nowhere, _nowhere, _nowhere)
"""Where a state is when the rules have failed in a move."""


@dataclass(frozen=True, slots=True)
class Game:
    """A ruleset. `saved`: (attribute, codec) of what a half-finished action keeps; `returns`: (attribute,
    blocks by name) of where routines return to; `flows`: the zones between which pieces go, and whether only
    those of one player; `lines`: for lines of the generated text, the lines of the rules."""

    ruleset: str
    digest: str
    versions: Mapping[str, str]
    options: Mapping[str, str]
    min_players: int
    max_players: int
    seats: tuple[str, ...]
    variables: tuple[Variable, ...]
    zones: tuple[Zone, ...]
    grids: tuple[Grid, ...]
    streams: tuple[Stream, ...]
    saved: tuple[tuple[str, Codec], ...]
    returns: tuple[tuple[str, tuple[Step, ...]], ...]
    decisions: tuple[Decision, ...]
    flows: tuple[tuple[str, str, bool], ...]
    scores: tuple[tuple[str, Callable[[Any, int], int]], ...]
    rank: Callable[[Any, int], tuple[int, ...]]
    begin: Step
    refresh: Callable[[Any], None]
    lines: str
    default_file: str
    eliminates: bool = False
    paths: tuple[int, ...] = field(init=False)
    """The hash of each stream's path, by number."""
    carried: Mapping[tuple[NameCodec, int], tuple[Zone, int]] = field(init=False)
    """By piece type and kind the zone that such a piece carries, and its seat."""
    zone_named: Mapping[str, Zone] = field(init=False)

    def __post_init__(self) -> None:
        paths = [path for stream in self.streams for path in stream.paths(self.max_players)]
        object.__setattr__(self, "paths", tuple([fnv1a64(path) for path in paths]))
        carried = {
            (zone.carrier, kind): (zone, seat)
            for zone in self.zones
            if zone.carrier is not None
            for seat, kind in enumerate(zone.carriers)
        }
        object.__setattr__(self, "carried", carried)
        object.__setattr__(self, "zone_named", {zone.name: zone for zone in self.zones})
