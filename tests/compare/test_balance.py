"""Figures of many games of both versions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from conche.compare.balance import Balance, balance, estimate
from conche.compare.to_json import to_json
from conche.compare.to_markdown import to_markdown
from conche.compare.to_text import to_text

from .edits import GAME, applied, compared

RICHER = applied(
    GAME,
    [
        "- score gold = you.gold                                                          §3",
        "+ score gold = you.gold + 3",
    ],
)


@pytest.fixture(scope="module")
def richer() -> Balance:
    return balance(compared(GAME, RICHER), games=8, players=2, seed=1)


def test_an_estimate() -> None:
    one = estimate([1, 2, 3, 4])
    assert one.mean == 2.5
    assert one.margin is not None
    # Of Student's distribution with 3 degrees of freedom, 95 % lie within 3.182446 standard errors.
    assert abs(one.margin - 3.182446 * 1.2909944 / 2) < 1e-5
    assert estimate([3]).margin is None
    assert estimate([2, 2, 2]).margin == 0


def test_the_same_rules_do_not_differ_game_by_game() -> None:
    same = applied(GAME, ['- always "nobody is poor": all(p.gold >= 0 for p in players)'])
    found = balance(compared(GAME, same), games=4, players=3, seed=5)
    assert all(row.change.mean == 0 and row.change.margin == 0 for row in found.rows)
    assert found.failed == 0


def test_a_higher_score_is_higher_by_just_that(richer: Balance) -> None:
    scores = [row for row in richer.rows if row.what == "score"]
    assert [row.seat for row in scores] == [0, 1]
    assert [(row.change.mean, row.change.margin) for row in scores] == [(3, 0), (3, 0)]
    assert all(abs(row.new.mean - row.old.mean - row.change.mean) < 1e-9 for row in richer.rows)
    leads = [row.old.mean for row in richer.rows if row.what == "lead of the seat"]
    assert abs(sum(leads)) < 1e-9
    wins = [row.new.mean for row in richer.rows if row.what == "share of wins"]
    assert abs(sum(wins) - 1) < 1e-9


def test_how_often_a_changed_rule_is_run() -> None:
    cheaper = applied(GAME, ["-       pay price_of(ware) gold", "+       pay price_of(ware) - 1 gold"])
    (use,) = balance(compared(GAME, cheaper), games=5, players=2, seed=0).uses
    assert use.old is not None
    assert 0 < use.old <= 1
    never = applied(
        GAME, ["-   if you.gold >= 50: end game", "+   if you.gold >= 50 and you.luck > 8: end game"]
    )
    (use,) = balance(compared(GAME, never), games=3, players=2, seed=0).uses
    assert use.old is not None


def test_what_lies_on_the_table_is_not_run() -> None:
    larger = applied(GAME, ["-   store sack of 4 Ware, open", "+   store sack of 5 Ware, open"])
    (use,) = balance(compared(GAME, larger), games=2, players=2, seed=0).uses
    assert (use.old, use.new) == (None, None)


def test_rules_that_fail_are_left_out() -> None:
    failing = applied(GAME, ["-   set left to left - 1", "+   set left to left + 30"])
    found = balance(compared(GAME, failing), games=3, players=2, seed=0)
    assert (found.failed, found.rows) == (3, ())


def test_it_is_shown_in_all_outputs(richer: Balance) -> None:
    found = replace(compared(GAME, RICHER).comparison, balance=richer)
    assert "8 games of each version, 2 players who choose at random, seeds 1 to 8" in to_text(found)
    assert json.loads(to_json(found))["balance"]["rows"][0]["seat"] == 0
    assert "| score, red |" in to_markdown(found)
