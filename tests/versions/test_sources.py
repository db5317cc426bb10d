"""What each side can be: files, folders, rulesets, revisions, records, saves, engines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from conche import api
from conche.pipeline import CompileError
from conche.resources import rules_dir
from conche.source import SourceError
from conche.versions.git_driver import versions_of
from conche.versions.sources import read_version
from tiny import MODULE, TINY

from .repositories import commit, git


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a game with a module, and the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "tiny.rules").write_text(TINY, encoding="utf-8")
    (tmp_path / "tiny" / "more.rules").write_text(MODULE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def repository(folder: Path) -> Path:
    """The folder, in a repository: one coin at first, then two."""
    git("init", "-q", "-b", "main", where=folder)
    commit(folder, "one")
    rules = folder / "tiny" / "tiny.rules"
    rules.write_text(TINY.replace("set p.coins to 1", "set p.coins to 2"), encoding="utf-8")
    commit(folder, "two")
    return folder


def refused(text: str) -> tuple[str, str]:
    with pytest.raises((SourceError, CompileError)) as caught:
        read_version(text)
    error = caught.value
    found = error.diagnostic if isinstance(error, SourceError) else error.diagnostics[0]
    return found.code, found.title


def test_files_folders_and_modules(folder: Path) -> None:
    file, named = read_version("tiny/tiny.rules"), read_version("tiny")
    assert file.digest == named.digest
    more = read_version("tiny+more")
    assert more.digest != named.digest
    assert [module.name for module in named.modules] == ["more"]
    assert read_version("./tiny+./tiny/more.rules").digest == more.digest


def test_options(folder: Path) -> None:
    assert read_version("cacao").digest != read_version("cacao:first_seat=random").digest


def test_revisions(repository: Path) -> None:
    before, now = read_version("HEAD~1:tiny"), read_version("HEAD:tiny")
    assert before.digest != now.digest
    assert now.digest == read_version("tiny").digest == read_version("main:tiny/tiny.rules").digest
    assert read_version("HEAD~1:tiny+more").digest != before.digest
    assert before.rulebook.setup_span.file == "HEAD~1:tiny/tiny.rules"
    assert before.rulebook.ruleset == "tiny"


def test_folders_of_a_revision(folder: Path) -> None:
    """Also below another folder, and where the game is not called as its folder is."""
    games = folder / "games"
    games.mkdir()
    (folder / "tiny").rename(games / "tiny")
    (games / "other").mkdir()
    (games / "other" / "base.rules").write_text(TINY, encoding="utf-8")
    (games / "other" / "extra.rules").write_text('module extra "Extra" for tiny 1.x\n', encoding="utf-8")
    git("init", "-q", "-b", "main", where=folder)
    commit(folder, "one")
    here = read_version("games/tiny").digest
    assert read_version("HEAD:games/tiny").digest == here
    assert read_version("HEAD:games/tiny+more").digest == read_version("games/tiny+more").digest
    assert read_version("HEAD:games/other").digest == read_version("games/other").digest
    (games / "other" / "second.rules").write_text(TINY, encoding="utf-8")
    commit(folder, "two")
    several = "the folder 'games/other' of 'HEAD' has several games: base.rules, second.rules"
    assert refused("HEAD:games/other") == ("C0540", several)


DATA = 'values fees from "fees.csv"\nvalues taxes from "data/taxes.txt"\n\n'
WITH_DATA = TINY.replace("each player has", f"{DATA}each player has").replace(
    "set p.coins to 1", "set p.coins to fees[0] + taxes[0]"
)


def test_the_data_files_of_a_revision_are_read_there(folder: Path) -> None:
    rules, fees, taxes = (folder / name for name in ("mine.rules", "fees.csv", "data/taxes.txt"))
    (folder / "data").mkdir()
    rules.write_text(WITH_DATA, encoding="utf-8")
    fees.write_text("1, 2\n", encoding="utf-8")
    taxes.write_text("1, 3\n", encoding="utf-8")
    git("init", "-q", "-b", "main", where=folder)
    commit(folder, "one")
    first = read_version("HEAD:mine.rules").digest
    assert first == read_version("mine.rules").digest
    taxes.write_text("2, 3\n", encoding="utf-8")
    assert read_version("HEAD:mine.rules").digest == first
    assert read_version("mine.rules").digest != first
    # What `git diff` hands over is the rules file alone; its data lies in the work tree.
    text = rules.read_bytes()
    old, new = versions_of(folder, "mine.rules", text, text.replace(b"fees[0]", b"fees[1]"))
    assert new.digest != old.digest == read_version("mine.rules").digest


def test_a_revision_touches_nothing(repository: Path) -> None:
    (repository / "tiny" / "tiny.rules").write_text("# being edited\n", encoding="utf-8")
    before = git("status", "--porcelain", where=repository)
    read_version("HEAD~1:tiny+more")
    assert git("status", "--porcelain", where=repository) == before
    assert (repository / "tiny" / "tiny.rules").read_text(encoding="utf-8") == "# being edited\n"
    assert sorted(path.name for path in repository.iterdir()) == [".git", "tiny"]


@pytest.mark.parametrize(
    ("text", "code", "title"),
    [
        ("HEAD~9:tiny", "C0540", "git knows no revision 'HEAD~9'"),
        ("HEAD:tinny", "C0540", "there is no game 'tinny' in 'HEAD'"),
        ("HEAD:tiny/tinny.rules", "C0540", "there is no file 'tiny/tinny.rules' in 'HEAD'"),
        ("--upload-pack=x:tiny", "C0540", "'--upload-pack=x' is no revision"),
        ("HEAD:tiny+less", "C0242", "the game 'tiny' has no module 'less'"),
        ("HEAD:", "C0226", "the ruleset has no name"),
        ("tinny", "C0227", "there is no game 'tinny'"),
        ("tinny.rules", "C0001", "there is no file 'tinny.rules'"),
    ],
)
def test_what_is_not_there(repository: Path, text: str, code: str, title: str) -> None:
    assert refused(text) == (code, title)


def test_outside_of_a_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    assert refused("HEAD:tiny") == ("C0540", "this folder is in no git repository")


def test_without_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert refused("HEAD:tiny")[0] == "C0540"


def test_folders_that_hold_no_one_game(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert refused("./empty") == ("C0542", "the folder './empty' has no game")
    assert refused(str(rules_dir() / "examples"))[0] == "C0542"


@pytest.fixture
def kept(folder: Path) -> Path:
    """A record, a save and an engine of the game, whose rules have been changed since."""
    from conche import pipeline
    from conche_runtime.records import Recorder

    engine = api.load("tiny/tiny.rules")
    state = engine.start(2, 1, log=True)
    with Recorder(engine, state, folder / "game.jsonl", seed=1) as recorder:
        while not state.over:
            recorder.apply(0)
    (folder / "game.save").write_text(engine.start(2, 1).to_json(), encoding="utf-8")
    (folder / "tiny.py").write_text(pipeline.build("tiny/tiny.rules").text, encoding="utf-8")
    rules = folder / "tiny" / "tiny.rules"
    rules.write_text(TINY.replace("set p.coins to 1", "set p.coins to 2"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("file", ["game.jsonl", "game.save", "tiny.py"])
def test_the_rules_of_a_digest(kept: Path, file: str) -> None:
    found = read_version(file)
    assert found.digest != read_version("tiny").digest
    assert found.digest in (kept / file).read_text(encoding="utf-8")
    # As it was when it was played, with its text.
    assert "set p.coins to 1" in next(iter(found.sources.values())).text


def test_rules_that_are_not_kept(kept: Path, cache: Path) -> None:
    shutil.rmtree(cache / "store")
    code, title = refused("game.jsonl")
    assert (code, title) == ("C0541", "the rules of 'game.jsonl' are not kept here")
    # Without the store the rules as they are now serve, where they are still the same.
    (kept / "tiny" / "tiny.rules").write_text(TINY, encoding="utf-8")
    assert read_version("game.jsonl").digest == read_version("tiny").digest


@pytest.mark.parametrize(
    "text", ["", "{}", '{"conche": 1}', "[1, 2]", "import os", json.dumps({"conche": 1, "digest": 5})]
)
def test_files_that_are_nothing_of_that(folder: Path, text: str) -> None:
    (folder / "file.txt").write_text(text, encoding="utf-8")
    assert refused("file.txt")[0] == "C0542"


def test_an_engine_is_never_run(folder: Path) -> None:
    (folder / "bad.py").write_text('raise SystemExit("run!")\n', encoding="utf-8")
    assert refused("bad.py")[0] == "C0542"
