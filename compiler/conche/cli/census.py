"""`conche check --census`: what the set-up of a game lays out.

Input: the name of a ruleset, with --matrix all combinations of its game. Output: tables, or JSON; the exit
code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from conche.cli.findings import show_findings
from conche.cli.matrix import check_players
from conche.cli.options import TextOrJson
from conche.cli.output import put, report, say, waiting
from conche.cli.progress import LOG, progress_bar
from conche.cli.tables import show_table
from conche.cli.trouble import PROBLEMS, exit_code, refuse
from conche.draw.words import plain

if TYPE_CHECKING:
    from conche.lattice.census import Census, Content, Flow, Range, Total
    from conche.lattice.censuses import Counted
    from conche.lattice.lattice import Lattice

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""

T = TypeVar("T", bound="Total | Flow | Content")


def show_census(ruleset: str, players: int | None, style: TextOrJson) -> int:
    from conche import pipeline
    from conche.lattice.census import census

    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    if checked.graph is None or not checked.good:
        return show_findings(checked.diagnostics, checked.sources, style)
    graph = checked.graph
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


def show_censuses(ruleset: str, players: int | None, workers: int | None, style: TextOrJson) -> int:
    """How many pieces there are in every combination of modules."""
    from conche.lattice.censuses import count_all
    from conche.lattice.lattice import open_lattice
    from conche.lattice.matrix import identity
    from conche.workers import cores

    with waiting(f"reading {ruleset}"):
        opened = open_lattice(ruleset)
    lattice = opened.lattice
    if lattice is None:
        return show_findings(opened.diagnostics, opened.sources, style)
    check_players(lattice, players)
    wanted = None if players is None else [players]
    with progress_bar("combinations", len(lattice.combinations), every=LOG) as progress:
        counted = count_all(lattice, players=wanted, workers=workers or cores(), progress=progress)
    failed = [finding for one in counted for taken in one.censuses for finding in taken.found]
    found = [*opened.diagnostics, *{identity(finding): finding for finding in reversed(failed)}.values()]
    if style is TextOrJson.JSON:
        put(json.dumps(_all_documents(lattice, counted, found), ensure_ascii=False, indent=2) + "\n")
    else:
        report(found, opened.sources)
        _all_texts(lattice, counted)
    return exit_code(found) if all(one.censuses for one in counted) else PROBLEMS


def _document(ruleset: str, taken: Sequence[Census], found: Iterable[Any]) -> dict[str, Any]:
    from conche.diagnostics.render_json import to_json

    return {**to_json(found), "conche": SCHEMA, "ruleset": ruleset, "census": _censuses(taken)}


def _all_documents(lattice: Lattice, counted: Sequence[Counted], found: Iterable[Any]) -> dict[str, Any]:
    from conche.diagnostics.render_json import to_json

    combinations = [
        {"modules": list(one.combination.modules), "census": _censuses(one.censuses)} for one in counted
    ]
    return {**to_json(found), "conche": SCHEMA, "game": _game(lattice), "combinations": combinations}


def _censuses(taken: Sequence[Census]) -> list[dict[str, Any]]:
    return [
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
    ]


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


def _all_texts(lattice: Lattice, counted: Sequence[Counted]) -> None:
    """A line for each combination: numbers that are the same for all numbers of players stand once."""
    from conche.semantics.words import plural

    every = [taken for one in counted for taken in one.censuses]
    pieces = list(dict.fromkeys(piece for taken in every for piece, _ in taken.in_all))
    rows = [
        [
            " + ".join(one.combination.modules) or "the game alone",
            ", ".join(str(taken.players) for taken in one.censuses) or "–",
            *(_in_all(one.censuses, piece) for piece in pieces),
        ]
        for one in counted
    ]
    title = f"{_game(lattice)}: pieces in the game, in {plural(len(rows), 'combination')}"
    show_table(title, ["with", "players", *pieces], rows, left=2)
    bad = sum(not one.censuses for one in counted)
    if bad:
        say(f"{plural(bad, 'combination')} with errors: `conche check {_game(lattice)} --matrix` lists them")
    say("in each line the numbers are those for its numbers of players, or the same for all of them")
    tried = plural(sum(taken.tried for taken in every), "set-up")
    say(f"read off {tried} that were run; a range is what was seen in them")


def _in_all(censuses: Sequence[Census], piece: str) -> str:
    numbers = [_cell(taken.of(piece)) for taken in censuses]
    return ", ".join(numbers if len(set(numbers)) > 1 else numbers[:1]) or "–"


def _game(lattice: Lattice) -> str:
    game = lattice.game.rulebook.game
    return lattice.written.get(game, game)


def _side_by_side(
    lists: Sequence[Sequence[T]], key: Callable[[T], tuple[Any, ...]]
) -> list[tuple[tuple[Any, ...], list[str]]]:
    """A line for each key, with a cell for each list, in the lists' order."""
    found = [{key(one): one.number for one in some} for some in lists]
    keys: list[tuple[Any, ...]] = []
    for some in found:
        place = 0
        for one in some:
            if one not in keys:
                keys.insert(place, one)
            place = keys.index(one) + 1
    return [(one, [_cell(some.get(one)) for some in found]) for one in keys]


def _cell(number: Range | None) -> str:
    if number is None:
        return "–"
    return f"{number} by {number.by}" if number.by else str(number)


def _whose(what: str, owner: str) -> str:
    return f"{what}, {owner}" if owner else what


def _step(path: str) -> str:
    return plain(path.partition(".")[2] or path)
