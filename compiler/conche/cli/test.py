"""`conche test`: the scenarios of a ruleset, and what must hold in any game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conche.cli.options import FormatOption, RulesetArgument, SeedOption, TextOrJson, number, seed_for
from conche.cli.output import put, report, say
from conche.cli.trouble import GOOD, PROBLEMS

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche.scenarios import ScenarioResult

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def command(
    ruleset: RulesetArgument,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="Random games for each number of players.")
    ] = 3,
    seed: SeedOption = 0,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Run the scenarios of a ruleset.

    Then random games, in which everything has to hold that the rules say always does.

    Exit code 0 when all are good, 1 when some fail.
    """
    from conche import pipeline
    from conche.interpret import Interpreter
    from conche.scenarios import run_scenarios

    number(games, "the number of games", 0, 10**6)
    chosen = seed_for(seed)
    checked = pipeline.check(ruleset)
    graph = checked.must()
    engine = Interpreter(graph)
    results = run_scenarios(engine, graph.rulebook.scenarios)
    broken = _random_games(engine, games, chosen)
    found = [*checked.diagnostics, *[one for result in results for one in result.failures], *broken]
    failed = sum(not result.passed for result in results)
    counts = range(engine.min_players, engine.max_players + 1)
    if style is TextOrJson.JSON:
        put(
            json.dumps(
                _document(graph.rulebook.ruleset, results, games, broken), ensure_ascii=False, indent=2
            )
            + "\n"
        )
    else:
        report(found, checked.sources)
        for result in results:
            say(f"{'good  ' if result.passed else 'FAILED'}  line {result.line}: {result.title}")
        random = f"{games * len(counts)} random games, {len(broken)} failed"
        say(f"{len(results)} scenarios, {failed} failed; {random}")
    return PROBLEMS if failed or broken else GOOD


def _random_games(engine: Any, games: int, seed: int) -> list[Diagnostic]:
    """What went wrong in random games, at most one finding for each number of players."""
    from conche.diagnostics.codes import diagnose
    from conche.simulate import game_seed

    found: list[Diagnostic] = []
    for players in range(engine.min_players, engine.max_players + 1):
        for game in range(games):
            trouble = _play(engine, players, game_seed(seed, game))
            if trouble is not None:
                code, message = trouble
                again = f"seed {game_seed(seed, game)}, {players} players, random bots"
                found.append(diagnose(code, message, notes=(again,)))
                break
    return found


def _play(engine: Any, players: int, seed: int) -> tuple[str, str] | None:
    """Plays a random game and checks, at each decision, what always holds and what is conserved."""
    from conche.bots import make_bots
    from conche.interpret.evaluate import Evaluator
    from conche.scenarios.conservation import pieces_in_play
    from conche_runtime.errors import ConcheError

    book = engine.program.book
    bot = make_bots(["random"], seed)[0]
    try:
        state = engine.start(players, seed)
        conserved = pieces_in_play(book, state.position)
        moves = 0
        while not state.over:
            player = state.to_act[0]
            state.step(bot.choose(state, player, state.count(player)), player)
            moves += 1
            evaluator = Evaluator(book, state.position)
            for invariant in book.rulebook.invariants.values():
                if not evaluator.flag(invariant.condition):
                    where = f"{invariant.span.file}:{invariant.span.line}"
                    return "C0522", f"{where}: '{invariant.text}' does not hold after {moves} decisions"
            now = pieces_in_play(book, state.position)
            for piece in book.rulebook.conserved:
                if now.get(piece, 0) != conserved.get(piece, 0):
                    before, after = conserved.get(piece, 0), now.get(piece, 0)
                    return "C0522", f"{before} {piece} were in play, {after} are after {moves} decisions"
    except ConcheError as error:
        return "C0520", f"the rules fail: {error}"
    return None


def _document(
    ruleset: str, results: list[ScenarioResult], games: int, broken: list[Diagnostic]
) -> dict[str, Any]:
    """The documented form: `conche test --format json`.

        {"conche": 1, "ruleset": "cacao",
         "scenarios": [{"title": "…", "line": 210, "passed": true, "failures": [DIAGNOSTIC, …]}, …],
         "games": 3, "broken": [DIAGNOSTIC, …]}

    DIAGNOSTIC as in `conche check --format json`; `games`: for each number of players.
    """
    from conche.diagnostics.render_json import to_json

    return {
        "conche": SCHEMA,
        "ruleset": ruleset,
        "scenarios": [
            {
                "title": result.title,
                "line": result.line,
                "passed": result.passed,
                "failures": to_json(result.failures)["diagnostics"],
            }
            for result in results
        ],
        "games": games,
        "broken": to_json(broken)["diagnostics"],
    }
