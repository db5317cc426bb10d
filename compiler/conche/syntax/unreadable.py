"""What a declaration that could not be read was to declare.

Purpose: what such a declaration would have declared is not reported as unknown wherever it is used.
Input: the text of the declaration. Output: an `ErrorDecl`.
Invariant: never raises, for any text.
"""

from __future__ import annotations

import re

from conche.source import Span
from conche.syntax import ast

_NAME = re.compile(r"\w+[ \t]+(?P<name>[a-z][a-z0-9_]*|[A-Z][A-Za-z0-9]*)\b")
_SEVERAL = re.compile(r"\w+[ \t]+(?P<first>\w+)[ \t-]+(?P<second>\w+)")
_FIRST = re.compile(r"\w+")
_DECLARED = re.compile(
    r"^[ \t]+(?:(?:var|track|pile|row|hand|store|bag|pool|seats)[ \t]+)?(?P<names>\w+(?:[ \t]*,[ \t]*\w+)*)"
    r"|\bcarries[ \t]+\w+[ \t]+(?P<carried>\w+)"
    r"|\b(?P<parameter>\w+)[ \t]*:",
    re.MULTILINE,
)

_HOLD_NAMES = frozenset({"enum", "piece", "each", "board", "extend", "replace", "game"})
"""Words of declarations whose block declares names."""


def unreadable(text: str, span: Span) -> ast.ErrorDecl:
    """The node of a declaration of which nothing could be made."""
    match, first = _NAME.match(text), _FIRST.match(text)
    keyword = _meant(first.group() if first else "")
    names: list[str] = []
    if several := _SEVERAL.match(text):
        # `step first player`, `var Player first`
        names += [several["second"], f"{several['first']}_{several['second']}"]
    if keyword in _HOLD_NAMES:
        for found in _DECLARED.finditer(text):
            said = found["names"] or found["carried"] or found["parameter"]
            names += [name.strip() for name in said.split(",")]
    name = match["name"] if match else None
    if name is not None and name in _words():
        # `store of Fruit`: the name is what is missing, or it is this word after all.
        names, name = [*names, name], None
    return ast.ErrorDecl(keyword, name, span, tuple(dict.fromkeys(names)))


def _words() -> frozenset[str]:
    from conche.syntax.explain.words import KEYWORDS

    return KEYWORDS


def _meant(word: str) -> str:
    """The word that begins declarations and that a misspelt one stands for."""
    from conche.diagnostics import closest, is_slip
    from conche.syntax.explain.words import CHANGES, DECLARATIONS

    known = (*DECLARATIONS, *CHANGES, "game", "module")
    near = [] if word in known else closest(word, known, 1)
    return near[0] if near and is_slip(word, near[0]) else word
