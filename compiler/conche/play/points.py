"""Which points a player can work out while a game runs.

Purpose: `scores` at a question must tell nothing secret. Input: a rulebook. Output: for each score whose
points a player knows.
Invariant: read from the rules alone, so the same in all positions. Where a score reads what is not open,
it is known only to its player, and only if all of that is the player's own; what queries read counts too.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from conche.semantics import rulebook as rb
from conche.semantics.walk import walk


class Known(StrEnum):
    """Whose points of a score a player knows."""

    ALL = "all"
    OWN = "own"
    NONE = "none"


def known_scores(rulebook: rb.Rulebook) -> dict[str, Known]:
    """By score."""
    return {name: _known(rulebook, score) for name, score in rulebook.scores.items()}


def _known(rulebook: rb.Rulebook, score: rb.Score) -> Known:
    called = list(_queries(rulebook, score.value))
    if any(_closed(rulebook, query) for query in called):
        return Known.NONE
    closed = list(_closed(rulebook, score.value))
    if not closed:
        return Known.ALL
    own = all(
        _visibility(rulebook, node) == "secret"
        and isinstance(player := getattr(node, "player", None), rb.Local)
        and player.slot == score.you
        for node in closed
    )
    return Known.OWN if own else Known.NONE


def _closed(rulebook: rb.Rulebook, value: object) -> list[object]:
    """Where something is read that not all see."""
    return [node for node in walk(value) if _visibility(rulebook, node) not in (None, "open")]


def _visibility(rulebook: rb.Rulebook, node: object) -> str | None:
    match node:
        case (
            rb.GlobalVar(name=name) | rb.PlayerVar(name=name) | rb.SpaceVar(name=name) | rb.KindVar(name=name)
        ):
            declared = rulebook.variables.get(name) or rulebook.tracks.get(name)
            return declared.visibility if declared is not None else None
        case rb.TrackValue(track=name):
            return rulebook.tracks[name].visibility
        case rb.ZoneRef(name=name):
            zone = rulebook.zones.get(name)
            return zone.visibility if zone is not None else None
        case _:
            return None


def _queries(rulebook: rb.Rulebook, value: object) -> Iterator[rb.Query]:
    """Those that a value calls, directly or not, each once."""
    waiting, seen = [value], set[str]()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, rb.Call) and node.query not in seen:
                seen.add(node.query)
                query = rulebook.queries[node.query]
                waiting.append(query)
                yield query
