"""The speed of Conche, measured side by side in one run: `make bench`.

    python tests/bench/run.py [--seconds S] [--json] [--shared DIR]
                              [--only engines|compiler|modules|schoko|bots]

Playouts of Cacao's base game with random moves, at the grain of rulebook §8, by the generated engine
(`step(i)`, and named moves: list, choose, apply) and by the hand-written engines of the shared folder
(`bench/cacao_obj.py`, `cacao_flat.py`), in turns of equal length, so that a machine that slows down slows all
of them. Figures are medians over the rounds; ratios are medians of the ratios round by round. Mean length and
mean score of all engines must agree (within 5 standard errors): they play the same game.

Then: a clone in the middle of a game, how long compiling takes (`compiling.py`), what modules cost
(`combining.py`), playouts of Schoko & Co. (`bidding.py`), and of the bot that looks ahead (`looking.py`). The
shared folder is looked for beside the checkout, or where --shared or CONCHE_SHARED says; without it nothing
is compared, and that is said.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import random
import statistics
import sys
import time
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from bidding import schoko_times
from combining import decision_times, matrix_time
from compiling import compile_times
from looking import playout_rates

from conche_runtime.interface import Engine

Playout = Callable[[], tuple[list[int], int]]
ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 9


def by_step(engine: Engine, players: int, rnd: random.Random) -> Playout:
    uniform = rnd.random

    def play() -> tuple[list[int], int]:
        state = engine.start(players, rnd.getrandbits(63))
        step, count, steps = state.step, state.count, 0
        while options := count():
            step(int(uniform() * options))
            steps += 1
        return [score["total"] for score in state.scores], steps

    return play


def by_move(engine: Engine, players: int, rnd: random.Random) -> Playout:
    uniform = rnd.random

    def play() -> tuple[list[int], int]:
        state = engine.start(players, rnd.getrandbits(63))
        steps = 0
        while moves := state.legal_moves():
            state.apply(moves[int(uniform() * len(moves))])
            steps += 1
        return [score["total"] for score in state.scores], steps

    return play


def shared_bench(folder: Path) -> dict[str, ModuleType]:
    """The hand-written engines, where they are."""
    if not (folder / "cacao_obj.py").exists():
        return {}
    sys.path.insert(0, str(folder))
    return {name: importlib.import_module(name) for name in ("cacao_obj", "cacao_flat")}


def rates(engines: dict[str, Playout], seconds: float) -> tuple[dict[str, list[float]], dict[str, list[Any]]]:
    """Games per second by round, and (total of seat 0, length) of every game, by engine."""
    speed: dict[str, list[float]] = {name: [] for name in engines}
    games: dict[str, list[Any]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, play in engines.items():
            done, started = 0, time.perf_counter()
            while (spent := time.perf_counter() - started) < seconds / ROUNDS:
                totals, steps = play()
                games[name].append((statistics.fmean(totals), steps))
                done += 1
            speed[name].append(done / spent)
    return speed, games


def check_same_game(games: dict[str, list[Any]]) -> None:
    """Raises where the mean length or score of two engines differ by more than chance explains."""
    first, *others = games
    for other in others:
        for what, index in (("score", 0), ("length", 1)):
            a, b = ([game[index] for game in games[name]] for name in (first, other))
            error = math.sqrt(statistics.variance(a) / len(a) + statistics.variance(b) / len(b))
            gap = abs(statistics.fmean(a) - statistics.fmean(b))
            if gap > 5 * error + 1e-9:
                raise SystemExit(
                    f"{first} and {other} do not play the same game: mean {what} differs by {gap:.2f}"
                )


def playouts(engine: Engine, folder: Path, seconds: float) -> dict[str, Any]:
    hand = shared_bench(folder)
    result: dict[str, Any] = {}
    for players in (2, 4):
        rnd = random.Random(players)
        engines: dict[str, Playout] = {
            "step(i)": by_step(engine, players, rnd),
            "named moves": by_move(engine, players, rnd),
        }
        for name, module in hand.items():
            engines[name] = partial(module.playout, players, rnd.random)
        speed, games = rates(engines, seconds)
        check_same_game(games)
        row: dict[str, Any] = {
            name: {
                "games_per_s": round(statistics.median(speed[name]), 1),
                "mean_length": round(statistics.fmean(game[1] for game in games[name]), 1),
                "mean_score": round(statistics.fmean(game[0] for game in games[name]), 2),
            }
            for name in engines
        }
        for name in ("step(i)", "named moves"):
            for base in hand:
                ratios = [a / b for a, b in zip(speed[name], speed[base], strict=True)]
                row[name][f"x {base}"] = round(statistics.median(ratios), 2)
        result[f"{players} players"] = row
    return result


def clone_time(engine: Engine) -> float:
    """Microseconds for a clone in the middle of a game of four."""
    state = engine.start(4, 1)
    for number in range(60):
        state.step(number % state.count())
    number = 20_000
    return min(timeit.repeat(state.clone, number=number, repeat=7)) / number * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the speed of Conche.")
    parser.add_argument("--seconds", type=float, default=12, help="for each engine and number of players")
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--only", choices=("engines", "compiler", "modules", "schoko", "bots"), help="measure these alone"
    )
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("CONCHE_SHARED", ROOT.parent / "shared"))
    )
    given = parser.parse_args()

    result: dict[str, Any] = {"python": sys.version.split()[0]}
    if given.only in (None, "engines"):
        import conche

        engine = conche.load("cacao")
        result["playouts"] = playouts(engine, given.shared / "bench", given.seconds)
        result["clone_us"] = round(clone_time(engine), 2)
    if given.only in (None, "compiler"):
        result["compiling_s"] = compile_times()
    if given.only in (None, "modules"):
        result["decision_us"] = decision_times(given.seconds)
        result["matrix_s"] = matrix_time()
    if given.only in (None, "schoko"):
        result["schoko"] = schoko_times(given.seconds)
    if given.only in (None, "bots"):
        result["bots"] = playout_rates(given.seconds)
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        show(result, given.shared)


def show(result: dict[str, Any], shared: Path) -> None:
    for players, rows in result.get("playouts", {}).items():
        print(f"\nCacao, {players}, random playouts")
        for name, row in rows.items():
            ratios = "   ".join(f"{value:5.2f} {key}" for key, value in row.items() if key.startswith("x "))
            print(
                f"  {name:<12}{row['games_per_s']:>9,.1f} games/s   "
                f"length {row['mean_length']:>6}   score {row['mean_score']:>6}   {ratios}"
            )
    if "playouts" in result:
        if not (shared / "bench" / "cacao_obj.py").exists():
            print(f"\nno hand-written engines in {shared}: nothing to compare with")
        print(f"\nclone: {result['clone_us']} µs")
    for name, times in result.get("compiling_s", {}).items():
        print(f"{times['wall']:7.3f} s  {times['cpu']:7.3f} s of the processor  {name}")
    for players, row in result.get("decision_us", {}).items():
        print(
            f"a decision, {players}: {row['base']} µs in the base game,"
            f" {row['all eight']} µs with all eight modules, {row['ratio']} ×"
        )
    for players, row in result.get("schoko", {}).items():
        print(
            f"Schoko & Co., {players}: {row['games_per_s']:,.1f} games/s of {row['mean_length']} decisions,"
            f" {row['decision_us']} µs each, {row['x Cacao']} × Cacao"
        )
    for players, row in result.get("bots", {}).items():
        print(
            f"playout:games=200 in Cacao, {players}: {row['playouts_per_s']:,} playouts/s,"
            f" {row['decision_ms']} ms a decision, {row['of bare']} × as fast as bare random moves"
        )
    if "matrix_s" in result:
        times = result["matrix_s"]
        print(f"{times['wall']:7.1f} s  {times['cpu']:7.1f} s of the processor  check cacao --matrix")


if __name__ == "__main__":
    main()
