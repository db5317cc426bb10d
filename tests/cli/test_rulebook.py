"""`conche rulebook`."""

from __future__ import annotations

from pathlib import Path

import pytest

from traceability.small import write_small

from .conftest import Conche


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path)


def test_markdown_on_stdout(conche: Conche, small: Path) -> None:
    result = conche("rulebook", small)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("# Small\n")


@pytest.mark.parametrize(("name", "start"), [("a.md", "# Small"), ("new/a.HTML", "<!doctype html>")])
def test_a_file_by_its_ending(conche: Conche, small: Path, name: str, start: str) -> None:
    out = small.parent / name
    result = conche("rulebook", small, "-o", out)
    assert (result.code, result.out) == (0, f"wrote {out}\n")
    text = out.read_text(encoding="utf-8")
    assert text.startswith(start)
    assert conche("rulebook", small, "-o", out).code == 0
    assert out.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", ["a.pdf", "a", "md"])
def test_another_ending_is_refused(conche: Conche, small: Path, name: str) -> None:
    result = conche("rulebook", small, "-o", small.parent / name)
    assert result.code == 2
    assert "error[C0501]" in result.err
    assert not (small.parent / name).exists()


def test_a_place_that_takes_no_file(conche: Conche, small: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = conche("rulebook", small, "-o", tmp_path / "file" / "a.md")
    assert result.code == 2
    assert "error[C0505]" in result.err


def test_bad_rules_are_not_printed(conche: Conche, small: Path) -> None:
    small.write_text(small.read_text().replace("do turn", "do trun"))
    result = conche("rulebook", small, "-o", small.parent / "a.md")
    assert result.code == 1
    assert not (small.parent / "a.md").exists()


def test_in_brief(conche: Conche, small: Path) -> None:
    text = conche("rulebook", f"{small}+gifts", "--brief").out
    assert "```rules" in conche("rulebook", f"{small}+gifts").out
    assert "```rules" not in text
    assert "Everybody is given a coin." in text
