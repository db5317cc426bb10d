"""Saves of Schoko & Co. with other values: seldom reached positions, and what a player must not know.

Input: an engine's state. Output: another state, by way of a save whose numbers were changed; SaveError where
nobody could choose anything in it. Money stays in balance: the bank has what is missing.
"""

from __future__ import annotations

import json
from typing import Any

from conche_runtime.interface import Engine, State
from games.driving import changed
from schoko.table import EXPRESS

CARDS = tuple(EXPRESS)
"""Saves count the cards of a hand in this order, seat by seat."""


def slots_of(state: State) -> dict[str, Any]:
    slots: dict[str, Any] = json.loads(state.to_json())["state"]
    return slots


def with_cash(engine: Engine, state: State, cash: dict[int, int], **more: Any) -> State:
    """Other cash for some seats, and more changes."""
    slots = slots_of(state)
    amounts = [cash.get(seat, amount) for seat, amount in enumerate(slots["cash"])]
    return changed(engine, state, cash=amounts, ledger=-sum(amounts), **more)


def with_card(engine: Engine, state: State, seat: int, card: str) -> State:
    """That seat has a card for one of its own, wherever it was."""
    slots = slots_of(state)
    hands, deck, played = slots["cards"], slots["express_deck"], slots["played"]
    number, wanted = len(CARDS), CARDS.index(card)
    start = seat * number
    if hands[start + wanted]:
        return state.clone()
    given = next(kind for kind in range(number) if hands[start + kind])
    holder = next((other for other in range(state.players) if hands[other * number + wanted]), None)
    if wanted in played:
        played[played.index(wanted)] = given
    else:
        place, offset = (deck, 0) if holder is None else (hands, holder * number)
        place[offset + wanted] -= 1
        place[offset + given] += 1
    hands[start + given] -= 1
    hands[start + wanted] += 1
    return changed(engine, state, cards=hands, express_deck=deck, played=played)
