"""Work on all cores.

Purpose: gives tasks to processes and their results back in the tasks' order.
Input: a function, its tasks, and what each process must be given first. Output: the results.
Invariants: processes are started by `spawn`, so nothing of the calling process is copied into them; functions
are named, not copied, so they stand at the top of a module. Ctrl-C, or a request to end, is the main
process's affair, which then ends the others; they end with it however that happens. Where no processes can be
started, all is done here.
With more than one worker a script needs the usual `if __name__ == "__main__":` around what it does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from conche_runtime.errors import ConcheError

T = TypeVar("T")
R = TypeVar("R")


class WorkerDiedError(ConcheError):
    """A process was ended from outside, perhaps for want of memory."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def spread(
    work: Callable[[T], R],
    tasks: Iterable[T],
    *,
    workers: int,
    prepare: Callable[..., None],
    given: tuple[Any, ...],
) -> Generator[R]:
    """`work` of each task. `prepare(*given)` is called once in each process, before its first task.

    To be closed where its results are no longer wanted: that ends the workers at once.
    """
    pool = _open(workers, prepare, given) if workers > 1 else None
    if pool is None:
        prepare(*given)
        yield from map(work, tasks)
        return
    waiting: deque[Future[R]] = deque()
    done_well = False
    try:
        for task in tasks:
            # Any of these may start a process, as the pool does so when it has no idle one.
            with _undisturbed():
                waiting.append(pool.submit(work, task))
            # As many ahead as keep all busy; all at once would hold every result in memory.
            if len(waiting) >= 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        done_well = True
    except BrokenProcessPool:
        raise WorkerDiedError(
            "a worker process died, perhaps for want of memory; try fewer workers"
        ) from None
    finally:
        if not done_well:
            _kill(pool)
        pool.shutdown(wait=not done_well, cancel_futures=True)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Starts processes that neither Ctrl-C nor a request to end reaches: that is the main process's affair,
    which is interrupted when this is over."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(pool: ProcessPoolExecutor) -> None:
    """Ends the workers in the midst of what they do: nobody wants it any more."""
    # There is no public way before Python 3.14.
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        with contextlib.suppress(Exception):
            process.kill()


def _open(workers: int, prepare: Callable[..., None], given: tuple[Any, ...]) -> ProcessPoolExecutor | None:
    """The workers; None on a system that allows no processes or no locks between them."""
    import multiprocessing

    try:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, context, _begin, (prepare, given))
    except (OSError, ImportError, NotImplementedError):
        return None


# -- in a worker process


def _begin(prepare: Callable[..., None], given: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Interrupting is the main process's affair; it then stops the workers.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    prepare(*given)


def _end_with_parent() -> None:
    """Waits for the main process to end, however that happens; a worker is of no use then."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
