"""Lists and counts within a sentence.

Input: words, numbers. Output: text. What stands in quotes in a message is quoted by `semantics.words.listed`.
"""

from __future__ import annotations

from collections.abc import Sequence


def in_a_row(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; `last`: what stands before the last one. Nothing for none."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, word: str) -> str:
    """`1 game`, `2 games`, `0 games`"""
    return f"{number} {word}{'' if number == 1 else 's'}"
