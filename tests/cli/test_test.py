"""`conche test`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tiny import TINY

from .conftest import Conche

GOOD = """
scenario "one turn each"
  given 2 players
  move red: take(n=3)
  then red.coins = 4
"""
BAD = GOOD.replace("one turn each", "wrong").replace("= 4", "= 5")


def rules(folder: Path, text: str) -> Path:
    path = folder / "tiny.rules"
    path.write_text(text)
    return path


def test_good_scenarios(conche: Conche, tmp_path: Path) -> None:
    result = conche("test", rules(tmp_path, TINY + GOOD))
    assert (result.code, result.err) == (0, "")
    assert result.out == "good    line 24: one turn each\n1 scenario, 0 failed; 6 random games, 0 failed\n"


def test_failing_scenarios_are_shown_and_the_others_run(conche: Conche, tmp_path: Path) -> None:
    result = conche("test", rules(tmp_path, TINY + BAD + GOOD))
    assert result.code == 1
    assert "FAILED  line 24: wrong" in result.out
    assert "good    line 29: one turn each" in result.out
    assert "error[C0404]" in result.err


def test_json(conche: Conche, tmp_path: Path) -> None:
    result = conche("test", rules(tmp_path, TINY + BAD + GOOD), "--format", "json")
    document = json.loads(result.out)
    assert (result.code, result.err) == (1, "")
    assert document["conche"] == 1
    assert [one["passed"] for one in document["scenarios"]] == [False, True]
    assert document["scenarios"][0]["failures"][0]["code"] == "C0404"
    assert document["broken"] == []


def test_what_always_holds_is_checked_in_random_games(conche: Conche, tmp_path: Path) -> None:
    text = TINY + '\nalways "few coins": all(p.coins < 4 for p in players)\n'
    result = conche("test", rules(tmp_path, text), "--seed", 1, "--games", 20)
    assert result.code == 1
    assert "error[C0522]" in result.err
    assert "random games, 2 failed" in result.out
    assert 'always "few coins"' in result.err
    assert f"see it again: `conche play {tmp_path}/tiny.rules --players 2 --seed " in result.err


def test_rules_that_fail_in_random_games(conche: Conche, tmp_path: Path) -> None:
    result = conche("test", rules(tmp_path, TINY.replace("0..9", "0..3")), "--games", 20)
    assert result.code == 1
    assert "error[C0520]: the rules fail: " in result.err
    assert "gain n coins" in result.err
    assert f"see it again: `conche play {tmp_path}/tiny.rules --players 2 --seed " in result.err
    assert conche("test", tmp_path / "tiny.rules", "--games", 0).code == 0


def test_bad_rules_are_not_tested(conche: Conche, tmp_path: Path) -> None:
    result = conche("test", rules(tmp_path, TINY.replace("do turn", "do trun")))
    assert (result.code, result.out) == (1, "")
    assert "'trun'" in result.err


@pytest.mark.parametrize("games", [-1, 10**30])
def test_impossible_numbers_are_refused(conche: Conche, games: int) -> None:
    result = conche("test", "cacao", "--games", games)
    assert result.code == 2
    assert "error[C0502]" in result.err


MODULE = """\
module more "More" for tiny 1.x
  version 1.0.0

option pace in {slow, fast} = slow

score more = 1

scenario "plain"
  given 2 players
  then score(red, more) = 1

with option pace is slow
  scenario "slow"
    given 2 players
    then score(red, more) = 1
with option pace is fast
  scenario "fast"
    given 2 players
    then score(red, more) = 2
with other
  scenario "both"
    given 2 players
    then score(red, other) = 2
"""
OTHER = 'module other "Other" for tiny 1.x\n  version 1.0.0\nscore other = 2\n'


def with_modules(folder: Path) -> Path:
    (folder / "more.rules").write_text(MODULE)
    (folder / "other.rules").write_text(OTHER)
    return rules(folder, TINY + GOOD)


def test_the_seed_has_one_default_in_the_help(conche: Conche) -> None:
    for command, said in (("test", "[default: 0]"), ("play", "by default anything")):
        seed = " ".join(conche(command, "--help").out.partition("--seed")[2].partition("  --")[0].split())
        assert seed.startswith("S Start of all chance, 0 to 2^64-1")
        assert said in seed
        assert seed.count("default") == 1


def test_scenarios_of_other_rulesets_are_told(conche: Conche, tmp_path: Path) -> None:
    path = with_modules(tmp_path)
    result = conche("test", f"{path}+more", "--games", 0)
    assert result.code == 0
    belong = f"2 scenarios belong to `{path}+more:pace=fast` and `{path}+more+other`"
    assert result.out.splitlines()[-2:] == [
        "2 scenarios, 0 failed; 0 random games, 0 failed",
        f"not run: {belong}; --all-scenarios runs all",
    ]
    both = conche("test", f"{path}+other+more", "--games", 0)
    assert "good    line 21: both\n1 scenario," in both.out
    assert f"not run: 3 scenarios belong to `{path}+more` and `{path}+more:pace=fast`;" in both.out
    assert "not run" not in conche("test", path, "--games", 0).out


def test_all_scenarios_are_run(conche: Conche, tmp_path: Path) -> None:
    path = with_modules(tmp_path)
    result = conche("test", f"{path}+more", "--games", 0, "--all-scenarios")
    assert result.code == 1
    assert f"{path}+more:pace=fast:\nFAILED  line 17: fast" in result.out
    assert f"{path}+more+other:\ngood    line 21: both" in result.out
    assert "not run" not in result.out
    result = conche("test", f"{path}+more", "--games", 0, "--all-scenarios", "--format", "json")
    document = json.loads(result.out)
    assert [one["titles"] for one in document["elsewhere"]] == [["fast"], ["both"]]
    assert [one["ruleset"] for one in document["others"]] == [one["ruleset"] for one in document["elsewhere"]]
    assert [[s["passed"] for s in one["scenarios"]] for one in document["others"]] == [[False], [True]]
