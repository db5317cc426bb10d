"""The whole lattice, checked: every legal combination of modules, with options in pairs, for each number of
players.

Purpose: composes, checks and sets up every ruleset, and tells each mistake once, with where it shows.
Input: an `Opened` lattice. Output: a `Matrix`.
Invariants: each file was parsed and typed once. A ruleset is composed and its graph checked once, whatever
the number of players; what depends on it, the set-up, is run for each. The result does not depend on the
number of workers.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from conche.diagnostics.model import Diagnostic, Severity, in_order
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.lattice.census import setup_fails
from conche.lattice.combinations import Combination
from conche.lattice.lattice import Lattice, Opened
from conche.lattice.patterns import Pattern, Point, pattern_of
from conche.lattice.setup import run_setup
from conche.semantics.words import plural
from conche.validate import validate
from conche.workers import spread
from conche_runtime.errors import RulesError

CHUNK = 4
"""Combinations in a task."""

RULES_FAIL = "C0370"
"""One line of the rules that fails is one mistake, whatever numbers the message quotes."""

Cell = tuple[int, int]
"""A ruleset: the number of its combination, and of its row of options there."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A finding as in the smallest ruleset in which it shows. `combinations`: in how many combinations of
    modules it does. `where`: what they have in common; None for a finding of a file."""

    diagnostic: Diagnostic
    combinations: int
    smallest: str
    where: Pattern | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """`players`: the numbers that were tried. `rulesets`: how many were composed, over all options; `cells`:
    how many combinations times numbers of players there are. `bad`: by combination, whether it has errors."""

    game: str
    modules: tuple[str, ...]
    broken: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    players: tuple[int, ...]
    combinations: tuple[Combination, ...]
    ruled_out: int
    rulesets: int
    cells: int
    mistakes: tuple[Mistake, ...]
    bad: tuple[bool, ...]


def check_matrix(
    opened: Opened,
    *,
    players: Iterable[int] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Matrix:
    """Checks all. `players`: only these numbers. `progress` is told how many combinations are done."""
    lattice = opened.lattice
    assert lattice is not None
    wanted = None if players is None else frozenset(players)
    size = len(lattice.combinations)
    tasks = [range(start, min(start + CHUNK, size)) for start in range(0, size, CHUNK)]
    found: dict[tuple[object, ...], list[tuple[Cell, int | None, Diagnostic]]] = {}
    done = 0
    parts = _parts(lattice, wanted, tasks, workers)
    with closing(parts):
        for part in parts:
            for cell, count, finding in part:
                found.setdefault(identity(finding), []).append((cell, count, finding))
            done += CHUNK
            if progress is not None:
                progress(min(done, size))
    return _matrix(opened, lattice, wanted, found)


def count_rulesets(lattice: Lattice) -> int:
    return sum(len(combination.rows) for combination in lattice.combinations)


# ------------------------------------------------------------------------------------------ one ruleset


def check_ruleset(
    lattice: Lattice, combination: Combination, row: int, players: Iterable[int]
) -> Iterator[tuple[int | None, Diagnostic]]:
    """The findings of a ruleset, each with the number of players for which it shows, or None for all."""
    rulebook, found = lattice.compose(combination, combination.rows[row])
    yield from ((None, finding) for finding in found)
    if rulebook is None:
        return
    graph = from_rulebook(rulebook)
    checked = validate(graph)
    yield from ((None, finding) for finding in checked)
    if any(finding.severity is Severity.ERROR for finding in checked):
        return
    interpreter = Interpreter(graph)
    for count in players:
        finding = setup_finding(interpreter, graph, count, last=row % 2 == 1)
        if finding is not None:
            yield count, finding


def setup_finding(
    interpreter: Interpreter, graph: ActionGraph, players: int, *, last: bool
) -> Diagnostic | None:
    """Runs the set-up once, with some chance and the first or the last option of every choice."""
    rnd = random.Random(f"{graph.rulebook.ruleset} for {players}")
    try:
        run_setup(
            interpreter,
            players,
            lambda source, outcomes: rnd.choice([value for value, _ in outcomes]),
            (lambda options: options - 1) if last else (lambda options: 0),
        )
    except RulesError as error:
        return setup_fails(error, players, graph)
    return None


# ------------------------------------------------------------------------------------------ on all cores

_Part = list[tuple[Cell, int | None, Diagnostic]]
_DEEP = 20_000
"""The depth of trees that are sent to another process: they nest as deep as the rules may."""


def _parts(
    lattice: Lattice, wanted: frozenset[int] | None, tasks: list[range], workers: int
) -> Generator[_Part]:
    workers = min(workers, len(tasks))
    if workers > 1:
        yield from spread(_work, tasks, workers=workers, prepare=_prepare, given=(packed(lattice), wanted))
    else:
        yield from map(partial(_check, lattice, wanted), tasks)


def packed(lattice: Lattice) -> bytes:
    """A lattice to be sent to another process."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        return pickle.dumps(lattice, protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        sys.setrecursionlimit(before)


def _check(lattice: Lattice, wanted: frozenset[int] | None, numbers: range) -> _Part:
    found: _Part = []
    for number in numbers:
        combination = lattice.combinations[number]
        counts = counts_of(combination, wanted)
        for row in range(len(combination.rows)):
            checked = check_ruleset(lattice, combination, row, counts)
            found += [((number, row), count, finding) for count, finding in checked]
    return found


def counts_of(combination: Combination, wanted: frozenset[int] | None) -> tuple[int, ...]:
    """The numbers of players that are tried of a combination."""
    low, high = combination.players
    return tuple(count for count in range(low, high + 1) if wanted is None or count in wanted)


_worker: tuple[Lattice, frozenset[int] | None] | None = None


def _prepare(pickled: bytes, wanted: frozenset[int] | None) -> None:
    import gc

    global _worker
    _worker = pickle.loads(pickled), wanted
    # What is there stays; a ruleset leaves cycles behind.
    gc.freeze()


def _work(numbers: range) -> _Part:
    assert _worker is not None
    return _check(*_worker, numbers)


# ------------------------------------------------------------------------------------------ what was found


def identity(finding: Diagnostic) -> tuple[object, ...]:
    """What makes two findings one mistake."""
    span = None if finding.main is None else finding.main.span
    return (finding.code, span, None if finding.code == RULES_FAIL else finding.title)


def _matrix(
    opened: Opened,
    lattice: Lattice,
    wanted: frozenset[int] | None,
    found: Mapping[tuple[object, ...], list[tuple[Cell, int | None, Diagnostic]]],
) -> Matrix:
    counts = [counts_of(combination, wanted) for combination in lattice.combinations]
    mistakes = [Mistake(finding, 0, "", None) for finding in opened.diagnostics]
    mistakes += [_mistake(lattice, counts, shown) for shown in found.values()]
    order = {finding: place for place, finding in enumerate(in_order(one.diagnostic for one in mistakes))}
    bad = {
        cell[0]
        for shown in found.values()
        for cell, _, finding in shown
        if finding.severity is Severity.ERROR
    }
    options: dict[str, tuple[str, ...]] = {}
    for combination in lattice.combinations:
        for row in combination.rows:
            for name, value in row.items():
                known = options.get(name, ())
                options[name] = known if value in known else (*known, value)
    return Matrix(
        lattice.written[lattice.game.rulebook.game],
        tuple(lattice.modules),
        opened.broken,
        dict(sorted(options.items())),
        tuple(sorted({count for some in counts for count in some})),
        lattice.combinations,
        lattice.ruled_out,
        count_rulesets(lattice),
        sum(map(len, counts)),
        tuple(sorted(mistakes, key=lambda one: order[one.diagnostic])),
        tuple(number in bad for number in range(len(lattice.combinations))),
    )


def _mistake(
    lattice: Lattice, counts: list[tuple[int, ...]], shown: list[tuple[Cell, int | None, Diagnostic]]
) -> Mistake:
    (number, row), _, first = min(shown, key=lambda one: (one[0], one[1] or 0))
    smallest = lattice.name(lattice.combinations[number], lattice.combinations[number].rows[row])
    by_players = any(count is not None for _, count, _ in shown)
    universe = [
        point
        for place, combination in enumerate(lattice.combinations)
        for values in combination.rows
        for point in _points(combination, values, counts[place] if by_players else (None,))
    ]
    points = [
        _point(lattice.combinations[place], lattice.combinations[place].rows[at], count)
        for (place, at), count, _ in shown
    ]
    pattern = pattern_of(points, universe)
    combinations = len({cell[0] for cell, _, _ in shown})
    return Mistake(
        _with_places(first, combinations, len(lattice.combinations), smallest, pattern),
        combinations,
        smallest,
        pattern,
    )


def _points(
    combination: Combination, values: Mapping[str, str], counts: Iterable[int | None]
) -> Iterator[Point]:
    yield from (_point(combination, values, count) for count in counts)


def _point(combination: Combination, values: Mapping[str, str], count: int | None) -> Point:
    return Point(frozenset(combination.modules), frozenset(values.items()), count)


def _with_places(
    finding: Diagnostic, combinations: int, of: int, smallest: str, pattern: Pattern
) -> Diagnostic:
    """The finding with a note that says where it shows."""
    if of == 1:
        return finding
    words = str(pattern)
    where = f"in {plural(combinations, 'combination')} of {of}, the smallest is {smallest}"
    if combinations == of and not words:
        where = f"in all {of} combinations"
    elif words:
        where += f": {'all' if pattern.exact else 'some of those'} {words}"
    return replace(finding, notes=(*finding.notes, where))
