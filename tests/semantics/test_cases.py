"""Bad cases, each with its code, what is underlined and what is said; and good ones beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.diagnostics.codes import CODES
from conche.diagnostics.model import has_errors
from semantics.snippets import Snippet, check, places, snippets, typing

_FILES = sorted(Path(__file__).parent.glob("cases/*.cases"))
_CASES = [pytest.param(case, id=f"{path.stem}: {case.name}") for path in _FILES for case in snippets(path)]


@pytest.mark.parametrize("case", _CASES)
def test_finds_what_is_marked(case: Snippet) -> None:
    result = check(case.text)
    assert places(result.diagnostics) == sorted(case.marks, key=lambda mark: mark[1:])
    assert [diagnostic.title for diagnostic in typing(result.diagnostics)] == list(case.titles)
    assert (result.rulebook is None) == has_errors(result.diagnostics)


def test_every_code_of_this_stage_has_a_case() -> None:
    shown = {code for path in _FILES for case in snippets(path) for code, _, _ in case.marks}
    elsewhere = {
        f"C02{number}" for number in (12, *range(23, 29), *range(36, 40), *range(41, 44), 48, *range(53, 56))
    }
    # Those are of clause files, rulesets, modules, data files and of depth (test_depth.py).
    mine = {code for code in CODES if code.startswith("C02")}
    assert mine - elsewhere <= shown


def test_names_are_told_apart() -> None:
    names = [case.name for path in _FILES for case in snippets(path)]
    assert len(names) == len(set(names))
