"""Who is `you`: which steps and actions speak of the player on turn without declaring it.

Purpose: finds, before anything is typed, the steps and actions that need `you` from whoever does them.
Input: the bodies of steps and actions. Output: by name, the place where `you` is first needed.
Invariants: `gain`, `pay` and `choose` speak of `you` too; a loop, argument or event that is itself called
`you` binds it. What a step needs only because of a step that it does counts at that `do`. Least fixpoint, so
it does not depend on the order of declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conche.semantics.walk import walk
from conche.source import Span
from conche.syntax import ast


@dataclass
class Speech:
    """Where a body speaks of `you` unbound, and what it does there."""

    first: Span | None = None
    does: list[tuple[str, Span]] = field(default_factory=list)

    def mention(self, span: Span) -> None:
        if self.first is None or span < self.first:
            self.first = span


def infer_you(
    bodies: Mapping[str, Iterable[tuple[tuple[ast.Param, ...], tuple[ast.Stmt, ...]]]],
    known: Iterable[str] = (),
) -> dict[str, Span]:
    """The names whose bodies need `you`. A body comes with its parameters; an action has several bodies.
    `known`: steps and actions declared elsewhere that need it."""
    speeches: dict[str, Speech] = {}
    for name, parts in sorted(bodies.items()):
        speech = Speech()
        for params, statements in parts:
            if all(param.name.text != "you" for param in params):
                _listen(speech, statements)
        speeches[name] = speech
    callers: dict[str, list[str]] = {}
    for name, speech in speeches.items():
        for callee, _ in speech.does:
            callers.setdefault(callee, []).append(name)
    waiting = [name for name, speech in speeches.items() if speech.first is not None]
    waiting += known
    needing = set(waiting)
    while waiting:
        for caller in callers.get(waiting.pop(), []):
            if caller not in needing:
                needing.add(caller)
                waiting.append(caller)
    return {name: _first_need(speeches[name], needing) for name in sorted(needing) if name in speeches}


def _first_need(speech: Speech, needing: set[str]) -> Span:
    spans = [span for callee, span in speech.does if callee in needing]
    return min(spans if speech.first is None else [*spans, speech.first])


def _listen(speech: Speech, statements: tuple[ast.Stmt, ...]) -> None:
    """Goes through statements in which `you` is not bound."""
    stack: list[object] = [*reversed(statements)]
    while stack:
        node = stack.pop()
        match node:
            case ast.ForEach() | ast.EachPlayer() | ast.AtOnce() | ast.Rounds() if node.var.text == "you":
                outside: list[object] = [node.start if not isinstance(node, ast.ForEach) else node.source]
                if isinstance(node, ast.ForEach) and node.chosen_by is not None:
                    outside.append(node.chosen_by)
                for part in outside:
                    _listen_to_expression(speech, part)
            case ast.AtOnce():
                for part in (node.start, node.guard):
                    _listen_to_expression(speech, part)
                # Where `you` chooses, the player of the loop is meant: that is said there.
                if not isinstance(node.choose, ast.Choose) or node.choose.chooser is not None:
                    stack.append(node.choose)
            case ast.Choose():
                if node.chooser is None:
                    speech.mention(node.name.span)
                else:
                    _listen_to_expression(speech, node.chooser)
                for case in node.cases:
                    for binder in case.binders:
                        _listen_to_expression(speech, binder)
                    _listen_to_expression(speech, case.guard)
                    stack.extend(reversed(case.body))
                stack.extend(reversed(node.none or ()))
            case (
                ast.If()
                | ast.WithPlayers()
                | ast.WithOption()
                | ast.ForEach()
                | ast.EachPlayer()
                | (ast.Rounds() | ast.Repeat())
            ):
                for part in _expressions(node):
                    _listen_to_expression(speech, part)
                stack.extend(reversed(node.then + node.otherwise if isinstance(node, ast.If) else node.body))
            case _:
                if isinstance(node, ast.Gain | ast.Pay | ast.Look):
                    speech.mention(node.span)
                elif isinstance(node, ast.Do):
                    speech.does.append((node.name.text, node.span))
                _listen_to_expression(speech, node)


def _expressions(
    node: ast.If | ast.WithPlayers | ast.WithOption | ast.ForEach | ast.EachPlayer | ast.Rounds | ast.Repeat,
) -> list[object]:
    match node:
        case ast.If():
            return [node.condition]
        case ast.ForEach():
            return [node.source, node.chosen_by, node.ranked]
        case ast.EachPlayer() | ast.Rounds():
            return [node.start, node.guard]
        case ast.Repeat():
            return [node.condition, node.times]
        case _:
            return []


def _listen_to_expression(speech: Speech, node: object) -> None:
    for part in walk(node):
        if isinstance(part, ast.NameRef) and part.name == "you":
            speech.mention(part.span)
