"""Adds games up, and tells what they show.

Purpose: from results of games to means with their uncertainty.
Input: `GameResult`s, in any order and any parts. Output: a `Summary`.
Invariant: sums are whole numbers, so adding up in another order or in other parts gives the very same
summary.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from conche.simulate.game import GameResult

SCHEMA = 1
"""The number in `to_json`'s `conche`; it goes up when the meaning of a field changes."""

_Z = 1.959963984540054
"""Of a normal distribution, 95 % lie within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games. The true mean lies within `mean` ± `margin` with a chance of 95 % (normal
    approximation); `margin` is None where one game cannot tell."""

    mean: float
    margin: float | None

    def to_json(self) -> dict[str, float | None]:
        return {"mean": self.mean, "margin": self.margin}


@dataclass(slots=True)
class Sums:
    """A sum of whole numbers and of their squares."""

    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        self.total += value
        self.squares += value * value

    def merge(self, other: Sums) -> None:
        self.total += other.total
        self.squares += other.squares

    def estimate(self, games: int) -> Estimate:
        # n Σx² - (Σx)² is a whole number: no digits are lost before the one division.
        spread = games * self.squares - self.total * self.total
        return _estimate(self.total / games, spread / (games * (games - 1)) if games > 1 else None, games)


def _estimate(mean: float, variance: float | None, games: int) -> Estimate:
    return Estimate(mean, None if variance is None else _Z * math.sqrt(max(variance, 0.0) / games))


@dataclass(slots=True)
class Tally:
    """Games added up so far; plain whole numbers, so that processes can send it."""

    players: int
    games: int = 0
    decisions: Sums = field(default_factory=Sums)
    options: int = 0
    scores: dict[str, list[Sums]] = field(default_factory=dict)
    """By name of the score: by seat."""
    firsts: list[Counter[int]] = field(default_factory=list)
    """By seat: how often first, by the number of seats that shared the first place."""

    def __post_init__(self) -> None:
        if not self.firsts:
            self.firsts = [Counter() for _ in range(self.players)]

    def add(self, result: GameResult) -> None:
        self.games += 1
        self.decisions.add(result.decisions)
        self.options += result.options
        for seat, scores in enumerate(result.scores):
            for name, value in scores.items():
                self._score(name)[seat].add(value)
        winners = result.ranking[0]
        for seat in winners:
            self.firsts[seat][len(winners)] += 1

    def merge(self, other: Tally) -> None:
        self.games += other.games
        self.decisions.merge(other.decisions)
        self.options += other.options
        for name, by_seat in other.scores.items():
            for mine, theirs in zip(self._score(name), by_seat, strict=True):
                mine.merge(theirs)
        for mine_, theirs_ in zip(self.firsts, other.firsts, strict=True):
            mine_.update(theirs_)

    def _score(self, name: str) -> list[Sums]:
        if name not in self.scores:
            self.scores[name] = [Sums() for _ in range(self.players)]
        return self.scores[name]

    def win_share(self, seat: int) -> Estimate:
        """A win shared by k seats counts 1/k for each."""
        shares = sorted(self.firsts[seat].items())
        mean = math.fsum(count / k for k, count in shares) / self.games
        square = math.fsum(count / (k * k) for k, count in shares) / self.games
        variance = (square - mean * mean) * self.games / (self.games - 1) if self.games > 1 else None
        return _estimate(mean, variance, self.games)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a simulation found. Everything but `seconds` is the same on every run."""

    ruleset: str
    digest: str
    players: int
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    games: int
    scores: dict[str, tuple[Estimate, ...]]
    """By name of the score, `total` first: by seat."""
    win_share: tuple[Estimate, ...]
    """By seat: the share of games won; a shared win counts as its part."""
    length: Estimate
    """Decisions a game."""
    options: float
    """Options a decision."""
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> dict[str, Any]:
        """The documented form: `conche simulate --format json`.

            {"conche": 1, "ruleset": "cacao", "digest": "…", "players": 2, "seats": ["red", …], "bots":
            ["random", …],
             "seed": 1, "games": 1000,
             "scores": {"total": [ESTIMATE by seat], "gold": […], …}, "win_share": [ESTIMATE by seat],
             "length": ESTIMATE, "options": 17.2, "seconds": 0.4, "games_per_second": 2500.0}

        ESTIMATE = {"mean": 31.2, "margin": 0.4}: the true mean lies within mean ± margin with a chance of
        95 %.
        """
        return {
            "conche": SCHEMA,
            "ruleset": self.ruleset,
            "digest": self.digest,
            "players": self.players,
            "seats": list(self.seats),
            "bots": list(self.bots),
            "seed": self.seed,
            "games": self.games,
            "scores": {
                name: [estimate.to_json() for estimate in by_seat] for name, by_seat in self.scores.items()
            },
            "win_share": [estimate.to_json() for estimate in self.win_share],
            "length": self.length.to_json(),
            "options": self.options,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
        }


def summarize(
    tally: Tally,
    *,
    ruleset: str,
    digest: str,
    seats: tuple[str, ...],
    bots: tuple[str, ...],
    seed: int,
    seconds: float,
) -> Summary:
    """The summary of a tally of at least one game."""
    names = sorted(tally.scores, key=lambda name: (name != "total", name))
    return Summary(
        ruleset=ruleset,
        digest=digest,
        players=tally.players,
        seats=seats,
        bots=bots,
        seed=seed,
        games=tally.games,
        scores={name: tuple(sums.estimate(tally.games) for sums in tally.scores[name]) for name in names},
        win_share=tuple(tally.win_share(seat) for seat in range(tally.players)),
        length=tally.decisions.estimate(tally.games),
        options=tally.options / tally.decisions.total if tally.decisions.total else 0.0,
        seconds=seconds,
    )
