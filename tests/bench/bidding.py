"""What a decision of Schoko & Co. costs beside one of Cacao's base game.

Playouts with random moves by generated engines, in turns of equal length, so that a machine that slows down
slows both. Of Schoko a game of eight months. Figures are medians over the rounds, the ratio is the median of
the ratios round by round.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import conche
from conche_runtime.interface import Engine

ROUNDS = 9
PLAYERS = (2, 3, 4)


def playout(engine: Engine, players: int, rnd: random.Random) -> int:
    """How many decisions a game took."""
    state, uniform, decisions = engine.start(players, rnd.getrandbits(63)), rnd.random, 0
    step, count = state.step, state.count
    while seats := state.to_act:
        seat = seats[0]
        step(int(uniform() * count(seat)), seat)
        decisions += 1
    return decisions


def schoko_times(seconds: float) -> dict[str, Any]:
    """Games a second, their mean length, and microseconds a decision, by number of players."""
    engines = {"Cacao": conche.load("cacao"), "Schoko": conche.load("schoko")}
    result: dict[str, Any] = {}
    for players in PLAYERS:
        rnd = random.Random(players)
        games: dict[str, list[tuple[int, int, float]]] = {name: [] for name in engines}
        for _ in range(ROUNDS):
            for name, engine in engines.items():
                done, decisions, started = 0, 0, time.perf_counter()
                while (spent := time.perf_counter() - started) < seconds / ROUNDS:
                    decisions += playout(engine, players, rnd)
                    done += 1
                games[name].append((done, decisions, spent))
        costs = {name: [spent / decisions for _, decisions, spent in games[name]] for name in engines}
        rates = [done / spent for done, _, spent in games["Schoko"]]
        lengths = [decisions / done for done, decisions, _ in games["Schoko"]]
        ratios = [one / other for one, other in zip(costs["Schoko"], costs["Cacao"], strict=True)]
        result[f"{players} players"] = {
            "games_per_s": round(statistics.median(rates), 1),
            "mean_length": round(statistics.fmean(lengths), 1),
            "decision_us": round(statistics.median(costs["Schoko"]) * 1e6, 2),
            "x Cacao": round(statistics.median(ratios), 2),
        }
    return result
