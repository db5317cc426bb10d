"""What the tests of the command line share."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conche import api
from conche.cli import run

from .fake_image import fake_image


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of the tests' own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCHE_CACHE", str(folder))
        patch.delenv("CONCHE_DEBUG", raising=False)
        yield folder


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


TINY = """\
game tiny "Tiny"
  version 1.0.0
  players 2..3
  seats red, blue, green

each player has
  coins: 0..9 = 0, open

setup
  for each p in players
    set p.coins to 1

play
  each player you from red
    do turn

step turn
  choose take(n in 1..3)
  gain n coins

score coins = you.coins
rank by total
"""
"""A whole game in a few lines."""
