"""Loops over players and in an order: `each player`, `rounds`, choices at once, `for each … by`.

Input: such statements of the AST, and a way to type their blocks. Output: the rulebook's; none after a
finding.
Invariants: what is chosen at once is one choice of each player of the loop; a loop `until all pass` has a
choice that can be passed.
"""

from __future__ import annotations

from conche.diagnostics.model import Fix
from conche.semantics import rulebook as rb
from conche.semantics.check_choices import Block, type_choose
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_flag, type_number, type_value
from conche.semantics.check_values import is_bad
from conche.semantics.symbols import Body
from conche.semantics.type_of import UNTYPED, typed
from conche.semantics.types import PlayerT, Type
from conche.semantics.walk import walk
from conche.syntax import ast


def type_each_player(body: Body, node: ast.EachPlayer, block: Block) -> tuple[rb.Stmt, ...]:
    start = type_value(body, node.start, PlayerT(), "who begins")
    with body.loop():
        slot = body.introduce(node.var, PlayerT(), you=True)
        guard = None if node.guard is None else type_flag(body, node.guard, "the condition of 'each player'")
        inner = block(body, node.body)
    return (rb.EachPlayer(slot, start, guard, inner, node.span, cite_ids(node.cites)),)


def type_rounds(body: Body, node: ast.Rounds, block: Block) -> tuple[rb.Stmt, ...]:
    start = type_value(body, node.start, PlayerT(), "who begins")
    with body.loop():
        slot = body.introduce(node.var, PlayerT(), you=True)
        guard = None if node.guard is None else type_flag(body, node.guard, "the condition of 'rounds'")
        inner = block(body, node.body)
    if node.until_pass and not _can_pass(node):
        body.context.report(
            "C0251",
            "nobody can pass in these rounds, so they never end",
            node.span,
            help=("end a `choose` in them with a line `pass`",),
        )
    return (rb.Rounds(slot, start, guard, inner, node.span, cite_ids(node.cites), node.until_pass),)


def _can_pass(node: ast.Rounds) -> bool:
    """Whether a choice of the body can be passed; or it could not be read, and may be one."""
    return any(
        isinstance(part, ast.ErrorStmt) or (isinstance(part, ast.Choose) and part.passing is not None)
        for part in walk(node.body)
    )


# ------------------------------------------------------------------------------------------------ at once


def type_at_once(body: Body, node: ast.AtOnce, block: Block) -> tuple[rb.Stmt, ...]:
    """`together each player …` and `secretly each player …`"""
    start = type_value(body, node.start, PlayerT(), "who begins")
    with body.loop():
        slot = body.introduce(node.var, PlayerT(), you=True)
        guard = None
        if node.guard is not None:
            guard = type_flag(body, node.guard, f"the condition of '{node.how}'")
        if isinstance(node.choose, ast.ErrorStmt):
            body.unsure = True
            return ()
        mistaken = _calls_another(node)
        if mistaken:
            _name_the_player_you(body, node)
        choose = type_choose(body, node.choose, block, at_once=True)
    good = _check_at_once(body, node, node.choose) and not mistaken
    if not isinstance(choose, rb.Choose) or not good:
        return ()
    if not (isinstance(choose.chooser, rb.Local) and choose.chooser.slot == slot):
        body.context.report(
            "C0249",
            f"of what is chosen {_at_once(node)}, each player of the loop chooses once",
            choose.chooser.span,
            "this is another player",
            help=(f"let `{node.var.text}` choose",),
        )
        return ()
    return (rb.EachPlayer(slot, start, guard, (choose,), node.span, cite_ids(node.cites), node.how),)


def _calls_another(node: ast.AtOnce) -> bool:
    """Whether `you` chooses in a loop whose player has another name."""
    return node.var.text != "you" and isinstance(node.choose, ast.Choose) and node.choose.chooser is None


def _name_the_player_you(body: Body, node: ast.AtOnce) -> None:
    """Says so once; what is in the block then speaks of the player of the loop."""
    assert isinstance(node.choose, ast.Choose)
    named = any(
        isinstance(part, ast.NameRef) and part.name == node.var.text
        for part in walk((node.guard, node.choose))
    )
    hint = f"call the player of the loop `you`, or write `{node.var.text}: choose {node.choose.name.text}`"
    fix = Fix(node.var.span, "you", "call the player of the loop `you`", safe=False)
    body.context.report(
        "C0249",
        f"of what is chosen {_at_once(node)}, each player of the loop chooses once",
        node.choose.name.span,
        "this is another player",
        also=((node.var.span, "who chooses is one of these"),),
        help=(hint,) if named else (),
        fixes=() if named else (fix,),
    )
    if body.find("you") is None:
        body.introduce(ast.Name("you", node.var.span), PlayerT(), you=True)


def _at_once(node: ast.AtOnce) -> str:
    return "at once" if node.how == "together" else "in secret"


def _check_at_once(body: Body, node: ast.AtOnce, choose: ast.Choose) -> bool:
    """The choice has neither `none` nor `pass`."""
    if choose.none is not None:
        title, hint = "has no `none`", "leave out of the loop who cannot choose: `each player … if …`"
    elif choose.passing is not None:
        title, hint = (
            "cannot be passed",
            "write a `case` for it, which others do not see before all have chosen",
        )
    else:
        return True
    body.context.report(
        "C0249", f"a choice that is made {_at_once(node)} {title}", choose.name.span, help=(hint,)
    )
    return False


# ------------------------------------------------------------------------------------------------ in order


def type_ranked(body: Body, node: ast.ForEach, source: rb.Expr, element: Type) -> rb.Expr:
    """The source of `for each x in S, by x.price falling` in the order that its keys give."""
    with body.scope():
        slot = body.introduce(node.var, element, you=True)
        keys = tuple(type_number(body, key.value, "what decides the order") for key in node.ranked)
    if is_bad(source) or any(is_bad(key) for key in keys):
        return source
    falling = tuple(key.falling for key in node.ranked)
    return typed(body.globals, rb.Sorted(slot, source, keys, falling, UNTYPED, node.source.span))
