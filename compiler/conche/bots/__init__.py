"""Bots: players that are programs. One file per bot; the registry of their names.

Purpose: who sits at a table in `play`, `simulate` and tests.
Input: a name and a seed. Output: a `Bot`.
Invariants: a bot's choices depend on its seed and on the positions it is asked in, on nothing else. The
state that a bot is given is the host's: one that thinks must look at `state.view(player)` or
`state.sample(player)`, not at the state.

A new bot: a file here with a class that has `choose`, and a line in `BOTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from conche.bots.random_bot import RandomBot
from conche_runtime.chance import draw, stream_key
from conche_runtime.interface import State


class Bot(Protocol):
    """Chooses among the options of a decision by their number."""

    def choose(self, state: State, player: int, count: int) -> int:
        """The index of the option to take: 0 ≤ result < count, where count = state.count(player)."""
        ...


BOTS: Mapping[str, Callable[[int], Bot]] = {"random": RandomBot}
"""By name: what makes a bot of a seed."""


def make_bots(names: Sequence[str], seed: int) -> list[Bot]:
    """The bots of one game, by seat; `seed` is the game's. All seats of one name are played by the same
    bot, so that a game of a simulation can be watched: the same seed and names give the same game.
    KeyError for an unknown name."""
    made: dict[str, Bot] = {}
    for name in names:
        if name not in made:
            made[name] = BOTS[name](draw(stream_key(seed, f"bot.{name}"), 0))
    return [made[name] for name in names]


def fill_seats(names: Sequence[str], players: int) -> tuple[str, ...]:
    """A name for every seat: the last one given stands for all that follow. ValueError for none or too
    many."""
    if not names:
        raise ValueError("no bot is named")
    if len(names) > players:
        raise ValueError(f"{len(names)} names for {players} seats")
    return (*names, *[names[-1]] * (players - len(names)))
