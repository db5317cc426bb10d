"""Receivership: what others see of a debtor's cash, and that nothing else of the game is another."""

from __future__ import annotations

import random

import pytest

from conche_runtime.interface import RevealEvent
from schoko.games import GAME, HIDDEN, POLICIES, engine_of

MODULE = "receivership"
CASES = [(GAME, 4, 1), (HIDDEN, 3, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "players", "seed"), CASES)
def test_who_has_a_loan_plays_with_open_money(ruleset: str, players: int, seed: int) -> None:
    """The game is the same beside it, move by move; seats see the cash of debtors, and of nobody else."""
    state = engine_of(f"{ruleset}+{MODULE}").start(players=players, seed=seed, log=True)
    plain = engine_of(ruleset).start(players=players, seed=seed)
    policy, dice = POLICIES["two spend"], random.Random(seed)
    opened, closed, told = 0, 0, 0
    while not state.over:
        whole = state.snapshot()
        assert whole["cash"] == plain.snapshot()["cash"]
        expected = [
            cash if loans else None for cash, loans in zip(whole["cash"], whole["loans"], strict=True)
        ]
        for seat in range(players):
            view = state.view(seat)
            assert view["open_cash"] == expected
            assert [cash is None for cash in view["cash"]] == [other != seat for other in range(players)]
        opened += sum(cash is not None for cash in expected)
        closed += expected.count(None)
        for event in state.log or []:
            told += isinstance(event, RevealEvent) and event.what.startswith("cash[")
        assert state.log is not None
        state.log.clear()
        player = dice.choice(state.to_act)
        assert (state.to_act, state.decision) == (plain.to_act, plain.decision)
        assert state.count(player) == plain.count(player)
        index = policy(state, player, dice)
        state.step(index, player)
        plain.step(index, player)
    assert plain.over
    assert state.ranking == plain.ranking
    assert opened > 50
    assert closed > 50
    assert told > 20


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_a_sample_agrees_with_the_open_money(ruleset: str) -> None:
    state = engine_of(f"{ruleset}+{MODULE}").start(players=3, seed=0)
    dice = random.Random(0)
    compared = 0
    for number in range(400):
        if state.over:
            break
        if number % 10 == 0:
            for seat in range(3):
                assert state.sample(seat, seed=number).view(seat) == state.view(seat)
            compared += any(state.snapshot()["loans"])
        player = dice.choice(state.to_act)
        state.step(POLICIES["two spend"](state, player, dice), player)
    assert compared > 3
