"""A game of one decision and many steps, written by hand, of which a test says what comes of each option."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from conche.bots import Seat
from conche_runtime.errors import IllegalMove, RulesError
from conche_runtime.interface import State


@dataclass(frozen=True)
class Option:
    name: str

    @property
    def args(self) -> dict[str, Any]:
        return {}


def rules_error() -> RulesError:
    return RulesError("fake.rules", 7, "the rules fail")


@dataclass
class Fake:
    """Player 0 chooses one of `names`; then player 1 has two options, `steps` times. Player 0 has the points
    of `worth` at the end, player 1 has 5. `fails`: options whose rules fail."""

    names: Sequence[str]
    worth: Mapping[str, int]
    steps: int = 3
    fails: frozenset[str] = frozenset()
    sampled: Callable[[Fake], Fake | None] = lambda one: one
    """What a sample is; None where the rules fail in drawing one."""
    better: int = 1
    """-1: fewer points are better."""
    chosen: str | None = None
    done: int = 0
    counts: list[int] = field(default_factory=lambda: [0, 0])
    """Clones and steps, of all copies."""
    players: int = 2

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.chosen is None:
            return (0,)
        return (1,) if self.done < self.steps else ()

    @property
    def over(self) -> bool:
        return not self.to_act

    def count(self, player: int | None = None) -> int:
        if player is not None and player not in self.to_act:
            return 0
        return 0 if self.over else len(self.names) if self.chosen is None else 2

    def step(self, index: int, player: int | None = None) -> None:
        assert 0 <= index < self.count(player)
        self.counts[1] += 1
        if self.chosen is None:
            self.chosen = self.names[index]
            if self.chosen in self.fails:
                raise rules_error()
        else:
            self.done += 1

    def clone(self) -> Fake:
        self.counts[0] += 1
        return Fake(**self.__dict__)

    def sample(self, player: int, seed: int | None = None) -> Fake:
        found = self.sampled(Fake(**self.__dict__))
        if found is None:
            raise rules_error()
        return found

    def move(self, index: int, player: int | None = None) -> Option:
        return Option(self.names[index])

    def find(self, name: str, args: Mapping[str, Any], player: int | None = None) -> int:
        if name not in self.names:
            raise IllegalMove(name)
        return list(self.names).index(name)

    @property
    def scores(self) -> list[dict[str, int]]:
        return [{"total": self.worth.get(self.chosen or "", 0)}, {"total": 5}]

    @property
    def ranking(self) -> list[list[int]]:
        mine, other = (score["total"] * self.better for score in self.scores)
        return [[0, 1]] if mine == other else [[0], [1]] if mine > other else [[1], [0]]

    def seat(self) -> Seat:
        return Seat(cast(State, self), 0, len(self.names))
