"""Scenarios: lark trees to AST nodes.

Input: a tree of the grammar's part `scenarios`. Output: `ast.ScenarioDecl`.
"""

from __future__ import annotations

from lark import Token, Tree

from conche.syntax import ast
from conche.syntax.build.expressions import arguments, expression
from conche.syntax.build.places import Node, Place, part, parts, the, tokens


def scenario(tree: Node, place: Place) -> ast.ScenarioDecl:
    """The scenario that a tree means."""
    return ast.ScenarioDecl(
        place.string(next(tokens(tree))),
        tuple(_line(child, place) for child in parts(tree) if child.data != "cites"),
        place.line(tree),
        place.cites(the(tree, "cites")),
    )


def _line(tree: Node, place: Place) -> ast.ScenarioLine:
    span = place.span(tree)
    names = list(tokens(tree))
    exprs = [
        child for child in parts(tree) if child.data not in {"of_owner", "turned", "scenario_args", "args"}
    ]

    def at(index: int) -> ast.Expr:
        return expression(exprs[index], place)

    match tree.data:
        case "given_players":
            return ast.GivenPlayers(int(names[0]), span)
        case "given_set":
            return ast.GivenSet(at(0), at(1), span)
        case "given_piece":
            owner, turned = _within(tree, "of_owner", place), _within(tree, "turned", place)
            return ast.GivenPiece(at(0), owner, at(1), turned, span)
        case "begin_with":
            return ast.BeginWith(place.name(names[0]), arguments(part(tree, "args"), place), span)
        case "scenario_move":
            return ast.ScenarioMove(place.name(names[0]), place.name(names[1]), _args(tree, place), span)
        case "scenario_chance":
            return ast.ScenarioChance(at(0), at(1), span)
        case "then_holds":
            return ast.ThenHolds(at(0), span)
        case "then_can" | "then_cannot":
            can = tree.data == "then_can"
            return ast.ThenCan(place.name(names[0]), can, place.name(names[1]), _args(tree, place), span)
        case "then_options":
            player, decision, arg = (place.name(name) for name in names)
            return ast.ThenOptions(player, decision, arg, at(0), span)
        case "then_over":
            return ast.ThenOver(span)
        case other:
            raise AssertionError(f"no line of a scenario: {other}")


def _within(tree: Node, kind: str, place: Place) -> ast.Expr | None:
    found = part(tree, kind)
    return None if found is None else expression(next(parts(found)), place)


def _args(tree: Node, place: Place) -> tuple[ast.ScenarioArg, ...]:
    found = part(tree, "scenario_args")
    return () if found is None else tuple(_arg(child, place) for child in parts(found))


def _arg(tree: Node, place: Place) -> ast.ScenarioArg:
    name, value = tree.children
    assert isinstance(name, Token)
    assert isinstance(value, Tree)
    return ast.ScenarioArg(place.name(name), expression(value, place), place.span(tree))
