"""A real pair: the base game, and what an English summary makes of it (`rules/cacao/versions/summary.rules`).

The summary departs from the game in seven points; four of them change play.
"""

from __future__ import annotations

import pytest

from conche.compare.compare_versions import Compared, compare_versions
from conche.compare.model import Kind, Sameness
from conche.compare.witness.model import Differs, Search
from conche.compare.witness.search import search
from conche.resources import game_names, rules_dir
from conche.versions.sources import read_version

SUMMARY = str(rules_dir() / "cacao" / "versions" / "summary.rules")

PLAYED = {
    1: {"step.hand_out_workers"},
    4: {
        "board.table",
        "query.may_overbuild",
        "query.overbuild_price",
        "query.own_tops",
        "query.sites",
        "query.tiles_are_used_up",
        "step.place",
    },
    5: {"var.sun", "action.use.sun_site", "query.usable"},
    6: {"query.temple_gold"},
}
"""By departure, the places where it changes play."""

WORDED = {
    1: {"clause.1.2", "clause.A1"},
    2: {"clause.1.2", "clause.A1"},
    3: {"clause.1.6b", "clause.A3"},
    4: {
        "clause.1.4a",
        *(f"clause.1.7{part}" for part in ("", "a", "b", "c", "d", "e")),
        "clause.8b",
        *(f"clause.A{number}" for number in (7, 8, 9, 10)),
    },
    5: {"clause.1.6k", "clause.8e", "clause.A11"},
    6: {"clause.1.8b", "clause.1.8c", "clause.S2"},
    7: {"clause.1.1c", "clause.S1"},
}
"""And the clauses that tell it otherwise."""

RECAP = "clause.1.11"
"""The game's clause about what short accounts get wrong."""


@pytest.fixture(scope="module")
def compared() -> Compared:
    return compare_versions(read_version(SUMMARY), read_version("cacao"))


def test_the_changes_of_play_are_exactly_these(compared: Compared) -> None:
    changes = [change for change in compared.comparison.changes if change.kind is not Kind.CLAUSE]
    assert compared.comparison.sameness is Sameness.DIFFERENT
    assert {change.path for change in changes} == set().union(*PLAYED.values())
    by_group: dict[int, set[str]] = {}
    for change in changes:
        by_group.setdefault(change.group, set()).add(change.path)
    assert sorted(map(sorted, by_group.values())) == sorted(map(sorted, PLAYED.values()))


def test_the_changes_of_wording_are_exactly_these(compared: Compared) -> None:
    changes = [change for change in compared.comparison.changes if change.kind is Kind.CLAUSE]
    assert {change.path for change in changes} - {RECAP} == set().union(*WORDED.values())


def test_classes(compared: Compared) -> None:
    kinds: dict[str, set[Kind]] = {}
    for change in compared.comparison.changes:
        kinds.setdefault(change.path, set()).add(change.kind)
    assert kinds["step.hand_out_workers"] == {Kind.SETUP}
    assert kinds["var.sun"] == {Kind.ZONES}
    assert kinds["action.use.sun_site"] == {Kind.DECISION_NARROWED}
    assert kinds["query.usable"] == {Kind.CONDITION}
    assert kinds["query.temple_gold"] == {Kind.SCORE}


def test_a_folder_of_versions_is_no_game() -> None:
    assert "versions" not in game_names()


@pytest.fixture(scope="module")
def found(compared: Compared) -> Search:
    return search(compared, budget=5000)


@pytest.mark.slow
def test_each_departure_that_changes_play_has_a_witness(compared: Compared, found: Search) -> None:
    groups = {change.path: change.group for change in compared.comparison.changes}
    by_group = {witness.group: witness for witness in found.witnesses}
    assert by_group[groups["step.hand_out_workers"]].differs is Differs.SETUP
    assert by_group[groups["step.hand_out_workers"]].players > 2
    overbuilding = by_group[groups["query.sites"]]
    assert (overbuilding.differs, overbuilding.decision) == (Differs.MOVES, "place")
    assert by_group[groups["query.usable"]].differs in (Differs.MOVES, Differs.EFFECTS)
    assert by_group[groups["query.temple_gold"]].differs is Differs.SCORES
    assert found.missing == ()
    assert found.positions <= found.budget


@pytest.mark.slow
def test_the_witnesses_have_scenarios(found: Search) -> None:
    # That they hold in one version and not in the other has been tried when they were made.
    assert all(witness.scenario is not None for witness in found.witnesses)
