"""Every finding of every check, and near cases that are good."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import pytest

import conche.validate
from conche.diagnostics.codes import CODES
from conche.diagnostics.model import Diagnostic, Severity, in_order
from conche.graph.model import ActionGraph
from conche.validate import CHECKS, validate
from validate.snippets import Snippet, graph_of, snippets

_CASES = [pytest.param(case, id=str(case)) for case in snippets()]


def _check(name: str) -> Callable[[ActionGraph], list[Diagnostic]]:
    found: Callable[[ActionGraph], list[Diagnostic]] = getattr(
        importlib.import_module(f"conche.validate.{name}"), name
    )
    return found


@pytest.mark.parametrize("case", _CASES)
def test_finds_what_is_marked(case: Snippet) -> None:
    findings = in_order(_check(case.check)(graph_of(case.text)))
    places = [(d.code, d.main.span.start) for d in findings if d.main is not None]
    assert sorted(places) == sorted(case.marks), [d.title for d in findings]
    assert [d.title for d in findings] == list(case.titles)


@pytest.mark.parametrize("case", _CASES)
def test_findings_say_enough(case: Snippet) -> None:
    for finding in validate(graph_of(case.text)):
        assert finding.main is not None
        assert all(0 <= label.span.start < label.span.end <= len(case.text) for label in finding.labels)
        if CODES[finding.code].severity is Severity.ERROR:
            assert finding.help or finding.notes or len(finding.labels) > 1, finding.title


def test_every_code_has_a_bad_case_and_every_check_a_good_one() -> None:
    shown = {code for case in snippets() for code, _ in case.marks}
    elsewhere = {"C0320", "C0321", "C0370"}  # test_choices.py; tests/lattice
    assert shown == {code for code in CODES if code.startswith("C03")} - elsewhere
    good = {case.check for case in snippets() if not case.marks}
    assert good == {check.__name__ for check in CHECKS}


def test_every_check_is_in_the_list_and_in_a_file_of_its_name() -> None:
    files = {module.name for module in pkgutil.iter_modules(conche.validate.__path__)}
    assert {name for name in files if name.startswith("check_")} == {check.__name__ for check in CHECKS}
    for check in CHECKS:
        assert importlib.import_module(f"conche.validate.{check.__name__}").__doc__


def test_names_are_told_apart() -> None:
    names = [str(case) for case in snippets()]
    assert len(names) == len(set(names))
