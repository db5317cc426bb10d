"""What `docs/git.md` says works in a repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tiny import TINY

from .repositories import commit, git

PAGE = (Path(__file__).parents[2] / "docs" / "git.md").read_text(encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the game at the path that the page speaks of, changed since the last commit."""
    rules = tmp_path / "path" / "to" / "mine.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text(TINY, encoding="utf-8")
    git("init", "-q", "-b", "main", where=tmp_path)
    commit(tmp_path, "one")
    rules.write_text(TINY.replace("  gain n coins", "  gain n + 1 coins"), encoding="utf-8")
    return tmp_path


def test_headings_are_declarations(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.rules diff=rules\n", encoding="utf-8")
    pattern = re.search(r"diff\.rules\.xfuncname '(.*)'", PAGE)
    assert pattern is not None
    git("config", "diff.rules.xfuncname", pattern[1], where=repository)
    shown = git("diff", "-U0", where=repository)
    assert re.search(r"^@@ .* @@ step turn$", shown, re.MULTILINE)


def test_the_alias(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    alias = re.search(r"alias\.rules '(.*)'", PAGE)
    assert alias is not None
    git("config", "alias.rules", alias[1], where=repository)
    tools = tmp_path_factory.mktemp("bin")
    program = tools / "conche"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m conche.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["git", "rules"],
        cwd=repository / "path",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "gain n + 1 coins" in done.stdout
