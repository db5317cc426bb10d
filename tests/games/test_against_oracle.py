"""The generated engine against an independent, brute-force model of the rulebook (tests/oracle)."""

from __future__ import annotations

import random

import pytest

from conche_runtime.interface import Engine
from games.driving import Pair, Policy, at_random, board_of, filling, hoarding, overbuilding

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("policy", [at_random, filling, hoarding, overbuilding])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_options_boards_and_scores_agree_at_every_decision(
    engine: Engine, players: int, policy: Policy
) -> None:
    for seed in range(10):
        pair = Pair(engine, players, seed)
        rnd = random.Random(seed)
        while not pair.state.over:
            here, there = pair.options()
            assert here == there
            assert pair.state.to_act == (pair.oracle.to_act,)
            pair.step(policy(pair.state, rnd))
            shot, oracle = pair.state.snapshot(), pair.oracle
            assert shot["gold"] == oracle.gold
            assert [goods.get("cacao", 0) for goods in shot["goods"]] == oracle.cacao
            assert shot["sun"] == oracle.sun
            assert shot["carrier"] == oracle.water
            assert sorted(shot["display"]) == sorted(oracle.display)
            assert shot["jungle"] == {kind: n for kind, n in oracle.pile.items() if n}
            tops = {
                at: (top["kind"], top["turn"], top["owner"], len(pieces) > 1)
                if "owner" in top
                else top["kind"]
                for at, pieces in board_of(pair.state).items()
                for top in [pieces[-1]]
            }
            assert tops == oracle.board
        assert oracle.over
        assert pair.state.scores == oracle.scores()
        assert pair.state.ranking == oracle.ranking()
