"""Small modules: good ones equal what is merged by hand, in any order; bad ones are told why."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from conche.semantics.canonical import canonical
from modules.lab import Case, by_hand, cases, marked, plain, put_together

_FOLDER = Path(__file__).parent / "cases"


def _each(name: str) -> list[object]:
    return [pytest.param(case, id=case.name) for case in cases(_FOLDER / name)]


@pytest.mark.parametrize("case", _each("good.cases"))
def test_equals_what_is_merged_by_hand(case: Case) -> None:
    assert case.merged is not None
    wanted = by_hand(case.merged)
    for texts in permutations(case.modules):
        composed = put_together(texts)
        assert [d.title for d in composed.diagnostics] == []
        assert composed.rulebook is not None
        assert plain(canonical(composed.rulebook)) == wanted


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_finds_what_is_marked(case: Case) -> None:
    composed = put_together(case.modules)
    assert composed.rulebook is None
    assert [d.title for d in composed.diagnostics] == list(case.titles)
    if case.marks:
        assert marked(composed.diagnostics, case.modules) == list(case.marks)


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_a_clash_shows_both_places_and_a_way_out(case: Case) -> None:
    for finding in put_together(case.modules).together:
        if finding.code in ("C0212", "C0236", "C0237") and len(case.modules) > 1:
            assert len({label.span.file for label in finding.labels}) == 2
            assert finding.help
            assert finding.notes or finding.code == "C0237"


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_the_same_is_found_in_any_order(case: Case) -> None:
    wanted = sorted(d.title for d in put_together(case.modules).diagnostics)
    for texts in permutations(case.modules):
        assert sorted(d.title for d in put_together(texts).diagnostics) == wanted
