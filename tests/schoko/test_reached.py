"""Every line of every block of the engines of Schoko & Co. is reached by the fixed games."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from conche_runtime.interface import Engine, State
from games.reached import Lines, path_of, table
from schoko.games import FIXED, GAME, HIDDEN, MORE, Game, engine_of

UNREACHABLE: dict[str, str] = {}


def look(engine: Engine, state: State, dice: random.Random) -> None:
    """A decision in every way, on copies."""
    for seat in state.to_act:
        moves = state.legal_moves(seat)
        index = dice.randrange(len(moves))
        assert state.move(index, seat) == moves[index]
        twin = engine.from_json(state.to_json())
        twin.log = []
        twin.apply(moves[index], seat)
    viewer = dice.randrange(state.players)
    state.sample(viewer, seed=index)


def reached(ruleset: str, games: list[Game]) -> Counter[int]:
    engine = engine_of(ruleset)
    with Lines(path_of(engine)) as hits:
        for game in games:
            dice = random.Random(game.seed)
            state = engine.start(game.players, game.seed, log=True)
            while not state.over:
                if dice.random() < 0.15:
                    look(engine, state, dice)
                seat = dice.choice(state.to_act)
                state.step(game.policy(state, seat, dice), seat)
            assert state.ranking
            assert state.scores
    return hits


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_every_block_is_reached(ruleset: str) -> None:
    path: Path = path_of(engine_of(ruleset))
    text, missing = table(path, reached(ruleset, [game for game in FIXED + MORE if game.ruleset == ruleset]))
    unexpected = {name: lines for name, lines in missing.items() if name not in UNREACHABLE}
    assert not unexpected, f"{text}\n{unexpected}"
    needless = set(UNREACHABLE) - set(missing)
    assert not needless
