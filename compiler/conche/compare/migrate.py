"""A saved game of one version as a saved game of another.

Purpose: games that are under way when the rules change.
Input: the text of an engine's save, and its own rules compared with the new ones. Output: the text of a save
for the engine of the new rules.
Invariants: nothing is guessed. Where the game stands must have its place in the new rules (`standing`), and
all that it holds too, by the names of the rules (`carry`). The engine of the new rules must accept the
position, show it as that of the old rules does, and games played on from it must come to their end. Else
`NotMigratedError` says why.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from conche import pipeline
from conche.api import Image
from conche.codegen.lower_expressions import UnsupportedError
from conche.codegen.origins import origins_of
from conche.codegen.to_python import to_python
from conche.compare.carry import Carry, Side
from conche.compare.compare_versions import Compared
from conche.compare.found import Found
from conche.compare.model import Kind, Verdict
from conche.compare.names import Name
from conche.compare.not_migrated import NotMigratedError
from conche.compare.standing import Standing, standing
from conche.graph.from_rulebook import from_rulebook
from conche.semantics import rulebook as rb
from conche_runtime.engine import GeneratedEngine
from conche_runtime.errors import ChanceError, RulesError, SaveError
from conche_runtime.layout import OVER, AtOnce, Decision
from conche_runtime.saves import check_sum
from conche_runtime.state import EngineState

__all__ = ["Migration", "NotMigratedError", "migrate"]

PLAYOUTS = 3
"""So many games are played on from what was made, to see that it can be played."""

LONGEST = 20_000
"""After so many decisions such a game need not have come to its end."""


def migrate(text: str, compared: Compared) -> str:
    """The save for the new rules."""
    return Migration(compared).migrate(text)


class Migration:
    """From one version to another, for any number of saves."""

    def __init__(self, compared: Compared) -> None:
        self.compared = compared
        self._old: dict[str, Side] = {}
        self._new: Side | None = None

    def migrate(self, text: str) -> str:
        """The save for the new rules."""
        saved = _read(text)
        against = _stands_against(self.compared)
        if against:
            raise NotMigratedError("the new rules may have no place for this position", against)
        old, new = self.sides(saved["ruleset"])
        chance = _outside if saved.get("seed") is None else None
        try:
            before = old.engine.from_json(text, chance)
        except SaveError as error:
            raise NotMigratedError("its own rules cannot load it", [str(error)]) from None
        after = _taken_over(before, old, new, self.compared, saved)
        _plays_on(after)
        result: str = after.to_json()
        return result

    def sides(self, ruleset: str) -> tuple[Side, Side]:
        """Both engines. `ruleset`: what the save calls its rules."""
        if ruleset not in self._old:
            self._old[ruleset] = side_of(replace(self.compared.old.rulebook, ruleset=ruleset))
        if self._new is None:
            self._new = side_of(self.compared.new.rulebook)
        return self._old[ruleset], self._new


def _read(text: str) -> dict[str, Any]:
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError):
        saved = None
    if isinstance(saved, dict) and saved.get("kind") == "game":
        why = "`conche play --resume` makes all its moves again, and goes on by its own rules"
        raise NotMigratedError("this is a game of `conche play` with its moves, not a save", [why])
    if (
        not isinstance(saved, dict)
        or saved.get("kind") != "save"
        or not isinstance(saved.get("ruleset"), str)
    ):
        raise NotMigratedError("this is not a save of an engine")
    return saved


def _stands_against(compared: Compared) -> tuple[str, ...]:
    """The reasons of changes that break saves whatever they hold."""
    pairs = zip(compared.comparison.changes, compared.found, strict=True)
    return tuple(
        reason
        for change, found in pairs
        if change.verdicts.saves is Verdict.BREAKING and not _seen_in_position(found)
        for reason in change.verdicts.reasons["saves"]
    )


def _seen_in_position(found: Found) -> bool:
    """Whether a position itself shows that it has a place in the new rules, or has none."""
    if found.kind is Kind.ZONES:
        # A marker keeps its place on a track, which may be worth something else now.
        return found.old is not None and not isinstance(found.new, rb.Track)
    return found.kind is Kind.DECISION_REMOVED or found.path == "players"


def side_of(book: rb.Rulebook) -> Side:
    """A rulebook with its engine, also of rules that lie nowhere any more."""
    try:
        origins = origins_of(from_rulebook(book))
        text = to_python(origins.program)
    except UnsupportedError as error:
        raise NotMigratedError("no engine can be built for these rules", [error.message]) from None
    engine = Image(book.ruleset, pipeline.module_name(book.ruleset), text, None).engine()
    assert isinstance(engine, GeneratedEngine)
    return Side(book, origins, engine)


def _outside(path: str, outcomes: Sequence[Any]) -> Any:
    """Stands for outside chance, which looking at a position does not need."""
    raise LookupError(path)


def _taken_over(
    before: EngineState, old: Side, new: Side, compared: Compared, saved: Mapping[str, Any]
) -> EngineState:
    """The state of the new engine."""
    game = new.engine.game
    players = before.players
    if not game.min_players <= players <= game.max_players:
        why = f"{players} play, now it is for {game.min_players}..{game.max_players}"
        raise NotMigratedError("the new rules may have no place for this position", [why])
    stands = Standing()
    at: Decision = OVER
    if before.at is not OVER:
        stands = standing(compared, old.origins, before)
        numbers = [decision.id for decision in new.origins.program.decisions]
        at = game.decisions[numbers.index(stands.point)]
    carry = Carry(old, new, compared.matched.renames, before, stands)
    carried = {
        **{key: value for key, value in saved.items() if key != "check"},
        "ruleset": game.ruleset,
        "digest": game.digest,
        "versions": dict(game.versions),
        "options": dict(game.options),
        "draws": carry.draws(saved["draws"]),
        "state": json.loads(json.dumps(carry.slots())),
    }
    # First what lies on the table alone; then where the game waits.
    _shows_the_same(before, _loaded(new, {**carried, "at": OVER.key}), old, new, compared)
    return _waiting(new, carried, at)


def _loaded(new: Side, carried: Mapping[str, Any]) -> EngineState:
    chance = _outside if carried["seed"] is None else None
    try:
        return new.engine.from_json(json.dumps({**carried, "check": check_sum(carried)}), chance)
    except SaveError as error:
        why = str(error).removeprefix("this save was edited or damaged: ")
        raise NotMigratedError("an engine of the new rules does not take this position", [why]) from None


def _waiting(new: Side, carried: Mapping[str, Any], at: Decision) -> EngineState:
    """The state at its decision. Where the new rules leave one option there, or none, it goes on from there,
    as an engine does."""
    try:
        return _loaded(new, {**carried, "at": at.key})
    except NotMigratedError:
        if at is OVER or isinstance(at, AtOnce):
            raise
    state = _loaded(new, {**carried, "at": OVER.key})
    try:
        state.run(at.ask)
    except (RulesError, ChanceError) as error:
        raise NotMigratedError("the new rules cannot go on from here", [str(error)]) from None
    return state


def _shows_the_same(
    before: EngineState, after: EngineState, old: Side, new: Side, compared: Compared
) -> None:
    """Both engines show the same of all that both have."""
    renames = compared.matched.renames
    shown: dict[str, Any] = {}
    for name, value in before.snapshot().items():
        now = next(
            (
                renames[Name(space, name)]
                for space in ("var", "zone", "board")
                if Name(space, name) in renames
            ),
            name,
        )
        shown[now] = value
    other = after.snapshot()
    words = _written(old, new, compared)
    names = [
        name
        for name in sorted(shown.keys() & other.keys())
        if name not in ("decision", "players") and not _same(shown[name], other[name], words)
    ]
    if names:
        why = [f"{name} would be another" for name in names]
        raise NotMigratedError("an engine of the new rules shows this position otherwise", why)


def _written(old: Side, new: Side, compared: Compared) -> dict[str, str]:
    """What names of kinds and of what spaces and pieces have are now, where that is something else."""
    renames = compared.matched.renames
    now = {
        (kinds.name, name): written
        for kinds in new.layout.kinds
        for name, written in zip(kinds.names, kinds.written, strict=True)
    }
    found = {name.text: text for name, text in renames.items() if name.space in ("space", "zone")}
    for kinds in old.layout.kinds:
        of = renames.get(Name("type", kinds.name), kinds.name)
        for name, written in zip(kinds.names, kinds.written, strict=True):
            found[written] = now.get((of, renames.get(Name("kind", name), name)), written)
    return found


def _same(old: Any, new: Any, words: Mapping[str, str]) -> bool:
    """Whether both show the same; what the new one shows besides is what is new."""
    if isinstance(old, dict) and isinstance(new, dict):
        renamed = {words.get(key, key): value for key, value in old.items()}
        return renamed.keys() <= new.keys() and all(
            _same(value, new[key], words) for key, value in renamed.items()
        )
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_same(a, b, words) for a, b in zip(old, new, strict=True))
    if isinstance(old, str) and isinstance(new, str):
        return words.get(old, old) == new
    return bool(old == new) and type(old) is type(new)


def _plays_on(state: EngineState) -> None:
    """Games at random from here come to their end, or go on for very long."""
    for number in range(PLAYOUTS):
        dice = random.Random(number)
        game = state.clone()
        if game.seed is None:
            game.chance = lambda path, outcomes, dice=dice: dice.choice(outcomes)[0]
        try:
            for _ in range(LONGEST):
                if game.over:
                    break
                seat = dice.choice(game.to_act)
                game.step(dice.randrange(game.count(seat)), seat)
            _ = game.scores, game.ranking
        except (RulesError, ChanceError) as error:
            raise NotMigratedError(
                "the new rules fail in a game that goes on from here", [str(error)]
            ) from None
