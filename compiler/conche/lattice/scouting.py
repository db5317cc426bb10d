"""What scouts are sent for, and which of the games they find are worth a closer look.

Input: a budget, a seed, numbers of players; what scouts have found. Output: their jobs; games to be played
again.
Invariants: the same results in the same order give the same jobs. A mark that a game was taken for is known
from then on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from conche.lattice.goals import Goal, Ways
from conche.lattice.hand import Job, Result
from conche.lattice.scout import Batch, Errand
from conche.lattice.wishes import wishes_of
from conche.semantics.rulebook import Rulebook

if TYPE_CHECKING:
    from conche.lattice.witness import Budget

_FIRST = 10
"""So many games at random for each number of players come first: often they are enough."""

_BATCH = 50

_ROUNDS = 3

_SAVING = 60
"""In so many games of an errand what is wished for is saved up."""

_TOGETHER = 4
"""So many errands at least are sent at the same time."""


class Scouting:
    """`known`: the marks that some game has been taken for. `played`: games that scouts have played; an
    errand counts for one. `sent`: how many errands."""

    def __init__(self, budget: Budget, seed: int, tables: Sequence[int]) -> None:
        self.budget, self.seed, self.tables = budget, seed, tables
        self.known = self.played = self.sent = 0
        self._best: dict[int, float] = {}
        self._aims: list[int] = []

    def at_random(self) -> Iterator[tuple[list[Job], float]]:
        """Rounds of games, with the part of the budget that each is."""
        first = min(_FIRST, self.budget.at_random)
        self._aims = []
        yield [self._batch(players, first) for players in self.tables], 0.02
        left = self.budget.at_random // _BATCH
        for number in range(_ROUNDS):
            size = left // (_ROUNDS - number)
            left -= size
            if size:
                places = range(size)
                yield [self._batch(self.tables[n % len(self.tables)], _BATCH) for n in places], 0.06

    def _batch(self, players: int, games: int) -> Batch:
        start = (self.seed * 1_000_003 + self.played) % 2**63
        self.played += games
        return Batch(players, start, games, self.known)

    def errands(self, goals: Sequence[Goal], ways: Ways, book: Rulebook, rnd: random.Random) -> list[Job]:
        """One for each goal, or some more; none when the budget is spent or there is nothing to wish."""
        jobs: list[Job] = []
        self._aims = []
        turns = -(-_TOGETHER // len(goals)) if goals else 0
        for goal in [goal for _ in range(turns) for goal in goals]:
            wishes = wishes_of(goal, ways, book, rnd)
            if wishes and self.sent < self.budget.errands:
                players = self.tables[self.sent % len(self.tables)]
                self.sent += 1
                self.played += 1
                self._aims.append(goal.rule)
                seed, seat = rnd.getrandbits(48), rnd.randrange(players)
                if not goal.at_end and self.sent % 2:
                    seat = -1
                saving = 0 if goal.at_end or rnd.random() < 0.4 else _SAVING
                jobs.append(
                    Errand(
                        players,
                        seed,
                        seat,
                        wishes,
                        goal.decision,
                        goal.at_end,
                        self.known,
                        saving=saving,
                    )
                )
        return jobs

    def worth_it(self, results: Sequence[Result]) -> list[Job]:
        """A few of the games found, in which all is marked that is new in any of them; and of errands the
        best games."""
        finds = [find for result in results if isinstance(result, list) for find in result]
        games: list[Job] = []
        left = 0
        for find in finds:
            left |= find.new
        left &= ~self.known
        self.known |= left
        while left:
            best = max(finds, key=lambda find: ((find.new & left).bit_count(), -len(find.game.moves)))
            left &= ~best.new
            games.append(best.game)
        for aim, result in zip(self._aims, results, strict=False):
            for find in result if isinstance(result, list) else ():
                if find.value is not None and find.value > self._best.get(aim, float("-inf")):
                    self._best[aim] = find.value
                    if find.game not in games:
                        games.append(find.game)
        return games
