"""A game against itself with modules: what they bring is shown, and what they leave alone is not."""

from __future__ import annotations

import pytest

from conche.compare.compare_versions import compare_versions
from conche.compare.model import Comparison, Kind
from conche.resources import rules_dir
from conche.versions.sources import read_version
from slices import slice_of

MODULES = sorted(
    path.stem for path in (rules_dir() / "cacao").glob("*.rules") if path.stem not in ("cacao", "big_game")
)


def comparison(old: str, new: str) -> Comparison:
    return compare_versions(read_version(old), read_version(new)).comparison


@pytest.mark.parametrize("module", slice_of(MODULES, 3))
def test_a_module_adds_and_takes_away_the_same(module: str) -> None:
    there = comparison("cacao", f"cacao+{module}")
    back = comparison(f"cacao+{module}", "cacao")
    assert {change.path for change in there.changes} == {change.path for change in back.changes}
    assert not any(change.kind is Kind.RENAME for change in there.changes)
    assert not any(change.path.startswith("clause.") for change in there.changes)


def test_the_order_in_which_modules_are_named_is_no_change() -> None:
    assert comparison("cacao+map+huts", "cacao+huts+map").same


def test_a_step_around_a_step_is_not_another_step() -> None:
    found = comparison("cacao", "cacao+huts")
    paths = {change.path for change in found.changes}
    # `wrap use_edges`: what stood there runs as before, between two new statements.
    assert "step.use_edges.original" not in paths
    around = [change for change in found.changes if change.path == "step.use_edges"]
    assert [change.old for change in around] == [None, None]


def test_an_option_is_a_difference_of_what_it_settles() -> None:
    found = comparison("cacao+huts", "cacao+huts:huts=agreed")
    assert {change.path for change in found.changes} == {
        "step.turn_up",
        "step.turn_up_huts",
        "step.agree_huts",
    }
