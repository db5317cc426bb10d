"""Layout: makes lines and blocks of the token stream.

Purpose: lark's post-lexer; it joins continued lines and turns indentation into `_INDENT` and `_DEDENT`.
Input: the tokens of one declaration, lazily, since the lexer follows the parser. Output: the tokens with
layout.
Invariants: a line goes on inside brackets, and after a comma, a binary operator or `=` when the next line is
indented deeper. Layout tokens are empty and lie at the end of the last written token, so that the place of a
node never reaches into the blank after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.lark import PostLex

OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})

CONTINUING = frozenset(
    {"COMMA", "EQUAL", "NE", "LE", "GE", "LESSTHAN", "MORETHAN", "PLUS", "MINUS", "STAR", "SLASH"}
    | {"MOD", "AND", "OR"}
)
"""Terminals after which a line goes on."""

_NOT_KEYWORDS = (
    *(
        "NAME",
        "TYPE",
        "INT",
        "VERSION_NUMBER",
        "STRING",
        "CITE",
        "BAD",
        "_NL",
        "COLON",
        "COMMA",
        "DOT",
        "RANGE",
    ),
    *("EQUAL", "NE", "LE", "GE", "LESSTHAN", "MORETHAN", "PLUS", "MINUS", "STAR", "SLASH"),
    *("LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE"),
)


class DedentError(Exception):
    """A line is indented less than the block before it and more than the one around that."""

    def __init__(self, start: int, expected: tuple[int, ...]) -> None:
        super().__init__(f"inconsistent indentation at {start}")
        self.start = start
        """Offset of the line's first written character."""
        self.expected = expected
        """The indentations, in characters, that would have been right."""


@dataclass
class Layout(PostLex):
    """Stateless between parses, so that one may serve several at once."""

    # All but keywords: what is no keyword is lexed alike everywhere, so that an error can name a whole token.
    always_accept = _NOT_KEYWORDS

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        blocks = [0]
        depth = 0
        last: Token | None = None
        for token in stream:
            if token.type != "_NL":
                depth += (token.type in OPENING) - (token.type in CLOSING)
                last = token
                yield token
                continue
            indent = len(token) - token.rfind("\n") - 1
            if last is None or depth > 0 or (last.type in CONTINUING and indent > blocks[-1]):
                continue
            yield _at_end(last, "_NL")
            if indent > blocks[-1]:
                blocks.append(indent)
                yield _at_end(last, "_INDENT")
            if indent not in blocks:
                assert token.end_pos is not None
                raise DedentError(token.end_pos, tuple(blocks))
            while indent < blocks[-1]:
                blocks.pop()
                yield _at_end(last, "_DEDENT")


def _at_end(last: Token, kind: str) -> Token:
    return Token(
        kind, "", last.end_pos, last.end_line, last.end_column, last.end_line, last.end_column, last.end_pos
    )
