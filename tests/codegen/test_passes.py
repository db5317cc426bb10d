"""Optimisations find what they are for, and leave alone what only looks like it; the games stay the same."""

from __future__ import annotations

import pytest

from codegen.engines import engines_of, graph_of, same_games
from conche.codegen import ir
from conche.codegen.program import program_of

GAME = """\
game shop "Shop"
  version 1.0.0
  players 2..3
  seats red, blue, green
piece Ware
  cup
  jug
  pot
  pan
row shelf of 3 Ware, open
bag store of Ware, hidden
var left: 0..20 = 20, open
each player has
  gold: 0..99 = 3, open
  store bought of Ware, open
query wanted(p: Player, w: Ware) = {wanted}
setup
  put 4 cup, 4 jug, 4 pot, 4 pan in store
  draw 3 from store to shelf
play
  rounds for you from red if left > 0
    do turn
step turn
  set left to left - 1
  choose buy
    case buy(w in kinds(shelf), pay in 1..4) if wanted(you, w) and pay <= you.gold
      move w from shelf to you.bought
      set you.gold to you.gold - pay
    case wait(pay = 0)
      set you.gold to min(you.gold + 2, 99)
  draw min(3 - count(shelf), count(store)) from store to shelf
  choose keep
    case keep(price in 2..9) if price > you.gold
      set you.gold to you.gold + 1
    case keep_none(price = 1)
      stop
score gold = you.gold
rank by total
"""

APART = """\
(w is cup and p.gold > 2 and count(q in players where q.gold > p.gold) = 0) or
    (w is jug and count(p.bought) < 2 and count(q in players where q.gold = p.gold) = 1) or w is pot"""

TWICE = APART.replace("w is jug", "w is cup")
"""Here a cup is asked for by two."""


def game(wanted: str) -> str:
    return GAME.replace("{wanted}", wanted)


def asked(wanted: str) -> list[tuple[int, ...]]:
    """The codes that the cases of the query ask for, each before anything else."""
    (query,) = program_of(graph_of(game(wanted))).queries
    return [condition.codes for condition, _, _ in query.cases if isinstance(condition, ir.OneOf)]


@pytest.mark.parametrize("wanted", [APART, TWICE])
def test_the_same_games(wanted: str) -> None:
    engines = engines_of(graph_of(game(wanted)))
    for players in (2, 3):
        for seed in range(3):
            assert same_games(engines, players, seed) == "over"


def test_alternatives_for_different_codes_are_cases() -> None:
    assert asked(APART) == [(0,), (1,), (2,)]


def test_alternatives_for_the_same_code_are_left_alone() -> None:
    assert asked(TWICE) == []


def test_a_guard_is_asked_once_and_options_still_differ() -> None:
    """The prices that pass the guard are kept; they are known to lie above that of the other case."""
    program = program_of(graph_of(game(APART)))
    buy, keep = program.decisions
    assert buy.found is None, "what can be paid depends on the ware"
    assert keep.found is not None
    kept, source = keep.found
    assert isinstance(source, ir.Fold)
    assert keep.cases[0].late_guard is None
    assert keep.cases[0].binders[0].source == ir.Local(kept)
    assert keep.told_apart
