"""What is said of right and of wrong texts, case by case: the data lies in `cases/`."""

from __future__ import annotations

import re

import pytest

from conche.diagnostics import Diagnostic
from conche.diagnostics.codes import CODES
from conche.diagnostics.render_text import render_text
from conche.source import Source
from conche.syntax import ast
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from conche.syntax.to_text import to_text
from syntax.casefiles import UPDATE, Case, cases, update

NO_HEADER = "C0120"


def read(case: Case) -> tuple[ast.File, list[Diagnostic]]:
    """The file, and what is wrong with it but for the header that most cases do without."""
    file, found = parse(Source("case.rules", case.source))
    whole = case.file.stem == "files"
    return file, found if whole else [d for d in found if d.code != NO_HEADER]


def say(case: Case) -> str:
    _, found = read(case)
    return render_text(found, {"case.rules": Source("case.rules", case.source)})


def show(case: Case) -> str:
    file, found = read(case)
    assert not found, say(case)
    return re.sub(r"^  ", "", dump(file).partition("\n")[2], flags=re.MULTILINE)


if UPDATE:
    update("bad", say)
    update("good", show)


@pytest.mark.parametrize("case", cases("bad"), ids=lambda case: f"{case.file.stem}: {case.name}")
def test_wrong_texts_are_explained(case: Case) -> None:
    assert say(case).rstrip("\n") + "\n" == case.expected


@pytest.mark.parametrize("case", cases("good"), ids=lambda case: f"{case.file.stem}: {case.name}")
def test_right_texts_are_read(case: Case) -> None:
    assert show(case) == case.expected


@pytest.mark.parametrize("case", cases("good"), ids=lambda case: f"{case.file.stem}: {case.name}")
def test_right_texts_survive_printing(case: Case) -> None:
    file, _ = read(case)
    text = to_text(file)
    again, _ = parse(Source("case.rules", text))
    assert dump(again) == dump(file), text
    assert to_text(again) == text


@pytest.mark.parametrize("case", cases("bad"), ids=lambda case: f"{case.file.stem}: {case.name}")
def test_applied_fixes_leave_fewer_mistakes(case: Case) -> None:
    _, found = read(case)
    for diagnostic in found:
        text = case.source
        for fix in sorted(diagnostic.fixes, key=lambda fix: fix.span.start, reverse=True):
            text = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
        if diagnostic.fixes:
            _, left = read(Case(case.file, case.name, text, ""))
            # What the mistake hid may show now, but on other lines.
            lines = {fix.span.line for fix in diagnostic.fixes}
            still = [d for d in left if d.main is not None and d.main.span.line in lines]
            assert len(left) < len(found) or not still or case.name in UNMENDED, (diagnostic.title, text)


UNMENDED = {"an inner bracket was not opened"}
"""Taking a bracket out is offered without a trial, since nothing parses while brackets do not match."""


def test_every_syntax_code_has_a_case() -> None:
    shown = set(re.findall(r"error\[(C01\d\d)\]", "".join(case.expected for case in cases("bad"))))
    known = {code for code in CODES if code.startswith("C01")}
    # Limits, which would make long cases, have tests of their own in test_limits.py.
    assert known - shown == {"C0109", "C0134"}
