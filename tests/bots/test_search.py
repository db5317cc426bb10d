"""How the bot that looks ahead spends its budget, and what it makes of playouts, on a game made for it."""

from __future__ import annotations

import pytest

from conche.bots import playout_bot, playouts
from conche.bots.playout_bot import PlayoutBot
from conche.bots.playouts import BROKEN, Outcome, Scale, Tally, judge

from .lab import Fake

LETTERS = "abcdefgh"


@pytest.mark.parametrize("best", LETTERS)
@pytest.mark.parametrize("better", [1, -1])
def test_the_best_option_is_found_wherever_it_stands(best: str, better: int) -> None:
    """Also where fewer points are better: what wins is asked of the ranking."""
    fake = Fake(
        LETTERS, {letter: 5 + better * (9 if letter == best else -3) for letter in LETTERS}, better=better
    )
    for seed in range(3):
        assert fake.seat().move(PlayoutBot(seed, games=30).choose(fake.seat())).name == best


@pytest.mark.parametrize("better", [1, -1])
def test_of_options_that_lose_alike_the_narrower_is_taken(better: int) -> None:
    fake = Fake("abc", {"a": 5 - 4 * better, "b": 5 - better, "c": 5 - 3 * better}, better=better)
    assert PlayoutBot(1, games=12).choose(fake.seat()) == 1


def test_victory_comes_before_points() -> None:
    """Ten points ahead every other time, or one point ahead always."""
    often, rich, scale = Tally(), Tally(), Scale()
    for number in range(20):
        for tally, outcome in (
            (often, Outcome(1, 1, 1, 1)),
            (rich, Outcome(1, 1, 10, 1) if number % 2 else Outcome(0, 0, -1, 1)),
        ):
            tally.add(outcome)
            scale.add(outcome)
    assert scale.worth(often) > scale.worth(rich)


@pytest.mark.parametrize("games", [1, 2, 3, 7, 40, 100])
@pytest.mark.parametrize("options", [2, 3, 8, 300])
def test_a_number_of_games_is_never_overrun(
    games: int, options: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    play_on = playouts.play_on
    monkeypatch.setattr(playout_bot, "play_on", lambda *args: played.append(args[2]) or play_on(*args))
    names = [str(number) for number in range(options)]
    fake = Fake(names, dict.fromkeys(names, 3))
    bot = PlayoutBot(1, games=games)
    assert 0 <= bot.choose(fake.seat()) < options
    assert bot.played == len(played) <= games
    if games >= 2:
        # The last halving is between two, so what is left is less than a playout for each.
        assert len(played) >= games - 1 or len(set(played)) == options == 2 or games - len(played) < options
        assert len(set(played)) >= min(options, games // 8, 2)
    first = len(played)
    bot.choose(fake.seat())
    assert bot.played == len(played) <= 2 * games
    assert bot.played > first or games == 1


def test_of_many_options_the_first_the_last_and_some_of_every_stretch_are_looked_at() -> None:
    names = [str(number) for number in range(1000)]
    fake = Fake(names, {"0": 9})
    assert PlayoutBot(1, games=200).choose(fake.seat()) == 0
    assert PlayoutBot(1, games=200).choose(Fake(names, {"999": 9}).seat()) == 999
    found = {PlayoutBot(seed, games=200).choose(Fake(names, {}).seat()) // 250 for seed in range(30)}
    assert found == {0, 1, 2, 3}, "equally good ones are taken by chance"


class Clock:
    """Time that passes by playouts alone."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("options", [2, 5, 400])
@pytest.mark.parametrize(("time", "most"), [(1.0, 100), (0.05, 5), (0.001, 1)])
def test_a_time_is_kept(options: int, time: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, play_on = Clock(), playouts.play_on

    def slowly(*args: object) -> Outcome:
        clock.now += 0.01
        return play_on(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(playout_bot, "perf_counter", clock)
    monkeypatch.setattr(playout_bot, "play_on", slowly)
    names = [str(number) for number in range(options)]
    bot = PlayoutBot(1, time=time)
    assert 0 <= bot.choose(Fake(names, {}).seat()) < options
    assert 1 <= bot.played <= most + 1
    assert bot.played > most // 2
    assert clock.now <= 100 + time + 0.011
    # With both, what comes first ends it.
    bot = PlayoutBot(1, time=time, games=7)
    bot.choose(Fake(names, {}).seat())
    assert bot.played <= 7


def test_a_playout_is_cut() -> None:
    fake = Fake("ab", {"a": 9}, steps=10**9)
    bot = PlayoutBot(1, games=10, depth=50)
    assert bot.choose(fake.seat()) == 0
    assert fake.counts[1] == bot.played * 51


def test_rules_that_fail_in_a_playout() -> None:
    """An option after which they fail is the worst; where all do, any is taken."""
    fake = Fake("abc", {}, fails=frozenset("ac"))
    for seed in range(5):
        assert PlayoutBot(seed, games=20).choose(fake.seat()) == 1
    fake = Fake("abc", {}, fails=frozenset("abc"))
    assert {PlayoutBot(seed, games=20).choose(fake.seat()) for seed in range(20)} == {0, 1, 2}


def test_where_no_sample_can_be_had_any_option_is_taken() -> None:
    none = Fake("abc", {}, sampled=lambda one: None)
    not_asked = Fake("abc", {}, sampled=lambda one: Fake("abc", {}, chosen="a"))
    for fake in (none, not_asked):
        bots = [PlayoutBot(seed, games=20) for seed in range(20)]
        assert {bot.choose(fake.seat()) for bot in bots} == {0, 1, 2}
        assert {bot.played for bot in bots} == {0}


def test_options_are_found_in_samples_that_have_others() -> None:
    """The worth of b is seen though it stands elsewhere there, and a, which is not there, is no harm."""
    fake = Fake("abc", {"b": 9}, sampled=lambda one: Fake("xcyb", {"b": 9, "x": 99}))
    for seed in range(5):
        assert PlayoutBot(seed, games=30).choose(fake.seat()) == 1


@pytest.mark.parametrize(
    ("ranking", "totals", "player", "outcome"),
    [
        ([[0], [1]], [9, 4], 0, Outcome(1, 1, 5, 1)),
        ([[0], [1]], [9, 4], 1, Outcome(0, 0, -5, 1)),
        ([[1], [0]], [9, 4], 1, Outcome(1, 1, -5, -1)),
        ([[0, 1]], [9, 9], 0, Outcome(0.5, 0.5, 0, 0)),
        ([[2], [0], [1]], [6, 1, 8], 0, Outcome(0, 0.5, -2, 1)),
        # Partners share a place: they are no rivals.
        ([[0, 2], [1, 3]], [7, 6, 7, 6], 2, Outcome(0.5, 2.5 / 3, 1, 1)),
        ([[0, 2], [1, 3]], [7, 6, 7, 6], 3, Outcome(0, 0.5 / 3, -1, 1)),
        ([[0]], [12], 0, Outcome(1, 1, 12, 1)),
    ],
)
def test_how_an_end_is_judged(
    ranking: list[list[int]], totals: list[int], player: int, outcome: Outcome
) -> None:
    assert judge(ranking, [{"total": total} for total in totals], player) == outcome


def test_rules_that_fail_are_worth_less_than_the_worst_of_usual_defeats() -> None:
    scale, broken, last = Scale(), Tally(), Tally()
    for tally, outcome in ((broken, BROKEN), (last, Outcome(0, 0, -30, 1))):
        for _ in range(10):
            tally.add(outcome)
            scale.add(outcome)
    assert scale.worth(broken) < scale.worth(last) < 0
