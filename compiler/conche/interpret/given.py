"""Putting things in place: what a scenario's `given` lines say, and positions taken from plain data.

Purpose: positions that no game need ever reach. Input: a position after the set-up, `given` lines, or data
in the form of a snapshot. Output: the position changed. Invariants: bounds, capacities and a board's `on`
lines are kept; otherwise `BrokenRuleError`, or ValueError for data that is no snapshot of these rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conche.interpret.evaluate import EMPTY, board_of
from conche.interpret.execute import Executor
from conche.interpret.position import ALL, GAME, Heap, Piece
from conche.semantics.rulebook import GivenPiece, GivenPlace, GivenZone
from conche.semantics.types import KindT

Given = GivenPlace | GivenZone | GivenPiece


def put_given(executor: Executor, line: Given) -> None:
    """A variable gets its value, a zone its pieces (a row in this order, a pile from the top: its order is
    known then); a piece is laid on what is there already."""
    evaluator = executor.evaluator
    match line:
        case GivenPlace():
            executor.set_place(line.target, evaluator.value(line.value))
        case GivenZone():
            key = evaluator.zone_key(line.zone)
            evaluator.position.heaps[key] = Heap()
            pieces = [evaluator.text(kind) for number, kind in line.items for _ in range(number)]
            if executor.book.zone(key[0]).kind == "pile":
                pieces.reverse()  # the list begins at the top
            for kind in pieces:
                executor.insert(key, executor.given(kind), where="top")  # nobody has seen it there
        case GivenPiece():
            assert isinstance(line.kind.type, KindT)
            of = line.kind.type.piece
            owner = 0 if line.owner is None else evaluator.seat(line.owner)
            piece = Piece(
                of,
                executor.given(evaluator.text(line.kind)),
                owner if executor.book.rulebook.pieces[of].owned else None,
                0 if line.turned is None else evaluator.number(line.turned, EMPTY),
            )
            executor.lay(board_of(line.at), evaluator.space(line.at), piece)
    evaluator.forget()


# -------------------------------------------------------------------------------- plain data


def put_data(executor: Executor, data: Mapping[str, Any]) -> None:
    """Replaces what `data` names by what it says, in the form of a snapshot (`show.py`).

    Something of the players can be a list by seat or an object with some seats' numbers ("0") as keys.
    `decision` and `players` are passed over; `out` are those who have left. A null for a variable that cannot
    be `nothing` unsets it."""
    rules = executor.book.rulebook
    for name, value in data.items():
        if name in ("decision", "players"):
            continue
        if name == "out" and executor.book.eliminates:
            executor.position.out = tuple(_seats(executor, name, value))
        elif name in rules.variables or name in rules.tracks:
            for seat, part in _by_place(executor, name, value):
                _put_variable(executor, name, seat, part)
        elif name in rules.zones:
            for seat, part in _by_seat(executor, name, rules.zones[name].owner, value):
                _put_zone(executor, name, seat, part)
        elif name in rules.boards:
            _put_board(executor, name, value)
        else:
            raise ValueError(f"there is no variable, track, zone or board '{name}'")
    executor.evaluator.forget()


def _seats(executor: Executor, what: str, value: Any) -> list[int]:
    seats = [int(seat) for seat in value]
    if len(set(seats)) < len(seats) or any(not 0 <= seat < executor.position.players for seat in seats):
        raise ValueError(f"'{what}' does not name seats that play, each once")
    return seats


def _by_place(executor: Executor, name: str, value: Any) -> list[tuple[int, Any]]:
    owner = executor.book.owner_of(name)
    if owner != "kind":
        return _by_seat(executor, name, owner, value)
    kinds = executor.book.kinds_with(name)
    if any(kind not in kinds for kind in value):
        raise ValueError(f"'{name}' is given for what has no such variable")
    return [(kinds.index(kind), part) for kind, part in value.items()]


def _by_seat(executor: Executor, name: str, owner: str, value: Any) -> list[tuple[int, Any]]:
    if owner == "game":
        return [(GAME, value)]
    parts = list(value.items()) if isinstance(value, Mapping) else list(enumerate(value))
    found = [(int(seat), part) for seat, part in parts]
    if any(not 0 <= seat < executor.position.players for seat, _ in found):
        raise ValueError(f"'{name}' is given for more players than play")
    return found


def _put_variable(executor: Executor, name: str, seat: int, value: Any) -> None:
    try:
        found = executor.book.from_json(value, executor.book.type_of(name))
    except ValueError:
        if value is not None:
            raise
        executor.position.variables.pop((name, seat), None)
        return
    executor.set_variable(name, seat, found)


def _put_zone(executor: Executor, name: str, seat: int, value: Any) -> None:
    zone, key = executor.book.zone(name), (name, seat)
    executor.position.heaps[key] = Heap()

    def kind(written: Any) -> str:
        carries = isinstance(written, Mapping)
        found = executor.book.from_json(written["kind"] if carries else written, KindT(zone.of))
        assert isinstance(found, str)
        return _copy(executor, zone.of, found, written if carries else {})

    if isinstance(value, Mapping) and "unknown" in value:
        for written, known in _with_knowledge(executor, value, "bottom"):
            executor.insert(key, kind(written), where="bottom", known=known)
        for written, known in reversed(_with_knowledge(executor, value, "top")):
            executor.insert(key, kind(written), where="top", known=known)
        value = value["unknown"]
    counts = value.items() if isinstance(value, Mapping) else [(written, 1) for written in value]
    for written, number in counts:
        for _ in range(int(number)):
            executor.insert(key, kind(written))


def _with_knowledge(executor: Executor, value: Mapping[str, Any], part: str) -> list[tuple[Any, int]]:
    """The known pieces at one end of a pile, each with who knows it."""
    pieces = list(value[part])
    name = f"{part}_known_by"
    masks = [
        ALL if seats is None else sum(1 << seat for seat in _seats(executor, name, seats))
        for seats in value.get(name, [None] * len(pieces))
    ]
    return list(zip(pieces, masks, strict=True))


def _copy(executor: Executor, of: str, kind: str, carries: Mapping[str, Any]) -> str:
    """A copy with what it carries, of a kind that carries something; any other kind itself."""
    book = executor.book
    family = next((family for family, copies in book.copies.items() if kind in copies), None)
    if family is None:
        return kind
    copy = executor.given(family)
    key = book.carried(copy)
    assert key is not None
    zone = book.zone(key[0])
    for written, number in carries.get(key[0].partition(".")[2], {}).items():
        found = book.from_json(written, KindT(zone.of))
        assert isinstance(found, str)
        executor.insert(key, found, int(number))
    return copy


def _put_board(executor: Executor, name: str, entries: Any) -> None:
    book, position = executor.book, executor.position
    kinds = {book.written(of, kind): (of, kind) for of in book.rulebook.pieces for kind in book.order[of]}
    position.boards[name] = {}
    for key in [key for key in position.attributes if key[0] == name]:
        del position.attributes[key]
    for entry in entries:
        x, y = entry["at"]
        for piece in entry["pieces"]:
            if piece["kind"] not in kinds:
                raise ValueError(f"there is no piece '{piece['kind']}'")
            of, kind = kinds[piece["kind"]]
            kind = _copy(executor, of, kind, piece)
            owner = piece.get("owner", 0) if book.rulebook.pieces[of].owned else None
            executor.lay(name, (x, y), Piece(of, kind, owner, piece.get("turn", 0)))
        for attribute in entry.keys() - {"at", "pieces"}:
            var = book.space_var(name, attribute)
            value = book.from_json(entry[attribute], var.type)
            position.attributes[name, attribute, (x, y)] = value
