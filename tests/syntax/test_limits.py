"""Limits: whatever the text, there is a diagnostic and never a traceback, and soon."""

from __future__ import annotations

import pytest

from conche.source import Source
from conche.syntax.dump import dump
from conche.syntax.from_text import MAX_BROKEN, parse
from conche.syntax.reading import MAX_DEPTH
from conche.syntax.scan import MAX_BRACKETS
from conche.syntax.to_text import to_text

MANY = 10_000

LONG = {
    "a sum": ("query f() = " + " + ".join(["a"] * MANY), "C0109"),
    "a condition": ("query f() = " + " or ".join(["a"] * MANY), "C0109"),
    "parentheses": ("query f() = " + "(" * MANY + "a" + ")" * MANY, "C0109"),
    "open parentheses": ("query f() = " + "(" * MANY, "C0109"),
    "closed parentheses": ("query f() = " + ")" * MANY, "C0104"),
    "mixed brackets": ("query f() = " + "([" * 90 + ")]" * 90, "C0105"),
    "negations": ("query f() = " + "not " * MANY + "a", "C0109"),
    "negations of nothing": ("query f() = " + "not " * MANY, "C0114"),
    "minus signs": ("query f() = " + "- " * MANY + "a", "C0109"),
    "attributes": ("query f() = a" + ".b" * MANY, "C0109"),
    "indices": ("query f() = a" + "[b]" * MANY, "C0109"),
    "conditional values": ("query f() = " + "if a then b else " * MANY + "c", "C0109"),
    "calls": ("query f() = " + "f(" * 150 + "a" + ")" * 150, "C0109"),
    "types": ("var x: " + "maybe " * MANY + "Player, open", "C0109"),
    "blocks": (
        "step x\n" + "".join(" " * i + "repeat\n" for i in range(1, 999)) + " " * 999 + "stop",
        "C0109",
    ),
    "else if": ("step x\n  if a: stop\n" + "  else if b: stop\n" * MANY, "C0109"),
    "unknown characters": ("step x\n" + "  @\n" * MANY, "C0101"),
    "commas": ("values a = [" + "," * MANY + "]", "C0114"),
    "quotation marks": ("ruling §A1 " + '"' * MANY, "C0114"),
    "digits": ("query f() = " + "1" * MANY, "C0110"),
    "tabs": ("step x\n" + "\tstop\n" * MANY, "C0106"),
    "mistakes in one declaration": ("step x\n" + "  gain 3\n" * MANY, "C0114"),
    "one long wrong name": ("query f() = " + "aB" * MANY, "C0111"),
}

FINE = {
    "a list": "query f() = [" + ", ".join(["a"] * MANY) + "]",
    "a long name": "query f() = " + "a" * MANY,
    "statements": "step x\n" + "  gain 3 gold\n" * MANY,
    "declarations": "step x: gain 3 gold\n" * MANY,
    "citations": "step x " + "§1 " * MANY + "\n  stop",
    "blank lines": "step x\n" + "\n" * MANY + "  stop",
    "blanks": "step x\n" + " " * MANY + "stop",
    "parentheses at the limit": "query f() = " + "(" * MAX_BRACKETS + "a" + ")" * MAX_BRACKETS,
    "a sum at the limit": "query f() = " + " + ".join(["a"] * (MAX_DEPTH - 2)),
    "blocks at the limit": "step x\n"
    + "".join(" " * i + "repeat\n" for i in range(1, MAX_DEPTH - 1))
    + " " * (MAX_DEPTH - 1)
    + "stop",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_too_much_is_a_diagnostic(name: str) -> None:
    text, code = LONG[name]
    _, found = parse(Source("a.rules", f'game g "G"\n\n{text}\n'))
    assert found[0].code == code
    assert len(found) <= 10
    assert all(len(diagnostic.title) < 300 for diagnostic in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", FINE)
def test_much_is_read(name: str) -> None:
    file, found = parse(Source("a.rules", f'game g "G"\n\n{FINE[name]}\n'))
    assert not found
    again, found = parse(Source("a.rules", to_text(file)))
    assert not found
    assert dump(again) == dump(file)


def test_a_file_of_mistakes_is_left_alone_after_a_while() -> None:
    _, found = parse(Source("a.rules", 'game g "G"\n' + "step x: gain 3\n" * MANY))
    assert len(found) == MAX_BROKEN + 1
    assert found[-1].code == "C0134"
