"""Single edits, each with the class and verdict that a person expects."""

from __future__ import annotations

import pytest

from conche.compare.model import Comparison, Kind
from conche.semantics.canonical import digest
from slices import slice_of

from .edits import Edit, compared, edits

pytestmark = pytest.mark.slow

EDITS = edits()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_is_what_a_person_expects(edit: Edit) -> None:
    found = compared(edit.old, edit.new).comparison
    said = [f"{change.kind} {change.path}" for change in found.changes]
    assert sorted(set(said)) == sorted(set(edit.changes))
    verdicts = found.verdicts
    assert (verdicts.interface, verdicts.saves, verdicts.records) == edit.verdicts
    wording = all(change.kind is Kind.CLAUSE for change in found.changes)
    options = all(change.path.startswith(("option.", "players")) for change in found.changes)
    expected = "equal" if wording or options else edit.sameness
    assert found.sameness == expected


def test_there_are_enough_of_them() -> None:
    assert len(EDITS) >= 60
    classes = {line.split()[0] for edit in EDITS for line in edit.changes}
    assert classes == set(Kind)
    assert sum(not edit.changes for edit in EDITS) >= 8


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_equal_is_said_exactly_where_the_digests_are(edit: Edit) -> None:
    one = compared(edit.old, edit.new)
    same = digest(one.old.rulebook) == digest(one.new.rulebook)
    assert (one.comparison.sameness == "equal") == same
    assert (edit.changes == ()) == one.comparison.same


@pytest.mark.parametrize("edit", slice_of(EDITS, 25), ids=lambda edit: edit.name)
def test_backwards_the_same_places_differ(edit: Edit) -> None:
    there, back = compared(edit.old, edit.new).comparison, compared(edit.new, edit.old).comparison
    assert there.sameness == back.sameness
    assert len({change.path for change in there.changes}) == len({change.path for change in back.changes})
    assert sorted(_texts(there)) == sorted((new, old) for old, new in _texts(back))


def _texts(comparison: Comparison) -> list[tuple[str, str]]:
    """Old and new text of each change; of two that have changed places either may have moved."""
    return [
        (one.old.text if one.old else "", one.new.text if one.new else "")
        for one in comparison.changes
        if not one.what.endswith(": moved")
    ]
