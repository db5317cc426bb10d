"""Positions to be drawn, of all bundled games."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any

from conche.api import Image, image_of
from conche.draw import Drawing
from conche.draw.words import Words

_EIGHT = "map+irrigation+chocolate+huts+gem_mines+tree_of_life+emperor+new_workers"
ALL = f"cacao+{_EIGHT}+big_game:huts=agreed,overbuild=early"
CACAO = ("cacao", ALL)
EXAMPLES = tuple(
    f"rules/examples/{name}.rules"
    for name in ("orchard", "sealed_bids", "tictactoe", "tidewater", "tricks", "workshop")
)
GAMES = (*CACAO, "schoko", *EXAMPLES)


@functools.cache
def image(ruleset: str) -> Image:
    return image_of(ruleset)


def drawing_of(ruleset: str, players: int, color: bool = False) -> Drawing:
    known = image(ruleset)
    engine = known.engine()
    words = Words(engine, players, color, looks=known.looks)
    return Drawing(engine, players, words, known.looks)


def snapshots(ruleset: str, players: int, seed: int, every: int) -> Iterator[dict[str, Any]]:
    """Snapshots and views along a random game: the first one, some between, the last one."""
    engine = image(ruleset).engine()
    state = engine.start(players, seed)
    chance = random.Random(seed)
    number = 0
    while True:
        if state.over or number % every == 0:
            yield state.snapshot()
            yield state.view(number % players)
        if state.over:
            return
        player = chance.choice(state.to_act)
        state.step(chance.randrange(state.count(player)), player)
        number += 1


def seats(ruleset: str) -> int:
    return image(ruleset).engine().max_players
