"""What is settled before a game: options and lists of numbers.

Input: their declarations. Output: `Option`s and `Table`s; None after a finding that leaves none.
"""

from __future__ import annotations

from conche.semantics import rulebook as rb
from conche.semantics.check_types import constant_number
from conche.semantics.symbols import Context
from conche.semantics.types import Int
from conche.semantics.words import listed, plural
from conche.source import Span
from conche.syntax import ast

MOST_VALUES = 1000
"""How many values an option that is a number can have."""


def cite_ids(cites: tuple[ast.Cite, ...]) -> tuple[str, ...]:
    return tuple(cite.id for cite in cites)


def option_of(context: Context, decl: ast.OptionDecl) -> rb.Option | None:
    """The option of a declaration; None after a finding that leaves none."""
    if decl.numbers is not None:
        return _number_option(context, decl, *decl.numbers)
    seen: dict[str, Span] = {}
    for value in decl.values:
        if value.text in seen:
            context.duplicate("the value", value.text, value.span, seen[value.text])
        seen.setdefault(value.text, value.span)
    values = tuple(seen)
    default = decl.default.text
    if default not in seen:
        known = f"its values are {listed(values)}" if values else None
        context.unknown(f"value of the option '{decl.name.text}' called", decl.default, values, known)
        default = values[0] if values else ""
    chosen = context.options.get(decl.name.text, default)
    return rb.Option(
        decl.name.text,
        values,
        default,
        chosen if chosen in seen else default,
        decl.name.span,
        cite_ids(decl.cites),
    )


def _number_option(context: Context, decl: ast.OptionDecl, low: int, high: int) -> rb.Option | None:
    default, name = int(decl.default.text), decl.name.text
    if low > high:
        context.report(
            "C0230",
            f"no number lies in {low}..{high}",
            decl.span,
            help=(f"the lower one comes first: `{high}..{low}`",),
        )
    elif high - low >= MOST_VALUES:
        context.report(
            "C0205", f"an option has at most {MOST_VALUES} values, not {high - low + 1}", decl.span
        )
    elif not low <= default <= high:
        context.report(
            "C0205",
            f"'{name}' is a number {low}..{high}, and {default} is not",
            decl.default.span,
            f"expected a number {low}..{high}",
        )
    else:
        values = tuple(str(value) for value in range(low, high + 1))
        chosen = context.options.get(name, str(default))
        return rb.Option(
            name,
            values,
            str(default),
            chosen if chosen in values else str(default),
            decl.name.span,
            cite_ids(decl.cites),
            (low, high),
        )
    context.globals.broken.add(name)
    return None


def table_of(context: Context, decl: ast.ValuesDecl) -> rb.Table | None:
    """The list of a declaration; None after a finding."""
    entries = _entries(context, decl)
    if entries is None:
        context.globals.broken.add(decl.name.text)
        return None
    type_ = Int(min(entries), max(entries))
    return rb.Table(decl.name.text, entries, type_, decl.name.span, cite_ids(decl.cites))


def _entries(context: Context, decl: ast.ValuesDecl | ast.ReplaceValues) -> tuple[int, ...] | None:
    if isinstance(decl.value, ast.DataFrom):
        return None
    return numbers_of(context, decl.value, f"'{decl.name.text}'")


def replace_table(context: Context, decl: ast.ReplaceValues) -> None:
    """Another list of the same length in place of one of the game."""
    name, globals_ = decl.name.text, context.globals
    entries = _entries(context, decl)
    known = globals_.values.get(name)
    if not isinstance(known, rb.Table):
        tables = [symbol.name for symbol in globals_.values.values() if isinstance(symbol, rb.Table)]
        context.unknown("list of values", decl.name, tables, code="C0239")
    elif entries is not None and len(entries) != len(known.entries):
        context.report(
            "C0254",
            f"'{name}' lists {plural(len(known.entries), 'number')}, and this has {len(entries)}",
            decl.value.span,
            also=((known.span, "declared here"),),
        )
    elif entries is not None:
        type_ = Int(min(entries), max(entries))
        globals_.values[name] = rb.Table(name, entries, type_, decl.name.span, cite_ids(decl.cites))


def numbers_of(context: Context, node: ast.ListLit, what: str) -> tuple[int, ...] | None:
    entries: list[int] = []
    good = True
    for item in node.items:
        value = constant_number(item)
        if value is None:
            context.report("C0209", f"{what} lists numbers alone", item.span)
            good = False
        else:
            entries.append(value)
    if not node.items:
        context.report("C0209", f"{what} lists no number", node.span)
        good = False
    return tuple(entries) if good else None


def check_data_was_read(context: Context, decls: tuple[ast.Decl, ...]) -> None:
    """Data is read before anything is typed (`modules.data`); here nobody has."""
    for decl in decls:
        if isinstance(decl, ast.ValuesDecl | ast.ReplaceValues):
            data = decl.value if isinstance(decl.value, ast.DataFrom) else None
        else:
            data = decl.rows if isinstance(decl, ast.EnumDecl | ast.PieceDecl | ast.ReplaceType) else None
        if data is not None:
            context.report("C0253", f"the data file '{data.file.value}' was not read", data.span)
