"""How far a long command is, where nobody looks at a terminal."""

from __future__ import annotations

import pytest

from conche.cli import progress


def test_lines_instead_of_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 4.0, 10.0, 15.0, 40.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.progress_bar("games", 9, every=10.0) as show:
        assert show is not None
        for done in (1, 2, 3, 9):
            show(done)
    assert capsys.readouterr() == ("", "games: 2 of 9\n")


def test_nothing_where_no_lines_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar("games", 9) as show:
        assert show is None
