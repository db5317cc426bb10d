"""What a bot is given when it is asked: all that its player may know, and no more.

Purpose: a bot cannot look at hidden pieces, or at what chance will bring, by mistake.
Input: the host's state, the player who is asked. Output: a `Seat`; for hosts, a `SeatedBot`.
Invariants: whatever a seat answers is the same for any two states that the player cannot tell apart. A seat
answers for one decision: once it is taken, it is closed, so a bot that keeps it does not see the game go on.
"""

from __future__ import annotations

import operator
import os
import traceback
from collections.abc import Mapping
from typing import Protocol

from conche.bots.errors import BotFailedError
from conche_runtime.interface import JSON, Move, State


class Seat:
    """One decision, as the player who is asked sees it."""

    __slots__ = ("_state", "count", "player", "players")

    player: int
    """The seat that is asked, from 0."""
    players: int
    """How many play."""
    count: int
    """How many options there are, two or more. They are numbered from 0."""

    def __init__(self, state: State, player: int, count: int) -> None:
        self._state: State | None = state
        self.player, self.players, self.count = player, state.players, count

    @property
    def decision(self) -> str:
        """The name of the decision."""
        return self._open().decision or ""

    @property
    def can_pass(self) -> bool:
        """Whether the last option is to pass."""
        return self._open().can_pass

    def view(self) -> dict[str, JSON]:
        """The position as the player sees it: `State.view`."""
        return self._open().view(self.player)

    def moves(self) -> list[Move]:
        """All options with their arguments, in order. There may be thousands."""
        return self._open().legal_moves(self.player)

    def move(self, index: int) -> Move:
        """One option."""
        return self._open().move(index, self.player)

    def find(self, name: str, args: Mapping[str, JSON]) -> int:
        """The number of the option with that name and exactly these arguments; IllegalMove where there is
        none."""
        return self._open().find(name, args, self.player)

    def sample(self, seed: int) -> State:
        """A whole position that agrees with what the player knows; the rest is drawn anew from the seed,
        0 ≤ seed < 2**64. It is the bot's own: it may play on with it."""
        return self._open().sample(self.player, seed)

    def _open(self) -> State:
        if self._state is None:
            raise RuntimeError("a seat answers only while its player is asked")
        return self._state

    def _close(self) -> None:
        self._state = None


class Chooser(Protocol):
    """What the author of a bot writes: a class with this method. It is made with a seed, and by keyword with
    the arguments that its user gives; one for each seat and game, so what it remembers is its own."""

    def choose(self, seat: Seat) -> int:
        """The number of the option to take: 0 ≤ result < seat.count."""
        ...


class SeatedBot:
    """A chooser at a table: hands it a seat in place of the state, and looks at what it answers."""

    def __init__(self, chooser: Chooser, name: str, own: bool = False) -> None:
        """`own`: it is Conche's, so an error in it is Conche's too."""
        self.chooser, self.name, self.own = chooser, name, own

    def choose(self, state: State, player: int, count: int) -> int:
        seat = Seat(state, player, count)
        try:
            index = self.chooser.choose(seat)
        except (Exception, SystemExit) as error:
            if self.own:
                raise
            raise failed(self.name, error) from error
        finally:
            seat._close()
        if index.__class__ is not int:
            index = self._whole(index)
        if not 0 <= index < count:
            raise BotFailedError(
                f"the bot '{self.name}' chose option {shown(index)} of 0..{count - 1}", "C0523", _WHOSE
            )
        return index

    def _whole(self, index: object) -> int:
        """The number that stands for an answer of another class, such as a numpy integer."""
        try:
            if isinstance(index, bool):
                raise TypeError
            return operator.index(index)  # type: ignore[arg-type]
        except Exception:  # the class is the bot's own
            said = shown(index)
            raise BotFailedError(
                f"the bot '{self.name}' answered {said}, not the number of an option", "C0523", _WHOSE
            ) from None


_WHOSE = "this is for the author of the bot: the rules and Conche are not at fault"


def shown(value: object) -> str:
    """What a bot has given, in short; it may not be able to say so itself."""
    try:
        return f"{value!r:.60}"
    except Exception:
        return f"{object.__repr__(value):.60}"


def error_text(error: BaseException) -> str:
    """What an error of a bot says, on one line."""
    try:
        text = str(error)
    except Exception:
        text = "it cannot be told"
    return " ".join(f"{type(error).__name__}: {text}".split())[:300]


def failed(name: str, error: BaseException) -> BotFailedError:
    """What to say of an error that a bot raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return BotFailedError(f"the bot '{name}' failed: {error_text(error)}{place}", "C0523", _WHOSE)
