"""Versions made by small random changes: whatever the canonical form tells apart is shown as a change of
play."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from conche.compare.model import Kind
from conche.modules.load import load_source
from conche.semantics.canonical import digest
from conche.source import Source
from slices import slice_of

from .edits import CASES, GAME, compared, version

pytestmark = pytest.mark.slow

_SWAPS = {
    " and ": " or ",
    " or ": " and ",
    " > ": " >= ",
    " < ": " <= ",
    " = ": " != ",
    " + ": " - ",
    "min(": "max(",
    "up to ": "",
    "open": "secret",
    "yes": "no",
}


def mutants(text: str) -> Iterator[str]:
    """The text with one number, one operator or one line changed."""
    for found in re.finditer(r"(?<![\w.§\"])\d+(?![\w.])", text):
        yield f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}"
    for word, other in _SWAPS.items():
        for found in re.finditer(re.escape(word), text):
            yield f"{text[: found.start()]}{other}{text[found.end() :]}"
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("  "):
            yield "\n".join([*lines[:number], *lines[number + 1 :]])


MUTANTS = [text for text in mutants(GAME) if text != GAME]


def test_there_are_many() -> None:
    assert len(MUTANTS) > 150


@pytest.mark.parametrize("text", slice_of(MUTANTS, 60), ids=lambda text: str(MUTANTS.index(text)))
def test_no_mutant_that_plays_otherwise_is_called_equal(text: str) -> None:
    loaded = load_source(Source("fair.rules", text), ruleset="fair", folder=str(CASES))
    if loaded.rulebook is None:
        return
    found = compared(GAME, text).comparison
    if digest(loaded.rulebook) == version(GAME).digest:
        assert found.sameness == "equal"
        return
    assert found.sameness != "equal"
    assert any(change.kind is not Kind.CLAUSE for change in found.changes)
