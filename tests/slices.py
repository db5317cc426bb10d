"""Slices of long lists of cases: `make test` takes one, chosen by the commit, `make test-all` takes all.

The number that chooses is CONCHE_SLICE in the environment, or else the commit's hash, or else 0. It is
printed at the head of every run, so that a failure can be run again: `CONCHE_SLICE=… make test`.
"""

from __future__ import annotations

import functools
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ALL = os.environ.get("CONCHE_TEST_ALL") == "1"


@functools.cache
def number() -> int:
    """What chooses the slice of this run."""
    given = os.environ.get("CONCHE_SLICE")
    if given is not None:
        return int(given)
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    try:
        run = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    except OSError:
        return 0
    return int(run.stdout, 16) if run.returncode == 0 else 0


def slice_of(items: Sequence[T], size: int) -> list[T]:
    """`size` of the items, in their order, or all of them in a run of everything."""
    if ALL or size >= len(items):
        return list(items)
    chosen = random.Random(number()).sample(range(len(items)), size)
    return [items[index] for index in sorted(chosen)]
