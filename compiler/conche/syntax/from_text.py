"""Text to AST: the first stage of the compiler.

Input: a `Source`. Output: a `File`, and the diagnostics of what could not be read.
Invariants: never raises for any text; a declaration that could not be read is an `ErrorDecl`, one of its
statements an `ErrorStmt`, and neither without a diagnostic; nothing in one declaration changes how another is
read. Declarations are remembered by their text, so that parsing again after an edit reads one of them.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace

from conche.diagnostics import Diagnostic, Fix, Label, diagnose, in_order, is_slip
from conche.source import Source, Span
from conche.syntax import ast
from conche.syntax.split import Piece, split
from conche.syntax.unreadable import unreadable

MAX_BROKEN = 100
"""How many declarations of a file are explained before the rest is left alone."""

_HEADERS = ("game", "module")

_TYPE = re.compile(r'"[^"\n]*"|#[^\n]*|\b([A-Z][A-Za-z0-9]*)\b')

_BUILT_IN = frozenset({"Player", "Space", "Side", "Edge"})
"""Types that every file knows."""

_FIRST_WORD = re.compile(r"\w+")

_NO_DECLARATION = ("C0108", "C0115")
"""Codes of lines that begin no declaration."""


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
    waiting = deque(pieces)
    while waiting:
        piece = waiting.popleft()
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
        late = _late_declaration(piece, problems)
        if late is not None:
            found.append(_not_at_the_margin(source, late))
            line_start = late.start - piece.start - late.indent
            waiting.extendleft((Piece(late.start, late.text), Piece(piece.start, piece.text[:line_start])))
            continue
        unindented = _unindented_block(source, piece, waiting, problems)
        if unindented is not None:
            found.append(unindented[0])
            decls.append(unindented[1])
            continue
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
    if any(one.code == "C0111" for one in found):
        types = {match[1] for match in _TYPE.finditer(source.text) if match[1]}
        found = [_with_known_type(one, source, types) for one in found]
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
        text = piece.text.rstrip()
        built = unreadable(text, source.span(piece.start, piece.start + len(text)))
    return built, place.found


@dataclass(frozen=True, slots=True)
class _Late:
    """A declaration that is indented by so many blanks: its text from its first word on."""

    start: int
    text: str
    indent: int


def _late_declaration(piece: Piece, problems: list[Diagnostic]) -> _Late | None:
    """A declaration in what was taken for the block of another, because it is indented."""
    from conche.syntax.explain.alignment import late_declaration

    for problem in problems:
        if problem.code == "C0107" and problem.fixes:
            return None  # it belongs to a part, and is a blank too far from its place there
        if problem.main is not None and problem.main.span.start > piece.start:
            begin = late_declaration(piece.text, problem.main.span.start - piece.start)
            if begin is not None:
                indent = begin - piece.text.rfind("\n", 0, begin) - 1
                return _Late(piece.start + begin, piece.text[begin:], indent)
    return None


def _not_at_the_margin(source: Source, late: _Late) -> Diagnostic:
    word = _FIRST_WORD.match(late.text)
    end = late.start + (word.end() if word else 1)
    return diagnose(
        "C0108",
        f"a declaration is indented: `{source.text[late.start : end]}` begins at the left margin",
        Label(
            source.span(late.start, end),
            f"{_counted(late.indent)} too many before this",
        ),
        fixes=[
            Fix(source.span(late.start - late.indent, late.start), "", f"take {_counted(late.indent)} out")
        ],
    )


def _counted(blanks: int) -> str:
    return "1 blank" if blanks == 1 else f"{blanks} blanks"


def _unindented_block(
    source: Source, piece: Piece, waiting: deque[Piece], problems: list[Diagnostic]
) -> tuple[Diagnostic, ast.ErrorDecl] | None:
    """The block of a declaration at the left margin, which is taken from what is waiting."""
    from conche.syntax.explain.alignment import parses
    from conche.syntax.explain.words import CHANGES, DECLARATIONS

    missing = next((d for d in problems if d.code == "C0117"), None)
    if missing is None:
        return None
    block: list[Piece] = []
    for other in waiting:
        if other.word in (*DECLARATIONS, *CHANGES, *_HEADERS):
            break
        block.append(other)
    lines = [at for other in block for at in _line_starts(other)]
    text = piece.text + "".join(
        re.sub(r"^(?=[^\n])", "  ", other.text, flags=re.MULTILINE) for other in block
    )
    if not block or not parses(text, "header" if piece.word in _HEADERS else "decl"):
        return None
    for _ in block:
        waiting.popleft()
    says = "indent the lines below it by two blanks"
    finding = replace(
        missing,
        labels=(
            *missing.labels,
            *(Label(_first_line(source, other), "not indented", primary=False) for other in block[:3]),
        ),
        fixes=tuple(Fix(source.span(at, at), "  ", says) for at in lines),
    )
    return finding, unreadable(text, source.span(piece.start, piece.start + len(piece.text.rstrip())))


def _line_starts(piece: Piece) -> list[int]:
    """Where the written lines of a piece begin."""
    return [piece.start + match.start() for match in re.finditer(r"^(?=[^\n])", piece.text, re.MULTILINE)]


def _with_known_type(finding: Diagnostic, source: Source, types: set[str]) -> Diagnostic:
    """A finding about the letters of a name: where it is nearly a type of the file, that is meant."""
    if finding.code != "C0111" or len(finding.fixes) > 1 or finding.main is None:
        return finding
    span = finding.fixes[0].span if finding.fixes else finding.main.span
    word = source.text[span.start : span.end]
    near = [name for name in sorted(types | _BUILT_IN) if name != word and is_slip(word, name)]
    if len(near) != 1 or any(fix.replacement == near[0] for fix in finding.fixes):
        return finding
    return replace(finding, help=(), fixes=(Fix(span, near[0], f"write `{near[0]}`"),))


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
    from conche.syntax.explain.words import DECLARATIONS

    first = _first_line(source, piece)
    start = source.offset(first.line, 1)
    words = [line.split()[0] for line in piece.text.partition("\n")[2].splitlines() if line.strip()]
    alone = not any(word in DECLARATIONS for word in words)
    return diagnose(
        "C0108",
        "the first line of a file is indented",
        Label(first, "declarations begin at the left margin"),
        help=[] if alone else ["take the blanks out before all declarations"],
        fixes=[Fix(source.span(start, first.start), "", "take the blanks before it out")] if alone else [],
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
