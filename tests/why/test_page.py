"""What docs/why.md shows is what is said."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import conche
from conche.cli import run
from conche.resources import data_root
from conche_runtime.records import Recorder

from .positions import cacao, on, worker

pytestmark = pytest.mark.slow


def shown(after: str) -> str:
    """The first block of the page behind a text."""
    page = (data_root() / "docs" / "why.md").read_text("utf-8")
    _, _, rest = page.partition(after)
    return rest.split("```")[1].strip("\n")


def test_overbuilding_without_sun() -> None:
    state = cacao(on(1, 0, worker(0)), jungle={}, display=[], sun=[0, 0])
    told = state.explain(0, "place 1-1-1-1 at 1,0")
    assert "\n".join(told.to_text()) == shown("test_page.py asks it -->")


def test_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The lines of the page stand in the log of that game, wherever a plantation is used once."""
    engine, rnd = conche.load("cacao+huts"), random.Random(5)
    state = engine.start(3, 5, log=True)
    path = tmp_path / "game.jsonl"
    recorder = Recorder(engine, state, path, seed=5)
    while state.decision != "use" or state.count() < 2 or "plantation" not in state.at.key:  # type: ignore[attr-defined]
        recorder.apply(rnd.randrange(state.count()))
    recorder.apply(1)
    recorder.close(keep=True)
    assert run(["log", str(path), "--rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    block = shown("test_page.py prints it -->").splitlines()
    allowed, fruit, harvest = (line.split("  ")[-2:] for line in block[1:])
    found = [line.split("  ")[-2:] for line in lines]
    assert allowed in found
    assert any(line[1] == fruit[1] for line in found)
    assert any(line[1] == harvest[1] for line in found)
