"""Parts that belong to one value of an option: `with option first_seat is random` at the left edge.

Purpose: which options and values such parts name; for which ruleset a scenario is written.
Input: `WithModules` of the AST, the options that are known. Output: findings; scenarios with the options that
stand around them.
Invariants: a scenario is written for the options as the parts around it say, and for the defaults of all
others; in a game nothing but scenarios stands in such a part.
"""

from __future__ import annotations

from collections.abc import Mapping

from conche.semantics import rulebook as rb
from conche.semantics.symbols import Context
from conche.semantics.words import listed
from conche.syntax import ast

Options = tuple[tuple[str, str], ...]
"""Names of options with a value each, sorted."""


def written_for(options: Options, settled: Mapping[str, rb.Option]) -> bool:
    """Whether a scenario for these options is one of a ruleset with options settled like that."""
    asked = dict(options)
    return all(option.value == asked.get(name, option.default) for name, option in settled.items())


def check_option(context: Context, part: ast.WithModules, known: Mapping[str, rb.Option]) -> None:
    """The option that a part names exists and has that value."""
    if part.option is None:
        return
    name, value = part.option
    option = known.get(name.text)
    if option is None:
        context.unknown("option", name, known)
    elif value.text not in option.values:
        hint = f"its values are {listed(option.values)}"
        context.unknown(f"value of the option '{option.name}' called", value, option.values, hint)


def scenarios_of(
    context: Context, decls: tuple[ast.Decl, ...], around: Options = ()
) -> list[tuple[ast.ScenarioDecl, Options]]:
    """The scenarios of a game, those in parts for an option too."""
    known = {s.name: s for s in context.globals.values.values() if isinstance(s, rb.Option)}
    result: list[tuple[ast.ScenarioDecl, Options]] = []
    for decl in decls:
        match decl:
            case ast.ScenarioDecl():
                result.append((decl, around))
            case ast.WithModules(option=(name, value)) if not decl.modules:
                check_option(context, decl, known)
                inner = tuple(sorted({*around, (name.text, value.text)}))
                result += scenarios_of(context, decl.decls, inner)
            case _:
                pass
    return result


def check_game_changes(context: Context, decls: tuple[ast.Decl, ...], *, inside: bool = False) -> None:
    """A game changes nothing, and has parts for an option with scenarios only."""
    for decl in decls:
        if isinstance(decl, ast.WithModules) and not decl.modules:
            check_game_changes(context, decl.decls, inside=True)
        elif isinstance(decl, ast.Change):
            context.report(
                "C0244",
                "only a module changes a game",
                decl.span,
                help=("write what the game does in the place itself",),
            )
        elif inside and not isinstance(decl, ast.ScenarioDecl | ast.ErrorDecl):
            context.report(
                "C0244",
                "in a game, only scenarios stand in a part for an option",
                decl.span,
                help=("write `with option … is …` among the statements of a step instead",),
            )
