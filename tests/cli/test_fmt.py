"""`conche fmt`: files, folders, stdin; what is left alone."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

import pytest

from tiny import TINY

from .conftest import Conche, Result

LOOSE = TINY.replace("  gain n coins", "     gain   n  coins").replace("  choose", "     choose")


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_a_file_is_changed_once(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", LOOSE)
    assert conche("fmt", path) == Result(0, f"{path}: changed\n", "")
    assert path.read_text() == TINY
    before = path.stat().st_mtime_ns
    assert conche("fmt", path) == Result(0, "", "")
    assert path.stat().st_mtime_ns == before


def test_check_changes_nothing(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", LOOSE)
    assert conche("fmt", "--check", path) == Result(1, f"{path}: would change\n", "")
    assert path.read_text() == LOOSE
    write(path, TINY)
    assert conche("fmt", "--check", path) == Result(0, "", "")


def test_diff_shows_the_change(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", LOOSE)
    result = conche("fmt", "--diff", path)
    assert result.code == 1
    assert result.out.splitlines()[:2] == [f"--- {path}", f"+++ {path}"]
    assert "-     gain   n  coins\n" in result.out
    assert "+  gain n coins\n" in result.out
    assert path.read_text() == LOOSE


def test_a_folder_has_all_its_rules_formatted(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / ".hidden").mkdir()
    loose = [write(tmp_path / name, LOOSE) for name in ("b.rules", "in/a.rules")]
    others = [write(tmp_path / name, LOOSE) for name in ("b.txt", ".hidden/a.rules")]
    good = write(tmp_path / "good.rules", TINY)
    result = conche("fmt", tmp_path, good)
    assert result == Result(0, f"{loose[0]}: changed\n{loose[1]}: changed\n3 files, 2 changed\n", "")
    assert [path.read_text() for path in (*loose, *others)] == [TINY, TINY, LOOSE, LOOSE]


@pytest.mark.slow
def test_the_bundled_rules_are_formatted(conche: Conche) -> None:
    from conche.resources import rules_dir

    result = conche("fmt", "--check", rules_dir())
    assert result.code == 0, result.out


def test_stdin_is_formatted_to_stdout(conche: Conche, tmp_path: Path) -> None:
    assert conche("fmt", "-", stdin=LOOSE) == Result(0, TINY, "")
    assert conche("fmt", "--check", "-", stdin=LOOSE).code == 1
    assert conche("fmt", "--check", "-", stdin=TINY) == Result(0, "", "")
    assert conche("fmt", "-", tmp_path).code == 2


def test_a_file_with_a_mistake_is_left_alone_and_the_others_are_not(conche: Conche, tmp_path: Path) -> None:
    bad = write(tmp_path / "a.rules", LOOSE.replace("gain", "gian"))
    good = write(tmp_path / "b.rules", LOOSE)
    before = bad.read_bytes()
    result = conche("fmt", bad, good)
    assert result.code == 1
    assert "error[C0116]" in result.err
    assert f"{bad}: left as it is, 1 error\n" in result.out
    assert bad.read_bytes() == before
    assert good.read_text() == TINY


@pytest.mark.parametrize(
    ("name", "code"), [("none.rules", "C0001"), ("empty", "C0001"), ("binary.rules", "C0005")]
)
def test_what_is_no_rules_file(conche: Conche, tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.rules").write_bytes(b"game\0x")
    result = conche("fmt", tmp_path / name)
    assert result.code == 2
    assert f"error[{code}]" in result.err


def test_a_game_is_told_its_folder(conche: Conche) -> None:
    result = conche("fmt", "cacao")
    assert result.code == 2
    assert "the rules of 'cacao' are those of the folder" in result.err


def test_what_is_no_text_of_the_language_stays(conche: Conche, tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(codecs.BOM_UTF8 + LOOSE.replace("\n", "\r\n").encode())
    os.chmod(path, 0o640)
    link = tmp_path / "link.rules"
    link.symlink_to(path)
    assert conche("fmt", link).code == 0
    assert link.is_symlink()
    assert path.read_bytes() == codecs.BOM_UTF8 + TINY.replace("\n", "\r\n").encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_the_pre_commit_hooks_call_it() -> None:
    import re

    text = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    assert re.findall(r"entry: (.*)", text) == ["conche fmt", "conche fmt --check"]
    assert set(re.findall(r"files: (.*)", text)) == {r"\.rules$"}
