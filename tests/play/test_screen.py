"""Lines that fit, options in columns, labels that say what is meant."""

from __future__ import annotations

import sys

import pytest

from conche.cli import screen
from conche.cli.options_list import OptionsList, option_label
from conche.draw.words import Words
from conche.play.question import Question, spans
from records.fake_game import FakeEngine, FakeMove


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("short", ["short"]),
        (
            "red    place  worker 2-1-0-1, turn 1, at (0, -1)",
            ["red    place  worker 2-1-0-1, turn 1,", "    at (0, -1)"],
        ),
        (
            "\x1b[31mred\x1b[0m    place  worker 2-1-0-1, turn 1,",
            ["\x1b[31mred\x1b[0m    place  worker 2-1-0-1, turn 1,"],
        ),
        ("   1  " + "word " * 8, ["   1  word word word word word word", "    word word"]),
        ("x" * 50, ["x" * 50]),
        ("a " + "x" * 50 + " b", ["a", "    " + "x" * 50, "    b"]),
    ],
)
def test_lines_that_fit(text: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in screen.wrapped(text, 4)] == lines


def test_what_is_piped_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert screen.wrapped("word " * 50) == ["word " * 50]


def test_a_screen_is_cleared_where_it_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    screen.clear()
    assert capsys.readouterr().out == "-" * 60 + "\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    screen.clear()
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("TERM", "xterm")
    screen.clear()
    assert "\x1b[3J" in capsys.readouterr().out


def test_labels() -> None:
    words = Words(FakeEngine(), 2)
    labels = [
        option_label(move, "peek", words)
        for move in (
            FakeMove("peek", (("yes", True),)),
            FakeMove("peek", (("yes", False),)),
            FakeMove("peek", (("again", True),)),
            FakeMove("peek", ()),
            FakeMove("leave_now", ()),
            FakeMove("buy", (("ware", "old_hat"), ("n", 2))),
        )
    ]
    assert labels == ["peek: yes", "peek: no", "again yes", "peek", "leave now", "buy  ware old hat, n 2"]


def test_options_stand_in_columns_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = Words(FakeEngine(), 2)
    moves = [FakeMove("go", (("to", f"place_{n}"),)) for n in range(12)]
    for columns, rows in (("30", 12), ("200", 4)):
        monkeypatch.setenv("COLUMNS", columns)
        OptionsList(Question(moves, words.named), "go", words).first()
        printed = capsys.readouterr().out.splitlines()
        assert len(printed) == rows
        assert printed[1].lstrip().startswith("2  to place 1")
    assert printed[0].split("to place ")[1:] != []


def test_pages_go_round(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    words = Words(FakeEngine(), 2)
    listed = OptionsList(
        Question([FakeMove("go", (("to", f"p{n}"),)) for n in range(45)], words.named), "go", words
    )
    firsts = []
    for step in (listed.first, listed.more, listed.more, listed.more):
        step()
        firsts.append(int(capsys.readouterr().out.split()[0]))
    assert firsts == [1, 21, 41, 1]


def test_spans() -> None:
    assert spans([3, 1, 2, 7, 9, 10]) == "1 to 3, 7, 9 to 10"
