"""`conche git-diff`, run by git itself as docs/git.md says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conche.cli import run
from tiny import MODULE, TINY

from .repositories import commit, git

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "git.md").read_text(encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a game and its module, in which git compares rules as the page says."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tiny.rules").write_text(TINY, encoding="utf-8")
    (tmp_path / "games" / "more.rules").write_text(MODULE, encoding="utf-8")
    git("init", "-q", "-b", "main", where=tmp_path)
    told = re.search(r"^git config diff\.conche\.command '(.*)'$", PAGE, re.MULTILINE)
    assert told is not None
    assert "*.rules diff=conche" in PAGE
    program = tmp_path_factory.mktemp("bin") / "conche"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m conche.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    git("config", "diff.conche.command", told[1].replace("conche", str(program), 1), where=tmp_path)
    (tmp_path / ".gitattributes").write_text("*.rules diff=conche\n", encoding="utf-8")
    commit(tmp_path, "one")
    return tmp_path


def edit(repository: Path, name: str, old: str, new: str) -> None:
    path = repository / "games" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_change_is_told_by_meaning(repository: Path) -> None:
    edit(repository, "tiny.rules", "  gain n coins", "  gain n + 1 coins")
    shown = git("diff", where=repository)
    assert shown.startswith("conche diff a/games/tiny.rules b/games/tiny.rules\n")
    assert "different: 1 change in 1 group" in shown
    line = 1 + TINY.splitlines().index("  gain n coins")
    assert f"b/games/tiny.rules:{line}" in shown
    assert "@@" not in shown


def test_comments_and_layout_are_no_change(repository: Path) -> None:
    edit(repository, "tiny.rules", "score coins", "# what counts\nscore coins")
    shown = git("diff", where=repository)
    assert "equal: both have the canonical form" in shown
    assert "what counts" not in shown


def test_a_file_with_another_name(repository: Path) -> None:
    """Each side by the name that it has, also where the lines are compared."""
    edit(repository, "tiny.rules", "  gain n coins", "  gain n + 1 coins")
    (repository / "games" / "tiny.rules").rename(repository / "games" / "small.rules")
    git("add", ".", where=repository)
    shown = git("diff", "--cached", "-M20", where=repository)
    assert shown.startswith("conche diff a/games/tiny.rules b/games/small.rules\n")
    line = 1 + TINY.splitlines().index("  gain n coins")
    assert f"a/games/tiny.rules:{line} → b/games/small.rules:{line}" in shown
    edit(repository, "small.rules", "  gain n + 1 coins", "  gain m coins")
    git("add", ".", where=repository)
    assert "--- a/games/tiny.rules\n+++ b/games/small.rules\n" in git(
        "diff", "--cached", "-M20", where=repository
    )


def test_a_module_is_compared_over_its_game(repository: Path) -> None:
    edit(repository, "more.rules", "gain 1 coins", "gain 2 coins")
    shown = git("diff", where=repository / "games")
    assert "a/games/more.rules → b/games/more.rules" in shown
    assert "different: 1 change" in shown
    assert "gain 2 coins" in shown


def test_a_module_stands_over_those_it_requires(repository: Path) -> None:
    text = MODULE.replace('module more "More"', 'module most "Most"').replace(
        "  version 1.0.0\n", "  version 1.0.0\n  requires more\n", 1
    )
    text = text.replace("after turn add bonus", "after bonus add another")
    (repository / "games" / "most.rules").write_text(text, encoding="utf-8")
    commit(repository, "two")
    edit(repository, "most.rules", "gain 1 coins", "gain 3 coins")
    shown = git("diff", where=repository)
    assert "different: 1 change" in shown, shown
    assert "gain 3 coins" in shown


def test_between_two_revisions(repository: Path) -> None:
    edit(repository, "tiny.rules", "p.coins to 1", "p.coins to 2")
    commit(repository, "two")
    edit(repository, "tiny.rules", "p.coins to 2", "p.coins to 3")
    shown = git("log", "-p", "--ext-diff", "-1", where=repository)
    assert "set p.coins to 2" in shown
    assert "set p.coins to 3" not in shown


def test_what_has_errors_is_compared_by_lines(repository: Path) -> None:
    edit(repository, "tiny.rules", "  gain n coins", "  gian n coins")
    shown = git("diff", where=repository)
    assert re.search(r"^compared by lines, since one version has errors: .*gian", shown, re.MULTILINE)
    assert "-  gain n coins\n+  gian n coins\n" in shown


@pytest.mark.parametrize("name", ["--help/-x.rules", 'ü 木/q"{{1}}:\n\t.rules'])
def test_any_name_will_do(repository: Path, name: str) -> None:
    """git adds names of files to the command, with nothing before them."""
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(TINY, encoding="utf-8")
    commit(repository, "two")
    path.write_text(TINY.replace("gain n coins", "gain n + 1 coins"), encoding="utf-8")
    edit(repository, "tiny.rules", "gain n coins", "gain n + 2 coins")
    shown = git("diff", where=repository)
    assert f"conche diff a/{name} b/{name}\n" in shown
    assert shown.count("different: 1 change in 1 group") == 2


def test_what_is_no_text_is_not_shown(repository: Path) -> None:
    (repository / "games" / "tiny.rules").write_bytes(b"\x1b[2J\0\xff")
    shown = git("diff", where=repository)
    assert shown.endswith("Binary files a/games/tiny.rules and b/games/tiny.rules differ")


def test_new_and_removed_files_are_shown(repository: Path) -> None:
    (repository / "games" / "more.rules").unlink()
    (repository / "games" / "other.rules").write_text(TINY.removesuffix("\n"), encoding="utf-8")
    git("add", "-A", where=repository)
    shown = git("diff", "--cached", where=repository)
    assert "--- a/games/more.rules\n+++ /dev/null\n" in shown
    assert "--- /dev/null\n+++ b/games/other.rules\n" in shown
    assert "+rank by total\n\\ No newline at end of file" in shown


def test_called_in_another_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["git-diff", "a.rules", "one", "two"]) == 2
    assert "error[C0501]" in capsys.readouterr().err
    assert run(["git-diff"]) == 2
    assert run(["git-diff", "a.rules"]) == 0
    assert "a.rules: not merged" in capsys.readouterr().out
    assert run(["git-diff", "a.rules", "/no/such", "0", "0", "/dev/null", "0", "0"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_colour_where_git_pages(repository: Path) -> None:
    edit(repository, "tiny.rules", "  gain n coins", "  gain n + 1 coins")
    environment = {**os.environ, "GIT_PAGER_IN_USE": "1"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        ["git", "--no-pager", "diff"], cwd=repository, env=environment, capture_output=True, check=True
    )
    assert b"\x1b[" in done.stdout
    assert "\x1b[" not in git("diff", where=repository)
