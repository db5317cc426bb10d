"""What the tests of bots share: distributions that bring bots, made up for a test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.conftest import cache, conche, stones
from conche.bots.registry import factory_of

__all__ = ["cache", "conche", "stones"]

Install = Callable[..., None]

GREEDY = '''\
class Greedy:
    """Takes the last option, or the one that it is told."""

    def __init__(self, seed: int, option: int = -1, loud: bool = False, name: str = "g") -> None:
        self.seed, self.option, self.loud, self.name = seed, option, loud, name

    def choose(self, seat):
        return self.option % seat.count
'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution where Python looks for them: `install("dist", "greedy = mod:Greedy", mod=TEXT)`."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    factory_of.cache_clear()

    def put(name: str, points: str, *, metadata: bool = True, **modules: str) -> None:
        info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_text(f"[conche.bots]\n{points}\n")
        if metadata:
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)

    yield put
    factory_of.cache_clear()
    for module in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[module], "__file__", "")):
            del sys.modules[module]
