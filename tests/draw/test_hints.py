"""Hints of the rules: what they change in a picture, and what they cannot change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conche.api import find, image_of
from conche.cli import run
from conche.draw.cells import COLORS
from conche.draw.looks import Group, Looks
from conche.draw.looks_of import looks_of
from conche.format import format_source
from conche.modules.load import load, load_source
from conche.semantics.canonical import digest
from conche.semantics.check_hints import COLORS as NAMED
from conche.source import Source
from draw.lab import TEXT, cell, drawing, looks, piece, rulebook
from draw.positions import GAMES, image

HINTS = """
show
  bend as "be" in green
  through as "⇄"
  Hut in brown
  small in cyan
  rose in magenta
  coins called "purse"
  loot called "booty"
  ways called "ways out"
  leave out market
  order stack
  group "Money": coins
  group "Money": huts
"""


def test_what_hints_say_is_known() -> None:
    known = looks(TEXT + HINTS)
    kinds = known.kinds
    assert (kinds["bend"].sign, kinds["bend"].color) == ("be", "green")
    assert kinds["through"].sign == "⇄"
    colors = {name: kinds[name].color for name in ("small", "large", "hoard", "twin")}
    assert colors == {"small": "cyan", "large": "brown", "hoard": "brown", "twin": ""}
    assert known.seat_colors == {"rose": "magenta"}
    assert known.labels == {"coins": "purse", "loot": "booty", "ways": "ways out"}
    assert known.left_out == {"market"}
    assert known.groups == (Group("", ("stack",)), Group("Money", ("coins", "huts")))


def test_hints_show_in_the_picture() -> None:
    entries = [cell(0, 0, piece("bend", turn=0)), cell(1, 0, piece("hoard", 1, loot={"road": 1}))]
    snapshot = {
        "coins": [1, 0],
        "huts": [{"small": 1}, {}],
        "market": {"bend": 7},
        "stack": {"bend": 2},
        "land": entries,
        "players": 2,
        "decision": None,
    }
    lines = drawing(2, text=TEXT + HINTS).position(snapshot, 80)
    text = "\n".join(lines)
    for part in ("be bend", "booty: road", "at the edges: ways out", "─ Money", "purse", "stack  2 hidden"):
        assert part in text
    assert "market" not in text
    assert "×7" not in text
    painted = "\n".join(drawing(2, color=True, text=TEXT + HINTS).position(snapshot, 80))
    assert f"\x1b[{COLORS['magenta']};1mrose\x1b[0m" in painted
    assert f"\x1b[{COLORS['green']}m" in painted


def test_hints_are_no_part_of_the_rules() -> None:
    assert digest(rulebook(TEXT)) == digest(rulebook(TEXT + HINTS))
    assert rulebook(TEXT + HINTS).hints


def test_a_change_of_hints_is_one_of_wording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("old", TEXT), ("new", TEXT + HINTS)):
        (tmp_path / f"{name}.rules").write_text(text)
    run(["diff", str(tmp_path / "old.rules"), str(tmp_path / "new.rules"), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert document["sameness"] == "equal"
    assert document["compatibility"]["records"]["verdict"] == "cosmetic"
    assert [(one["class"], one["path"]) for one in document["changes"]] == [("clause", "show")]


def test_the_formatter_keeps_hints() -> None:
    untidy = TEXT + HINTS.replace('  bend as "be" in green', '  bend   as "be"   in green   # a comment')
    tidy = format_source(Source("lab.rules", untidy))
    assert '  bend as "be" in green  # a comment\n' in tidy
    assert format_source(Source("lab.rules", tidy)) == tidy
    again = load_source(Source("lab.rules", tidy), ruleset="lab").rulebook
    assert again is not None
    assert looks_of(again) == looks(TEXT + HINTS)


def test_the_record_is_plain_data() -> None:
    for ruleset in GAMES:
        known = image(ruleset).looks
        assert Looks.from_json(json.loads(json.dumps(known.to_json()))) == known
    good = Looks().to_json()
    for broken in ({}, [], None, {**good, "kinds": 3}, {**good, "groups": [{"title": 1}]}):
        with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
            Looks.from_json(broken)


def test_a_kept_image_has_the_same_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "lab.rules"
    path.write_text(TEXT + HINTS)
    assert image_of(str(path)).looks == image_of(str(path)).looks == looks(TEXT + HINTS)


def test_modules_give_hints_for_what_they_add_and_change(tmp_path: Path) -> None:
    (tmp_path / "lab.rules").write_text(TEXT + HINTS)
    module = """\
module {name} "{name}" for lab 1.x
  version 1.0.0

extend Hut
  {name}_hut

each player has
  {name}_coins: 0..9 = 0, open

modify coins(): + you.{name}_coins

after turn add {name}_income
  gain up to 1 {name}_coins

show
  {name}_hut as "{sign}" in blue
  coins called "{name} purse"
  group "Money": {name}_coins
"""
    for name, sign in (("aa", "be"), ("bb", "bh")):
        (tmp_path / f"{name}.rules").write_text(module.format(name=name, sign=sign))
    both = [
        load(f"{tmp_path}/lab.rules+{tmp_path}/{one}.rules+{tmp_path}/{other}.rules")
        for one, other in (("aa", "bb"), ("bb", "aa"))
    ]
    assert all(one.rulebook is not None for one in both), both[0].diagnostics
    known = [looks_of(one.rulebook) for one in both if one.rulebook is not None]
    assert known[0] == known[1]
    assert known[0].kinds["bb_hut"].sign == "bh"
    # The game's own tile has that sign already.
    assert known[0].kinds["aa_hut"].sign != "be"
    assert known[0].labels["coins"] == "bb purse"
    assert known[0].groups[1] == Group("Money", ("coins", "huts", "aa_coins", "bb_coins"))


def test_the_colours_are_those_that_hints_may_name() -> None:
    assert sorted(COLORS) == sorted(NAMED)


def test_bundled_rules_have_hints_that_name_something() -> None:
    for ruleset in GAMES:
        found = find(ruleset).diagnostics
        assert [one.code for one in found if one.code in ("C0256", "C0257")] == []
        assert image(ruleset).looks.labels or "orchard" in ruleset or "bids" in ruleset or "tricks" in ruleset
