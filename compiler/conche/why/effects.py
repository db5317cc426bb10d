"""What a move did, statement by statement, each with the rule it came from.

Purpose: `conche log --rules`, and whoever wants to follow the rules step by step.
Input: an interpreter that notes what it does, its states. Output: what has happened in a step, in order:
`Took` a case of a decision, `Effect`s of statements, and the events of the interface.
Invariants: it plays as `Interpreter` does. What a statement did is found by comparing the table before and
after it, so nothing is left out. To a player what he does not see is shown as its size, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from conche.diagnostics.lists import counted
from conche.graph.model import ActionGraph, Node, choose_of
from conche.interpret.book import Book
from conche.interpret.decisions import Program
from conche.interpret.execute import Effect as Statement
from conche.interpret.machine import Machine
from conche.interpret.options import Option
from conche.interpret.position import GAME, Heap, Piece, Position, Space, Value
from conche.interpret.state import Interpreter, InterpreterState
from conche.semantics.rulebook import EachPlayer
from conche.why.course import cites_of
from conche.why.seen import Seen
from conche.why.texts import Texts
from conche.why.words import kind_text, value_text
from conche_runtime.explanation import Rule
from conche_runtime.interface import ChanceSource, Event, ForcedEvent


@dataclass(frozen=True, slots=True)
class Effect:
    """A change. kind: `variable`, `pieces`, `space` (an attribute of one), `out`, `score`. what: its name in
    the rules; of pieces the zone or board that they came to, or left. player: whose it is. before, after: in
    words; of pieces that moved, from where and to where. text: all of it in one line."""

    kind: str
    what: str
    player: int | None
    before: str
    after: str
    text: str
    rule: Rule

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "what": self.what,
            "player": self.player,
            "before": self.before,
            "after": self.after,
            "text": self.text,
            "rule": self.rule.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Took:
    """A case of a decision was taken, by the rule that allows it."""

    player: int
    decision: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies on the table, as it was."""

    variables: dict[tuple[str, int], Value]
    attributes: dict[tuple[str, str, Space], Value]
    heaps: dict[tuple[str, int], Heap]
    boards: dict[str, dict[Space, tuple[Piece, ...]]]
    out: tuple[int, ...]

    @classmethod
    def of(cls, position: Position) -> Table:
        return cls(
            dict(position.variables),
            dict(position.attributes),
            {key: heap.copy() for key, heap in position.heaps.items()},
            {name: dict(board) for name, board in position.boards.items()},
            position.out,
        )


@dataclass(frozen=True, slots=True)
class _Change:
    """What a statement did: the table before and after it."""

    node: Node
    before: Table
    after: Table


@dataclass(frozen=True, slots=True)
class _Taken:
    node: Node
    player: int
    case: int


Note: TypeAlias = "_Change | _Taken | Event"
Happening: TypeAlias = "Effect | Took | Event"


class _NotingMachine(Machine):
    """A machine that keeps what it does. `notes`: in order."""

    def __init__(
        self,
        program: Program,
        position: Position,
        outside: ChanceSource | None,
        log: Callable[[Event], None],
    ) -> None:
        def told(event: Event) -> None:
            self.notes.append(event)
            log(event)

        self.notes: list[Note] = []
        super().__init__(program, position, outside, told)

    def _statement(self, node: Node) -> str | None:
        if not isinstance(node.owns, Statement):
            return super()._statement(node)
        before = Table.of(self.position)
        following = super()._statement(node)
        self.notes.append(_Change(node, before, Table.of(self.position)))
        return following

    def _take(self, node: Node, option: Option) -> str:
        chooser = self.evaluator.seat(choose_of(node).chooser)
        self.notes.append(_Taken(node, chooser, option.case))
        return super()._take(node, option)


class NotingInterpreter(Interpreter):
    """An interpreter whose states can tell what their last step did."""

    def __init__(self, graph: ActionGraph, texts: Texts | None = None) -> None:
        super().__init__(graph)
        self.rules = texts or self.texts
        self._machines: list[_NotingMachine] = []

    def machine(
        self, position: Position, chance: ChanceSource | None, log: Callable[[Event], None]
    ) -> Machine:
        made = _NotingMachine(self.program, position, chance, log)
        self._machines.append(made)
        return made

    def forget(self) -> None:
        """What was noted so far is not asked for any more."""
        self._machines.clear()

    def last_of(self, state: InterpreterState, eyes: int | None = None) -> list[Happening]:
        """What the step did that led to a state: the set-up, or the last move. `eyes`: as that player sees
        it; None: the host. Nothing where it has been forgotten."""
        found = [machine for machine in self._machines if machine.position is state.position]
        return list(self._told(found[-1], state, eyes)) if found else []

    def told(
        self, before: InterpreterState | None, after: InterpreterState, eyes: int | None = None
    ) -> list[Happening]:
        """The same, and behind it the scores that have changed since the state before."""
        found = self.last_of(after, eyes)
        if before is not None:
            teller = Teller(self.program, self.rules, after.position, eyes)
            found += teller.scores(before.position, after.position)
        return found

    def _told(
        self, machine: _NotingMachine, state: InterpreterState, eyes: int | None
    ) -> Iterator[Happening]:
        teller = Teller(self.program, self.rules, state.position, eyes)
        before: Note | None = None
        for note in machine.notes:
            last, before = before, note
            match note:
                case _Change():
                    yield from teller.effects(note.node, note.before, note.after)
                case _Taken():
                    choose = choose_of(note.node)
                    if eyes not in (None, note.player) and self._is_quiet(note, last):
                        continue
                    case = choose.cases[note.case]
                    cites = cites_of(self.program.graph, note.node, case.cites)
                    rule = self.rules.rule(case.span, note.node.routine, cites)
                    yield Took(note.player, choose.name, rule)
                case _:
                    yield note

    def _is_quiet(self, taken: _Taken, last: Note | None) -> bool:
        """Whether others do not see that a case was taken, or which: a pass, a secret choice, an only option.
        last: what was noted just before it."""
        if isinstance(last, ForcedEvent) and not last.private:
            return True
        choose, loop = choose_of(taken.node), self.program.graph.node(taken.node.parent or taken.node.id)
        secret = isinstance(loop.owns, EachPlayer) and loop.owns.at_once == "secretly"
        return secret or (choose.passes and taken.case == len(choose.cases) - 1)


class Teller:
    """Tells changes to one who sees the table."""

    def __init__(self, program: Program, texts: Texts, position: Position, eyes: int | None) -> None:
        self.graph, self.book, self.texts, self.eyes = program.graph, program.book, texts, eyes
        self._seen = None if eyes is None else Seen(program.book, position, eyes)

    def effects(self, node: Node, before: Table, after: Table) -> Iterator[Effect]:
        """What has changed on the table by one statement."""
        rule = self.texts.rule(node.span, node.routine, cites_of(self.graph, node))
        yield from self._variables(before, after, rule)
        yield from self._attributes(before, after, rule)
        yield from self._pieces(before, after, rule)
        for seat in after.out:
            if seat not in before.out:
                name = self.book.seat_name(seat)
                yield Effect("out", "out", seat, "in", "out", f"{name} is out of the game", rule)

    def scores(self, before: Position, after: Position) -> Iterator[Effect]:
        """The scores that have changed between two positions, as if the game ended, as far as they are
        seen."""
        for name, score in self.book.rulebook.scores.items():
            for seat in range(after.players):
                one, other = (self._score(position, name, seat) for position in (before, after))
                if one is not None and other is not None and one != other:
                    text = f"{self.book.seat_name(seat)}'s score {name} {one} → {other}"
                    rule = self.texts.rule(score.span, f"score.{name}", score.cites)
                    yield Effect("score", name, seat, str(one), str(other), text, rule)

    def _score(self, position: Position, name: str, seat: int) -> int | None:
        score = self.book.rulebook.scores[name]
        seen = Seen(self.book, position, seat if self.eyes is None else self.eyes)
        look = seen.look(score.value, {(score.you.owner, score.you.number): seat})
        if look.fault is not None or (look.hidden and self.eyes is not None):
            return None
        assert isinstance(look.value, int)
        return look.value

    # -------------------------------------------------------------------------------- values

    def _variables(self, before: Table, after: Table, rule: Rule) -> Iterator[Effect]:
        for key in _changed(before.variables, after.variables):
            name, place = key
            if self._seen is not None and not self._seen.sees_variable(name, place):
                continue
            owner = self.book.owner_of(name)
            whose = f"{self.book.whose(name, place).removeprefix(' of ')}." if owner != "game" else ""
            one, other = (self._variable(table, key) for table in (before, after))
            player = place if owner == "player" else None
            yield Effect("variable", name, player, one, other, f"{whose}{name} {one} → {other}", rule)

    def _variable(self, table: Table, key: tuple[str, int]) -> str:
        if key not in table.variables:
            return "unset"
        name = key[0]
        track = self.book.rulebook.tracks.get(name)
        value = table.variables[key]
        if track is not None and isinstance(value, int):
            return f"field {value} ({track.fields[value]})"
        return value_text(self.book, value, self.book.type_of(name))

    def _attributes(self, before: Table, after: Table, rule: Rule) -> Iterator[Effect]:
        for key in _changed(before.attributes, after.attributes):
            board, name, space = key
            if self._seen is not None and not self._seen.sees_attribute(board, name):
                continue
            type_ = self.book.space_var(board, name).type
            one, other = (
                value_text(self.book, table.attributes[key], type_) if key in table.attributes else "unset"
                for table in (before, after)
            )
            place = f"({space[0]}, {space[1]})"
            yield Effect("space", name, None, one, other, f"{place}.{name} {one} → {other}", rule)

    # -------------------------------------------------------------------------------- pieces

    def _pieces(self, before: Table, after: Table, rule: Rule) -> Iterator[Effect]:
        lost: list[_Pieces] = []
        gained: list[_Pieces] = []
        for key in before.heaps:
            one, other = before.heaps[key], after.heaps[key]
            of = self.book.zone(key[0]).of
            seen = self._seen is None or self._seen.sees_zone(*key)
            place = self._place(key)
            if not seen:
                change = other.size - one.size
                if change:
                    (gained if change > 0 else lost).append(_Pieces(key, place, None, abs(change)))
                continue
            held, holds = one.total(), other.total()
            for kind in self.book.order[of]:
                change = holds.get(kind, 0) - held.get(kind, 0)
                if change:
                    piece = kind_text(self.book, of, kind)
                    (gained if change > 0 else lost).append(_Pieces(key, place, piece, abs(change)))
        for name, board in after.boards.items():
            for space in sorted({*board, *before.boards[name]}):
                one_stack, other_stack = before.boards[name].get(space, ()), board.get(space, ())
                if one_stack != other_stack:
                    _stack_change(self.book, name, space, one_stack, other_stack, lost, gained)
        yield from _paired(lost, gained, rule)

    def _place(self, key: tuple[str, int]) -> str:
        name, seat = key
        if seat == GAME or self.book.is_carried(name):
            return name
        return f"{self.book.seat_name(seat)}.{name}"


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Pieces of a kind (None: not seen) that left a place, or came to it."""

    key: tuple[str, int]
    place: str
    kind: str | None
    number: int

    @property
    def said(self) -> str:
        if self.kind is None:
            return counted(self.number, "piece")
        return self.kind if self.number == 1 else f"{self.number} × {self.kind}"

    @property
    def player(self) -> int | None:
        return None if self.key[1] < 0 else self.key[1]


def _stack_change(
    book: Book,
    board: str,
    space: Space,
    before: tuple[Piece, ...],
    after: tuple[Piece, ...],
    lost: list[_Pieces],
    gained: list[_Pieces],
) -> None:
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    place = f"{board} ({space[0]}, {space[1]})"
    for pieces, into in ((before[same:], lost), (after[same:], gained)):
        for piece in pieces:
            into.append(_Pieces((board, GAME), place, kind_text(book, piece.of, piece.kind), 1))


def _paired(lost: list[_Pieces], gained: list[_Pieces], rule: Rule) -> Iterator[Effect]:
    """What came from where to where, in the order in which it is found; the rest by itself. First the same
    kind, then, where a kind is not seen on one side, any."""
    out = [one.number for one in lost]
    in_ = [one.number for one in gained]
    pairs: list[tuple[int, int, int]] = []
    for sure in (True, False):
        for i, one in enumerate(lost):
            for j, other in enumerate(gained):
                alike = one.kind == other.kind if sure else None in (one.kind, other.kind)
                number = min(out[i], in_[j])
                if alike and number:
                    out[i] -= number
                    in_[j] -= number
                    pairs.append((i, j, number))
    for i, j, number in sorted(pairs):
        one, other = lost[i], gained[j]
        said = replace(one if one.kind is not None else other, number=number).said
        player = other.player if other.player is not None else one.player
        text = f"{said}: {one.place} → {other.place}"
        yield Effect("pieces", other.key[0], player, one.place, other.place, text, rule)
    for one, number in zip(lost, out, strict=True):
        if number:
            text = f"{replace(one, number=number).said}: {one.place} → the box"
            yield Effect("pieces", one.key[0], one.player, one.place, "the box", text, rule)
    for other, number in zip(gained, in_, strict=True):
        if number:
            text = f"{replace(other, number=number).said}: the box → {other.place}"
            yield Effect("pieces", other.key[0], other.player, "the box", other.place, text, rule)


def _changed(before: dict[Any, Any], after: dict[Any, Any]) -> list[Any]:
    """The keys of what is not as it was, in order."""
    keys = {**before, **after}
    return sorted(key for key in keys if before.get(key, _NONE) != after.get(key, _NONE))


_NONE = object()


def effects_of(
    state: InterpreterState, index: int, player: int | None = None, eyes: int | None = None
) -> tuple[InterpreterState, list[Happening]]:
    """What a move does: the state after it, and what happened, the changed scores last. `state` is one of a
    `NotingInterpreter`, and stays as it is; its chance is its own, or what it got from outside."""
    engine = state.engine
    assert isinstance(engine, NotingInterpreter)
    after = state.clone()
    after.step(index, player)
    return after, engine.told(state, after, eyes)


__all__ = ["Effect", "Happening", "NotingInterpreter", "Teller", "Took", "effects_of"]
