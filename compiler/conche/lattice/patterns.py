"""In which points of the lattice something shows, in few words.

Purpose: instead of 128 combinations, "those with huts and without map". Input: all points, and those in
question. Output: a `Pattern`.
Invariants: a pattern that is `exact` fits just the points in question, and nothing in it can be left out.
Otherwise it says only what they have in common.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conche.semantics.words import listed


@dataclass(frozen=True, slots=True)
class Point:
    """A composed ruleset, for one number of players where that matters (else None)."""

    modules: frozenset[str]
    options: frozenset[tuple[str, str]]
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Modules that are in play, and not; options that are there and have that value; numbers of players, none
    where they do not matter."""

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    players: tuple[int, ...] = ()
    exact: bool = True

    def fits(self, point: Point) -> bool:
        return (
            point.modules.issuperset(self.present)
            and point.modules.isdisjoint(self.absent)
            and point.options.issuperset(self.options)
            and (not self.players or point.players in self.players)
        )

    def __str__(self) -> str:
        parts = [f"with {listed(self.present)}"] if self.present else []
        parts += [f"without {listed(self.absent)}"] if self.absent else []
        words = " and ".join(parts)
        if self.options:
            words += " where " + listed([f"{name}={value}" for name, value in self.options])
        if self.players:
            words += f" for {listed(list(map(str, self.players)), 'or')} players"
        return words.strip()


def pattern_of(points: Collection[Point], universe: Sequence[Point]) -> Pattern:
    """What the points have in common, as short as may be."""
    wanted = frozenset(points)
    ever, everything = (frozenset[str]().union(*(p.modules for p in some)) for some in (points, universe))
    counts = sorted({point.players for point in points if point.players is not None})
    conditions: list[tuple[str, Any]] = [
        *(("players", count) for count in counts),
        *(("absent", name) for name in sorted(everything - ever)),
        *(("options", option) for option in sorted(frozenset.intersection(*(p.options for p in points)))),
        *(("present", name) for name in sorted(frozenset.intersection(*(p.modules for p in points)))),
    ]
    if not _is(_pattern(conditions), wanted, universe):
        left_out = (
            {"absent"} if counts != sorted({p.players or 0 for p in universe}) else {"absent", "players"}
        )
        common = [one for one in conditions if one[0] not in left_out]
        return replace(_pattern(common), exact=False)
    for one in [("players", None), *conditions]:
        fewer = [other for other in conditions if other != one and (one[1] or other[0] != "players")]
        if _is(_pattern(fewer), wanted, universe):
            conditions = fewer
    return _pattern(conditions)


def _pattern(conditions: list[tuple[str, Any]]) -> Pattern:
    present, absent, options, players = (
        tuple(item for kind, item in conditions if kind == wanted)
        for wanted in ("present", "absent", "options", "players")
    )
    return Pattern(present, absent, options, players)


def _is(pattern: Pattern, wanted: frozenset[Point], universe: Iterable[Point]) -> bool:
    return all(pattern.fits(point) == (point in wanted) for point in universe)
