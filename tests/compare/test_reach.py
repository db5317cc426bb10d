"""What a change can influence, and the modules that it may break."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.compare.compare_versions import compare_versions
from conche.compare.model import Change
from conche.compare.to_text import to_text
from conche.resources import rules_dir
from conche.versions.sources import read_version

from .edits import compared, edits

pytestmark = pytest.mark.slow

BY_NAME = {edit.name: edit for edit in edits()}


def change_of(name: str) -> Change:
    edit = BY_NAME[name]
    return compared(edit.old, edit.new).comparison.changes[0]


def test_a_query_reaches_who_asks_it() -> None:
    reach = change_of("value: of a query").reach
    assert {"price_of", "surcharge"} <= set(reach.queries)
    assert "turn" in reach.decisions
    assert "gold" in reach.scores
    assert "decision turn" in reach.direct


def test_what_only_scores_use_reaches_nothing_else() -> None:
    reach = change_of("score: a query that only scores use").reach
    assert reach.queries == ("reward",)
    assert reach.scores == ("reward",)
    assert reach.decisions == reach.steps == ()


def test_a_condition_reaches_what_stands_under_it() -> None:
    reach = change_of("condition: a branch more").reach
    assert "praise" in reach.steps
    assert "fame" in reach.scores


def test_an_effect_reaches_who_reads_what_it_writes() -> None:
    reach = change_of("effect: of an action by pattern").reach
    assert "fame" in reach.scores
    assert "reward" in reach.queries


def test_wording_reaches_nothing() -> None:
    assert change_of("clause: a ruling").reach.direct == ()


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Cacao in another folder, to be changed."""
    for file in (rules_dir() / "cacao").glob("*.*"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path / "cacao.rules"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_modules_that_refine_a_place_and_modules_that_break(changed: Path) -> None:
    edit(
        changed,
        "query market_price(p: Player, price: 2..4) = price",
        "query market_price(p: Player, price: 2..4) = 2",
    )
    (change,) = compare_versions(read_version("cacao"), read_version(str(changed))).comparison.changes
    assert [(risk.module, risk.place, risk.breaks) for risk in change.at_risk] == [
        ("huts", "query.market_price", False)
    ]


def test_a_renamed_place_breaks_the_modules_that_name_it(changed: Path) -> None:
    edit(changed, "use_edges", "resolve_edges")
    found = compare_versions(read_version("cacao"), read_version(str(changed))).comparison
    (change,) = found.changes
    assert change.path == "step.resolve_edges"
    assert "huts" in {risk.module for risk in change.at_risk if risk.breaks}
    assert found.verdicts.interface == "breaking"


def test_modules_in_play_are_part_of_the_rules(changed: Path) -> None:
    edit(
        changed,
        "query market_price(p: Player, price: 2..4) = price",
        "query market_price(p: Player, price: 2..4) = 2",
    )
    sides = read_version("cacao+huts"), read_version(f"{changed}+huts")
    found = compare_versions(*sides).comparison
    assert {change.path for change in found.changes} == {"query.market_price"}
    assert all(not change.at_risk for change in found.changes)
    old, new = found.changes[0].old, found.changes[0].new
    assert old is not None
    assert new is not None
    assert old.text != new.text


def test_a_module_that_compiles_over_the_new_game_is_not_broken(changed: Path) -> None:
    # Huts speak of the query; with another parameter's bound they still fit.
    edit(
        changed,
        "query market_price(p: Player, price: 2..4) = price",
        "query market_price(p: Player, price: 1..4) = price",
    )
    found = compare_versions(read_version("cacao"), read_version(str(changed))).comparison
    assert {risk.module for change in found.changes for risk in change.at_risk if risk.breaks} == set()
    assert "huts" in {risk.module for change in found.changes for risk in change.at_risk}


def test_what_breaks_a_module_is_the_compilers_word(changed: Path) -> None:
    edit(changed, "use_edges", "resolve_edges")
    found = compare_versions(read_version("cacao"), read_version(str(changed))).comparison
    (change,) = found.changes
    said = {risk.module: risk.why for risk in change.at_risk if risk.breaks}
    assert "'use_edges'" in said["huts"]
    assert "'use_edges'" in " ".join(to_text(found, width=80).split())
    assert "market" not in " ".join(said.values())


def test_a_module_for_an_older_version_is_broken(changed: Path) -> None:
    edit(changed, "version 1.0.0", "version 2.0.0")
    edit(changed, "gold: 0..9999 = 0, open", "gold: 0..9999 = 1, open")
    found = compare_versions(read_version("cacao"), read_version(str(changed))).comparison
    broken = {risk.module for change in found.changes for risk in change.at_risk if risk.breaks}
    assert {"huts", "map", "chocolate"} <= broken
