"""Findings of one missing name are one finding, and a misspelt declaration is what is blamed for them."""

from __future__ import annotations

from dataclasses import replace

from conche.diagnostics import Diagnostic, Fix, Label, diagnose
from conche.diagnostics.gather import gather
from conche.source import Source

SOURCE = Source("a", 'var pears # a note on pears and pear\nset pear\nset pear\nadd pear to "pears"\n')
USES = [SOURCE.text.index("pear", at) for at in (37, 46, 55)]


def unknown(at: int, *near: str, name: str = "pear") -> Diagnostic:
    span = SOURCE.span(at, at + len(name))
    fixes = [Fix(span, other, f"write '{other}'") for other in near]
    return replace(diagnose("C0201", f"there is no name '{name}'", Label(span), fixes=fixes), missing=name)


def gathered(*found: Diagnostic) -> list[Diagnostic]:
    return gather(found, {"a": SOURCE})


def test_a_declaration_that_nothing_else_speaks_of_is_misspelt() -> None:
    (one,) = gathered(*(unknown(at, "pears") for at in USES))
    assert one.title == "'pear' is spoken of in 3 places, and 'pears' is declared"
    assert one.main is not None
    assert (one.main.span.line, one.main.span.column) == (1, 5)
    assert [label.span.line for label in one.labels[1:]] == [2, 3, 4]
    assert [(fix.span.start, fix.replacement) for fix in one.fixes] == [(4, "pear")]


def test_one_use_says_nothing_about_the_declaration() -> None:
    found = unknown(USES[0], "pears")
    assert gathered(found) == [found]


def test_a_name_that_is_spoken_of_elsewhere_is_right() -> None:
    (one,) = gathered(*(unknown(at, "set") for at in USES))
    assert one.title == "there is no name 'pear'"
    assert [label.primary for label in one.labels] == [True, False, False]
    assert [fix.span.start for fix in one.fixes] == USES


def test_what_is_mended_differently_stays_apart() -> None:
    assert len(gathered(unknown(USES[0], "set"), unknown(USES[1], "sit"), unknown(USES[2]))) == 3


def test_a_name_that_is_used_and_not_declared_here_is_right() -> None:
    source = Source("a", "set pear\nset pear\nadd 1 to pears\n")
    found = [
        replace(one, labels=(Label(source.span(at, at + 4)),))
        for one, at in ((unknown(USES[0], "pears"), 4), (unknown(USES[0], "pears"), 13))
    ]
    (one,) = gather(found, {"a": source})
    assert one.title == "there is no name 'pear'"


def test_different_names_and_other_findings_stay_as_they_are() -> None:
    others = [unknown(USES[0]), unknown(38, name="set"), diagnose("C0202", "twice", Label(SOURCE.span(0, 3)))]
    assert sorted(gathered(*others), key=repr) == sorted(others, key=repr)
