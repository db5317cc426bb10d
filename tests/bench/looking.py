"""How fast the bot that looks ahead is: playouts a second in Cacao, samples and judging included.

Decisions of one random game, in turns of equal length. Beside it what a playout costs of as many random
decisions without sample, clone and judging. Figures are medians over the rounds.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import conche
from conche.bots import Seat
from conche.bots.playout_bot import DEPTH, PlayoutBot
from conche_runtime.interface import State

ROUNDS = 9
PLAYERS = (2, 4)
GAMES = 200


def decisions(players: int) -> list[tuple[State, int]]:
    """Every tenth decision of a random game, and who is asked."""
    rnd, state, found = random.Random(players), conche.load("cacao").start(players, players), []
    number = 0
    while state.to_act:
        player = state.to_act[0]
        if number % 10 == 0:
            found.append((state.clone(), player))
        state.step(rnd.randrange(state.count(player)), player)
        number += 1
    return found


def bare(state: State, dice: random.Random, steps: int) -> int:
    """Random decisions on a state that is used up; how many there were."""
    step, count, uniform = state.step, state.count, dice.random
    for number in range(steps):
        options = count()
        if not options:
            return number
        step(int(uniform() * options))
    return steps


def playout_rates(seconds: float) -> dict[str, Any]:
    """Playouts a second and milliseconds a decision of `playout:games=200`, by number of players."""
    result: dict[str, Any] = {}
    for players in PLAYERS:
        places = decisions(players)
        dice, steps = random.Random(1), DEPTH * players + 1
        rates, waits, plain = [], [], []
        for _ in range(ROUNDS):
            bot, chosen, started = PlayoutBot(1, games=GAMES), 0, time.perf_counter()
            while (spent := time.perf_counter() - started) < seconds / ROUNDS:
                state, player = places[chosen % len(places)]
                bot.choose(Seat(state, player, state.count(player)))
                chosen += 1
            rates.append(bot.played / spent)
            waits.append(spent / chosen)
            done, started = 0, time.perf_counter()
            while (spent := time.perf_counter() - started) < seconds / ROUNDS / 4:
                bare(places[done % len(places)][0].clone(), dice, steps)
                done += 1
            plain.append(done / spent)
        result[f"{players} players"] = {
            "playouts_per_s": round(statistics.median(rates)),
            "decision_ms": round(statistics.median(waits) * 1e3, 1),
            "of bare": round(statistics.median(a / b for a, b in zip(rates, plain, strict=True)), 2),
        }
    return result
