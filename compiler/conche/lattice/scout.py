"""Many games, fast: on the generated engine, which marks what it goes by.

Purpose: the part of the search for a witness that looks for what happens seldom; it can run in any process.
Input: a `Batch` of games at random, or an `Errand`: a game in which everybody wants the same. Output: the
games in which something was marked that was not known before.
Invariants: the same task gives the same games. Options and chance are numbered as in the interpreter, so a
game found here can be played again there, move by move.

An errand is a nested search (Cazenave 2009): of some options each is followed by a game at random to its end,
and the next moves are those of the best such game so far. It has no opponents: all seats want that one of
them has much of this and little of that. Every one of those games may come upon something on its way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from conche.lattice.coverage import marked
from conche.lattice.games import Game, Move
from conche.lattice.wishes import Topic, Wish
from conche_runtime.errors import RulesError
from conche_runtime.samples import stream_keys

_LONGEST = 2000
"""Decisions after which a game is left."""

_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Batch:
    """So many games at random, the first one with this seed. `known`: the marks that are not new."""

    players: int
    seed: int
    games: int
    known: int


@dataclass(frozen=True, slots=True)
class Errand:
    """A game begun with this seed in which all want what is wished for `seat`; `width` options are looked at,
    and then `stride` moves made; at last so many `climbs`, in which a part of the best game is changed."""

    players: int
    seed: int
    seat: int
    wishes: tuple[Wish, ...]
    at_end: bool
    known: int
    width: int = 8
    stride: int = 3
    climbs: int = 300


@dataclass(frozen=True, slots=True)
class Find:
    """A game, and the marks that are new in it. `value`: of an errand's best game, how good it was."""

    game: Game
    new: int
    value: float | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A game: how good it is where it is best, after how many moves that is, and its marks."""

    moves: list[Move]
    over: bool
    value: float
    peak: int
    marks: int = 0


class Scout:
    """Plays on one ruleset's engine, of which this is the text."""

    def __init__(self, text: str) -> None:
        made = marked(text)
        self.engine, self.marks = made.engine, made.marks
        self.scores: Sequence[tuple[str, Callable[[Any, int], int]]] = self.engine.game.scores

    # ------------------------------------------------------------------------------------ at random

    def batch(self, task: Batch) -> list[Find]:
        known, found = task.known, list[Find]()
        for seed in range(task.seed, task.seed + task.games):
            self.marks[:] = bytes(len(self.marks))
            uniform, taken = random.Random(seed).random, list[int]()
            try:
                state = self.engine.start(task.players, seed)
                over = _play_on(state, uniform, taken)
                new = self._marked(state, over) & ~known
            except RulesError:
                continue
            if new:
                known |= new
                moves = tuple([Move(index, None) for index in taken])
                found.append(Find(Game(task.players, seed, moves, 0, over), new))
        return found

    def _marked(self, state: Any, over: bool) -> int:
        """What was marked since the marks were last wiped; at the end of a game also, which scores are not
        all 0."""
        bits = 0
        if over:
            for place, (_, value) in enumerate(self.scores):
                if any(value(state, seat) for seat in range(state.players)):
                    bits |= 1 << place
            state.ranking  # noqa: B018  for its marks
        return bits << 8 * len(self.marks) | int.from_bytes(self.marks, "little")

    # ------------------------------------------------------------------------------------ with a wish

    def errand(self, task: Errand) -> list[Find]:
        try:
            return list(self._errand(task))
        except RulesError:
            return []

    def _errand(self, task: Errand) -> Iterator[Find]:
        rnd = random.Random(task.seed)
        worth, at_end = self._reader(task), task.at_end
        self.marks[:] = bytes(len(self.marks))
        states = [self.engine.start(task.players, task.seed)]
        known = task.known
        best = _Line([], states[0].over, float("-inf"), 0)

        def tried(cut: int, index: int) -> _Line | None:
            """The game that goes on at random from a place of the best one with this option."""
            state = states[cut].clone()
            first = Move(index, rnd.randrange(_SEEDS))
            try:
                _reseed(self.engine, state, first.seed)
                _step(state, index)
                taken, over, value, peak = _follow(state, rnd.random, worth, at_end=at_end)
                new = self._marked(state, over)
            except RulesError:
                return None
            moves = [*best.moves[:cut], first, *[Move(one, None) for one in taken]]
            return _Line(moves, over, value, cut + 1 + peak, new)

        def found(line: _Line) -> Find | None:
            nonlocal known
            new, known = line.marks & ~known, known | line.marks
            game = Game(task.players, task.seed, tuple(line.moves), 0, line.over)
            return Find(game, new) if new else None

        def forward(cut: int) -> None:
            """The positions of the best game, from this one on."""
            del states[cut + 1 :]
            for move in best.moves[cut:]:
                state = states[-1].clone()
                _reseed(self.engine, state, move.seed)
                _step(state, move.index)
                states.append(state)

        here = 0
        while here < len(states) and (count := _count(states[here])):
            before = best
            for index in range(count) if count <= task.width else rnd.sample(range(count), task.width):
                line = tried(here, index)
                if line is None:
                    continue
                if find := found(line):
                    yield find
                if line.value > best.value:
                    best = line
            if best is not before:
                forward(here)
            here += task.stride
        for _ in range(task.climbs):
            if len(states) < 2:
                break
            # Most often something shortly before the best place is changed.
            last = min(best.peak, len(states) - 2)
            cut = rnd.randrange(last + 1) if rnd.random() < 0.3 else last - min(last, int(rnd.expovariate(0.2)))
            count = _count(states[cut])
            line = tried(cut, rnd.randrange(count)) if count else None
            if line is None:
                continue
            if find := found(line):
                yield find
            if line.value >= best.value:
                best = line
                forward(cut)
        yield Find(Game(task.players, task.seed, tuple(best.moves), 0, best.over), 0, best.value)

    def _reader(self, task: Errand) -> Callable[[Any], float]:
        """How good a position is."""
        readers = [
            (wish.weight, reader)
            for wish in task.wishes
            if (reader := self._read(wish.topic, task.seat)) is not None
        ]

        def worth(state: Any) -> float:
            return sum(weight * read(state) for weight, read in readers)

        return worth

    def _read(self, topic: Topic, seat: int) -> Callable[[Any], float] | None:
        game = self.engine.game
        match topic.what:
            case "variable":
                variable = next((one for one in game.variables if one.name == topic.name), None)
                if variable is None or variable.owner not in ("game", "player"):
                    return None
                return _sized(variable.attribute, seat if variable.owner == "player" else None)
            case "zone":
                zone = game.zone_named.get(topic.name)
                return None if zone is None or zone.carriers else _held(zone, topic.kind, seat)
            case "local":
                saved = [one for one, _ in game.saved if one == topic.name or one.endswith(f"_{topic.name}")]
                return _sized(saved[0], None) if saved else None
            case _:
                found = [value for name, value in self.scores if name == topic.name]
                return (lambda state: found[0](state, seat)) if found else None


def _count(state: Any) -> int:
    """How many options there are for whoever is asked first."""
    if state.options or state.over or not state.to_act:
        return int(state.options)
    return int(state.count(state.to_act[0]))


def _step(state: Any, index: int) -> None:
    if state.options:
        state.step(index)
    else:
        state.step(index, state.to_act[0])


def _reseed(engine: Any, state: Any, seed: int | None) -> None:
    """All chance from now on is that of another seed."""
    if seed is not None:
        state.seed, state.keys = seed, stream_keys(engine.game, seed)


def _play_on(state: Any, uniform: Callable[[], float], taken: list[int]) -> bool:
    """At random to the end, or until it is too long; whether it came to the end."""
    step, take = state.step, taken.append
    for _ in range(_LONGEST):
        count = state.options
        if count:
            index = int(uniform() * count)
            step(index)
        else:
            if state.over or not state.to_act:
                break
            seat = state.to_act[0]
            index = int(uniform() * state.count(seat))
            step(index, seat)
        take(index)
    return bool(state.over)


def _follow(
    state: Any, uniform: Callable[[], float], worth: Callable[[Any], float], *, at_end: bool
) -> tuple[list[int], bool, float, int]:
    """At random to the end: the options taken, whether it came there, the value where it was best, and after
    how many of them that was."""
    taken: list[int] = []
    if at_end:
        over = _play_on(state, uniform, taken)
        return taken, over, worth(state), len(taken)
    value, peak = worth(state), 0
    while len(taken) < _LONGEST and (count := _count(state)):
        index = int(uniform() * count)
        _step(state, index)
        taken.append(index)
        now = worth(state)
        if now > value:
            value, peak = now, len(taken)
    return taken, bool(state.over), value, peak


def _sized(attribute: str, seat: int | None) -> Callable[[Any], float]:
    """A number, or how many a list has."""

    def read(state: Any) -> float:
        value = getattr(state, attribute)
        if seat is not None:
            value = value[seat]
        if isinstance(value, int):
            return value if value > -(1 << 30) else 0
        return len(value) if hasattr(value, "__len__") else 0

    return read


def _held(zone: Any, kind: str | None, seat: int) -> Callable[[Any], float] | None:
    """How many pieces a zone has, of one kind or of all."""
    attribute, names = zone.attribute, zone.kinds.names
    owned = zone.owner == "player"
    if kind is not None and kind not in names:
        return None
    number = None if kind is None else names.index(kind)
    if zone.storage == "row":

        def of_row(state: Any) -> float:
            row = getattr(state, attribute)
            row = row[seat] if owned else row
            return len(row) if number is None else row.count(number)

        return of_row
    start = seat * len(names) if owned else 0

    def of_counts(state: Any) -> float:
        counts = getattr(state, attribute)
        return sum(counts[start : start + len(names)]) if number is None else counts[start + number]

    return of_counts
