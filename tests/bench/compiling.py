"""How long compiling takes: seconds of the clock and of the processor, medians.

New processes start with an empty cache of Conche's, or one that holds what each measurement says; Python's
byte code is kept, as it is after an installation. On a machine that does other things as well, the time of
the processor is the one to compare.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

EVERYTHING = "cacao+big_game+chocolate+emperor+gem_mines+huts+irrigation+map+new_workers+tree_of_life"
RUNS = 7

Times = dict[str, float]


def compile_times() -> dict[str, Times]:
    """By what is measured: `wall` and `cpu` in seconds."""
    check = ["-m", "conche.cli", "check", "cacao"]
    load = ["-c", "import conche; conche.load('cacao+huts+map')"]
    with tempfile.TemporaryDirectory() as folder:
        diff = ["-m", "conche.cli", "diff", EVERYTHING, _another_version(Path(folder) / "rules")]
        cache = Path(folder) / "cache"
        env = {
            **os.environ,
            "CONCHE_CACHE": str(cache),
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"),
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)

        def process(arguments: list[str]) -> Callable[[], object]:
            command = [sys.executable, *arguments]
            return lambda: subprocess.run(command, env=env, check=True, capture_output=True)

        def difference() -> None:
            done = subprocess.run([sys.executable, *diff], env=env, capture_output=True)
            assert done.returncode == 1, done.stderr

        def forget(*, tables: bool) -> None:
            for entry in cache.glob("*"):
                if entry.is_dir():
                    shutil.rmtree(entry)
                elif tables:
                    entry.unlink()

        process(check)()
        process(load)()
        return {
            "check cacao, new process, rules unchanged": _median(process(check)),
            "check cacao, new process, nothing kept but the grammar's tables": _median(
                process(check), lambda: forget(tables=False)
            ),
            "load cacao+huts+map, new process, engine kept": _median(process(load)),
            "load cacao+huts+map, new process, nothing kept but the grammar's tables": _median(
                process(load), lambda: forget(tables=False)
            ),
            "load cacao+huts+map, new process, nothing kept": _median(
                process(load), lambda: forget(tables=True)
            ),
            "diff of two versions of cacao with all modules, new process": _median(difference),
            **_in_process(),
        }


def _another_version(folder: Path) -> str:
    """Cacao with all its modules, in which markets pay one more; its ruleset."""
    from conche.resources import rules_dir

    shutil.copytree(rules_dir() / "cacao", folder)
    game = folder / "cacao.rules"
    text = game.read_text(encoding="utf-8")
    changed = text.replace("price: 2..4) = price", "price: 2..4) = price + 1")
    assert changed != text
    game.write_text(changed, encoding="utf-8")
    return EVERYTHING.replace("cacao", str(game), 1)


def _in_process() -> dict[str, Times]:
    from conche.pipeline import check

    def checked(ruleset: str) -> Callable[[], object]:
        assert check(ruleset).good
        return lambda: check(ruleset)

    return {
        "check cacao, again in process": _median(checked("cacao")),
        "check all modules of cacao, again in process": _median(checked(EVERYTHING)),
    }


def _median(work: Callable[[], object], before: Callable[[], None] = lambda: None) -> Times:
    walls, cpus = [], []
    for _ in range(RUNS):
        before()
        wall, cpu = time.perf_counter(), _processor()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(_processor() - cpu)
    return {"wall": round(statistics.median(walls), 3), "cpu": round(statistics.median(cpus), 3)}


def _processor() -> float:
    """Seconds of the processor that this process and those it has waited for have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
