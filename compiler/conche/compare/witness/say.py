"""Positions, moves and outcomes in the words of the rules language.

Purpose: the lines of a scenario. Input: an interpreter, its states, moves as in records. Output: texts
without the word that begins the line (`given`, `move`, `chance`); None where the language has no words for
something.
Invariants: kinds and members are called as the rules call them, not as records do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.compare.witness.lockstep import Path
from conche.compare.witness.model import Move
from conche.compare.witness.words import argument_types, statements
from conche.interpret import Interpreter, InterpreterState
from conche.interpret.position import GAME, Heap, Piece, Position, Value
from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)
from conche_runtime.interface import ChanceEvent

_SIDES = {"E": "east", "S": "south", "W": "west", "N": "north"}


class Say:
    def __init__(self, engine: Interpreter) -> None:
        self.engine = engine
        self.book = engine.program.book
        self.rules = self.book.rulebook
        self.arguments = argument_types(self.rules)
        self.drawn_up: set[str] = set()
        """The piles whose order the last `given` has said."""

    # ---------------------------------------------------------------------------------------- values

    def value(self, value: Value, type_: Type) -> str | None:
        match type_:
            case _ if value is None:
                return "nothing"
            case Maybe(element):
                return self.value(value, element)
            case Flag():
                return "yes" if value else "no"
            case Int():
                return str(value)
            case EnumT() | KindT() if isinstance(value, str) and "#" not in value:
                return value
            case PlayerT() if isinstance(value, int):
                return self.seat(value)
            case SideT() if isinstance(value, str):
                return _SIDES[value]
            case SpaceT() if isinstance(value, tuple):
                return f"({value[0]}, {value[1]})"
            case EdgeT() if isinstance(value, tuple):
                x, y, side = value
                return f"edge(({x}, {y}), {_SIDES[str(side)]})"
            case TextT():
                return f'"{value}"'
            case SetT(element) | ListT(element) if isinstance(value, tuple):
                items = [self.value(item, element) for item in value]
                return None if None in items else f"[{', '.join(map(str, items))}]"
            case _:
                return None

    def seat(self, seat: int) -> str:
        return self.book.seat_name(seat)

    # ---------------------------------------------------------------------------------------- moves, chance

    def move(self, move: Move) -> str | None:
        """`red: place(worker = w1111, turn = 0, at = (0, -1))`"""
        args: list[str] = []
        for name, data in move.args.items():
            types = self.arguments.get((move.name, name), [])
            written = next((text for type_ in types for text in [self._json(data, type_)] if text), None)
            if written is None:
                return None
            args.append(f"{name} = {written}")
        call = f"{move.name}({', '.join(args)})" if args else move.name
        return f"{self.seat(move.player)}: {call}"

    def _json(self, data: Any, type_: Type) -> str | None:
        """A value of a record."""
        if isinstance(type_, TextT):
            return f'"{data}"'
        try:
            return self.value(self.book.from_json(data, type_), type_)
        except (ValueError, TypeError, KeyError):
            return None

    def outcome(self, event: ChanceEvent) -> str | None:
        """`jungle: market(3)`; empty where the order of a pile says it already."""
        name, _, seat = event.source.removesuffix("]").partition("[")
        if event.source in self.drawn_up:
            return ""
        source = f"{self.seat(int(seat))}.{name}" if seat else name
        types: list[Type] = []
        if name in self.rules.zones:
            types = [self._pieces(name)]
        else:
            types = [
                part.slot.type
                for part in statements(self.rules)
                if isinstance(part, rb.Chance) and part.name == name
            ]
        written = next((text for type_ in types for text in [self._json(event.value, type_)] if text), None)
        return None if written is None else f"{source}: {written}"

    def _pieces(self, zone: str) -> Type:
        of = self.rules.zones[zone].of
        return KindT(of) if of in self.rules.pieces else EnumT(of)

    # ---------------------------------------------------------------------------------------- positions

    def given(
        self, state: InterpreterState, changed: Mapping[str, int], later: Sequence[ChanceEvent]
    ) -> list[str] | None:
        """What makes the position of a state out of that after the set-up. `changed`: variables of the game
        with another value. `later`: what is drawn from then on, which piles are laid out for."""
        base = self.engine.after_setup(state.players, 0)
        lines: list[str] = []
        for part in (self._variables, self._heaps, self._boards):
            found = part(state.position, base, changed, later)
            if found is None:
                return None
            lines += found
        return lines

    def _variables(
        self, position: Position, base: Position, changed: Mapping[str, int], later: Sequence[ChanceEvent]
    ) -> list[str] | None:
        lines: list[str] = []
        for key in sorted({*position.variables, *base.variables}):
            name, seat = key
            if name in changed:
                lines.append(f"{name} = {self.seat(changed[name])}")
                continue
            if key not in position.variables:
                return None
            value = position.variables[key]
            if key in base.variables and base.variables[key] == value:
                continue
            written = self.value(value, self.book.type_of(name))
            if written is None:
                return None
            owned = self._owned_variable(name, seat)
            if owned is None:
                return None
            lines.append(f"{owned} = {written}")
        return lines

    def _owned_variable(self, name: str, place: int) -> str | None:
        """`red.coins`, `fish.price`; None where the kind has no name in the rules, as a copy."""
        if self.book.owner_of(name) != "kind":
            return self._owned(name, place)
        kind = self.book.order[self.rules.variables[name].of or ""][place]
        return None if "#" in kind else f"{kind}.{name}"

    def _owned(self, name: str, seat: int) -> str:
        return name if seat == GAME else f"{self.seat(seat)}.{name}"

    def _heaps(
        self, position: Position, base: Position, changed: Mapping[str, int], later: Sequence[ChanceEvent]
    ) -> list[str] | None:
        lines: list[str] = []
        self.drawn_up = set()
        for key, heap in sorted(position.heaps.items()):
            name, seat = key
            zone = self.rules.zones[name]
            if self.book.is_carried(name):
                if heap.size:
                    return None
                continue
            source = name if seat == GAME else f"{name}[{seat}]"
            drawn = [event.value for event in later if event.source == source]
            if heap == base.heaps[key] and not (zone.kind == "pile" and drawn):
                continue
            kinds = self._in_order(heap, zone, drawn)
            if kinds is None or any("#" in kind for kind in kinds):
                return None
            if zone.kind == "pile":
                self.drawn_up.add(source)
            lines.append(f"{self._owned(name, seat)} = [{', '.join(_counted(kinds))}]")
        return lines

    def _in_order(self, heap: Heap, zone: rb.Zone, drawn: Sequence[Any]) -> list[str] | None:
        """The pieces of a zone; of a pile from the top, as they will be drawn."""
        if zone.kind == "row":
            return list(heap.top)
        rest = dict(self.book.by_order(zone.of, heap.counts))
        order: list[str] = []
        for written in drawn:
            kind = next((one for one in rest if self.book.written(zone.of, one) == written), None)
            if kind is None:
                return None
            order.append(kind)
            rest[kind] -= 1
            if not rest[kind]:
                del rest[kind]
        others = [kind for kind, number in rest.items() for _ in range(number)]
        if zone.kind == "pile":
            return [*heap.top, *order, *others, *heap.bottom]
        return [
            kind for kind, number in self.book.by_order(zone.of, heap.total()).items() for _ in range(number)
        ]

    def _boards(
        self, position: Position, base: Position, changed: Mapping[str, int], later: Sequence[ChanceEvent]
    ) -> list[str] | None:
        lines: list[str] = []
        for name, stacks in position.boards.items():
            known = base.boards[name]
            if known.keys() - stacks.keys():
                return None
            for space, stack in sorted(stacks.items(), key=lambda one: (one[0][1], one[0][0])):
                lower = known.get(space, ())
                if stack[: len(lower)] != lower:
                    return None
                for piece in stack[len(lower) :]:
                    if "#" in piece.kind:
                        return None
                    lines.append(self._piece(piece, space))
        for key, value in sorted(position.attributes.items()):
            board, attribute, space = key
            if base.attributes.get(key) == value:
                continue
            written = self.value(value, self.book.space_var(board, attribute).type)
            if written is None:
                return None
            lines.append(f"({space[0]}, {space[1]}).{attribute} = {written}")
        return lines

    def _piece(self, piece: Piece, space: tuple[int, int]) -> str:
        owner = "" if piece.owner is None else f" of {self.seat(piece.owner)}"
        turned = f" turned {piece.turn}" if piece.turn else ""
        return f"{piece.kind}{owner} at ({space[0]}, {space[1]}){turned}"

    def fact(self, path: Path, value: Any) -> str | None:
        """A part of a snapshot as a condition; None for what has no short one."""
        name, *rest = path
        assert isinstance(name, str)
        if name in self.rules.variables or name in self.rules.tracks:
            kinds = self.book.kinds_with(name) if self.book.owner_of(name) == "kind" else ()
            if len(rest) == 1 and rest[0] in kinds:
                of_kind = self._owned_variable(name, kinds.index(str(rest[0])))
                if of_kind is None:
                    return None
                owner, rest = of_kind, []
            else:
                owner, rest = self._owner(self.book.owner_of(name), name, rest)
            written = self._json(value, self.book.type_of(name))
            return None if rest or written is None else f"{owner} = {written}"
        if name in self.rules.boards and rest and isinstance(rest[0], tuple):
            return self._space(name, rest[0], rest[1:], value)
        if name in self.rules.zones:
            zone = self.rules.zones[name]
            owner, rest = self._owner(zone.owner, name, rest)
            if zone.kind != "row" and len(rest) == 1 and not isinstance(value, list | dict):
                kind = self._json(rest[0], self._pieces(name))
                return None if kind is None else f"{owner}[{kind}] = {value or 0}"
            if zone.kind == "row" and isinstance(value, list) and not rest:
                return f"count({owner}) = {len(value)}"
        return None

    def _space(self, board: str, space: tuple[int, int], rest: list[Any], value: Any) -> str | None:
        """What lies on a space, or what the space has."""
        at = f"({space[0]}, {space[1]})"
        if not rest and value is None:
            return f"{at} is empty"
        if len(rest) == 1 and rest[0] in {var.name for var in self.rules.boards[board].attributes}:
            written = self._json(value, self.book.space_var(board, str(rest[0])).type)
            return None if written is None else f"{at}.{rest[0]} = {written}"
        if not rest and value["pieces"]:
            written_kind = value["pieces"][-1]["kind"]
            kinds = [
                kind
                for of in self.rules.pieces
                for kind in self.book.order[of]
                if "#" not in kind
                if self.book.written(of, kind) == written_kind
            ]
            return f"{at} is {kinds[0]}" if len(kinds) == 1 else None
        return None

    def _owner(self, owner: str, name: str, rest: list[Any]) -> tuple[str, list[Any]]:
        if owner == "player" and rest and isinstance(rest[0], int):
            return self._owned(name, rest[0]), rest[1:]
        return name, rest


def _counted(kinds: Sequence[str]) -> list[str]:
    """`[2 water, temple]`: like ones that follow each other are counted."""
    runs: list[tuple[str, int]] = []
    for kind in kinds:
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + 1)
        else:
            runs.append((kind, 1))
    return [kind if number == 1 else f"{number} {kind}" for kind, number in runs]
