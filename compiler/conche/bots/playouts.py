"""Playouts: what becomes of an option when all play on at random.

Purpose: the playing and judging that a search repeats; which options it looks at is not decided here.
Input: a sample (never the state itself), an option. Output: an `Outcome`, by option a `Tally`.
Invariants: the same sample, option and seed give the same outcome. A playout ends: it is cut after `depth`
decisions, or a multiple of that while all share one place, and judged as if the game ended there. Rules that
fail in one make the worst outcome.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from conche_runtime.errors import IllegalMove, RulesError
from conche_runtime.interface import State

PLACE = 0.2
"""What the best place is worth beside a victory: it tells defeats apart where more than two play."""

MARGIN = 0.3
"""What a usual margin of points is worth beside a victory: it tells options apart that win equally often."""


LONGEST = 2000
"""Decisions after which a playout is cut though nothing tells the players apart."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended for a player. `win`: the share of the victory; `place`: 1 for the best, 0 for the
    last; `margin`: points ahead of the best of the others, or behind; `order`: whether more points are
    better, 1 or -1, 0 where the game does not say."""

    win: float
    place: float
    margin: int
    order: int


BROKEN = Outcome(-2.0, 0.0, 0, 0)
"""Rules that fail: worse than any usual defeat."""


class Tally:
    """The sums of what came of one option."""

    __slots__ = ("games", "margin", "place", "win")

    def __init__(self) -> None:
        self.games, self.win, self.place, self.margin = 0, 0.0, 0.0, 0

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.win += outcome.win
        self.place += outcome.place
        self.margin += outcome.margin


class Scale:
    """How much a point is worth in this game, from all outcomes that were seen."""

    def __init__(self) -> None:
        self.games = self.size = self.order = 0

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.size += abs(outcome.margin)
        self.order += outcome.order

    def worth(self, tally: Tally) -> float:
        """The mean worth of an option."""
        value = tally.win + PLACE * tally.place
        if self.size:
            # A usual margin is worth MARGIN where the order of places follows the points, less where it
            # does so only now and then.
            value += MARGIN * tally.margin * self.order / self.size
        return value / tally.games


def play_on(state: State, player: int, option: int, seed: int, depth: int) -> Outcome:
    """Takes an option in a state, which is used up, and plays on at random."""
    try:
        uniform, left = random.Random(seed).random, LONGEST
        state.step(option, player)
        while True:
            _at_random(state, uniform, depth)
            left -= depth
            ranking = state.ranking
            if left <= 0 or len(ranking) > 1 or state.over:
                return judge(ranking, state.scores, player)
    except RulesError:
        return BROKEN


def _at_random(state: State, uniform: Callable[[], float], depth: int) -> None:
    """Plays on by `depth` decisions."""
    step, count = state.step, state.count
    while depth > 0:
        try:
            # The fast way, for as long as one player is asked at a time.
            for _ in range(depth):
                options = count()
                if not options:
                    return
                step(int(uniform() * options))
                depth -= 1
        except IllegalMove:
            asked = state.to_act
            if len(asked) < 2:
                raise
            for seat in asked:
                step(int(uniform() * count(seat)), seat)
                depth -= 1


def judge(ranking: list[list[int]], scores: list[dict[str, int]], player: int) -> Outcome:
    """How a game ended for a player, or would if it ended now."""
    totals = [score["total"] for score in scores]
    if len(totals) == 1:
        return Outcome(1.0, 1.0, totals[0], 1)
    place = next(number for number, seats in enumerate(ranking) if player in seats)
    mine = ranking[place]
    behind = sum(len(seats) for seats in ranking[place + 1 :])
    share = 1 / len(mine) if place == 0 else 0.0
    if len(ranking) == 1:
        return Outcome(share, 0.5, 0, 0)
    rival = ranking[1 if place == 0 else 0][0]
    gap = totals[ranking[0][0]] - totals[ranking[-1][0]]
    return Outcome(
        share,
        (behind + (len(mine) - 1) / 2) / (len(totals) - 1),
        totals[player] - totals[rival],
        (gap > 0) - (gap < 0),
    )
