"""A cache of the tests' own, for the folders whose tests keep something: imported by their `conftest.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCHE_CACHE", str(folder))
        patch.delenv("CONCHE_DEBUG", raising=False)
        yield folder
