"""`conche replay`, on the tiny game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from records.fake_game import FakeEngine

from .conftest import Conche
from .fake_image import FakeImage

pytestmark = pytest.mark.usefixtures("stones")


@pytest.fixture
def game(conche: Conche, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    conche("play", "stones", "--seed", 7, "--record", path)
    return path


def test_a_game_that_fits(conche: Conche, game: Path) -> None:
    result = conche("replay", game)
    total = len(game.read_text().splitlines())
    assert (result.code, result.err) == (0, "")
    first, *scores = result.out.splitlines()
    assert first == f"{game}: all {total} lines fit"
    assert "place  total" in scores[0]
    assert conche("replay", game, "stones") == result


def test_the_first_line_that_does_not_fit_is_shown(conche: Conche, game: Path) -> None:
    lines = game.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if '"take"' in line)
    lines[at] = lines[at].replace('"options": 2', '"options": 3')
    game.write_text("\n".join(lines) + "\n")
    result = conche("replay", game)
    assert (result.code, result.out) == (1, "")
    assert "error[C0512]" in result.err
    assert f"{game}:{at + 1}:1" in result.err
    assert "legal, but with other options: 3 recorded, 2 now" in result.err
    assert f'{at + 1} │ {{"player": ' in result.err


def test_json(conche: Conche, game: Path) -> None:
    result = conche("replay", game, "--format", "json")
    document = json.loads(result.out)
    assert result.code == 0
    assert document["conche"] == 1
    assert (document["complete"], document["problem"], document["same_rules"]) == (True, None, True)
    assert document["lines"] == document["lines_done"] == len(game.read_text().splitlines())
    assert len(document["scores"]) == 2
    game.write_text(game.read_text().replace('"take"', '"steal"', 1))
    result = conche("replay", game, "--format", "json", "--to", 100)
    document = json.loads(result.out)
    assert result.code == 1
    assert document["problem"]["line"] > 1
    assert "'steal'" in document["problem"]["message"]
    assert document["state"]["heap"] == 14


def test_stopping_at_a_line_shows_the_position(conche: Conche, game: Path) -> None:
    lines = game.read_text().splitlines()
    at = [i for i, line in enumerate(lines, 1) if '"options"' in line][2]
    result = conche("replay", game, "--to", at)
    assert result.code == 0
    assert "heap " in result.out
    # The outcome that follows belongs to the decision.
    assert f"lines 1 to {at + ('chance' in lines[at])} of {len(lines)} fit" in result.out
    assert "scores" not in result.out
    for line in (0, -1, 10**30):
        assert "error[C0502]" in conche("replay", game, "--to", line).err


def test_watching_prints_the_moves(conche: Conche, game: Path) -> None:
    watched = conche("replay", game, "--watch").out
    played = conche("play", "stones", "--seed", 7).out
    moves = [line for line in played.splitlines() if "  take  " in line or "  keep  " in line]
    assert moves
    assert all(line in watched for line in moves)


def test_a_cut_record_is_told(conche: Conche, game: Path) -> None:
    text = game.read_text()
    game.write_text(text[: len(text) // 2])
    result = conche("replay", game)
    assert result.code == 0
    assert "warning[C0514]" in result.err
    assert "the game is not finished" in result.out


def test_other_rules_are_told_first(conche: Conche, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FakeEngine()
    engine.digest = "0" * 64
    monkeypatch.setattr(FakeImage, "engine", lambda image: engine)
    result = conche("replay", game, "--as-now")
    assert result.code == 0
    assert result.err.startswith("warning[C0513]: the record is of other rules than 'stones' is now")
    assert "all " in result.out
    assert "error[C0541]: the rules of 'stones' have changed since" in conche("replay", game).err


def test_a_seats_record(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "seat"
    conche("play", "stones", "--seed", 3, "--record", path, "--seat", 1)
    result = conche("replay", path)
    assert result.code in (0, 1)
    assert "does not see were supplied" in result.out or "no hidden outcomes were found" in result.err


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (None, "C0510", "there is no file"),
        (b"", "C0511", "line 1: the record is empty"),
        (b"\x80\n", "C0511", "line 1: the line is not UTF-8"),
        (b"\0\0\0\n", "C0511", "line 1: the line is not JSON"),
        (b'{"conche": 2}\n', "C0511", "this Conche reads version 1"),
        (b"[" * 100_000 + b"\n", "C0511", "nested too deeply"),
        (b'{"conche": 1' + b"0" * 10_000 + b"}\n", "C0511", "more than 64 bits"),
    ],
)
def test_what_is_no_record(
    conche: Conche, tmp_path: Path, data: bytes | None, code: str, message: str
) -> None:
    path = tmp_path / "game"
    if data is not None:
        path.write_bytes(data)
    result = conche("replay", path)
    assert result.code == 2
    assert f"error[{code}]" in result.err
    assert message in result.err
    assert "error[C0510]" in conche("replay", tmp_path).err
