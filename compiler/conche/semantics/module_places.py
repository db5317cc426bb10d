"""Named places of the game that modules change, and what is in scope there.

Input: a `Path` of the AST and the symbols and typed bodies of the game and of other modules. Output:
`Place`s.
Invariants: a place that does not exist is reported with what exists nearby; a place says which parameters its
body has, the implicit `you` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conche.semantics import rulebook as rb
from conche.semantics.symbols import Context
from conche.semantics.walk import walk
from conche.semantics.words import listed
from conche.syntax import ast


@dataclass
class Bodies:
    """The typed bodies of the game and of all modules that are known here."""

    steps: dict[str, rb.Step]
    actions: dict[str, dict[str, rb.ActionCase]]
    """The cases of each action by label."""
    parts: dict[str, tuple[rb.Stmt, ...]]
    """`setup` and `play`."""

    def copy(self) -> Bodies:
        return Bodies(dict(self.steps), {n: dict(c) for n, c in self.actions.items()}, dict(self.parts))


@dataclass(frozen=True, slots=True)
class Place:
    """A routine. `path` as in the canonical form; `params` are the slots that callers fill, in order."""

    path: str
    params: tuple[rb.Slot, ...]
    implicit_you: bool
    body: tuple[rb.Stmt, ...]


def find_routine(context: Context, bodies: Bodies, path: ast.Path) -> Place | None:
    """The step `refill` or the case `use.market`; None after a finding."""
    globals_, first = context.globals, path.names[0]
    if len(path.names) == 1:
        step = bodies.steps.get(first.text)
        if step is not None:
            return Place(f"step.{step.name}", step.params, step.implicit_you, step.body)
        hints: list[str] = []
        if first.text in bodies.actions:
            cases = listed(f"{first.text}.{label}" for label in bodies.actions[first.text])
            hints = [f"an action is changed case by case: {cases}"]
        elif first.text in globals_.values:
            hints = [f"a query is changed with `modify {first.text}(…): …` or `replace {first.text}(…) = …`"]
        elif first.text in bodies.parts:
            hints = _in_steps(first.text, bodies.parts[first.text])
        elif first.text in globals_.steps or first.text in globals_.actions:
            return None  # it could not be typed, and that is reported
        _unknown(context, "step", first, [*bodies.steps], *hints, told=_of_others(bodies.steps, first))
        return None
    if len(path.names) == 2 and first.text in bodies.actions:
        found = bodies.actions[first.text]
        case = found.get(path.names[1].text)
        if case is None:
            families = {label.partition("(")[0]: label for label in found}
            case = found.get(families.get(path.names[1].text, ""))
        action = globals_.actions.get(first.text)
        if case is None:
            _unknown(context, f"case of the action '{first.text}' called", path.names[1], [*found], None)
            return None
        implicit = action is not None and action.you is not None
        head = 1 if implicit else 0
        params = (*case.params[:head], *(slot for slot, _ in case.bound), *case.params[head:])
        return Place(f"action.{first.text}.{case.label}", params, implicit, case.body)
    if first.text not in bodies.actions:
        hint = None
        if first.text in bodies.steps:
            hint = f"the step is changed by its own name: `{first.text}`"
        _unknown(context, "action", first, [*bodies.actions], hint)
        return None
    context.report("C0239", "a place is a step, or an action and its case", path.span)
    return None


_AROUND = rb.If | rb.ForEach | rb.EachPlayer | rb.Rounds | rb.While | rb.Times | rb.Choose
"""Statements that hold others."""


def _in_steps(part: str, body: tuple[rb.Stmt, ...]) -> list[str]:
    """How `setup` and `play`, which are no places themselves, can be changed."""
    inside = [node for node in walk(body) if isinstance(node, rb.Stmt)]
    steps = dict.fromkeys(node.step for node in inside if isinstance(node, rb.Do))
    plain = [node for node in inside if not isinstance(node, rb.Do | rb.Let | rb.Stop | _AROUND)]
    hints = [f"'{part}' is changed step by step: {listed(steps)}"] if steps else []
    if plain or not steps:
        what = f"what {'else ' if steps else ''}stands directly in '{part}' has no name"
        hints.append(
            f"{what}: put it into a step of the game, write `do STEP` in its place, and name that step"
        )
    return hints


def _of_others(steps: dict[str, rb.Step], name: ast.Name) -> list[str]:
    """The steps that are not of the file in which the name stands: nobody changes his own."""
    return [step.name for step in steps.values() if step.span.file != name.span.file]


@dataclass(frozen=True, slots=True)
class FoundChoice:
    """A choice, where it stands, and the locals that are known there (settable or not)."""

    place: Place
    choose: rb.Choose
    scope: tuple[tuple[rb.Slot, bool], ...]
    loops: int


def find_choice(context: Context, bodies: Bodies, path: ast.Path) -> FoundChoice | None:
    """`fill.fill`, `use.market.use`, `play.x`: the one choice of that name in that body."""
    names = path.names
    if len(names) <= 2 and names[0].text in bodies.actions and names[0].text not in bodies.steps:
        _choice_of_action(context, bodies, path)
        return None
    if len(names) < 2:
        context.report(
            "C0239",
            f"'{names[0].text}' does not say in which step the choice stands",
            path.span,
            help=_elsewhere(bodies, names[0].text),
        )
        return None
    place: Place | None
    if len(names) == 2 and names[0].text in bodies.parts and names[0].text not in bodies.steps:
        place = Place(names[0].text, (), False, bodies.parts[names[0].text])
    else:
        place = find_routine(context, bodies, ast.Path(names[:-1], names[0].span.to(names[-2].span)))
    if place is None:
        return None
    last = names[-1]
    given = tuple((slot, False) for slot in place.params)
    every = list(choices(place.body, given, 0))
    found = [choice for choice in every if choice[0].name == last.text]
    if not found:
        known = sorted({choose.name for choose, _, _ in every})
        where = path.names[-2].text
        other = next(iter(_elsewhere(bodies, last.text)), None)
        _unknown(context, f"choice in '{where}' called", last, known, other)
        return None
    if len(found) > 1:
        context.report(
            "C0239",
            f"'{'.'.join(n.text for n in names)}' is {len(found)} choices",
            path.span,
            also=tuple((choose.span, "one of them") for choose, _, _ in found),
            help=("put each into a step of its own, so that it has a name",),
        )
        return None
    choose, scope, loops = found[0]
    if choose.short:
        context.report(
            "C0239",
            f"'{last.text}' has no cases that others could stand beside",
            path.span,
            also=((choose.span, "this choice is written on one line"),),
            help=_instead(".".join(name.text for name in names[:-1]), place),
        )
        return None
    return FoundChoice(place, choose, scope, loops)


def _choice_of_action(context: Context, bodies: Bodies, path: ast.Path) -> None:
    """Of an action, the case is to be named too."""
    action, wanted = path.names[0].text, path.names[-1].text
    first = f"{action}.{_family(next(iter(bodies.actions[action])))}"
    written = ".".join(name.text for name in path.names)
    context.report(
        "C0239",
        f"'{written}' does not say in which case of the action '{action}' the choice stands",
        path.span,
        help=(
            *_elsewhere(bodies, wanted),
            f"for a kind of your own write `action {action}(KIND)`",
            f"around a case of the game's write `wrap {first}` and `original`",
        ),
    )


def _instead(written: str, place: Place) -> list[str]:
    """What a module can do around a choice that takes no more cases."""
    if "." not in place.path:
        return []
    instead = f"write `wrap {written}` and `original`: what is to be asked besides stands before or behind it"
    if place.path.startswith("step."):
        return [instead]
    return [instead, f"for a kind of your own write `action {written.partition('.')[0]}(KIND)`"]


def _elsewhere(bodies: Bodies, name: str) -> list[str]:
    """Where a choice of that name stands that takes more cases."""
    every: dict[str, tuple[rb.Stmt, ...]] = dict(bodies.parts)
    every |= {step.name: step.body for step in bodies.steps.values()}
    for action, cases in bodies.actions.items():
        every |= {f"{action}.{_family(label)}": case.body for label, case in cases.items()}
    found = [
        f"{place}.{name}"
        for place, body in every.items()
        if [choose.short for choose, _, _ in choices(body, (), 0) if choose.name == name] == [False]
    ]
    return [f"write {listed(found, 'or')}"] if 0 < len(found) <= 3 else []


def _family(label: str) -> str:
    return label.partition("(")[0]


Scope = tuple[tuple[rb.Slot, bool], ...]


def choices(body: tuple[rb.Stmt, ...], scope: Scope, loops: int) -> Iterator[tuple[rb.Choose, Scope, int]]:
    """Every choice of a block, with what is known there."""
    for node in body:
        match node:
            case rb.Let(slot) | rb.Chance(_, slot):
                scope = (*scope, (slot, True))
            case rb.If():
                yield from choices(node.then, scope, loops)
                yield from choices(node.otherwise, scope, loops)
            case rb.ForEach() | rb.EachPlayer() | rb.Rounds():
                yield from choices(node.body, (*scope, (node.slot, False)), loops + 1)
            case rb.While() | rb.Times():
                yield from choices(node.body, scope, loops + 1)
            case rb.Choose():
                yield node, scope, loops
                for case in node.cases:
                    bound = tuple((binder.slot, True) for binder in case.binders)
                    if node.short:
                        scope = (*scope, *bound)
                    else:
                        yield from choices(case.body, (*scope, *bound), loops)
                yield from choices(node.none or (), scope, loops)
            case _:
                pass


def _unknown(
    context: Context,
    what: str,
    name: ast.Name,
    known: list[str],
    *hints: str | None,
    told: list[str] | None = None,
) -> None:
    context.unknown(what, name, known, *hints, code="C0239", told=told)
