"""Which moves lead towards a change.

Purpose: a game in which a rare rule comes up is found sooner.
Input: the graph of the old version, and the places that a group of changes touches. Output: for a node of
the graph, how much it is worth that a move has run it.
Invariants: the nearer a node is to a changed place, on the ways by which it can influence that, the more it
is worth. A guide only prefers; every legal move stays possible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from random import Random

from conche.compare.reach import Influence
from conche.interpret import InterpreterState

TRIED = 4
"""So many moves are tried out before one is made."""

_FOLLOWED = 0.75
"""How often the best of them is made; else any."""


class Guide:
    def __init__(self, influence: Influence, targets: Iterable[str]) -> None:
        before: dict[str, list[str]] = {}
        for node in influence.graph.nodes():
            for other in influence.after(node.id):
                before.setdefault(other, []).append(node.id)
        far = dict.fromkeys(targets, 0)
        waiting = deque(far)
        while waiting:
            node_id = waiting.popleft()
            for other in before.get(node_id, ()):
                if other not in far:
                    far[other] = far[node_id] + 1
                    waiting.append(other)
        self.worth = {node_id: 0.5**distance for node_id, distance in far.items()}

    def choose(self, state: InterpreterState, player: int, random: Random) -> tuple[int, int]:
        """The number of a move, and how many positions were looked at for it."""
        count = state.count(player)
        if not self.worth or random.random() > _FOLLOWED:
            return random.randrange(count), 0
        tried = random.sample(range(count), min(TRIED, count))
        best = max((self._worth(state, player, index), random.random(), index) for index in tried)
        return best[2], len(tried)

    def _worth(self, state: InterpreterState, player: int, index: int) -> float:
        book = state.engine.program.book
        reached: set[str] = set()
        book.reached = reached.add
        try:
            trial = state.clone()
            trial.step(index, player)
        except Exception:
            # What goes wrong there is seen when the move is made.
            return 1.0
        finally:
            book.reached = None
        return sum(self.worth.get(node_id, 0.0) for node_id in reached)
