"""The bot that looks ahead in real games: it may not know more than its player, and it plays well."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import conche
from conche.bots import Seat, make_bots
from conche.bots.playout_bot import PlayoutBot
from conche.interpret import Interpreter
from conche.pipeline import check
from conche.simulate import simulate
from conche_runtime.interface import Engine, State
from slices import slice_of

pytestmark = pytest.mark.slow

EXAMPLES = [
    f"rules/examples/{name}.rules"
    for name in ("orchard", "sealed_bids", "tictactoe", "tricks", "workshop", "tidewater")
]
MODULES = ("chocolate", "emperor", "gem_mines", "huts", "irrigation", "map", "new_workers", "tree_of_life")
ALL_EIGHT = "+".join(("cacao", *MODULES))
HIDING = ["cacao", ALL_EIGHT, "schoko", "schoko+hidden_purchases", EXAMPLES[1], EXAMPLES[3], EXAMPLES[5]]
"""Games in which players know different things."""

SINGLE = [f"cacao+{module}" for module in MODULES]
ALL = [*HIDING, EXAMPLES[0], EXAMPLES[2], EXAMPLES[4], *slice_of(SINGLE, 1)]


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(request.config.rootpath)


@cache
def engine_of(ruleset: str) -> Engine:
    return conche.load(ruleset)


def positions(ruleset: str, players: int, seed: int, every: int) -> Iterator[tuple[State, int]]:
    """Each so-manieth decision of a random game, and who is asked: one of them, where several are."""
    rnd = random.Random(seed)
    state = engine_of(ruleset).start(players, seed)
    number = 0
    while state.to_act:
        player = rnd.choice(state.to_act)
        if number % every == 0:
            yield state, player
        state.step(rnd.randrange(state.count(player)), player)
        number += 1


def choices(state: State, player: int, seeds: range) -> list[int]:
    count = state.count(player)
    return [PlayoutBot(seed, games=3, depth=20).choose(Seat(state, player, count)) for seed in seeds]


def pairs(ruleset: str) -> Iterator[tuple[State, State, int]]:
    """Positions that differ, and a player who cannot tell them apart and is asked in both."""
    players = max(3, engine_of(ruleset).min_players)
    for number, (state, player) in enumerate(positions(ruleset, players, 3, 5)):
        other = state.sample(player, number)
        if other.snapshot() != state.snapshot():
            assert other.view(player) == state.view(player)
            yield state, other, player


@pytest.mark.parametrize("ruleset", HIDING)
def test_it_chooses_the_same_where_only_what_is_hidden_differs(ruleset: str) -> None:
    looked = 0
    for state, other, player in pairs(ruleset):
        assert choices(state, player, range(3)) == choices(other, player, range(3))
        # What it starts from is the same whole position.
        assert state.sample(player, 8).to_json() == other.sample(player, 8).to_json()
        looked += 1
    assert looked >= 2


def test_a_bot_that_looks_at_the_state_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Seat, "sample", lambda seat, seed: seat._open().clone())
    found = [
        choices(state, player, range(3)) == choices(other, player, range(3))
        for state, other, player in pairs("cacao")
    ]
    assert not all(found)


@pytest.mark.parametrize("ruleset", ALL)
def test_it_plays_every_game_and_always_legally(ruleset: str) -> None:
    """Up to 40 decisions; then the others go on. The seat's check would raise."""
    engine = engine_of(ruleset)
    for players in {engine.min_players, engine.max_players}:
        state = engine.start(players, 11)
        bots = make_bots(["playout:games=5:depth=10"] * players, 11)
        for _ in range(40):
            if state.over:
                break
            player = state.to_act[-1]
            before = state.to_json()
            index = bots[player].choose(state, player, state.count(player))
            assert state.to_json() == before
            assert 0 <= index < state.count(player)
            state.step(index, player)


def test_the_same_seed_gives_the_same_game() -> None:
    def play(seed: int, bots: str) -> Any:
        results: list[Any] = []
        names = tuple(bots.split(","))
        simulate(EXAMPLES[0], 2, players=2, seed=seed, bots=names, workers=1, each=results.append)
        return [(game.decisions, game.options, game.scores) for game in results]

    assert play(1, "playout:games=20") == play(1, "playout:games=20")
    assert play(1, "playout:games=20") != play(2, "playout:games=20")
    assert play(1, "playout:games=20") != play(1, "playout:games=21")


@pytest.mark.parametrize("ruleset", [EXAMPLES[0], EXAMPLES[1], EXAMPLES[3]])
def test_it_chooses_alike_on_both_engines(ruleset: str) -> None:
    plain: Engine = Interpreter(check(ruleset).must())
    players = plain.min_players
    one, two = (engine.start(players, 4) for engine in (engine_of(ruleset), plain))
    for number in range(12):
        player = one.to_act[0]
        seats = [Seat(state, player, state.count(player)) for state in (one, two)]
        index, other = (PlayoutBot(number, games=5, depth=8).choose(seat) for seat in seats)
        assert index == other
        one.step(index, player)
        two.step(index, player)
    assert one.snapshot() == two.snapshot()


# ----------------------------------------------------------------------------------------------- strength


def placed(*cells: tuple[int, int]) -> State:
    """Tic-tac-toe, in which these cells were taken in turn."""
    state = engine_of(EXAMPLES[2]).start(2, 1)
    for x, y in cells:
        state.step(state.find("place", {"at": [x, y]}))
    return state


WINS = [
    # cross has two in a row; nought has two in a column; two in a diagonal
    (((0, 0), (0, 1), (1, 0), (1, 1)), [[2, 0]]),
    (((0, 0), (1, 1), (2, 2), (1, 0), (0, 1)), [[1, 2]]),
    (((0, 0), (1, 0), (1, 1), (2, 0)), [[2, 2]]),
]
BLOCKS = [
    (((0, 0), (1, 1), (1, 0)), [[2, 0]]),
    (((1, 1), (0, 0), (0, 2)), [[2, 0]]),
]


@pytest.mark.parametrize(("cells", "good"), [*WINS, *BLOCKS])
def test_it_completes_a_row_and_stops_that_of_another(
    cells: tuple[tuple[int, int], ...], good: list[list[int]]
) -> None:
    for seed in range(5):
        state = placed(*cells)
        player = state.to_act[0]
        index = PlayoutBot(seed, games=200).choose(Seat(state, player, state.count(player)))
        assert state.move(index, player).args["at"] in good


def wins(ruleset: str, games: int, bots: str, players: int) -> tuple[float, float]:
    """The share of the first seat's victories and its mean points ahead of the second."""
    each: list[Any] = []
    simulate(
        ruleset, games, players=players, seed=1, bots=tuple(bots.split(",")), workers=1, each=each.append
    )
    won = sum(1 / len(game.ranking[0]) for game in each if 0 in game.ranking[0])
    ahead = sum(game.scores[0]["total"] - game.scores[1]["total"] for game in each)
    return won / games, ahead / games


STRONG: list[tuple[str, int, str, int, Callable[[float, float], bool]]] = [
    # By chance the first player wins 58 % of the games of tic-tac-toe, and draws 13 %.
    (EXAMPLES[2], 30, "playout:games=100,random", 2, lambda share, ahead: share > 0.9),
    (EXAMPLES[0], 10, "playout:games=30,random", 2, lambda share, ahead: share > 0.7 and ahead > 5),
    ("cacao", 2, "playout:games=20,random", 2, lambda share, ahead: share == 1 and ahead > 10),
]


@pytest.mark.parametrize(("ruleset", "games", "bots", "players", "good"), STRONG)
def test_it_beats_chance_by_far(
    ruleset: str, games: int, bots: str, players: int, good: Callable[[float, float], bool]
) -> None:
    share, ahead = wins(ruleset, games, bots, players)
    assert good(share, ahead), (share, ahead)
