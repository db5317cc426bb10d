"""Generated engines of games with modules play as the interpreter does.

Nothing tells the two apart at any decision: options with their arguments, snapshots, views, events, scores,
saves, samples. Each module alone, some pairs, all eight, the Big Game; with CONCHE_TEST_ALL=1 all
combinations.
"""

from __future__ import annotations

import json
import linecache
import os
import random
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conche.interpret import Interpreter
from conche.pipeline import build_checked, check
from conche_runtime.errors import SaveError
from conche_runtime.interface import ChanceEvent, Engine, Event, ForcedEvent, State
from conche_runtime.moves import EngineMove
from conche_runtime.saves import _check

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "chocolate",
    "emperor",
    "gem_mines",
    "huts",
    "irrigation",
    "map",
    "new_workers",
    "tree_of_life",
)
ALL_EIGHT = "+".join(("cacao", *MODULES))
BIG_GAME = f"{ALL_EIGHT}+big_game"
PAIRS = (
    "cacao+gem_mines+map",
    "cacao+gem_mines+huts",
    "cacao+chocolate+huts",
    "cacao+emperor+new_workers",
    "cacao+irrigation+tree_of_life",
    "cacao+huts:huts=agreed",
)
SEEDS = (1, 2)


def combos() -> list[str]:
    """All 256 combinations of the eight modules."""
    return [
        "+".join(("cacao", *chosen))
        for number in range(len(MODULES) + 1)
        for chosen in combinations(MODULES, number)
    ]


@cache
def engines(ruleset: str) -> tuple[Engine, Interpreter]:
    """The generated engine and the interpreter."""
    checked = check(ruleset)
    built = build_checked(checked)
    name = f"engine_of_{built.name}"
    module = sys.modules[name] = ModuleType(name)
    linecache.cache[f"<{name}>"] = (len(built.text), None, built.text.splitlines(keepends=True), f"<{name}>")
    exec(compile(built.text, f"<{name}>", "exec"), module.__dict__)
    return module.engine, Interpreter(checked.must())


def plain(event: Event) -> object:
    match event:
        case ChanceEvent(source, value, seen_by):
            return "chance", source, value, seen_by
        case ForcedEvent(player, name, args):
            return "forced", player, name, list(args.items())
        case _:
            return event


def moves(state: State) -> list[tuple[str, list[tuple[str, Any]]]]:
    """The options with their arguments, in order."""
    return [(move.name, list(move.args.items())) for move in state.legal_moves()]


def look(state: State) -> dict[str, Any]:
    """All that can be asked of a state."""
    return {
        "snapshot": state.snapshot(),
        "asked": (state.over, state.to_act, state.decision, state.count()),
        "moves": moves(state),
        "views": [state.view(player) for player in range(state.players)],
        "scores": (state.scores, state.ranking),
    }


def same_game(ruleset: str, players: int, seed: int) -> int:
    """Plays one random game with both; gives the number of decisions."""
    engine, interpreter = engines(ruleset)
    rnd, number = random.Random(seed), 0
    one = engine.start(players=players, seed=seed, log=True)
    two = interpreter.start(players=players, seed=seed, log=True)
    while True:
        seen = look(one)
        assert seen == look(two)
        assert [plain(event) for event in one.log or ()] == [plain(event) for event in two.log or ()]
        assert one.log is not None
        assert two.log is not None
        one.log.clear()
        two.log.clear()
        if one.over:
            return number
        index = rnd.randrange(one.count())
        if number % 10 == 0:
            copies(engine, one, two, seen, index)
        move = one.move(index)
        assert (move.name, list(move.args.items())) == seen["moves"][index]
        one.step(index)
        two.step(index)
        number += 1


def copies(engine: Engine, one: State, two: State, seen: dict[str, Any], index: int) -> None:
    """A clone and a loaded save are the state, and nothing that they do reaches it; a sample is one and the
    same of both engines, and looks alike to its player."""
    text = one.to_json()
    clone, loaded = one.clone(), engine.from_json(text)
    assert look(clone) == look(loaded) == seen
    assert clone.to_json() == loaded.to_json() == text
    move = one.move(index)
    clone.step(index)
    loaded.apply(move)
    assert look(clone) == look(loaded)
    assert one.to_json() == text
    assert look(one) == seen
    for player in range(one.players):
        sample = one.sample(player, seed=index)
        assert sample.view(player) == seen["views"][player]
        assert sample.snapshot() == two.sample(player, seed=index).snapshot()


def players_of(ruleset: str) -> list[int]:
    return [3, 4] if "big_game" in ruleset else [2, 3, 4]


def games(rulesets: list[str]) -> list[object]:
    return [
        pytest.param(ruleset, players, id=f"{ruleset.replace(ALL_EIGHT, 'all')}-{players}")
        for ruleset in rulesets
        for players in players_of(ruleset)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "players"),
    games([*(f"cacao+{module}" for module in MODULES), *PAIRS, ALL_EIGHT, BIG_GAME]),
)
def test_both_play_the_same_games(ruleset: str, players: int) -> None:
    for seed in SEEDS:
        assert same_game(ruleset, players, seed) > 30


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("CONCHE_TEST_ALL"), reason="CONCHE_TEST_ALL=1 plays all combinations")
@pytest.mark.parametrize("ruleset", combos())
def test_all_combinations(ruleset: str) -> None:
    for seed, players in enumerate(players_of(ruleset)):
        assert same_game(ruleset, players, seed) > 30
    engines.cache_clear()


# -- pieces that carry others


def with_mine() -> tuple[State, int]:
    """A state in which an option has a gem mine as argument, and that option."""
    engine, _ = engines("cacao+gem_mines")
    for seed in range(20):
        rnd, state = random.Random(seed), engine.start(players=2, seed=seed)
        while not state.over:
            for index in range(state.count()) if state.decision == "fill" else ():
                if "gems" in state.move(index).args:
                    return state, index
            state.step(rnd.randrange(state.count()))
    raise AssertionError("no gem mine in twenty games")


def test_a_typed_move_says_what_a_piece_carries() -> None:
    state, index = with_mine()
    move: Any = state.move(index)
    assert isinstance(state.move(index), EngineMove)
    assert move.args["tile"] == "gem_mine"
    assert sum(move.args["gems"].values()) == 6
    assert dict(move.gems) == move.args["gems"]
    again = type(move)(at=move.at, tile="gem_mine", gems=move.gems, source=move.source)
    assert again == move
    assert hash(again) == hash(move)
    assert state.find("fill", move.args) == index
    other = dict(move.args["gems"])
    other["red"] = other.get("red", 0) + 1
    with pytest.raises(Exception, match="not a legal move"):
        state.find("fill", {**move.args, "gems": other})
    stepped, applied = state.clone(), state.clone()
    stepped.step(index)
    applied.apply(again)
    assert stepped.to_json() == applied.to_json()


def test_chance_from_outside_gives_pieces_that_carry_others_by_name() -> None:
    engine, interpreter = engines("cacao+gem_mines")
    asked: list[list[Any]] = []
    for player in (engine, interpreter):
        rnd, seen = random.Random(7), list[Any]()

        def outside(source: str, outcomes: Any, rnd: random.Random = rnd, seen: list[Any] = seen) -> Any:
            seen.append((source, list(outcomes)))
            assert len({value for value, _ in outcomes}) == len(outcomes)
            return rnd.choice([value for value, _ in outcomes])

        state = player.start(players=3, chance=outside)
        choose = random.Random(3)
        while not state.over:
            state.step(choose.randrange(state.count()))
        seen.append((state.snapshot(), state.scores))
        asked.append(seen)
    assert asked[0] == asked[1]


def test_a_save_with_one_piece_in_two_places_is_refused() -> None:
    engine, _ = engines("cacao+gem_mines")
    state, _ = with_mine()
    saved = json.loads(state.to_json())
    mine = max(saved["state"]["display"])
    saved["state"]["jungle"][mine] += 1
    del saved["check"]
    saved["check"] = _check(saved)
    with pytest.raises(SaveError, match="two places"):
        engine.from_json(json.dumps(saved))


# -- the text


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["cacao+huts", ALL_EIGHT], ids=["huts", "all"])
def test_the_text_is_formatted_typed_and_clean(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(build_checked(check(ruleset)).text, encoding="utf-8")
    config = str(ROOT / "pyproject.toml")
    for command in (
        ["ruff", "check", "--config", config],
        ["ruff", "format", "--check", "--config", config],
        ["mypy", "--strict", "--config-file", config],
    ):
        run = subprocess.run(
            [sys.executable, "-m", *command, str(path)], capture_output=True, text=True, cwd=ROOT
        )
        assert run.returncode == 0, run.stdout + run.stderr
