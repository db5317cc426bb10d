"""Patterns of kinds: `x is market`, `x is market(2)`, `s is a Worker`, and the heads of actions.

Purpose: finds the kinds that a pattern stands for.
Input: patterns of the AST. Output: the `Family` and its kinds that match, and typed `is` expressions.
Invariants: kinds keep the order of their declaration; a pattern that matches nothing is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from conche.semantics import rulebook as rb
from conche.semantics.check_operators import negated
from conche.semantics.check_types import constant_number
from conche.semantics.check_values import as_value, bad, is_bad
from conche.semantics.symbols import Body, Context, Family, describe_symbol, open_option
from conche.semantics.types import EnumT, Flag, KindT, Maybe, SpaceT
from conche.semantics.words import describe, plural
from conche.syntax import ast


@dataclass(frozen=True, slots=True)
class Match:
    """`bound`: the names in the pattern with the attribute that each stands for."""

    family: Family
    kinds: tuple[rb.Kind | rb.Member, ...]
    bound: tuple[tuple[ast.Name, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self.kinds)


def match_pattern(context: Context, pattern: ast.Pattern, *, binds: bool) -> Match | None:
    """The kinds that a pattern stands for; None after a finding. `binds`: whether its values may be names."""
    family = context.globals.values.get(pattern.name.text)
    if pattern.name.text in context.globals.twice:
        return None
    if not isinstance(family, Family):
        families = [f.name for f in context.globals.families]
        if family is None:
            context.unknown("kind or member", pattern.name, families)
        else:
            context.report(
                "C0208", f"{describe_symbol(family)} is no kind of piece and no member", pattern.name.span
            )
        return None
    if pattern.args is None:
        return Match(family, family.kinds, ())
    if len(pattern.args) != len(family.params):
        context.report(
            "C0206",
            f"'{family.name}' has {plural(len(family.params), 'value')}, and {len(pattern.args)} are given",
            pattern.span,
            also=((family.span, "declared here"),),
        )
        return None
    kinds = list(family.kinds)
    bound: list[tuple[ast.Name, str]] = []
    for place, (param, arg) in enumerate(zip(family.params, pattern.args, strict=True)):
        value = constant_number(arg)
        if value is not None:
            known = {kind.values[place] for kind in kinds}
            kinds = [kind for kind in kinds if kind.values[place] == value]
            if not kinds:
                context.report(
                    "C0205",
                    f"'{family.name}' has no kind with {param} {value}",
                    arg.span,
                    also=((family.span, "declared here"),),
                    help=(f"{param} is {_or(known)}",) if known else (),
                )
                return None
        elif binds and isinstance(arg, ast.NameRef):
            bound.append((ast.Name(arg.name, arg.span), param))
        else:
            context.report(
                "C0209",
                f"the {param} of '{family.name}' is written as a number here",
                arg.span,
                help=(f"write `{family.name}` alone for every kind of it",),
            )
            return None
    return Match(family, tuple(kinds), tuple(bound))


def _or(numbers: set[int]) -> str:
    return " or ".join(map(str, sorted(numbers)))


def type_is_pattern(body: Body, node: ast.IsPattern, value: rb.Expr) -> rb.Expr:
    """`x is market`"""
    value = as_value(body, value)
    context = body.context
    wanted = value.type.element if isinstance(value.type, Maybe) else value.type
    if not isinstance(wanted, SpaceT | KindT | EnumT):
        if not is_bad(value):
            context.report(
                "C0204",
                f"'is' asks what lies on a space, or which kind something is; this is {describe(wanted)}",
                value.span,
                help=("values are compared with `=`",),
            )
        return bad(node.span)
    match = match_pattern(context, node.pattern, binds=False)
    if match is None:
        return bad(node.span)
    family = match.family
    if isinstance(wanted, SpaceT):
        board = body.globals.board
        if family.is_enum or (board and all(hold.piece != family.of for hold in board.holds)):
            context.report(
                "C0204",
                f"'{family.name}' is {describe(family.type)}, and no space holds any",
                node.pattern.span,
                also=((family.span, "declared here"),),
            )
            return bad(node.span)
    elif wanted != family.type:
        context.report(
            "C0204",
            f"{describe(wanted)} is never '{family.name}', which is {describe(family.type)}",
            node.pattern.span,
            also=((family.span, "declared here"),),
        )
        return bad(node.span)
    result = rb.IsKind(value, match.names, Flag(), node.span)
    return negated(result, node.span) if node.negated else result


def type_is_a(body: Body, node: ast.IsA, value: rb.Expr) -> rb.Expr:
    """`s is a Worker`"""
    value = as_value(body, value)
    context = body.context
    name = node.type_name
    piece = body.globals.types.get(name.text)
    pieces = [p.name for p in body.globals.types.values() if isinstance(p, rb.PieceType)]
    if not is_bad(value) and not isinstance(value.type, SpaceT):
        context.report(
            "C0204", f"'is a' asks what lies on a space; this is {describe(value.type)}", value.span
        )
        value = bad(value.span)
    if piece is None:
        context.unknown("piece type", name, pieces, space="type")
        return bad(node.span)
    if not isinstance(piece, rb.PieceType):
        context.report("C0204", f"'{name.text}' is an enum; pieces of a piece type lie on spaces", name.span)
        return bad(node.span)
    board = body.globals.board
    if board and all(hold.piece != name.text for hold in board.holds):
        if "space" in body.globals.unsure:
            return bad(node.span)
        context.report(
            "C0204",
            f"no space of '{board.name}' holds a {name.text}",
            name.span,
            also=((board.span, "the board is declared here"),),
        )
        return bad(node.span)
    if is_bad(value):
        return bad(node.span)
    result = rb.IsPiece(value, name.text, Flag(), node.span)
    return negated(result, node.span) if node.negated else result


def type_is_option(body: Body, node: ast.IsPattern, option: rb.Option) -> rb.Expr:
    """`first_seat is random`, known when the ruleset is composed."""
    name = node.pattern.name
    if option.numbers is not None:
        title = f"the option '{option.name}' is a number, which `=` compares"
        body.context.report("C0204", title, node.span, help=(f"write `{option.name} = {option.default}`",))
        return bad(node.span)
    if node.pattern.args is not None or name.text not in option.values:
        body.context.unknown(f"value of the option '{option.name}' called", name, option.values)
        return bad(node.span)
    if body.context.open_options:
        asked = open_option(option, name.text, node.span)
        return negated(asked, node.span) if node.negated else asked
    return rb.Lit((option.value == name.text) != node.negated, Flag(), node.span)
