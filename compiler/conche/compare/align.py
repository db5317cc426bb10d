"""Which item of a list is which item of another.

Purpose: bodies, cases, kinds and other lists of two versions, item by item.
Input: two lists, the numbers of their items' contents, and how alike two items are. Output: pairs, in order.
Invariants: every item is in exactly one pair; items with equal numbers in a longest common subsequence are
paired first, then those with equal numbers elsewhere (moved), then the most alike in the gaps, each at least
`LEAST`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

LEAST = 0.35
"""How alike two items must be, from 0 to 1, to count as one that was changed."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """`old` None: new; `new` None: gone. `moved`: the same, elsewhere."""

    old: T | None
    new: T | None
    moved: bool = False


def align(
    old: Sequence[T],
    new: Sequence[T],
    numbers: tuple[Sequence[int], Sequence[int]],
    alike: Callable[[T, T], float],
) -> list[Pair[T]]:
    ours, theirs = numbers
    partner = {j: i for i, j in _common(ours, theirs)}
    in_order = dict(partner)
    moved: set[int] = set()
    free = [i for i in range(len(old)) if i not in set(partner.values())]
    for j in range(len(new)):
        if j not in partner:
            found = next((i for i in free if ours[i] == theirs[j]), None)
            if found is not None:
                partner[j] = found
                moved.add(j)
                free.remove(found)
    _pair_alike(old, new, partner, in_order, free, alike)
    taken = {i: j for j, i in partner.items()}
    pairs: list[Pair[T]] = []
    shown = 0
    for j, item in enumerate(new):
        if j in partner and j not in moved:
            gone = [i for i in range(shown, partner[j]) if i not in taken]
            pairs += [Pair(old[i], None) for i in gone]
            shown = max(shown, partner[j] + 1)
        pairs.append(Pair(old[partner[j]] if j in partner else None, item, j in moved))
    pairs += [Pair(old[i], None) for i in range(shown, len(old)) if i not in taken]
    return pairs


def _pair_alike(
    old: Sequence[T],
    new: Sequence[T],
    partner: dict[int, int],
    in_order: dict[int, int],
    free: list[int],
    alike: Callable[[T, T], float],
) -> None:
    """The most alike first, without crossing what is paired in order already."""
    rest = [j for j in range(len(new)) if j not in partner]
    found = [(alike(old[i], new[j]), -abs(i - j), -i, -j) for i in free for j in rest]
    for likeness, _, i, j in sorted(found, reverse=True):
        if likeness < LEAST:
            break
        i, j = -i, -j
        if i in free and j not in partner and not _crosses(i, j, in_order):
            partner[j] = in_order[j] = i
            free.remove(i)


def _crosses(i: int, j: int, partner: dict[int, int]) -> bool:
    return any((i - other_i) * (j - other_j) < 0 for other_j, other_i in partner.items())


def _common(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """A longest common subsequence, as pairs of places."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    rows, columns = range(start, len(old) - end), range(start, len(new) - end)
    longest = {(i, j): 0 for i in (*rows, len(old) - end) for j in (*columns, len(new) - end)}
    for i in reversed(rows):
        for j in reversed(columns):
            if old[i] == new[j]:
                longest[i, j] = longest[i + 1, j + 1] + 1
            else:
                longest[i, j] = max(longest[i + 1, j], longest[i, j + 1])
    found = [(k, k) for k in range(start)]
    i, j = start, start
    while i < len(old) - end and j < len(new) - end:
        if old[i] == new[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1, j] >= longest[i, j + 1]:
            i += 1
        else:
            j += 1
    return found + [(len(old) - k, len(new) - k) for k in range(end, 0, -1)]
