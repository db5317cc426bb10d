"""One set-up, watched: which pieces go from where to where.

Purpose: runs the set-up of a rulebook in the reference interpreter and notes every piece that moves.
Input: an `Interpreter`, a number of players, who settles chance and choices. Output: a `Watched`.
Invariants: what moves is read off the position before and after each statement, so nothing here repeats what
a statement means. A piece that is drawn has no kind here: chance settles that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from conche.graph.model import ActionGraph, Node
from conche.interpret import Interpreter
from conche.interpret.decisions import Program
from conche.interpret.machine import Machine
from conche.interpret.position import GAME, Position
from conche.semantics.rulebook import Draw, GainPieces, Move, PayPieces, Put, Swap, Take
from conche_runtime.interface import ChanceSource

BOX = "box"
"""Where pieces come from that are in no zone yet, and where those go that leave the game."""

MOST_DECISIONS = 10_000
"""A set-up with more decisions than that is given up."""

Choices = Callable[[int], int]
"""Takes one of so many options."""


class Moved(NamedTuple):
    """Pieces that one step of the rules moves. `kind`: as written; None where a draw settles it. `seat`:
    whose they are, `GAME` for nobody's."""

    step: str
    piece: str
    kind: str | None
    source: str
    target: str
    seat: int


class Lying(NamedTuple):
    """Pieces of a kind in one place."""

    place: str
    seat: int
    piece: str
    kind: str


@dataclass(slots=True)
class Watched:
    """`asked`: how many decisions were taken; `whole`: the set-up came to its end."""

    moved: Counter[Moved] = field(default_factory=Counter)
    lying: Counter[Lying] = field(default_factory=Counter)
    asked: int = 0
    whole: bool = True


def watch_setup(interpreter: Interpreter, players: int, chance: ChanceSource, choose: Choices) -> Watched:
    """Runs the set-up once. `RulesError` where the rules do what they forbid."""
    position = interpreter.before_setup(players, None, chance)
    watched = Watched()
    machine = _Watching(interpreter.program, position, chance, watched.moved)
    watched.asked, watched.whole = _run(machine, choose)
    watched.lying = machine.lying()
    return watched


def run_setup(interpreter: Interpreter, players: int, chance: ChanceSource, choose: Choices) -> None:
    """Runs the set-up once and looks at nothing. `RulesError` where the rules do what they forbid."""
    position = interpreter.before_setup(players, None, chance)
    _run(Machine(interpreter.program, position, chance), choose)


def _run(machine: Machine, choose: Choices) -> tuple[int, bool]:
    """How many decisions were taken, and whether the set-up came to its end."""
    position = machine.position
    machine.run(until=ActionGraph.PLAY)
    asked = 0
    while position.node not in (ActionGraph.PLAY, ActionGraph.END):
        if asked == MOST_DECISIONS:
            return asked, False
        options = machine.options()
        machine.take(options[choose(len(options))])
        asked += 1
        machine.run(until=ActionGraph.PLAY)
    return asked, True


class _Watching(Machine):
    """A machine that notes what each statement on pieces moves."""

    def __init__(
        self, program: Program, position: Position, chance: ChanceSource, moved: Counter[Moved]
    ) -> None:
        super().__init__(program, position, chance)
        self._moved = moved

    def _advance(self, node: Node) -> str | None:
        if not isinstance(node.owns, Put | Take | Swap | Move | Draw | GainPieces | PayPieces):
            return super()._advance(node)
        before = self.lying()
        following = super()._advance(node)
        self._note(node, before, self.lying())
        return following

    def lying(self) -> Counter[Lying]:
        """Everything that lies somewhere."""
        found: Counter[Lying] = Counter()
        for (name, seat), heap in self.position.heaps.items():
            zone = self.book.zone(name)
            owner = seat if zone.owner == "player" else GAME
            for kind, number in heap.total().items():
                found[Lying(name, owner, zone.of, self.book.written(zone.of, kind))] += number
        for name, board in self.position.boards.items():
            for stack in board.values():
                for piece in stack:
                    owner = GAME if piece.owner is None else piece.owner
                    found[Lying(name, owner, piece.of, self.book.written(piece.of, piece.kind))] += 1
        return found

    def _note(self, node: Node, before: Counter[Lying], after: Counter[Lying]) -> None:
        step = node.routine.removesuffix(".original")
        gone, come = before - after, after - before
        for piece, kind in dict.fromkeys((lying.piece, lying.kind) for lying in (*gone, *come)):
            sources = _listed(gone, piece, kind)
            targets = _listed(come, piece, kind)
            shown = None if isinstance(node.owns, Draw) else kind
            for number in range(max(len(sources), len(targets))):
                source = sources[number] if number < len(sources) else None
                target = targets[number] if number < len(targets) else None
                seats = [lying.seat for lying in (target, source) if lying is not None]
                places = [BOX if lying is None else lying.place for lying in (source, target)]
                seat = next((seat for seat in seats if seat != GAME), GAME)
                self._moved[Moved(step, piece, shown, places[0], places[1], seat)] += 1


def _listed(lying: Counter[Lying], piece: str, kind: str) -> list[Lying]:
    """One entry for each piece, by place."""
    return [one for one in sorted(lying) if (one.piece, one.kind) == (piece, kind) for _ in range(lying[one])]
