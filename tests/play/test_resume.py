"""`conche play --save` and `--resume`, from the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from cli.conftest import Conche
from conche.cli import keyboard, run
from conche_runtime.records import read_record

from .tables import ROOT

ORCHARD = ROOT / "rules" / "examples" / "orchard.rules"
PLAY = ("play", ORCHARD, "--bots", "human,random", "--seed", 5)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_game_in_pieces_is_the_whole_game(conche: Conche, here: Path) -> None:
    whole = conche(*PLAY, "--record", "whole", stdin="1\n" * 60)
    assert (whole.code, whole.err) == (0, "")
    assert " wins\n" in whole.out
    assert conche(*PLAY, "--record", "parts", "--save", "s", stdin="1\n1\n").code == 0
    assert not read_record("parts").complete
    for _ in range(40):
        part = conche("play", "--resume", "s", stdin="undo\n1\n1\n")
        assert (part.code, part.err) == (0, "")
        if " wins\n" in part.out:
            break
    assert Path("parts").read_text() == Path("whole").read_text()
    assert part.out.partition("place  total")[2].partition("recorded")[0] in whole.out
    # What is over can be looked at again.
    over = conche("play", "--resume", "s")
    assert over.code == 0
    assert over.out.partition("place  total")[2] == part.out.partition("place  total")[2]
    assert files(here) == ["parts", "s", "whole"]


def test_a_recorded_game_is_kept_beside_its_record(conche: Conche, here: Path) -> None:
    conche(*PLAY, "--record", "game", stdin="1\n")
    assert files(here) == ["game", "game.game"]
    ended = conche("play", "--resume", "game.game", stdin="1\n" * 60)
    assert " wins\n" in ended.out
    assert read_record("game").complete


def test_nothing_is_kept_unasked(conche: Conche, here: Path) -> None:
    asked = conche(*PLAY, stdin="1\nquit\n")
    assert asked.out.endswith("the game is not saved: `--save FILE` keeps one\n")
    assert conche(*PLAY, stdin="1\n").code == 0
    assert files(here) == []


@pytest.mark.parametrize("name", ["both", "both.part", "./both"])
@pytest.mark.parametrize("more", [(), ("--force",)])
def test_a_game_and_its_record_are_two_files(
    conche: Conche, here: Path, name: str, more: tuple[str, ...]
) -> None:
    """Else the one would take the other's place in the end."""
    refused = conche(*PLAY, "--record", "both", "--save", name, *more, stdin="1\nquit\n")
    assert refused.code == 2
    assert f"error[C0501]: the game and its record would both be '{Path(name)}'" in refused.err
    assert files(here) == []
    played = conche(*PLAY, "--record", "both", *more, stdin=f"1\nsave {name}\nquit\n")
    assert f"not saved: {Path(name)}: the record of this game goes there" in played.out
    assert files(here) == ["both", "both.game"]


@pytest.mark.parametrize("name", ["", ".", "folder"])
def test_a_folder_is_no_record(conche: Conche, here: Path, name: str) -> None:
    Path("folder").mkdir()
    refused = conche(*PLAY, "--record", name, stdin="1\nquit\n")
    assert refused.code == 2
    assert "error[C0505]" in refused.err
    assert "is a directory" in refused.err


class Meanwhile(io.StringIO):
    """Typed lines; where one is `#`, another program replaces the file `s` by `other`."""

    def readline(self, size: int | None = -1) -> str:
        line = super().readline()
        if line != "#\n":
            return line
        Path("other").replace("s")
        return super().readline()


def test_two_programs_go_on_with_one_game(
    conche: Conche, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the other one has kept is not replaced; this game can be kept elsewhere."""
    conche(*PLAY, "--save", "s", stdin="1\nquit\n")
    conche("play", "--resume", "s", "--save", "other", stdin="1\n1\nquit\n")
    theirs = Path("other").read_text()
    monkeypatch.setattr(sys, "stdin", Meanwhile("1\n#\n1\nsave mine\n1\nquit\n"))
    assert run(["play", "--resume", "s"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("not saved: s: another program has gone on with this game") == 1
    assert "saved in mine: `conche play --resume mine` goes on" in shown
    assert Path("s").read_text() == theirs


def test_a_game_that_cannot_be_kept_is_trouble(conche: Conche, here: Path) -> None:
    Path("file").touch()
    played = conche(*PLAY, "--save", "file/game", stdin="1\nquit\n")
    assert played.code == 2
    assert played.out.count("not saved: file/game: not a directory") == 2
    kept = conche(*PLAY, "--save", "file/game", stdin="1\nsave mine\nquit\n")
    assert kept.code == 0
    assert files(here) == ["file", "mine"]


def test_saving_at_a_question(conche: Conche, here: Path) -> None:
    Path("other").write_text("precious")
    played = conche(*PLAY, stdin="save\nsave other\nsave none/x\nsave ~no-such-user/x\nsave two\n1\nquit\n")
    assert "saved in orchard-5.game, and again after each of your moves" in played.out
    assert "saved in ~no-such-user/x, and again" in played.out
    assert "not saved: other: another game is there" in played.out
    assert "saved in two, and again" in played.out
    assert "`conche play --resume two` goes on" in played.out
    assert Path("other").read_text() == "precious"
    assert len(json.loads(Path("two").read_text())["moves"]) == 2
    assert json.loads(Path("orchard-5.game").read_text())["moves"] == []


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["--resume", "none"], "C0515", "'none' cannot be gone on with: there is no such file"),
        (["--resume", "bad"], "C0515", "'bad' cannot be gone on with: it is no saved game"),
        (["--resume", "cut"], "C0515", "'cut' cannot be gone on with: it is no saved game, or it is cut"),
        (["--resume", "edited"], "C0515", "it was edited or damaged"),
        (["--resume", "."], "C0515", "this is no plain file"),
        (["--resume", "s", "--players", "2"], "C0501", "the saved game says who plays, and '--players' says"),
        (["--resume", "s", "--bots", "random"], "C0501", "'--bots' says it too"),
        (["--resume", "s", "--seed", "1"], "C0501", "'--seed' says it too"),
        (["--resume", "s", "--format", "json"], "C0501", "people cannot play with --format json"),
        (["--resume", "s", "--full"], "C0501", "no record is wanted"),
        (["--resume", "s", "--save", "bad"], "C0504", "'bad' is there already"),
        (["--resume", "s", "--record", "bad"], "C0504", "'bad' is there already"),
        (
            [TICTACTOE := str(ROOT / "rules" / "examples" / "tictactoe.rules"), "--resume", "s"],
            "C0515",
            "have changed",
        ),
        ([], "C0501", "missing argument 'RULESET'"),
        ([TICTACTOE, "--save", "x"], "C0501", "--save keeps a game for a person, and only bots play"),
        ([TICTACTOE, "--bots", "human", "--save", "bad"], "C0504", "'bad' is there already"),
    ],
)
def test_what_cannot_be_gone_on_with(
    conche: Conche, here: Path, args: list[str], code: str, message: str
) -> None:
    conche(*PLAY, "--save", "s", stdin="1\n")
    text = Path("s").read_text()
    Path("bad").write_text("{}")
    Path("cut").write_text(text[: len(text) // 2])
    Path("edited").write_text(text.replace('"seed": 5', '"seed": 6'))
    before = {path.name: path.read_text() for path in here.iterdir()}
    refused = conche("play", *args)
    assert refused.code == 2
    assert refused.err.startswith(f"error[{code}]: ")
    assert message in refused.err
    assert {path.name: path.read_text() for path in here.iterdir()} == before


def test_another_game_is_replaced_where_that_is_wanted(conche: Conche) -> None:
    Path("old").write_text("other")
    assert conche(*PLAY, "--save", "old", "--force", stdin="1\n1\nquit\n").code == 0
    assert len(json.loads(Path("old").read_text())["moves"]) == 4


def test_rules_that_have_changed_or_moved(conche: Conche, here: Path) -> None:
    text = ORCHARD.read_text().replace('\n  clauses "orchard.clauses.md"', "")
    text = (
        "\n".join(line.partition("  §")[0].partition(" §")[0].rstrip() for line in text.splitlines()) + "\n"
    )
    text = (
        text.replace("    always\n", "    always §A1\n")
        + '\nruling §A1 "Whoever is asked can climb or pick."\n'
    )
    Path("game.rules").write_text(text)
    assert (
        conche("play", "game.rules", "--bots", "human,random", "--seed", 5, "--save", "s", stdin="1\n").code
        == 0
    )
    Path("game.rules").write_text(text.replace("pay 2 coins", "pay 1 coins"))
    changed = conche("play", "--resume", "s")
    assert changed.code == 0
    assert "the rules of 'game.rules' have changed since: played by those it began with" in changed.err
    Path("elsewhere.rules").write_text(text)
    Path("game.rules").unlink()
    moved = conche("play", "elsewhere.rules", "--resume", "s", stdin="1\n")
    assert (moved.code, moved.err) == (0, "")
    assert "going on" in moved.out


class Terminal:
    def isatty(self) -> bool:
        return True


def test_the_editor_is_for_terminals_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setenv("TERM", "xterm")
    assert not keyboard.keyboard().completes
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, Terminal())
    assert keyboard.keyboard().completes
    monkeypatch.setenv("TERM", "dumb")
    assert not keyboard.keyboard().completes
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    assert not keyboard.keyboard().completes
