"""`conche check --census`: what the set-up of a game lays out.

Input: the name of a ruleset. Output: tables, or JSON; the exit code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from conche.cli.options import TextOrJson
from conche.cli.output import put, report, say, waiting
from conche.cli.tables import show_table
from conche.cli.trouble import exit_code, refuse
from conche.draw.words import plain

if TYPE_CHECKING:
    from conche.lattice.census import Census, Content, Flow, Range, Total

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""

T = TypeVar("T", bound="Total | Flow | Content")


def show_census(ruleset: str, players: int | None, style: TextOrJson) -> int:
    from conche import pipeline
    from conche.lattice.census import census

    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    graph = checked.must()
    low, high = graph.rulebook.players
    if players is not None and not low <= players <= high:
        refuse("C0502", f"{ruleset} is for {low} to {high} players, not {players}")
    with waiting(f"setting up {ruleset}"):
        counts = range(low, high + 1) if players is None else [players]
        taken = [census(graph, count) for count in counts]
    found = [*checked.diagnostics, *dict.fromkeys(finding for one in taken for finding in one.found)]
    if style is TextOrJson.JSON:
        put(json.dumps(_document(graph.rulebook.ruleset, taken, found), ensure_ascii=False, indent=2) + "\n")
    else:
        report(found, checked.sources)
        _text(graph.rulebook.ruleset, taken)
    return exit_code(found)


def _document(ruleset: str, taken: Sequence[Census], found: Iterable[Any]) -> dict[str, Any]:
    from conche.diagnostics.render_json import to_json

    return {
        **to_json(found),
        "conche": SCHEMA,
        "ruleset": ruleset,
        "census": [
            {
                "players": one.players,
                "tried": one.tried,
                "conserved": list(one.conserved),
                "totals": [asdict(total) for total in one.totals],
                "in_all": {piece: asdict(number) for piece, number in one.in_all},
                "contents": [asdict(content) for content in one.contents],
                "flows": [asdict(flow) for flow in one.flows],
            }
            for one in taken
        ],
    }


# ------------------------------------------------------------------------------------------ tables


def _text(ruleset: str, taken: Sequence[Census]) -> None:
    heads = [f"{one.players} players" for one in taken]
    totals = _side_by_side([one.totals for one in taken], lambda t: (t.piece, t.owner, t.kind))
    rows: list[list[str] | None] = []
    for piece in dict.fromkeys(key[0] for key, _ in totals):
        rows += [None] if rows else []
        rows += [[_whose(piece, key[1]), key[2], *cells] for key, cells in totals if key[0] == piece]
        rows.append([f"{piece}, in all", "", *(_cell(one.of(piece)) for one in taken)])
    show_table(f"{ruleset}: pieces in the game", ["", "kind", *heads], rows, left=2)
    flows = _side_by_side(
        [one.flows for one in taken], lambda f: (f.step, f.owner, f.piece, f.kind, f.source, f.target)
    )
    show_table(
        f"{ruleset}: what the set-up moves",
        ["step", "piece", "from", "to", *heads],
        [
            [_step(step), _whose(kind or f"any {piece}", owner), source, target, *cells]
            for (step, owner, piece, kind, source, target), cells in flows
        ],
        left=4,
    )
    contents = _side_by_side([one.contents for one in taken], lambda c: (c.place, c.owner, c.piece))
    show_table(
        f"{ruleset}: where they lie when play begins",
        ["place", "piece", *heads],
        [[_whose(place, owner), piece, *cells] for (place, owner, piece), cells in contents],
        left=2,
    )
    if taken[0].conserved:
        say(f"none is made or lost in play: {', '.join(taken[0].conserved)}")
    tried = ", ".join(f"{one.tried} with {one.players}" for one in taken)
    say(f"read off set-ups that were run: {tried} players; a range is what was seen in them")


def _side_by_side(
    lists: Sequence[Sequence[T]], key: Callable[[T], tuple[Any, ...]]
) -> list[tuple[tuple[Any, ...], list[str]]]:
    """A line for each key, with a cell for each list."""
    found = [{key(one): one.number for one in some} for some in lists]
    keys = dict.fromkeys(one for some in found for one in some)
    return [(one, [_cell(some.get(one)) for some in found]) for one in keys]


def _cell(number: Range | None) -> str:
    if number is None:
        return "–"
    return f"{number} by {number.by}" if number.by else str(number)


def _whose(what: str, owner: str) -> str:
    return f"{what}, {owner}" if owner else what


def _step(path: str) -> str:
    return plain(path.partition(".")[2] or path)
