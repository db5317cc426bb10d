"""Records under changed rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conche import api
from conche.cli import run
from conche_runtime.records import Recorder

from .edits import CASES, GAME, applied


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the game and two records of it, one of which never buys."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.clauses.md").write_text((CASES / "fair.clauses.md").read_text(encoding="utf-8"))
    (tmp_path / "fair.rules").write_text(GAME, encoding="utf-8")
    engine = api.load("./fair.rules")
    for name, first in (("buys", True), ("waits", False)):
        state = engine.start(2, 3, log=True)
        with Recorder(engine, state, tmp_path / "records" / f"{name}.jsonl", seed=3) as recorder:
            while not state.over:
                count = state.count()
                recorder.apply(0 if first else count - 1)
    return tmp_path


def change(folder: Path, *lines: str) -> None:
    (folder / "fair.rules").write_text(applied(GAME, list(lines)), encoding="utf-8")


def sorted_now(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, dict[str, Any]]:
    run(["replay", "--triage", "records", *args, "--format", "json"])
    found = json.loads(capsys.readouterr().out)["records"]
    return {Path(one["file"]).stem: one for one in found}


def test_under_the_same_rules_all_are_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {one["outcome"] for one in sorted_now(capsys).values()} == {"same"}
    assert run(["replay", "--triage", "records"]) == 0
    assert "2 records: 2 same" in capsys.readouterr().out


def test_only_the_games_that_used_the_rule_diverge(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        folder,
        "-       move ware from table to you.sack",
        "+       move ware from table to you.sack",
        "+       if you.luck = 0: gain up to 1 luck",
    )
    found = sorted_now(capsys)
    assert found["waits"]["outcome"] == "same"
    assert found["buys"]["outcome"] in ("diverges", "result")
    assert run(["replay", "--triage", "records"]) == 1
    assert "because of if you.luck = 0: new (./fair.rules:" in capsys.readouterr().out


def test_scores_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        folder,
        "- score gold = you.gold                                                          §3",
        "+ score gold = you.gold + 1",
    )
    for one in sorted_now(capsys).values():
        assert one["outcome"] == "result"
        assert [because["path"] for because in one["because"]] == ["score.gold"]


def test_the_change_that_is_the_reason_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        folder,
        "-     put 2 stall in p.stalls",
        "+     put 1 stall in p.stalls",
        "-       pay price_of(ware) gold",
        "+       pay price_of(ware) + 1 gold",
    )
    one = sorted_now(capsys)["buys"]
    assert one["outcome"] == "diverges"
    assert one["sure"] is True
    assert {because["path"] for because in one["because"]} <= {"step.turn", "step.deal"}


def test_a_name_that_is_another_now(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A kind goes into records by its name; the change beside it is no reason."""
    change(
        folder,
        "-   spice (4)",
        "+   pepper (4)",
        "-   put 6 cloth, 4 spice, 3 salt in cart",
        "+   put 6 cloth, 4 pepper, 3 salt in cart",
        "- action judge(spice)",
        "+ action judge(pepper)",
        "-   2 if ware is spice and left > 6",
        "+   2 if ware is pepper and left > 6",
        "- score gold = you.gold                                                          §3",
        "+ score gold = you.gold + 1",
    )
    found = sorted_now(capsys)
    assert found["buys"]["outcome"] == "diverges"
    assert found["buys"]["sure"]
    whats = [[because["what"] for because in one["because"]] for one in found.values()]
    assert ["kind spice is now pepper"] in whats


def test_rules_that_are_not_kept(folder: Path, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import shutil

    shutil.rmtree(cache / "store")
    change(folder, "-       pay price_of(ware) gold", "+       pay price_of(ware) + 1 gold")
    one = sorted_now(capsys)["buys"]
    assert one["because"] == []
    assert "not kept" in str(one["note"])


def test_what_is_no_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "records" / "bad.jsonl").write_text("{", encoding="utf-8")
    assert sorted_now(capsys)["bad"]["outcome"] == "unreadable"
    assert sorted_now(capsys, "./fair.rules")["bad"]["outcome"] == "unreadable"


def test_misuse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert run(["replay", "--triage", "empty"]) == 2
    assert run(["replay", "--triage", "records", "--watch"]) == 2
    assert run(["replay", "--triage", "records", "none.rules"]) == 2
    capsys.readouterr()
    assert run(["replay", "--triage", "none"]) == 2
    assert "'none' is no folder" in capsys.readouterr().err
    (folder / "wrong.rules").write_text(GAME.replace("= ware.price", "= ware.prise"), encoding="utf-8")
    assert run(["replay", "--triage", "records", "./wrong.rules"]) == 2
