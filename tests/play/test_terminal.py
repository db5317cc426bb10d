"""`conche play` through a pseudo-terminal: whole sessions, as a person has them."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from conche_runtime.records import read_record

from .terminal import Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "forkpty"), reason="a system without pseudo-terminals"),
]

ROOT = Path(__file__).resolve().parents[2]
TICTACTOE = ROOT / "rules" / "examples" / "tictactoe.rules"
ORCHARD = ROOT / "rules" / "examples" / "orchard.rules"
TRICKS = ROOT / "rules" / "examples" / "tricks.rules"
BIDS = ROOT / "rules" / "examples" / "sealed_bids.rules"


def test_a_whole_game_against_a_bot(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with Terminal(
        "play", TICTACTOE, "--bots", "human,random", "--seed", 3, "--record", record, cwd=tmp_path
    ) as at:
        at.prompt("place>")
        assert "cross, choose place: 9 options" in at.text
        at.answer("1,1", "place>")
        while True:
            before = at.text.count("cross, choose place")
            at.child.send("1\r")
            at.shows_more("cross, choose place", before, "recorded in")
            if "recorded in" in at.text:
                break
            at.prompt("place>")
        assert at.wait() == 0
    result = read_record(record)
    assert result.complete
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.jsonl"]


def test_a_whole_game_of_cacao(tmp_path: Path) -> None:
    """The person takes whatever stands first, and a bot that thinks a little answers."""
    args = ("cacao+huts+chocolate", "--bots", "human,playout:games=2", "--seed", 3, "--record", "game")
    with Terminal("play", *args, cwd=tmp_path, rows=60, columns=120) as at:
        at.until(lambda: at.line.endswith(">"), "the first question")
        for _ in range(400):
            at.child.send("1\r")
            before = len(at.raw)
            at.shows_new_prompt(before, "recorded in")
            if "recorded in" in at.raw[before:]:
                break
        assert at.wait() == 0
        assert " wins" in at.text or "share the victory" in at.text
    assert read_record(tmp_path / "game").complete


def test_tab_completes_words_and_commands(tmp_path: Path) -> None:
    with Terminal("play", TICTACTOE, "--bots", "human,random", "--seed", 3, cwd=tmp_path) as at:
        at.prompt("place>")
        at.child.send("he\t")
        at.until(lambda: at.line == "place> help", "the completed line")
        at.answer("", "place>")
        assert "Tab             complete a word" in at.text
        at.child.send("2,\t")
        # Three spaces begin so: what they can become is offered.
        at.until(lambda: all(space in at.text for space in ("2,0", "2,1", "2,2")), "the offers")
        assert at.end(key="\x03") == 130


def test_undo_is_allowed_as_far_as_nothing_hidden_was_shown(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with Terminal(
        "play", TICTACTOE, "--bots", "human,random", "--seed", 3, "--record", record, cwd=tmp_path
    ) as at:
        at.prompt("place>")
        at.answer("undo", "place>")
        assert "there is no move to take back" in at.text
        at.answer("1,1", "place>")
        at.answer("1", "place>")
        at.answer("undo 9", "place>")
        assert "there are no more moves to take back (only 2 moves can be)" in at.text
        at.answer("undo 2", "place>")
        assert "taken back: 2 moves" in at.text
        assert at.text.count("cross, choose place: 9 options") == 2
        assert at.end("quit") == 0
    assert read_record(record).lines == []


def test_undo_is_refused_where_it_would_tell(tmp_path: Path) -> None:
    with Terminal("play", ORCHARD, "--bots", "human,random", "--seed", 1, cwd=tmp_path) as at:
        at.prompt("turn>")
        at.answer("1", "turn>")
        at.answer("undo", "turn>")
        assert "it cannot be taken back: you have seen since what came from trees:" in at.text
        at.child.send("\x04")
        at.shows("stopped before the end of the game")
        assert at.wait() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["orchard-1.game"]


def test_a_game_is_saved_and_gone_on_with(tmp_path: Path) -> None:
    """Interrupted in all ways there are, it is the game that it would have been."""
    names = {}
    for broken in (True, False):
        folder = tmp_path / str(broken)
        folder.mkdir()
        files = ("--record", "game", "--save", "s.game")
        at = Terminal("play", ORCHARD, "--bots", "human,random", "--seed", 5, *files, cwd=folder)
        at.prompt("turn>")
        for number in range(6):
            if broken and number:
                match number:
                    case 1:
                        at.answer("quit", "")
                        assert at.wait() == 0
                    case 2:
                        assert at.end(key="\x04") == 0
                    case 3:
                        assert at.end(key="\x03") == 130
                        said = "interrupted; recorded so far in game.part; saved in s.game"
                        assert said in at.text.replace("\n", "")
                    case 4:
                        at.child.kill(signal.SIGKILL)
                        at.wait()
                    case _:
                        at.child.kill(signal.SIGTERM)
                        assert at.wait() == 130
                at.child.close()
                at = Terminal("play", "--resume", "s.game", cwd=folder)
                at.prompt("turn>")
                assert "red (human), blue (random), going on" in " ".join(at.text.split())
                assert "what happened last:" in at.text
            at.answer("1", "turn>")
        assert at.end("quit") == 0
        assert "`conche play --resume s.game` goes on" in at.text
        names[broken] = sorted(path.name for path in folder.iterdir())
    assert names[True] == names[False] == ["game", "s.game"]
    assert (tmp_path / "True" / "game").read_text() == (tmp_path / "False" / "game").read_text()
    saves = [json.loads((tmp_path / name / "s.game").read_text()) for name in ("True", "False")]
    for save in saves:
        save["record"].pop("file")
        del save["id"], save["check"]
    assert saves[0] == saves[1]


def test_quitting_asks_where_to_save(tmp_path: Path) -> None:
    for answer, files in (("no", []), ("", ["orchard-5.game"]), ("mine", ["mine", "orchard-5.game"])):
        with Terminal("play", ORCHARD, "--bots", "human,random", "--seed", 5, cwd=tmp_path) as at:
            at.prompt("turn>")
            at.answer("1", "turn>")
            at.answer("quit", "save>")
            name = "orchard-5-2.game" if "orchard-5.game" in os.listdir(tmp_path) else "orchard-5.game"
            assert f"Enter saves to {name}," in " ".join(at.text.split())
            if answer == "mine":
                # A name that cannot be is no reason to lose the game.
                at.answer("orchard-5.game", "save>")
                assert "not saved: orchard-5.game: another game is there" in at.text
            assert at.end(answer) == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == files


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_closing_the_window_keeps_the_game(tmp_path: Path, term: str) -> None:
    """Also where nobody said that it is to be saved, as with Ctrl-C."""
    args = ("play", TICTACTOE, "--bots", "human,random", "--seed", 7)
    with Terminal(*args, cwd=tmp_path, env={"TERM": term}) as at:
        at.prompt("place>")
        at.child.send("5\r")
        at.shows("place  at (1, 1)")
        at.until(lambda: at.line == "place>", "the next question")
        at.hang_up()
    (kept,) = tmp_path.iterdir()
    assert kept.name == "tictactoe-7.game"
    assert len(json.loads(kept.read_text())["moves"]) == 2


def test_a_window_that_is_too_low_shows_the_part_that_matters(tmp_path: Path) -> None:
    """The question, its options, and the rows of the board that these are about can be seen at once."""
    with Terminal("play", "cacao", "--bots", "human,random", "--seed", 7, cwd=tmp_path, rows=24) as at:
        at.until(lambda: at.line.endswith(">"), "the first question")
        for _ in range(60):
            before = len(at.raw)
            at.child.send("1\r")
            at.shows_new_prompt(before, "recorded in")
            seen = "\n".join(at.screen.display)
            if "`board` shows everything" in seen and "choose place: " in seen:
                break
        note = next(line for line in at.screen.display if "`board` shows everything" in line)
        first, last = (int(number) for number in note.split()[2:5:2])
        drawn = [int(line.split()[0]) for line in at.screen.display if re.match(r" ?-?\d+  ", line)]
        assert set(range(first, last + 1)) <= set(drawn)
        assert [line for line in at.screen.display if "red (you)" in line and "purple" not in line]
        before = len(at.raw)
        at.child.send("board\r")
        at.shows_new_prompt(before, "recorded in")
        assert "purple" in at.raw[before:]
        assert "`board` shows everything" not in at.raw[before:]
        assert at.end(key="\x03") == 130


@pytest.mark.parametrize("columns", [60, 200])
def test_nothing_is_wider_than_the_window(tmp_path: Path, columns: int) -> None:
    with Terminal(
        "play", "cacao", "--bots", "human,random", "--seed", 7, cwd=tmp_path, columns=columns, rows=60
    ) as at:
        at.prompt("place worker>")
        at.answer("help", "place worker>")
        at.answer("options", "place>")
        listed = [line for line in at.lines if " 7  " in line]
        # A wide window has the options in columns, a narrow one below each other.
        assert any(" 2  " in line for line in listed) == (columns == 200), listed
        at.answer("/1,-5", "place>")
        at.answer("back", "place worker>")
        at.answer("1", "place worker 2-1-0-1, turn>")
        at.answer("undo", "place worker 2-1-0-1, turn>")
        # Were a line too wide, the terminal would have broken it within a word.
        plain = at.raw.replace("\x1b[0m", "").replace("\x1b[2m", "")
        # A prompt is drawn anew as one types, on one line.
        lines = [line for line in _uncoloured(plain) if "> " not in line]
        assert [line for line in lines if len(line) > columns] == []
        assert at.end(key="\x03") == 130


def _uncoloured(raw: str) -> list[str]:
    import re

    return [
        re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).rstrip() for line in raw.replace("\r", "\n").split("\n")
    ]


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colour_and_on_a_terminal_that_only_prints(tmp_path: Path, env: dict[str, str]) -> None:
    with Terminal("play", TICTACTOE, "--bots", "human,random", "--seed", 3, cwd=tmp_path, env=env) as at:
        at.prompt("place>")
        at.answer("nonsense", "place>")
        assert "no option has 'nonsense' in it" in at.text
        at.answer("1,1", "place>")
        assert at.end(key="\x04") == 0
        coloured = [code for code in at.raw.split("\x1b[")[1:] if code.split("m")[0].strip("0;").isdigit()]
        assert not [code for code in coloured if code[0] in "349" and "m" in code[:3]]
        assert ("\x1b" in at.raw) == ("TERM" not in env)


def test_two_people_hide_their_secrets_from_each_other(tmp_path: Path) -> None:
    with Terminal("play", BIDS, "--bots", "human,human,random", "--seed", 2, cwd=tmp_path, rows=50) as at:
        at.until(lambda: "press Enter>" in at.line, "the keyboard's turn")
        first = at.line.partition(";")[0].rpartition(" ")[2]
        at.child.send("\r")
        at.until(lambda: at.line in ("peek pay>", "bid amount>"), "a question")
        seats = {first}
        for _ in range(6):
            name = at.text.rpartition(", choose ")[0].rpartition("\n")[2]
            before = at.text
            assert f"{name} (you)" in before
            at.enter("1")
            at.until(
                lambda: "press Enter" in at.line or at.line in ("peek pay>", "bid amount>"), "what comes next"
            )
            if "clear the screen" in at.line:
                at.enter("")
                at.until(lambda: "pass the keyboard to" in at.line, "the keyboard's turn")
                # Nothing is left of what the other saw, above the screen either.
                assert at.text.split() == at.line.split()
                seats.add(at.line.partition(";")[0].rpartition(" ")[2])
                at.enter("")
                at.until(lambda: at.line in ("peek pay>", "bid amount>"), "a question")
                assert before not in at.text
        assert seats == {"red", "blue"}
        assert at.end(key="\x03") == 130


def test_what_one_types_is_not_offered_to_another(tmp_path: Path) -> None:
    with Terminal("play", TICTACTOE, "--bots", "human", "--seed", 3, cwd=tmp_path) as at:
        at.prompt("place>")
        at.answer("1,1", "place>")
        assert "nought, choose place: 8 options" in at.text
        # All is open in this game: nobody has to look away.
        assert "press Enter" not in at.text
        at.child.send("\x1b[A")
        at.type("0,0")
        assert at.line == "place> 0,0"
        at.answer("", "place>")
        at.child.send("\x1b[A")
        at.until(lambda: at.line == "place> 1,1", "what cross typed before")
        assert at.end(key="\x03") == 130
