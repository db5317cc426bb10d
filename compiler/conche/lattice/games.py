"""Games of a witness, played again.

Input: a ruleset's interpreter and a `Game`. Output: what it reaches and when; the chance that it had, so that
a record can hold it.
Invariants: a game is a list of moves, each, where it is not to go on as it was, with the seed of all chance
from there on. So chance is as free as the choices are, and the same moves always give the same game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.lattice.attempt import Move
from conche.lattice.tracing import TracingMachine, Watch
from conche_runtime.errors import ChanceError
from conche_runtime.interface import ChanceEvent, Event
from conche_runtime.records import Recorder


@dataclass(frozen=True, slots=True)
class Game:
    """`seed`: of the chance in the set-up. `moves`: decision by decision. `new`: how many rules it is the
    first to reach. `over`: played to its end."""

    players: int
    seed: int
    moves: tuple[Move, ...]
    new: int
    over: bool


def replay(
    interpreter: Interpreter, watch: Watch, game: Game, log: Callable[[Event], None] | None = None
) -> Iterator[set[int]]:
    """What is reached: in the set-up, then move by move."""
    position = interpreter.before_setup(game.players, game.seed)
    machine = TracingMachine(interpreter.program, position, watch, log)
    machine.run()
    for move in game.moves:
        asked = TracingMachine(interpreter.program, position, watch)
        options = asked.options()
        yield {*machine.reached, *asked.reached}
        if move.seed is not None:
            position.seed = move.seed
        machine = TracingMachine(interpreter.program, position, watch, log)
        machine.take(options[move.index])
        machine.run()
    if position.node == ActionGraph.END:
        machine.finish(watch)
        yield set(machine.reached)
    else:
        asked = TracingMachine(interpreter.program, position, watch)
        asked.options()
        yield {*machine.reached, *asked.reached}


Trace = dict[int, int]
"""By rule, after how many moves it is first reached."""


def trace_of(interpreter: Interpreter, watch: Watch, game: Game) -> Trace:
    first: Trace = {}
    for move, reached in enumerate(replay(interpreter, watch, game)):
        for number in sorted(reached):
            first.setdefault(number, move)
    return first


def record(interpreter: Interpreter, game: Game, path: str | os.PathLike[str]) -> None:
    """Writes a game as a record, with its chance outcome by outcome."""
    events: list[Event] = []
    for _ in replay(interpreter, Watch((), interpreter.program.book.rulebook), game, events.append):
        pass
    chance = _Given([(event.source, event.value) for event in events if isinstance(event, ChanceEvent)])
    state = interpreter.start(game.players, chance=chance, log=True)
    with Recorder(interpreter, state, Path(path), overwrite=True) as recorder:
        for move in game.moves:
            recorder.apply(move.index, state.to_act[0])
        recorder.close(keep=True)


class _Given:
    """Outside chance: these outcomes, one after the other."""

    def __init__(self, outcomes: Sequence[tuple[str, Any]]) -> None:
        self._rest = iter(outcomes)

    def __call__(self, source: str, outcomes: Sequence[tuple[Any, int]]) -> Any:
        expected, value = next(self._rest, (None, None))
        if expected != source:
            raise ChanceError(f"chance of '{source}' was not to come, but of '{expected}'")
        return value
