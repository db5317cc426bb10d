"""Games stay with the rules that they began with."""

from __future__ import annotations

import io
import json
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

import conche
from conche import api, kept, store
from conche.cli import run
from conche.kept import RulesNotKeptError
from conche.versions.sources import read_version
from conche_runtime.errors import SaveError
from conche_runtime.records import Recorder
from tiny import MODULE, TINY

from .repositories import commit, git

OLD, NEW = "set p.coins to 1", "set p.coins to 2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a game, a record and a save of it, whose rules have been changed since."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kept, "_images", {})
    (tmp_path / "tiny.rules").write_text(TINY, encoding="utf-8")
    git("init", "-q", "-b", "main", where=tmp_path)
    commit(tmp_path, "one")
    engine = api.load("./tiny.rules")
    state = engine.start(2, 1, log=True)
    (tmp_path / "game.save").write_text(state.to_json(), encoding="utf-8")
    with Recorder(engine, state, tmp_path / "game.jsonl", seed=1) as recorder:
        while not state.over:
            recorder.apply(0)
    (tmp_path / "tiny.rules").write_text(TINY.replace(OLD, NEW), encoding="utf-8")
    commit(tmp_path, "two")
    return tmp_path


@pytest.fixture
def forgotten(folder: Path, cache: Path) -> Path:
    """The same where the store was emptied."""
    shutil.rmtree(cache / "store")
    return folder


def replayed(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, dict[str, Any]]:
    code = run(["replay", "game.jsonl", *args, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_a_record_is_played_by_its_own_rules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = replayed(capsys)
    assert code == 0
    assert (document["pinned"], document["same_rules"], document["complete"]) == (True, True, True)
    assert run(["replay", "game.jsonl"]) == 0
    shown = capsys.readouterr()
    assert "the rules of './tiny.rules' have changed since: played by those it began with" in shown.out
    assert shown.err == ""


def test_as_now_plays_it_by_the_present_rules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = replayed(capsys, "--as-now")
    assert code == 1
    assert (document["pinned"], document["same_rules"]) == (False, False)
    assert document["problem"] is not None
    assert run(["replay", "game.jsonl", "--as-now", "./tiny.rules"]) == 2


def test_rules_that_are_gone_are_no_hindrance(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tiny.rules").unlink()
    code, document = replayed(capsys)
    assert (code, document["pinned"]) == (0, True)
    run(["replay", "game.jsonl"])
    assert "cannot be read now" in capsys.readouterr().out


def test_what_is_not_kept_is_found_in_a_revision(forgotten: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "game.jsonl"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "C0541" in shown.err
    assert "`conche replay game.jsonl REVISION:./tiny.rules`" in shown.err
    code, document = replayed(capsys, "HEAD~1:tiny.rules")
    assert code == 0
    assert (document["same_rules"], document["pinned"]) == (True, False)


@pytest.mark.parametrize("what", ["game.jsonl", "game.save", "HEAD~1:tiny.rules"])
def test_pinned_rules_lie_beside_the_game(
    folder: Path, cache: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["pin", what]) == 0
    digest = read_version("HEAD~1:tiny.rules").digest
    path = folder / f"{digest[:16]}.kept-rules"
    assert path.exists()
    shutil.rmtree(cache / "store")
    capsys.readouterr()
    code, document = replayed(capsys)
    assert (code, document["pinned"]) == (0, True)
    saved = text(folder / "game.save")
    assert conche.load_for(saved, folder).from_json(saved).to_json() == saved
    # What was changed in it is of other rules, and so no help.
    path.write_text(text(path).replace("set p.coins to 1", "set p.coins to 3"), encoding="utf-8")
    assert read_error("game.jsonl") == "C0541"
    path.write_text("[", encoding="utf-8")
    assert read_error("game.jsonl") == "C0541"


def read_error(name: str) -> str:
    from conche.source import SourceError

    with pytest.raises(SourceError) as caught:
        read_version(name)
    return caught.value.diagnostic.code


def test_modules_are_pinned_too(folder: Path, cache: Path) -> None:
    (folder / "more.rules").write_text(MODULE, encoding="utf-8")
    version = read_version("./tiny.rules+./more.rules")
    assert run(["pin", "./tiny.rules+./more.rules", "-o", "pins"]) == 0
    shutil.rmtree(cache / "store", ignore_errors=True)
    (folder / "more.rules").unlink()
    (folder / "pins" / "x.json").write_text(
        json.dumps({"conche": 1, "ruleset": "?", "digest": version.digest}), encoding="utf-8"
    )
    assert read_version("pins/x.json").digest == version.digest


def test_pin_says_what_it_does_not_find(forgotten: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pin", "game.jsonl"]) == 2
    assert "C0541" in capsys.readouterr().err
    assert run(["pin", "none.rules"]) == 2


def test_a_resumed_game_goes_on_by_its_own_rules(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(*args: str) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("save\nquit\n"))
        return run(["play", *args])

    (folder / "tiny.rules").write_text(TINY, encoding="utf-8")
    assert play("./tiny.rules", "--bots", "human,random", "--seed", "1", "--save", "my.game") == 0
    (folder / "tiny.rules").write_text(TINY.replace(OLD, NEW), encoding="utf-8")
    capsys.readouterr()
    assert play("--resume", "my.game") == 0
    assert "have changed since: played by those it began with" in capsys.readouterr().err
    assert play("./tiny.rules", "--resume", "my.game") == 2
    assert "C0515" in capsys.readouterr().err
    monkeypatch.setattr(kept, "_images", {})
    shutil.rmtree(cache / "store")
    assert play("--resume", "my.game") == 2
    assert "C0515" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- from Python


def test_a_server_goes_on_with_its_games(folder: Path) -> None:
    saved = text(folder / "game.save")
    engine = conche.load_for(saved)
    state = engine.from_json(saved)
    assert state.snapshot()["coins"] == [1, 1]
    assert conche.load("./tiny.rules").start(2, 1).snapshot()["coins"] == [2, 2]
    assert conche.load_for(text(folder / "game.jsonl")).digest == engine.digest
    assert conche.load_for(conche.load("./tiny.rules").start(2, 1).to_json()) is conche.load("./tiny.rules")
    assert conche.load_kept(engine.digest).digest == engine.digest
    assert conche.load_kept(engine.digest, "./tiny.rules").from_json(saved).to_json() == saved


def test_what_is_not_kept_is_an_error(folder: Path, cache: Path) -> None:
    unknown = "0" * 64
    with pytest.raises(RulesNotKeptError, match="are not kept here"):
        conche.load_kept(unknown)
    with pytest.raises(RulesNotKeptError):
        conche.load_kept("../../etc/passwd")
    with pytest.raises(SaveError, match="neither a save nor a record"):
        conche.load_for("nothing")


# ------------------------------------------------------------------------------------------- the store


def test_a_changed_file_of_the_store_is_refused_and_written_anew(folder: Path, cache: Path) -> None:
    digest = read_version("HEAD~1:tiny.rules").digest
    path = cache / "store" / f"{digest}.sources"
    good = text(path)
    path.write_text(good.replace("set p.coins to 1", "set p.coins to 9"), encoding="utf-8")
    assert read_error("game.jsonl") == "C0541"
    (folder / "tiny.rules").write_text(TINY, encoding="utf-8")
    api.load("./tiny.rules")
    store.put_sources(digest, store.sources_from(good))  # type: ignore[arg-type]
    assert text(path) == good


def test_an_emptied_store_is_filled_when_rules_are_used(folder: Path, cache: Path) -> None:
    now = api.load("./tiny.rules").digest
    path = cache / "store" / f"{now}.sources"
    path.unlink()
    api.load("./tiny.rules")
    assert path.exists()


def test_many_write_at_once(cache: Path) -> None:
    """Readers see whole files alone."""
    digest = "ab" * 32
    texts = [store.Sources("x", {"/x": str(number) * 100_000}, {"x": "/x"}) for number in range(4)]
    seen: list[object] = []

    def work(one: store.Sources) -> None:
        for _ in range(20):
            store.put_sources(digest, one)
            seen.append(store.get_sources(digest))

    threads = [threading.Thread(target=work, args=(one,)) for one in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one in texts for one in seen)
    assert [path.name for path in (cache / "store").glob("*abab*")] == [f"{digest}.sources"]
