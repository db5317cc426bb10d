"""The table has no borders: games that run as far as they can in one direction end as any other."""

from __future__ import annotations

import pytest

import conche

BIG_GAME = "cacao+map+irrigation+chocolate+huts+gem_mines+tree_of_life+emperor+new_workers+big_game"

WAYS = {"east": (0, 1), "west": (0, -1), "south": (1, 1), "north": (1, -1)}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_the_big_game_runs_as_far_as_it_can(way: str) -> None:
    axis, sign = WAYS[way]
    state = conche.load(BIG_GAME).start(players=4, seed=0)
    furthest = 0
    while not state.over:
        far = [sign * move.args["at"][axis] if "at" in move.args else 0 for move in state.legal_moves()]
        furthest = max(furthest, *far)
        state.step(far.index(max(far)))
    assert furthest >= 32
    assert len(state.scores) == 4
