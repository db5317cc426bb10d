"""Schoko & Co. on the generated engine and on the interpreter: nothing may tell the two apart.

Guided games, because only these come to all that there is. On the way clones, saves and samples are looked
at, and in the end the records of the host and of every seat are played again.
"""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

from conche_runtime.errors import IllegalMove
from conche_runtime.interface import Engine, Event, State
from conche_runtime.records import Recorder, read_record
from conche_runtime.replay import replay
from schoko.games import FIXED, GAME, HIDDEN, Game, engine_of, interpreter_of
from slices import slice_of

MOST = 80
"""Of more options only some are compared."""


def plain(events: list[Event] | None) -> list[str]:
    return [repr(event) for event in events or ()]


def look(state: State) -> dict[str, Any]:
    """All that can be asked of a state."""
    options = {}
    for seat in state.to_act:
        count = state.count(seat)
        chosen = range(count) if count <= MOST else range(0, count, count // 20)
        options[seat] = [
            count,
            *((move.name, list(move.args.items())) for move in _moves(state, seat, chosen)),
        ]
    return {
        "asked": (state.over, state.to_act, state.decision, state.can_pass),
        "options": options,
        "snapshot": state.snapshot(),
        "views": [json.dumps(state.view(seat)) for seat in range(state.players)],
        "scores": (state.scores, state.ranking),
    }


def _moves(state: State, seat: int, chosen: range) -> list[Any]:
    if len(chosen) == state.count(seat):
        return state.legal_moves(seat)
    return [state.move(index, seat) for index in chosen]


def copies(engines: tuple[Engine, Engine], states: tuple[State, State], seat: int, index: int) -> None:
    """Clones and loaded saves play on alike and reach nothing else; samples are the same of both engines."""
    texts = [state.to_json() for state in states]
    after = []
    for engine, state in zip(engines, states, strict=True):
        clone, loaded = state.clone(), engine.from_json(state.to_json())
        clone.step(index, seat)
        loaded.apply(loaded.move(index, seat), seat)
        assert clone.to_json() == loaded.to_json()
        after.append(loaded.snapshot())
        for wrong in (-1, state.count(seat), 10**30):
            with pytest.raises(IllegalMove):
                state.step(wrong, seat)
    assert after[0] == after[1]
    for viewer in range(states[0].players):
        samples = [state.sample(viewer, seed=index) for state in states]
        assert samples[0].snapshot() == samples[1].snapshot()
        assert json.dumps(samples[0].view(viewer)) == json.dumps(states[0].view(viewer))
    assert [state.to_json() for state in states] == texts


GAMES = [
    Game(ruleset, players, 30, who)
    for ruleset in (GAME, HIDDEN)
    for players in (2, 3, 4)
    for who in ("steady", "one spends", "all spend", "chance")
]


@pytest.mark.slow
@pytest.mark.parametrize("game", slice_of(GAMES, 3), ids=str)
def test_engine_and_interpreter_play_the_same_game(game: Game) -> None:
    engines = engine_of(game.ruleset), interpreter_of(game.ruleset)
    one, two = (engine.start(game.players, game.seed, log=True) for engine in engines)
    dice, number = random.Random(game.seed), 0
    while True:
        seen = look(one)
        assert seen == look(two)
        assert plain(one.log) == plain(two.log)
        assert one.log is not None
        assert two.log is not None
        one.log.clear()
        two.log.clear()
        if one.over:
            break
        seat = dice.choice(one.to_act)
        index = game.policy(one, seat, dice)
        if number % 25 == 0:
            copies(engines, (one, two), seat, index)
            assert look(one) == seen
        one.step(index, seat)
        two.step(index, seat)
        number += 1
    assert number > 40


@pytest.mark.slow
@pytest.mark.parametrize("game", slice_of(FIXED, 3), ids=str)
@pytest.mark.parametrize("full", [False, True], ids=["plain", "full"])
def test_records_of_all_seats_can_be_played_again(game: Game, full: bool) -> None:
    """That of a seat up to the first form that it was not shown."""
    engine = engine_of(game.ruleset)
    streams = [io.StringIO() for _ in range(game.players + 1)]
    recorders = [
        Recorder(
            engine,
            engine.start(game.players, game.seed, log=True),
            stream,
            full=full,
            seat=seat if seat < game.players else None,
            seed=game.seed,
        )
        for seat, stream in enumerate(streams)
    ]
    dice = random.Random(game.seed)
    state = recorders[-1].state
    while not state.over:
        seat = dice.choice(state.to_act)
        index = game.policy(state, seat, dice)
        for recorder in recorders:
            recorder.apply(index, seat)
    for seat, stream in enumerate(streams):
        result = replay(engine, read_record(stream.getvalue()))
        assert result.problem is None, (seat, result.problem)
        if seat == game.players:
            assert result.note is None
            assert result.complete
        elif game.ruleset == HIDDEN:
            assert "was not shown" in str(result.note)
        else:
            assert result.complete
            assert result.state is not None
            assert result.state.view(seat) == state.view(seat)
