"""The census of every combination of modules.

Purpose: how many pieces there are with which modules, to be held against the lists of components of all of
them. Input: a `Lattice`. Output: a `Counted` for each combination, in their order.
Invariants: options are as the ruleset fixes them, the others at their defaults. A combination with errors has
no census: `check_matrix` says why. The result does not depend on the number of workers.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from conche.diagnostics.model import has_errors
from conche.graph.from_rulebook import from_rulebook
from conche.lattice.census import Census, census
from conche.lattice.combinations import Combination
from conche.lattice.lattice import Lattice
from conche.lattice.matrix import counts_of, packed
from conche.validate import validate
from conche.workers import spread


@dataclass(frozen=True, slots=True)
class Counted:
    """`censuses`: one for each number of players that is wanted; none where the rules have errors."""

    combination: Combination
    censuses: tuple[Census, ...]


def count_all(
    lattice: Lattice,
    *,
    players: Iterable[int] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Counted]:
    """Sets up all. `players`: only these numbers, and only combinations that are for one of them. `progress`
    is told how many combinations are done."""
    wanted = None if players is None else frozenset(players)
    numbers = [n for n, one in enumerate(lattice.combinations) if counts_of(one, wanted)]
    found: list[Counted] = []
    parts = _parts(lattice, wanted, numbers, workers)
    with closing(parts):
        for number, censuses in zip(numbers, parts, strict=True):
            found.append(Counted(lattice.combinations[number], censuses))
            if progress is not None:
                progress(len(found))
    return found


def _parts(
    lattice: Lattice, wanted: frozenset[int] | None, numbers: Sequence[int], workers: int
) -> Generator[tuple[Census, ...]]:
    workers = min(workers, len(numbers))
    if workers > 1:
        given = (packed(lattice), wanted)
        yield from spread(_work, numbers, workers=workers, prepare=_prepare, given=given)
    else:
        yield from map(partial(_count, lattice, wanted), numbers)


def _count(lattice: Lattice, wanted: frozenset[int] | None, number: int) -> tuple[Census, ...]:
    combination = lattice.combinations[number]
    rulebook, found = lattice.compose(combination, combination.rows[0])
    if rulebook is None or has_errors(found):
        return ()
    graph = from_rulebook(rulebook)
    if has_errors(validate(graph)):
        return ()
    return tuple(census(graph, count) for count in counts_of(combination, wanted))


_given: tuple[Lattice, frozenset[int] | None] | None = None


def _prepare(pickled: bytes, wanted: frozenset[int] | None) -> None:
    global _given
    _given = pickle.loads(pickled), wanted


def _work(number: int) -> tuple[Census, ...]:
    assert _given is not None
    return _count(*_given, number)
