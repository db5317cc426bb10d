"""Every token counts: a file without it is wrong or says something else. One mistake is one diagnostic."""

from __future__ import annotations

import random

import pytest

from conche.source import Source
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from conche.syntax.split import split
from slices import slice_of
from syntax.texts import Deletion, cacao, deletions, meaning, rules_sources, start_of

SLICE = 200
"""How many tokens of each file an ordinary run deletes."""


def silent(found: list[Deletion]) -> list[tuple[str, str]]:
    """The deletions that leave a declaration right and its meaning the same."""
    original = {
        piece: meaning(piece.text, start_of(piece)) for piece in {deletion.piece for deletion in found}
    }
    return [
        (str(deletion.token), deletion.text)
        for deletion in found
        if meaning(deletion.text, start_of(deletion.piece)) == original[deletion.piece]
    ]


def test_no_token_can_be_left_out_of_the_sample() -> None:
    assert not silent(random.Random(3).sample(deletions(cacao()), 300))


@pytest.mark.slow
@pytest.mark.parametrize("source", rules_sources(), ids=lambda source: source.name)
def test_no_token_can_be_left_out(source: Source) -> None:
    assert not silent(slice_of(deletions(source), SLICE))


@pytest.mark.slow
def test_no_line_end_can_be_left_out() -> None:
    same = []
    for piece in split(cacao().text):
        lines = piece.text.rstrip("\n").split("\n")
        for i in range(1, len(lines)):
            text = "\n".join([*lines[: i - 1], f"{lines[i - 1]} {lines[i].lstrip()}", *lines[i + 1 :], ""])
            goes_on = lines[i - 1].rstrip().endswith((",", "="))
            if not goes_on and meaning(text, start_of(piece)) == meaning(piece.text, start_of(piece)):
                same.append(text)
    assert not same


@pytest.mark.slow
def test_one_mistake_is_one_diagnostic_and_spoils_one_declaration() -> None:
    source = cacao()
    original, found = parse(source)
    assert not found
    assert original.header is not None
    for deletion in random.Random(7).sample(deletions(source), 40):
        if meaning(deletion.text, start_of(deletion.piece)) is not None:
            continue
        start = deletion.piece.start
        text = source.text[:start] + deletion.text + source.text[start + len(deletion.piece.text) :]
        file, found = parse(Source(source.name, text))
        assert len(found) == 1, (deletion.text, [d.title for d in found])
        place = found[0].labels[0].span
        assert start <= place.start <= start + len(deletion.text)
        others = [
            decl for decl in original.decls if not start <= decl.span.start < start + len(deletion.piece.text)
        ]
        kept = [decl for decl in file.decls if not start <= decl.span.start < start + len(deletion.text)]
        assert [dump(decl) for decl in kept] == [dump(decl) for decl in others]


def test_mistakes_in_two_declarations_are_both_reported() -> None:
    _, found = parse(
        Source("a.rules", 'game g "G"\n\nstep x\n  gain 3\n\nstep y\n  stop\n\nstep z\n  pay 4\n')
    )
    assert [(d.code, d.labels[0].span.line) for d in found] == [("C0114", 4), ("C0114", 10)]
