"""What can be asked and done: the heads of queries, steps and actions.

Purpose: declares them before any body is typed, so that bodies can speak of each other in any order.
Input: the declarations of a `File`. Output: `Query`, `Step` and `Action` symbols in `Globals`; findings on
recursion.
Invariants: what can be done or asked shares one namespace. A query that is asked in a circle has the type
`ErrorT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from conche.semantics.check_components import declare_value, query_name_allowed
from conche.semantics.check_types import resolve_type
from conche.semantics.infer_you import infer_you
from conche.semantics.symbols import Action, Context, Family, Parameter, Query, Step
from conche.semantics.types import EnumT, ErrorT, KindT
from conche.semantics.walk import in_dependency_order, walk
from conche.source import Span
from conche.syntax import ast


def declare_signatures(context: Context, file: ast.File) -> None:
    """Declares queries, steps and actions."""
    steps: dict[str, ast.StepDecl] = {}
    actions: dict[str, list[ast.ActionDecl]] = {}
    doing: dict[str, Span] = {}
    for decl in file.decls:
        match decl:
            case ast.StepDecl():
                if decl.name.text in doing:
                    context.duplicate("the step", decl.name.text, decl.name.span, doing[decl.name.text])
                    continue
                doing[decl.name.text] = decl.name.span
                steps[decl.name.text] = decl
            case ast.ActionDecl():
                name = decl.name.text
                if name in doing and name not in actions:
                    context.duplicate("the action", name, decl.name.span, doing[name])
                    continue
                doing.setdefault(name, decl.name.span)
                actions.setdefault(name, []).append(decl)
            case _:
                pass
    for decl in file.decls:
        if isinstance(decl, ast.QueryDecl):
            if decl.name.text in doing:
                context.duplicate("the query", decl.name.text, decl.name.span, doing[decl.name.text])
            elif query_name_allowed(context, decl.name):
                params = parameters(context, decl.params)
                declare_value(context, decl.name, Query(decl.name.text, params, decl.name.span))
    you = infer_you(
        {
            **{name: [(step.params, step.body)] for name, step in steps.items()},
            **{name: [(case.params, case.body) for case in cases] for name, cases in actions.items()},
        }
    )
    for name, step in steps.items():
        params = parameters(context, step.params)
        context.globals.steps[name] = Step(name, params, you.get(name), step.name.span)
    for name, cases in actions.items():
        first = cases[0]
        context.globals.actions[name] = Action(
            name,
            action_subject(context, cases),
            parameters(context, first.params),
            you.get(name),
            first.name.span,
        )
    _check_recursion(context, steps, actions)


def parameters(context: Context, nodes: tuple[ast.Param, ...]) -> tuple[Parameter, ...]:
    """The parameters with their types."""
    result: list[Parameter] = []
    for node in nodes:
        type_ = resolve_type(context, node.type)
        result.append(Parameter(node.name.text, type_, node.name.span))
    return tuple(result)


MAX_CALLS = 60
"""How deep queries may ask each other, and steps do each other."""


def action_subject(context: Context, cases: list[ast.ActionDecl]) -> KindT | EnumT | None:
    """The piece type or enum that an action is done with."""
    for case in cases:
        family = context.globals.values.get(case.pattern.name.text)
        if isinstance(family, Family) and family.name not in context.globals.twice:
            return family.type
    return None


def query_order(context: Context, queries: Mapping[str, ast.QueryDecl]) -> list[str]:
    """The queries so that each comes after those that it asks."""
    asks: dict[str, dict[str, Span]] = {}
    for name, decl in queries.items():
        asks[name] = {}
        for node in walk((decl.lets, decl.cases)):
            if isinstance(node, ast.Call) and node.name.text in queries:
                asks[name].setdefault(node.name.text, node.name.span)
    order, cycles = in_dependency_order(asks)
    for cycle in cycles:
        _report_cycle(context, "query", "asks", cycle, asks)
        for name in cycle:
            context.globals.query_types[name] = ErrorT()
    if not cycles:
        _check_depth(context, "query", "asks", order, asks)
    return order


def _check_depth(
    context: Context, what: str, verb: str, order: list[str], uses: Mapping[str, Mapping[str, Span]]
) -> None:
    """Chains of calls are bounded, as later stages follow them by recursion."""
    depth: dict[str, int] = {}
    for name in order:
        deepest = max(uses[name], key=lambda used: depth.get(used, 0), default=None)
        depth[name] = 1 + (depth.get(deepest, 0) if deepest is not None else 0)
        if deepest is not None and depth[name] == MAX_CALLS + 1:
            context.report(
                "C0248",
                f"the {what} '{name}' {verb} others more than {MAX_CALLS} deep",
                uses[name][deepest],
                f"it {verb} '{deepest}', and so on",
                help=(f"say more in one {what}",),
            )


def _check_recursion(
    context: Context, steps: Mapping[str, ast.StepDecl], actions: Mapping[str, list[ast.ActionDecl]]
) -> None:
    does: dict[str, dict[str, Span]] = {}
    stops: dict[str, list[ast.Name]] = {}
    bodies: list[tuple[str, Iterable[ast.Stmt]]] = [(name, step.body) for name, step in steps.items()]
    bodies += [(name, case.body) for name, cases in actions.items() for case in cases]
    for name, body in bodies:
        does.setdefault(name, {})
        for node in walk(tuple(body)):
            if isinstance(node, ast.Do):
                does[name].setdefault(node.name.text, node.name.span)
            elif isinstance(node, ast.Stop) and node.target is not None:
                stops.setdefault(name, []).append(node.target)
    order, cycles = in_dependency_order(does)
    for cycle in cycles:
        _report_cycle(context, "step", "does", cycle, does)
    if not cycles:
        _check_depth(context, "step", "does", [name for name in order if name in does], does)
        _check_stops(context, does, stops)


def _report_cycle(
    context: Context, what: str, verb: str, cycle: list[str], uses: Mapping[str, Mapping[str, Span]]
) -> None:
    ring = [*cycle, cycle[0]]
    links = [(a, b, uses[a][b]) for a, b in pairwise(ring)]
    first, target, span = links[0]
    if len(cycle) == 1:
        title = f"the {what} '{first}' {verb} itself"
        also: list[tuple[Span, str]] = []
    else:
        title = f"the {what} '{first}' {verb} itself in the end: {' → '.join(ring)}"
        also = [(link, f"'{a}' {verb} '{b}' here") for a, b, link in links[1:]]
    context.report(
        "C0210",
        title,
        span,
        f"'{first}' {verb} '{target}' here",
        also=also,
        help=("repeat with `repeat` or `for each`; rules never run into themselves",)
        if verb == "does"
        else ("ask about all members of a set at once, with `count`, `sum`, `any`, `most` …",),
    )


def _check_stops(
    context: Context, does: Mapping[str, Mapping[str, Span]], stops: Mapping[str, list[ast.Name]]
) -> None:
    """`stop fill` stands in the step itself, or in what it does."""
    callers: dict[str, list[str]] = {}
    for caller, callees in does.items():
        for callee in callees:
            callers.setdefault(callee, []).append(caller)
    for name, targets in sorted(stops.items()):
        running = {name}
        waiting = [name]
        while waiting:
            found = [caller for caller in callers.get(waiting.pop(), []) if caller not in running]
            running.update(found)
            waiting += found
        for target in targets:
            if target.text in context.globals.steps and target.text not in running:
                context.report(
                    "C0231",
                    f"'{target.text}' is never running when '{name}' is done",
                    target.span,
                    also=((context.globals.steps[target.text].span, "declared here"),),
                    help=("`stop` alone leaves the innermost loop, or the step where there is none",),
                )
