"""How the referee of Schoko & Co. asks: what can be chosen, what is drawn, and who goes on with the answer.

`Asking` runs a game that is told as a generator, `flow`. It stops at an `Ask` (answered with the moves of
those who are asked) or a `Draw` (answered with the card). A decision with one option is not asked (section 8
of the rulebook); it is noted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from schoko.table import Table

Args: TypeAlias = dict[str, Any]
Option: TypeAlias = tuple[str, Args]


class Options(Protocol):
    """What a seat can do now."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Option]: ...


class Listed(list[Option]):
    """Options one by one."""


@dataclass(frozen=True)
class Offers:
    """Bars and a price, at most `bars` and within `cash`, or nothing (A61, A94)."""

    name: str
    bars: int
    cash: int

    def __len__(self) -> int:
        return 1 + sum(self.cash // bars for bars in range(1, self.bars + 1))

    def __iter__(self) -> Iterator[Option]:
        yield self.name, {"bars": 0, "price": 0}
        for bars in range(1, self.bars + 1):
            for price in range(1, self.cash // bars + 1):
                yield self.name, {"bars": bars, "price": price}


@dataclass(frozen=True)
class Ask:
    name: str
    options: dict[int, Options]
    """By seat; two or more for each."""


@dataclass(frozen=True)
class Draw:
    source: str
    outcomes: frozenset[str]


Answer: TypeAlias = Any
Flow: TypeAlias = Generator[Ask | Draw, Answer, None]
Chosen: TypeAlias = Generator[Ask | Draw, Answer, Option]
Drawn: TypeAlias = Generator[Ask | Draw, Answer, str]


class Asking(Table):
    """`now`: what the game waits for, None at its end. `forced`: what was done without asking."""

    def __init__(self, players: int, months: int, banker: int) -> None:
        super().__init__(players, months, banker)
        self.forced: list[tuple[int, str, Args]] = []
        self._flow = self.flow()
        self.now: Ask | Draw | None = next(self._flow)

    def flow(self) -> Flow:
        raise NotImplementedError

    def answer(self, answer: Answer) -> None:
        try:
            self.now = self._flow.send(answer)
        except StopIteration:
            self.now = None

    def ask(self, seat: int, name: str, options: Options) -> Chosen:
        if len(options) == 1:
            (only,) = options
            self.forced.append((seat, only[0], only[1]))
            return only
        answer: dict[int, Option] = yield Ask(name, {seat: options})
        return answer[seat]

    def number(self, seat: int, name: str, argument: str, values: Iterable[Any]) -> Generator[Any, Any, Any]:
        """Asks for one argument."""
        _, args = yield from self.ask(seat, name, Listed((name, {argument: value}) for value in values))
        return args[argument]
