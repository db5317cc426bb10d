"""Chance texts: whatever is done to a rules file, reading it answers with a tree and diagnostics."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conche.source import Source
from conche.syntax import ast
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from conche.syntax.to_text import to_text
from conche.syntax.tokens import TOKEN
from syntax.test_spans import nodes
from syntax.texts import rules_sources

PIECES = [match.group() for source in rules_sources() for match in TOKEN.finditer(source.text)]
SIGNS = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "..",
    ".",
    "=",
    "\n",
    "\n  ",
    "\t",
    '"',
    "#",
    "§1.4a",
    "§",
    "\0",
]
WORDS = sorted({piece for piece in PIECES if piece.isalnum()} | {"is", "not", "a", "1.5", "x", "Ä", "é"})


def check(text: str) -> None:
    """What holds of any text."""
    source = Source("a.rules", text)
    file, found = parse(source)
    size = len(source.text)
    for diagnostic in found:
        assert diagnostic.labels
        for place in (*diagnostic.labels, *diagnostic.fixes):
            assert 0 <= place.span.start <= place.span.end <= size
    errors = [node for node in nodes(file.decls) if isinstance(node, ast.ErrorDecl | ast.ErrorStmt)]
    assert found or not errors
    if not found:
        assert file.header is not None
        again, problems = parse(Source("a.rules", to_text(file)))
        assert not problems
        assert dump(again) == dump(file)


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from([*WORDS, *SIGNS, *SIGNS]), max_size=40), st.sampled_from(["", " "]))
def test_any_words(words: list[str], between: str) -> None:
    check(between.join(words))


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_a_rules_file_with_tokens_dropped_doubled_and_swapped(seed: int, times: int) -> None:
    chance = random.Random(seed)
    source = chance.choice(rules_sources())
    pieces = [match.group() for match in TOKEN.finditer(source.text)]
    for _ in range(times):
        at = chance.randrange(len(pieces))
        match chance.randrange(5):
            case 0:
                del pieces[at]
            case 1:
                pieces.insert(at, pieces[at])
            case 2:
                other = chance.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces.insert(at, chance.choice([*WORDS, *SIGNS]))
            case _:
                pieces[at] = chance.choice([*WORDS, *SIGNS])
    check("".join(pieces))
