"""A mistake: where the parser stopped, looked at from the line it stopped on.

Input: a text and the parser's stop in it. Output: a `Mistake`, which the explanations look at, and places of
tokens.
Invariant: the line is the one that the parser saw, with all that it continues.
"""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from conche.syntax.explain.trial import Stop, accepted_after, mends

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
"""Terminals of which nothing is written."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The parser stopped at `token`, where only `accepts` may follow."""

    text: str
    start: str
    stop: Stop
    line: list[Token]
    """The tokens of the line so far, the unexpected one included."""
    before: list[Token]
    """The tokens of the lines before it."""
    head: int
    """Index in `line` of the first token of the innermost statement: behind the last `:` that begins one."""
    accepts_head: frozenset[str]
    """What could have stood there."""

    @property
    def token(self) -> Token:
        return self.stop.token

    @property
    def accepts(self) -> frozenset[str]:
        return self.stop.accepts

    @property
    def previous(self) -> Token | None:
        """The last written token before the unexpected one."""
        return next((t for t in reversed(self.stop.tokens[:-1]) if t.type not in LAYOUT), None)

    @property
    def first(self) -> Token:
        """The first token of the innermost statement."""
        return self.line[self.head]

    @property
    def in_expression(self) -> bool:
        """Whether a whole value stands before the unexpected token, which an operator could continue."""
        return "AND" in self.accepts

    def accepted_at(self, token: Token) -> frozenset[str]:
        """What could have stood where a token stands."""
        index = next(i for i, other in enumerate(self.stop.tokens) if other is token)
        return accepted_after(self.stop.tokens[:index], self.start)

    def mends(self, at: int, end: int, replacement: str) -> bool:
        """Whether the line parses with `replacement` in place of what stands from `at` to `end`."""
        return mends(self.text, self.start, at, end, replacement)

    def rest_of_line(self, token: Token) -> str:
        """What is written behind a token on its line, comments left out."""
        return self.text[end_of(token) :].partition("\n")[0].partition("#")[0].strip()

    def indent_of(self, offset: int) -> int:
        """How far the line of `offset` is indented."""
        begin = self.text.rfind("\n", 0, offset) + 1
        line = self.text[begin:].partition("\n")[0]
        return len(line) - len(line.lstrip())

    def next_line(self) -> tuple[int, int] | None:
        """Where the next written line begins and ends."""
        at = end_of(self.token)
        while (at := self.text.find("\n", at) + 1) > 0:
            written = self.text[at:].partition("\n")[0].partition("#")[0].rstrip()
            if written:
                return at + len(written) - len(written.lstrip()), at + len(written)
        return None


def look(text: str, start: str, stop: Stop) -> Mistake:
    """The mistake at which the parser stopped."""
    tokens = stop.tokens
    begin = len(tokens) - 1
    while begin > 0 and tokens[begin - 1].type not in LAYOUT:
        begin -= 1
    before, line = tokens[:begin], tokens[begin:]
    head, accepts = 0, accepted_after(before, start)
    for index, token in enumerate(line[:-1], 1):
        if token.type == "COLON":
            inner = accepted_after([*before, *line[:index]], start)
            if "STOP" in inner:
                head, accepts = index, inner
    return Mistake(text, start, stop, line, before, head, accepts)


def start_of(token: Token) -> int:
    return token.start_pos or 0


def end_of(token: Token) -> int:
    return token.end_pos or 0


def span_of(token: Token) -> tuple[int, int]:
    return start_of(token), end_of(token)


def holder_of(mistake: Mistake, at: int) -> str:
    """The line whose block the line of an offset is in; empty at the left margin."""
    indent = mistake.indent_of(at)
    for line in reversed(mistake.text[: mistake.text.rfind("\n", 0, at) + 1].splitlines()):
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            return line.strip()
    return ""
