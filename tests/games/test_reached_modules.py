"""Every block of the engines of Cacao's modules is reached by guided play and set positions.

A block is a function of the generated engine: what runs between two decisions, a decision's part, a query, a
score. Lines within the blocks of the base game are looked at in test_reached.py.
"""

from __future__ import annotations

import ast
import json
import linecache
import random
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from conche_runtime.interface import Engine, State
from games.both import ALL_EIGHT, BIG_GAME, MODULES, OPTIONS, engines, named, players_of
from games.driving import at_random, changed, filling, hoarding, overbuilding, positions
from slices import slice_of

NEVER = {
    "room_for_jungle": "runs when the engine is imported",
    "room_for_worker": "runs when the engine is imported",
    "refresh": "runs when a save is loaded",
    "use_temple": "an edge at a temple is never usable (§8e)",
}
NO_MINES = dict.fromkeys(
    (
        "use_gold_mine_use",
        "ask_use_gold_mine",
        "step_use_gold_mine",
        "move_use_gold_mine",
        "moves_use_gold_mine",
        "apply_use_gold_mine",
    ),
    "chocolate and the tree of life take all gold mines out (§2.3, §3.2)",
)
ABSENT = {
    ALL_EIGHT: {**NO_MINES, "temple_gold": "gem mines take all temples out (§3.1)"},
    OPTIONS[-1]: {**NO_MINES, "temple_gold": "gem mines take all temples out (§3.1)"},
    "cacao+gem_mines": {"temple_gold": "gem mines take all temples out (§3.1)"},
    "cacao+tree_of_life": NO_MINES,
    "cacao+chocolate": NO_MINES,
}
RULESETS = [ALL_EIGHT, *slice_of([BIG_GAME, *(f"cacao+{module}" for module in MODULES), *OPTIONS], 2)]


def text_of(engine: Engine, players: int) -> tuple[str, str]:
    """The name of the engine's text, and the text."""
    name = f"<{type(engine.start(players, 1)).__module__}>"
    return name, "".join(linecache.cache[name][2])


class Calls:
    """While it is in use: how often each function of a text is called."""

    def __init__(self, name: str) -> None:
        self.name, self.found = name, Counter[str]()

    def __enter__(self) -> Counter[str]:
        sys.setprofile(self._note)
        return self.found

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == self.name:
            self.found[frame.f_code.co_name] += 1


def play(engine: Engine, players: int, seeds: range) -> None:
    for seed in seeds:
        for policy in (at_random, filling, hoarding, overbuilding):
            rnd = random.Random(seed)
            for state in positions(engine, players, seed, policy):
                if state.over:
                    assert state.ranking
                    assert state.scores
                elif rnd.random() < 0.1:
                    look(state, rnd)


def look(state: State, rnd: random.Random) -> None:
    """A decision in every way, on a copy."""
    moves = state.legal_moves()
    index = rnd.randrange(len(moves))
    assert state.move(index) == moves[index]
    twin = state.clone()
    twin.log = []
    twin.apply(moves[index])


# -- positions that play hardly ever comes to


def play_fills(state: State, rnd: random.Random) -> bool:
    """Places so that something can be filled, if that can be, and fills in every way."""
    state.step(filling(state, rnd))
    fills = 0
    while not state.over and state.decision == "fill":
        look(state, rnd)
        for index in range(state.count()):
            state.clone().step(index)
        state.step(rnd.randrange(state.count()))
        fills += 1
    return fills > 0


def set_positions(engine: Engine, players: int) -> None:
    """Fills from the pile alone, and from the map alone."""
    for seed in range(6):
        set_back(engine, players, seed)


def set_back(engine: Engine, players: int, seed: int) -> None:
    rnd, done = random.Random(seed), 0
    for state in positions(engine, players, seed, filling):
        if done > 4:
            return
        if state.decision != "place":
            continue
        zones = json.loads(state.to_json())["state"]
        jungle = list(zones["jungle"])
        for tile in zones["display"]:
            jungle[tile] += 1
        done += play_fills(changed(engine, state, jungle=jungle, display=[]), rnd)
        if zones.get("map_"):
            empty = [0] * len(jungle)
            play_fills(changed(engine, state, jungle=empty, display=[]), rnd)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS, ids=named)
def test_every_block_is_reached(ruleset: str) -> None:
    engine, _ = engines(ruleset)
    name, text = text_of(engine, players_of(ruleset)[0])
    blocks = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    with Calls(name) as found:
        for players in players_of(ruleset):
            play(engine, players, range(3))
        set_positions(engine, players_of(ruleset)[0])
    table = "\n".join(f"{block:<40}{found[block]:>9}" for block in blocks)
    excused = {**NEVER, **ABSENT.get(ruleset, {})}
    missing = [block for block in blocks if not found[block] and block not in excused]
    assert not missing, f"{table}\nnot reached: {missing}"
    needless = [block for block in ABSENT.get(ruleset, {}) if found[block]]
    assert not needless, f"these are reached after all: {needless}"
