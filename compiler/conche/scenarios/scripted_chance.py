"""Chance with a script: the outcomes that a scenario names, then those of seed 0.

Purpose: what a scenario draws. Input: `chance` lines as they come. Output: a `ChanceSource`.
Invariant: a source without lines draws the same numbers as in a game with seed 0.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from conche.interpret.chance import pick, same_json
from conche.semantics.rulebook import NextChance
from conche_runtime.chance import stream_key
from conche_runtime.errors import ChanceError
from conche_runtime.interface import JSON


class ImpossibleOutcomeError(ChanceError):
    """The outcome that a line names is none of the possible ones."""

    def __init__(self, line: NextChance, possible: list[JSON]) -> None:
        super().__init__(f"{line.value!r} cannot come from '{line.source}' now")
        self.line = line
        self.possible = possible


class ScriptedChance:
    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._draws: dict[str, int] = {}
        self._lines: dict[str, deque[NextChance]] = {}

    def script(self, line: NextChance) -> None:
        """This comes next from its source, after what was scripted before."""
        self._lines.setdefault(line.source, deque()).append(line)

    @property
    def unused(self) -> list[NextChance]:
        """The lines whose turn has not come."""
        return [line for lines in self._lines.values() for line in lines]

    def __call__(self, source: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
        lines = self._lines.get(source)
        if not lines:
            number = self._draws.get(source, 0)
            self._draws[source] = number + 1
            weights = [weight for _, weight in outcomes]
            return outcomes[pick(stream_key(self._seed, source), number, weights)][0]
        line = lines.popleft()
        if not any(same_json(value, line.value) for value, _ in outcomes):
            raise ImpossibleOutcomeError(line, [value for value, _ in outcomes])
        return line.value
