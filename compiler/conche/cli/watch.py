"""Doing something again whenever a file changes: `conche check --watch`.

Input: what is to be done, which says what files it depends on; how to wait. Output: none; it ends by Ctrl-C.
Invariant: a change that happens while it is being done is not missed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping

INTERVAL = 0.3
"""Seconds between two looks at the files."""


def watch(work: Callable[[], Iterable[str]], wait: Callable[[], None] = lambda: time.sleep(INTERVAL)) -> None:
    """Does `work`, and again whenever one of the files changes whose paths it returns.

    `wait` is called between two looks at them; what it raises ends all.
    """
    seen: dict[str, object] = {}
    while True:
        before = stamps(seen)
        seen = {**stamps(work()), **before}
        while stamps(seen) == seen:
            wait()


def stamps(paths: Iterable[str]) -> Mapping[str, object]:
    """What changes with a file; None for one that is not there."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> object:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
