"""How a change of the rules shifts the game: scores, seats, length, use of the changed rules.

Purpose: figures beside the list of changes.
Input: a comparison, a number of games, of players, a seed. Output: a `Balance`.
Invariants: game k of each version has the same seed for chance and the same random numbers for its bots, who
choose at random; so the difference of the two is estimated from pairs. Margins are those of 95 %. A pair in
which the rules of a side fail is left out and counted.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from conche.compare.compare_versions import Compared
from conche.compare.reach import Influence
from conche.graph.model import NodeKind
from conche.interpret import Interpreter
from conche_runtime.errors import RulesError

if TYPE_CHECKING:
    from conche.simulate.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of both versions, and how it changes from old to new. `seat` None: of the game."""

    what: str
    seat: int | None
    old: Estimate
    new: Estimate
    change: Estimate


@dataclass(frozen=True, slots=True)
class Use:
    """The share of games in which the place of a change was run; None where a version does not have it, or
    where it is nothing that is run."""

    change: str
    what: str
    old: float | None
    new: float | None


@dataclass(frozen=True, slots=True)
class Balance:
    players: int
    games: int
    failed: int
    seed: int
    seats: tuple[str, ...]
    rows: tuple[Row, ...]
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class _Game:
    totals: tuple[int, ...]
    wins: tuple[float, ...]
    length: int
    reached: frozenset[str]


def balance(compared: Compared, *, games: int, players: int, seed: int) -> Balance:
    """`games` games of each version for so many players."""
    sides = (Interpreter(compared.aligned.graph), Interpreter(compared.new.graph))
    pairs: list[tuple[_Game, _Game]] = []
    for number in range(games):
        try:
            old, new = (_play(side, players, seed + number) for side in sides)
        except RulesError:
            continue
        pairs.append((old, new))
    seats = tuple(sides[0].program.book.seat_name(seat) for seat in range(players))
    return Balance(
        players,
        games,
        games - len(pairs),
        seed,
        seats,
        tuple(_rows(pairs, players)) if pairs else (),
        tuple(_uses(compared, pairs)) if pairs else (),
    )


def _play(engine: Interpreter, players: int, seed: int) -> _Game:
    reached: set[str] = set()
    book = engine.program.book
    book.reached = reached.add
    try:
        state, random, length = engine.start(players, seed), Random(seed), 0
        while not state.over:
            player = state.to_act[int(random.random() * len(state.to_act))]
            state.step(int(random.random() * state.count(player)), player)
            length += 1
        totals = tuple(score["total"] for score in state.scores)
        first = state.ranking[0]
    finally:
        book.reached = None
    wins = tuple(1 / len(first) if seat in first else 0.0 for seat in range(players))
    return _Game(totals, wins, length, frozenset(reached))


def _rows(pairs: Sequence[tuple[_Game, _Game]], players: int) -> list[Row]:
    rows = [
        _row("score", seat, [tuple(game.totals[seat] for game in pair) for pair in pairs])
        for seat in range(players)
    ]
    rows += [
        _row("lead of the seat", seat, [tuple(_lead(game, seat) for game in pair) for pair in pairs])
        for seat in range(players)
    ]
    rows += [
        _row("share of wins", seat, [tuple(game.wins[seat] for game in pair) for pair in pairs])
        for seat in range(players)
    ]
    rows.append(_row("decisions", None, [tuple(game.length for game in pair) for pair in pairs]))
    return rows


def _lead(game: _Game, seat: int) -> float:
    """How far a seat is above the average of the table."""
    return game.totals[seat] - statistics.fmean(game.totals)


def _row(what: str, seat: int | None, values: Sequence[tuple[float, ...]]) -> Row:
    old, new = [pair[0] for pair in values], [pair[1] for pair in values]
    return Row(
        what, seat, estimate(old), estimate(new), estimate([b - a for a, b in zip(old, new, strict=True)])
    )


def estimate(values: Sequence[float]) -> Estimate:
    """The mean, and how far off it may be: by Student's t, as in simulations."""
    from conche.simulate.statistics import Estimate, t_quantile

    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    margin = None if error is None else t_quantile(len(values) - 1) * error
    return Estimate(statistics.fmean(values), margin)


def _uses(compared: Compared, pairs: Sequence[tuple[_Game, _Game]]) -> list[Use]:
    influences = (Influence(compared.aligned.graph), Influence(compared.new.graph))
    found: list[Use] = []
    for change, one in zip(compared.comparison.changes, compared.found, strict=True):
        if not change.changes_play:
            continue
        shares: list[float | None] = []
        for number, (influence, unit) in enumerate(zip(influences, (one.old, one.new), strict=True)):
            nodes = [] if unit is None else influence.seeds(unit, one.around, (), one.path)
            # What lies on the table is not run.
            places = {node for node in nodes if influence.graph.node(node).kind is not NodeKind.ZONE}
            run = [bool(places & pair[number].reached) for pair in pairs]
            shares.append(sum(run) / len(run) if places else None)
        found.append(Use(change.id, change.what, *shares))
    return found
