"""Where several players choose at once.

Such a state waits at an `AtOnce` decision, asked of SEVERAL, with no options of its own: each player has his.
What a player has chosen is kept, by seat: the number of the case and the codes of its arguments, or () as
long as he has not chosen. Nothing else changes before all have. `found` has the numbers of options, by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from conche_runtime.arguments import checked_seat, shown
from conche_runtime.errors import IllegalMove
from conche_runtime.faults import Fault
from conche_runtime.helpers import tell_apart
from conche_runtime.interface import ChosenEvent
from conche_runtime.layout import AtOnce

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

SEVERAL: Final = -1
"""The seat that a decision is asked of in which all choose at once."""


# ------------------------------------------------------------------------------------------------ asking


def gather(state: Any, decision: AtOnce, seats: Sequence[int]) -> Any:
    """Asks all who are to choose: who has one option has chosen. Gives the block to go on with where nobody
    is waited for."""
    asked: list[int] = []
    waiting: list[int] = []
    counts = [0] * state.players
    holds = decision.holds
    setattr(state, decision.kept, [()] * state.players)
    for seat in seats:
        if holds is None or holds(state, seat):
            count = counts[seat] = decision.count(state, seat)
            asked.append(seat)
            if count > 1:
                waiting.append(seat)
                if not decision.told_apart:
                    tell_apart(decision.moves(state, seat))
            elif count:
                decision.step(state, 0, seat)
            else:
                raise Fault(f"'{decision.name}' has no option, which the rules rule out")
    setattr(state, decision.order, tuple(asked))
    state.at, state.options, state.actor = decision, 0, SEVERAL
    state.asked, state.found = tuple(waiting), counts
    return None if waiting else _close(state, decision)


def ask_nobody(state: Any) -> None:
    """Nobody is waited for any more."""
    state.asked = ()


def counts(state: EngineState, decision: AtOnce) -> list[int]:
    """How many options each has who was asked, by seat."""
    found = [0] * state.players
    for seat in getattr(state, decision.order):
        found[seat] = decision.count(state, seat)
    return found


def _close(state: EngineState, decision: AtOnce) -> Any:
    """All have chosen."""
    state.actor = 0
    order: tuple[int, ...] = getattr(state, decision.order)
    if state.log is not None:
        for seat in order:
            move = decision.named(state, seat)
            forced = decision.count(state, seat) == 1
            seen_by = None if decision.shown else (seat,)
            state.log.append(ChosenEvent(seat, move.name, move.args, forced, seen_by))
    if decision.anew is not None:
        variables = [getattr(state, name) for name in decision.anew.variables]
        held: list[tuple[Any, ...]] = [()] * state.players
        for seat in order:
            held[seat] = tuple([variable[seat] for variable in variables])
        setattr(state, decision.anew.held, held)
    return decision.done


# ------------------------------------------------------------------------------------------------ choosing


def chooser(state: EngineState, player: int | None) -> int:
    """Who moves; IllegalMove where that is nobody who is waited for."""
    if player.__class__ is int and player in state.asked:
        return player
    if player is None:
        if len(state.asked) > 1:
            raise IllegalMove("several choose at once: say who")
        return state.asked[0]
    player = checked_seat(player, state.players)
    if player in state.asked:
        return player
    assert isinstance(state.at, AtOnce)
    chosen = player in getattr(state, state.at.order)
    raise IllegalMove(f"seat {player} has chosen" if chosen else f"seat {player} is not asked")


def checked(state: EngineState, index: int, seat: int) -> int:
    """The number of an option of one who is waited for; IllegalMove where there is none."""
    count = state.found[seat]
    if not 0 <= index < count:
        raise IllegalMove(f"there is no option {shown(index)}: they are numbered 0..{count - 1}")
    return index


def choose(state: Any, take: Callable[[Any, Any, int], None], option: Any, seat: int) -> Any:
    """One chooses an option: `take`, of the decision, keeps it. Gives the block to go on with when all have
    chosen."""
    take(state, option, seat)
    state.asked = asked = tuple([other for other in state.asked if other != seat])
    return None if asked else _close(state, state.at)
