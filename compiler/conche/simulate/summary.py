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

from conche.semantics.words import plural
from conche.simulate.game import GameResult
from conche.simulate.statistics import Estimate, Share, mean_of, quantile, ratio_of, share_of
from conche.simulate.use import Use, UseSummary

SCHEMA = 1
"""The number in `to_json`'s `conche`; it goes up when the meaning of a field changes."""


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
        return mean_of(games, self.total, self.squares)


@dataclass(slots=True)
class Tally:
    """Games added up so far; plain whole numbers, so that processes can send it."""

    players: int
    games: int = 0
    decisions: Sums = field(default_factory=Sums)
    options: Sums = field(default_factory=Sums)
    both: int = 0
    """Of decisions times options, the sum over the games."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many games had so many decisions."""
    scores: dict[str, list[Sums]] = field(default_factory=dict)
    """By name of the score: by seat."""
    points: dict[str, Sums] = field(default_factory=dict)
    """By name of the score: of all seats together."""
    totals: list[Counter[int]] = field(default_factory=list)
    """By seat: how many games ended with such a total."""
    firsts: list[Counter[int]] = field(default_factory=list)
    """By seat: how often first, by the number of seats that shared the first place."""
    shared: int = 0
    """Games whose first place was shared."""
    use: Use | None = None
    """Of decisions and rules, where that is counted."""

    def __post_init__(self) -> None:
        if not self.firsts:
            self.firsts = [Counter() for _ in range(self.players)]
            self.totals = [Counter() for _ in range(self.players)]

    def add(self, result: GameResult) -> None:
        self.games += 1
        self.decisions.add(result.decisions)
        self.options.add(result.options)
        self.both += result.decisions * result.options
        self.lengths[result.decisions] += 1
        for seat, scores in enumerate(result.scores):
            for name, value in scores.items():
                self._score(name)[seat].add(value)
            self.totals[seat][scores["total"]] += 1
        for name in result.scores[0]:
            self._points(name).add(sum(scores[name] for scores in result.scores))
        winners = result.ranking[0]
        self.shared += len(winners) > 1
        for seat in winners:
            self.firsts[seat][len(winners)] += 1

    def merge(self, other: Tally) -> None:
        self.games += other.games
        self.decisions.merge(other.decisions)
        self.options.merge(other.options)
        self.both += other.both
        self.lengths.update(other.lengths)
        for name, by_seat in other.scores.items():
            for mine, theirs in zip(self._score(name), by_seat, strict=True):
                mine.merge(theirs)
        for name, sums in other.points.items():
            self._points(name).merge(sums)
        for counts, more in zip((*self.firsts, *self.totals), (*other.firsts, *other.totals), strict=True):
            counts.update(more)
        self.shared += other.shared
        if other.use is not None:
            self.use = self.use or Use()
            self.use.merge(other.use)

    def _score(self, name: str) -> list[Sums]:
        if name not in self.scores:
            self.scores[name] = [Sums() for _ in range(self.players)]
        return self.scores[name]

    def _points(self, name: str) -> Sums:
        return self.points.setdefault(name, Sums())

    def win_share(self, seat: int) -> Share:
        """A win shared by k seats counts 1/k for each."""
        return share_of(self.games, math.fsum(count / k for k, count in sorted(self.firsts[seat].items())))

    def source(self, name: str) -> Source:
        """Of a score, what a player gets by it."""
        points = self.points[name]
        of_all = self.points["total"].total
        mean = points.estimate(self.games)
        margin = None if mean.margin is None else mean.margin / self.players
        share = points.total / of_all if of_all > 0 else None
        return Source(Estimate(mean.mean / self.players, margin), share)


@dataclass(frozen=True, slots=True)
class Source:
    """Where points come from: `mean` of a player, over all seats; `share` of the points of all, None where
    they are none, or less."""

    mean: Estimate
    share: float | None

    def to_json(self) -> dict[str, Any]:
        return {**self.mean.to_json(), "share": self.share}


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, the (lower) median and the greatest of whole numbers."""

    low: int
    median: int
    high: int

    def to_json(self) -> dict[str, int]:
        return {"low": self.low, "median": self.median, "high": self.high}


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
    sources: dict[str, Source]
    """By name of the score, but `total`."""
    win_share: tuple[Share, ...]
    """By seat: the share of games won; a shared win counts as its part."""
    shared: Share
    """Of games whose first place is shared."""
    length: Estimate
    """Decisions a game, of two or more options each."""
    lengths: Spread
    options: Estimate
    """Options a decision: how far the game branches."""
    seconds: float
    use: UseSummary | None = None
    """Of decisions and rules, where that was counted."""
    tally: Tally | None = field(default=None, repr=False, compare=False)
    """What it was made of: for who draws it."""

    @property
    def title(self) -> str:
        """What was played, in one line."""
        games, players = plural(self.games, "game"), plural(self.players, "player")
        bots = ", ".join(dict.fromkeys(self.bots))
        return f"{self.ruleset}: {games} of {players}, seed {self.seed}, bots {bots}"

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> dict[str, Any]:
        """The documented form: `conche simulate --format json`.

            {"conche": 1, "ruleset": "cacao", "digest": "…", "players": 2, "seats": ["red", …],
             "bots": ["random", …], "seed": 1, "games": 1000,
             "scores": {"total": [ESTIMATE by seat], "gold": […], …},
             "sources": {"gold": {"mean": 24.1, "margin": 0.2, "share": 0.76}, …},
             "win_share": [SHARE by seat], "shared": SHARE, "length": ESTIMATE,
             "lengths": {"low": 70, "median": 72, "high": 75}, "options": ESTIMATE,
             "use": null, "seconds": 0.4, "games_per_second": 2500.0}

        ESTIMATE = {"mean": 31.2, "margin": 0.4}: the true mean lies within mean ± margin with a chance of
        95 %. SHARE = {"mean": 0.51, "low": 0.48, "high": 0.54}: the true share lies between low and high.
        `use`, where it was counted: docs/formats.md.
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
            "sources": {name: source.to_json() for name, source in self.sources.items()},
            "win_share": [share.to_json() for share in self.win_share],
            "shared": self.shared.to_json(),
            "length": self.length.to_json(),
            "lengths": self.lengths.to_json(),
            "options": self.options.to_json(),
            "use": None if self.use is None else self.use.to_json(),
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
    use: UseSummary | None = None,
) -> Summary:
    """The summary of a tally of at least one game."""
    games, decisions, options = tally.games, tally.decisions, tally.options
    sums = (options.total, decisions.total, options.squares, tally.both, decisions.squares)
    names = sorted(tally.scores, key=lambda name: (name != "total", name))
    return Summary(
        ruleset=ruleset,
        digest=digest,
        players=tally.players,
        seats=seats,
        bots=bots,
        seed=seed,
        games=games,
        scores={name: tuple(one.estimate(games) for one in tally.scores[name]) for name in names},
        sources={name: tally.source(name) for name in names if name != "total"},
        win_share=tuple(tally.win_share(seat) for seat in range(tally.players)),
        shared=share_of(games, tally.shared),
        length=decisions.estimate(games),
        lengths=Spread(min(tally.lengths), quantile(tally.lengths, 0.5), max(tally.lengths)),
        options=ratio_of(games, *sums),
        seconds=seconds,
        use=use,
        tally=tally,
    )
