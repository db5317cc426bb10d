"""The grammar itself: no conflicts, named terminals, known words."""

from __future__ import annotations

import random
import re

import pytest
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from conche.syntax import tables
from conche.syntax.explain import words
from conche.syntax.layout import DedentError, Layout
from conche.syntax.split import split
from syntax.texts import rules_sources, start_of


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


@pytest.mark.slow
def test_tokens_are_those_of_a_lexer_for_each_state_of_the_parser() -> None:
    dice = random.Random(1)
    usual, ours = tables.build(lexer="contextual"), tables.load()
    for source in rules_sources():
        for piece in split(source.text):
            words = piece.text.split(" ")
            spoilt = [list(words) for _ in range(2)]
            for one in spoilt:
                one[dice.randrange(len(one))] = dice.choice(
                    ("(", "to", "choose", "1.x", "Tile", "", "\n  if", "9")
                )
            for text in (piece.text, *(" ".join(one) for one in spoilt)):
                assert _read(ours, text, start_of(piece)) == _read(usual, text, start_of(piece))


def _read(parser: Lark, text: str, start: str) -> object:
    """The tree with all places, or what is wrong where and what would be right."""
    try:
        tree = parser.parse(text, start=start)
    except UnexpectedToken as error:
        return error.token.type, str(error.token), error.pos_in_stream, sorted(error.expected)
    except UnexpectedCharacters as error:
        return error.pos_in_stream
    except DedentError as error:
        return error.start
    tokens = tree.scan_values(lambda value: isinstance(value, Token))
    return tree, [
        (token.type, token.start_pos, token.end_pos, token.line, token.end_column) for token in tokens
    ]


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
