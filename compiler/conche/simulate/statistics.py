"""Estimates from counts and sums, with 95 % confidence intervals.

Input: how many games, sums over them, counters. Output: `Estimate`s and `Share`s.
Invariants: of a true value, 95 in 100 such intervals hold it, if games are independent and, for means, many
or nearly normal. Sums are whole numbers, so nothing is lost before the one division.

    mean      Student's t with n - 1 degrees of freedom: mean ± t · s / √n
    share     Wilson's score interval, which is right near 0 and 1 too, and with few games
    ratio     of two sums over the same games, such as options to decisions: linearised (delta method)
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

LEVEL = 0.95

Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Of a normal distribution, 95 % lie within so many standard deviations."""

_MANY = 200
"""Degrees of freedom from which on the series for t is as good as the sum."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean: the true one lies within `mean` ± `margin` with a chance of 95 %. `margin` is None where one
    game cannot tell."""

    mean: float
    margin: float | None

    def to_json(self) -> dict[str, float | None]:
        return {"mean": self.mean, "margin": self.margin}


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games: the true one lies between `low` and `high` with a chance of 95 %."""

    mean: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        return {"mean": self.mean, "low": self.low, "high": self.high}


def mean_of(games: int, total: int, squares: int) -> Estimate:
    """The mean of one whole number a game. `squares`: the sum of the numbers' squares."""
    if games < 2:
        return Estimate(total / games, None)
    # n Σx² - (Σx)² is a whole number.
    variance = (games * squares - total * total) / (games * (games - 1))
    return Estimate(total / games, t_quantile(games - 1) * math.sqrt(variance / games))


def share_of(games: int, won: float) -> Share:
    """Wilson's interval. `won` may have parts of games: a shared win counts as its part, for which the
    interval is rather too wide than too narrow."""
    p, z2 = won / games, Z * Z
    centre = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = Z / (1 + z2 / games) * math.sqrt(max(0.0, p * (1 - p)) / games + z2 / (4 * games * games))
    return Share(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))


def ratio_of(games: int, above: int, below: int, aa: int, ab: int, bb: int) -> Estimate:
    """The sum of one number over the sum of another, both of the same games. `aa`, `ab`, `bb`: the sums of
    their products."""
    if not below:
        return Estimate(0.0, None)
    ratio = above / below
    if games < 2:
        return Estimate(ratio, None)
    # The residuals a - ratio · b have the mean 0.
    squares = max(0.0, aa - 2 * ratio * ab + ratio * ratio * bb)
    error = math.sqrt(squares / (games - 1) / games) / (below / games)
    return Estimate(ratio, t_quantile(games - 1) * error)


def quantile(counts: Counter[int], part: float) -> int:
    """The smallest value that at least `part` of all do not exceed: 0.5 gives the (lower) median."""
    wanted, seen = part * counts.total(), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("nothing was counted")


@cache
def t_quantile(freedom: int) -> float:
    """How many standard errors hold 95 % of Student's distribution."""
    if freedom > _MANY:
        # Abramowitz & Stegun 26.7.5, to the third term.
        z, n = Z, freedom
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / n + second / n**2 + third / n**3
    low, high = 0.0, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < LEVEL else (low, middle)
    return (low + high) / 2


def _within(t: float, freedom: int) -> float:
    """The chance that Student's t lies within ± `t` (Abramowitz & Stegun 26.7.3, 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    if freedom % 2 == 0:
        term = total = 1.0
        for k in range(2, freedom, 2):
            term *= square * (k - 1) / k
            total += term
        return sine * total
    if freedom == 1:
        return 2 * angle / math.pi
    term = total = math.cos(angle)
    for k in range(3, freedom, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + sine * total)
