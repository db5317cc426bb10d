"""Where something shows, in few words."""

from __future__ import annotations

from itertools import product

import pytest

from conche.lattice.combinations import subsets
from conche.lattice.patterns import Pattern, Point, pattern_of

MODULES = ("a", "b", "c")
UNIVERSE = [
    Point(frozenset(modules), frozenset({("o", value)}), players)
    for modules in subsets(MODULES)
    for value, players in product(("x", "y"), (2, 3))
]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (Pattern(), ""),
        (Pattern(present=("b",)), "with 'b'"),
        (Pattern(present=("a", "c"), absent=("b",)), "with 'a' and 'c' and without 'b'"),
        (Pattern(absent=("a",), options=(("o", "y"),)), "without 'a' where 'o=y'"),
        (Pattern(present=("c",), players=(3,)), "with 'c' for '3' players"),
        (Pattern(present=("a", "b", "c"), options=(("o", "x"),), players=(2,)), ""),
    ],
)
def test_a_pattern_is_found_again(pattern: Pattern, words: str) -> None:
    found = pattern_of([point for point in UNIVERSE if pattern.fits(point)], UNIVERSE)
    assert found == pattern
    if words:
        assert str(found) == words


def test_what_is_no_pattern_says_what_is_common() -> None:
    points = [p for p in UNIVERSE if "a" in p.modules and ("b" in p.modules) == (p.players == 2)]
    found = pattern_of(points, UNIVERSE)
    assert not found.exact
    assert found.present == ("a",)
    assert all(found.fits(point) for point in points)


def test_one_point() -> None:
    point = UNIVERSE[0]
    found = pattern_of([point], UNIVERSE)
    assert [other for other in UNIVERSE if found.fits(other)] == [point]
    assert found == Pattern(absent=MODULES, options=(("o", "x"),), players=(2,))
