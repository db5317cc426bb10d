"""What cannot be, as there are no pieces that it is about."""

from __future__ import annotations

from pathlib import Path

from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.lattice.absent import absent_kinds, waiting_for
from conche.lattice.rules import rules_of
from conche.lattice.witness import Budget, find_witness
from conche.modules.load import load

GAME = """\
game mine "Mine"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Tile
  water
  ore(worth: 1..2)
  gold
  silver
  tin
  iron

pile stock of Tile, hidden
pool bank of Tile, open
var left: 0..9 = 5, open

each player has
  coins: 0..99 = 0, open
  hand held of Tile, open

setup
  do supply
  do luck

step supply
  put 6 water, 2 ore(1), 1 ore(2), 3 gold, 1 tin in stock
  with 3 players: put 1 silver in stock
  take 1 ore(2), 3 gold out of stock
  shuffle stock

step luck
  chance die(face in 1..30)
  if face = 30: put 1 iron in bank

play
  rounds for you from red if left > 0
    do turn

step turn
  set left to left - 1
  choose turn
    case take(pick = yes) if stock is not empty
      draw 1 from stock to you.held
      for each tile in you.held
        do use(tile)
    case coin(pick = no)
      gain 1 coins
    case melt(gold_of = yes) if gold is in you.held or you.held[gold] > 0
      gain 2 coins
    case make(made = yes)
      put 1 tin in bank

action use(water): gain 1 coins
action use(ore(worth)): gain worth coins
action use(gold): gain shine(you) coins
action use(silver): gain 3 coins
action use(tin): gain 4 coins
action use(iron): gain 5 coins

query shine(p: Player) = 2
query rich(p: Player)
  9 if p.held[ore(2)] > 0
  8 if any(tile in p.held where tile is silver) and p.coins > 1
  otherwise 0

trigger glitter when tile: gold enters held
  set left to 0

score coins = you.coins
score gold = 5 * count(tile in you.held where tile is gold)
score both = if gold is in you.held then 1 else you.coins
score rich = rich(you)
rank by total
"""


def made(path: Path, text: str = GAME) -> ActionGraph:
    rules = path / "mine.rules"
    rules.write_text(text, encoding="utf-8")
    loaded = load(rules.as_posix())
    assert loaded.rulebook is not None, [one.title for one in loaded.diagnostics]
    return from_rulebook(loaded.rulebook)


def waiting(graph: ActionGraph, *players: int) -> dict[str, tuple[str, ...]]:
    rules = rules_of(graph, ())
    return {
        rules[n].title: kinds for n, kinds in waiting_for(graph, rules, absent_kinds(graph, players)).items()
    }


def test_kinds_that_no_set_up_brings_in_and_nothing_makes(tmp_path: Path) -> None:
    graph = made(tmp_path)
    three = {"ore(2)": frozenset({"ore(2)"}), "gold": frozenset({"gold"})}
    assert absent_kinds(graph, [3]) == absent_kinds(graph, [2, 3]) == three  # iron comes once in 30 times
    assert absent_kinds(graph, [2]) == three | {"silver": frozenset({"silver"})}


def test_rules_about_them_are_told_with_what_they_wait_for(tmp_path: Path) -> None:
    gold = ("gold",)
    with_three = {
        "case melt(gold_of = yes)": gold,
        "gain 2 coins": gold,
        "action use(gold)": gold,
        "gain shine(you) coins": gold,
        "query shine": gold,
        "query rich, line 1": ("ore(2)",),
        "trigger glitter": gold,
        "set left to 0": gold,
        "score gold": gold,
    }
    graph = made(tmp_path)
    assert waiting(graph, 2, 3) == with_three
    without_silver = waiting(graph, 2)
    silver = {"action use(silver)", "gain 3 coins", "query rich, line 2", "score rich"}
    assert without_silver.keys() - with_three.keys() == silver
    assert without_silver["score rich"] == ("ore(2)", "silver")


def test_where_no_kind_is_absent_every_rule_is_open(tmp_path: Path) -> None:
    graph = made(tmp_path, GAME.replace("take 1 ore(2), 3 gold out of stock", "take 1 gold out of stock"))
    assert absent_kinds(graph, [2, 3]) == {}
    assert waiting(graph, 2, 3) == {}


def test_where_a_set_up_fails_nothing_is_said(tmp_path: Path) -> None:
    graph = made(
        tmp_path,
        GAME.replace("  shuffle stock", "  with 3 players: take 2 tin out of stock\n  shuffle stock"),
    )
    assert absent_kinds(graph, [2]) != {}
    assert absent_kinds(graph, [2, 3]) == {}


def test_a_witness_does_not_look_for_them(tmp_path: Path) -> None:
    text = GAME.replace("set left to 0", "set left to 0\n  put 1 water in bank")
    found = find_witness(made(tmp_path, text), (), budget=Budget(games=4, width=2, decisions=40))
    missing = {one.rule.title: one for one in found.missing if "iron" not in one.rule.title}
    assert missing["action use(gold)"].absent == ("gold",)
    assert missing["action use(gold)"].waits == ()
    assert missing["action use(gold)"].behind is None
    assert found.played <= 4
