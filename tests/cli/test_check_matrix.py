"""`conche check` with --matrix, --census and --witness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conche.workers import WorkerDiedError
from lattice.labs import GAME, folder

from .conftest import Conche

A = "\nmodify worth(p): + 1\n"
REPLACED = "\nreplace refill: draw up to 1 from stock to display\n"


def test_matrix(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, a=A, b="\nquery idle(p: Player) = 1\n")
    result = conche("check", rules, "--matrix", "--workers", 1)
    assert result.code == 0
    assert "in 2 combinations of 4, the smallest is" in result.err
    assert result.err.count("C0360") == 1
    assert "4 combinations of 2 modules" in result.out
    assert result.out.endswith(f"{rules}: good in all combinations\n1 warning\n")


def test_matrix_finds_errors(conche: Conche, tmp_path: Path) -> None:
    result = conche("check", folder(tmp_path, a=REPLACED, b=REPLACED), "--matrix", "--workers", 1)
    assert result.code == 1
    assert result.err.count("C0212") == 1
    assert "good in all" not in result.out


def test_matrix_as_json(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, a=REPLACED, b=REPLACED, c="  excludes b\n")
    result = conche("check", rules, "--matrix", "--workers", 1, "--format", "json")
    assert (result.code, result.err) == (1, "")
    document = json.loads(result.out)
    assert document["conche"] == 1
    assert document["ruled_out"] == 2
    assert [one["good"] for one in document["combinations"]] == [True, True, True, True, False, True]
    (one,) = document["diagnostics"]
    assert (one["code"], one["combinations"]) == ("C0212", 1)
    assert one["where"] == {"with": ["a", "b"], "without": [], "options": {}, "players": [], "exact": True}
    assert one["smallest"] == f"{rules}+a+b"


def test_a_process_that_dies_is_trouble(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise WorkerDiedError("a worker process died")

    monkeypatch.setattr("conche.lattice.matrix.check_matrix", dies)
    result = conche("check", folder(tmp_path, a=A), "--matrix")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error[C0505]: cannot go on: a worker process died\n"


def test_matrix_of_a_game_with_errors(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, GAME.replace("do turn", "do trun"), a=A)
    result = conche("check", rules, "--matrix", "--workers", 1)
    assert result.code == 1
    assert "trun" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("{rules}", "{rules}", "--matrix"),
        ("{rules}", "--witness", "--census"),
        ("{rules}", "--players", "3"),
        ("{rules}", "--matrix", "--players", "7"),
        ("{rules}", "--matrix", "--workers", "0"),
        ("{rules}", "--census", "--players", "9"),
        ("{rules}", "--witness", "--games", "0"),
        ("{rules}", "--witness", "--matrix", "--record", "x"),
        ("{rules}", "--matrix", "--record", "x"),
        ("{rules}", "--census", "--seed", "1"),
        ("{rules}", "--games", "3"),
        ("{rules}", "--census", "--workers", "2"),
        ("{rules}", "--witness", "--workers", "0"),
        ("{rules}", "--witness", "--workers", "-1"),
    ],
)
def test_misuse(conche: Conche, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    rules = folder(tmp_path, a=A)
    result = conche("check", *(one.format(rules=rules) for one in arguments))
    assert result.code == 2
    assert "error[C050" in result.err


def test_census(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path)
    result = conche("check", rules, "--census")
    assert (result.code, result.err) == (0, "")
    assert [line.split() for line in result.out.splitlines() if line.startswith(" Tile")] == [
        ["Tile", "water", "3", "3", "3"],
        ["Tile", "stone", "2", "2", "2"],
        ["Tile,", "in", "all", "5", "5", "5"],
    ]
    assert " show     any Tile   stock   display" in result.out


def test_census_keeps_to_the_order_of_the_set_up(conche: Conche, tmp_path: Path) -> None:
    """What only happens with more players stands where it happens."""
    rules = folder(
        tmp_path, GAME.replace("step show\n", "step show\n  with 3 or 4 players: put 1 stone in stock\n")
    )
    result = conche("check", rules, "--census")
    moves = result.out.partition("what the set-up moves")[2].partition("where they lie")[0]
    steps = [line.split()[:4] for line in moves.splitlines() if "stock" in line]
    assert steps == [
        ["supply", "water", "box", "stock"],
        ["supply", "stone", "box", "stock"],
        ["show", "stone", "box", "stock"],
        ["show", "any", "Tile", "stock"],
    ]


@pytest.mark.parametrize("what", ["--census", "--witness", "--matrix"])
def test_errors_as_json(conche: Conche, tmp_path: Path, what: str) -> None:
    rules = folder(tmp_path, GAME.replace("do turn", "do trun"))
    result = conche("check", rules, what, "--format", "json")
    assert (result.code, result.err) == (1, "")
    (finding,) = json.loads(result.out)["diagnostics"]
    assert "trun" in finding["title"]


def test_census_as_json(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path)
    result = conche("check", f"{rules}:mode=long", "--census", "--players", 3, "--format", "json")
    document = json.loads(result.out)
    assert (result.code, document["conche"], document["diagnostics"]) == (0, 1, [])
    (one,) = document["census"]
    assert one["players"] == 3
    assert one["in_all"] == {"Tile": {"low": 7, "high": 7, "by": ""}}
    assert one["totals"][1] == {
        "piece": "Tile",
        "kind": "stone",
        "owner": "",
        "number": {"low": 4, "high": 4, "by": ""},
    }


GEM = "\npiece Gem\n  red_gem\n  blue_gem\n\npool gems of Gem, open\n\n"
GEMS = GEM + "after supply add mine\n  with 2 players: put 1 red_gem in gems\n  put 2 blue_gem in gems\n"
BREAKS = "\nafter supply add rob: take 9 water out of stock\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_the_pieces_in_every_combination(conche: Conche, tmp_path: Path, workers: int) -> None:
    rules = folder(tmp_path, a=GEMS, b=REPLACED, c=REPLACED, d="  players 3..4\n" + A)
    result = conche("check", rules, "--matrix", "--census", "--workers", workers)
    assert result.code == 1  # b and c clash
    lines = {line.split("  ")[0].strip(): line.split()[-3:] for line in result.out.splitlines()}
    assert f"{rules}: pieces in the game, in 16 combinations" in result.out
    assert lines["the game alone"][-2:] == ["5", "0"]
    assert lines["a"] == ["3,", "2,", "2"]
    assert lines["a + d"][-2:] == ["5", "2"]
    assert lines["b + c"] == ["–", "–", "–"]
    assert "4 combinations with errors" in result.out


def test_the_pieces_in_every_combination_as_json(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, a=GEMS, d="  players 3..4\n" + A)
    arguments = ("check", rules, "--matrix", "--census", "--workers", 1, "--format", "json")
    document = json.loads(conche(*arguments).out)
    assert (document["conche"], document["game"], document["diagnostics"]) == (1, rules, [])
    found = {tuple(one["modules"]): one["census"] for one in document["combinations"]}
    assert [one["players"] for one in found["a",]] == [2, 3, 4]
    assert [one["players"] for one in found["a", "d"]] == [3, 4]
    alone = json.loads(conche("check", f"{rules}+a", "--census", "--format", "json").out)
    assert found["a",] == alone["census"]
    two = json.loads(conche(*arguments, "--players", 2).out)
    assert [[one["players"] for one in each["census"]] for each in two["combinations"]] == [[2], [2]]


def test_a_set_up_that_fails_in_a_combination(conche: Conche, tmp_path: Path) -> None:
    result = conche("check", folder(tmp_path, a=BREAKS, b=A), "--matrix", "--census", "--workers", 1)
    assert result.code == 1
    assert result.err.count("error[C0370]") == 1


def test_a_census_of_a_set_up_that_fails(conche: Conche, tmp_path: Path) -> None:
    spoiled = GAME.replace("put 3 water", "with 2 players: take 1 water out of stock\n  put 3 water")
    result = conche("check", folder(tmp_path, spoiled), "--census")
    assert result.code == 1
    assert result.err.count("error[C0370]: the set-up fails: 1 water should leave 'stock'") == 1
    assert "with 2 players" in result.err


def test_witness_and_its_record(conche: Conche, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    rules = f"{folder(tmp_path, a=A)}+a"
    result = conche("check", rules, "--witness", "--players", 2, "--games", 3, "--record", record)
    assert result.code == 0, result.err
    assert "kept as" in result.out
    again = conche("replay", record)
    assert (again.code, again.err) == (0, "")
    refused = conche("check", rules, "--witness", "--games", 3, "--record", record)
    assert refused.code == 2
    assert "C0504" in refused.err
    forced = conche("check", rules, "--witness", "--games", 3, "--record", record, "--force")
    assert forced.code == 0


@pytest.mark.parametrize(
    ("there", "code"), [("game.jsonl", "C0504"), ("game-2.jsonl", "C0504"), ("game.jsonl/", "C0505")]
)
def test_what_hinders_a_record_is_told_before_the_search(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str, code: str
) -> None:
    monkeypatch.setattr("conche.lattice.witness.find_witness", None)
    rules = folder(tmp_path)
    if there.endswith("/"):
        (tmp_path / there).mkdir()
    else:
        (tmp_path / there).write_text("", encoding="utf-8")
    force = ("--force",) if there.endswith("/") else ()
    result = conche("check", rules, "--witness", "--record", tmp_path / "game.jsonl", *force)
    assert (result.code, code in result.err, str(tmp_path / there.rstrip("/")) in result.err) == (
        2,
        True,
        True,
    )


def test_what_cannot_be_is_said_to_be_so(conche: Conche, tmp_path: Path) -> None:
    game = GAME.replace("  stone\n", "  stone\n  gem\n", 1).replace(
        "      gain worth(you) gold\n", "      gain worth(you) gold\n      if tile is gem: gain 3 gold\n"
    )
    rules = folder(tmp_path, game)
    text = conche("check", rules, "--witness", "--games", 2)
    assert text.code == 0
    assert "not reached: the game: gain 3 gold  " in text.out
    assert "  it cannot be: no set-up brings in, and no play makes, 'gem'\n" in text.out
    document = json.loads(conche("check", rules, "--witness", "--games", 2, "--format", "json").out)
    (witness,) = document["witnesses"]
    assert {one["title"]: one["absent"] for one in witness["rules"] if one["absent"]} == {
        "gain 3 gold": ["gem"]
    }


def test_witness_of_every_module(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, a=A, b="  requires a\n\nafter act add more: gain 1 gold\n")
    result = conche("check", rules, "--witness", "--matrix", "--games", 2, "--format", "json")
    assert result.code == 0
    first, second = json.loads(result.out)["witnesses"]
    assert [one["module"] for one in first["rules"]] == ["a"]
    assert {one["title"] for one in second["rules"]} >= {"step more", "gain 1 gold"}
    assert all(one["game"] is not None for one in (*first["rules"], *second["rules"]))
