"""`why` at a question that is asked step by step, and `log` in a game of choices at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Conche
from conche.play.in_words import last_lines

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


def test_why_in_short_and_why_not_of_a_number(conche: Conche, pairs: Path) -> None:
    """Words that are no whole names are read as where moves are typed; a number that is none is a value."""
    tricks = "rules/examples/tricks.rules"
    args = ("play", tricks, "--seed", 3, "--bots", "human,random")
    typed = "why not\nwhy not 2\nwhy not 99\nwhy nothing like it\nquit\n"
    _, bare, second, none, words, _ = conche(*args, stdin=typed).out.split("play> ")
    assert bare == "`why 3` says why option 3 is there, `why not WORDS` why something is not\n"
    assert second.startswith("play card c4 is legal\n")
    assert none == "there is no option 99; they are numbered 1 to 6\n"
    assert words.startswith("'nothing' is no decision, and no value for card\n")
    args = ("play", pairs, "--seed", 1, "--bots", "human,random")
    out = conche(*args, stdin="why pai one 1,1 two 2,1\nquit\n").out
    assert "pair one (1, 1), two (2, 1) is legal" in out


def test_a_reason_that_is_too_long_goes_on_where_it_begins(
    conche: Conche, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = conche("play", pairs, "--seed", 1, "--bots", "human,random", stdin="why not 2,2 1,1\nquit\n").out
    lines = out.splitlines()
    (at,) = [number for number, line in enumerate(lines) if "| pairs.rules:21" in line]
    begins = len(lines[at]) - len(lines[at].lstrip())
    assert len(lines[at + 1]) - len(lines[at + 1].lstrip()) == begins + 4, lines


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


def test_what_is_revealed_says_whose_it_is(conche: Conche) -> None:
    """Also a local: who is broke, in the rent of sealed bids."""
    bids = "rules/examples/sealed_bids.rules"
    out = conche("play", bids, "--seed", 3, "--bots", "random", "--players", 3).out
    shown = [line.split() for line in out.splitlines() if "broke is shown" in line]
    assert [line[0] for line in shown[:3]] == ["red", "blue", "green"]
    assert {tuple(line[1:4]) for line in shown} == {("broke", "is", "shown:")}
