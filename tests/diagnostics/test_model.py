"""Codes, the JSON form, and 'did you mean'."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conche.diagnostics import CODES, Fix, Label, Severity, closest, diagnose, did_you_mean, has_errors
from conche.diagnostics.codes import RANGES
from conche.diagnostics.render_json import render_json
from conche.diagnostics.suggest import edit_distance
from conche.source import Source


def test_codes_are_in_order_and_in_their_range() -> None:
    for prefix, codes in RANGES.items():
        numbers = [code.code for code in codes]
        assert numbers == sorted(set(numbers))
        assert all(re.fullmatch(prefix + r"\d\d", number) for number in numbers)
    assert list(CODES) == sorted(CODES)
    names = [code.name for code in CODES.values()]
    assert len(set(names)) == len(names)
    for code in CODES.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name)
        assert code.summary.endswith(".")


def test_diagnose_takes_the_severity_of_the_code() -> None:
    found = diagnose("C0001", "there is no file 'a'", notes=["n"], help=["h"])
    assert (found.severity, found.notes, found.help, found.main) == (Severity.ERROR, ("n",), ("h",), None)
    assert has_errors([found])
    assert not has_errors([])
    with pytest.raises(KeyError):
        diagnose("C9999", "no such code")


def test_the_main_label_is_the_first_primary_one() -> None:
    source = Source("a", "ab")
    one, two = Label(source.span(0, 1), primary=False), Label(source.span(1, 2))
    assert diagnose("C0001", "t", one, two).main == two
    assert diagnose("C0001", "t", one).main == one


def test_json_schema() -> None:
    source = Source("a.rules", "sтep\n")
    span = source.span(0, 4)
    found = diagnose(
        "C0001",
        "t",
        Label(span, "x", False),
        notes=["n"],
        help=["h"],
        fixes=[Fix(span, "step", "write `step`")],
    )
    place = {
        "file": "a.rules", "start": 0, "end": 4, "line": 1, "column": 1, "end_line": 1, "end_column": 5,
    }  # fmt: skip
    assert json.loads(render_json([found, found])) == {
        "conche": 1,
        "diagnostics": [
            {
                "code": "C0001",
                "name": "missing-file",
                "severity": "error",
                "title": "t",
                "labels": [{"span": place, "text": "x", "primary": False}],
                "notes": ["n"],
                "help": ["h"],
                "fixes": [{"span": place, "replacement": "step", "text": "write `step`", "safe": True}],
            }
        ],
    }
    assert json.loads(render_json([])) == {"conche": 1, "diagnostics": []}


def test_a_name_is_proposed_once() -> None:
    """By the fix that writes it, where there is one."""
    span = Source("a.rules", "pott").span(0, 4)
    fix, other = Fix(span, "pot", "write 'pot'"), Fix(span, "pots", "write 'pots'")
    asked = ("did you mean 'pot'?", "it is a name")
    found = diagnose("C0201", "t", help=asked, fixes=iter([fix]))
    assert (found.help, found.fixes) == (("it is a name",), (fix,))
    assert diagnose("C0201", "t", help=asked, fixes=[other]).help == asked
    assert diagnose("C0201", "t", help=asked).help == asked


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("fil", "did you mean 'fill'?"),
        ("flil", "did you mean 'fill'?"),
        ("Fill", "did you mean 'fill'?"),
        ("gem-mines", "did you mean 'gem_mines'?"),
        ("markets", "did you mean 'market' or 'marker'?"),
        ("zebra", None),
        ("fill", None),
        ("x", None),
        ("", None),
    ],
)
def test_did_you_mean(word: str, hint: str | None) -> None:
    names = ["fill", "market", "marker", "gem_mines", "at", "e"]
    random.Random(word).shuffle(names)
    assert did_you_mean(word, names) == hint


def test_closest_is_limited_and_sorted() -> None:
    assert closest("card", ["cart", "care", "bard", "cards", "hard"], 2) == ["bard", "cards"]


@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.integers(0, 7))
def test_edit_distance_is_one_distance_cut_at_the_limit(a: str, b: str, limit: int) -> None:
    full = edit_distance(a, b, 20)
    assert edit_distance(a, b, limit) == min(full, limit + 1)
    assert edit_distance(b, a, 20) == full
    assert (full == 0) == (a == b)
