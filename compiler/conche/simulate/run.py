"""Plays many games, on all cores.

Purpose: divides games among processes and collects what they find in the games' order.
Input: a ruleset (or an engine's image), how many games, bots. Output: a `Summary`; each result to `each`.
Invariants: workers are started by `spawn`, so nothing of the calling process is copied into them, and get
the engine as code, so they compile nothing and need no cache. Where no processes can be started, and where
the games are done before that would pay, all is played here. With more than one worker a script needs the
usual `if __name__ == "__main__":` around what it does.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conche.api import Image, image_of
from conche.bots import check_bots, fill_seats
from conche.seats import seat_names
from conche.simulate.game import GameResult, game_seed, play_game
from conche.simulate.summary import Summary, Tally, summarize
from conche.simulate.use import Use, summarize_use
from conche.workers import WorkerDiedError, cores, spread
from conche_runtime.errors import ConcheError
from conche_runtime.interface import Engine

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph

MAX_GAMES = 10**12

_HERE = 0.4
"""Seconds of play in this process before others are started: about what starting them takes."""

_CHUNK = 0.5
"""Seconds that a worker's task should take."""


class SimulationError(ConcheError):
    """A game failed: the rules did what they forbid, or a worker died.

    `game`, `seed` and `cause`: which game, and how it failed; None where a worker died.
    """

    def __init__(
        self,
        message: str,
        game: int | None = None,
        seed: int | None = None,
        cause: ConcheError | None = None,
    ) -> None:
        super().__init__(message, game, seed, cause)
        self.message, self.game, self.seed, self.cause = message, game, seed, cause

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class _Table:
    """Who plays what, the same for all games."""

    players: int
    bots: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class _What:
    """What a process is given. `keep`: whether each game's result is wanted."""

    image: Image
    table: _Table
    keep: bool
    rules: ActionGraph | None


@dataclass(frozen=True, slots=True)
class _Part:
    """What a task gives back. `failure`: the first game that failed and how; what came before it is
    counted."""

    tally: Tally
    results: list[GameResult] | None
    failure: SimulationError | None


def simulate(
    ruleset: str | Image,
    games: int,
    *,
    players: int | None = None,
    seed: int = 0,
    bots: Sequence[str] = ("random",),
    workers: int | None = None,
    rules: ActionGraph | None = None,
    each: Callable[[GameResult], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Plays `games` games and adds them up.

    `players`: by default the fewest the game is for. `bots`: by seat, the last one for all that follow.
    `workers`: by default one for each core. `rules`: the graph of the same ruleset; then the same games are
    played on the interpreter, which is slower, and what they use of decisions and rules is counted. `each`
    gets the result of every game, in order. `progress` is told how many are done.

    ValueError for numbers and names that cannot be; `CompileError` for rules with errors;
    `SimulationError` where a game fails, with its number and seed.
    """
    image = ruleset if isinstance(ruleset, Image) else image_of(ruleset)
    engine = image.engine()
    if not 1 <= games <= MAX_GAMES:
        raise ValueError(f"the number of games is 1 to {MAX_GAMES}, not {games}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"a seed is 0 to 2**64 - 1, not {seed}")
    if workers is not None and workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    players = engine.min_players if players is None else players
    if not engine.min_players <= players <= engine.max_players:
        raise ValueError(f"{image.ruleset} is for {_range(engine)} players, not {players}")
    names = fill_seats(bots, players)
    check_bots(names)

    table = _Table(players, names, seed)
    tally = Tally(players)
    start = time.perf_counter()
    what = _What(image, table, each is not None, rules)
    parts = _parts(what, games, workers or cores(), start)
    # Closed at once where something goes wrong, so that no worker plays on.
    with contextlib.closing(parts):
        for part in parts:
            tally.merge(part.tally)
            for result in part.results or ():
                if each is not None:
                    each(result)
            if part.failure is not None:
                raise part.failure
            if progress is not None:
                progress(tally.games)
    return summarize(
        tally,
        ruleset=engine.ruleset,
        digest=engine.digest,
        seats=seat_names(engine.seats, players),
        bots=names,
        seed=seed,
        seconds=time.perf_counter() - start,
        use=summarize_use(rules, tally.use or Use()) if rules is not None else None,
    )


def _range(engine: Engine) -> str:
    low, high = engine.min_players, engine.max_players
    return str(low) if low == high else f"{low} to {high}"


def _parts(what: _What, games: int, workers: int, start: float) -> Generator[_Part]:
    """The games in order, first some played here, then the rest by the workers."""
    player = _Player(what)
    done, size = 0, 1
    while done < games:
        here = time.perf_counter() - start
        if workers > 1 and here > _HERE and games - done > 1:
            size = max(1, min(int(done / here * _CHUNK), -(-(games - done) // (2 * workers))))
            yield from _spread(what, done, games, size, workers)
            return
        upto = min(done + size, games)
        yield player.play(done, upto)
        # Parts of about a tenth of a second, so that progress shows.
        size = max(1, int(upto / max(time.perf_counter() - start, 1e-6) * 0.1))
        done = upto


def _spread(what: _What, done: int, games: int, size: int, workers: int) -> Generator[_Part]:
    tasks = ((first, min(first + size, games)) for first in range(done, games, size))
    parts = spread(_work, tasks, workers=workers, prepare=_set_up, given=(what,))
    try:
        with contextlib.closing(parts):
            yield from parts
    except WorkerDiedError as error:
        raise SimulationError(str(error)) from None


class _Player:
    """Plays games of a simulation, in whatever process."""

    def __init__(self, what: _What) -> None:
        self.what = what
        self.engine = what.image.engine()
        self.counting = None
        if what.rules is not None:
            # Only where it is wanted: the interpreter takes long to import.
            from conche.simulate.counting import Counting

            self.counting = Counting(what.rules)

    def play(self, first: int, end: int) -> _Part:
        table = self.what.table
        tally = Tally(table.players, use=None if self.counting is None else Use())
        results: list[GameResult] = []
        failure = None
        for game in range(first, end):
            seed = game_seed(table.seed, game)
            try:
                result = self._game(tally, seed, game)
            except ConcheError as error:
                failure = SimulationError(f"game {game} (seed {seed}): {error}", game, seed, error)
                break
            tally.add(result)
            if self.what.keep:
                results.append(result)
        return _Part(tally, results if self.what.keep else None, failure)

    def _game(self, tally: Tally, seed: int, game: int) -> GameResult:
        table = self.what.table
        if self.counting is None or tally.use is None:
            return play_game(self.engine, table.players, table.bots, seed, game)
        return self.counting.play(table.players, table.bots, seed, game, tally.use)


# -- in a worker process


_worker: _Player | None = None


def _set_up(what: _What) -> None:
    global _worker
    _worker = _Player(what)


def _work(games: tuple[int, int]) -> _Part:
    assert _worker is not None
    return _worker.play(*games)
