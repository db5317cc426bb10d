"""`conche simulate`: many games between bots, and what they show."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from conche.cli.arguments import Option
from conche.cli.options import (
    BotsOption,
    PlayersOption,
    RulesetArgument,
    SeedOption,
    names_for,
    number,
    players_for,
    seed_for,
)
from conche.cli.output import put, report, settled, waiting
from conche.cli.progress import progress_bar
from conche.cli.simulated import show_csv, show_text
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE, refuse, see_again

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph
    from conche.simulate import GameResult, SimulationError, Summary


class SummaryFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    CSV = "csv"


def command(
    ruleset: RulesetArgument,
    games: Annotated[int, Option("--games", "-n", metavar="N", help="How many games.")] = 1000,
    players: PlayersOption = None,
    seed: SeedOption = None,
    bots: BotsOption = "random",
    workers: Annotated[
        int | None, Option("--workers", metavar="N", help="Processes; by default one for each core.")
    ] = None,
    each: Annotated[
        Path | None,
        Option("--each", metavar="FILE", help="Write every game's result: CSV, or JSON Lines for *.jsonl."),
    ] = None,
    rules: Annotated[
        bool, Option("--rules", help="Count how often each decision and rule is used. Slower.")
    ] = False,
    plot: Annotated[
        Path | None, Option("--plot", metavar="FILE", help="Draw the result: *.png or *.svg.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace existing files.")] = False,
    style: Annotated[
        SummaryFormat, Option("--format", help="How the summary is written.")
    ] = SummaryFormat.TEXT,
) -> int:
    """Play many games between bots.

    Shows mean scores, shares of wins, where points come from, lengths and options, with 95 % intervals.

    The result depends on ruleset, players, seed and bots alone, not on the number of workers. With --rules
    the same games are played by the interpreter, which counts what it does. --plot needs the extra
    `conche[plot]`.
    """
    from conche.api import image_of
    from conche.seats import seat_names
    from conche.simulate import SimulationError
    from conche.simulate import simulate as run
    from conche.simulate.run import MAX_GAMES

    number(games, "the number of games", 1, MAX_GAMES)
    if workers is not None:
        number(workers, "the number of workers", 1, 1000)
    form = _form(plot, force)
    with waiting(f"compiling {ruleset}"):
        image = image_of(ruleset)
        graph = _graph(ruleset) if rules else None
    engine = image.engine()
    count = players_for(engine, players, named=len(bots.split(",")) if "," in bots else 0)
    names = names_for(bots, count)
    settled()
    chosen = seed_for(seed)
    try:
        with (
            _results(each, force, seat_names(engine.seats, count)) as write,
            progress_bar("games", games) as progress,
        ):
            summary = run(
                image,
                games,
                players=count,
                seed=chosen,
                bots=names,
                workers=workers,
                rules=graph,
                each=write,
                progress=progress,
            )
    except SimulationError as error:
        return _failed(error, ruleset, count, names)
    if plot is not None:
        _plot(summary, plot, form)
    match style:
        case SummaryFormat.TEXT:
            show_text(summary, engine)
        case SummaryFormat.JSON:
            put(json.dumps(summary.to_json(), indent=2) + "\n")
        case SummaryFormat.CSV:
            show_csv(summary)
    return GOOD


def _failed(error: SimulationError, ruleset: str, players: int, bots: Sequence[str]) -> int:
    """Reports the game that failed, and how to see it again."""
    from conche.bots import BotError
    from conche.diagnostics.codes import diagnose
    from conche.failure import rules_failure
    from conche_runtime.errors import RulesError

    if error.seed is None:
        raise error
    again = see_again(ruleset, players, error.seed, bots)
    if isinstance(error.cause, BotError):
        report([diagnose(error.cause.code, str(error), help=(*error.cause.help, again))])
        return TROUBLE
    if isinstance(error.cause, RulesError):
        title = f"game {error.game} (seed {error.seed})"
        report(*rules_failure(error.cause, again, code="C0521", title=title))
    else:
        report([diagnose("C0521", str(error), help=(again,))])
    return PROBLEMS


def _form(path: Path | None, force: bool) -> str:
    """How a plot is written; refused before anything is played where it cannot be."""
    import errno

    from conche.simulate.plot import FORMS, ready

    if path is None:
        return ""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        refuse("C0501", f"a plot is written as *.png or *.svg, not as '{path}'", "choose one of these")
    if path.exists() and not force:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    ready()
    return form


def _plot(summary: Summary, path: Path, form: str) -> None:
    import os

    from conche.simulate.plot import plot

    data = plot(summary, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)


def _graph(ruleset: str) -> ActionGraph:
    """The graph of rules that were compiled before."""
    from conche import pipeline

    return pipeline.check(ruleset).must()


@contextlib.contextmanager
def _results(
    path: Path | None, force: bool, seats: tuple[str, ...]
) -> Iterator[Callable[[GameResult], None] | None]:
    """What writes each result. The file gets its name at the end, and stays `FILE.part` where there is
    trouble."""
    import errno
    import os

    if path is None:
        yield None
        return
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not force:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        yield _json_lines(file) if path.suffix in (".jsonl", ".json") else _csv_lines(file, seats)
    os.replace(part, path)


def _json_lines(file: TextIO) -> Callable[[GameResult], None]:
    """One object a game: {"game", "seed", "decisions", "options", "scores": […], "ranking": […]}."""

    def write(result: GameResult) -> None:
        line = {
            "game": result.game,
            "seed": result.seed,
            "decisions": result.decisions,
            "options": result.options,
            "scores": result.scores,
            "ranking": result.ranking,
        }
        file.write(json.dumps(line) + "\n")

    return write


def _csv_lines(file: TextIO, seats: tuple[str, ...]) -> Callable[[GameResult], None]:
    """One row a game: game, seed, decisions, options, by seat its place and scores."""
    import csv

    writer = csv.writer(file, lineterminator="\n")
    headed = False

    def write(result: GameResult) -> None:
        nonlocal headed
        if not headed:
            names = [
                f"{seat}_{name}" for i, seat in enumerate(seats) for name in ("place", *result.scores[i])
            ]
            writer.writerow(["game", "seed", "decisions", "options", *names])
            headed = True
        row: list[int] = [result.game, result.seed, result.decisions, result.options]
        for seat in range(len(seats)):
            better = next(i for i, place in enumerate(result.ranking) if seat in place)
            row += [1 + sum(len(place) for place in result.ranking[:better]), *result.scores[seat].values()]
        writer.writerow(row)

    return write
