"""Options that several commands have, and checks of their values."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

from conche.cli.arguments import Argument, Option
from conche.cli.output import say
from conche.cli.trouble import refuse

if TYPE_CHECKING:
    from conche_runtime.interface import Engine

RulesetArgument: TypeAlias = Annotated[
    str,
    Argument(
        metavar="RULESET",
        help="A game or a rules file, with modules after a `+` and options after a `:` if wanted.",
    ),
]
PlayersOption: TypeAlias = Annotated[
    int | None, Option("--players", metavar="N", help="How many play; by default the fewest possible.")
]
SeedOption: TypeAlias = Annotated[
    int | None,
    Option("--seed", metavar="S", help="Start of all chance, 0 to 2^64-1; by default anything."),
]
FixedSeedOption: TypeAlias = Annotated[
    int, Option("--seed", metavar="S", help="Start of all chance, 0 to 2^64-1.")
]
BotsOption: TypeAlias = Annotated[
    str,
    Option(
        "--bots",
        metavar="NAME,…",
        help="Who plays, by seat: `random`, `playout:games=200`, …; the last takes the seats that follow.",
    ),
]


HUMAN = "human"
"""What `conche play` calls a seat that a person has."""


class TextOrJson(StrEnum):
    TEXT = "text"
    JSON = "json"


FormatOption: TypeAlias = Annotated[TextOrJson, Option("--format", help="How the result is written.")]


def players_for(engine: Engine, players: int | None, named: int = 0) -> int:
    """The number of players: as asked for, as many as are named, or the fewest; refused where the game is
    not for it."""
    low, high = engine.min_players, engine.max_players
    if players is None:
        return min(max(low, named), high)
    if not low <= players <= high:
        span = f"{low}" if low == high else f"{low} to {high}"
        refuse("C0502", f"{engine.ruleset} is for {span} players, not {shorten(players)}")
    return players


def say_players(engine: Engine) -> None:
    """Says how many the game is for, where another number could play."""
    low, high = engine.min_players, engine.max_players
    if low != high:
        say(f"(the game is for {low} to {high}; --players N plays with another number)")


def seed_for(seed: int | None) -> int:
    """The seed: as asked for, or one from the system."""
    if seed is None:
        return secrets.randbits(32)
    if not 0 <= seed < 1 << 64:
        refuse("C0502", f"a seed is a number from 0 to 2^64-1, not {shorten(seed)}")
    return seed


def number(value: int, what: str, low: int, high: int) -> int:
    """A number that is given to an option; refused outside low..high."""
    if not low <= value <= high:
        refuse("C0502", f"{what} is a number from {low} to {high}, not {shorten(value)}")
    return value


def shorten(value: int) -> str:
    """A number as text, also one with too many digits for a line."""
    if abs(value) < 10**20:
        return str(value)
    return f"{'-' if value < 0 else ''}a number of more than 20 digits".replace("-a", "a negative")


def names_for(bots: str, players: int, others: Sequence[str] = ()) -> tuple[str, ...]:
    """The names by seat; refused where there is no such bot or too many are named."""
    from conche.bots import check_bots, fill_seats

    names = [name.strip() for name in bots.split(",")]
    check_bots(names, others)
    if len(names) > players:
        refuse("C0503", f"{len(names)} bots are named for {players} seats")
    return fill_seats(names, players)
