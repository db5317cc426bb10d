"""How well a word that a person types stands for a name of the rules.

Purpose: one answer for all that reads what is typed: moves (`conche.play.typed`), and what is asked about
(`conche.why.pattern`).
Input: a word and a name, in small letters. Output: how well they fit, best first, or None.
Invariants: a word stands for a name exactly (`2-1-0-1`, or without what is no letter or digit: `2101`; `no`
for nothing), by the first letters of its words (`gm2` for `gold_mine(2)`), as its beginning, or as a part of
it; numbers and spaces of a board stand only for themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

EXACT, INITIALS, BEGINNING, PART = range(4)
"""How well a word fits, best first."""

_PARTS = re.compile(r"[^\W_]+")
_SAME: Final = {"no": ("nothing", "none", "false", "n"), "yes": ("true", "y")}


@lru_cache(maxsize=65536)
def quality(word: str, name: str) -> int | None:
    """How well a word stands for a name; None where it does not."""
    if word == name:
        return EXACT
    if is_number(name) or is_space(name):
        return None
    if word in _SAME.get(name, ()):
        return EXACT
    bare, whole = _bare(word), _bare(name)
    if not bare:
        return None
    if bare == whole:
        return EXACT
    parts = parts_of(name)
    if len(parts) > 1:
        initials = "".join(part if part.isdigit() else part[0] for part in parts)
        if bare == initials:
            return INITIALS
    if whole.startswith(bare) or any(part.startswith(word) for part in parts if not part.isdigit()):
        return BEGINNING
    return PART if not is_number(word) and (word in name or bare in whole) else None


def parts_of(name: str) -> list[str]:
    """The words of a name, in small letters."""
    return _PARTS.findall(name.lower())


def is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def is_space(text: str) -> bool:
    """Whether it is `0,-1`."""
    x, comma, y = text.partition(",")
    return bool(comma) and is_number(x) and is_number(y)


def _bare(text: str) -> str:
    return "".join(_PARTS.findall(text))
