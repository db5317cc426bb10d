"""Changes that belong together.

Purpose: what was one idea of the author is one group, however many places it touches.
Input: the changes found, and the clauses that each version cites. Output: the number of the group of each,
from 1.
Invariants: together are changes of one declaration; a change and what it brings, takes away or gives other
parameters; a bound and the places that changed in what they say of the same thing; and what cites a clause
that one version alone cites. Changes of wording are groups of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.compare.found import Found
from conche.compare.model import Kind
from conche.compare.names import Name


def groups(found: Sequence[Found], only_old: frozenset[str], only_new: frozenset[str]) -> list[int]:
    """`only_old`, `only_new`: clauses that one version alone cites."""
    parent = list(range(len(found)))

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    def join(first: int, second: int) -> None:
        low, high = sorted((root(first), root(second)))
        parent[high] = low

    paths: dict[str, int] = {}
    declared: dict[Name, int] = {}
    bounds: dict[Name, int] = {}
    clauses: dict[str, int] = {}
    played = [index for index, one in enumerate(found) if one.kind is not Kind.CLAUSE]
    for index in played:
        one = found[index]
        for path in (one.path, *one.runs_in):
            join(index, paths.setdefault(path, index))
        for name in one.declares():
            declared.setdefault(name, index)
        for name in one.bounds():
            bounds.setdefault(name, index)
        old, new = one.cites()
        for cite in sorted((old & only_old) | (new & only_new)):
            join(index, clauses.setdefault(cite, index))
    for index in played:
        names = found[index].mentions()
        for name in names & declared.keys():
            join(index, declared[name])
        if found[index].atoms:
            for name in names & bounds.keys():
                join(index, bounds[name])
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(index), len(numbers) + 1) for index in range(len(found))]
