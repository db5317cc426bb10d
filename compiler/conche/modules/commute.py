"""Which of two changes comes first, and whether that matters.

Purpose: puts the modules in one order, and finds changes of one layer at one place that do not commute.
Input: typed modules, changes, the effects of all routines. Output: the order; findings with both places, the
data they share and the ways to settle it.
Invariants: modules stand by name, except where one follows another; that order is the same however the
ruleset names them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import assert_never

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.modules.draft import Draft
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.check_triggers import stable_order
from conche.semantics.effects import clash, effects_of
from conche.semantics.walk import in_dependency_order, walk
from conche.semantics.words import listed


class Order:
    """`after`: by module, those that it follows, directly or through others."""

    def __init__(self, modules: Sequence[tm.TypedModule], found: list[Diagnostic]) -> None:
        names = sorted(module.name for module in modules)
        spans = {m.name: {f.text: f.span for f in m.follows if f.text in names} for m in modules}
        follows = {name: set(spans[name]) for name in names}
        _, cycles = in_dependency_order(follows)
        for cycle in cycles:
            ring = [*cycle, cycle[0]]
            links = [(a, b, spans[a][b]) for a, b in pairwise(ring)]
            found.append(
                diagnose(
                    "C0234",
                    f"the module '{cycle[0]}' follows itself: {' → '.join(ring)}",
                    Label(links[0][2], f"'{links[0][0]}' follows '{links[0][1]}' here"),
                    *(Label(s, f"'{a}' follows '{b}' here", primary=False) for a, b, s in links[1:]),
                )
            )
        self.names = stable_order(names, {name: sorted(follows[name]) for name in names})
        self.rank = {name: place for place, name in enumerate(self.names)}
        self.after: dict[str, set[str]] = {}
        for name in self.names:
            direct = follows[name]
            self.after[name] = direct | {far for near in direct for far in self.after.get(near, ())}

    def settled(self, a: str, b: str) -> bool:
        """Whether it is said which of the two comes first (in one module the text says it)."""
        return a == b or a in self.after[b] or b in self.after[a]


class Reach:
    """The effects of a body, of all that it uses, and of the triggers that it sets off."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.known: dict[str, tm.Effects] = {}

    def of(self, effects: tm.Effects) -> tm.Effects:
        result = self._used(effects)
        waiting = dict(sorted(self.draft.triggers.items()))
        fired = True
        while fired:
            fired = False
            for name, trigger in list(waiting.items()):
                if self._watched(trigger) & (result.writes | result.adds):
                    del waiting[name]
                    result = result.and_(self._used(effects_of(trigger.guard, trigger.body)))
                    fired = True
        return result

    def _watched(self, trigger: rb.Trigger) -> frozenset[str]:
        """What must change so that the trigger may fire."""
        match trigger.event:
            case rb.OnEnter(zones=zones, boards=boards):
                return frozenset([*(f"zone.{name}" for name in zones), *(("board",) if boards else ())])
            case rb.OnGain(var=var, zone=zone):
                return frozenset([f"zone.{zone}" if var is None else f"var.{var}"])
            case rb.OnCondition(condition):
                return self._used(effects_of(condition)).reads
            case _:
                assert_never(trigger.event)

    def _used(self, effects: tm.Effects) -> tm.Effects:
        result = effects
        for name in sorted(effects.uses):
            result = result.and_(self._routine(name))
        return result

    def _routine(self, name: str) -> tm.Effects:
        if name in self.known:
            return self.known[name]
        self.known[name] = tm.Effects()  # rules do not run into themselves; that is checked elsewhere
        sort, _, rest = name.partition(".")
        bodies: list[object] = []
        if sort == "step" and rest in self.draft.steps:
            bodies = [self.draft.steps[rest].body]
        elif sort == "query" and rest in self.draft.queries:
            query = self.draft.queries[rest]
            bodies = [query.lets, query.cases]
        elif sort == "action" and rest in self.draft.actions:
            bodies = [case.body for case in self.draft.actions[rest].cases]
        self.known[name] = self._used(effects_of(*bodies))
        return self.known[name]


def check_order(
    changes: Sequence[tm.Change], what: str, order: Order, reach: Reach, found: list[Diagnostic]
) -> None:
    """Reports each two changes of a layer at one place that do not commute, unless one follows the other."""
    for a, b in combinations(changes, 2):
        if order.settled(a.module, b.module):
            continue
        first, second = reach.of(a.effects), reach.of(b.effects)
        shared = clash(first, second)
        reasons: list[str] = []
        if shared:
            reasons.append(f"both have to do with {listed(sorted(_plain(path) for path in shared))}")
        if first.asks and second.asks:
            reasons.append("both ask a player")
        if first.writes & {"end"} or second.writes & {"end"}:
            reasons.append("one of them can end the game")
        reasons += [
            f"'{change.module}' does not always do what was there exactly once"
            for change in (a, b)
            if isinstance(change.edit, tm.Wrap) and not once(change.edit.body)
        ]
        if not reasons:
            continue
        found.append(
            diagnose(
                "C0236",
                f"two modules {what}, and nothing says which comes first",
                Label(b.span, f"'{b.module}' does so here"),
                Label(a.span, f"and '{a.module}' here", primary=False),
                notes=reasons,
                help=(
                    f"write `follows {a.module}` in the header of '{b.module}', or the other way round",
                    "or change another place in one of them",
                ),
            )
        )


def _plain(path: str) -> str:
    sort, _, name = path.partition(".")
    return "the board" if sort == "board" else name or sort


def check_replaced(changes: Sequence[tm.Change], order: Order, found: list[Diagnostic]) -> tm.Change:
    """The replacement that counts: the one that follows all others."""
    *earlier, last = changes
    name = last.edit.place.partition(".")[2]
    for other in earlier:
        if other.module != last.module and other.module in order.after[last.module]:
            continue
        who = "two modules replace" if other.module != last.module else "one module replaces"
        hint = f"write `follows {other.module}` in the header of '{last.module}', or `wrap {name}` in one"
        if other.module == last.module:
            hint = "make one body of the two, or put each into a part for another case"
        found.append(
            diagnose(
                "C0212",
                f"{who} the same {_sort(last.edit.place)} '{name}'",
                Label(last.span, f"'{last.module}' replaces it here"),
                Label(other.span, f"and '{other.module}' here", primary=False),
                notes=("two bodies cannot both be the body, and nothing says which counts",),
                help=(hint,),
            )
        )
    return last


def _sort(place: str) -> str:
    sort = place.partition(".")[0]
    return "case of the action" if sort == "action" else sort


def once(body: tuple[rb.Stmt, ...]) -> bool:
    """Whether a wrap does what was there exactly once, whatever happens."""
    here = [stmt for stmt in body if isinstance(stmt, rb.Do) and stmt.step.startswith(tm.ORIGINAL)]
    every = _count(body, lambda n: isinstance(n, rb.Do) and n.step.startswith(tm.ORIGINAL))
    return len(here) == 1 and every == 1 and not _count(body, lambda n: isinstance(n, rb.Stop | rb.EndGame))


def _count(body: tuple[rb.Stmt, ...], wanted: Callable[[object], bool]) -> int:
    return sum(1 for node in walk(body) if wanted(node))
