"""The picture of a simulation."""

from __future__ import annotations

import sys
from collections import Counter
from xml.etree import ElementTree

import pytest

from conche.extras import MissingExtraError
from conche.simulate.game import GameResult
from conche.simulate.plot import bars_of, bins_of, plot, ready
from conche.simulate.summary import Summary, Tally, summarize


def a_summary(*totals: tuple[int, int]) -> Summary:
    tally = Tally(2)
    for game, (red, blue) in enumerate(totals):
        scores = tuple({"total": total, "gold_$x^2": total} for total in (red, blue))
        ranking = ((0, 1),) if red == blue else ((0,), (1,)) if red > blue else ((1,), (0,))
        tally.add(GameResult(game, game, 5 + game, 20, scores, ranking))
    return summarize(
        tally,
        ruleset="a_game+$\\evil{<b>",
        digest="",
        seats=("red", "_blue"),
        bots=("random",) * 2,
        seed=1,
        seconds=1.0,
    )


@pytest.mark.parametrize(
    ("values", "most", "bins"),
    [
        ([3], 40, [3, 4]),
        ([1, 2, 5], 40, [1, 2, 3, 4, 5, 6]),
        ([-2, 7], 5, [-2, 0, 2, 4, 6, 8]),
        ([0, 99], 40, list(range(0, 103, 3))),
    ],
)
def test_bars_are_of_whole_numbers(values: list[int], most: int, bins: list[int]) -> None:
    assert bins_of([Counter(values)], most) == bins


def test_everything_falls_into_a_bar() -> None:
    counts = Counter([-2, -1, 0, 0, 7])
    bins = bins_of([counts], 5)
    assert bars_of(counts, bins) == [2, 2, 0, 0, 1]


def test_a_picture_says_what_was_played() -> None:
    summary = a_summary((1, 2), (4, 4), (300, 7))
    text = plot(summary, "svg")
    root = ElementTree.fromstring(text)
    words = " ".join("".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text"))
    assert "a game+$\\evil{<b>: 3 games of 2 players, seed 1, bots random" in words
    for shown in ("red", "gold $x^2", "Wins, with 95 % intervals", "decisions a game"):
        assert shown in words
    assert plot(summary, "svg") == text


def test_one_game_without_points_can_be_drawn() -> None:
    assert plot(a_summary((0, 0)), "png").startswith(b"\x89PNG")


def test_without_the_library_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="plotting needs the library matplotlib"):
        ready()
