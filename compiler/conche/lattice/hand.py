"""What a process can do for the search: one thing for each kind of job.

Input: a ruleset's graph, rules and engine; a `Job`. Output: its result.
Invariants: the same job gives the same result in any process. What a kind of job needs is made when the first
one comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from conche.graph.model import ActionGraph
from conche.lattice.attempt import Attempt, Player, Task
from conche.lattice.games import Game, Trace, trace_of
from conche.lattice.rules import Rule
from conche.lattice.scout import Batch, Errand, Find, Scout

Job = Task | Batch | Errand | Game | None
"""A game is to be played again. None: nothing is to be done, while others work."""

Result = Attempt | list[Find] | Trace | None


def engine_text(graph: ActionGraph) -> str | None:
    """The generated engine; None where it cannot be compiled."""
    from conche.codegen import build
    from conche.codegen.lower_expressions import UnsupportedError

    try:
        return build(graph)
    except UnsupportedError:
        return None


class Hand:
    """Does jobs."""

    def __init__(self, graph: ActionGraph, rules: Sequence[Rule], text: str | None) -> None:
        self._graph, self._rules, self._text = graph, rules, text

    def work(self, job: Job) -> Result:
        match job:
            case Task():
                return self._player.play(job)
            case Batch():
                return self._scout.batch(job)
            case Errand():
                return self._scout.errand(job)
            case Game():
                return trace_of(self._player.interpreter, self._player.watch, job)
            case None:
                return None

    @cached_property
    def _player(self) -> Player:
        return Player(self._graph, self._rules)

    @cached_property
    def _scout(self) -> Scout:
        assert self._text is not None
        return Scout(self._text)
