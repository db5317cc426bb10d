"""What a statement does to a position.

Purpose: the meaning of the plain statements, those that change something at once; the machine sees to those
that say what comes next. Input: a statement and the position. Output: the position changed, and what
happened that triggers may wait for. Invariants: `BrokenRuleError` where the rules do what they forbid; the
position is then half changed and must be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from conche.graph.model import ActionGraph
from conche.interpret.book import OPEN, SECRET, Book, fits
from conche.interpret.chance import outcome
from conche.interpret.evaluate import BrokenRuleError, Evaluator, board_of, show_space, slot_key
from conche.interpret.position import ALL, GAME, NOBODY, Heap, Piece, Position, Space, Value, knows
from conche.semantics.intervals import MANY, MOST_ITEMS, is_limited
from conche.semantics.rulebook import (
    AddTo,
    Chance,
    Draw,
    DropFrom,
    Eliminate,
    Expr,
    GainPieces,
    GainVar,
    GlobalVar,
    KindVar,
    Let,
    Local,
    Look,
    Move,
    PayPieces,
    PayVar,
    Place,
    PlayerVar,
    Put,
    Reveal,
    SetPlace,
    Shuffle,
    SpaceVar,
    Swap,
    Take,
    ZoneRef,
)
from conche.semantics.types import Int, ListT, SetT, Type
from conche_runtime.interface import ChanceEvent, ChanceSource, Event, RevealEvent

Effect = (
    GainVar
    | GainPieces
    | PayVar
    | PayPieces
    | Put
    | Take
    | Swap
    | Move
    | Draw
    | Shuffle
    | SetPlace
    | AddTo
    | DropFrom
    | Reveal
    | Look
    | Eliminate
    | Let
    | Chance
)

ZoneKey: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Entered:
    """A piece came into a zone (`space` None) or onto a space of a board."""

    place: str
    kind: str
    space: Space | None


@dataclass(frozen=True, slots=True)
class Gained:
    """A player got some of a variable (`kind` None) or so many pieces of a kind in a zone."""

    name: str
    kind: str | None
    seat: int
    amount: int


Happening: TypeAlias = Entered | Gained


class Executor:
    """Executes statements in one position. `happened`: what the last one brought about."""

    def __init__(
        self,
        evaluator: Evaluator,
        outside: ChanceSource | None,
        log: Callable[[Event], None] | None,
        graph: ActionGraph,
    ) -> None:
        self.evaluator, self.graph = evaluator, graph
        self.book: Book = evaluator.book
        self.position: Position = evaluator.position
        self.outside = outside
        self.log = log
        self.happened: list[Happening] = []

    def execute(self, stmt: Effect) -> None:
        self.happened = []
        match stmt:
            case GainVar():
                self._gain_var(stmt)
            case GainPieces():
                self._gain_pieces(stmt)
            case PayVar():
                self._pay_var(stmt)
            case PayPieces():
                self._pay_pieces(stmt)
            case Put():
                self._put(stmt)
            case Take():
                key = self.evaluator.zone_key(stmt.zone)
                for number, kind in stmt.items:
                    self.remove(key, self.evaluator.text(kind), self._amount(number))
            case Swap():
                self._swap(stmt)
            case Move():
                self._move(stmt)
            case Draw():
                self._draw(stmt)
            case Shuffle():
                heap = self.evaluator.heap(stmt.zone)
                self.position.heaps[self.evaluator.zone_key(stmt.zone)] = Heap(heap.total())
            case SetPlace():
                self.set_place(stmt.target, self.evaluator.value(stmt.value))
            case AddTo() | DropFrom():
                self._change_collection(stmt)
            case Reveal():
                self._reveal(stmt)
            case Look():
                self._look(stmt)
            case Eliminate():
                seat = self.evaluator.seat(stmt.player)
                if seat not in self.position.out:
                    self.position.out += (seat,)
            case Let():
                self.set_local(stmt)
            case Chance():
                self._chance(stmt)
            case _:
                assert_never(stmt)
        self.evaluator.forget()

    # -------------------------------------------------------------------------------- variables

    def _gain_var(self, stmt: GainVar) -> None:
        seat, amount = self.evaluator.seat(stmt.player), self._amount(stmt.amount, up_to=stmt.up_to)
        if stmt.up_to:
            type_ = self.book.type_of(stmt.var)
            assert isinstance(type_, Int)
            amount = min(amount, type_.high - self._number_of(stmt.var, seat))
        self._change_var(stmt.var, seat, amount)

    def _pay_var(self, stmt: PayVar) -> None:
        seat, amount = self.evaluator.seat(stmt.player), self._amount(stmt.amount)
        to = None if stmt.to is None else self.evaluator.seat(stmt.to)
        self._change_var(stmt.var, seat, -amount)
        if to is not None:
            self._change_var(stmt.var, to, amount)

    def _number_of(self, name: str, seat: int) -> int:
        value = self.evaluator.variable(name, seat)
        assert isinstance(value, int)
        return value

    def _change_var(self, name: str, seat: int, change: int) -> None:
        self.set_variable(name, seat, self._number_of(name, seat) + change)
        if change > 0:
            self.happened.append(Gained(name, None, seat, change))

    def set_variable(self, name: str, seat: int, value: Value, *, bounds: bool = True) -> None:
        """bounds: what is in it may lie outside."""
        if bounds:
            self._check_bounds(name, value, self.book.type_of(name), seat)
        self._check_size(name, value, self.book.type_of(name))
        self.position.variables[name, seat] = value

    def _check_bounds(self, name: str, value: Value, type_: Type, seat: int = GAME) -> None:
        if fits(value, type_):
            return
        whose = self.book.whose(name, seat)
        if isinstance(type_, Int):
            raise BrokenRuleError(
                f"'{name}'{whose} would become {value}, but it must be {type_.low}..{type_.high}"
            )
        raise BrokenRuleError(f"'{name}'{whose} would hold a number outside its bounds")

    def _check_size(self, name: str, value: Value, type_: Type) -> None:
        if isinstance(value, tuple) and len(value) > MOST_ITEMS and is_limited(type_):
            raise BrokenRuleError(f"'{name}' would hold more than {MOST_ITEMS} items")

    def set_place(self, place: Place, value: Value, *, bounds: bool = True) -> None:
        match place:
            case GlobalVar():
                self.set_variable(place.name, GAME, value, bounds=bounds)
            case PlayerVar():
                self.set_variable(place.name, self.evaluator.seat(place.player), value, bounds=bounds)
            case SpaceVar():
                board, space = board_of(place.space), self.evaluator.space(place.space)
                self._check_bounds(place.name, value, self.book.space_var(board, place.name).type)
                self._check_size(place.name, value, place.type)
                self.position.attributes[board, place.name, space] = value
            case Local():
                self._check_bounds(place.slot.name, value, place.slot.type)
                self._check_size(place.slot.name, value, place.type)
                self.position.locals[slot_key(place.slot)] = value
            case KindVar():
                self.set_variable(place.name, self.evaluator.kind_number(place), value, bounds=bounds)
            case _:
                assert_never(place)

    def set_local(self, stmt: Let) -> None:
        value = self.evaluator.value(stmt.value)
        self._check_size(stmt.slot.name, value, stmt.slot.type)
        self.position.locals[slot_key(stmt.slot)] = value

    def _change_collection(self, stmt: AddTo | DropFrom) -> None:
        value = self.evaluator.value(stmt.value)
        found = self.evaluator.items(stmt.target)
        type_ = stmt.target.type
        assert isinstance(type_, SetT | ListT)
        if isinstance(stmt, AddTo):
            if isinstance(type_, SetT) and value in found:
                return
            self.set_place(stmt.target, (*found, value), bounds=not fits(value, type_.element))
            return
        if value not in found:
            shown = self.book.to_json(value, type_.element)
            raise BrokenRuleError(f"{shown} is to be dropped from '{_name_of(stmt.target)}' but is not in it")
        at = found.index(value)
        self.set_place(stmt.target, found[:at] + found[at + 1 :])

    # -------------------------------------------------------------------------------- pieces

    def _amount(self, expr: Expr, *, up_to: bool = False) -> int:
        """How many: never fewer than none. With `up to`, less than none is none."""
        amount = self.evaluator.number(expr)
        if up_to:
            return max(0, amount)
        if amount < 0:
            raise BrokenRuleError("an amount below 0")
        return amount

    def _label(self, key: ZoneKey) -> str:
        if key[1] == GAME or self.book.is_carried(key[0]):
            return f"'{key[0]}'"
        return f"'{key[0]}' of {self.book.seat_name(key[1])}"

    def lowest(self, kind: str, key: ZoneKey) -> str:
        """Of a family the lowest copy in a zone; any other kind itself."""
        heap = self.position.heaps[key]
        copies = self.book.copies.get(kind, (kind,))
        return next((copy for copy in copies if heap.holds(copy)), copies[0] if copies else kind)

    def unused(self, kind: str) -> str:
        """Of a family the lowest copy that is nowhere; any other kind itself."""
        copies = self.book.copies.get(kind)
        if copies is None:
            return kind
        used = self._used()
        for copy in copies:
            if copy not in used:
                return copy
        raise BrokenRuleError(f"more {kind} come into the game than there can be")

    def _used(self) -> set[str]:
        used = {kind for heap in self.position.heaps.values() for kind in heap.total()}
        return used | {p.kind for b in self.position.boards.values() for stack in b.values() for p in stack}

    def given(self, kind: str) -> str:
        """A copy for a piece that is given: one that is nowhere, else the lowest in a zone, which leaves
        it."""
        copies = self.book.copies.get(kind)
        if copies is None:
            return kind
        used = self._used()
        free = [copy for copy in copies if copy not in used]
        for copy in () if free else copies:
            for heap in self.position.heaps.values():
                if heap.remove(copy) is not None:
                    free = [copy]
                    break
            if free:
                break
        if not free:
            raise BrokenRuleError(f"every {kind} lies on a board already")
        self._empty(free[0])
        return free[0]

    def _empty(self, kind: str) -> None:
        """A piece that leaves the game, or comes anew, carries nothing."""
        carried = self.book.carried(kind)
        if carried is not None:
            self.position.heaps[carried] = Heap()

    def remove(self, key: ZoneKey, kind: str, number: int = 1) -> None:
        """Pieces leave a zone, and nobody minds where in it they lay."""
        if kind in self.book.copies:
            for _ in range(number):
                copy = self.lowest(kind, key)
                self.remove(key, copy)
                self._empty(copy)
            return
        for left in range(number, 0, -1):
            self.remove_one(key, kind, left)

    def remove_one(self, key: ZoneKey, kind: str, wanted: int = 1) -> int:
        """Takes a piece out of a zone; gives who knew which one it is."""
        heap = self.position.heaps[key]
        held = heap.holds(kind)
        if held < wanted:
            name = self.book.written(self.book.zone(key[0]).of, kind)
            raise BrokenRuleError(f"{wanted} {name} should leave {self._label(key)}, which holds {held}")
        known = heap.remove(kind)
        assert known is not None
        return known | self._who_sees(key)

    def insert(
        self, key: ZoneKey, kind: str, number: int = 1, *, where: str = "", known: int = NOBODY
    ) -> None:
        """where, in a pile: `top`, `bottom`, or nobody knows; `known`: who knows it there. A row gets it at
        its end."""
        if kind in self.book.copies:
            for _ in range(number):
                self.insert(key, self.unused(kind), where=where, known=known)
            return
        zone, heap = self.book.zone(key[0]), self.position.heaps[key]
        if zone.capacity is not None and heap.size + number > zone.capacity:
            raise BrokenRuleError(f"{self._label(key)} has no room: it takes at most {zone.capacity}")
        if heap.size + number > MANY:
            raise BrokenRuleError(f"{self._label(key)} would hold more than {MANY} pieces")
        for _ in range(number):
            if zone.kind == "row":
                heap.append(kind)
            elif zone.kind == "pile" and where == "top":
                heap.put_on(kind, known | self._who_sees(key))
            elif zone.kind == "pile" and where == "bottom":
                heap.put_under(kind, known | self._who_sees(key))
            else:
                heap.add(kind)
            self.happened.append(Entered(key[0], kind, None))

    def _room(self, key: ZoneKey) -> int | None:
        capacity = self.book.zone(key[0]).capacity
        return None if capacity is None else capacity - self.position.heaps[key].size

    def _gain_pieces(self, stmt: GainPieces) -> None:
        seat, kind = self.evaluator.seat(stmt.player), self.evaluator.text(stmt.kind)
        amount = self._amount(stmt.amount, up_to=stmt.up_to)
        key = self.evaluator.zone_key(stmt.zone)
        room = self._room(key)
        if stmt.up_to and room is not None:
            amount = min(amount, room)
        self.insert(key, kind, amount)
        if amount > 0:
            self.happened.append(Gained(stmt.zone.name, kind, seat, amount))

    def _pay_pieces(self, stmt: PayPieces) -> None:
        kind, amount = self.evaluator.text(stmt.kind), self._amount(stmt.amount)
        to = None if stmt.to is None else self.evaluator.seat(stmt.to)
        self.remove(self.evaluator.zone_key(stmt.zone), kind, amount)
        if to is not None:
            self.insert((stmt.zone.name, to), kind, amount)
            if amount > 0:
                self.happened.append(Gained(stmt.zone.name, kind, to, amount))

    def _put(self, stmt: Put) -> None:
        key = self.evaluator.zone_key(stmt.zone)
        for number, kind in stmt.items:
            self.insert(key, self.evaluator.text(kind), self._amount(number))

    def _swap(self, stmt: Swap) -> None:
        old, new = self.evaluator.text(stmt.old), self.evaluator.text(stmt.new)
        heap = self.evaluator.heap(stmt.zone)
        gone = self.book.copies.get(old, (old,))
        here = [kind for kind in gone if heap.holds(kind)]
        for part in (heap.top, heap.bottom):
            for place, kind in enumerate(part):
                if kind in gone:
                    part[place] = self.unused(new)
        for kind in gone:
            for _ in range(heap.counts.pop(kind, 0)):
                heap.add(self.unused(new))
        for kind in here if old in self.book.copies else ():
            self._empty(kind)

    def _move(self, stmt: Move) -> None:
        source = self.evaluator.zone_key(stmt.source)
        kind = self.lowest(self.evaluator.text(stmt.kind), source)
        if isinstance(stmt.target, ZoneRef):
            target = self.evaluator.zone_key(stmt.target)
            known = self.remove_one(source, kind)
            self.insert(target, kind, where="bottom" if stmt.under else "top", known=known)
            return
        space = self.evaluator.space(stmt.target)
        turn = 0 if stmt.turned is None else self.evaluator.number(stmt.turned)
        self.remove(source, kind)
        self.lay(board_of(stmt.target), space, self._piece(source, kind, turn))

    def _piece(self, source: ZoneKey, kind: str, turn: int) -> Piece:
        """What a piece of a zone is once it lies on a board."""
        of = self.book.zone(source[0]).of
        if not self.book.rulebook.pieces[of].owned:
            return Piece(of, kind, None, turn)
        if source[1] == GAME:
            raise BrokenRuleError(
                f"a piece of {of} belongs to a player, but those in {self._label(source)} to nobody"
            )
        return Piece(of, kind, source[1], turn)

    def lay(self, name: str, space: Space, piece: Piece) -> None:
        """Puts a piece on top of a space of a board."""
        board = self.book.rulebook.boards[name]
        low, high = -(board.across // 2), board.across // 2 - 1
        if not (low <= space[0] <= high and low <= space[1] <= high):
            raise BrokenRuleError(
                f"{show_space(space)} lies outside '{name}', which reaches from {low} to {high}"
            )
        stack = self.position.boards[name].get(space, ())
        capacity = self._capacity(name, space, piece.of)
        if capacity == 0:
            raise BrokenRuleError(f"'{name}' takes no piece of {piece.of} on {show_space(space)}")
        if sum(1 for other in stack if other.of == piece.of) >= capacity:
            raise BrokenRuleError(
                f"{show_space(space)} has no room: it takes at most {capacity} of {piece.of}"
            )
        self.position.boards[name][space] = (*stack, piece)
        self.happened.append(Entered(name, piece.kind, space))

    def _capacity(self, board: str, space: Space, of: str) -> int:
        """How many pieces of a type a space takes, by the board's `on` lines."""
        found = 0
        for holds in self.book.rulebook.boards[board].holds:
            env = {slot_key(holds.x): space[0], slot_key(holds.y): space[1]}
            if holds.piece == of and self.evaluator.flag(holds.condition, env):
                found = max(found, holds.capacity)
        return found

    # -------------------------------------------------------------------------------- chance

    def _draw(self, stmt: Draw) -> None:
        source = self.evaluator.zone_key(stmt.source)
        target = self.evaluator.zone_key(stmt.target) if isinstance(stmt.target, ZoneRef) else None
        amount = self._amount(stmt.amount, up_to=stmt.up_to)
        size = self.position.heaps[source].size
        if stmt.up_to:
            amount = min(amount, size)
            room = None if target is None else self._room(target)
            amount = amount if room is None else min(amount, room)
        if amount > size:
            raise BrokenRuleError(f"{amount} should be drawn from {self._label(source)}, which holds {size}")
        if isinstance(stmt.target, ZoneRef):
            assert target is not None
            for _ in range(amount):
                kind, known = self._next_piece(source, self._who_sees(target))
                self.insert(target, kind, where="top", known=known)
            return
        board, space = board_of(stmt.target), self.evaluator.space(stmt.target)
        for _ in range(amount):
            self.lay(board, space, self._piece(source, self._next_piece(source, ALL)[0], 0))

    def _who_sees(self, key: ZoneKey) -> int:
        """Who sees the pieces in a zone."""
        zone = self.book.zone(key[0])
        if zone.visibility == OPEN:
            return ALL
        return 1 << key[1] if zone.visibility == SECRET and zone.owner == "player" else NOBODY

    def _look(self, stmt: Look) -> None:
        """The order of what is seen is known from now on: an unknown piece is drawn."""
        seat, key = self.evaluator.seat(stmt.player), self.evaluator.zone_key(stmt.zone)
        amount, heap = self._amount(stmt.amount), self.position.heaps[key]
        if amount > heap.size:
            raise BrokenRuleError(
                f"{amount} of {self._label(key)} should be looked at, which holds {heap.size}"
            )
        mask = 1 << seat
        seen = [self._next_piece(key, mask) for _ in range(amount)]
        for kind, known in reversed(seen):
            heap.put_on(kind, known | mask)

    def _next_piece(self, source: ZoneKey, seen: int) -> tuple[str, int]:
        """Takes the top piece of a pile, or any of a bag: a chance outcome, shown to those who see it,
        unless it is known; then it is told to those who did not know it. Gives who knows it, `seen` left
        out."""
        heap = self.position.heaps[source]
        of = self.book.zone(source[0]).of
        path = source[0] if source[1] == GAME else f"{source[0]}[{source[1]}]"
        first = heap.take_first()
        if first is not None:
            kind, known = first
            if seen & ~known:
                self._note(RevealEvent(path, self.book.written(of, kind), self._seats(seen)))
            return first
        counts: dict[str, int] = {}
        kinds: list[str] = []  # of copies, which are all written alike, the lowest
        for kind, number in self.book.by_order(of, heap.counts).items():
            written = self.book.written(of, kind)
            if written not in counts:
                kinds.append(kind)
            counts[written] = counts.get(written, 0) + number
        outcomes = list(counts.items())
        index = outcome(self.position, path, outcomes, self.outside)
        heap.take_unknown(kinds[index])
        self._note(ChanceEvent(path, outcomes[index][0], self._seats(seen)))
        return kinds[index], self._who_sees(source)

    def _seats(self, mask: int) -> tuple[int, ...] | None:
        """Some seats as in events; None: everybody."""
        if mask == ALL:
            return None
        return tuple(seat for seat in range(self.position.players) if knows(mask, seat))

    def _chance(self, stmt: Chance) -> None:
        values = self.evaluator.items(stmt.source)
        if not values:
            raise BrokenRuleError(f"'{stmt.name}' has nothing to choose from")
        shown = [self.book.to_json(value, stmt.slot.type) for value in values]
        index = outcome(self.position, stmt.name, [(value, 1) for value in shown], self.outside)
        self.position.locals[slot_key(stmt.slot)] = values[index]
        self._note(ChanceEvent(stmt.name, shown[index], None))

    def _reveal(self, stmt: Reveal) -> None:
        seen_by = None if stmt.to is None else (self.evaluator.seat(stmt.to),)
        value = self.book.to_json(self.evaluator.value(stmt.value), stmt.value.type)
        self._note(RevealEvent(self._what(stmt.value), value, seen_by))

    def _what(self, expr: Expr) -> str:
        """What a revealed thing is called: a variable or zone by its path, as sources of chance are; a local
        by its name."""
        match expr:
            case GlobalVar(name=name) | SpaceVar(name=name) | ZoneRef(name=name, player=None):
                return name
            case ZoneRef(name=name) if self.book.is_carried(name):
                return name
            case PlayerVar(name=name, player=player) | ZoneRef(name=name, player=player):
                assert player is not None
                return f"{name}[{self.evaluator.seat(player)}]"
            case _:
                name = expr.slot.name if isinstance(expr, Local) else "value"
                whose = self.graph.whose.of(expr)
                return name if whose is None else f"{name}[{self.evaluator.seat(whose)}]"

    def _note(self, event: Event) -> None:
        if self.log is not None:
            self.log(event)


def _name_of(place: Place) -> str:
    return place.slot.name if isinstance(place, Local) else place.name
