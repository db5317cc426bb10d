"""Engines explain as the interpreter does, at every decision, and say what they need where they cannot."""

from __future__ import annotations

import importlib.util
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import conche
from conche.interpret import InterpreterState
from conche.resources import data_root
from conche.why.from_engine import Carrier
from conche_runtime.explanation import NotExplainedError
from slices import ALL as EVERYTHING
from slices import slice_of

from .positions import EXAMPLES, interpreter
from .test_secrets import changed

MODULES = ("chocolate", "emperor", "gem_mines", "huts", "irrigation", "map", "new_workers", "tree_of_life")
ALL = "+".join(("cacao", *MODULES))
SOME = slice_of(
    [
        (ALL, 3),
        (f"{ALL}:huts=agreed,overbuild=early", 2),
        (f"{ALL}+big_game", 4),
        ("schoko", 4),
        ("schoko+hidden_purchases", 3),
        ("cacao+gem_mines", 2),
        ("cacao+huts+map", 3),
        ("cacao+emperor+irrigation", 2),
    ],
    2,
)
OFTEN = 1 if EVERYTHING else 4
"""At every so many decisions questions are asked."""


def both(ruleset: str, players: int, seed: int, most: int, often: int = OFTEN) -> int:
    """Plays a random game with both; gives the number of questions."""
    engine, plain = conche.load(ruleset), interpreter(ruleset)
    carrier, rnd = Carrier(plain.program), random.Random(seed)
    one, two = engine.start(players, seed), plain.start(players, seed)
    asked = 0
    for number in range(most):
        if one.over:
            break
        if number % often:
            seat = rnd.choice(one.to_act)
            index = rnd.randrange(one.count(seat))
            one.step(index, seat)
            two.step(index, seat)
            continue
        carried = InterpreterState(plain, carrier.position(one))  # type: ignore[arg-type]
        assert carried.snapshot() == two.snapshot()
        assert [carried.view(seat) for seat in range(players)] == [two.view(seat) for seat in range(players)]
        for seat in one.to_act:
            assert [move.args for move in carried.legal_moves(seat)] == [
                move.args for move in two.legal_moves(seat)
            ]
        seat = rnd.choice(one.to_act)
        index = rnd.randrange(one.count(seat))
        move = one.move(index, seat)
        questions: list[tuple[int, Any]] = [
            (seat, index),
            (seat, {"name": move.name, "args": changed(dict(move.args), rnd)}),
            (rnd.randrange(players), move.name),
        ]
        for player, what in questions:
            told = one.explain(player, what)
            assert told == two.explain(player, what)
            asked += 1
        one.step(index, seat)
        two.step(index, seat)
    return asked


def test_cacao() -> None:
    assert both("cacao", 2, 3, 20, often=1) == 60


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", EXAMPLES)
def test_examples(ruleset: str) -> None:
    assert both(ruleset, EXAMPLES[ruleset], 5, 200) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "players"), SOME)
def test_modules_and_schoko(ruleset: str, players: int) -> None:
    assert both(ruleset, players, 7, 250) > 60


def test_an_engine_by_itself_says_what_it_needs() -> None:
    path = data_root() / "generated" / "cacao.py"
    spec = importlib.util.spec_from_file_location("cacao_by_itself", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["cacao_by_itself"] = module
    try:
        spec.loader.exec_module(module)
        state = module.engine.start(2, 1)
        with pytest.raises(NotExplainedError, match=r'conche\.load\("cacao"\)'):
            state.explain(0, 0)
    finally:
        del sys.modules["cacao_by_itself"]


def test_an_engine_is_explained_by_its_own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file has changed since, by those that Conche has kept; without them not at all."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("CONCHE_CACHE", str(cache))
    text = (data_root() / "rules" / "examples" / "tictactoe.rules").read_text("utf-8")
    path = tmp_path / "mine.rules"
    path.write_text(text, "utf-8")
    first = conche.load(str(path)).start(2, 1)
    path.write_text(text.replace("up to 1 Mark", "up to 2 Mark"), "utf-8")
    assert first.explain(0, 0).legal
    path.write_text(text.replace("up to 1 Mark", "up to 3 Mark"), "utf-8")
    second = conche.load(str(path)).start(2, 1)
    path.write_text(text, "utf-8")
    shutil.rmtree(cache)
    with pytest.raises(NotExplainedError, match="load it again"):
        second.explain(0, 0)
    path.unlink()
    with pytest.raises(NotExplainedError, match="not kept here"):
        second.explain(0, 0)
    assert first.explain(1, "place at 1,1").reasons[0].kind == "turn"


def test_a_wrong_seat_is_refused() -> None:
    from conche_runtime.errors import IllegalMove

    for state in (conche.load("cacao").start(2, 1), interpreter("cacao").start(2, 1)):
        for seat in (-1, 2, "red", None):
            with pytest.raises(IllegalMove):
                state.explain(seat, 0)
