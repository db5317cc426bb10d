"""The two meanings agree: the reference interpreter and the generated engine, given the same play."""

from __future__ import annotations

import random

import pytest

from conche.interpret import Interpreter
from conche_runtime.interface import ChanceEvent, Engine, ForcedEvent
from games.driving import Policy, at_random, filling, hoarding, overbuilding

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("policy", [at_random, filling, hoarding, overbuilding])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_options_positions_events_and_results(
    engine: Engine, interpreter: Interpreter, players: int, policy: Policy
) -> None:
    for seed in range(3):
        rnd = random.Random(seed)
        one = engine.start(players=players, seed=seed, log=True)
        two = interpreter.start(players=players, seed=seed, log=True)
        while True:
            assert one.snapshot() == two.snapshot()
            assert one.over == two.over
            assert one.to_act == two.to_act
            assert one.decision == two.decision
            assert [(m.name, m.args) for m in one.legal_moves()] == [
                (m.name, m.args) for m in two.legal_moves()
            ]
            assert one.scores == two.scores
            assert one.ranking == two.ranking
            assert [one.view(p) for p in range(players)] == [two.view(p) for p in range(players)]
            assert one.log is not None
            assert [_plain(e) for e in one.log] == [_plain(e) for e in two.log or []]
            if one.over:
                break
            index = policy(one, rnd)
            one.step(index)
            two.step(index)


def _plain(event: object) -> object:
    match event:
        case ChanceEvent(source, value, seen_by):
            return "chance", source, value, seen_by
        case ForcedEvent(player, name, args):
            return "forced", player, name, dict(args)
    return event


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_interpreter_saves_and_clones_at_every_decision(interpreter: Interpreter, players: int) -> None:
    rnd = random.Random(players)
    state = interpreter.start(players=players, seed=5)
    number = 0
    while not state.over:
        text = state.to_json()
        loaded, clone = interpreter.from_json(text), state.clone()
        assert loaded.snapshot() == clone.snapshot() == state.snapshot()
        index = rnd.randrange(state.count())
        for other in (loaded, clone):
            other.step(index)
        assert state.to_json() == text
        state.step(index)
        assert loaded.to_json() == clone.to_json() == state.to_json()
        number += 1
    assert number > 30
