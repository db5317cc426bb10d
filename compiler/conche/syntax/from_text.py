"""Text to AST: the first stage of the compiler.

Input: a `Source`. Output: a `File`, and the diagnostics of what could not be read.
Invariants: never raises for any text; a declaration that could not be read is an `ErrorDecl`, one of its
statements an `ErrorStmt`, and neither without a diagnostic; nothing in one declaration changes how another is
read. Declarations are remembered by their text, so that parsing again after an edit reads one of them.
"""

from __future__ import annotations

import re

from conche.diagnostics import Diagnostic, Label, diagnose, in_order
from conche.source import Source, Span
from conche.syntax import ast
from conche.syntax.split import Piece, split

MAX_BROKEN = 100
"""How many declarations of a file are explained before the rest is left alone."""

_HEADERS = ("game", "module")

_NO_DECLARATION = ("C0108", "C0115")
"""Codes of lines that begin no declaration."""

_NAME = re.compile(r"\w+[ \t]+(?P<name>[a-z][a-z0-9_]*|[A-Z][A-Za-z0-9]*)\b")


def parse(source: Source, *, scenarios: bool = True) -> tuple[ast.File, list[Diagnostic]]:
    """Reads one rules file. The diagnostics are in order; without one of them the file is whole.

    `scenarios`: whether they are read too, those in `with` parts aside.
    """
    from conche.syntax.scan import comments

    pieces = split(source.text)
    found: list[Diagnostic] = []
    header: ast.Header | None = None
    header_at: Span | None = None
    decls: list[ast.Decl] = []
    open_bracket: Diagnostic | None = None
    broken = 0
    for piece in pieces:
        if piece.word == "scenario" and not scenarios:
            continue
        if broken == MAX_BROKEN:
            found.append(_too_many(source, piece))
            break
        if piece.indented:
            found.append(_indented(source, piece))
            if piece.text.split(maxsplit=1)[0] in _HEADERS:
                header_at = _first_line(source, piece)
            continue
        is_header = _is_header(piece, first=header_at is None and not decls)
        if is_header and header_at is not None:
            found.append(_second_header(source, piece, header_at))
            continue
        tree_part, problems = _read(source, piece, is_header)
        if open_bracket is not None and _goes_on(problems):
            # The line before left a bracket open; this line was meant to be inside.
            found.remove(open_bracket)
            found.append(_not_indented(source, piece, open_bracket))
            open_bracket = None
            continue
        open_bracket = next((d for d in problems if d.code == "C0105"), None)
        found += problems
        broken += bool(problems)
        if isinstance(tree_part, ast.Header) or (is_header and tree_part is None):
            header = tree_part
            header_at = source.span(piece.start, piece.start + len(piece.word))
            if any(not isinstance(decl, ast.ErrorDecl) for decl in decls):
                found.append(_late_header(header_at, decls[0]))
        else:
            assert tree_part is not None
            decls.append(tree_part)
    if header_at is None:
        missing = _no_header(source, pieces)
        # A first line that begins nothing was to be the header: one mistake, not two.
        found = [
            d for d in found if not (d.code in _NO_DECLARATION and not d.fixes and _line(d) == _line(missing))
        ]
        found.append(missing)
    spans = tuple(source.span(start, end) for start, end in comments(source.text))
    return ast.File(source.name, header, tuple(decls), spans), in_order(found)


def _is_header(piece: Piece, *, first: bool) -> bool:
    """Whether a piece is the header; a first one also when its word is misspelt."""
    if piece.word in _HEADERS:
        return True
    if not first:
        return False
    from conche.diagnostics import closest
    from conche.syntax.explain.words import DECLARATIONS

    return closest(piece.word, (*_HEADERS, *DECLARATIONS), 1)[:1] in (["game"], ["module"]) and bool(
        re.match(r'\w+[ \t]+\w+[ \t]+"', piece.text)
    )


def _read(
    source: Source, piece: Piece, is_header: bool
) -> tuple[ast.Header | ast.Decl | None, list[Diagnostic]]:
    """A header (None when it could not be read) or a declaration, and what is wrong with it."""
    # lark costs more to import than most of what the tool does besides.
    from conche.syntax.build.declarations import declaration, header
    from conche.syntax.build.places import Place, RefusedError
    from conche.syntax.reading import read

    reading = read(piece.text, "header" if is_header else "decl")
    place = Place(source, piece.start, [problem.at(source, piece.start) for problem in reading.problems])
    built: ast.Header | ast.Decl | None = None
    if reading.tree is not None:
        try:
            built = header(reading.tree, place) if is_header else declaration(reading.tree, place)
        except RefusedError as refused:
            place.found.append(refused.diagnostic)
    if built is None and not is_header:
        assert place.found, "an unreadable declaration was not reported"
        built = _unreadable(source, piece)
    return built, place.found


def _unreadable(source: Source, piece: Piece) -> ast.ErrorDecl:
    match = _NAME.match(piece.text)
    return ast.ErrorDecl(
        piece.word,
        match["name"] if match else None,
        source.span(piece.start, piece.start + len(piece.text.rstrip())),
    )


def _first_line(source: Source, piece: Piece) -> Span:
    line = piece.text.partition("\n")[0]
    blank = len(line) - len(line.lstrip())
    return source.span(piece.start + blank, piece.start + len(line.rstrip()))


def _line(diagnostic: Diagnostic) -> int:
    return diagnostic.main.span.line if diagnostic.main else 0


def _goes_on(problems: list[Diagnostic]) -> bool:
    return bool(problems) and any(d.code in ("C0115", "C0104") for d in problems)


def _not_indented(source: Source, piece: Piece, opened: Diagnostic) -> Diagnostic:
    bracket = opened.labels[0].span
    return diagnose(
        "C0105",
        "a line that continues a bracket is not indented",
        Label(_first_line(source, piece), "a declaration begins at the left margin, so this cannot go on"),
        Label(bracket, "this bracket is still open", primary=False),
        help=["indent the line, or close the bracket before it"],
    )


def _indented(source: Source, piece: Piece) -> Diagnostic:
    return diagnose(
        "C0108",
        "the first line of a file is indented",
        Label(_first_line(source, piece), "declarations begin at the left margin"),
    )


def _second_header(source: Source, piece: Piece, first: Span) -> Diagnostic:
    return diagnose(
        "C0121",
        "a file has one header",
        Label(source.span(piece.start, piece.start + len(piece.word)), "a second header"),
        Label(first, "the first one", primary=False),
        help=["a game and each of its modules have a file of their own"],
    )


def _late_header(header: Span, first: ast.Decl) -> Diagnostic:
    return diagnose(
        "C0122",
        "the header of a file comes first",
        Label(header, "the header is here"),
        Label(first.span, "after this declaration", primary=False),
    )


def _too_many(source: Source, piece: Piece) -> Diagnostic:
    return diagnose(
        "C0134",
        f"{MAX_BROKEN} declarations could not be read, and the rest of the file was left alone",
        Label(_first_line(source, piece), "not read from here on"),
    )


def _no_header(source: Source, pieces: list[Piece]) -> Diagnostic:
    forms = ['a file begins with `game NAME "Title"` or with `module NAME "Title" for GAME 1.x`']
    if not pieces:
        return diagnose(
            "C0128", "the file says nothing", Label(source.span(0, 0), "expected a header"), notes=forms
        )
    return diagnose(
        "C0120",
        "the file has no header",
        Label(_first_line(source, pieces[0]), "expected it here"),
        notes=forms,
    )
