"""Fixes are made together, once, and only where they are plain."""

from __future__ import annotations

from dataclasses import replace

from conche.diagnostics import Diagnostic, Fix, Label, diagnose
from conche.diagnostics.apply_fixes import apply_fixes
from conche.source import Source

TEXT = "one two three\nfour five\n"
A, B = Source("a", TEXT), Source("b", TEXT)


def finding(*edits: tuple[Source, str, str], safe: bool = True, title: str = "it is wrong") -> Diagnostic:
    """A finding that writes the second word in place of the first."""
    fixes = []
    for source, old, new in edits:
        start = source.text.index(old)
        fixes.append(Fix(source.span(start, start + len(old)), new, f"write {new}", safe))
    return diagnose("C0201", title, Label(fixes[0].span), fixes=fixes)


def applied(*findings: Diagnostic) -> tuple[dict[str, str], list[Diagnostic]]:
    result = apply_fixes(findings, {"a": A.text, "b": B.text})
    return dict(result.texts), list(result.mended)


def test_several_are_made_at_once() -> None:
    first, second = finding((A, "one", "1")), finding((A, "three", "3"), (A, "five", "55555"))
    texts, mended = applied(second, first)
    assert texts == {"a": "1 two 3\nfour 55555\n"}
    assert set(map(id, mended)) == {id(first), id(second)}


def test_all_fixes_of_a_finding_or_none() -> None:
    first, second = finding((A, "one", "1")), finding((A, "two", "2"), (A, "one", "un"))
    texts, mended = applied(second, first)
    assert (texts, mended) == ({"a": "1 two three\nfour five\n"}, [first])


def test_those_that_touch_wait_for_the_next_time() -> None:
    here, beside = finding((A, "one", "1")), finding((A, " ", "_"))
    texts, mended = applied(here, beside)
    assert (texts, mended) == ({"a": "1 two three\nfour five\n"}, [here])


def test_the_same_twice_is_made_once() -> None:
    texts, mended = applied(finding((A, "one", "1")), finding((A, "one", "1"), title="it is wrong again"))
    assert texts == {"a": "1 two three\nfour five\n"}
    assert len(mended) == 1


def test_one_finding_may_change_two_files() -> None:
    texts, _ = applied(finding((A, "one", "1"), (B, "one", "eins")))
    assert texts == {"a": "1 two three\nfour five\n", "b": "eins two three\nfour five\n"}


def test_a_proposal_is_left_to_the_author() -> None:
    assert applied(finding((A, "one", "1"), safe=False)) == ({}, [])
    mixed = finding((A, "one", "1"))
    unsure = Fix(A.span(4, 7), "2", "write 2", safe=False)
    both = diagnose("C0201", "it is wrong", fixes=[*mixed.fixes, unsure])
    assert applied(both) == ({}, [])


def test_a_file_that_is_not_at_hand_is_left() -> None:
    other = Source("c", TEXT)
    assert applied(finding((A, "one", "1"), (other, "one", "1"))) == ({}, [])
    assert applied(diagnose("C0201", "nothing to do")) == ({}, [])


def test_a_name_is_left_while_a_part_of_the_rules_cannot_be_read() -> None:
    name = replace(finding((A, "one", "1")), missing="one")
    unread = diagnose("C0114", "it cannot be read", Label(B.span(0, 3)))
    assert applied(name, unread) == ({}, [])
    assert applied(name)[1] == [name]
