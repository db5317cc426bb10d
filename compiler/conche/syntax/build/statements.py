"""Statements: lark trees to AST nodes.

Input: a tree of the grammar's part `statements`. Output: `ast.Stmt`.
Invariants: a statement that is refused is reported and becomes an `ErrorStmt`; a line that was blanked as
unreadable (`bad`) becomes one silently. In `if c: stop §1.8` the citation belongs to all that is on the line:
to both statements.
"""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from conche.syntax import ast
from conche.syntax.build.expressions import arguments, expression, item
from conche.syntax.build.places import Node, Place, RefusedError, part, parts, the, tokens

Cites = tuple[ast.Cite, ...]


def suite(tree: Node, place: Place) -> tuple[Cites, tuple[ast.Stmt, ...]]:
    """What a head line leads to: the citations of that line, and the statements."""
    cites = part(tree, "cites")
    at_end = () if cites is None else place.cites(cites)
    if tree.data == "inline":
        return at_end, (statement(cast("Node", tree.children[0]), place, at_end),)
    return at_end, tuple(statement(child, place) for child in parts(tree) if child.data != "cites")


def statement(tree: Node, place: Place, cites: Cites = ()) -> ast.Stmt:
    """The statement that a tree means. `cites` are given for one that shares its line with a head."""
    try:
        match tree.data:
            case "bad":
                return ast.ErrorStmt(place.span(tree), ())
            case "line":
                inner, at_end = parts(tree)
                return _simple(inner, place, place.cites(at_end))
            case "if_stmt":
                return _if(tree, place)
            case "choose":
                return _choose(tree, place)
            case "at_once":
                return _at_once(tree, place)
            case (
                "with_players"
                | "with_option"
                | "for_each"
                | "for_each_ranked"
                | "each_player"
                | "rounds"
                | "rounds_until_pass"
            ):
                return _compound(tree, place)
            case "repeat" | "repeat_while" | "repeat_times":
                return _repeat(tree, place)
            case _:
                return _simple(tree, place, cites)
    except RefusedError as refused:
        place.found.append(refused.diagnostic)
        return ast.ErrorStmt(place.span(tree), ())


def _simple(tree: Node, place: Place, cites: Cites) -> ast.Stmt:
    """A statement without a block."""
    span = place.span(tree)
    name = next(tokens(tree), None)
    exprs = [child for child in parts(tree) if child.data not in _PARTS]

    def at(index: int) -> ast.Expr:
        return expression(exprs[index], place)

    def maybe(index: int) -> ast.Expr | None:
        return at(index) if index < len(exprs) else None

    def named() -> ast.Name:
        assert name is not None
        return place.name(name)

    match tree.data:
        case "gain" | "gain_up_to":
            return ast.Gain(at(0), tree.data == "gain_up_to", named(), span, cites)
        case "pay":
            return ast.Pay(at(0), named(), maybe(1), span, cites)
        case "put" | "take":
            items = tuple(item(child, place) for child in parts(the(tree, "items")))
            make = ast.Put if tree.data == "put" else ast.Take
            return make(items, at(0), span, cites)
        case "swap":
            return ast.Swap(at(0), at(1), at(2), span, cites)
        case "move":
            turned = part(tree, "turned")
            turn = None if turned is None else expression(cast("Node", turned.children[0]), place)
            return ast.Move(at(0), at(1), at(2), turn, part(tree, "under") is not None, span, cites)
        case "draw" | "draw_up_to":
            return ast.Draw(at(0), tree.data == "draw_up_to", at(1), at(2), span, cites)
        case "shuffle":
            return ast.Shuffle(at(0), span, cites)
        case "set":
            return ast.Set(at(0), at(1), span, cites)
        case "add":
            return ast.Add(at(0), at(1), span, cites)
        case "drop":
            return ast.Drop(at(0), at(1), span, cites)
        case "reveal":
            return ast.Reveal(at(0), maybe(1), span, cites)
        case "look":
            return ast.Look(at(0), at(1), span, cites)
        case "eliminate":
            return ast.Eliminate(at(0), span, cites)
        case "let":
            assert name is not None
            return ast.Let(place.new_name(name), at(0), span, cites)
        case "do":
            return ast.Do(named(), arguments(part(tree, "args"), place), span, cites)
        case "stop":
            return ast.Stop(None if name is None else place.name(name), span, cites)
        case "end_game":
            return ast.EndGame(span, cites)
        case "original":
            return ast.Original(span, cites)
        case "chance":
            source, variable = tokens(tree)
            return ast.Chance(place.name(source), place.new_name(variable), at(0), span, cites)
        case "choose_short":
            only = ast.Case(None, _binders(the(tree, "binders"), place), None, (), span, cites)
            return ast.Choose(_chooser(tree, place), named(), (only,), None, (), True, span, cites)
        case other:
            raise AssertionError(f"no statement: {other}")


_PARTS = {"items", "turned", "under", "args", "binders", "chooser"}
"""Children of simple statements that are no expressions."""


def _if(tree: Node, place: Place) -> ast.If:
    condition = expression(cast("Node", tree.children[0]), place)
    cites, then = suite(cast("Node", tree.children[1]), place)
    branch = part(tree, "else_body")
    otherwise: tuple[ast.Stmt, ...] = ()
    if branch is not None:
        inner = cast("Node", branch.children[0])
        otherwise = (statement(inner, place),) if inner.data == "if_stmt" else suite(inner, place)[1]
    span = place.until(tree, (otherwise or then)[-1].span)
    return ast.If(condition, then, otherwise, span, cites)


def _compound(tree: Node, place: Place) -> ast.Stmt:
    """A head line and its block."""
    cites, body = suite(cast("Node", tree.children[-1]), place)
    span = place.until(tree, body[-1].span)
    exprs = [child for child in parts(tree) if child.data not in _HEAD_PARTS]
    names = list(tokens(tree))
    guard = part(tree, "guard")
    condition = None if guard is None else expression(cast("Node", guard.children[0]), place)
    match tree.data:
        case "with_players":
            counts = tuple(int(token) for token in tokens(the(tree, "counts")))
            return ast.WithPlayers(counts, body, span, cites)
        case "with_option":
            return ast.WithOption(place.name(names[0]), place.name(names[1]), body, span, cites)
        case "for_each_ranked":
            source = expression(exprs[0], place)
            keys = tuple(_rank_key(child, place) for child in parts(the(tree, "ranked")))
            return ast.ForEach(place.player_name(names[0], tree), source, None, None, body, span, cites, keys)
        case "for_each":
            source = expression(exprs[0], place)
            variable = place.player_name(names[0], tree)
            order = part(tree, "in_order")
            if order is None:
                return ast.ForEach(variable, source, None, None, body, span, cites)
            by = expression(next(parts(order)), place)
            decision = place.name(next(tokens(order)))
            return ast.ForEach(variable, source, by, decision, body, span, cites)
        case "each_player":
            start = expression(exprs[0], place)
            return ast.EachPlayer(place.player_name(names[0], tree), start, condition, body, span, cites)
        case "rounds" | "rounds_until_pass":
            start = expression(exprs[0], place)
            until_pass = tree.data == "rounds_until_pass"
            return ast.Rounds(
                place.player_name(names[0], tree), start, condition, body, span, cites, until_pass
            )
        case other:
            raise AssertionError(f"no statement: {other}")


_HEAD_PARTS = {"counts", "in_order", "ranked", "guard", "block", "inline"}
"""Children of head lines that are no expressions."""


def _rank_key(tree: Node, place: Place) -> ast.RankKey:
    value, direction = parts(tree)
    return ast.RankKey(expression(value, place), str(direction.children[0]) == "falling", place.span(tree))


def _at_once(tree: Node, place: Place) -> ast.AtOnce:
    together = str(the(tree, "together").children[0]) == "together"
    start = cast("Node", tree.children[2])
    guard = part(tree, "guard")
    inner = statement(cast("Node", tree.children[-1]), place)
    assert isinstance(inner, ast.Choose | ast.ErrorStmt)
    return ast.AtOnce(
        "together" if together else "secretly",
        place.player_name(next(tokens(tree)), tree),
        expression(start, place),
        None if guard is None else expression(next(parts(guard)), place),
        inner,
        place.until(tree, inner.span),
        place.cites(the(tree, "cites")),
    )


def _repeat(tree: Node, place: Place) -> ast.Repeat:
    cites, body = suite(cast("Node", tree.children[-1]), place)
    head = expression(cast("Node", tree.children[0]), place) if len(tree.children) > 1 else None
    condition = head if tree.data == "repeat_while" else None
    times = head if tree.data == "repeat_times" else None
    return ast.Repeat(condition, times, body, place.until(tree, body[-1].span), cites)


def _choose(tree: Node, place: Place) -> ast.Stmt:
    none = part(tree, "none_body")
    always = part(tree, "always")
    cases = tuple(case(child, place) for child in parts(tree) if child.data in {"case", "case_empty"})
    if part(tree, "bad") is not None:
        # A case is missing: what is left would be another choice than the one that was meant.
        return ast.ErrorStmt(place.span(tree), ())
    fallback = None if none is None else suite(cast("Node", none.children[0]), place)[1]
    passing = part(tree, "pass_case")
    to_pass = None if passing is None else _pass(passing, place)
    last = place.span(always) if always is not None else (to_pass or (fallback or cases)[-1]).span
    return ast.Choose(
        _chooser(tree, place),
        place.name(next(tokens(tree))),
        cases,
        fallback,
        () if always is None else place.cites(always),
        False,
        place.until(tree, last),
        place.cites(the(tree, "cites")),
        to_pass,
    )


def _pass(tree: Node, place: Place) -> ast.Case:
    """The line `pass` of a `choose`."""
    binders = part(tree, "binders")
    return ast.Case(
        None,
        () if binders is None else _binders(binders, place),
        None,
        (),
        place.line(tree),
        place.cites(the(tree, "cites")),
    )


def _chooser(tree: Node, place: Place) -> ast.Expr | None:
    chooser = part(tree, "chooser")
    return None if chooser is None else expression(next(parts(chooser)), place)


def case(tree: Node, place: Place) -> ast.Case:
    """A case of a `choose`."""
    head, rest = parts(tree)
    label = next(tokens(head), None)
    binders = part(head, "binders")
    guard, named = part(head, "guard"), part(head, "named")
    if tree.data == "case":
        cites, body = suite(rest, place)
    else:
        cites, body = place.cites(rest), ()
    return ast.Case(
        None if label is None else place.name(label),
        () if binders is None else _binders(binders, place),
        None if guard is None else expression(next(parts(guard)), place),
        body,
        place.until(tree, body[-1].span if body else place.span(head)),
        cites,
        None if named is None else place.name(next(tokens(named))),
    )


def _binders(tree: Node, place: Place) -> tuple[ast.Binder, ...]:
    return tuple(_binder(child, place) for child in parts(tree))


def _binder(tree: Node, place: Place) -> ast.Binder:
    name, value = tree.children
    assert isinstance(name, Token)
    assert isinstance(value, Tree)
    bound = place.name(name) if name.type == "YES" else place.new_name(name)
    if tree.data == "bind_is":
        return ast.BindIs(bound, expression(value, place), place.span(tree))
    return ast.BindIn(bound, expression(value, place), tree.data == "bind_hidden", place.span(tree))
