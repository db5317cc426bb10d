"""What the tests of the syntax share: the rules files at hand, and how they are cut and compared."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token
from lark.exceptions import UnexpectedInput

from conche.resources import rules_dir
from conche.source import Source, read_source
from conche.syntax import tables
from conche.syntax.build.declarations import declaration, header
from conche.syntax.build.places import Place, RefusedError
from conche.syntax.dump import dump
from conche.syntax.layout import DedentError
from conche.syntax.scan import scan
from conche.syntax.split import Piece, split

LAYOUT = {"_NL", "_INDENT", "_DEDENT"}


def rules_sources() -> list[Source]:
    """All bundled rules files."""
    return [
        read_source(path, path.relative_to(rules_dir()).as_posix())
        for path in sorted(rules_dir().rglob("*.rules"))
    ]


def cacao() -> Source:
    return next(source for source in rules_sources() if source.name == "cacao/cacao.rules")


def start_of(piece: Piece) -> str:
    return "header" if piece.word in ("game", "module") else "decl"


def tokens_of(piece: Piece) -> list[Token]:
    """The written tokens of a declaration that is right."""
    parser = tables.load().parse_interactive(piece.text, start=start_of(piece))
    return [token for token in parser.iter_parse() if token.type not in LAYOUT]


def meaning(text: str, start: str) -> str | None:
    """The dump of a declaration; None when there is a mistake. Quick, since nothing is explained."""
    place = Place(Source("text", text), 0)
    if scan(text):
        return None
    try:
        tree = tables.load().parse(text, start=start)
        node = header(tree, place) if start == "header" else declaration(tree, place)
    except (UnexpectedInput, DedentError, RefusedError):
        return None
    return None if place.found or node is None else dump(node)


def without(text: str, token: Token) -> str:
    """The text without a token; a line's first one goes with the blanks after it: the block stays even."""
    start, end = token.start_pos, token.end_pos
    assert start is not None
    assert end is not None
    line = text[:start].rpartition("\n")[2]
    if line.strip():
        return f"{text[:start]} {text[end:]}"
    return text[:start] + text[end:].lstrip(" ")


@dataclass(frozen=True)
class Deletion:
    """A declaration without one of its tokens."""

    piece: Piece
    token: Token

    @property
    def text(self) -> str:
        return without(self.piece.text, self.token)


def deletions(source: Source) -> list[Deletion]:
    return [Deletion(piece, token) for piece in split(source.text) for token in tokens_of(piece)]
