"""`conche check --witness`: games in which the rules matter.

Input: the name of a ruleset, with --matrix every module of its game. Output: what was reached and when, as
text or JSON; records of the games; the exit code.
"""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conche.cli.findings import show_findings
from conche.cli.options import TextOrJson
from conche.cli.output import put, report, say, settled, waiting
from conche.cli.progress import LOG, progress_bar
from conche.cli.tables import show_table
from conche.cli.trouble import GOOD, exit_code, refuse
from conche.diagnostics.lists import in_a_row
from conche.semantics.words import listed, plural

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph
    from conche.lattice.witness import Budget, Reached, Witness
    from conche.semantics.typed_module import TypedModule

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command was asked for."""

    players: int | None
    seed: int
    games: int
    record: Path | None
    force: bool
    style: TextOrJson
    workers: int | None = None


def show_witness(ruleset: str, wanted: Wanted) -> int:
    """The games of one ruleset."""
    from conche.modules.load import load

    with waiting(f"checking {ruleset}"):
        loaded = load(ruleset)
    if loaded.rulebook is None:
        return show_findings(loaded.diagnostics, loaded.sources, wanted.style)
    from conche.graph.from_rulebook import from_rulebook

    graph = from_rulebook(loaded.rulebook)
    low, high = graph.rulebook.players
    if wanted.players is not None and not low <= wanted.players <= high:
        refuse("C0502", f"{ruleset} is for {low} to {high} players, not {wanted.players}")
    if wanted.record is not None:
        _check_place(wanted.record, wanted.force)
    settled()
    witness = _search(graph, loaded.modules, wanted)
    return _show([witness], _keep(graph, witness, wanted), wanted.style)


def show_witnesses(ruleset: str, wanted: Wanted) -> int:
    """Games for every module of a game, or for those that are named, each in the smallest combination that
    has it: its own rules."""
    from dataclasses import replace

    from conche.graph.from_rulebook import from_rulebook
    from conche.lattice.lattice import open_lattice
    from conche.modules.compose import compose

    with waiting(f"reading {ruleset}"):
        opened = open_lattice(ruleset)
    if opened.lattice is None:
        return show_findings(opened.diagnostics, opened.sources, wanted.style)
    report(opened.diagnostics, opened.sources)
    if wanted.record is not None:
        refuse("C0501", "--record is for the games of one ruleset: leave --matrix out")
    settled()
    lattice = opened.lattice
    found: list[Witness] = []
    for name in sorted(lattice.always or lattice.modules):
        smallest = next((one for one in lattice.combinations if name in one.modules), None)
        if smallest is None:
            continue
        modules = [lattice.modules[module] for module in smallest.modules]
        rulebook, _ = compose(lattice.game, modules, lattice.fixed, written=lattice.written)
        low, high = smallest.players
        if rulebook is None or not (wanted.players is None or low <= wanted.players <= high):
            continue
        witness = _search(from_rulebook(rulebook), modules, wanted, only=name)
        own = tuple(one for one in witness.rules if one.rule.module == name)
        found.append(replace(witness, rules=own))
    return max(_show(found, [], wanted.style), exit_code(opened.diagnostics))


def _search(
    graph: ActionGraph, modules: Sequence[TypedModule], wanted: Wanted, *, only: str | None = None
) -> Witness:
    from conche.lattice.witness import find_witness
    from conche.workers import cores

    with progress_bar("games", wanted.games, every=LOG) as progress:
        return find_witness(
            graph,
            modules,
            players=wanted.players,
            seed=wanted.seed,
            budget=_budget(wanted),
            only=only,
            workers=wanted.workers or cores(),
            progress=progress,
        )


def _budget(wanted: Wanted) -> Budget:
    from conche.lattice.witness import Budget

    return Budget(games=wanted.games)


def _check_place(path: Path, force: bool) -> None:
    """What would hinder the records is told before the search, which takes long."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    beside = [one for one in path.parent.glob("*") if re.fullmatch(r"-\d+", _number(one, path))]
    for one in (path, *sorted(beside)):
        if one.exists() and not force:
            raise FileExistsError(errno.EEXIST, "the file exists", str(one))
    if path.exists():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _number(one: Path, path: Path) -> str:
    """`-2` of `FILE-2`; nothing of another file."""
    return one.stem.removeprefix(path.stem) if one.suffix == path.suffix else ""


def _keep(graph: ActionGraph, witness: Witness, wanted: Wanted) -> list[Path]:
    """Records of the games: FILE, FILE-2 and so on."""
    if wanted.record is None:
        return []
    from conche.interpret import Interpreter
    from conche.lattice.games import record

    paths = list(_names(wanted.record, len(witness.games)))
    for path in paths:
        if path.exists() and not wanted.force:
            raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    interpreter = Interpreter(graph)
    for path, game in zip(paths, witness.games, strict=True):
        record(interpreter, game, path)
    return paths


def _names(path: Path, number: int) -> Iterator[Path]:
    yield from (path if one == 1 else path.with_stem(f"{path.stem}-{one}") for one in range(1, number + 1))


# ------------------------------------------------------------------------------------------ showing


def _show(witnesses: Sequence[Witness], paths: Sequence[Path], style: TextOrJson) -> int:
    if style is TextOrJson.JSON:
        document = {"conche": SCHEMA, "witnesses": [_document(one, paths) for one in witnesses]}
        put(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        for witness in witnesses:
            _text(witness, paths)
    return GOOD


def _text(witness: Witness, paths: Sequence[Path]) -> None:
    rows: list[list[str] | None] = []
    for module in dict.fromkeys(one.rule.module for one in witness.rules):
        rows += [None] if rows else []
        for kind in dict.fromkeys(one.rule.kind for one in witness.rules if one.rule.module == module):
            here = [one for one in witness.rules if (one.rule.module, one.rule.kind) == (module, kind)]
            reached = [one for one in here if one.game is not None]
            last = max((_when(one) for one in reached), default=None)
            rows.append([module or "the game", kind, str(len(here)), str(len(reached)), _said(last)])
    heads = ["rules of", "kind", "there are", "reached", "the last one after"]
    show_table(f"{witness.ruleset}: rules that play reaches", heads, rows, left=2)
    for number, game in enumerate(witness.games):
        kept = f", kept as {paths[number]}" if paths else ""
        say(
            f"game {number + 1}: {plural(game.players, 'player')}, {plural(len(game.moves), 'decision')},"
            f" {plural(game.new, 'rule')} for the first time{kept}"
        )
    budget = witness.budget
    say(
        f"{witness.scouted} games on the engine, {witness.played} that aim at rules, {witness.looks} moves"
        f" tried in them, from seed {witness.seed}; the budget is {budget.at_random + budget.errands}"
        f" and {budget.games} games"
    )
    for one in witness.missing:
        say(f"not reached: {one.rule.module or 'the game'}: {one.rule.title}  {one.rule.span}")
        for line in _why(one):
            say(f"  {line}")
    say()


def _why(one: Reached) -> list[str]:
    """What stood in the way, as near as play came to it."""
    if one.absent:
        return [f"it cannot be: no set-up brings in, and no play makes, {listed(one.absent, 'or')}"]
    if one.behind is not None:
        return [f"it stands in, or after, what was not reached: {one.behind.title}"]
    if one.waits:
        return [
            f"'{wait.text}' {wait.stayed}" + (f" ({wait.numbers} at the nearest)" if wait.numbers else "")
            for wait in one.waits
        ]
    if one.asks:
        asked = in_a_row([f"'{ask.text}' {ask.must}" for ask in one.asks])
        return [f"it counts where {asked}{', all at once' if len(one.asks) > 1 else ''}"]
    return ["no condition stands before it: it may only be rare"]


def _when(one: Reached) -> tuple[int, int]:
    assert one.game is not None
    assert one.move is not None
    return one.game, one.move


def _said(when: tuple[int, int] | None) -> str:
    return "–" if when is None else f"game {when[0] + 1}, decision {when[1]}"


def _document(witness: Witness, paths: Sequence[Path]) -> dict[str, Any]:
    return {
        "ruleset": witness.ruleset,
        "seed": witness.seed,
        "budget": {
            "games": witness.budget.games,
            "width": witness.budget.width,
            "decisions": witness.budget.decisions,
        },
        "scouted": witness.scouted,
        "played": witness.played,
        "looks": witness.looks,
        "games": [
            {
                "players": game.players,
                "seed": game.seed,
                "decisions": len(game.moves),
                "new": game.new,
                "over": game.over,
                "record": str(paths[number]) if paths else None,
            }
            for number, game in enumerate(witness.games)
        ],
        "rules": [
            {
                "module": one.rule.module or None,
                "kind": one.rule.kind,
                "title": one.rule.title,
                "file": one.rule.span.file,
                "line": one.rule.span.line,
                "game": one.game,
                "decision": one.move,
                "behind": None if one.behind is None else one.behind.title,
                "absent": list(one.absent),
                "asks": [{"condition": ask.text, "must": ask.must} for ask in one.asks],
                "waits": [
                    {
                        "condition": wait.text,
                        "stayed": wait.stayed,
                        "numbers": wait.numbers,
                        "distance": wait.far,
                    }
                    for wait in one.waits
                ],
            }
            for one in witness.rules
        ],
    }
