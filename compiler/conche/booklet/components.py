"""Tables of components: kinds of pieces and how many there are, where they lie at the start, what is kept.

Input: a composed rulebook, the rules in force, the census for each number of players. Output: `Table`s.
Invariants: numbers are those of the census, of what comes into the game, wherever chance deals it to; a
number that is the same for all numbers of players has one column.
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


def type_tables(rulebook: rb.Rulebook, rules: Sequence[Rule], counts: Counts) -> list[Table]:
    """A table for each enum and each type of piece: its members with their values, and how many there are of
    what comes as pieces. Types and attributes in the order in which they are declared."""
    names: dict[str, dict[str, None]] = {}
    for rule in rules:
        # A type that is replaced has other kinds, but the attributes that were declared for it.
        is_type = isinstance(rule.decl, ast.PieceDecl | ast.EnumDecl)
        if is_type or (isinstance(rule.decl, ast.ExtendType) and rule.in_force):
            assert isinstance(rule.decl, ast.PieceDecl | ast.EnumDecl | ast.ExtendType)
            known = names.setdefault(rule.decl.name.text, {})
            if not isinstance(rule.decl, ast.ExtendType):
                known |= {param.name.text: None for param in rule.decl.params}
            known |= {param.name.text: None for one in rule.decl.variants for param in one.params}
    types = rulebook.pieces | rulebook.enums
    return [_members(types[of], tuple(attributes), counts) for of, attributes in names.items() if of in types]


def _members(of: rb.PieceType | rb.Enum, names: tuple[str, ...], counts: Counts) -> Table:
    members: Sequence[rb.Kind | rb.Member] = of.kinds if isinstance(of, rb.PieceType) else of.members
    order = list(dict.fromkeys(one.written for one in members))
    attributes = {one.written: dict(one.attributes) for one in reversed(members)}
    counted = isinstance(of, rb.PieceType) or any(
        total.piece == of.name for census in counts.values() for total in census.totals
    )
    owners = {written: _owners(counts, of.name, written) for written in order}
    each = counted and all(some == [EACH] for some in owners.values())
    rows: list[tuple[str, ...]] = []
    numbers: list[list[str]] = []
    for written in order:
        for owner in owners[written]:
            name = _spaced(written) + ("" if owner == "" or each else f" ({owner})")
            rows.append((name, *[_printed(attributes[written].get(n)) for n in names]))
            numbers.append([_number(census, of.name, written, owner) for census in counts.values()])
    if not each and any(" to " in number for row in numbers for number in row):
        rows.append(("in all", *("" for _ in names)))
        numbers.append([_range(census.of(of.name)) for census in counts.values()])
    shown = [index for index in range(len(names)) if any(row[index + 1] for row in rows)]
    head, columns = _by_players(counts, numbers, EACH if each else "number")
    table = [
        (row[0], *[row[index + 1] for index in shown], *(column if counted else ()))
        for row, column in zip(rows, columns, strict=True)
    ]
    heads = ("", *[_plain(names[index]) for index in shown], *(head if counted else ()))
    return Table(_plain(of.name), heads, tuple(table))


def _owners(counts: Counts, piece: str, written: str) -> list[str]:
    """Nobody, each player or certain seats: into whose places pieces of a kind come, for some number of
    players. Who has none for any number is left out, where others have some."""
    found = [
        total.owner
        for census in counts.values()
        for total in census.totals
        if (total.piece, total.kind) == (piece, written) and total.number.high
    ]
    return [*dict.fromkeys(found)] or _without_any(counts, piece)


def _without_any(counts: Counts, piece: str) -> list[str]:
    """Where there is no piece of a kind: as of the other kinds, where those are all alike."""
    found = {
        total.owner
        for census in counts.values()
        for total in census.totals
        if total.piece == piece and total.number.high
    }
    return [EACH] if found == {EACH} else [""]


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
    own = ", each" if word == EACH else ""
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


def drawn_table(counts: Counts) -> list[Table]:
    """What the set-up draws: of which kinds it is, chance says, so only how many are told."""
    found: list[dict[tuple[str, ...], str]] = []
    for census in counts.values():
        drawn = [flow for flow in census.flows if flow.kind is None]
        found.append(
            {
                (flow.step, flow.piece, flow.source, flow.target, flow.owner): _range(flow.number)
                for flow in drawn
            }
        )
    keys = dict.fromkeys(key for some in found for key in some)
    if not keys:
        return []
    head, columns = _by_players(counts, [[some.get(key, "–") for some in found] for key in keys], "number")
    rows = [
        (_plain(piece), _plain(source), _plain(target) + (f" ({owner})" if owner else ""), *column)
        for (_, piece, source, target, owner), column in zip(keys, columns, strict=True)
    ]
    return [Table("Drawn by chance", ("pieces", "from", "to", *head), tuple(rows))]


def kept_tables(rules: Sequence[Rule], titles: Mapping[str, str]) -> list[Table]:
    """What lies on the table, and what each player has. `titles`: of modules, by name."""
    kept: dict[str, list[tuple[str, ...]]] = {"For all": [], "Each player has": []}
    for rule in rules:
        decl = rule.decl
        if not rule.in_force:
            continue
        caption = "Each player has" if rule.name.startswith(OF_PLAYER) else "For all"
        part = titles[rule.part]
        match decl:
            case ast.ZoneDecl() | ast.TrackDecl() | ast.VarDecl():
                kept[caption].append((_plain(decl.name.text), _what(decl), SEEN[decl.visibility], part))
            case ast.BoardDecl() | ast.ExtendBoard():
                if isinstance(decl, ast.BoardDecl) or decl.holds:
                    kept["For all"].append((_plain(decl.name.text), _spaces(decl), SEEN["open"], part))
                kept.setdefault(f"Each space of {_plain(decl.name.text)} has", []).extend(
                    (_plain(one.name.text), _what(one), SEEN[one.visibility], part) for one in decl.attributes
                )
            case ast.EachKindHas():
                kept.setdefault(f"Each {_plain(decl.of.text)} has", []).extend(
                    (_plain(one.name.text), _what(one), SEEN[one.visibility], part) for one in decl.members
                )
            case _:
                pass
    several = any(row[3] for rows in kept.values() for row in rows)
    head = ("", "what it is", "seen by", *(["from"] if several else []))
    return [
        Table(caption, head, tuple(row if several else row[:3] for row in rows))
        for caption, rows in kept.items()
        if rows
    ]


def _spaces(board: ast.BoardDecl | ast.ExtendBoard) -> str:
    """What a board is, and what may lie on it."""
    grid = f"square grid, at most {board.across} across" if isinstance(board, ast.BoardDecl) else "more on it"
    holds = [
        f"on {expression_text(one.condition)} up to {one.capacity} {_plain(one.piece.text)}"
        for one in board.holds
    ]
    return "; ".join([grid, *holds])


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
