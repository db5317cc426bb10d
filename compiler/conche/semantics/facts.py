"""Facts about nodes, each found once.

Purpose: rulebooks that are composed of the same modules share most of their nodes; what a node says by itself
need not be found again for each of them.
Input: a function of a node alone. Output: the same function, which remembers by identity.
Invariants: nodes are never changed, so a fact stays true; a node that is remembered is kept, so that no other
can get its identity; not more than `MOST` are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 10_000


class Facts(Generic[T]):
    """`Facts(find)(node)` is `find(node)`."""

    def __init__(self, find: Callable[[object], T]) -> None:
        self._find = find
        self._known: dict[int, tuple[object, T]] = {}

    def __call__(self, node: object) -> T:
        known = self._known.get(id(node))
        if known is None:
            known = (node, self._find(node))
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[id(node)] = known
        return known[1]
