"""A witness in words: moves, what differs, why there is no scenario. Without a width lines are whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from conche.cli import run
from conche.compare.model import Comparison
from conche.compare.to_html import to_html
from conche.compare.to_json import document
from conche.compare.to_markdown import to_markdown
from conche.compare.to_text import to_text
from conche.compare.witness.model import Witness
from conche.compare.witness.search import search

from .edits import compared

FIELDS = """\
game fields "Fields"
  version 1.0.0
  players 2..2
  seats red, blue

enum Good
  corn
  rye

piece Tree
  oak

board land square grid at most 8 across
  on x >= 0 up to 1 Tree

each Good has
  price: 0..9 = 1, open

each player has
  posts: list of Space = [], open
  rival: maybe Player = nothing, open
  coins: 0..99 = 0, open

play
  rounds for you from red if red.coins < 90
    do turn

step turn
  choose post
    case (spots in [[(0, 0), (1, 1)], [(2, 0), (1, 1)]], other in players, good in Good)
      set you.posts to spots
      set you.rival to other
      if other = you: set good.price to 2
      gain up to 1 coins
    always §A1

score coins = you.coins
rank by total

ruling §A1 "There are always spots."
"""

AT_ONCE = """\
game once "Once"
  version 1.0.0
  players 2..2
  seats red, blue

each player has
  coins: 0..99 = 0, open

play
  repeat 3 times
    do turn

step turn
  together each player you from red
    choose take
      case (n in 1..2)
        gain n coins

score coins = you.coins
rank by total
"""


def witness(old: str, new: str, budget: int = 120) -> tuple[Comparison, Witness]:
    one = compared(old, new)
    found = search(one, budget=budget)
    assert len(found.witnesses) == 1, [change.what for change in one.comparison.changes]
    return replace(one.comparison, witness=found), found.witnesses[0]


def test_moves_and_what_differs_are_in_words() -> None:
    comparison, found = witness(FIELDS, FIELDS.replace("set you.posts to spots", "set you.posts to []"))
    (said,) = found.said
    spots, other, good = said.split(", other ")[0], *said.split(", other ")[1].split(", good ")
    assert spots in ("spots (0, 0), (1, 1)", "spots (2, 0), (1, 1)")
    assert other in ("red", "blue")
    assert good in ("corn", "rye")
    assert found.old == (f"posts of red: {spots.removeprefix('spots ')}",)
    assert found.new == ("posts of red: none",)
    for text in (to_text(comparison), to_markdown(comparison)):
        assert f"red  post  {said}" in text
    assert "[[0, 0]" not in to_text(comparison)


def test_what_differs_in_a_kind_can_be_claimed() -> None:
    _, found = witness(FIELDS, FIELDS.replace("set good.price to 2", "set good.price to 3"))
    assert found.scenario is not None
    assert ".price = 2\n" in found.scenario
    assert found.no_scenario == ""


def test_why_there_is_no_scenario_is_told_in_every_form() -> None:
    one = compared(AT_ONCE, AT_ONCE.replace("gain n coins", "gain n + 1 coins"))
    found = search(one, budget=120)
    comparison = replace(one.comparison, witness=found)
    why = "it would have to begin where several players choose at once"
    assert [(w.scenario, w.no_scenario) for w in found.witnesses] == [(None, why)]
    assert f"\n  no scenario: {why}\n" in to_text(comparison)
    assert f"\nNo scenario: {why}.\n" in to_markdown(comparison)
    assert f"<p>no scenario: {why}</p>" in to_html(comparison, one)
    assert document(comparison)["witness"]["found"][0]["no_scenario"] == why


def test_failing_rules_are_no_scenario() -> None:
    _, found = witness(AT_ONCE, AT_ONCE.replace("gain n coins", "pay n coins"))
    assert found.scenario is None
    assert found.no_scenario == "the rules of one side fail there, and a scenario cannot claim that"


LONG = f"if {' and '.join(f'count(you.posts) + {n} > 0' for n in range(8))}: set good.price to"


def long_ones() -> Comparison:
    old = FIELDS.replace("if other = you: set good.price to", LONG)
    assert old != FIELDS
    return compared(old, old.replace("good.price to 2", "good.price to 3")).comparison


def test_without_a_width_lines_stay_whole() -> None:
    lines = to_text(long_ones(), width=None).split("\n")
    assert f"      - {LONG} 2" in lines
    assert f"      + {LONG} 3" in lines
    assert "  interface compatible · saves compatible · records breaking · proposed version 1.1.0" in lines


@pytest.mark.parametrize("width", [60, 100])
def test_with_a_width_nothing_is_lost(width: int) -> None:
    text = to_text(long_ones(), width=width)
    assert all(len(line) <= width for line in text.split("\n"))
    whole = " ".join(to_text(long_ones(), width=None).partition("interface:")[2].split())
    assert " ".join(text.partition("interface:")[2].split()) == whole


def test_short_texts_stand_side_by_side_in_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    for name, text in (("old", AT_ONCE), ("new", AT_ONCE.replace("gain n coins", "gain n + 1 coins"))):
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    assert run(["diff", "old.rules", "new.rules"]) == 1
    out = capsys.readouterr().out
    assert [line for line in out.split("\n") if "│" in line and "gain n coins" in line]
