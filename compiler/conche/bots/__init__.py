"""Bots: players that are programs. One file per bot; the registry of their names.

Purpose: who sits at a table in `play`, `simulate`, `test` and tests.
Input: how bots are written, and a seed. Output: `Bot`s, by seat.
Invariants: a bot's choices depend on its seed and on what its player knows where it is asked, on nothing
else, unless it is given a time in place of a number. One that thinks is given a `Seat`, not the host's state.

    spec.py         `playout:games=200` taken apart
    registry.py     by name, Conche's own and those of other distributions
    seat.py         what a bot may know; the two ways to be asked
    errors.py       what goes wrong with bots
    random_bot.py, playout_bot.py (which options to look at) and playouts.py (what they are worth)

A new bot here: a file with a class that has `choose(seat)`, and a line in `registry.SEATED`. docs/bots.md is
for who writes them elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from conche.bots.errors import BotError, BotFailedError, BotNameError, UnknownBotError
from conche.bots.registry import RESERVED, factory_of, known_names, unknown
from conche.bots.seat import Chooser, Seat
from conche.bots.spec import parse_spec
from conche_runtime.chance import draw, stream_key
from conche_runtime.interface import State

__all__ = [
    "Bot",
    "BotError",
    "BotFailedError",
    "BotNameError",
    "Chooser",
    "Seat",
    "UnknownBotError",
    "check_bots",
    "fill_seats",
    "make_bots",
]


class Bot(Protocol):
    """Who plays at a table: chooses among the options of a decision by their number. Callers of bots see
    this; authors write a `Chooser`."""

    def choose(self, state: State, player: int, count: int) -> int:
        """The index of the option to take: 0 ≤ result < count, where count = state.count(player). The state
        is the host's and is left as it is. BotFailedError where the bot fails."""
        ...


def make_bots(names: Sequence[str], seed: int) -> list[Bot]:
    """The bots of one game, by seat; `seed` is the game's. The same seed and names give the same game.
    BotNameError where one cannot be had."""
    made: dict[str, Bot] = {}
    bots: list[Bot] = []
    for seat, name in enumerate(names):
        bot = made.get(name)
        if bot is None:
            factory = factory_of(name)
            # Who remembers what he saw must not play for two: a bot for each seat, but for the random one.
            stream = f"bot.{name}" if factory.shared else f"bot.{name}[{seat}]"
            bot = factory.make(draw(stream_key(seed, stream), 0))
            if factory.shared:
                made[name] = bot
        bots.append(bot)
    return bots


def check_bots(names: Iterable[str], others: Sequence[str] = ()) -> None:
    """BotNameError where a name is none of `others` and no such bot can be made."""
    for name in dict.fromkeys(names):
        if name in others:
            continue
        if name in RESERVED:
            raise unknown(name, known_names(), "only `conche play` has people at the table")
        try:
            factory_of(name).make(0)
        except UnknownBotError:
            raise unknown(parse_spec(name).name, [*known_names(), *others]) from None


def fill_seats(names: Sequence[str], players: int) -> tuple[str, ...]:
    """A name for every seat: the last one given stands for all that follow. ValueError for none or too
    many."""
    if not names:
        raise ValueError("no bot is named")
    if len(names) > players:
        raise ValueError(f"{len(names)} names for {players} seats")
    return (*names, *[names[-1]] * (players - len(names)))
