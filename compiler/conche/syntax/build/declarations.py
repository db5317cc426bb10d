"""Declarations: lark trees to AST nodes.

Input: a tree of the grammar's parts `header`, `declarations` and `scenarios`. Output: `ast.Header`,
`ast.Decl`.
Invariant: a declaration in which a line that is no statement is missing (`bad`) gives None, one in which such
a line is refused raises `RefusedError`; the caller makes an `ErrorDecl` of it.
"""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from conche.diagnostics import Diagnostic, Fix, Label, diagnose
from conche.source import Span
from conche.syntax import ast
from conche.syntax.build import changes
from conche.syntax.build.expressions import (
    arguments,
    expression,
    list_literal,
    parameter,
    parameters,
    pattern,
    type_expression,
)
from conche.syntax.build.places import Node, Place, RefusedError, part, parts, the, tokens
from conche.syntax.build.scenarios import scenario
from conche.syntax.build.show import show
from conche.syntax.build.statements import suite


def header(tree: Node, place: Place) -> ast.Header | None:
    """The header of a file, or None where a line of it was blanked as unreadable."""
    names = list(tokens(tree))
    module = tree.data == "module"
    lines = part(tree, "header_lines")
    if lines is not None and part(lines, "bad") is not None:
        return None
    found: dict[str, Node] = {}
    for line in () if lines is None else parts(lines):
        kind = str(line.data)
        if kind in found:
            raise RefusedError(_twice(kind.removeprefix("header_"), line, found[kind], place))
        found[kind] = line

    def line_names(kind: str) -> tuple[ast.Name, ...]:
        line = found.get(kind)
        return () if line is None else place.names(the(line, "names"))

    version = found.get("header_version")
    players = found.get("header_players")
    clauses = found.get("header_clauses")
    low, high = (int(token) for token in tokens(players)) if players is not None else (0, 0)
    return ast.Header(
        kind=str(tree.data),
        name=place.new_name(names[0]),
        title=place.string(names[1]),
        base=place.name(names[2]) if module else None,
        base_version=str(names[3]) if module else None,
        version=None if version is None else str(next(tokens(version))),
        players=None if players is None else (low, high),
        seats=line_names("header_seats"),
        clauses=None if clauses is None else place.string(next(tokens(clauses))),
        requires=line_names("header_requires"),
        excludes=line_names("header_excludes"),
        follows=line_names("header_follows"),
        span=place.line(tree),
        cites=place.cites(the(tree, "cites")),
    )


def _twice(word: str, line: Node, first: Node, place: Place) -> Diagnostic:
    """A line of the header that stands there twice; where both say the same, one can go."""
    again, before = place.span(line), place.span(first)
    text = place.source.text
    start = text.rfind("\n", 0, again.start)
    same = text[again.start : again.end].split() == text[before.start : before.end].split()
    whole = place.source.span(start, again.end)
    return diagnose(
        "C0123",
        f"`{word}` stands twice in the header",
        Label(again, "again here"),
        Label(before, "first here", primary=False),
        help=[] if same else ["leave one of them"],
        fixes=[Fix(whole, "", "take the line out")] if same else [],
    )


def declaration(tree: Node, place: Place) -> ast.Decl | None:
    """The declaration that a tree means, or None where a part of it was blanked as unreadable."""
    if _has_gap(tree):
        return None
    match tree.data:
        case "enum" | "piece" | "piece_owned" | "enum_from" | "piece_from" | "piece_owned_from":
            return _type(tree, place)
        case "board":
            return _board(tree, place)
        case "zone":
            return _zone(tree, place)
        case "track":
            return _track(tree, place)
        case "var":
            return var(tree, place)
        case "each_player_has":
            members = tuple(_member(child, place) for child in parts(tree) if child.data != "cites")
            return ast.EachPlayerHas(members, place.until(tree, members[-1].span), _cites(tree, place))
        case "each_kind_has":
            variables = tuple(var(child, place) for child in parts(tree) if child.data != "cites")
            span = place.until(tree, variables[-1].span)
            return ast.EachKindHas(place.name(next(tokens(tree))), variables, span, _cites(tree, place))
        case "setup" | "play" | "step" | "action":
            return _with_suite(tree, place)
        case "query" | "query_short":
            return _query(tree, place)
        case "trigger" | "trigger_whenever":
            return _trigger(tree, place)
        case "scenario":
            return scenario(tree, place)
        case "show":
            return show(tree, place)
        case (
            "extend_type"
            | "extend_board"
            | "extend_choose"
            | "add_step"
            | "replace_body"
            | "wrap"
            | "modify"
            | "replace_query"
            | "replace_query_short"
            | "replace_values"
            | "replace_values_from"
            | "replace_type"
            | "replace_type_from"
            | "with_modules"
        ):
            return changes.change(tree, place)
        case _:
            return _one_line(tree, place)


_SUITES = {"setup", "play", "step", "action", "trigger", "trigger_whenever"} | {
    "add_step",
    "replace_body",
    "wrap",
    "with_modules",
}
"""Declarations in whose blocks a line that could not be read stands for itself."""


def _has_gap(tree: Node) -> bool:
    """Whether a line that is no statement is missing."""
    if tree.data in _SUITES:
        return False
    return part(tree, "bad") is not None or any(
        part(child, "bad") is not None for child in parts(tree) if child.data == "attributes"
    )


def _cites(tree: Node, place: Place) -> tuple[ast.Cite, ...]:
    return place.cites(the(tree, "cites"))


def _one_line(tree: Node, place: Place) -> ast.Decl:
    span = place.line(tree)
    cites = _cites(tree, place)
    names = list(tokens(tree))
    exprs = [child for child in parts(tree) if child.data not in {"cites", "names"}]
    match tree.data:
        case "option":
            values = place.names(the(tree, "names"))
            return ast.OptionDecl(place.new_name(names[0]), values, place.name(names[1]), span, cites)
        case "option_number":
            low, high = int(names[1]), int(names[2])
            default = place.name(names[3])
            return ast.OptionDecl(place.new_name(names[0]), (), default, span, cites, (low, high))
        case "values_from":
            rows = data_from(the(tree, "from_file"), place)
            return ast.ValuesDecl(place.new_name(names[0]), rows, span, cites)
        case "values":
            return ast.ValuesDecl(place.new_name(names[0]), list_literal(exprs[0], place), span, cites)
        case "score":
            return ast.ScoreDecl(place.name(names[0]), expression(exprs[0], place), span, cites)
        case "rank":
            return ast.RankDecl(tuple(expression(child, place) for child in exprs), span, cites)
        case "invariant":
            return ast.InvariantDecl(place.string(names[0]), expression(exprs[0], place), span, cites)
        case "conserve":
            return ast.ConserveDecl(place.name(names[0]), span, cites)
        case "ruling":
            return ast.RulingDecl(place.cite(names[0]), place.string(names[1]), span, cites)
        case other:
            raise AssertionError(f"no declaration: {other}")


def _type(tree: Node, place: Place) -> ast.EnumDecl | ast.PieceDecl:
    name = place.name(next(tokens(tree)))
    params = parameters(part(tree, "params"), place)
    variants, rows, span = type_rows(tree, place)
    cites = _cites(tree, place)
    if tree.data in ("enum", "enum_from"):
        return ast.EnumDecl(name, params, variants, span, cites, rows)
    return ast.PieceDecl(name, params, "owned" in tree.data, variants, span, cites, rows)


def type_rows(tree: Node, place: Place) -> tuple[tuple[ast.Variant, ...], ast.DataFrom | None, Span]:
    """The variants of a type or the file that they stand in, and the place of all."""
    variants = tuple(variant(child, place) for child in parts(tree) if child.data == "variant")
    rows = part(tree, "from_file")
    if rows is None:
        return variants, None, place.until(tree, variants[-1].span)
    return (), data_from(rows, place), place.line(tree)


def data_from(tree: Node, place: Place) -> ast.DataFrom:
    """`from "file.csv"`"""
    return ast.DataFrom(place.string(next(tokens(tree))), place.span(tree))


def variant(tree: Node, place: Place) -> ast.Variant:
    """A member of an enum or a kind of piece."""
    values = part(tree, "variant_values")
    written = part(tree, "written")
    carries = part(tree, "carries")
    return ast.Variant(
        place.new_name(next(tokens(tree))),
        parameters(part(tree, "params"), place),
        None if values is None else arguments(values, place),
        None if written is None else place.string(next(tokens(written))),
        None if carries is None else _zone(carries, place),
        place.line(tree),
        _cites(tree, place),
    )


def _board(tree: Node, place: Place) -> ast.BoardDecl:
    name, across = tokens(tree)
    lines = tuple(holds(child, place) for child in parts(tree) if child.data == "holds")
    found = part(tree, "attributes")
    attributes = () if found is None else tuple(var(child, place) for child in parts(found))
    last = attributes[-1].span if attributes else lines[-1].span
    return ast.BoardDecl(
        place.new_name(name), int(across), lines, attributes, place.until(tree, last), _cites(tree, place)
    )


def holds(tree: Node, place: Place) -> ast.BoardHolds:
    """A line `on`."""
    capacity, piece = tokens(tree)
    condition = expression(cast("Node", tree.children[0]), place)
    return ast.BoardHolds(condition, int(capacity), place.name(piece), place.line(tree), _cites(tree, place))


def _member(tree: Node, place: Place) -> ast.VarDecl | ast.ZoneDecl | ast.TrackDecl:
    match tree.data:
        case "zone":
            return _zone(tree, place)
        case "track":
            return _track(tree, place)
        case _:
            return var(tree, place)


def var(tree: Node, place: Place) -> ast.VarDecl:
    """A variable, without the word `var`."""
    name, kind, initial, *_ = _children(tree)
    assert isinstance(name, Token)
    assert isinstance(kind, Tree)
    return ast.VarDecl(
        place.new_name(name),
        type_expression(kind, place),
        None if initial is None else expression(cast("Node", initial), place),
        _visibility(tree),
        place.line(tree),
        _cites(tree, place),
        None if part(tree, "anew") is None else place.name(next(tokens(the(tree, "anew")))),
    )


def _zone(tree: Node, place: Place) -> ast.ZoneDecl:
    kind, name, capacity, piece, *_ = _children(tree)
    assert isinstance(kind, Tree)
    assert isinstance(name, Token)
    assert isinstance(piece, Token)
    return ast.ZoneDecl(
        str(kind.children[0]),
        place.new_name(name),
        None if capacity is None else expression(cast("Node", capacity), place),
        place.name(piece),
        _visibility(tree),
        place.line(tree),
        () if part(tree, "cites") is None else _cites(tree, place),
    )


def _children(tree: Node) -> list[Node | Token | None]:
    """The children, None for an optional one that is not there; lark's types do not know of those."""
    return cast("list[Node | Token | None]", tree.children)


def _track(tree: Node, place: Place) -> ast.TrackDecl:
    name = place.new_name(next(tokens(tree)))
    fields = list_literal(the(tree, "list"), place)
    return ast.TrackDecl(name, fields, _visibility(tree), place.line(tree), _cites(tree, place))


def _visibility(tree: Node) -> str:
    return str(the(tree, "visibility").children[0])


def _with_suite(tree: Node, place: Place) -> ast.Decl:
    name = next(tokens(tree), None)
    cites, body = suite(cast("Node", tree.children[-1]), place)
    span = place.until(tree, body[-1].span)
    match tree.data:
        case "setup":
            return ast.SetupDecl(body, span, cites)
        case "play":
            return ast.PlayDecl(body, span, cites)
        case "step":
            assert name is not None
            params = parameters(part(tree, "params"), place)
            return ast.StepDecl(place.new_name(name), params, body, span, cites)
        case _:
            assert name is not None
            subject = pattern(the(tree, "pattern"), place)
            rest = tuple(parameter(child, place) for child in parts(tree) if child.data == "param")
            return ast.ActionDecl(place.name(name), subject, rest, body, span, cites)


def _query(tree: Node, place: Place) -> ast.QueryDecl:
    name = place.new_name(next(tokens(tree)))
    head = the(tree, "query_params")
    params = parameters(part(head, "params"), place)
    cites = _cites(tree, place)
    if tree.data == "query_short":
        value = expression(cast("Node", tree.children[2]), place)
        case = ast.QueryCase(value, None, value.span, cites)
        return ast.QueryDecl(name, params, (), (case,), place.line(tree), cites)
    lets, cases = query_lines(tree, name, place)
    return ast.QueryDecl(name, params, lets, cases, place.until(tree, cases[-1].span), cites)


def query_lines(
    tree: Node, name: ast.Name, place: Place
) -> tuple[tuple[ast.Let, ...], tuple[ast.QueryCase, ...]]:
    """The lines of a query's block."""
    lets: list[ast.Let] = []
    cases: list[ast.QueryCase] = []
    for line in parts(tree):
        match line.data:
            case "query_let":
                if cases:
                    raise RefusedError(_late_let(line, cases[0], place))
                lets.append(_query_let(line, place))
            case "query_case" | "query_otherwise":
                cases.append(_query_case(line, place))
    if not cases:
        raise RefusedError(
            diagnose(
                "C0127",
                f"the query `{name.text}` has no value",
                Label(lets[-1].span, "nothing follows this"),
                help=["a last line `otherwise VALUE` gives it one"],
            )
        )
    return tuple(lets), tuple(cases)


def _late_let(line: Node, first: ast.QueryCase, place: Place) -> Diagnostic:
    return diagnose(
        "C0127",
        "in a query every `let` stands before the first value",
        Label(place.span(line), "move this up"),
        Label(first.span, "above this", primary=False),
    )


def _query_let(tree: Node, place: Place) -> ast.Let:
    name = place.new_name(next(tokens(tree)))
    value = expression(cast("Node", tree.children[1]), place)
    return ast.Let(name, value, place.line(tree), _cites(tree, place))


def _query_case(tree: Node, place: Place) -> ast.QueryCase:
    exprs = [expression(child, place) for child in parts(tree) if child.data != "cites"]
    condition = exprs[1] if tree.data == "query_case" else None
    return ast.QueryCase(exprs[0], condition, place.line(tree), _cites(tree, place))


def _trigger(tree: Node, place: Place) -> ast.TriggerDecl:
    name = place.name(next(tokens(tree)))
    cites, body = suite(cast("Node", tree.children[-1]), place)
    follows = part(tree, "follows")
    guard = part(tree, "guard")
    event: ast.Enters | ast.Gains | ast.Whenever
    if tree.data == "trigger_whenever":
        condition = expression(cast("Node", tree.children[1]), place)
        event = ast.Whenever(condition, condition.span)
    else:
        event = _event(cast("Node", tree.children[1]), place)
    return ast.TriggerDecl(
        name,
        event,
        None if guard is None else expression(next(parts(guard)), place),
        () if follows is None else place.names(the(follows, "names")),
        body,
        place.until(tree, body[-1].span),
        cites,
    )


def _event(tree: Node, place: Place) -> ast.Enters | ast.Gains:
    span = place.span(tree)
    names = list(tokens(tree))
    if tree.data == "gains":
        player, amount, resource = names
        return ast.Gains(place.new_name(player), place.new_name(amount), place.name(resource), span)
    zones = place.names(the(tree, "zones"))
    variable = place.new_name(names[0])
    if tree.data == "enters_type":
        kind = place.name(names[1])
        return ast.Enters(variable, ast.NamedType(kind, kind.span), zones, span)
    return ast.Enters(variable, pattern(the(tree, "pattern"), place), zones, span)
