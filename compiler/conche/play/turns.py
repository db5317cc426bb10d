"""What has happened at a table, decision by decision, and who has been shown what of it.

Input: what the engine says about a move and what followed. Output: `Turn`s.
Invariant: a turn is what the host knows; what a person is shown of it is chosen by `shown_to`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from conche_runtime.interface import JSON, ChanceEvent, ChosenEvent, Event, ForcedEvent, RevealEvent, State


@dataclass(frozen=True, slots=True)
class Turn:
    """A move and what followed it. `passes`: it was to pass, of which others see nothing. `at_once`: others
    chose at the same time; the choice is told by the events, when all have chosen. `ahead`: pairs of a player
    and a person who knew less than that player when the move was made."""

    player: int
    name: str
    args: Mapping[str, JSON]
    options: int
    passes: bool
    at_once: bool
    ahead: frozenset[tuple[int, int]]
    events: tuple[Event, ...]

    def shown_to(self, seats: Collection[int] | None) -> bool:
        """Whether all of these seats (None: the host) see the move as it is made."""
        if seats is None or all(seat == self.player for seat in seats):
            return True
        return not self.passes and not self.at_once


def turn_at(state: State, index: int, player: int, watching: Collection[int]) -> Turn:
    """The turn that begins with this move, before it is made. `watching`: the seats of people."""
    move = state.move(index, player)
    passes = state.can_pass and index == state.count(player) - 1
    decision = state.snapshot()["decision"]
    at_once = isinstance(decision, dict) and "chosen" in decision
    ahead = frozenset(
        (knower, seat)
        for seat in watching
        for knower in range(state.players)
        if knower != seat and knows_more(state, knower, seat)
    )
    return Turn(player, move.name, dict(move.args), state.count(player), passes, at_once, ahead, ())


def sees(event: Event, seat: int) -> bool:
    """Whether a seat may know of an event."""
    if isinstance(event, ForcedEvent):
        return event.private or seat == event.player
    return event.seen_by is None or seat in event.seen_by


# ------------------------------------------------------------------------------------------------ knowing


def knows_more(state: State, player: int, other: int) -> bool:
    """Whether a player may know something that another one does not, as far as their views tell. What the
    one sees and the other does not counts also where nothing can be made of it."""
    whole = state.snapshot()
    mine, theirs = state.view(player), state.view(other)
    return any(
        _more(mine.get(key), theirs.get(key), whole[key]) for key in whole if key not in ("decision", "out")
    )


def _more(mine: JSON, theirs: JSON, whole: JSON) -> bool:
    if mine == theirs or theirs == whole or is_hidden(mine):
        return False
    if isinstance(whole, list) and isinstance(mine, list) and isinstance(theirs, list):
        if len(mine) == len(theirs) == len(whole):
            return any(map(_more, mine, theirs, whole))
    elif (
        isinstance(whole, dict)
        and isinstance(mine, dict)
        and isinstance(theirs, dict)
        and mine.keys() == theirs.keys() == whole.keys()
    ):
        return any(_more(mine[key], theirs[key], whole[key]) for key in whole)
    return True


def is_hidden(value: JSON) -> bool:
    """Whether a value of a view stands for what its player does not know at all."""
    return value is None or (isinstance(value, dict) and value.keys() == {"size"})


# ------------------------------------------------------------------------------------------------ learning


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was hidden from `seat` before a turn and was shown to him in it: an event, or the move itself,
    which rested on what he could not see."""

    seat: int
    what: Turn | Event


def learnt(turn: Turn, seat: int) -> Learnt | None:
    """The first thing that a seat learnt in a turn, None where all followed from what lay open to him: a
    chance outcome or something revealed that he saw, what another chose at the same time as others, a move of
    another who knew more than he."""
    if (turn.player, seat) in turn.ahead and turn.shown_to([seat]):
        return Learnt(seat, turn)
    for event in turn.events:
        match event:
            case ChanceEvent() | RevealEvent() if sees(event, seat):
                return Learnt(seat, event)
            case ChosenEvent() if event.player != seat and sees(event, seat):
                return Learnt(seat, event)
            case ForcedEvent() if (event.player, seat) in turn.ahead and sees(event, seat):
                return Learnt(seat, event)
            case _:
                pass
    return None
