"""What a bot is given: what its player may know, for one decision."""

from __future__ import annotations

import pytest

import conche
from conche.bots import Seat
from conche.bots.seat import SeatedBot
from conche_runtime.errors import IllegalMove
from conche_runtime.interface import State


class Keeper:
    """Remembers what it was given."""

    def __init__(self) -> None:
        self.seats: list[Seat] = []
        self.samples: list[State] = []

    def choose(self, seat: Seat) -> int:
        self.seats.append(seat)
        self.samples.append(seat.sample(7))
        return seat.count - 1


def test_a_seat_answers_what_its_player_may_know() -> None:
    state = conche.load("cacao").start(3, 5)
    player = state.to_act[0]
    seat = Seat(state, player, state.count(player))
    assert (seat.player, seat.players, seat.count) == (player, 3, state.count(player))
    assert (seat.decision, seat.can_pass) == (state.decision, state.can_pass)
    assert seat.view() == state.view(player)
    moves = state.legal_moves(player)
    assert seat.moves() == moves
    assert [seat.move(index) for index in range(seat.count)] == moves
    assert seat.find(moves[3].name, moves[3].args) == 3
    with pytest.raises(IllegalMove):
        seat.find("no such", {})
    assert seat.sample(9).to_json() == state.sample(player, 9).to_json()
    assert not hasattr(seat, "__dict__")
    public = {name for name in dir(seat) if not name.startswith("_")}
    assert public == {
        "can_pass",
        "count",
        "decision",
        "find",
        "move",
        "moves",
        "player",
        "players",
        "sample",
        "view",
    }


def test_a_seat_is_closed_when_the_choice_is_made() -> None:
    state = conche.load("cacao").start(2, 5)
    keeper = Keeper()
    bot = SeatedBot(keeper, "keeper")
    before = state.to_json()
    assert bot.choose(state, 0, state.count(0)) == state.count(0) - 1
    assert state.to_json() == before
    [seat] = keeper.seats
    for ask in (
        seat.view,
        seat.moves,
        lambda: seat.move(0),
        lambda: seat.sample(1),
        lambda: seat.decision,
        lambda: seat.can_pass,
        lambda: seat.find("place", {}),
    ):
        with pytest.raises(RuntimeError, match="only while its player is asked"):
            ask()
    # What it drew is its own: playing on with it changes nothing.
    keeper.samples[0].step(0)
    assert state.to_json() == before
