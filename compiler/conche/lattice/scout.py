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
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass
from typing import Any

from conche.lattice.attempt import Move
from conche.lattice.coverage import marked
from conche.lattice.games import Game
from conche.lattice.wishes import Topic, Wish
from conche_runtime.errors import RulesError
from conche_runtime.samples import stream_keys

_LONGEST = 2000
"""Decisions after which a game is left."""

_SEEDS = 2**31

_ELSEWHERE = -1e6
"""How good a position is where nobody is asked what it is about."""

_TIE = 1e-6

_ALL = 64
"""Of more options than that only so many are looked at."""

_SOME = 10

_FEW = 5
"""Where there are fewer options one of them is taken at random."""

_ABOUT = 0.99
"""Of two games that are as good the one with more options is kept, or one that has nearly as many: where much
is possible something seldom may be."""

_BEYOND = 30
"""So many decisions beyond its best place a changed game is played."""

_AMPLE = 0.3
"""Of what is enough a bit more is a bit better: it may be used up on the way."""


@dataclass(frozen=True, slots=True)
class Batch:
    """So many games at random, the first one with this seed. `known`: the marks that are not new."""

    players: int
    seed: int
    games: int
    known: int


@dataclass(frozen=True, slots=True)
class Errand:
    """A game begun with this seed in which all want what is wished for `seat`, -1 for whoever is asked,
    where `decision` is asked, if it is one; `width` options are looked at,
    and then `stride` moves made; at last so many `climbs`, in which a part of the best game is changed.
    Instead of looking ahead, in so many games all are `saving`: from some move on they avoid what is wished
    for, if it would not be more than ever. What comes of many small occasions at once is reached so."""

    players: int
    seed: int
    seat: int
    wishes: tuple[Wish, ...]
    decision: str | None
    at_end: bool
    known: int
    width: int = 8
    stride: int = 3
    climbs: int = 1000
    saving: int = 0


@dataclass(frozen=True, slots=True)
class Find:
    """A game, and the marks that are new in it. `value`: of an errand's best game, how good it was."""

    game: Game
    new: int
    value: float | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A game: how good it is where it is best, after how many moves that is, `wide`: how many options there
    were in a decision, on average, and its marks."""

    moves: list[Move]
    over: bool
    value: float
    peak: int
    wide: float
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
                new = self.marked(state, over) & ~known
            except RulesError:
                continue
            if new:
                known |= new
                moves = tuple([Move(index, None) for index in taken])
                found.append(Find(Game(task.players, seed, moves, 0, over), new))
        return found

    def marked(self, state: Any, over: bool) -> int:
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
        self.marks[:] = bytes(len(self.marks))
        search = _Nested(self, task, random.Random(task.seed), self._reader(task))
        yield from search.save() if task.saving else search.forward()
        yield from search.climb()
        best = search.best
        yield Find(Game(task.players, task.seed, tuple(best.moves), 0, best.over), 0, best.value)

    def _reader(self, task: Errand) -> Callable[[Any], float]:
        """How good a position is. Without a seat: for whoever is asked."""
        readers = [
            (wish.weight, wish.most, reader)
            for wish in task.wishes
            if (reader := self._read(wish.topic, task.seat)) is not None
        ]

        decision = task.decision

        def worth(state: Any) -> float:
            if decision is not None and state.at.name != decision:
                return _ELSEWHERE
            value = 0.0
            for weight, most, read in readers:
                here = read(state)
                if weight < 0:
                    here = 4 * here / (4 + abs(here))  # one less counts the more, the fewer there are
                elif here > most:
                    here = most + _AMPLE * min(4, here - most)
                value += weight * here
            return value

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


class _Nested:
    """One errand. `best`: the best game so far; `states`: its positions, from the first one on."""

    def __init__(self, scout: Scout, task: Errand, rnd: random.Random, worth: Callable[[Any], float]) -> None:
        self.scout, self.task, self.rnd, self.worth = scout, task, rnd, worth
        self.states = [scout.engine.start(task.players, task.seed)]
        self.best = _Line([], self.states[0].over, float("-inf"), 0, 0.0)
        self.options = [0]
        """How many options there were up to each of the positions, all together."""
        self.known = task.known
        self._before = bytes(scout.marks)

    def forward(self) -> Iterator[Find]:
        """From the start on: some options, each to the end; then some moves of the best game."""
        here, width = 0, self.task.width
        while here < len(self.states) and (count := _count(self.states[here])):
            before = self.best
            for index in range(count) if count <= width else self.rnd.sample(range(count), width):
                state = self.states[here].clone()
                move = Move(index, self.rnd.randrange(_SEEDS))
                try:
                    self._take(state, move)
                    line = self._to_the_end(
                        state, [*self.best.moves[:here], move], _LONGEST, self.options[here] + count
                    )
                except RulesError:
                    continue
                yield from self._found(line)
                if line.value > self.best.value:
                    self.best = line
            if self.best is not before:
                self._keep_from(here)
            here += self.task.stride

    def save(self) -> Iterator[Find]:
        """What is wished for is avoided, until there is more of it than ever."""
        long = 1
        for _ in range(self.task.saving):
            state, moves = self.states[0].clone(), list[Move]()
            begin, value, peak, options = self.rnd.randrange(long), float("-inf"), 0, 0
            try:
                while len(moves) < _LONGEST and (count := _count(state)):
                    options += count
                    if len(moves) < begin or count < _FEW:
                        moves.append(Move(self.rnd.randrange(count), self.rnd.randrange(_SEEDS)))
                        self._take(state, moves[-1])
                    else:
                        yield from self._greedy(state, moves, saving=max(value, self.best.value))
                    now = self.worth(state)
                    if now > value:
                        value, peak = now, len(moves)
                long = max(long, len(moves))
                line = self._line(moves, state, value, peak, options / max(1, len(moves)))
            except RulesError:
                continue
            yield from self._found(line)
            if value > self.best.value:
                self.best = line
                self._keep_from(0)

    def climb(self) -> Iterator[Find]:
        """A part of the best game is changed, most often shortly before its best place; what is as good
        takes its place."""
        for _ in range(self.task.climbs):
            last = min(self.best.peak, len(self.states) - 2)
            if last < 0:
                return
            back = last if self.rnd.random() < 0.2 else min(last, int(self.rnd.expovariate(0.15)))
            cut = last - (self.rnd.randrange(last + 1) if back == last else back)
            state, moves, options = self.states[cut].clone(), self.best.moves[:cut], self.options[cut]
            try:
                saving = self.best.value if self.task.saving and self.rnd.random() < 0.5 else None
                for _ in range(self.rnd.choice((0, 1, 2, 3)) if saving is None else self.rnd.randrange(16)):
                    options += _count(state)
                    yield from self._greedy(state, moves, saving)
                line = self._to_the_end(state, moves, self.best.peak - cut + _BEYOND, options)
            except RulesError:
                continue
            yield from self._found(line)
            if (line.value, line.wide) >= (self.best.value, _ABOUT * self.best.wide):
                self.best = line
                self._keep_from(cut)

    def _greedy(self, state: Any, moves: list[Move], saving: float | None = None) -> Iterator[Find]:
        """One move: the option after which the position is best; `saving`: where it is not better than that,
        the worst."""
        count = _count(state)
        if not count:
            return
        most = _ALL if saving is None else _SOME
        options = range(count) if count <= most else sorted(self.rnd.sample(range(count), most))
        seed, best, value = self.rnd.randrange(_SEEDS), 0, float("-inf")
        for index in options:
            trial = state.clone()
            try:
                self._take(trial, Move(index, seed))
            except RulesError:
                continue
            if self.scout.marks != self._before:
                yield from self._found(self._line([*moves, Move(index, seed)], trial, 0.0, 0, 0.0))
            here = self.worth(trial)
            if saving is not None and here <= saving:
                here = min(-here, -_ELSEWHERE) + 2 * _ELSEWHERE
            here += self.rnd.random() * _TIE
            if here > value:
                best, value = index, here
        moves.append(Move(best, seed))
        self._take(state, moves[-1])

    def _take(self, state: Any, move: Move) -> None:
        _reseed(self.scout.engine, state, move.seed)
        _step(state, move.index)

    def _to_the_end(self, state: Any, moves: list[Move], most: int, options: int) -> _Line:
        """At random, if it is not at the end that counts at most so many moves. There were so many `options`
        before."""
        uniform, worth = self.rnd.random, self.worth
        taken: list[int] = []
        if self.task.at_end:
            _play_on(state, uniform, taken)
            value, peak = worth(state), len(taken)
        else:
            value, peak = worth(state), 0
            here = options
            while len(taken) < most and (count := _count(state)):
                index = int(uniform() * count)
                _step(state, index)
                taken.append(index)
                here += count
                now = worth(state)
                if now >= value:
                    value, peak, options = now, len(taken), here
        peak += len(moves)
        moves = [*moves, *[Move(index, None) for index in taken]]
        return self._line(moves, state, value, peak, options / max(1, peak))

    def _line(self, moves: list[Move], state: Any, value: float, peak: int, wide: float) -> _Line:
        over = bool(state.over)
        marks = self.scout.marked(state, over)
        self._before = bytes(self.scout.marks)
        return _Line(moves, over, value, peak, wide, marks)

    def _found(self, line: _Line) -> Iterator[Find]:
        new, self.known = line.marks & ~self.known, self.known | line.marks
        if new:
            yield Find(Game(self.task.players, self.task.seed, tuple(line.moves), 0, line.over), new)

    def _keep_from(self, cut: int) -> None:
        """The positions of the best game, from this one on."""
        del self.states[cut + 1 :], self.options[cut + 1 :]
        for move in self.best.moves[cut:]:
            state = self.states[-1].clone()
            self.options.append(self.options[-1] + _count(state))
            self._take(state, move)
            self.states.append(state)


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


def _seat(state: Any, seat: int) -> int:
    return seat if seat >= 0 else max(0, int(state.actor))


def _sized(attribute: str, seat: int | None) -> Callable[[Any], float]:
    """A number, or how many a list has."""

    def read(state: Any) -> float:
        value = getattr(state, attribute)
        if seat is not None:
            value = value[_seat(state, seat)]
        if isinstance(value, int):
            return value if value > -(1 << 30) else 0
        return len(value) if isinstance(value, Sized) else 0

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
            row = row[_seat(state, seat)] if owned else row
            return float(len(row) if number is None else row.count(number))

        return of_row

    def of_counts(state: Any) -> float:
        counts = getattr(state, attribute)
        start = _seat(state, seat) * len(names) if owned else 0
        return float(sum(counts[start : start + len(names)]) if number is None else counts[start + number])

    return of_counts
