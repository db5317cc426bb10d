"""What is reached: the scenarios of a ruleset and random games, played on the interpreter and counted.

Input: an action graph, what is counted for each rule (`counted`), how many games, a seed. Output: by rule the
scenarios and games that reached it, and how often; whether each scenario passed.
Invariants: a scenario counts as far as it comes, its set-up and the questions of its `then` lines included. A
game is one that `conche test` plays too, with the scores and the ranking at its end. What a query gives is
remembered while nothing changes: it counts when it is worked out. The same seed gives the same numbers.
RulesError when the rules fail in a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conche.bots import make_bots
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.scenarios import run_scenario
from conche.simulate import game_seed
from conche.traceability.model import Reached


def reach(
    graph: ActionGraph, counted: Sequence[tuple[str, ...]], games: int, seed: int
) -> tuple[list[Reached], list[bool]]:
    """Runs all scenarios, and `games` random games for each number of players. By rule what reached it, by
    scenario whether it passed."""
    engine = Interpreter(graph)
    counts: Counter[str] = Counter()

    def count(name: str) -> None:
        counts[name] += 1

    engine.program.book.reached = count
    passed: list[bool] = []
    by_scenario: list[list[int]] = [[] for _ in counted]
    for number, scenario in enumerate(graph.rulebook.scenarios):
        counts.clear()
        passed.append(run_scenario(engine, scenario).passed)
        for ids, numbers in zip(counted, by_scenario, strict=True):
            if any(counts[name] for name in ids):
                numbers.append(number)
    in_games, times = [0 for _ in counted], [0 for _ in counted]
    for players in range(engine.min_players, engine.max_players + 1):
        for game in range(games):
            counts.clear()
            _play(engine, players, game_seed(seed, game))
            for rule, ids in enumerate(counted):
                done = sum(counts[name] for name in ids)
                in_games[rule] += done > 0
                times[rule] += done
    found = zip(by_scenario, in_games, times, strict=True)
    return [Reached(tuple(numbers), played, often) for numbers, played, often in found], passed


def _play(engine: Interpreter, players: int, seed: int) -> None:
    """A game between random bots, to its end, and its result."""
    bot = make_bots(["random"], seed)[0]
    state = engine.start(players, seed)
    while not state.over:
        player = state.to_act[0]
        state.step(bot.choose(state, player, state.count(player)), player)
    _ = state.scores
    _ = state.ranking
