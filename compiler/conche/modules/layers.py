"""The layers of changes, laid over a draft one after another: replace, extend, before and after, modify,
wrap.

Input: a `Draft`, the changes that count, the order of the modules. Output: the draft, changed; findings.
Invariants: `before`, `after` and `wrap` leave the name of the routine and its parameters as they are, so that
callers never change: what stood there becomes `x.original`, which `x` does. `stop x` said by the game leaves
`x.original`; said by a step or body that was put around it, it leaves what runs around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.modules.commute import Order, Reach, check_order, check_replaced
from conche.modules.draft import Draft
from conche.modules.modified import OPS, chain, modified
from conche.modules.rebuild import rebuild, rename_owners, slots_in, substitute
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.facts import Facts
from conche.semantics.walk import walk
from conche.source import Span


class Layers:
    def __init__(
        self, draft: Draft, changes: Sequence[tm.Change], order: Order, found: list[Diagnostic]
    ) -> None:
        """`changes` in the order of the modules, those of one in the order of its text."""
        self.draft = draft
        self.order = order
        self.found = found
        self.changes = sorted(changes, key=lambda change: order.rank[change.module])
        draft.changes = tuple(self.changes)
        self.replaced: dict[str, tm.Change] = {}

    def lay(self) -> None:
        self._replace_data()
        for change in self.changes:
            if isinstance(change.edit, tm.ExtendType | tm.ExtendBoard):
                self.draft.extend(change)
        self._replace()
        self._extend_choices()
        reach = Reach(self.draft)
        places = sorted({c.edit.place for c in self.changes if isinstance(c.edit, tm.AddStep | tm.Wrap)})
        for place in places:
            self._around(place, reach)
        self._modify()
        self.draft.changes = tuple(c for c in self.changes if self._stands(c))

    def _stands(self, change: tm.Change) -> bool:
        """Of several that replace one place, only one does."""
        kinds = (tm.ReplaceBody, tm.ReplaceAnswer, tm.ReplaceType, tm.ReplaceTable)
        return not isinstance(change.edit, kinds) or self.replaced.get(change.edit.place) is change

    def _replace_data(self) -> None:
        kinds = (tm.ReplaceType, tm.ReplaceTable)
        for place in sorted({c.edit.place for c in self.changes if isinstance(c.edit, kinds)}):
            change = check_replaced(self._at(place, *kinds), self.order, self.found)
            assert isinstance(change.edit, kinds)
            self.draft.replace_data(change.edit, change.module)
            self.replaced[place] = change

    def _at(self, place: str, *kinds: type) -> list[tm.Change]:
        return [c for c in self.changes if c.edit.place == place and isinstance(c.edit, kinds)]

    # --------------------------------------------------------------------------------------------- replace

    def _replace(self) -> None:
        kinds = (tm.ReplaceBody, tm.ReplaceAnswer)
        for place in sorted({c.edit.place for c in self.changes if isinstance(c.edit, kinds)}):
            change = check_replaced(self._at(place, *kinds), self.order, self.found)
            edit, told = change.edit, (change.span, change.cites)
            self.replaced[place] = change
            match edit:
                case tm.ReplaceBody() if edit.params:
                    owner = edit.params[0].owner
                    params, body = rename_owners((edit.params, edit.body), {owner: place})
                    self.draft.set_body(place, body, params, told)
                case tm.ReplaceBody():
                    owners = {slot.owner: place for slot in slots_in(edit.body).values()}
                    self.draft.set_body(place, rename_owners(edit.body, owners), (), told)
                case tm.ReplaceAnswer():
                    self._replace_answer(place, edit, change)
                case _:
                    raise AssertionError("no replacement")

    def _replace_answer(self, place: str, edit: tm.ReplaceAnswer, change: tm.Change) -> None:
        name = place.partition(".")[2]
        owners = {slot.owner: place for slot in slots_in(edit.params, edit.lets, edit.cases).values()}
        params, lets, cases = rename_owners((edit.params, edit.lets, edit.cases), owners)
        if place.startswith("query."):
            query = self.draft.queries[name]
            self.draft.queries[name] = rb.Query(
                name, params, lets, cases, query.type, change.span, change.cites
            )
        else:
            cites = _joined(change.cites, *(case.cites for case in cases))
            self.draft.scores[name] = rb.Score(name, params[0], chain(cases), change.span, cites)

    # ---------------------------------------------------------------------------------------- more choices

    def _extend_choices(self) -> None:
        for change in self.changes:
            edit = change.edit
            if not isinstance(edit, tm.ExtendChoose):
                continue
            body = self.draft.body(edit.place)
            if body is None:
                continue
            scope = _scope_at(body, self.draft.params(edit.place), edit.name)
            if scope is None:
                self._lost(change, edit, "there is no such choice in it")
                continue
            numbers = [
                number
                for owner, number in slots_in(self.draft.params(edit.place), body)
                if owner == edit.place
            ]
            free = max(numbers, default=-1) + 1
            slots: dict[tuple[str, int], rb.Slot] = {}
            outside = {(slot.owner, slot.number) for slot in edit.scope}
            visible = {slot.name: slot for slot in scope}
            keys = {(slot.owner, slot.number) for slot in scope}
            lost = False
            for key, slot in slots_in(edit.cases).items():
                if key in outside:
                    if key in keys:
                        continue
                    if slot.name not in visible or type(visible[slot.name].type) is not type(slot.type):
                        self._lost(change, edit, f"there is no '{slot.name}' at that choice")
                        lost = True
                        break
                    slots[key] = visible[slot.name]
                else:
                    slots[key] = rb.Slot(edit.place, free, slot.name, slot.type)
                    free += 1
            if not lost:
                cases = tuple(
                    replace(case, cites=_joined(change.cites, case.cites))
                    for case in substitute(edit.cases, slots)
                )
                self.draft.set_body(edit.place, self._with_cases(change, body, edit.name, cases))

    def _with_cases(
        self, change: tm.Change, body: tuple[rb.Stmt, ...], name: str, cases: tuple[rb.Case, ...]
    ) -> tuple[rb.Stmt, ...]:
        def work(node: object) -> object | None:
            if not isinstance(node, rb.Choose) or node.name != name:
                return None
            labels = {case.label: case for case in node.cases if case.label is not None}
            for case in cases:
                if case.label in labels:
                    self.found.append(
                        diagnose(
                            "C0237",
                            f"two modules add a case '{case.label}' to the choice '{name}'",
                            Label(case.span, f"'{change.module}' adds it here"),
                            Label(labels[case.label].span, "and it stands here already", primary=False),
                            help=("give one of them another label",),
                        )
                    )
            stay = len(node.cases) - 1 if node.passes else len(node.cases)
            return replace(node, cases=(*node.cases[:stay], *cases, *node.cases[stay:]))

        return rebuild(body, work)

    def _lost(self, change: tm.Change, edit: tm.ExtendChoose, why: str) -> None:
        other = self.replaced.get(edit.place)
        name = edit.place.partition(".")[2]
        self.found.append(
            diagnose(
                "C0236",
                f"'{change.module}' adds cases to a choice of '{name}', which is replaced",
                Label(change.span, f"'{change.module}' extends it here"),
                *([Label(other.span, f"'{other.module}' replaces it here", primary=False)] if other else []),
                notes=(f"in what stands there now {why}",),
                help=(f"add cases to the new body: `with {other.module}` and another `extend choose`",)
                if other
                else (),
            )
        )

    # ---------------------------------------------------------------------------------- before, after, wrap

    def _around(self, place: str, reach: Reach) -> None:
        body = self.draft.body(place)
        if body is None:
            return
        adds, wraps = self._at(place, tm.AddStep), self._at(place, tm.Wrap)
        name = place.partition(".")[2]
        before = [c for c in adds if isinstance(c.edit, tm.AddStep) and c.edit.before]
        after = [c for c in adds if c not in before]
        check_order(before, f"add a step before '{name}'", self.order, reach, self.found)
        check_order(after, f"add a step after '{name}'", self.order, reach, self.found)
        check_order(wraps, f"wrap '{name}'", self.order, reach, self.found)
        params, implicit = self.draft.params(place), self.draft.implicit_you(place)
        level = f"{name}.original"
        inner, moved = rename_owners((params, body), {place: f"step.{level}"})
        span, cites = self._told(place)
        self.draft.steps[level] = rb.Step(level, inner, implicit, moved, span, cites)
        if adds:
            outer = name if not wraps else f"{name}.steps"
            owner = place if not wraps else f"step.{outer}"
            given = tuple(rb.Slot(owner, n, slot.name, slot.type) for n, slot in enumerate(params))
            args = tuple(rb.Local(slot, slot.type, span) for slot in given)
            statements = (
                *(_do_added(change, args) for change in before),
                rb.Do(level, args, span, ()),
                *(_do_added(change, args) for change in after),
            )
            self._set(place, outer, given, implicit, statements, span, cites, last=not wraps)
            self._stops(name, level, outer, {c.edit.name for c in adds if isinstance(c.edit, tm.AddStep)})
            level = outer
        else:
            self._stops(name, level, None, set())
        for number, change in enumerate(wraps):
            edit = change.edit
            assert isinstance(edit, tm.Wrap)
            is_last = number == len(wraps) - 1
            outer = name if is_last else f"{name}.{change.module}"
            owner = place if is_last else f"step.{outer}"
            owners = {slot.owner: owner for slot in slots_in(edit.params, edit.body).values()}
            given, wrapped = rename_owners((edit.params, edit.body), owners)
            wrapped = _does(wrapped, edit.place, level, name, outer)
            self._set(place, outer, given, implicit, wrapped, change.span, change.cites, last=is_last)
            level = outer

    def _told(self, place: str) -> tuple[Span, tuple[str, ...]]:
        if place.startswith("step."):
            step = self.draft.steps[place.removeprefix("step.")]
            return step.span, step.cites
        found = self.draft.case(place)
        assert found is not None
        return found[1].span, found[1].cites

    def _set(
        self,
        place: str,
        name: str,
        params: tuple[rb.Slot, ...],
        implicit: bool,
        body: tuple[rb.Stmt, ...],
        span: Span,
        cites: tuple[str, ...],
        *,
        last: bool,
    ) -> None:
        if last:
            self.draft.set_body(place, body, params, (span, cites))
        else:
            self.draft.steps[name] = rb.Step(name, params, implicit, body, span, cites)

    def _stops(self, name: str, original: str, outer: str | None, added: set[str]) -> None:
        """`stop x` of the game leaves what stood there; of an added step, what runs around it."""
        for place, body in list(self.draft.routines()):
            own = place.removeprefix("step.")
            if place.startswith("step.") and outer is not None and own in added:
                target = outer
            elif own in (name, outer):
                continue
            else:
                target = original
            changed = _retarget(body, name, target)
            if changed is body:
                continue
            if place.startswith("trigger."):
                trigger = self.draft.triggers[place.removeprefix("trigger.")]
                self.draft.triggers[trigger.name] = replace(trigger, body=changed)
            else:
                self.draft.set_body(place, changed)

    # ---------------------------------------------------------------------------------------------- modify

    def _modify(self) -> None:
        for place in sorted({c.edit.place for c in self.changes if isinstance(c.edit, tm.Modify)}):
            changes = self._at(place, tm.Modify)
            changes.sort(key=lambda c: OPS.index(c.edit.op) if isinstance(c.edit, tm.Modify) else 0)
            name = place.partition(".")[2]
            if place.startswith("query.") and name in self.draft.queries:
                query = self.draft.queries[name]
                value = chain(query.cases)
                let, changed = modified(place, query.params, (query.lets, query.cases), value, changes)
                self.draft.queries[name] = replace(
                    query,
                    lets=(*query.lets, *let),
                    cases=(rb.QueryCase(None, changed, query.span, ()),),
                    cites=_joined(
                        query.cites, *(case.cites for case in query.cases), *(c.cites for c in changes)
                    ),
                )
            elif name in self.draft.scores:
                score = self.draft.scores[name]
                let, changed = modified(place, (score.you,), score.value, score.value, changes, inline=True)
                cites = _joined(score.cites, *(c.cites for c in changes))
                self.draft.scores[name] = replace(score, value=changed, cites=cites)


def _joined(*cites: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cite for several in cites for cite in several))


def _do_added(change: tm.Change, args: tuple[rb.Local, ...]) -> rb.Stmt:
    edit = change.edit
    assert isinstance(edit, tm.AddStep)
    return rb.Do(edit.name, tuple(args[place] for place in edit.args), change.span, change.cites)


def _does(body: tuple[rb.Stmt, ...], place: str, level: str, name: str, outer: str) -> tuple[rb.Stmt, ...]:
    """`original` does what stood there; `stop x` leaves this body."""

    def change(node: object) -> object | None:
        match node:
            case rb.Do(step) if step == tm.ORIGINAL + place:
                return replace(node, step=level)
            case rb.Stop(target) if target == name:
                return replace(node, target=outer)
            case _:
                return None

    return rebuild(body, change)


def _stop_targets(body: object) -> frozenset[str]:
    return frozenset(
        node.target for node in walk(body) if isinstance(node, rb.Stop) and node.target is not None
    )


_stopped_in = Facts(_stop_targets)


def _retarget(body: tuple[rb.Stmt, ...], name: str, target: str) -> tuple[rb.Stmt, ...]:
    if name not in _stopped_in(body):
        return body

    def change(node: object) -> object | None:
        return replace(node, target=target) if isinstance(node, rb.Stop) and node.target == name else None

    return rebuild(body, change)


def _scope_at(
    body: tuple[rb.Stmt, ...], params: tuple[rb.Slot, ...], name: str
) -> tuple[rb.Slot, ...] | None:
    """The locals that are known at the choice of that name; None when there is none."""
    from conche.semantics.module_places import choices

    given = tuple((slot, False) for slot in params)
    for choose, scope, _ in choices(body, given, 0):
        if choose.name == name and not choose.short:
            return tuple(slot for slot, _ in scope)
    return None
