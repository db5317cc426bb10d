"""What the tests of the command line share."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from caches import cache
from conche import api
from conche.cli import run

from .fake_image import fake_image

__all__ = ["cache"]


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Conche = Callable[..., Result]


@pytest.fixture
def conche(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Conche:
    """Runs the program within the test: `conche("play", "stones", stdin="quit\\n")`."""

    def call(*args: object, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call


@pytest.fixture
def stones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every ruleset the tiny game of `records.fake_game`."""
    monkeypatch.setattr(api, "load", lambda ruleset: fake_image(ruleset).engine())
    monkeypatch.setattr(api, "image_of", fake_image)


@pytest.fixture
def no_write(tmp_path: Path) -> Path:
    """A place below which nothing can be written, for any user: a plain file stands where a folder would
    be needed."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file"
