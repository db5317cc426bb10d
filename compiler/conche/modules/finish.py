"""What holds only of a whole combination: settled options, complete actions, ordered triggers, right ranges.

Input: a `Draft` with all changes laid over it. Output: the draft, finished; findings.
Invariants: nothing of a module's own mistakes is found here, only what modules do to each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Label
from conche.modules.draft import Draft
from conche.modules.gone import check_gone
from conche.modules.rebuild import all_in, settle
from conche.modules.retype import Retype
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.check_choices import check_told_apart
from conche.semantics.check_triggers import stable_order
from conche.semantics.check_types import join
from conche.semantics.symbols import Context
from conche.semantics.types import Type
from conche.semantics.walk import in_dependency_order, walk
from conche.semantics.words import describe, listed
from conche.source import Span
from conche.syntax import ast

N = TypeVar("N")


def finish(draft: Draft, game: tm.TypedGame, options: Mapping[str, str], modules: Sequence[str]) -> None:
    _settle(draft, options)
    _events(draft, game)
    _triggers(draft)
    _retype(draft, modules)
    draft.found += check_gone(draft)
    _complete(draft, modules)
    _decisions(draft)
    _recursion(draft)


def _settle(draft: Draft, options: Mapping[str, str]) -> None:
    eliminates = draft.eliminates

    def work(node: N) -> N:
        return settled(node, options, eliminates=eliminates)

    draft.parts = {name: work(body) for name, body in draft.parts.items()}
    draft.steps = {name: work(step) for name, step in draft.steps.items()}
    draft.actions = {name: work(action) for name, action in draft.actions.items()}
    draft.queries = {name: work(query) for name, query in draft.queries.items()}
    draft.triggers = {name: work(trigger) for name, trigger in draft.triggers.items()}
    draft.scores = {name: work(score) for name, score in draft.scores.items()}
    draft.invariants = {name: work(found) for name, found in draft.invariants.items()}
    draft.boards = {name: work(board) for name, board in draft.boards.items()}
    draft.rank = work(draft.rank)


def settled(node: N, options: Mapping[str, str], *, eliminates: bool) -> N:
    """With options decided; who is still in is counted only where players can be out."""
    result = settle(node, options)
    return result if eliminates else all_in(result)


def _events(draft: Draft, game: tm.TypedGame) -> None:
    """A trigger for every kind of a type is for the kinds that modules bring too."""
    every = dict(draft.every)
    for decl in game.file.decls:
        event = decl.event if isinstance(decl, ast.TriggerDecl) else None
        if isinstance(event, ast.Enters) and isinstance(event.pattern, ast.NamedType):
            assert isinstance(decl, ast.TriggerDecl)
            every.setdefault(decl.name.text, event.pattern.name.text)
    for name, of in every.items():
        trigger = draft.triggers.get(name)
        if trigger is not None and isinstance(trigger.event, rb.OnEnter):
            kinds = tuple(kind.name for kind in draft.kinds_of(of))
            draft.triggers[name] = replace(trigger, event=replace(trigger.event, kinds=kinds))


def _triggers(draft: Draft) -> None:
    follows = {
        name: [earlier for earlier in trigger.follows if earlier in draft.triggers]
        for name, trigger in draft.triggers.items()
    }
    order, cycles = in_dependency_order(follows)
    for cycle in cycles:
        ring = " → ".join([*cycle, cycle[0]])
        spans = [draft.triggers[name].span for name in cycle]
        draft.found.append(
            diagnose(
                "C0234",
                f"the trigger '{cycle[0]}' follows itself: {ring}",
                Label(spans[0]),
                *(Label(span, primary=False) for span in spans[1:]),
            )
        )
    places = {name: place for place, name in enumerate(stable_order(order, follows))}
    draft.triggers = {
        name: replace(trigger, order=places[name], follows=tuple(sorted(follows[name])))
        for name, trigger in sorted(draft.triggers.items())
    }


def _retype(draft: Draft, modules: Sequence[str]) -> None:
    seen: set[tuple[str, Span]] = set()

    def report(code: str, title: str, node: object) -> None:
        span: Span = node.span  # type: ignore[attr-defined]
        if (code, span) in seen:
            return
        seen.add((code, span))
        notes = (f"so it is with {listed(modules)} in play",) if modules else ()
        draft.found.append(diagnose(code, title, Label(span), notes=notes))

    retype = Retype(draft.globals(), report)
    asks = {
        name: [node.query for node in walk((query.lets, query.cases)) if isinstance(node, rb.Call)]
        for name, query in draft.queries.items()
    }
    order, cycles = in_dependency_order(asks)
    for cycle in cycles:
        _cycle(draft, "query", "asks", cycle, {f"query.{name}": draft.queries[name].span for name in cycle})
    for name in order:
        draft.queries[name] = retype.query(draft.queries[name])
    draft.parts = {name: retype.body(body) for name, body in draft.parts.items()}
    draft.steps = {name: retype.body(step) for name, step in draft.steps.items()}
    draft.actions = {
        name: replace(
            action, cases=tuple(sorted((retype.body(c) for c in action.cases), key=lambda c: c.label))
        )
        for name, action in draft.actions.items()
    }
    draft.triggers = {name: retype.body(trigger) for name, trigger in draft.triggers.items()}
    draft.scores = {name: retype.body(score) for name, score in draft.scores.items()}
    draft.invariants = {name: retype.body(found) for name, found in draft.invariants.items()}
    draft.rank = retype.body(draft.rank)


def _cycle(draft: Draft, what: str, verb: str, cycle: list[str], places: Mapping[str, Span]) -> None:
    """`places`: where each is declared. What modules change there is shown first."""
    ring = " → ".join([*cycle, cycle[0]])
    changed = [(c.span, f"'{c.module}' changes it here") for c in draft.changes if c.edit.place in places]
    spans = [*changed, *((span, "") for span in places.values())]
    draft.found.append(
        diagnose(
            "C0210",
            f"with these modules the {what} '{cycle[0]}' {verb} itself in the end: {ring}",
            Label(*spans[0]),
            *(Label(span, text, primary=False) for span, text in dict.fromkeys(spans[1:])),
            help=("rules never run into themselves",),
        )
    )


def _complete(draft: Draft, modules: Sequence[str]) -> None:
    for action in draft.actions.values():
        kinds = draft.kinds_of(action.of)
        told = {kind for case in action.cases for kind in case.kinds}
        missing = [kind for kind in kinds if kind.name not in told]
        if missing:
            families = list(dict.fromkeys(kind.family for kind in missing))
            draft.found.append(
                diagnose(
                    "C0218",
                    f"'{action.name}' does not say what happens with {listed(families)}",
                    Label(missing[0].span, "this kind"),
                    Label(action.span, "the action", primary=False),
                    notes=(f"{listed(modules)} do not speak of each other",) if len(modules) > 1 else (),
                    help=(
                        f"add `action {action.name}({missing[0].family}…)` in a part `with` the other module",
                    ),
                )
            )


def _decisions(draft: Draft) -> None:
    """The same argument of a decision is of one sort wherever it is chosen, and the options of a choice can
    be told apart."""
    context = Context({})
    context.globals, context.diagnostics = draft.globals(), draft.found
    known: dict[tuple[str, str], tuple[Type, Span]] = {}
    for _, body in draft.routines():
        for node in walk(body):
            if not isinstance(node, rb.Choose):
                continue
            check_told_apart(context, node.name, node.cases)
            for binder in (binder for case in node.cases for binder in case.binders if not binder.hidden):
                key = (node.name, binder.slot.name)
                earlier = known.get(key)
                if earlier is None:
                    known[key] = (binder.slot.type, binder.span)
                    continue
                both = join(earlier[0], binder.slot.type)
                if both is None:
                    draft.found.append(
                        diagnose(
                            "C0233",
                            f"'{key[1]}' of the decision '{key[0]}' is {describe(binder.slot.type)} here"
                            f" and {describe(earlier[0])} elsewhere",
                            Label(binder.span),
                            Label(earlier[1], describe(earlier[0]), primary=False),
                            help=("name one of the decisions or arguments differently",),
                        )
                    )
                else:
                    known[key] = (both, earlier[1])


def _recursion(draft: Draft) -> None:
    does: dict[str, set[str]] = {}
    for place, body in draft.routines():
        sort, _, name = place.partition(".")
        if sort == "action":
            name = name.partition(".")[0]
        calls = does.setdefault(f"{name}" if sort in ("step", "action") else place, set())
        for node in walk(body):
            if isinstance(node, rb.Do):
                calls.add(node.step)
            elif isinstance(node, rb.DoAction):
                calls.add(node.action)
    _, cycles = in_dependency_order(does)
    for cycle in cycles:
        places = {
            f"step.{name}" if name in draft.steps else f"action.{name}": (
                draft.steps[name].span if name in draft.steps else draft.actions[name].span
            )
            for name in cycle
        }
        _cycle(draft, "step", "does", cycle, places)
