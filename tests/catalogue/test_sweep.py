"""Slips in the bundled rules: each is answered where it is, and misspelt names are known again."""

from __future__ import annotations

import pytest

from slices import ALL, slice_of

from .sweep import Slip, Verdict, files, gaps, judge, means_another, slips

pytestmark = pytest.mark.slow

LARGE = 20_000
"""Characters of rules of which even a run of everything takes a part."""


def chosen() -> list[Slip]:
    """A few slips of each file; in a run of everything all of the small files, a part of the others."""
    picked: list[Slip] = []
    for file in files():
        every = list(slips(file))
        if ALL and file.stat().st_size > LARGE:
            every = every[:: len(every) // 300]
        picked += slice_of(every, 4 if file.stat().st_size > LARGE else 7)
    return picked


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    return [judge(slip) for slip in chosen()]


def test_the_first_finding_is_on_the_line_or_names_the_slip(verdicts: list[Verdict]) -> None:
    assert [str(verdict.slip) for verdict in verdicts if not verdict.placed] == []


def test_misspelt_names_are_known_again(verdicts: list[Verdict]) -> None:
    known = [verdict for verdict in verdicts if verdict.meant is not None]
    lost = [str(verdict.slip) for verdict in known if not verdict.meant]
    # Of a short slice, one more than its share.
    assert len(lost) <= 0.05 * len(known) + (0 if ALL else 1), lost


def test_one_slip_is_one_finding_but_for_a_few(verdicts: list[Verdict]) -> None:
    several = [str(verdict.slip) for verdict in verdicts if verdict.errors > 1]
    assert len(several) <= 0.05 * len(verdicts) + (0 if ALL else 2), several


def test_what_the_tool_mends_unasked_means_what_it_meant() -> None:
    """Small files alone, as each slip is read several times. Of a misspelt name, a word that is left out and
    a line out of place: either it is what it was, or a mistake is left."""
    small = [file for file in files() if file.stat().st_size <= LARGE and file.parent.name == "examples"]
    tried = [slip for file in small for slip in slice_of([*gaps(file), *slips(file)], 12)]
    assert [str(slip) for slip in tried if means_another(slip)] == []


def test_there_are_slips_of_every_kind_and_some_are_found() -> None:
    (small, *_) = files()
    found = list(slips(small))
    assert len({slip.kind for slip in found}) == 5
    assert len(set(found)) == len(found) > 200
    assert all(slip.text != slip.file.read_text(encoding="utf-8") for slip in found)
