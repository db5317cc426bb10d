"""No token of the base game can be left out unnoticed, nor of a small game of windows and choices at once.

Each token of cacao.rules and of golden/windows.rules is deleted in turn: either something is found, or the
rules, or what a person reads beside them, are not the same. An ordinary run takes a slice of the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conche.modules.load import load_source
from conche.resources import find_game
from conche.semantics import rulebook as rb
from conche.semantics.canonical import digest
from conche.semantics.walk import walk
from conche.source import Source, read_source
from slices import slice_of

_TOKEN = re.compile(r"[ \n]+|#[^\n]*|\"[^\"\n]*\"|§[A-Z]?\d+(?:\.\d+)*[a-z]?|\d+(?:\.\d+)+|\w+|\.\.|[<>!]=|.")

PARTS = 8
"""Into how many tests the tokens are divided, for several workers."""

SLICE = 160
"""How many tokens an ordinary run deletes."""


GAMES: dict[str, tuple[Path | None, tuple[dict[str, str], ...]]] = {
    "cacao": (find_game("cacao"), ({"first_seat": "zero"}, {"first_seat": "random"})),
    "windows": (Path(__file__).parent / "golden" / "windows.rules", ({},)),
}
"""Where each game lies, and the options that it is read with."""


def source(game: str) -> Source:
    path, _ = GAMES[game]
    assert path is not None
    whole = read_source(path, f"{game}.rules").text
    rules = "\n".join(line for line in whole.split("\n") if not line.startswith("  clauses "))
    return Source(f"{game}.rules", re.split(r"^scenario", rules, maxsplit=1, flags=re.MULTILINE)[0])


def tokens(text: str) -> Iterator[re.Match[str]]:
    for token in _TOKEN.finditer(text):
        if token[0].strip() and not token[0].startswith("#"):
            yield token


def meaning(game: str, text: str) -> object:
    """What the rules say and what is written beside them; None when something is found."""
    first, *more = GAMES[game][1]
    plain = _meaning(game, text, first)
    return None if plain is None else (plain, *(_meaning(game, text, options) for options in more))


def _meaning(game: str, text: str, options: dict[str, str]) -> object:
    result = load_source(Source(f"{game}.rules", text), ruleset=game, options=options)
    book = result.rulebook
    if book is None or result.diagnostics:
        return None
    cites = [
        (type(node).__name__, node.cites)
        for node in walk((tuple(book.steps.values()), book.setup, book.play))
        if hasattr(node, "cites")
    ]
    beside = [
        (path, node.cites)
        for group in (book.queries, book.actions, book.scores, book.zones, book.variables, book.conserved)
        for path, node in group.items()
    ]
    others = [
        (node.name, node.cites)
        for group in (book.enums, book.pieces, book.boards, book.tracks, book.options)
        for node in group.values()
    ]
    holds = [hold.cites for board in book.boards.values() for hold in board.holds]
    cases = [case.cites for action in book.actions.values() for case in action.cases]
    inner = [
        (type(node).__name__, node.cites)
        for action in book.actions.values()
        for node in walk(action.cases)
        if isinstance(node, rb.Choose | rb.SetPlace | rb.Case | rb.Stop)
    ]
    lets = [let.cites for query in book.queries.values() for let in query.lets]
    answers = [case.cites for query in book.queries.values() for case in query.cases]
    return (
        digest(book),
        cites,
        beside,
        others,
        holds,
        cases,
        inner,
        lets,
        answers,
        book.setup_cites,
        book.play_cites,
        book.rank.cites,
        {option.name: (option.values, option.default) for option in book.options.values()},
        (book.game, book.title, book.versions, book.seats),
    )


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", GAMES)
def test_every_token_counts(game: str, part: int) -> None:
    text = source(game).text
    whole = meaning(game, text)
    assert whole is not None
    unnoticed = []
    for token in slice_of(list(tokens(text)), SLICE)[part::PARTS]:
        shorter = text[: token.start()] + text[token.end() :]
        if meaning(game, shorter) == whole:
            line = text.count("\n", 0, token.start()) + 1
            unnoticed.append(f"{line}: {token[0]}")
    assert unnoticed == []
