"""Generated engines of games with modules: pieces that carry others, and the text of the module.

That such engines play as the interpreter does is tested in tests/games/test_combinations.py.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conche.pipeline import build_checked, check
from conche_runtime.errors import SaveError
from conche_runtime.interface import State
from conche_runtime.moves import EngineMove
from conche_runtime.saves import check_sum
from games.both import ALL_EIGHT, engines, named
from slices import slice_of

ROOT = Path(__file__).resolve().parents[2]


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
    saved["check"] = check_sum(saved)
    with pytest.raises(SaveError, match="two places"):
        engine.from_json(json.dumps(saved))


# -- the text


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", slice_of(["cacao+huts", "cacao+gem_mines", ALL_EIGHT], 1), ids=named)
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
