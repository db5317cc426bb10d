"""Three versions: from the first over the second to the third nothing is lost or invented."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest

from conche.compare.model import Change, Comparison
from conche.compare.names import Name
from slices import slice_of

from .edits import GAME, Edit, applied, compared, edits, is_right, lines_of

pytestmark = pytest.mark.slow

EDITS = [edit for edit in edits() if edit.old == GAME]
PAIRS = [
    (first, second)
    for first, second in combinations(EDITS, 2)
    if not set(lines_of(first.name)) & set(lines_of(second.name))
]


def both(first: Edit, second: Edit) -> str | None:
    """The second edit after the first one; None where they are about the same lines."""
    try:
        return applied(first.new, lines_of(second.name))
    except AssertionError:
        return None


def told(comparison: Comparison) -> set[tuple[str, str, str, str]]:
    return {_told(change) for change in comparison.changes}


def _told(change: Change) -> tuple[str, str, str, str]:
    old, new = (text.text if text else "" for text in (change.old, change.new))
    return change.kind, change.path, old, new


def _as_called(path: str, renames: Mapping[Name, str]) -> str:
    """A path of the version between, as the last version calls it."""
    sort, _, name = path.partition(".")
    for old, new in renames.items():
        if sort == old.space and name == old.text:
            name = new
        elif sort == "argument" and old.space == "decision" and name.startswith(f"{old.text}."):
            name = f"{new}.{name.partition('.')[2]}"
    return f"{sort}.{name}" if name else sort


@pytest.mark.parametrize(
    ("first", "second"), slice_of(PAIRS, 40), ids=lambda edit: edit.name if isinstance(edit, Edit) else ""
)
def test_the_way_over_a_version_between(first: Edit, second: Edit) -> None:
    text = both(first, second)
    if text is None:
        pytest.skip("both are about the same lines")
    if not is_right(text):
        pytest.skip("together they have a mistake")
    one, two, whole = compared(GAME, first.new), compared(first.new, text), compared(GAME, text)
    paths = [{change.path for change in side.comparison.changes} for side in (one, two)]
    paths[0] = {_as_called(path, two.matched.renames) for path in paths[0]}
    whole_paths = {change.path for change in whole.comparison.changes}
    assert whole_paths == paths[0] | paths[1]
    if not paths[0] & paths[1] and not one.matched.renames and not two.matched.renames:
        assert told(whole.comparison) == told(one.comparison) | told(two.comparison)


@pytest.mark.parametrize("edit", slice_of(EDITS, 15), ids=lambda edit: edit.name)
def test_there_and_back_is_no_change(edit: Edit) -> None:
    assert compared(edit.new, edit.new).comparison.same
