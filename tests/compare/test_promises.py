"""Verdicts are promises: what they say of saves and records is tried out with games."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conche.compare.compare_versions import compare_versions
from conche.compare.migrate import Migration, NotMigratedError, side_of
from conche.compare.model import Verdict
from conche.interpret import Interpreter
from conche.resources import rules_dir
from conche.versions.sources import read_version
from conche_runtime.records import Recorder, ScoresLine, read_record
from conche_runtime.replay import replay
from slices import slice_of

from .edits import Edit, compared, edits, version
from .test_migrate import ends_alike

pytestmark = pytest.mark.slow

EDITS = edits()
INSIDE = "the game stands inside what has changed; play on to the end of that first"


# ------------------------------------------------------------------------------------------- saves


@cache
def saves_of(text: str) -> tuple[str, ...]:
    """Positions of random games of some rules, at the beginning, within and at the end."""
    engine = side_of(version(text).rulebook).engine
    found = []
    for seed, players in enumerate((2, 3)):
        dice, state, number = random.Random(seed), engine.start(players, seed), 0
        while not state.over:
            if number in (0, 5, 11):
                found.append(state.to_json())
            state.step(dice.randrange(state.count()))
            number += 1
        found.append(state.to_json())
    return tuple(found)


@pytest.mark.parametrize(
    "edit", slice_of([edit for edit in EDITS if edit.changes], 8), ids=lambda edit: edit.name
)
def test_saves_that_are_compatible_are_taken_over(edit: Edit) -> None:
    """But for those that stand in the middle of what has changed."""
    one = compared(edit.old, edit.new)
    if one.comparison.verdicts.saves is Verdict.BREAKING:
        return
    migration = Migration(one)
    for text in saves_of(edit.old):
        try:
            made = migration.migrate(text)
        except NotMigratedError as error:
            refused = error.title
        else:
            # That games go on to their end was seen when it was made.
            assert migration.sides("fair")[1].engine.from_json(made).to_json() == made
            continue
        assert refused == INSIDE
        assert any(change.path in ("play", "step.turn") for change in one.comparison.changes)


def test_changes_that_break_saves_are_no_obstacle_where_the_position_fits() -> None:
    edit = next(edit for edit in EDITS if edit.name == "decision removed")
    migration = Migration(compared(edit.old, edit.new))
    *within, end = saves_of(edit.old)
    for text in within[:2]:
        with pytest.raises(NotMigratedError, match="inside what has changed"):
            migration.migrate(text)
    assert migration.sides("fair")[1].engine.from_json(migration.migrate(end)).over


@pytest.mark.parametrize(
    "ruleset",
    slice_of(["schoko", "cacao+irrigation+chocolate+huts+gem_mines+tree_of_life+emperor+new_workers"], 1),
)
def test_games_go_on_from_within_any_action(ruleset: str, tmp_path: Path) -> None:
    """Loops, triggers, choices made at once: with a variable more, which nothing uses, and kinds in another
    order, they end as they would have."""
    game = ruleset.partition("+")[0]
    source = rules_dir() / game
    for path in source.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    rules = tmp_path / f"{game}.rules"
    text = rules.read_text(encoding="utf-8")
    more = re.sub(r"(\neach player has[^\n]*\n)", r"\1  spare: 0..9 = 2, open\n", text, count=1)
    assert more != text
    rules.write_text(more, encoding="utf-8")
    old, new = read_version(ruleset), read_version(f"{rules}{ruleset.removeprefix(game)}")
    migration = Migration(compare_versions(old, new))
    ours, theirs = (side.engine for side in migration.sides(old.rulebook.ruleset))
    places: set[tuple[str, int]] = set()
    for seed in range(2):
        dice, state = random.Random(seed), ours.start(2 + seed % 3, seed)
        while not state.over:
            place = (state.at.key, len(state.to_act))
            if place not in places:
                places.add(place)
                ends_alike(state.clone(), theirs.from_json(migration.migrate(state.to_json())), seed)
            seat = dice.choice(state.to_act)
            state.step(dice.randrange(state.count(seat)), seat)
    assert len(places) > 5


# ------------------------------------------------------------------------------------------- records


@cache
def records_of(text: str, folder: Path) -> tuple[Any, ...]:
    """Random games of some rules."""
    engine = Interpreter(version(text).graph)
    found = []
    for seed in range(2):
        path = folder / f"{seed}.jsonl"
        state = engine.start(2 + seed, seed, log=True)
        dice = random.Random(seed)
        with Recorder(engine, state, path, seed=seed, overwrite=True) as recorder:
            while not state.over:
                recorder.apply(dice.randrange(state.count()))
        found.append(read_record(path))
    return tuple(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@pytest.mark.parametrize(
    "edit", [edit for edit in EDITS if edit.verdicts[2] != "breaking"], ids=lambda edit: edit.name
)
def test_records_replay_as_is_said(edit: Edit, folder: Path) -> None:
    engine = Interpreter(version(edit.new).graph)
    for record in records_of(edit.old, folder):
        problem = replay(engine, record).problem
        if edit.verdicts[2] == "cosmetic":
            assert problem is None
        elif problem is not None:
            assert any(isinstance(one, ScoresLine) and one.line == problem.line for one in record.lines)
