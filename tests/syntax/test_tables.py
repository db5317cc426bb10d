"""The cache of the parser's tables: it saves time and can do no harm."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conche.syntax import tables

pytestmark = pytest.mark.slow


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path))
    tables.load.cache_clear()
    yield tmp_path
    tables.load.cache_clear()


def reads() -> bool:
    tables.load.cache_clear()
    return tables.load().parse("conserve Jungle\n", start="decl").data == "conserve"


def whole(entry: Path) -> bool:
    digest, _, data = entry.read_text("ascii").partition("\n")
    return hashlib.sha256(base64.b64decode(data)).hexdigest() == digest


def test_tables_are_written_once_and_read_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reads()
    [entry] = cache.iterdir()
    before = entry.read_bytes()

    def fail(*, strict: bool = False) -> None:
        raise AssertionError("the tables were made again")

    monkeypatch.setattr(tables, "build", fail)
    assert reads()
    assert entry.read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"0\n", b"abc\nAAAA\n"])
def test_a_damaged_entry_is_made_anew(cache: Path, damage: bytes) -> None:
    assert reads()
    [entry] = cache.iterdir()
    good = entry.read_bytes()
    assert whole(entry)
    for text in (damage, good[: len(good) // 2], good.replace(b"A", b"B")):
        entry.write_bytes(text)
        assert reads()
        assert whole(entry)


def test_an_entry_that_cannot_be_written_is_no_matter(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, text: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(tables, "write_atomic", refuse)
    assert reads()
    assert not list(cache.iterdir())


def test_lark_is_imported_only_when_something_is_read() -> None:
    code = (
        "import sys, conche.syntax.from_text as f, conche.syntax.to_text, conche.syntax.dump\n"
        "assert not any(name.partition('.')[0] == 'lark' for name in sys.modules), 'lark'\n"
    )
    path = os.pathsep.join(sys.path)
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": path})
