"""A saved game of one version as a saved game of another.

Purpose: games that are under way when the rules change.
Input: the text of an engine's save, and its own rules compared with the new ones. Output: the text of a save
for the engine of the new rules.
Invariants: nothing is guessed. The comparison must promise that saves stay possible; the routines in which
the game may stand must have the same places; the engine of the new rules must accept the position, and show
it as that of the old rules does, what half-finished actions keep included. Else `NotMigratedError` says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from conche import pipeline
from conche.api import Image
from conche.codegen import build
from conche.codegen.lower_expressions import UnsupportedError
from conche.compare.compare_versions import Compared
from conche.compare.model import Verdict
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph, EdgeKind
from conche.graph.order import nested
from conche.semantics import rulebook as rb
from conche_runtime.codecs import NOTHING, UNSET, Codec
from conche_runtime.errors import ConcheError, SaveError
from conche_runtime.layout import OVER, Game
from conche_runtime.saves import check_sum

_CALLS = (EdgeKind.DOES, EdgeKind.TRIGGERS)


class NotMigratedError(ConcheError):
    """`why`: what stands against it, one sentence each."""

    def __init__(self, title: str, why: Iterable[str] = ()) -> None:
        super().__init__(title)
        self.title, self.why = title, tuple(why)


def migrate(text: str, compared: Compared) -> str:
    """The save for the new rules."""
    verdicts = compared.comparison.verdicts
    if verdicts.saves is Verdict.BREAKING:
        raise NotMigratedError(
            "the new rules may have no place for this position", verdicts.reasons.get("saves", ())
        )
    saved = _read(text)
    old = _engine(replace(compared.old.rulebook, ruleset=saved["ruleset"]))
    new = _engine(compared.new.rulebook)
    chance = _outside if saved.get("seed") is None else None
    try:
        before = old.from_json(text, chance)
    except SaveError as error:
        raise NotMigratedError("its own rules cannot load it", [str(error)]) from None
    if before.at is not OVER:
        _same_course(compared, before.at.name)
        _same_places(old.game, new.game, before.at.name)
    game = new.game
    carried = {
        **{key: value for key, value in saved.items() if key != "check"},
        "ruleset": game.ruleset,
        "digest": game.digest,
        "versions": dict(game.versions),
        "options": dict(game.options),
    }
    try:
        after = new.from_json(json.dumps({**carried, "check": check_sum(carried)}), chance)
    except SaveError as error:
        raise NotMigratedError(
            "an engine of the new rules does not take this position", [str(error)]
        ) from None
    shown, other = _shown(before, old.game), _shown(after, game)
    if shown != other:
        names = sorted(key for key in shown.keys() | other.keys() if shown.get(key) != other.get(key))
        raise NotMigratedError(
            "an engine of the new rules writes positions in another way",
            [f"{name} would be another" for name in names],
        )
    result: str = after.to_json()
    return result


def _read(text: str) -> dict[str, Any]:
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError):
        saved = None
    if (
        not isinstance(saved, dict)
        or saved.get("kind") != "save"
        or not isinstance(saved.get("ruleset"), str)
    ):
        raise NotMigratedError("this is not a save of an engine")
    return saved


def _engine(book: rb.Rulebook) -> Any:
    """The engine of a rulebook, also of rules that lie nowhere any more."""
    try:
        text = build(from_rulebook(book))
    except UnsupportedError as error:
        raise NotMigratedError("no engine can be built for these rules", [error.message]) from None
    return Image(book.ruleset, pipeline.module_name(book.ruleset), text, None).engine()


def _outside(path: str, outcomes: Sequence[Any]) -> Any:
    """Stands for outside chance, which looking at a position does not need."""
    raise LookupError(path)


def _same_course(compared: Compared, decision: str) -> None:
    """The routines that ask for such a decision, and those that lead to them, have the same nodes."""
    old, new = compared.aligned.graph, compared.new.graph
    for routine in sorted(_leading_to(old, decision) | _leading_to(new, decision)):
        ours, theirs = (_places(graph, routine) for graph in (old, new))
        if ours != theirs:
            raise NotMigratedError(
                "the game may stand in a routine whose statements are others",
                [f"{routine}, on the way to the decision '{decision}'"],
            )


def _leading_to(graph: ActionGraph, decision: str) -> set[str]:
    callers: dict[str, set[str]] = {}
    found: set[str] = set()
    for node in graph.nodes():
        if isinstance(node.owns, rb.Choose) and decision in _names(node.owns):
            found.add(node.routine)
        for (kind, _), target in graph.control(node.id).items():
            if kind in _CALLS:
                callers.setdefault(graph.node(target).routine, set()).add(node.routine)
    waiting = list(found)
    while waiting:
        more = callers.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _names(choose: rb.Choose) -> set[str]:
    return {choose.name, *(case.move for case in choose.cases if case.move is not None)}


def _places(graph: ActionGraph, routine: str) -> list[str]:
    return [node.id for _, node in nested(graph, routine)] if routine in graph else []


def _same_places(old: Game, new: Game, decision: str) -> None:
    """The engines name the places where a game waits or goes on in the same way."""
    ours, theirs = (
        (
            {one.key for one in game.decisions if one.name == decision},
            [(name, [block.__name__ for block in blocks]) for name, blocks in game.returns],
        )
        for game in (old, new)
    )
    if ours != theirs:
        raise NotMigratedError("engines of the two versions name the places of the rules in other ways")


def _shown(state: Any, game: Game) -> dict[str, Any]:
    """A position by the names of the rules."""
    kept = {name: _named(getattr(state, name), codec) for name, codec in game.saved}
    return {**state.snapshot(), **{f"what '{name}' keeps": value for name, value in kept.items()}}


def _named(code: Any, codec: Codec) -> Any:
    return None if type(code) is int and code in (UNSET, NOTHING) else codec.show(code)
