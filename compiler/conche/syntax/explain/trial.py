"""Trials: what the parser makes of a text, and whether a change would mend it.

Input: the text of a declaration. Output: where the parser stops, on what, and what it would have taken.
Invariant: a suggestion that was tried is one with which the line parses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from conche.syntax import tables
from conche.syntax.layout import DedentError
from conche.syntax.lines import line_at

MAX_TRIED = 6_000
"""Characters up to the mistake; beyond that nothing is tried, since each trial parses them again."""

_AFTER = frozenset({"_INDENT", "_DEDENT", "$END"})


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped: at the last of `tokens`, where only `accepts` may follow."""

    tokens: list[Token]
    accepts: frozenset[str]

    @property
    def token(self) -> Token:
        return self.tokens[-1]


def run(text: str, start: str) -> Stop | None:
    """Parses a text up to its first mistake; None when it has none."""
    parser = tables.load().parse_interactive(text, start=start)
    tokens: list[Token] = []
    try:
        # The token at which it stops is taken over before the parser refuses it.
        tokens.extend(parser.iter_parse())
        end = tokens[-1] if tokens else None
        tokens.append(
            Token.new_borrow_pos("$END", "", end) if end is not None else Token("$END", "", 0, 1, 1, 1, 1, 0)
        )
        parser.feed_token(tokens[-1])
    except UnexpectedToken:
        return Stop(tokens, _accepts(parser))
    return None


def accepted_after(tokens: Sequence[Token], start: str) -> frozenset[str]:
    """What may follow some tokens; nothing when they are wrong themselves."""
    parser = tables.load().parse_interactive(start=start)
    try:
        for token in tokens:
            parser.feed_token(token)
    except UnexpectedToken:
        return frozenset()
    return _accepts(parser)


def _accepts(parser: InteractiveParser) -> frozenset[str]:
    accepts: Callable[[], set[str]] = parser.accepts
    return frozenset(accepts())


def mends(text: str, start: str, at: int, end: int, replacement: str) -> bool:
    """Whether the line parses with `replacement` in place of what stands from `at` to `end`."""
    if at > MAX_TRIED:
        return False
    changed = text[:at] + replacement + text[end:]
    _, line_end = line_at(changed, min(at, len(changed) - 1))
    try:
        stop = run(changed[:line_end] + "\n", start)
    except (UnexpectedInput, DedentError):
        return False
    return stop is None or (stop.token.type in _AFTER and (stop.token.start_pos or 0) >= line_end)
