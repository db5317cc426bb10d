"""The bot that looks ahead: after each of its options it plays the game on at random, many times.

Input: a seat. Output: the option with the best playouts.
Invariants: it starts from samples alone, so it looks at nothing that its player may not know. With a number
of games it is deterministic and never plays more of them; with a time it is not.

The budget of a decision is spent by sequential halving (Karnin, Koren, Somekh 2013): all candidates get
equally many playouts, the worse half is dropped, and so on until one is left. All candidates of a round play
on from the same sample, with the same streams of chance and the same dice, so that luck tells them apart as
little as can be. Where there are more options than the budget can tell apart, some of them are candidates,
spread evenly: options that are listed together are alike.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter

from conche.bots.playouts import Scale, Tally, play_on
from conche.bots.seat import Seat
from conche_runtime.chance import draw, stream_key
from conche_runtime.errors import IllegalMove, RulesError
from conche_runtime.interface import State

GAMES = 200
"""Playouts for a decision where nothing else is said."""

DEPTH = 8
"""Decisions of a playout for each player, the same. What players who play at random have much later says
little about an option; what they have soon after says more, and costs less."""

MOST = 1_000_000
LONGEST = 3600.0


class PlayoutBot:
    """`games`: so many playouts for a decision; `time`: so many seconds; with both, what comes first ends it.
    `depth`: a playout is cut after so many decisions and judged as if the game ended there, or goes on where
    nothing tells the players apart yet."""

    def __init__(
        self, seed: int, games: int | None = None, time: float | None = None, depth: int | None = None
    ) -> None:
        if games is not None and not 1 <= games <= MOST:
            raise ValueError(f"games is 1 to {MOST}, not {games}")
        if time is not None and not 0 < time <= LONGEST:
            raise ValueError(f"time is more than 0 and at most {LONGEST:g} seconds, not {time:g}")
        if depth is not None and not 1 <= depth <= MOST:
            raise ValueError(f"depth is 1 to {MOST}, not {depth}")
        self.games = GAMES if games is None and time is None else games
        self.time, self.depth = time, depth
        self.played = 0
        """Playouts so far, in all decisions."""
        self._key, self._asked = stream_key(seed, "playout"), 0

    def choose(self, seat: Seat) -> int:
        seed = draw(self._key, self._asked)
        self._asked += 1
        depth = DEPTH * seat.players if self.depth is None else self.depth
        search = _Search(seat, seed, _Budget(self.games, self.time), depth)
        try:
            return search.best()
        finally:
            self.played += search.played


class _Budget:
    """What a decision may cost. A playout that cannot be had, as rules fail, costs as much as any."""

    def __init__(self, games: int | None, time: float | None) -> None:
        self.games, self.time = games, time
        self.begun = 0.0 if time is None else perf_counter()
        self.spent = 0

    def has(self, more: int, part: float = 1.0) -> bool:
        """Whether that many playouts more are within a part of the budget."""
        if self.games is not None and self.spent + more > self.games * part:
            return False
        return self.time is None or perf_counter() - self.begun < self.time * part

    def estimate(self) -> int:
        """How many playouts it will be, as far as is known after the first."""
        if self.time is None:
            assert self.games is not None
            return self.games
        each = max((perf_counter() - self.begun) / max(self.spent, 1), 1e-6)
        number = int(self.time / each)
        return number if self.games is None else min(number, self.games)


class _Search:
    """One decision."""

    def __init__(self, seat: Seat, seed: int, budget: _Budget, depth: int) -> None:
        self.seat, self.budget, self.depth = seat, budget, depth
        self.dice, self.key = random.Random(seed), stream_key(seed, "rounds")
        self.tallies: dict[int, Tally] = {}
        self.scale = Scale()
        self.rounds = self.played = 0

    def best(self) -> int:
        if self.budget.time is not None:
            # How long one takes says how many options can be looked at.
            self.round([self.dice.randrange(self.seat.count)])
        candidates = self.candidates(_most_told_apart(self.budget.estimate()))
        phases = _halvings(len(candidates))
        for phase in range(phases):
            part = (phase + 1) / phases
            while self.budget.has(len(candidates), part):
                self.round(candidates)
            candidates = self.better_half(candidates)
        return candidates[0]

    def better_half(self, candidates: list[int]) -> list[int]:
        """The best first. Who is as good as the last one that stays, stays too."""
        worth = {option: self.worth(option) for option in candidates}
        ranked = sorted(candidates, key=worth.__getitem__, reverse=True)
        least = worth[ranked[(len(ranked) - 1) // 2]]
        return [option for option in ranked if worth[option] >= least]

    def candidates(self, most: int) -> list[int]:
        """All options, or `most` of them: the first, the last, and one of each stretch between. In an order
        of chance, as equally good ones keep their order."""
        count, uniform = self.seat.count, self.dice.random
        if most >= count:
            chosen = list(range(count))
        elif most < 3:
            chosen = self.dice.sample(range(count), most)
        else:
            stretch = (count - 2) / (most - 2)
            between = [1 + int((number + uniform()) * stretch) for number in range(most - 2)]
            chosen = sorted({0, *between, count - 1})
        self.dice.shuffle(chosen)
        return chosen

    def round(self, options: Sequence[int]) -> None:
        """A playout of each option, all from one sample."""
        seed = draw(self.key, self.rounds)
        self.rounds += 1
        self.budget.spent += len(options)
        sample = self.sample(seed)
        if sample is None:
            return
        player = self.seat.player
        alike = sample.count(player) == self.seat.count
        for number, option in enumerate(options):
            if number and not self.budget.has(0):
                return  # in time; a number of games is a number of whole rounds
            there = option if alike else self.find(sample, option)
            if there is None:
                continue
            outcome = play_on(sample.clone(), player, there, seed, self.depth)
            self.played += 1
            self.scale.add(outcome)
            self.tallies.setdefault(option, Tally()).add(outcome)

    def sample(self, seed: int) -> State | None:
        """A sample in which the player is asked; None where none could be drawn."""
        try:
            sample = self.seat.sample(seed)
        except RulesError:
            return None
        return sample if self.seat.player in sample.to_act else None

    def find(self, sample: State, option: int) -> int | None:
        """The number of an option in a sample that has other ones."""
        move = self.seat.move(option)
        try:
            return sample.find(move.name, move.args, self.seat.player)
        except IllegalMove:
            return None

    def worth(self, option: int) -> float:
        tally = self.tallies.get(option)
        return -1e9 if tally is None else self.scale.worth(tally)


def _halvings(candidates: int) -> int:
    """How often one can drop half until one is left."""
    return (candidates - 1).bit_length()


def _most_told_apart(playouts: int) -> int:
    """So many candidates get at least one playout in each round of halving."""
    most = 1
    while (most + 1) * _halvings(most + 1) <= playouts:
        most += 1
    return most
