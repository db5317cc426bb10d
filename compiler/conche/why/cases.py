"""How far a pattern gets in the cases of a decision.

Purpose: the reasons for and against a pattern, case by case.
Input: a choice, the locals of who chooses, a pattern. Output: `Attempt`s, one for each case, in order.
Invariants: conditions and binders are tried in the order in which options are made (`interpret/options.py`);
what the pattern leaves open is tried with every value that the player sees it can have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from conche.diagnostics.lists import in_a_row
from conche.graph.expressions import walk
from conche.graph.model import Node, choose_of
from conche.graph.titles import case_title
from conche.interpret.book import Book
from conche.interpret.evaluate import Env, slot_key
from conche.interpret.position import Value
from conche.semantics.rulebook import Binder, Case, Fold, Lit, Local
from conche.semantics.types import Int, Maybe, Type
from conche.why.conditions import Conditions, Home
from conche.why.pattern import Pattern
from conche.why.words import items_text, json_text, value_text
from conche_runtime.explanation import Kind, Reason
from conche_runtime.explanation import Value as Told

MOST_TRIES = 3000
MOST_REASONS = 4
"""So many different reasons are given for one case."""


@dataclass(slots=True)
class Attempt:
    """A case that a pattern was tried in. reached: how many conditions and binders it got through; -1: the
    case has no such arguments. fits: whether it got through all. reason: for (`fits`) or against it. other:
    whether all that is in the way is a constant of the case, so that another case is meant."""

    case: int
    fits: bool
    reached: int
    reason: Reason
    other: bool = False


@dataclass(frozen=True, slots=True)
class _Failure:
    reached: int
    reasons: tuple[Reason, ...]


class Cases:
    """The cases of one choice, for one who is asked."""

    def __init__(self, conditions: Conditions, node: Node, cites: tuple[str, ...], env: Env) -> None:
        """cites: of the choice; env: whose options, where that is not in the position."""
        self.conditions = conditions
        self.texts = conditions.texts
        self.node = node
        self.cites = cites
        self.choose = choose_of(node)
        self.env = env
        self._tries = 0

    def home(self, number: int) -> Home:
        case = self.choose.cases[number]
        return Home(self.node.routine, case.span.file, case.cites or self.cites)

    def title(self, number: int) -> str:
        """A case as the rules begin it; of a short form the decision."""
        if self.choose.short and len(self.choose.cases) == 1:
            return f"choose {self.choose.name}"
        title = case_title(self.choose.cases[number], self.texts.rulebook.seats)
        return title if len(self.choose.cases) == 1 else f"{title} of {self.choose.name}"

    def attempts(self, pattern: Pattern) -> list[Attempt]:
        """All cases."""
        return [self._attempt(number, case, pattern) for number, case in enumerate(self.choose.cases)]

    def allowed(self, number: int, values: tuple[Value, ...]) -> Reason:
        """Why an option can be chosen."""
        case, env = self.choose.cases[number], dict(self.env)
        home, found = self.home(number), list[Reason]()
        if case.guard is not None:
            found += self.conditions.condition(case.guard, env, home, True)
        for binder, value in zip(case.binders, values, strict=True):
            if not binder.hidden or binder.source is not None:
                found += self._in(binder, value, env, home, True)
            env[slot_key(binder.slot)] = value
        if case.late_guard is not None:
            found += self.conditions.condition(case.late_guard, env, home, True)
        return self._case(number, found)

    def _case(self, number: int, because: list[Reason]) -> Reason:
        case = self.choose.cases[number]
        rule = self.texts.rule(case.span, self.node.routine, case.cites or self.cites)
        return Reason("case", self.title(number), rule, (), tuple(because))

    # -------------------------------------------------------------------------------- one case

    def _attempt(self, number: int, case: Case, pattern: Pattern) -> Attempt:
        home = self.home(number)
        missing = [arg for arg in pattern.args if all(b.slot.name != arg or b.hidden for b in case.binders)]
        named = pattern.name in (None, self.choose.name, case.move) and pattern.case in (None, case.label)
        also = [b.slot.name for b in case.binders if not b.hidden and b.slot.name not in pattern.args]
        if missing or not named or (also and pattern.exact is not None):
            rule = self.conditions.rule(case, home)
            what = f"no {in_a_row(missing, 'or')}" if missing else "another name"
            what = what if missing or not named else f"{in_a_row(also)} too"
            against = [Reason("unknown", f"it has {what}", rule)]
            if not (missing and named and self._is_named(case, pattern)):
                return Attempt(number, False, -1, self._case(number, against))
            rest = {arg: value for arg, value in pattern.args.items() if arg not in missing}
            attempt = self._attempt(number, case, replace(pattern, args=rest, exact=None))
            against += () if attempt.fits else attempt.reason.because
            return Attempt(number, False, 0, self._case(number, against))
        other = [self._not_so(binder, pattern, home) for binder in self._constants(case, pattern, same=False)]
        if other:
            return Attempt(number, False, 0, self._case(number, other), True)
        if case.guard is not None:
            look = self.conditions.seen.look(case.guard, self.env)
            if not (look.known and look.value):
                against = self.conditions.condition(case.guard, self.env, home, False)
                return Attempt(number, False, 0, self._case(number, against))
        failures: list[_Failure] = []
        self._tries = 0
        for values in self._bound(case, number, pattern, 0, dict(self.env), (), failures):
            return Attempt(number, True, len(case.binders) + 2, self.allowed(number, values))
        best = max((failure.reached for failure in failures), default=0)
        reasons: dict[Reason, None] = {}
        for failure in failures:
            if failure.reached == best:
                reasons.update(dict.fromkeys(failure.reasons))
        against = list(reasons)[:MOST_REASONS]
        if not against:  # there are too many ways to try them all
            text = "none of its options that were looked at is so"
            against = [Reason("outside", text, self.conditions.rule(case, home))]
        if len(reasons) > MOST_REASONS:
            more = len(reasons) - MOST_REASONS
            against.append(Reason("fails", f"and {more} more like these", self.conditions.rule(case, home)))
        return Attempt(number, False, best, self._case(number, against))

    def _constants(self, case: Case, pattern: Pattern, *, same: bool) -> list[Binder]:
        """The arguments that a case always has the same and that are asked about: those that are as asked, or
        those that are not. Which case is meant shows in them, as in `source "pile"`."""
        return [
            binder
            for binder in case.binders
            if isinstance(binder.value, Lit)
            and not binder.hidden
            and binder.slot.name in pattern.args
            and self._same(binder.value.value, pattern.args[binder.slot.name], binder.slot.type) == same
        ]

    def _is_named(self, case: Case, pattern: Pattern) -> bool:
        """Whether a case is the one that is meant, by what it always has."""
        same = self._constants(case, pattern, same=True)
        return bool(same) and not self._constants(case, pattern, same=False)

    def _not_so(self, binder: Binder, pattern: Pattern, home: Home) -> Reason:
        assert isinstance(binder.value, Lit)
        wanted = pattern.args[binder.slot.name]
        return self._outside(binder, wanted, (binder.value.value,), self.env, home)

    def _bound(
        self,
        case: Case,
        number: int,
        pattern: Pattern,
        at: int,
        env: dict[Any, Value],
        values: tuple[Value, ...],
        failures: list[_Failure],
    ) -> Iterator[tuple[Value, ...]]:
        """The values of binders from one on that fit the pattern; what stands against others is noted."""
        self._tries += 1
        if self._tries > MOST_TRIES:
            return
        if at == len(case.binders):
            yield from self._guarded(case, number, env, values, failures)
            return
        binder = case.binders[at]
        fixed = not binder.hidden and binder.slot.name in pattern.args
        home = self.home(number)
        if binder.source is None:
            assert binder.value is not None
            look = self.conditions.seen.look(binder.value, env)
            candidates: tuple[Value, ...] = (look.value,)
        else:
            look = self.conditions.seen.look(binder.source, env)
            candidates = look.value if isinstance(look.value, tuple) else ()
        if not look.known:
            expr = binder.source if binder.source is not None else binder.value
            assert expr is not None
            reasons = self.conditions.condition(expr, env, home, False)
            failures.append(_Failure(at + 1, tuple(reasons)))
            return
        if fixed:
            wanted = pattern.args[binder.slot.name]
            here = [value for value in candidates if self._same(value, wanted, binder.slot.type)]
            if not here:
                against = [self._outside(binder, wanted, candidates, env, home)]
                against += self._others(case, number, pattern, at, env)
                failures.append(_Failure(at + 1, tuple(against)))
            candidates = tuple(here)
        elif not candidates:
            text = f"there is nothing to choose for {binder.slot.name}"
            assert binder.source is not None
            told = self.conditions.values(binder.source, env=env)
            rule = self.conditions.rule(binder.source, home)
            failures.append(_Failure(at + 1, (Reason("outside", text, rule, told),)))
        if binder.hidden and pattern.args:
            failures += self._left_out(case, number, pattern, at, env, candidates)
        for value in candidates:
            inner = {**env, slot_key(binder.slot): value}
            yield from self._bound(case, number, pattern, at + 1, inner, (*values, value), failures)

    def _left_out(
        self,
        case: Case,
        number: int,
        pattern: Pattern,
        at: int,
        env: dict[Any, Value],
        candidates: tuple[Value, ...],
    ) -> Iterator[_Failure]:
        """Of an argument that is not shown: what its `where` leaves out, and what is meant."""
        binder = case.binders[at]
        source = binder.source
        if not isinstance(source, Fold) or source.op != "each" or source.body is not None:
            return
        look = self.conditions.seen.look(source.source, env)
        for value in look.value if look.known and isinstance(look.value, tuple) else ():
            inner = {**env, slot_key(binder.slot): value}
            if value not in candidates and self._is_meant(case, at + 1, inner, pattern):
                reasons = self.conditions.membership(
                    source, value, binder.slot.type, env, self.home(number), False
                )
                yield _Failure(len(case.binders) + 1, tuple(reasons))

    def _is_meant(self, case: Case, at: int, env: dict[Any, Value], pattern: Pattern) -> bool:
        """Whether the arguments that follow from a value are those asked for."""
        for binder in case.binders[at:]:
            if binder.value is not None and binder.slot.name in pattern.args:
                look = self.conditions.seen.look(binder.value, env)
                wanted = pattern.args[binder.slot.name]
                if not look.known or not self._same(look.value, wanted, binder.slot.type):
                    return False
                env = {**env, slot_key(binder.slot): look.value}
        return True

    def _others(self, case: Case, number: int, pattern: Pattern, at: int, env: Env) -> Iterator[Reason]:
        """What stands against later arguments, where that does not depend on those from this one on."""
        unset = {slot_key(binder.slot) for binder in case.binders[at:]}
        for binder in case.binders[at + 1 :]:
            source = binder.source
            if source is None or binder.hidden or binder.slot.name not in pattern.args:
                continue
            if any(isinstance(part, Local) and slot_key(part.slot) in unset for part in walk(source)):
                continue
            look = self.conditions.seen.look(source, env)
            if look.known and isinstance(look.value, tuple):
                wanted, type_ = pattern.args[binder.slot.name], binder.slot.type
                if not any(self._same(value, wanted, type_) for value in look.value):
                    yield self._outside(binder, wanted, look.value, env, self.home(number))

    def _guarded(
        self,
        case: Case,
        number: int,
        env: dict[Any, Value],
        values: tuple[Value, ...],
        failures: list[_Failure],
    ) -> Iterator[tuple[Value, ...]]:
        if case.late_guard is not None:
            look = self.conditions.seen.look(case.late_guard, env)
            if not (look.known and look.value):
                reasons = self.conditions.condition(case.late_guard, env, self.home(number), False)
                failures.append(_Failure(len(case.binders) + 1, tuple(reasons)))
                return
        yield values

    def _same(self, value: Value, wanted: Any, type_: Type) -> bool:
        """Whether a value is written so in records."""
        shown = self.conditions.book.to_json(value, type_)
        return type(shown) is type(wanted) and bool(shown == wanted)

    # -------------------------------------------------------------------------------- one binder

    def _in(self, binder: Binder, value: Value, env: Env, home: Home, want: bool) -> list[Reason]:
        """Why an argument can be a value."""
        book, name, type_ = self.conditions.book, binder.slot.name, binder.slot.type
        shown = value_text(book, value, type_)
        if binder.source is None:
            assert binder.value is not None
            rule = self.conditions.rule(binder.value, home)
            return [Reason("in", f"{name} is {shown}", rule, self.conditions.values(binder.value, env=env))]
        because = self.conditions.membership(binder.source, value, type_, env, home, want)
        return [self._about(binder, shown, because, home, want)]

    def _about(self, binder: Binder, shown: str, because: list[Reason], home: Home, want: bool) -> Reason:
        """A sentence about an argument; what would only say the same again is drawn into it."""
        assert binder.source is not None
        word = "can be" if want else "cannot be"
        kind: Kind = "in" if want else "outside"
        text = f"{binder.slot.name} {word} {shown}"
        rule = self.conditions.rule(binder.source, home)
        if len(because) == 1 and because[0].kind == kind and because[0].text.startswith(f"{shown} "):
            (only,) = because
            text = f"{text}: it {only.text.removeprefix(f'{shown} ')}"
            return Reason(kind, text, only.rule, only.values, only.because)
        return Reason(kind, text, rule, (), tuple(because))

    def _outside(
        self, binder: Binder, wanted: Any, candidates: tuple[Value, ...], env: Env, home: Home
    ) -> Reason:
        """Why an argument cannot be what was asked for."""
        book, type_ = self.conditions.book, binder.slot.type
        shown = json_text(book, wanted, type_)
        value = self._value(wanted, type_)
        if binder.source is None:
            assert binder.value is not None
            rule = self.conditions.rule(binder.value, home)
            now = value_text(book, candidates[0], type_)
            told = self.conditions.values(binder.value, env=env)
            return Reason("outside", f"{binder.slot.name} is {now} here, not {shown}", rule, told)
        if value is None and not isinstance(type_, Maybe):
            text = f"{binder.slot.name} cannot be {shown}: no such value is ever possible"
            given = Told(self.conditions.say(binder.source, env), _some(book, candidates, type_))
            return Reason("outside", text, self.conditions.rule(binder.source, home), (given,))
        return self._about(
            binder,
            shown,
            self.conditions.membership(binder.source, value, type_, env, home, False),
            home,
            False,
        )

    def _value(self, wanted: Any, type_: Type) -> Value:
        """The value that is so written; None where there is none. A number may be outside its bounds."""
        inner = type_.element if isinstance(type_, Maybe) else type_
        if isinstance(inner, Int) and isinstance(wanted, int) and not isinstance(wanted, bool):
            return wanted
        try:
            return self.conditions.book.from_json(wanted, type_)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


def _some(book: Book, values: tuple[Value, ...], type_: Type) -> str:
    return items_text(value_text(book, value, type_) for value in values)
