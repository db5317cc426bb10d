"""Texts and what the formatter makes of them: the data lies in `cases/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.format import format_source
from conche.source import Source
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from syntax.casefiles import Case, cases_of

CASES = cases_of(Path(__file__).parent / "cases" / "layout.txt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_is_laid_out_as_shown(case: Case) -> None:
    source = Source("case.rules", case.source)
    file, found = parse(source)
    # The cases do without a header.
    assert {finding.code for finding in found} <= {"C0120"}
    text = format_source(source)
    assert text == case.expected
    assert format_source(Source("case.rules", text)) == text
    assert dump(parse(Source("case.rules", text))[0]) == dump(file)
