"""Plays games on the interpreter and counts what they make use of.

Input: an action graph, games between bots. Output: each game's result, and `Use`.
Invariants: the games are the same as on an engine: the same seed draws the same, and bots are asked the same.
Counting is of nodes of the graph as `interpret.book.Book.reached` tells them: a query or score counts when
it is worked out, which is once while nothing changes. A game that fails is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conche.bots import make_bots
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.simulate.game import GameResult
from conche.simulate.use import Use


class Counting:
    """Plays games of one ruleset, one after the other."""

    def __init__(self, graph: ActionGraph) -> None:
        self.graph = graph
        self.engine = Interpreter(graph)
        self._reached: list[str] = []
        self.engine.program.book.reached = self._reached.append

    def play(self, players: int, names: Sequence[str], seed: int, game: int, use: Use) -> GameResult:
        """Plays a game as `play_game` does, and adds what it reached to `use`."""
        bots = make_bots(names, seed)
        self._reached.clear()
        times, asked, options = Counter[str](), Counter[str](), Counter[str]()
        state = self.engine.start(players, seed)
        while waiting := state.to_act:
            player = waiting[0]
            choice = self.graph.choice(state.position.node).id
            count = state.count(player)
            asked[choice] += 1
            options[choice] += count
            self._count(times)
            index = bots[player].choose(state, player, count)
            self._reached.clear()  # what a bot tries out is not play
            state.step(index, player)
        scores, ranking = tuple(state.scores), tuple(tuple(place) for place in state.ranking)
        self._count(times)
        use.times.update(times)
        use.games.update(dict.fromkeys(times, 1))
        use.asked.update(asked)
        use.options.update(options)
        return GameResult(game, seed, asked.total(), options.total(), scores, ranking)

    def _count(self, times: Counter[str]) -> None:
        times.update(self._reached)
        self._reached.clear()
