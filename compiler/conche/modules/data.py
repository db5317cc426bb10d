"""Data files: rows of types and lists of numbers that stand in a file beside the rules.

Purpose: `piece Contract(bars: 1..6) from "contracts.csv"` reads like the rows written out.
Input: the `File` of a rules file, its folder. Output: the `File` with rows and lists in place of the names of
files, the texts that were read, and findings.
Invariants: what was read has its places in the data file; a `File` that names no data is given back as it is.

A file of rows has the names of its columns first: `name`, the attributes of the type's head in their order,
and `written` where it likes. A file of numbers has any number of them on a line. Cells are set apart by
commas; blank lines, and what follows a `#`, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.modules.beside import Read, read_beside
from conche.semantics.words import plural
from conche.source import Source, Span
from conche.syntax import ast
from conche.syntax.explain.words import RESERVED

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_NUMBER = re.compile(r"-?[0-9]{1,18}\Z")
MOST_ROWS = 10_000
"""How many rows a file has at most."""


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    span: Span


@dataclass
class _Reader:
    folder: str
    shown: str
    read: Read
    heads: dict[str, tuple[str, ...]]
    sources: list[Source] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)

    # ------------------------------------------------------------------------------------------ declarations

    def decl(self, node: ast.Decl) -> ast.Decl:
        match node:
            case ast.EnumDecl(rows=ast.DataFrom() as rows) | ast.PieceDecl(rows=ast.DataFrom() as rows):
                head = tuple(param.name.text for param in node.params)
                variants = self._variants(rows, head)
                return (
                    _unread(node, node.name)
                    if variants is None
                    else replace(node, variants=variants, rows=None)
                )
            case ast.ReplaceType(rows=ast.DataFrom() as rows):
                variants = self._variants(rows, self.heads.get(node.name.text))
                return (
                    _unread(node, node.name)
                    if variants is None
                    else replace(node, variants=variants, rows=None)
                )
            case (
                ast.ValuesDecl(value=ast.DataFrom() as rows) | ast.ReplaceValues(value=ast.DataFrom() as rows)
            ):
                value = self._list(rows)
                return _unread(node, node.name) if value is None else replace(node, value=value)
            case ast.WithModules():
                return replace(node, decls=tuple(self.decl(inner) for inner in node.decls))
            case _:
                return node

    def _lines(self, rows: ast.DataFrom) -> list[list[_Cell]] | None:
        """The cells of each line that has any; None after a finding."""
        source = read_beside(
            rows.file, "the data file", "C0253", self.folder, self.shown, self.read, self.found
        )
        if source is None:
            return None
        self.sources.append(source)
        lines = list(_cells(source))
        if not lines:
            self._report("the data file '{}' says nothing", rows, rows.file.span)
        elif len(lines) > MOST_ROWS:
            self._report(f"the data file '{{}}' has more than {MOST_ROWS} lines", rows, rows.file.span)
        else:
            return lines
        return None

    def _report(self, title: str, rows: ast.DataFrom, span: Span, hint: str | None = None) -> None:
        title = title.format(rows.file.value)
        labels = [Label(span)]
        if span is not rows.file.span:
            labels.append(Label(rows.file.span, "the file is named here", primary=False))
        self.found.append(diagnose("C0253", title, *labels, help=(hint,) if hint else ()))

    # ------------------------------------------------------------------------------------------------- lists

    def _list(self, rows: ast.DataFrom) -> ast.ListLit | None:
        lines = self._lines(rows)
        if lines is None:
            return None
        items: list[ast.Expr] = []
        for cell in (cell for line in lines for cell in line):
            if not _NUMBER.match(cell.text):
                self._report(f"'{cell.text}' in '{{}}' is no number", rows, cell.span, _semicolons(cell))
                return None
            items.append(_number(cell))
        return ast.ListLit(tuple(items), items[0].span.to(items[-1].span))

    # -------------------------------------------------------------------------------------------------- rows

    def _variants(self, rows: ast.DataFrom, head: tuple[str, ...] | None) -> tuple[ast.Variant, ...] | None:
        """The variants; without a `head` (its type is not known here) any columns will do."""
        lines = self._lines(rows)
        if lines is None:
            return None
        titles, *body = lines
        columns = [cell.text for cell in titles]
        shown = [column for column in columns if column not in ("name", "written")]
        wanted = list(shown if head is None else head)
        if columns[:1] != ["name"] or shown != wanted or columns.count("written") > 1 or not body:
            told = ", ".join(["name", *wanted])
            span = titles[0].span.to(titles[-1].span)
            title = "the data file '{}' has no rows" if body == [] else "the columns of '{}' are others"
            self._report(title, rows, span, f"its first line is `{told}`, and a row for each kind follows")
            return None
        result = [self._variant(rows, columns, line) for line in body]
        return None if None in result else tuple(variant for variant in result if variant is not None)

    def _variant(self, rows: ast.DataFrom, columns: list[str], line: list[_Cell]) -> ast.Variant | None:
        span = line[0].span.to(line[-1].span)
        if len(line) != len(columns):
            title = f"this row of '{{}}' has {plural(len(line), 'cell')}, and the first line {len(columns)}"
            self._report(title, rows, span, _semicolons(line[0]))
            return None
        values: list[ast.Expr] = []
        written: ast.StringLit | None = None
        name = line[0]
        if not _NAME.match(name.text) or name.text in RESERVED:
            self._report(
                f"'{name.text}' in '{{}}' is no name", rows, name.span, "a name is written `like_this`"
            )
            return None
        for column, cell in zip(columns[1:], line[1:], strict=True):
            if column == "written":
                written = ast.StringLit(cell.text, cell.span) if cell.text else None
                continue
            parts = [_value(replace(cell, text=part)) for part in cell.text.split()]
            if not parts or None in parts:
                title = f"'{cell.text}' in '{{}}' is no number, name, `yes` or `no`"
                self._report(title, rows, cell.span)
                return None
            values += [part for part in parts if part is not None]
        given = tuple(values) if len(columns) - columns.count("written") > 1 else None
        return ast.Variant(ast.Name(name.text, name.span), (), given, written, None, span, ())


def with_data(file: ast.File, folder: str, shown: str, read: Read, heads: Iterable[ast.File] = ()) -> Filled:
    """`shown`: how findings call the folder. `heads`: other files that declare the types whose rows this one
    replaces."""
    if not any(_names_data(decl) for decl in file.decls):
        return Filled(file, (), ())
    known = {name: columns for other in (*heads, file) for name, columns in _heads(other.decls)}
    reader = _Reader(folder, shown, read, known)
    decls = tuple(reader.decl(decl) for decl in file.decls)
    data = tuple((source.name, source.text) for source in reader.sources)
    return Filled(replace(file, decls=decls, data=data), tuple(reader.sources), tuple(reader.found))


@dataclass(frozen=True, slots=True)
class Filled:
    """A rules file with its data, the files of these, and what is wrong with them."""

    file: ast.File
    sources: tuple[Source, ...]
    found: tuple[Diagnostic, ...]


def _heads(decls: tuple[ast.Decl, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for decl in decls:
        if isinstance(decl, ast.EnumDecl | ast.PieceDecl):
            yield decl.name.text, tuple(param.name.text for param in decl.params)
        elif isinstance(decl, ast.WithModules):
            yield from _heads(decl.decls)


def _names_data(decl: ast.Decl) -> bool:
    match decl:
        case ast.EnumDecl() | ast.PieceDecl() | ast.ReplaceType():
            return decl.rows is not None
        case ast.ValuesDecl() | ast.ReplaceValues():
            return isinstance(decl.value, ast.DataFrom)
        case ast.WithModules():
            return any(map(_names_data, decl.decls))
        case _:
            return False


def _unread(node: ast.Decl, name: ast.Name) -> ast.ErrorDecl:
    """A declaration whose data could not be read; that is reported."""
    word = "values" if isinstance(node, ast.ValuesDecl) else "replace" if _is_change(node) else "piece"
    return ast.ErrorDecl(word, name.text, node.span)


def _is_change(node: ast.Decl) -> bool:
    return isinstance(node, ast.ReplaceType | ast.ReplaceValues)


def _cells(source: Source) -> Iterator[list[_Cell]]:
    """The cells of the lines that say something."""
    at = 0
    for line in source.text.split("\n"):
        written = line.partition("#")[0]
        if written.strip():
            cells: list[_Cell] = []
            start = at
            for part in written.split(","):
                text = part.strip()
                first = start + len(part) - len(part.lstrip())
                cells.append(_Cell(text.strip('"'), source.span(first, max(first, first + len(text)))))
                start += len(part) + 1
            yield cells
        at += len(line) + 1


def _semicolons(cell: _Cell) -> str | None:
    return "cells are set apart by commas" if ";" in cell.text else None


def _number(cell: _Cell) -> ast.Expr:
    value = ast.IntLit(abs(int(cell.text)), cell.span)
    return ast.Unary("-", value, cell.span) if cell.text.startswith("-") else value


def _value(cell: _Cell) -> ast.Expr | None:
    if _NUMBER.match(cell.text):
        return _number(cell)
    if cell.text in ("yes", "no"):
        return ast.FlagLit(cell.text == "yes", cell.span)
    if _NAME.match(cell.text) and cell.text not in RESERVED:
        return ast.NameRef(cell.text, cell.span)
    return None
