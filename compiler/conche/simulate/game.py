"""One game between bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conche.bots import Bot, make_bots
from conche.bots.random_bot import RandomBot
from conche_runtime.chance import draw, stream_key
from conche_runtime.interface import Engine


@dataclass(frozen=True, slots=True)
class GameResult:
    """What is kept of a game. `game` counts from 0."""

    game: int
    seed: int
    decisions: int
    """How many decisions of two or more options there were."""
    options: int
    """How many options they had, all together."""
    scores: tuple[dict[str, int], ...]
    """By seat: `total` and each score by name."""
    ranking: tuple[tuple[int, ...], ...]
    """Seats by place; those that share a place together."""


def game_seed(seed: int, game: int) -> int:
    """The seed of game number `game` of a simulation with that seed: a draw of the stream `simulate`."""
    return draw(stream_key(seed, "simulate"), game)


def play_game(engine: Engine, players: int, names: Sequence[str], seed: int, game: int = 0) -> GameResult:
    """Plays a game of `seed` between the named bots, a name for each seat."""
    bots = make_bots(names, seed)
    decisions, options, scores, ranking = _play(engine, players, bots, seed)
    return GameResult(game, seed, decisions, options, scores, ranking)


def _play(
    engine: Engine, players: int, bots: Sequence[Bot], seed: int
) -> tuple[int, int, tuple[dict[str, int], ...], tuple[tuple[int, ...], ...]]:
    state = engine.start(players, seed)
    decisions = options = 0
    only = bots[0] if all(bot is bots[0] for bot in bots) else None
    if isinstance(only, RandomBot):
        # The loop that simulations spend their time in: numbers only, no named move is made.
        random, step, count = only.random, state.step, state.count
        while asked := state.to_act:
            player = asked[0]
            number = count(player)
            step(int(random() * number), player)
            decisions += 1
            options += number
    else:
        while asked := state.to_act:
            player = asked[0]
            number = state.count(player)
            state.step(bots[player].choose(state, player, number), player)
            decisions += 1
            options += number
    return decisions, options, tuple(state.scores), tuple(tuple(place) for place in state.ranking)
