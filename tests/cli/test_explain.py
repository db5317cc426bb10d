"""`conche explain`: the list, a page, and what is no code."""

from __future__ import annotations

import io

import pytest

from conche.diagnostics.codes import CODES

from .conftest import Conche


def test_without_a_code_all_are_listed(conche: Conche) -> None:
    result = conche("explain")
    assert result.code == 0
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert lines[0].endswith(CODES["C0001"].summary)


@pytest.mark.parametrize("word", ["C0106", "c0106", "tab-indentation", "error[C0106]", "[C0106]"])
def test_a_page_is_plain_where_it_is_piped(conche: Conche, word: str) -> None:
    result = conche("explain", word)
    assert result.code == 0
    assert result.out.startswith("error[C0106]: tab-indentation\n\nA line is indented with a tab")
    assert "\nWrong:\n\n```rules\naction sell(honey)\n\tgain 1 coins\n```\n" in result.out
    assert "\nRight:\n" in result.out
    assert "\x1b" not in result.out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_page_is_laid_out_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from conche.cli import explain

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    assert explain.command("C0201") == 0
    shown = screen.getvalue()
    assert "```" not in shown
    assert "\x1b[" in shown
    assert "query pears(p: Player)" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    monkeypatch.setattr("sys.stdout", plain)
    explain.command("C0201")
    assert "\x1b[3" not in plain.getvalue()
    assert max(len(line) for line in plain.getvalue().splitlines()) <= 110


@pytest.mark.parametrize("word", ["310", "0310", "C310", "c0310", "error[C0310]"])
def test_a_code_is_found_by_its_number(conche: Conche, word: str) -> None:
    assert conche("explain", word).out.startswith("error[C0310]: ")


@pytest.mark.parametrize(
    ("word", "hint"), [("C0210x", "did you mean 'C0210'"), ("unknwon-name", "did you mean 'unknown-name'")]
)
def test_what_is_no_code_is_refused(conche: Conche, word: str, hint: str) -> None:
    result = conche("explain", word)
    assert result.code == 2
    assert f"there is no code '{word}'" in result.err
    assert hint in result.err
    assert "`conche explain` lists them all" in result.err
