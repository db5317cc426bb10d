"""Finds the names that a misspelt one may have meant.

Purpose: the 'did you mean' of diagnostics.
Input: a word and the names that would have been right. Output: the nearest of them, best first.
Invariants: deterministic, whatever the order of the names; silent when nothing is near.
"""

from collections.abc import Iterable

from conche.diagnostics.lists import in_a_row


def closest(word: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """At most `limit` of the names within reach of `word`, nearest first, then by alphabet.

    Reach: a third of the longer word's letters, at least one. Upper and lower case count as the same letter,
    and so do `-` and `_`.
    """
    plain = _plain(word)
    found: list[tuple[int, str]] = []
    for name in sorted(set(names) - {word}):
        other = _plain(name)
        reach = max(1, max(len(plain), len(other)) // 3)
        distance = edit_distance(plain, other, reach)
        # A one-letter name is one edit away from every other, and meant by none.
        if distance <= reach and distance < max(len(plain), len(other), 1):
            found.append((distance, name))
    return [name for _, name in sorted(found)[:limit]]


def is_slip(word: str, name: str) -> bool:
    """Whether `word` is `name` with a letter or two mistyped: so near that nothing else can be meant.

    One letter, or two of eight and more; upper and lower case are alike. In words of up to three letters, no
    letter may be another: `red` is no slip of `led`. A name of one letter is meant by no other.
    """
    a, b = _plain(word), _plain(name)
    if min(len(a), len(b)) < 2:
        return a == b
    if len(a) == len(b) <= 3 and sorted(a) != sorted(b):
        return False
    limit = 2 if min(len(word), len(name)) >= 8 else 1
    return edit_distance(a, b, limit) <= limit


def did_you_mean(word: str, names: Iterable[str]) -> str | None:
    """A hint such as `did you mean 'fill'?`, or None when no name is near."""
    near = closest(word, names)
    if not near:
        return None
    quoted = [f"'{name}'" for name in near]
    return f"did you mean {in_a_row(quoted, 'or')}?"


def edit_distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, change or swap to make `b` of `a`; `limit + 1` when it is more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_")
