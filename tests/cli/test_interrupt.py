"""Interrupting what works on all cores: at once, with nothing left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from .test_main import ENV

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="a system without process groups")


SIMULATE = ("simulate", "cacao", "-n", "10000000", "--workers", "2")
MATRIX = ("check", "cacao", "--matrix", "--workers", "2")


@contextlib.contextmanager
def started(arguments: tuple[str, ...] = SIMULATE) -> Iterator[subprocess.Popen[str]]:
    """A long command in a process group of its own, whose workers work already. Whatever comes of the test,
    nothing of it is left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "conche.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENV,
        start_new_session=True,
        # Where the tests run in the background, Ctrl-C is ignored by what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        _wait_for_workers(process)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _wait_for_workers(process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while len(running(process.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)


def running(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    state, _, of = file.read().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(of) == group and state != "Z":
                found.append(int(name))
    return found


def gone(group: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while running(group):
        if time.monotonic() > deadline:
            os.killpg(group, signal.SIGKILL)
            return False
        time.sleep(0.05)
    return True


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a system without /proc")
@pytest.mark.parametrize(
    ("arguments", "pauses"),
    [(SIMULATE, ()), (SIMULATE, (0.0,)), (SIMULATE, (0.3, 0.1)), (MATRIX, ())],
    ids=["once", "twice", "three-times", "matrix"],
)
def test_interrupting_ends_all_at_once(arguments: tuple[str, ...], pauses: tuple[float, ...]) -> None:
    with started(arguments) as process:
        os.killpg(process.pid, signal.SIGINT)
        for pause in pauses:
            time.sleep(pause)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, "", "interrupted\n")
        assert gone(process.pid, 5)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a system without /proc")
def test_workers_end_with_a_process_that_is_killed() -> None:
    with started() as process:
        process.kill()
        process.communicate(timeout=30)
        assert gone(process.pid, 15)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a system without /proc")
def test_a_request_to_end_is_heeded_like_ctrl_c() -> None:
    with started(MATRIX) as process:
        process.terminate()
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, "", "interrupted\n")
        assert gone(process.pid, 5)
