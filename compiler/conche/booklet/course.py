"""The order of the steps: what a set-up or a turn does, one after another.

Input: a composed rulebook, the rules in force. Output: a tree of `Stage`s.
Invariants: a step stands where it is done first, below the step that does it; where it is done again it is
only named. A step that a module adds before or after another stands beside it; one that a module wraps is one
stage, with what the wrapping body does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conche.graph.titles import title_of
from conche.semantics import rulebook as rb
from conche.semantics.walk import walk
from conche.syntax import ast
from conche.traceability.model import Rule

Call = tuple[str, tuple[str, ...]]
"""A step that is done, and what it is done under."""


@dataclass(slots=True)
class Stage:
    """A step by its name, and what is done in it. `when`: the loops, conditions and choices around it."""

    name: str
    when: tuple[str, ...]
    stages: list[Stage] = field(default_factory=list)
    again: list[str] = field(default_factory=list)


class Course:
    """Walks through the rules once: what was met is not gone into again."""

    def __init__(self, rulebook: rb.Rulebook, rules: Sequence[Rule]) -> None:
        self.rulebook = rulebook
        self.added_to = {rule.place for rule in rules if rule.in_force and isinstance(rule.decl, ast.AddStep)}
        self.met: set[str] = set()

    def of(self, body: tuple[rb.Stmt, ...], into: Stage) -> None:
        """What statements do, as stages of `into`."""
        for name, when in _calls(body, self.rulebook.seats):
            self._step(name, when, into)

    def rest(self, into: Stage) -> None:
        """Steps that nothing met so far does."""
        for name in self.rulebook.steps:
            if "." not in name and name not in self.met:
                self._step(name, (), into)

    def within(self, place: str, body: tuple[rb.Stmt, ...], into: Stage) -> None:
        """The same for the body of an action, which steps of modules may stand around."""
        levels = self._in_order(place, {place: body, **self._levels(place)})
        if place in self.added_to:
            self._around(place, levels, into, into)
        else:
            for inner in levels.values():
                self.of(inner, into)

    def _in_order(self, base: str, levels: dict[str, tuple[rb.Stmt, ...]]) -> dict[str, tuple[rb.Stmt, ...]]:
        """The levels, that first which names the steps around the place."""
        adding = f"{base}.steps" if f"{base}.steps" in levels else base
        return {adding: levels[adding], **levels}

    def _levels(self, base: str) -> dict[str, tuple[rb.Stmt, ...]]:
        """The bodies that wrapping and adding have made of a routine, by name."""
        return {name: step.body for name, step in self.rulebook.steps.items() if name.startswith(f"{base}.")}

    def _step(self, name: str, when: tuple[str, ...], into: Stage) -> None:
        base = name.partition(".")[0]
        if name != base:
            return
        if base in self.met:
            if base not in into.again and base not in {stage.name for stage in into.stages}:
                into.again.append(base)
            return
        self.met.add(base)
        stage = Stage(base, when)
        levels = self._in_order(base, {base: self.rulebook.steps[base].body, **self._levels(base)})
        if base in self.added_to:
            self._around(base, levels, into, stage, when)
        else:
            into.stages.append(stage)
            for body in levels.values():
                self.of(body, stage)

    def _around(
        self,
        base: str,
        levels: dict[str, tuple[rb.Stmt, ...]],
        into: Stage,
        stage: Stage,
        when: tuple[str, ...] = (),
    ) -> None:
        """The steps before a place, the place itself, the steps after it: the first level names them."""
        adding, *others = levels
        for name, _ in _calls(levels[adding], self.rulebook.seats):
            if name != f"{base}.original":
                self._step(name, when, into)
                continue
            if stage is not into:
                into.stages.append(stage)
            for other in others:
                self.of(levels[other], stage)


def _calls(body: tuple[rb.Stmt, ...], seats: tuple[str, ...]) -> Iterator[Call]:
    """The steps that statements do, in the order of the text."""
    stack: list[tuple[object, tuple[str, ...]]] = [(body, ())]
    while stack:
        top, when = stack.pop()
        match top:
            case tuple():
                stack.extend((item, when) for item in reversed(top))
            case rb.Do():
                yield top.step, when
            case rb.If():
                inner = (*when, title_of(top, seats))
                stack.append((top.otherwise, (*when, f"not: {title_of(top, seats)}")))
                stack.append((top.then, inner))
            case rb.ForEach() | rb.EachPlayer() | rb.Rounds() | rb.While() | rb.Times():
                stack.append((top.body, (*when, title_of(top, seats))))
            case rb.Choose():
                stack.append((top.none or (), when))
                stack.extend((case.body, when) for case in reversed(top.cases))
            case _:
                pass


def does_actions(body: object) -> list[str]:
    """The actions that a body dispatches to."""
    return list(dict.fromkeys(node.action for node in walk(body) if isinstance(node, rb.DoAction)))
