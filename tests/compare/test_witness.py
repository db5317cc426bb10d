"""Witnesses: games in which two versions first differ."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from conche.cli import run
from conche.compare.compare_versions import compare_versions
from conche.compare.model import Kind
from conche.compare.witness.hybrid import hybrid
from conche.compare.witness.model import Differs, Search
from conche.compare.witness.search import search
from conche.interpret import Interpreter
from conche.resources import rules_dir
from conche.semantics.canonical import digest
from conche.versions.sources import read_version
from conche_runtime.records import read_record
from conche_runtime.replay import replay

from .edits import CASES, GAME, applied, compared, edits

BY_NAME = {edit.name: edit for edit in edits()}


def searched(name: str, budget: int = 400) -> Search:
    edit = BY_NAME[name]
    return search(compared(edit.old, edit.new), budget=budget)


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("components: a count", Differs.SETUP),
        ("set-up: not any longer by the number of players", Differs.SETUP),
        ("set-up: fewer may play", Differs.SETUP),
        ("effect: an amount", Differs.EFFECTS),
        ("effect: one less", Differs.EFFECTS),
        ("decision narrowed: a bound", Differs.MOVES),
        ("value: what a kind has", Differs.MOVES),
        ("end: how long it goes on", Differs.MOVES),
        ("score: another value", Differs.SCORES),
    ],
)
def test_what_differs_first(name: str, differs: Differs) -> None:
    found = searched(name, budget=900)
    (witness,) = found.witnesses
    assert witness.differs is differs
    assert witness.old != witness.new
    assert found.missing == ()
    assert 0 < found.positions <= 900


def test_a_set_up_differs_where_it_is_told_otherwise() -> None:
    (witness,) = searched("set-up: not any longer by the number of players").witnesses
    assert witness.players > 2
    assert not witness.moves


def test_nothing_found_is_not_called_equal() -> None:
    found = searched("zones: a bound", budget=150)
    assert found.witnesses == ()
    assert found.missing == (1,)
    assert 140 <= found.positions <= 150


@pytest.mark.parametrize(
    "name", ["check: an invariant", "clause: a ruling", "rename: a step", "no change: a comment"]
)
def test_nothing_is_searched_where_play_is_the_same(name: str) -> None:
    assert searched(name) == Search((), 0, 0, 400, ())


def test_the_same_search_finds_the_same() -> None:
    assert searched("effect: an amount") == searched("effect: an amount")


def test_the_record_replays_and_ends_with_the_difference() -> None:
    edit = BY_NAME["effect: an amount"]
    one = compared(edit.old, edit.new)
    (witness,) = search(one, budget=400).witnesses
    record = read_record(witness.record)
    assert record.header.digest == digest(one.old.rulebook)
    result = replay(Interpreter(one.old.graph), record)
    assert result.problem is None
    assert result.lines_done == len(record.lines) + 1
    last = json.loads(witness.record.splitlines()[-1])
    assert last["args"] == dict(witness.moves[-1].args) or "chance" in last


def test_each_group_is_shown_by_itself() -> None:
    lines = [
        *["-       pay 1 gold", "+       pay 2 gold"],
        *["-     put 2 stall in p.stalls", "+     put 1 stall in p.stalls"],
    ]
    text = applied(applied(GAME, lines[2:]), lines[:2])
    one = compared(GAME, text)
    assert len({change.group for change in one.comparison.changes}) == 2
    found = search(one, budget=600)
    assert {witness.differs for witness in found.witnesses} == {Differs.SETUP, Differs.EFFECTS}
    effects = next(witness for witness in found.witnesses if witness.differs is Differs.EFFECTS)
    assert effects.alone, "with both changes the set-up differs first"


@pytest.mark.parametrize(
    "name", [name for name, edit in BY_NAME.items() if edit.sameness == "different"][::4]
)
def test_one_group_alone_is_a_version_between(name: str) -> None:
    """With the only group that there is, the version between is the new one."""
    one = compared(BY_NAME[name].old, BY_NAME[name].new)
    groups = {change.group for change in one.comparison.changes if change.kind is not Kind.CLAUSE}
    if len(groups) != 1 or any(change.path.startswith("option.") for change in one.comparison.changes):
        pytest.skip("no single group")
    made = hybrid(one, groups.pop())
    assert made is not None
    assert digest(made) == digest(one.new.rulebook)


RENAMED = [
    ("gold", "coins"),
    ("spice", "pepper"),
    ("turn", "go"),
    ("buy", "purchase"),
]


def test_a_scenario_after_renames_speaks_in_the_old_names(tmp_path: Path) -> None:
    edit = BY_NAME["effect: an amount"]
    new = edit.new
    for old_name, new_name in RENAMED:
        new = re.sub(rf"\b{old_name}\b", new_name, new)
    assert new != edit.new
    one = compared(edit.old, new)
    assert one.matched.renames
    (witness,) = search(one, budget=600).witnesses
    assert witness.scenario is not None
    assert not {"coins", "pepper", "purchase"} & set(re.findall(r"\w+", witness.scenario))
    (tmp_path / "fair.clauses.md").write_bytes((CASES / "fair.clauses.md").read_bytes())
    assert _passes(tmp_path / "old.rules", f"{edit.old}\n{witness.scenario}")


def _passes(path: Path, text: str, ruleset: str | None = None) -> bool:
    """Whether the scenarios of a ruleset hold, of which the file has this text."""
    path.write_text(text, encoding="utf-8")
    return run(["test", ruleset or str(path), "--games", "0"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modules", "file", "stands"),
    [
        ("chocolate", "chocolate.rules", "scenario"),
        ("chocolate+map", "map.rules", "with chocolate\n  scenario"),
        ("huts:huts=agreed", "huts.rules", "with option huts is agreed\n  scenario"),
    ],
)
def test_a_scenario_with_modules_stands_where_they_are_in_play(
    tmp_path: Path, modules: str, file: str, stands: str
) -> None:
    for one in (rules_dir() / "cacao").glob("*.*"):
        (tmp_path / one.name).write_text(one.read_text(encoding="utf-8"), encoding="utf-8")
    game = tmp_path / "cacao.rules"
    text = game.read_text(encoding="utf-8")
    other = tmp_path / "other.rules"
    edited = text.replace("gold: 0..9999 = 0, open", "gold: 0..9999 = 3, open")
    assert edited != text
    other.write_text(edited, encoding="utf-8")
    sides = read_version(f"{game}+{modules}"), read_version(f"{other}+{modules}")
    (witness,) = search(compare_versions(*sides), budget=100).witnesses
    assert witness.scenario is not None
    head, _, rest = witness.scenario.partition("\n")
    assert head == f"# for {tmp_path / file}"
    assert rest.startswith(stands)
    other.unlink()
    module = tmp_path / file
    # Alone in its file, so that no other scenario hides whether it is run and holds.
    bare = module.read_text(encoding="utf-8").split(
        "# ------------------------------------------------------------------ scenarios"
    )[0]
    text = f"{bare}\n{witness.scenario}"
    assert _passes(module, text, f"{game}+{modules}")
    assert not _passes(module, text.replace("gold = 0", "gold = 1"), f"{game}+{modules}")
