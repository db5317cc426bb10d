"""`why` at a question that is asked step by step, and `log` in a game of choices at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Conche
from conche.cli.log import last_lines

GAME = """\
game pairs "Pairs"
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
    choose pair
      case (one in spots(), two in spots())
        gain one.x + two.y coins
        gain 1 coins
      always §A1

query spots() = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]

board land square grid at most 6 across
  on x >= 0 up to 1 Tree

piece Tree
  oak

ruling §A1 "There are always spots."

score coins = you.coins
rank by total
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.rules"
    path.write_text(GAME)
    return path


def test_why_of_a_part_of_a_move_says_what_to_type(
    conche: Conche, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    args = ("play", pairs, "--seed", 1, "--bots", "human,random")
    out = conche(*args, stdin="why 2\nquit\n").out
    said = "2 is no whole move yet: 6 options begin so. Type `why` with all the values of one, such as `why "
    assert said in out
    rest = out.partition(said)[2]
    example = rest.partition("`")[0]
    assert "is legal" in conche(*args, stdin=f"why {example}\nquit\n").out


def test_a_case_of_choices_at_once_says_whose_it_is(conche: Conche, pairs: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    conche("play", pairs, "--seed", 1, "--bots", "random", "--record", record)
    lines = conche("log", record, "--rules").out.splitlines()
    cases = [line.strip() for line in lines if "case (one in spots()" in line]
    assert [case.split()[0] for case in cases] == ["red:", "blue:"] * 3


def test_a_log_that_begins_within_a_move_begins_with_that_move(
    conche: Conche, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    args = ("play", pairs, "--seed", 1, "--bots", "human,random")
    out = conche(*args, stdin="1\n2\nlog --rules 1\nquit\n").out
    lines = out.splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.strip().startswith("… ")]
    assert "pair" in lines[at - 1]
    assert lines[at].strip().endswith(" more")
    assert "pairs.rules:" in lines[at + 1]


def test_last_lines() -> None:
    steps = [["set-up 1", "set-up 2"], ["a", "a 1", "a 2", "a 3"], ["b"]]
    assert last_lines(steps, 1) == ["b"]
    assert last_lines(steps, 2) == ["a", "      … 2 more", "a 3", "b"]
    assert last_lines(steps, 4) == ["a", "a 1", "a 2", "a 3", "b"]
    assert last_lines(steps, 5) == ["a", "a 1", "a 2", "a 3", "b"]
    assert last_lines(steps, 6) == ["set-up 2", "a", "a 1", "a 2", "a 3", "b"]
    assert last_lines([[], ["a", "a 1", "a 2"]], 1) == ["a", "      … 1 more", "a 2"]
    assert last_lines(steps, 99) == [line for step in steps for line in step]
