"""Changes: lark trees of what a module does to the game to AST nodes.

Input: a tree of the grammar's part `changes`. Output: `ast.Change`.
Invariants: as for declarations; a declaration in a `with` block that could not be read is an `ErrorDecl`
there and hides no other.
"""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from conche.diagnostics import Label, diagnose
from conche.syntax import ast
from conche.syntax.build.expressions import expression, list_literal
from conche.syntax.build.places import Node, Place, RefusedError, part, parts, the, tokens
from conche.syntax.build.statements import case, suite
from conche.syntax.unreadable import unreadable


def change(tree: Node, place: Place) -> ast.Change:
    """The change that a tree means."""
    match tree.data:
        case "extend_type" | "extend_board" | "extend_choose":
            return _extend(tree, place)
        case "add_step" | "replace_body" | "wrap":
            return _body(tree, place)
        case "replace_query" | "replace_query_short":
            return _replace_query(tree, place)
        case "replace_values" | "replace_values_from" | "replace_type" | "replace_type_from":
            return _replace_data(tree, place)
        case "modify":
            return _modify(tree, place)
        case _:
            return _with(tree, place)


def _cites(tree: Node, place: Place) -> tuple[ast.Cite, ...]:
    return place.cites(the(tree, "cites"))


def _path(tree: Node, place: Place) -> ast.Path:
    names = place.names(tree)
    return ast.Path(names, names[0].span.to(names[-1].span))


def _extend(tree: Node, place: Place) -> ast.ExtendType | ast.ExtendBoard | ast.ExtendChoose:
    from conche.syntax.build.declarations import holds, var, variant

    cites = _cites(tree, place)
    match tree.data:
        case "extend_type":
            variants = tuple(variant(child, place) for child in parts(tree) if child.data == "variant")
            span = place.until(tree, variants[-1].span)
            return ast.ExtendType(place.name(next(tokens(tree))), variants, span, cites)
        case "extend_board":
            lines = tuple(holds(child, place) for child in parts(tree) if child.data == "holds")
            found = part(tree, "attributes")
            attributes = () if found is None else tuple(var(child, place) for child in parts(found))
            span = place.until(tree, attributes[-1].span if attributes else lines[-1].span)
            return ast.ExtendBoard(place.name(next(tokens(tree))), lines, attributes, span, cites)
        case _:
            cases = tuple(case(child, place) for child in parts(tree) if child.data in {"case", "case_empty"})
            span = place.until(tree, cases[-1].span)
            return ast.ExtendChoose(_path(the(tree, "place"), place), cases, span, cites)


def _body(tree: Node, place: Place) -> ast.AddStep | ast.ReplaceBody | ast.Wrap:
    path = _path(the(tree, "place"), place)
    cites, body = suite(cast("Node", tree.children[-1]), place)
    span = place.until(tree, body[-1].span)
    match tree.data:
        case "add_step":
            before = str(the(tree, "before_after").children[0]) == "before"
            return ast.AddStep(before, path, place.new_name(next(tokens(tree))), body, span, cites)
        case "replace_body":
            return ast.ReplaceBody(path, body, span, cites)
        case _:
            return ast.Wrap(path, body, span, cites)


def _params(tree: Node, place: Place) -> tuple[ast.Name, ...]:
    names = part(tree, "names")
    return () if names is None else tuple(place.new_name(token) for token in tokens(names))


def _replace_query(tree: Node, place: Place) -> ast.ReplaceQuery:
    from conche.syntax.build.declarations import query_lines

    name = place.name(next(tokens(tree)))
    params, cites = _params(tree, place), _cites(tree, place)
    if tree.data == "replace_query_short":
        exprs = [child for child in parts(tree) if child.data not in {"cites", "names"}]
        value = expression(exprs[0], place)
        only = ast.QueryCase(value, None, value.span, cites)
        return ast.ReplaceQuery(name, params, (), (only,), place.line(tree), cites)
    lets, cases = query_lines(tree, name, place)
    return ast.ReplaceQuery(name, params, lets, cases, place.until(tree, cases[-1].span), cites)


def _replace_data(tree: Node, place: Place) -> ast.ReplaceValues | ast.ReplaceType:
    from conche.syntax.build.declarations import data_from, type_rows

    name, cites = place.name(next(tokens(tree))), _cites(tree, place)
    if tree.data in ("replace_type", "replace_type_from"):
        variants, rows, span = type_rows(tree, place)
        return ast.ReplaceType(name, variants, span, cites, rows)
    file = part(tree, "from_file")
    value = list_literal(the(tree, "list"), place) if file is None else data_from(file, place)
    return ast.ReplaceValues(name, value, place.line(tree), cites)


def _modify(tree: Node, place: Place) -> ast.Modify:
    op = " ".join(str(token) for token in tokens(the(tree, "change_op")))
    exprs = [child for child in parts(tree) if child.data not in {"cites", "names", "change_op", "guard"}]
    guard = part(tree, "guard")
    return ast.Modify(
        place.name(next(tokens(tree))),
        _params(tree, place),
        op,
        expression(exprs[0], place),
        None if guard is None else expression(next(parts(guard)), place),
        place.line(tree),
        _cites(tree, place),
    )


def _with(tree: Node, place: Place) -> ast.WithModules:
    found = [child for child in parts(the(tree, "with_parts")) if child.data != "and"]
    modules = tuple(
        (place.name(list(tokens(child))[-1]), child.data == "present")
        for child in found
        if child.data != "option_is"
    )
    options = [child for child in found if child.data == "option_is"]
    if len(options) > 1:
        raise RefusedError(
            diagnose(
                "C0114",
                "a `with` asks about one option",
                Label(place.span(options[1]), "put this on a `with` line of its own inside"),
                Label(place.span(options[0]), "the first one", primary=False),
            )
        )
    option: tuple[ast.Name, ast.Name] | None = None
    for child in options:
        name, value = (place.name(token) for token in tokens(child))
        option = (name, value)
    decls = tuple(_inner(child, place) for child in parts(tree) if child.data not in {"cites", "with_parts"})
    return ast.WithModules(modules, option, decls, place.until(tree, decls[-1].span), _cites(tree, place))


def _inner(tree: Tree[Token], place: Place) -> ast.Decl:
    from conche.syntax.build.declarations import declaration

    built: ast.Decl | None = None
    if tree.data != "bad":
        try:
            built = declaration(tree, place)
        except RefusedError as refused:
            place.found.append(refused.diagnostic)
    if built is not None:
        return built
    span = place.span(tree)
    return unreadable(place.source.text[span.start : span.end], span)
