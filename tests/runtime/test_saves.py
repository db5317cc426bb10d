"""Saves: whole ones load, damaged ones are met with a clear SaveError and nothing else."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import pytest

import conche
from conche_runtime.errors import RulesError, SaveError
from conche_runtime.interface import Engine
from conche_runtime.saves import check_sum


@pytest.fixture(scope="module")
def engine() -> Engine:
    return conche.load("cacao")


@pytest.fixture(scope="module")
def text(engine: Engine) -> str:
    state = engine.start(3, 5)
    for number in range(25):
        state.step(number % state.count())
    return state.to_json()


def test_a_save_is_one_json_object_that_says_what_it_is(text: str) -> None:
    saved = json.loads(text)
    assert saved["conche"] == 1
    assert saved["kind"] == "save"
    assert saved["ruleset"] == "cacao"
    assert saved["players"] == 3


def test_every_cut_is_noticed(engine: Engine, text: str) -> None:
    for at in range(0, len(text), 7):
        with pytest.raises(SaveError):
            engine.from_json(text[:at])


@pytest.mark.parametrize(
    "other",
    [
        "",
        "null",
        "[]",
        "1",
        '"text"',
        "{}",
        "\x00\x01",
        "[" * 100_000,
        '{"conche": 1e999}',
        '{"conche": NaN}',
        "😀",
    ],
)
def test_what_is_no_save_is_refused(engine: Engine, other: str) -> None:
    with pytest.raises(SaveError):
        engine.from_json(other)


def test_an_edit_is_noticed(engine: Engine, text: str) -> None:
    saved = json.loads(text)
    saved["state"]["gold"][0] += 1
    with pytest.raises(SaveError, match="edited or damaged"):
        engine.from_json(json.dumps(saved))


WRONG: list[Any] = [None, -1, 10**30, "x", [], {}, [None], 1.5, True, [[]], [-1], [10**9] * 3]


def test_edits_with_a_right_check_sum_are_refused_or_playable(engine: Engine, text: str) -> None:
    """A value of the wrong sort, size or range is a SaveError; what loads can be looked at and played: on
    to the end, or to a fault that names a rule (a forged position need not be one that the rules can
    reach)."""
    rnd = random.Random(1)
    loaded = 0
    whole = json.loads(text)
    for name in [*whole, *(f"state.{name}" for name in whole["state"])]:
        for wrong in WRONG:
            saved = json.loads(text)
            inside = saved["state"] if name.startswith("state.") else saved
            inside[name.removeprefix("state.")] = wrong
            del_check = {key: value for key, value in saved.items() if key != "check"}
            saved = {**del_check, "check": check_sum(del_check)}
            try:
                state = engine.from_json(json.dumps(saved))
            except SaveError:
                continue
            loaded += 1
            state.snapshot()
            with contextlib.suppress(RulesError):
                while not state.over:
                    state.step(rnd.randrange(state.count()))
    assert loaded < 40, "most wrong values are noticed"


def test_a_save_of_other_rules_is_refused(engine: Engine, text: str) -> None:
    other = conche.load("cacao:first_seat=random")
    with pytest.raises(SaveError):
        other.from_json(text)
