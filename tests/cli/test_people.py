"""What people read: names for seats, rounds, places in the rules, hints."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from conche import api, pipeline
from conche.cli import output
from conche.draw.looks_of import seated_of
from tiny import TINY

from .conftest import Conche

PIG = """\
game pig "Pig"
  version 1.0.0
  players 2..3
  seats red, blue, green

each player has
  points: 0..150 = 0, open

var first: Player, open
var pot: 0..30 = 0, open

setup
  chance first_player(seat in players)
  set first to seat

play
  repeat 3 times
    each player you from first
      do turn

step turn
  set pot to 0
  repeat 5 times
    choose roll(again in [yes, no])
    if not again: stop
    chance die(pips in 1..6)
    set pot to pot + pips
  choose give(to in players)
  gain pot points

score points = you.points
rank by total
"""


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    path = tmp_path / "pig.rules"
    path.write_text(PIG)
    return path


def test_what_is_a_player_is_known_from_the_rules(pig: Path) -> None:
    assert seated_of(pipeline.check(str(pig)).must().rulebook) == {
        "first",
        "give.to",
        "chance first_player",
    }
    # The second image is a kept one.
    images = [api.image_of(str(pig)) for _ in range(2)]
    assert images[0].seated == images[1].seated == {"first", "give.to", "chance first_player"}


def test_players_are_called_by_their_names(conche: Conche, pig: Path) -> None:
    out = conche("play", pig, "--seed", 1).out
    seats = {line.rpartition(": ")[2] for line in out.splitlines() if "first player: " in line}
    assert seats <= {"red", "blue"}
    assert seats
    assert f"\nfirst {seats.pop()}\n" in out
    assert "pot 0" not in out
    assert "  give  to red" in out
    assert "  give  to blue" in out
    asked = conche("play", pig, "--seed", 1, "--bots", "human", stdin="no\n2\n").out
    assert "1  to red\n   2  to blue" in asked


def test_whose_a_source_is_is_its_name(conche: Conche) -> None:
    out = conche("play", "cacao", "--players", 2, "--seed", 1).out
    assert "workers[" not in out
    assert "\nred     workers: " in out
    assert "first 0" not in out


def test_rounds_are_numbered_and_a_turn_of_many_decisions_is_one(conche: Conche, pig: Path) -> None:
    out = conche("play", pig, "--seed", 1).out
    assert [line for line in out.splitlines() if line.startswith("round ")] == [
        "round 1",
        "round 2",
        "round 3",
    ]


def test_seats_without_names(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "pig.rules"
    path.write_text(PIG.replace("  seats red, blue, green\n", ""))
    played = conche("play", path, "--seed", 1)
    assert (played.code, played.err) == (0, "")
    assert "seat_0 seat_1 points " in " ".join(played.out.split())
    assert "give  to seat_1" in played.out
    simulated = conche("simulate", path, "-n", 3, "--seed", 1, "--format", "csv").out
    assert [line.partition(",")[0] for line in simulated.splitlines()] == ["seat", "seat_0", "seat_1"]


# ------------------------------------------------------------------------------------------------ failures


def test_rules_that_fail_are_shown_with_their_line(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rt.rules").write_text(TINY.replace("0..9", "0..3"))
    simulated = conche("simulate", "rt.rules", "--players", 3, "-n", 50)
    assert simulated.code == 1
    assert "error[C0521]: game " in simulated.err
    assert "│   gain n coins" in simulated.err
    command = simulated.err.partition("see it again: `conche ")[2].partition("`")[0]
    assert command.startswith("play rt.rules --players 3 --seed ")
    played = conche(*command.split())
    assert played.code == 1
    assert "error[C0520]: the rules fail: " in played.err
    assert "│   gain n coins" in played.err
    assert "Traceback" not in played.err


# ------------------------------------------------------------------------------------------------ people


def test_the_help_fits_the_decision_and_the_record(conche: Conche, pig: Path, tmp_path: Path) -> None:
    args = ("play", pig, "--seed", 1, "--bots", "human")
    out = conche(*args, stdin="help\nall\nquit\n").out
    assert "also in short: `no`" in out
    assert "record" not in out
    assert out.count("1  again yes") == 2
    assert "a number        take that option" in out
    kept = conche(*args, "--record", tmp_path / "game", stdin="help\nquit\n").out
    # The folder's name may be long: lines are wrapped.
    told = f"stop playing; the game is kept in {tmp_path / 'game.game'}; the record is kept"
    assert told in " ".join(kept.split())
    assert kept.endswith(f"recorded so far in {tmp_path / 'game'}\n")


def test_words_that_leave_one_option_take_it(conche: Conche, pig: Path) -> None:
    args = ("play", pig, "--seed", 1, "--bots", "human")
    taken = conche(*args, stdin="no\nblue\nquit\n").out
    assert "  roll  again no\n" in taken
    assert "  give  to blue\n" in taken
    listed = conche(*args, stdin="/no\n/again\nback\nagain\nquit\n").out
    assert "roll  again" not in listed
    # What is listed is what is left; `back` and words that fit nothing of it bring the rest again.
    assert (listed.count("1  again yes"), listed.count("2  again no")) == (3, 5)


def test_how_many_could_play_is_told_where_it_was_not_asked(conche: Conche, pig: Path) -> None:
    told = "(the game is for 2 to 3; --players N plays with another number)"
    assert conche("play", pig, "--seed", 1).out.splitlines().count(told) == 1
    assert told not in conche("play", pig, "--players", 2).out
    assert told not in conche("play", pig, "--bots", "random,random").out
    pig.write_text(PIG.replace("players 2..3", "players 3..3"))
    assert "(the game is for" not in conche("play", pig).out


def test_scores_that_nobody_has_are_named_below_the_table(conche: Conche, pig: Path) -> None:
    pig.write_text(PIG.replace("rank by", "score wise_monk = 0\nscore late = 0\nrank by"))
    *_, head, first, second, zero, _ = conche("play", pig, "--seed", 1).out.splitlines()
    assert head.split() == ["place", "total", "points"]
    assert len(first.split()) == len(second.split()) == 4
    assert zero == "(also 0: late, wise monk)"


# ------------------------------------------------------------------------------------------------ hints


def test_a_record_whose_rules_are_elsewhere(
    conche: Conche, pig: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert conche("play", "pig.rules", "--record", "game.jsonl").err == ""
    (tmp_path / "sub").mkdir()
    pig.rename(tmp_path / "sub" / "pig.rules")
    # Where the rules of old games are not kept.
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "another"))
    result = conche("replay", "game.jsonl")
    assert result.code == 2
    assert "the record names the rules 'pig.rules', and they are not found from here" in result.err
    assert "give the rules as the second argument: `conche replay game.jsonl RULES`" in result.err
    assert conche("replay", "game.jsonl", "sub/pig.rules").code == 0
    assert "there is no file 'x.rules'" in conche("replay", "game.jsonl", "x.rules").err


def test_names_that_are_meant_otherwise(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Rt-2.txt").write_text(TINY)
    assert "the name of a rules file ends in .rules" in conche("check", "Rt-2.txt").err
    assert "rules/examples/tictactoe.rules`" in conche("check", "tictactoe").err
    assert "only `conche play` has people" in conche("simulate", "cacao", "--bots", "human").err
    wrong = conche("check", "cacao", "--format", "nonsense").err
    assert "invalid value for '--format': 'nonsense' is not one of 'text', 'json'" in wrong


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_wait_shows_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "WAIT", 0.02)
    for stream, shown in ((Terminal(), "compiling cacao …\r"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        with output.waiting("compiling cacao"):
            time.sleep(0.3)
        assert stream.getvalue().startswith(shown)
        assert bool(stream.getvalue()) == bool(shown)
    monkeypatch.setattr(output, "WAIT", 60.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with output.waiting("compiling cacao"):
        pass
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
