"""The modules of Cacao: how long the whole matrix takes, and what a decision costs with all of them.

The matrix is checked by a new process on all cores, with nothing kept but the grammar's tables. Decisions are
random ones by `step(i)`, of the base game and with all eight modules in turns of equal length.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

ROUNDS = 9
EIGHT = "cacao+chocolate+emperor+gem_mines+huts+irrigation+map+new_workers+tree_of_life"


def matrix_time() -> dict[str, float]:
    """Seconds of the clock and of the processor of `conche check cacao --matrix`."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "CONCHE_CACHE": folder}
        command = [sys.executable, "-m", "conche.cli", "check"]
        subprocess.run([*command, "cacao"], env=env, check=True, capture_output=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        subprocess.run([*command, "cacao", "--matrix"], env=env, check=True, capture_output=True)
        wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": round(wall, 1), "cpu": round(cpu, 1)}


def decision_times(seconds: float) -> dict[str, Any]:
    """By the number of players: microseconds of a decision in the base game and with all eight modules, and
    the median of their ratios round by round. `seconds` for each."""
    import conche

    engines = {"base": conche.load("cacao"), "all eight": conche.load(EIGHT)}
    result: dict[str, Any] = {}
    for players in (2, 4):
        rnd = random.Random(players)
        taken: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(ROUNDS):
            for name, engine in engines.items():
                taken[name].append(_decision(engine, players, rnd, seconds / ROUNDS))
        ratios = [b / a for a, b in zip(taken["base"], taken["all eight"], strict=True)]
        result[f"{players} players"] = {
            **{name: round(statistics.median(times), 1) for name, times in taken.items()},
            "ratio": round(statistics.median(ratios), 2),
        }
    return result


def _decision(engine: Any, players: int, rnd: random.Random, seconds: float) -> float:
    """Microseconds a decision, the games' beginnings and ends included."""
    started, decisions, uniform = time.perf_counter(), 0, rnd.random
    while (spent := time.perf_counter() - started) < seconds:
        state = engine.start(players, rnd.getrandbits(63))
        step, count = state.step, state.count
        while options := count():
            step(int(uniform() * options))
            decisions += 1
    return spent / decisions * 1e6
