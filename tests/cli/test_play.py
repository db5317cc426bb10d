"""`conche play`, on the tiny game."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from conche_runtime.records import read_record

from .conftest import Conche

pytestmark = pytest.mark.usefixtures("stones")

GOLDEN = Path(__file__).with_name("play.txt")


def test_a_watched_game_reads_like_one(conche: Conche, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    result = conche("play", "stones", "--players", 2, "--seed", 4)
    assert (result.code, result.err) == (0, "")
    if os.environ.get("CONCHE_UPDATE") == "1":
        GOLDEN.write_text(result.out)
    assert result.out == GOLDEN.read_text()


def test_a_seed_is_a_game(conche: Conche) -> None:
    games = [conche("play", "stones", "--seed", seed).out for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]
    shown = conche("play", "stones").out
    seed = shown.partition("seed ")[2].partition(":")[0]
    assert conche("play", "stones", "--seed", seed).out == shown


def test_who_sits_where(conche: Conche) -> None:
    assert "red (random), blue (random)\n" in conche("play", "stones").out
    assert "red (random), blue (random), green (random)\n" in conche("play", "stones", "--players", 3).out
    assert "green (random)\n" in conche("play", "stones", "--bots", "random,random,random").out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--players", 0], "stones is for 2 to 4 players, not 0"),
        (["--players", -1], "not -1"),
        (["--players", 5], "not 5"),
        (["--players", 10**30], "not a number of more than 20 digits"),
        (["--seed", -1], "a seed is a number from 0 to 2^64-1, not -1"),
        (["--seed", 2**64], "not 18446744073709551616"),
        (["--seed", -(10**30)], "not a negative number of more than 20 digits"),
        (["--bots", "randum"], "did you mean 'random'?"),
        (["--bots", ""], "there is no name of a bot in ''"),
        (["--bots", "random,,random"], "there is no name of a bot in ''"),
        (["--players", 2, "--bots", "random,random,random"], "3 bots are named for 2 seats"),
        (["--seat", 2, "--record", "x"], "there is no seat 2"),
        (["--seat", -1, "--record", "x"], "there is no seat -1"),
        (["--seat", 0], "--record FILE"),
        (["--delay", -1], "a delay is 0 to 3600 seconds, not -1"),
        (["--delay", "nan"], "not nan"),
        (["--format", "json", "--record", "x"], "leave one of them out"),
        (["--format", "json", "--bots", "human"], "people cannot play with --format json"),
    ],
)
def test_what_cannot_be_is_refused(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = conche("play", "stones", *args)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("error[C05")
    assert message in result.err
    assert list(tmp_path.iterdir()) == []


def test_delay_waits(conche: Conche) -> None:
    start = time.monotonic()
    conche("play", "stones", "--seed", 1, "--delay", "0.02")
    assert time.monotonic() - start > 0.1


# ------------------------------------------------------------------------------------------------ records


def test_a_record_is_written(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "new" / "game.jsonl"
    result = conche("play", "stones", "--seed", 7, "--record", path)
    assert result.out.endswith(f"recorded in {path}\n")
    record = read_record(path)
    assert record.complete
    assert record.header.seed == 7
    assert not record.full
    assert [entry.name for entry in path.parent.iterdir()] == ["game.jsonl"]


def test_json_is_the_record(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "game"
    for more in ([], ["--full"], ["--seat", 1], ["--full", "--seat", 0]):
        conche("play", "stones", "--seed", 7, "--record", path, "--force", *more)
        assert conche("play", "stones", "--seed", 7, "--format", "json", *more).out == path.read_text()
        header = json.loads(path.read_text().partition("\n")[0])
        assert header.get("seat") == (more[-1] if "--seat" in more else None)
        assert read_record(path).full == ("--full" in more)


def test_an_existing_record_is_kept(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("precious")
    result = conche("play", "stones", "--record", path)
    assert result.code == 2
    assert "error[C0504]" in result.err
    assert "add --force" in result.err
    assert path.read_text() == "precious"
    assert conche("play", "stones", "--record", path, "--force").code == 0
    assert read_record(path).complete


def test_a_record_that_cannot_be_written(conche: Conche, no_write: Path) -> None:
    for path in (no_write / "game", no_write.parent):
        result = conche("play", "stones", "--record", path)
        assert result.code == 2
        assert "error[C05" in result.err
        assert "Traceback" not in result.err


# ------------------------------------------------------------------------------------------------ people


def test_a_person_is_asked_until_the_answer_is_one(conche: Conche) -> None:
    typed = "what?\n0\n99999999999999999999\n-1\n²\n\nhelp\nboard\nbord\nhand\nlog x\nundo x\nundo\nwhy\n1\n"
    result = conche("play", "stones", "--bots", "random,human", "--seed", 4, stdin=typed)
    assert result.code == 0
    assert "no option has 'what?' in it" in result.out
    assert "there is no option 0; they are numbered 1 to" in result.out
    assert "there is no option 999999999999; they" in result.out
    assert "there is no option -1; they" in result.out
    assert "no option has 'bord' in it (did you mean 'board'?)" in result.out
    assert "held: " in result.out
    assert "`log` shows the last 20 lines" in result.out
    assert "`undo` takes back your last move" in result.out
    assert "there is no move to take back" in result.out
    assert "there is nothing here that explains the rules" in result.out
    assert "a number        take that option" in result.out
    assert "  take  card " in result.out
    assert result.out.endswith("stopped before the end of the game\n")
    assert result.err == ""


def test_options_can_be_narrowed(conche: Conche) -> None:
    result = conche("play", "stones", "--bots", "human,random", "--seed", 4, stdin="THREE\n/two\nquit\n")
    asked, refused, narrowed, *_ = result.out.split("take> ")
    assert "card one" in asked
    assert "no option has 'THREE' in it" in refused
    assert "card two" in narrowed
    assert "card one" not in narrowed


@pytest.mark.parametrize("typed", ["", "quit\n", "q\n", "1\n", "EXIT\n", "1\n2"])
def test_leaving_keeps_the_record(conche: Conche, tmp_path: Path, typed: str) -> None:
    path = tmp_path / "game"
    result = conche("play", "stones", "--bots", "human,random", "--seed", 4, "--record", path, stdin=typed)
    assert result.code == 0
    *_, last, kept = result.out.splitlines()
    moved = typed.startswith("1")
    stopped = f"stopped before the end of the game; recorded so far in {path}"
    assert (last if moved else kept).removeprefix("take> ").removeprefix("keep stones> ") == stopped
    assert not moved or kept == f"saved in {path}.game: `conche play --resume {path}.game` goes on"
    assert not read_record(path).complete
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["game", *["game.game"] * moved]


def test_a_person_sees_nothing_that_is_hidden(conche: Conche) -> None:
    watched = conche("play", "stones", "--seed", 4).out
    played = conche("play", "stones", "--seed", 4, "--bots", "random,human", stdin="1\n1\n1\n").out
    assert watched.count("deck: ") > played.count("deck: ") > 0
    blue_only = played.partition("\n\n")[2]
    assert "held one" not in blue_only.split("blue")[0]
    assert "2 hidden" in played
    assert "the only option" in watched
    assert not [line for line in played.splitlines() if line.startswith("red") and "the only option" in line]


def test_two_people_see_only_what_both_may(conche: Conche) -> None:
    out = conche("play", "stones", "--seed", 4, "--bots", "human", stdin="\n1\nquit\n").out
    before, _, after = out.partition("press Enter to clear the screen")
    assert "deck: " in before
    assert "held one, two" in " ".join(before.split()) or "one, two" in before
    assert "deck: " not in after
    assert "dice: " in out
