"""The grammar itself: no conflicts, named terminals, known words."""

from __future__ import annotations

import re

import pytest

from conche.syntax import tables
from conche.syntax.explain import words
from conche.syntax.layout import Layout


@pytest.mark.slow
def test_the_grammar_has_no_conflicts_and_no_colliding_terminals() -> None:
    # lark settles shift/reduce conflicts, and terminals that match alike, in silence unless it is strict.
    pytest.importorskip("interegular")
    assert tables.build(strict=True).terminals


def test_every_terminal_has_a_name() -> None:
    names = [terminal.name for terminal in tables.load().terminals]
    assert names
    assert not [name for name in names if "ANON" in name]


def test_all_but_keywords_are_lexed_alike_everywhere() -> None:
    keywords = {terminal.name for terminal in tables.load().terminals if words.keyword(terminal.name)}
    others = {terminal.name for terminal in tables.load().terminals} - keywords - {"BLANK", "COMMENT"}
    assert others == set(Layout.always_accept)


def test_the_words_of_the_grammar_are_known_to_the_explanations() -> None:
    found = {
        terminal.pattern.value
        for terminal in tables.load().terminals
        if re.fullmatch(r"[a-z]+", terminal.pattern.value) and terminal.pattern.type == "str"
    }
    assert found == words.KEYWORDS
    assert {word.upper() for word in found} <= {terminal.name for terminal in tables.load().terminals}
    for known in (words.DECLARATIONS, words.STATEMENTS, words.ZONE_KINDS, words.RESERVED):
        assert set(known) <= words.KEYWORDS
    # What other languages call it must not be a word that stands there in this one.
    assert not set(words.FOREIGN_STATEMENTS) & set(words.STATEMENTS)
    assert not set(words.FOREIGN_DECLARATIONS) & set(words.DECLARATIONS)
