"""Estimates against printed tables, published examples, and sums done by hand."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise

import pytest

from conche.simulate.statistics import mean_of, quantile, ratio_of, share_of, t_quantile

# The 97.5 % points of Student's distribution, as every table has them.
TABLE = {
    1: 12.706,
    2: 4.303,
    3: 3.182,
    4: 2.776,
    5: 2.571,
    9: 2.262,
    10: 2.228,
    30: 2.042,
    60: 2.000,
    120: 1.980,
}


@pytest.mark.parametrize(("freedom", "value"), TABLE.items())
def test_students_t_is_that_of_the_tables(freedom: int, value: float) -> None:
    assert t_quantile(freedom) == pytest.approx(value, abs=6e-4)


def test_students_t_falls_to_the_normal_one_without_a_jump() -> None:
    values = [t_quantile(freedom) for freedom in (*range(190, 215), 10**4, 10**9)]
    assert values == sorted(values, reverse=True)
    steps = [a - b for a, b in pairwise(values[:25])]
    assert max(steps) < 1.5 * min(steps)
    assert values[-1] == pytest.approx(1.959964, abs=1e-6)


def test_a_mean_by_hand() -> None:
    # 2 4 4 4 5 5 7 9: the mean is 5, the squared deviations are 9 1 1 1 0 0 4 16, together 32.
    values = [2, 4, 4, 4, 5, 5, 7, 9]
    found = mean_of(8, sum(values), sum(value * value for value in values))
    assert found.mean == 5
    assert found.margin == pytest.approx(2.364624 * math.sqrt(32 / 7 / 8), rel=1e-6)


def test_one_game_tells_no_margin_and_equal_games_have_none() -> None:
    assert mean_of(1, 7, 49).margin is None
    huge = 10**9 + 1
    assert mean_of(3, 3 * huge, 3 * huge * huge).margin == 0


# Wilson's score interval without correction, in R. Newcombe, Statistics in Medicine 17 (1998), table I.
@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_the_published_one(won: int, games: int, low: float, high: float) -> None:
    found = share_of(games, won)
    assert found.mean == won / games
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)
    other = share_of(games, games - won)
    assert (1 - other.high, 1 - other.low) == pytest.approx((found.low, found.high))


@pytest.mark.parametrize("games", [1, 2, 1000])
def test_a_share_lies_within_0_and_1(games: int) -> None:
    assert share_of(games, 0).low == 0
    assert share_of(games, 0).high > 0
    assert share_of(games, games).high == 1
    assert share_of(games, games).low < 1


def test_a_ratio_by_hand() -> None:
    # Options 6 and 10 in 2 and 2 decisions: 4 a decision; residuals 6 - 8 and 10 - 8.
    found = ratio_of(2, 16, 4, 136, 32, 8)
    assert found.mean == 4
    assert found.margin == pytest.approx(12.7062 * math.sqrt(8 / 1 / 2) / 2, rel=1e-5)
    assert ratio_of(3, 0, 0, 0, 0, 0).mean == 0
    assert ratio_of(1, 6, 2, 36, 12, 4).margin is None


def test_a_ratio_with_equal_bottoms_is_a_mean() -> None:
    tops = [3, 8, 8, 1, 5]
    found = ratio_of(5, sum(tops), 10, sum(a * a for a in tops), 2 * sum(tops), 20)
    mean = mean_of(5, sum(tops), sum(a * a for a in tops))
    assert mean.margin is not None
    assert (found.mean, found.margin) == pytest.approx((mean.mean / 2, mean.margin / 2))


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    dice = random.Random(5)
    means = shares = 0
    for _ in range(1000):
        rolls = [dice.randint(1, 6) for _ in range(12)]
        mean = mean_of(12, sum(rolls), sum(roll * roll for roll in rolls))
        assert mean.margin is not None
        means += abs(mean.mean - 3.5) <= mean.margin
        share = share_of(12, sum(roll == 6 for roll in rolls))
        shares += share.low <= 1 / 6 <= share.high
    # 950 are expected, ± 7 for each standard deviation.
    assert 920 <= means <= 975
    assert 920 <= shares <= 985


@pytest.mark.parametrize(
    ("part", "value"), [(0.0001, 1), (0.25, 1), (0.26, 2), (0.5, 2), (0.75, 5), (0.76, 9), (1.0, 9)]
)
def test_quantiles(part: float, value: int) -> None:
    assert quantile(Counter([1, 2, 5, 9]), part) == value


def test_of_nothing_there_is_no_quantile() -> None:
    with pytest.raises(ValueError, match="nothing was counted"):
        quantile(Counter(), 0.5)
