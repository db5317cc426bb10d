"""Lays out the state of an engine: codes, storage, static tables.

Input: a `Rulebook`. Output: `Codes`, which says what code each thing of the rules has, holds the `ir.Layout`
and collects the static tables that expressions look things up in.
Invariants: depends on the rulebook alone; kinds are numbered in order of declaration, everything else by
name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from conche.codegen import ir
from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, Int, KindT, PlayerT, RingT, SideT, SpaceT, Type
from conche.semantics.walk import walk

SIDES = ("E", "S", "W", "N")
MARGIN = 4
"""So many spaces beyond the rim of a board exist: its neighbours, their neighbours, and room to spare."""

STORAGE = {"pile": "pile", "row": "row"}


class Codes:
    """The codes of a rulebook. `of` is always the name of a piece type or of an enum."""

    def __init__(self, rulebook: rb.Rulebook) -> None:
        self.rulebook = rulebook
        self.kinds = {kinds.name: kinds for kinds in _kind_sets(rulebook)}
        self.numbers = {
            of: {name: number for number, name in enumerate(kinds.names)} for of, kinds in self.kinds.items()
        }
        self.grids = {board.name: self._grid(board) for board in rulebook.boards.values()}
        self.zones = {zone.name: _zone(rulebook, zone) for zone in rulebook.zones.values()}
        self.tables: dict[str, ir.Table | ir.GridTable] = {}

    # ---------------------------------------------------------------------------------------- codes

    def code(self, value: int | bool | str | tuple[int, int] | None, type_: Type) -> ir.Value:
        """The code of a literal of the rules."""
        match type_, value:
            case _, None:
                return ir.NOTHING
            case ((EnumT(name=of) | KindT(piece=of)), str()):
                return self.numbers[of][value]
            case SideT(), str():
                return SIDES.index(value)
            case SpaceT(board=board), (x, y):
                return self.grids[board].cell(x, y)
            case _, (int() | bool() | str()) as plain:
                return plain
            case _:
                raise AssertionError(f"{value!r} is no literal of {type_}")

    def on_board(self, board: str, holds: Callable[[ir.Code], bool]) -> tuple[int, ...]:
        """The top codes for which something holds; 0 (nothing there) is never among them."""
        codes = self.grids[board].codes
        return tuple(number for number, code in enumerate(codes) if code is not None and holds(code))

    # ---------------------------------------------------------------------------------------- copies

    def copies(self, of: str, family: str) -> tuple[int, ...]:
        """The kinds that are copies of a family whose pieces carry something, ascending."""
        if of not in self.rulebook.pieces:
            return ()
        kinds = self.rulebook.pieces[of].kinds
        return tuple(number for number, kind in enumerate(kinds) if kind.copy and kind.family == family)

    def carried(self, of: str, family: str) -> str | None:
        """The name of the zone that pieces of a family carry."""
        return next((kind.carries for kind in self.rulebook.pieces[of].kinds if kind.family == family), None)

    def copy_table(self, zone: ir.Zone, board: str | None) -> str:
        """Which copy a kind is, or what lies on a space of a board: the seat of the zone that it carries."""
        seats = {kind: seat for seat, kind in enumerate(zone.carriers)}
        if board is not None:
            return self.by_code(
                board,
                f"{zone.name}.copy",
                lambda code: seats.get(code.kind) if code.piece == zone.carrier else None,
            )
        values = (seats.get(kind) for kind in range(len(self.kinds[zone.carrier].names)))
        return self.table(f"{zone.carrier}.{zone.name}.copy", values, f"by kind of {zone.carrier}")

    # ---------------------------------------------------------------------------------------- tables

    def table(self, name: str, values: Iterator[ir.Entry], note: str) -> str:
        """Adds a static table; gives its name."""
        if name not in self.tables:
            self.tables[name] = ir.Table(name, tuple(values), note)
        return name

    def grid_table(self, board: str, which: str) -> str:
        name = f"{board}.{which}"
        self.tables.setdefault(name, ir.GridTable(name, board, which))
        return name

    def by_code(self, board: str, name: str, value: Callable[[ir.Code], ir.Entry]) -> str:
        """A table by top code."""
        codes = self.grids[board].codes
        values = (None if code is None else value(code) for code in codes)
        return self.table(f"{board}.{name}", values, f"by what lies on a space of {board}")

    def attribute(self, of: str, name: str, kind: int) -> ir.Entry:
        return dict(self.kinds[of].attributes).get(name, (None,) * (kind + 1))[kind]

    def attribute_table(self, of: str, name: str) -> str:
        values = (self.attribute(of, name, kind) for kind in range(len(self.kinds[of].names)))
        return self.table(f"{of}.{name}", values, f"by kind of {of}")

    def board_attribute_table(self, board: str, name: str) -> str:
        return self.by_code(board, name, lambda code: self.attribute(code.piece, name, code.kind))

    def faces_table(self, board: str, name: str) -> str:
        """What a ring shows, by top code * 4 + side."""

        def faces() -> Iterator[ir.Entry]:
            for code in self.grids[board].codes:
                ring = None if code is None else self.attribute(code.piece, name, code.kind)
                for side in range(len(SIDES)):
                    if code is None or not isinstance(ring, tuple):
                        yield None
                    else:
                        yield ring[(side - (code.turn or 0)) % len(SIDES)]

        return self.table(f"{board}.{name}.faces", faces(), f"by what lies on a space of {board} * 4 + side")

    # ---------------------------------------------------------------------------------------- the layout

    def _grid(self, board: rb.Board) -> ir.Grid:
        codes: list[ir.Code | None] = [None]
        for piece in sorted({holds.piece for holds in board.holds}):
            kinds = self.kinds[piece]
            owners = range(self.rulebook.players[1]) if kinds.owned else (None,)
            turns = range(len(SIDES)) if kinds.ring else (None,)
            codes += [
                ir.Code(piece, kind, owner, turn)
                for kind in range(len(kinds.names))
                for owner in owners
                for turn in turns
            ]
        return ir.Grid(f"board.{board.name}", board.name, board.across, self._margin(board), tuple(codes), ())

    def _margin(self, board: rb.Board) -> int:
        """Spaces that the rules name exist, however far out they lie."""
        half, margin = board.across // 2, MARGIN
        for node in walk(_owned(self.rulebook)):
            if isinstance(node, rb.Lit) and isinstance(node.type, SpaceT) and isinstance(node.value, tuple):
                x, y = node.value
                margin = max(margin, -half - min(x, y), max(x, y) - half + 1)
        return margin

    @cached_property
    def seats_in_doubt(self) -> bool:
        """Whether the rules name a seat that may not play."""
        return any(
            isinstance(node, rb.Lit)
            and isinstance(node.type, PlayerT)
            and isinstance(node.value, int)
            and node.value >= self.rulebook.players[0]
            for node in walk(_owned(self.rulebook))
        )

    def streams(self) -> tuple[ir.Stream, ...]:
        """All sources of chance, by path."""
        found: dict[str, ir.Stream] = {}
        for node in walk(_owned(self.rulebook)):
            if isinstance(node, rb.Chance):
                found.setdefault(node.name, ir.Stream(node.name, False, node.slot.type))
        for zone in self.rulebook.zones.values():
            if zone.kind in ("pile", "bag"):
                of: Type = EnumT(zone.of) if zone.of in self.rulebook.enums else KindT(zone.of)
                copies = len(self.zones[zone.name].carriers)
                found[zone.name] = ir.Stream(zone.name, zone.owner != "game", of, copies)
        return tuple(stream for _, stream in sorted(found.items()))


def _owned(rulebook: rb.Rulebook) -> tuple[object, ...]:
    """Everything of a rulebook in which expressions stand, scenarios left out."""
    return (
        rulebook.setup,
        rulebook.play,
        rulebook.rank,
        *(
            declaration
            for group in (
                rulebook.boards,
                rulebook.variables,
                rulebook.steps,
                rulebook.actions,
                rulebook.queries,
                rulebook.triggers,
                rulebook.scores,
            )
            for declaration in group.values()
        ),
    )


def _kind_sets(rulebook: rb.Rulebook) -> Iterator[ir.KindSet]:
    for piece in rulebook.pieces.values():
        ring = any(isinstance(type_, RingT) for _, type_ in piece.attributes)
        yield _kind_set(rulebook, piece, piece.kinds, piece.owned, ring)
    for enum in rulebook.enums.values():
        yield _kind_set(rulebook, enum, enum.members, False, False)


def _kind_set(
    rulebook: rb.Rulebook,
    of: rb.PieceType | rb.Enum,
    kinds: tuple[rb.Kind | rb.Member, ...],
    owned: bool,
    ring: bool,
) -> ir.KindSet:
    types = dict(of.attributes)
    attributes = sorted({attribute for kind in kinds for attribute, _ in kind.attributes})

    def values(attribute: str) -> Iterator[ir.Entry]:
        for kind in kinds:
            value = dict(kind.attributes).get(attribute)
            yield None if value is None else _attribute_code(rulebook, value, types.get(attribute))

    return ir.KindSet(
        of.name,
        isinstance(of, rb.Enum),
        owned,
        ring,
        tuple(kind.name for kind in kinds),
        tuple(kind.written for kind in kinds),
        tuple(kind.turns if isinstance(kind, rb.Kind) else 1 for kind in kinds),
        tuple((attribute, tuple(values(attribute))) for attribute in attributes),
    )


def _attribute_code(
    rulebook: rb.Rulebook, value: rb.AttributeValue, type_: Type | None
) -> int | tuple[int, ...]:
    """The code of an attribute: of a member or kind its number."""
    if not isinstance(value, str):
        return value
    match type_:
        case EnumT(name=of):
            return [member.name for member in rulebook.enums[of].members].index(value)
        case KindT(piece=of):
            return [kind.name for kind in rulebook.pieces[of].kinds].index(value)
        case SideT():
            return SIDES.index(value)
        case _:
            raise AssertionError(f"{value!r} is no attribute")


def _zone(rulebook: rb.Rulebook, zone: rb.Zone) -> ir.Zone:
    looked_at = False
    sources: list[rb.Zone] = []
    for node in walk(_owned(rulebook)) if zone.kind == "pile" else ():
        match node:
            case rb.Look(zone=rb.ZoneRef(name=name)) if name == zone.name:
                looked_at = True
            case rb.Move(source=source, target=rb.ZoneRef(name=name)) if name == zone.name:
                sources.append(rulebook.zones[source.name])
            case rb.Draw(source=source, target=rb.ZoneRef(name=name)) if name == zone.name:
                sources.append(rulebook.zones[source.name])
            case _:
                pass
    known_to_all = all(source.visibility == "open" for source in sources) and not looked_at
    return ir.Zone(
        f"zone.{zone.name}",
        zone.name,
        zone.kind,
        zone.owner,
        zone.of,
        zone.capacity,
        zone.visibility,
        STORAGE.get(zone.kind, "counts"),
        bool(sources) or looked_at,
        *_carriers(rulebook, zone),
        zone.visibility != "open" and not known_to_all,
    )


def _carriers(rulebook: rb.Rulebook, zone: rb.Zone) -> tuple[str, tuple[int, ...]]:
    """The piece type and the kinds of the pieces that carry a zone."""
    for piece in rulebook.pieces.values():
        kinds = tuple(number for number, kind in enumerate(piece.kinds) if kind.carries == zone.name)
        if kinds:
            return piece.name, kinds
    return "", ()


def track_type(track: rb.Track) -> Int:
    """The numbers of a track's fields."""
    return Int(0, len(track.fields) - 1)
