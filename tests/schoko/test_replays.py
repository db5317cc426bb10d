"""Full records of seats of Schoko & Co. replay, also where a seat's only bid stands among the others'."""

from __future__ import annotations

import io
import itertools
import random
from typing import TypeGuard

import pytest

from conche_runtime.records import DecisionLine, Line, Record, Recorder, read_record
from conche_runtime.replay import replay
from schoko.games import GAME, engine_of
from slices import slice_of

ITS_OWN_BID_FIRST = [(3, 0, 2), (3, 1, 2)]
CASES = [(players, seed, seat) for players in (2, 3) for seed in range(7, 40) for seat in range(players)]


def _recorded(players: int, seed: int, seat: int) -> Record:
    engine, dice = engine_of(GAME), random.Random(seed)
    stream = io.StringIO()
    recorder = Recorder(engine, engine.start(players, seed, log=True), stream, full=True, seat=seat)
    state = recorder.state
    while not state.over:
        player = dice.choice(state.to_act)
        recorder.apply(dice.randrange(state.count(player)), player)
    return read_record(stream.getvalue())


@pytest.mark.parametrize(("players", "seed", "seat"), [*ITS_OWN_BID_FIRST, *slice_of(CASES, 2)])
def test_a_full_record_of_a_seat_replays(players: int, seed: int, seat: int) -> None:
    record = _recorded(players, seed, seat)
    if (players, seed, seat) in ITS_OWN_BID_FIRST:
        pairs = itertools.pairwise(record.lines)
        assert any(_is_bid(one, seat) and one.forced and _is_bid(other) for one, other in pairs)
    result = replay(engine_of(GAME), record)
    assert result.problem is None, result.problem
    assert result.complete


def _is_bid(line: Line, seat: int | None = None) -> TypeGuard[DecisionLine]:
    """Whether it is a bid, of a seat or of any."""
    return isinstance(line, DecisionLine) and line.name == "bid" and seat in (None, line.player)
