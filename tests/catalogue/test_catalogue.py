"""The catalogue of broken rules files: what is said of each, and that it is mended so."""

from __future__ import annotations

import os
import re

import pytest

from conche.diagnostics.codes import CODES
from slices import slice_of

from .catalogue import Case, ask, cases, edited, mended, update

pytestmark = pytest.mark.slow

if os.environ.get("CONCHE_UPDATE") == "1":
    update()

CASES = cases()


def _name(case: Case) -> str:
    return f"{case.file.stem}: {case.name}"


@pytest.mark.parametrize("case", slice_of(CASES, 50), ids=_name)
def test_a_broken_file_is_explained(case: Case) -> None:
    answer = ask(case, case.text)
    assert answer.text == case.expected
    for finding in answer.found:
        # What to write is said: by a change, in words, or by a second place that explains the first.
        helped = finding.fixes or finding.help or finding.notes or len(finding.labels) > 1
        assert helped or (finding.main is not None and finding.main.text), finding.title


@pytest.mark.parametrize("case", slice_of(CASES, 25), ids=_name)
def test_what_is_said_mends_it(case: Case) -> None:
    """By the tool where it can; else by what the case says that an author would write."""
    way, *lines = case.mending.split("\n")
    kind, _, what = way.partition(":")
    text, made = mended(case)
    if kind == "fix":
        assert made
    elif kind == "partly":
        assert made
        assert ask(case, text).text
        text = case.base
    else:
        assert not made, "the tool mends it"
        if kind == "proposal":
            text, made = mended(case, proposals=True)
            assert made
        else:
            assert kind == "by hand"
            assert not mended(case, proposals=True)[1] or lines, "there is a proposal"
            text = edited(case.text, lines) if lines else case.base
    if what.strip() == "as it was":
        assert text == case.base != case.text
    elif kind != "by hand":
        for line in lines:
            assert line[2:] in text.split("\n")
        assert text != case.base
    assert ask(case, text).text == ""


def test_there_are_enough_and_names_tell_them_apart() -> None:
    assert len(CASES) >= 120
    assert len({case.name for case in CASES}) == len(CASES)


def test_most_codes_that_authors_meet_are_in_it() -> None:
    met = {code for code in CODES if code[:3] in ("C01", "C02", "C03", "C04")}
    shown = set(re.findall(r"\[(C0\d\d\d)\]", "".join(case.expected for case in CASES)))
    # Others need files that are no text, clause files, several modules, or games that no short edit makes.
    assert len(shown) >= 0.7 * len(met), sorted(met - shown)


def test_several_mistakes_are_all_reported_and_none_twice() -> None:
    several = [case for case in CASES if case.file.stem == "several"]
    assert len(several) >= 8
    for case in several:
        assert len(findings_of(case)) >= 2
        assert len(set(findings_of(case))) == len(findings_of(case)), case.name


def test_one_mistake_is_one_finding() -> None:
    for case in CASES:
        if case.file.stem != "several":
            assert len(findings_of(case)) == 1, case.name


def findings_of(case: Case) -> list[str]:
    """The findings that a case expects: code, title and place."""
    return re.findall(r"^(?:error|warning)\[C\d{4}\]: .*\n.*$", case.expected, re.MULTILINE)
