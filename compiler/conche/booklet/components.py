"""Tables of components: kinds of pieces and how many there are, where they lie at the start, what is kept.

Input: a composed rulebook, the rules in force, the census for each number of players. Output: `Table`s.
Invariant: numbers are those of the census; a number that is the same for all numbers of players has one
column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conche.booklet.model import Table
from conche.lattice.census import EACH, Census, Range
from conche.semantics import rulebook as rb
from conche.syntax import ast
from conche.syntax.expression_text import expression_text, type_text
from conche.traceability.model import Rule
from conche.traceability.names import OF_PLAYER

SEEN = {"open": "everybody", "secret": "its owner", "hidden": "nobody"}
"""Who sees a thing, by the word of the rules."""

Counts = Mapping[int, Census]
"""By number of players."""


def piece_tables(rulebook: rb.Rulebook, rules: Sequence[Rule], counts: Counts) -> list[Table]:
    """A table for each type of piece: its kinds with what is printed on them, and how many there are. Types
    and attributes in the order in which they are declared."""
    names: dict[str, dict[str, None]] = {}
    for rule in rules:
        # A type that is replaced has other kinds, but the attributes that were declared for it.
        is_type = isinstance(rule.decl, ast.PieceDecl)
        if isinstance(rule.decl, ast.PieceDecl | ast.ExtendType) and (rule.in_force or is_type):
            known = names.setdefault(rule.decl.name.text, {})
            if isinstance(rule.decl, ast.PieceDecl):
                known |= {param.name.text: None for param in rule.decl.params}
            known |= {param.name.text: None for one in rule.decl.variants for param in one.params}
    return [
        _kinds(rulebook.pieces[of], tuple(attributes), counts)
        for of, attributes in names.items()
        if of in rulebook.pieces
    ]


def _kinds(piece: rb.PieceType, names: tuple[str, ...], counts: Counts) -> Table:
    order = list(dict.fromkeys(kind.written for kind in piece.kinds))
    kinds = {kind.written: kind for kind in reversed(piece.kinds)}
    rows: list[tuple[str, ...]] = []
    numbers: list[list[str]] = []
    for written in order:
        printed = dict(kinds[written].attributes)
        for owner in _owners(counts, piece.name, written):
            name = _spaced(written) + ("" if owner in ("", EACH) else f" ({owner})")
            rows.append((name, *[_printed(printed.get(n)) for n in names]))
            numbers.append([_number(census, piece.name, written, owner) for census in counts.values()])
    owned = any(EACH in _owners(counts, piece.name, written) for written in order)
    shown = [index for index in range(len(names)) if any(row[index + 1] for row in rows)]
    head, columns = _by_players(counts, numbers, "each player" if owned else "number")
    table = [
        (row[0], *[row[index + 1] for index in shown], *column)
        for row, column in zip(rows, columns, strict=True)
    ]
    return Table(_plain(piece.name), ("", *[_plain(names[index]) for index in shown], *head), tuple(table))


def _owners(counts: Counts, piece: str, written: str) -> list[str]:
    """Nobody, each player or certain seats: whoever has pieces of a kind, for some number of players."""
    found = [
        total.owner
        for census in counts.values()
        for total in census.totals
        if (total.piece, total.kind) == (piece, written)
    ]
    some = [owner for owner in dict.fromkeys(found) if owner]
    return some or [""]


def _number(census: Census, piece: str, written: str, owner: str) -> str:
    for total in census.totals:
        if (total.piece, total.kind, total.owner) == (piece, written, owner):
            return _range(total.number)
    return "0"


def _range(number: Range) -> str:
    return str(number).replace("..", " to ")


def _by_players(
    counts: Counts, rows: Sequence[Sequence[str]], word: str
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The heads and cells of number columns: one for each number of players, or one where all are alike."""
    if all(len(set(row)) <= 1 for row in rows):
        return (word,), [tuple(row[:1]) for row in rows]
    own = ", each" if word == "each player" else ""
    return tuple(f"{players} players{own}" for players in counts), [tuple(row) for row in rows]


def start_table(counts: Counts) -> list[Table]:
    """How many pieces lie where when play begins."""
    keys = dict.fromkeys(
        (content.place, content.piece, content.owner)
        for census in counts.values()
        for content in census.contents
    )
    if not keys:
        return []
    rows = [[_content(census, key) for census in counts.values()] for key in keys]
    head, columns = _by_players(counts, rows, "number")
    names = [
        (_plain(place) + (f" ({owner})" if owner else ""), _plain(piece)) for place, piece, owner in keys
    ]
    table = tuple((*name, *column) for name, column in zip(names, columns, strict=True))
    return [Table("When play begins", ("where", "pieces", *head), table)]


def _content(census: Census, key: tuple[str, str, str]) -> str:
    for content in census.contents:
        if (content.place, content.piece, content.owner) == key:
            return _range(content.number)
    return "–"


def kept_tables(rules: Sequence[Rule], titles: Mapping[str, str]) -> list[Table]:
    """What lies on the table, and what each player has. `titles`: of modules, by name."""
    common: list[tuple[str, ...]] = []
    own: list[tuple[str, ...]] = []
    for rule in rules:
        decl = rule.decl
        if not rule.in_force or not isinstance(decl, ast.ZoneDecl | ast.TrackDecl | ast.VarDecl):
            continue
        row = (_plain(decl.name.text), _what(decl), SEEN[decl.visibility], titles[rule.part])
        (own if rule.name.startswith(OF_PLAYER) else common).append(row)
    several = any(row[3] for row in (*common, *own))
    head = ("", "what it is", "seen by", *(["from"] if several else []))
    return [
        Table(caption, head, tuple(row if several else row[:3] for row in rows))
        for caption, rows in (("For all", common), ("Each player has", own))
        if rows
    ]


def _what(decl: ast.ZoneDecl | ast.TrackDecl | ast.VarDecl) -> str:
    match decl:
        case ast.ZoneDecl():
            room = "" if decl.capacity is None else f", room for {expression_text(decl.capacity)}"
            return f"{decl.kind} of {_plain(decl.piece.text)}{room}"
        case ast.TrackDecl():
            return f"track with the fields {expression_text(decl.fields)[1:-1]}"
        case ast.VarDecl():
            first = None if decl.initial is None else _plain(expression_text(decl.initial))
            start = "" if first is None else f", at first {'empty' if first == '[]' else first}"
            return f"{_plain(type_text(decl.type)).replace('..', ' to ')}{start}"


def _printed(value: rb.AttributeValue | None) -> str:
    match value:
        case None:
            return ""
        case tuple():
            return " ".join(map(str, value))
        case bool():
            return "yes" if value else "no"
        case _:
            return _plain(str(value))


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _spaced(kind: str) -> str:
    """`gold_mine(2)` → `gold mine (2)`."""
    return _plain(kind).replace("(", " (")
