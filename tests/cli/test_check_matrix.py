"""`conche check` with --matrix, --census and --witness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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


def test_matrix_of_a_game_with_errors(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, GAME.replace("do turn", "do trun"), a=A)
    result = conche("check", rules, "--matrix", "--workers", 1)
    assert result.code == 1
    assert "trun" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("{rules}", "{rules}", "--matrix"),
        ("{rules}", "--matrix", "--census"),
        ("{rules}", "--players", "3"),
        ("{rules}", "--matrix", "--players", "7"),
        ("{rules}", "--matrix", "--workers", "0"),
        ("{rules}", "--census", "--players", "9"),
        ("{rules}", "--witness", "--games", "0"),
        ("{rules}", "--witness", "--matrix", "--record", "x"),
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


def test_witness_of_every_module(conche: Conche, tmp_path: Path) -> None:
    rules = folder(tmp_path, a=A, b="  requires a\n\nafter act add more: gain 1 gold\n")
    result = conche("check", rules, "--witness", "--matrix", "--games", 2, "--format", "json")
    assert result.code == 0
    first, second = json.loads(result.out)["witnesses"]
    assert [one["module"] for one in first["rules"]] == ["a"]
    assert {one["title"] for one in second["rules"]} >= {"step more", "gain 1 gold"}
    assert all(one["game"] is not None for one in (*first["rules"], *second["rules"]))
