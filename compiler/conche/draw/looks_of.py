"""From a rulebook to what a picture of it needs.

Purpose: `Looks`, made once when a ruleset is compiled. Input: a rulebook. Output: `Looks`. Invariants:
reads declarations and hints; of two hints for one thing the last counts; what a hint speaks of that is not
there any more, or a sign that another kind has, is passed over; the same rulebook gives the same record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.draw.cells import clean
from conche.draw.looks import BoardLooks, Group, KindLooks, Looks, Ring, VariableLooks, ZoneLooks
from conche.draw.signs import signs_of
from conche.seats import seat_names
from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    ErrorT,
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
from conche.semantics.walk import walk

_MOST_SPACES, _WIDE = 400, 100
"""A board of more spaces, or wider, is drawn where something lies."""


def looks_of(rulebook: rb.Rulebook) -> Looks:
    """What a picture needs to know of the rules."""
    variables = {name: _variable(rulebook, var) for name, var in rulebook.variables.items()}
    hints = rulebook.hints
    tracks = {
        name: VariableLooks(track.owner, "number", track.visibility, None, track.fields)
        for name, track in rulebook.tracks.items()
    }
    return Looks(
        seated=seated_of(rulebook),
        kinds=kinds_of(rulebook),
        zones={
            name: ZoneLooks(zone.kind, zone.owner, zone.of, zone.visibility, zone.capacity)
            for name, zone in rulebook.zones.items()
        },
        variables={**variables, **tracks},
        boards={name: _board(rulebook, board) for name, board in rulebook.boards.items()},
        labels={hint.names[0]: clean(hint.text) for hint in hints if hint.how == "label"},
        seat_colors={
            hint.names[0]: hint.color
            for hint in hints
            if hint.how == "color" and hint.names[0] in seats_of(rulebook)
        },
        left_out=frozenset(name for hint in hints if hint.how == "leave_out" for name in hint.names),
        groups=_groups(hints),
    )


def seats_of(rulebook: rb.Rulebook) -> tuple[str, ...]:
    """The names of all seats."""
    return seat_names(rulebook.seats, rulebook.players[1])


def _groups(hints: Sequence[rb.Hint]) -> tuple[Group, ...]:
    """Those of one title are one, where the first of them stands."""
    names: dict[str, list[str]] = {}
    for hint in hints:
        if hint.how in ("order", "group"):
            names.setdefault(clean(hint.text), []).extend(hint.names)
    return tuple(Group(title, tuple(dict.fromkeys(several))) for title, several in names.items())


def seated_of(rulebook: rb.Rulebook) -> frozenset[str]:
    """What of a game is a player, or made of players, and so a number (or numbers) in records: a variable by
    its name, an argument as `move.argument`, a source of chance as `chance source`."""

    def seated(type_: Type) -> bool:
        return isinstance(_element(type_), PlayerT)

    found = {variable.name for variable in rulebook.variables.values() if seated(variable.type)}
    for group in (
        rulebook.setup,
        rulebook.play,
        *(rulebook.steps.values()),
        *(rulebook.actions.values()),
        *(rulebook.triggers.values()),
    ):
        for node in walk(group):
            if isinstance(node, rb.Choose):
                found |= {
                    f"{case.move or node.name}.{one.slot.name}"
                    for case in node.cases
                    for one in case.binders
                    if seated(one.slot.type)
                }
            elif isinstance(node, rb.Chance) and seated(node.slot.type):
                found.add(f"chance {node.name}")
    return frozenset(found)


def _element(type_: Type) -> Type:
    while isinstance(type_, Maybe | SetT | ListT | RingT):
        type_ = type_.element
    return type_


# ------------------------------------------------------------------------------------------------ kinds


def kinds_of(rulebook: rb.Rulebook) -> dict[str, KindLooks]:
    """By the name that records have. Those that can lie on a board choose their signs first."""
    types: list[rb.PieceType | rb.Enum] = [*rulebook.pieces.values(), *rulebook.enums.values()]
    on_boards = {holds.piece for board in rulebook.boards.values() for holds in board.holds}
    types.sort(key=lambda one: one.name not in on_boards)
    several = [(one, kind) for one in types for kind in _each_once(one)]
    written = _written(rulebook)
    signs = signs_of([clean(kind.written) for _, kind in several], _hinted(rulebook.hints, several))
    colors = {
        (hint.names[0], hint.values): hint.color for hint in rulebook.hints if hint.how in ("color", "sign")
    }
    found: dict[str, KindLooks] = {}
    for type_, kind in several:
        declared = dict(type_.attributes)
        rings = tuple(
            Ring(name, tuple(map(int, value)))
            for name, value in kind.attributes
            if isinstance(declared.get(name), RingT) and isinstance(value, tuple)
        )
        attributes = tuple(
            (name, _value(value, written)) for name, value in kind.attributes if not isinstance(value, tuple)
        )
        name = clean(kind.written)
        # A name may be that of a piece and of a member: the first one has it.
        found.setdefault(
            kind.written,
            KindLooks(
                type_.name,
                kind.family,
                signs[name],
                name.replace("_", " "),
                rings,
                attributes,
                colors.get((kind.family, kind.values))
                or colors.get((kind.family, None))
                or colors.get((type_.name, None), ""),
            ),
        )
    return found


def _hinted(
    hints: Sequence[rb.Hint], several: Sequence[tuple[object, rb.Kind | rb.Member]]
) -> dict[str, str]:
    """The signs that the rules ask for, by the names that records have: of one kind, or of a family, whose
    numbers stand behind its sign then."""
    told = {(hint.names[0], hint.values): clean(hint.text) for hint in hints if hint.how == "sign"}
    names = {clean(kind.written).casefold() for _, kind in several}
    found: dict[str, str] = {}
    # A hint for one kind goes before one for its family; of two kinds with one sign, that of the earlier
    # hint has it.
    for (family, values), text in sorted(told.items(), key=lambda one: one[0][1] is None):
        for _, kind in several:
            if kind.family != family or values not in (None, kind.values):
                continue
            sign = text if values is not None else text + "".join(map(str, kind.values))
            name = clean(kind.written)
            taken = {*(one.casefold() for one in found.values()), *(names - {name.casefold()})}
            if sign.casefold() not in taken:
                found.setdefault(name, sign)
    return found


def _each_once(type_: rb.PieceType | rb.Enum) -> list[rb.Kind | rb.Member]:
    """The kinds of a type; of those that carry pieces one for all copies."""
    once: dict[str, rb.Kind | rb.Member] = {}
    if isinstance(type_, rb.PieceType):
        for kind in type_.kinds:
            once.setdefault(kind.written, kind)
    else:
        for member in type_.members:
            once.setdefault(member.written, member)
    return list(once.values())


def _written(rulebook: rb.Rulebook) -> Mapping[str, str]:
    pieces = {kind.name: kind.written for type_ in rulebook.pieces.values() for kind in type_.kinds}
    members = {one.name: one.written for type_ in rulebook.enums.values() for one in type_.members}
    return {**pieces, **members}


def _value(value: object, written: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return clean(written.get(value, value))
        case _:
            return str(value)


# ------------------------------------------------------------------------------------------------ variables


def _variable(rulebook: rb.Rulebook, var: rb.Var) -> VariableLooks:
    return VariableLooks(var.owner, _type(var.type), var.visibility, _initial(rulebook, var))


def _type(type_: Type) -> str:
    match type_:
        case SetT():
            return "set"
        case ListT():
            return "list"
        case RingT():
            return "ring"
        case Maybe(element):
            return _type(element)
        case Int():
            return "number"
        case Flag():
            return "flag"
        case EnumT() | KindT():
            return "kind"
        case PlayerT():
            return "player"
        case SideT():
            return "side"
        case SpaceT():
            return "space"
        case EdgeT():
            return "edge"
        case TextT() | ErrorT():
            return "text"


def _initial(rulebook: rb.Rulebook, var: rb.Var) -> Any:
    match var.initial:
        case rb.Lit(value=str(value), type=EnumT() | KindT()):
            return _written(rulebook).get(value, value)
        case rb.Lit(value=(x, y)):
            return [x, y]
        case rb.Lit(value=value):
            return value
        case rb.ListOf(items=()):
            return []
        case _:
            return None


# ------------------------------------------------------------------------------------------------ boards


def _board(rulebook: rb.Rulebook, board: rb.Board) -> BoardLooks:
    of = tuple(sorted({holds.piece for holds in board.holds}))
    types = [rulebook.pieces[name] for name in of]
    kinds = {kind.written for type_ in types for kind in type_.kinds}
    one_kind = len(kinds) == 1 and all(type_.owned for type_ in types)
    attributes = {var.name: _variable(rulebook, var) for var in board.attributes}
    return BoardLooks(of, one_kind, board.across, _spaces(rulebook, board), attributes)


def _spaces(rulebook: rb.Rulebook, board: rb.Board) -> tuple[tuple[int, int], ...]:
    """All spaces of a small board, by rows; () for a large one, or where a condition asks for more than the
    place."""
    if board.across > _WIDE:
        return ()
    half = board.across // 2
    found: list[tuple[int, int]] = []
    try:
        for y in range(-half, half):
            row = [(x, y) for x in range(-half, half) if _is_space(rulebook, board, x, y)]
            found += row
            if len(found) > _MOST_SPACES:
                return ()
    except (_Unknown, ZeroDivisionError, IndexError):
        return ()
    return tuple(found)


def _is_space(rulebook: rb.Rulebook, board: rb.Board, x: int, y: int) -> bool:
    return any(_holds(rulebook, one.condition, {one.x.number: x, one.y.number: y}) for one in board.holds)


class _Unknown(Exception):
    """More than x, y and constants."""


def _holds(rulebook: rb.Rulebook, expr: rb.Expr, at: Mapping[int, int]) -> Any:
    """The value of a condition on x and y."""

    def value(expr: rb.Expr) -> Any:
        match expr:
            case rb.Lit(value=found):
                return found
            case rb.Local(slot=slot) if slot.number in at:
                return at[slot.number]
            case rb.Unary(op="-", operand=operand):
                return -value(operand)
            case rb.Unary(op="not", operand=operand):
                return not value(operand)
            case rb.Binary(op="and", left=left, right=right):
                return value(left) and value(right)
            case rb.Binary(op="or", left=left, right=right):
                return value(left) or value(right)
            case rb.Binary(op=op, left=left, right=right) if op in _OPERATIONS:
                return _OPERATIONS[op](value(left), value(right))
            case rb.MinMax(op=op, args=args):
                return (min if op == "min" else max)(map(value, args))
            case rb.Cond(condition=condition, then=then, otherwise=otherwise):
                return value(then if value(condition) else otherwise)
            case rb.Range(low=low, high=high):
                return range(value(low), value(high) + 1)
            case rb.ListOf(items=items):
                return [value(item) for count, item in items for _ in range(count)]
            case rb.TableEntry(table=table, index=index):
                entries, number = rulebook.tables[table].entries, value(index)
                if not 0 <= number < len(entries):
                    raise _Unknown
                return entries[number]
            case _:
                raise _Unknown

    return value(expr)


_OPERATIONS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
}
