"""Typed modules: a module's own declarations and its changes, each typed once.

Input: built by `module_from_ast`. Output: read by `modules.compose`.
Invariants: every name is resolved, against the game's symbols, those of modules that are required or named in
the enclosing `with`, and the module's own. What depends on an option is kept (`symbols.open_option`) and
settled by composing. A `Condition` says when a part counts.

Slots: a body that is to stand in a routine of the game has the routine's parameters as slots of its own, and
owner `step.fill+map`; the cases of `extend choose` speak of the slots of the routine that they extend too.
`ORIGINAL` in the name of a step that is done stands for what the wrapped place does otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from conche.node import node
from conche.semantics import rulebook as rb
from conche.semantics.symbols import Globals
from conche.semantics.types import Type
from conche.source import Span
from conche.syntax import ast

ORIGINAL = "original "
"""How the name of the step begins that `original` does: no step is called so."""


@node(frozen=True, slots=True, order=True)
class Condition:
    """When a part of a module counts: modules in play or not, and the values of options. Sorted. As a text,
    what a part for it begins with."""

    modules: tuple[tuple[str, bool], ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def and_(self, other: Condition) -> Condition:
        return Condition(
            tuple(sorted({*self.modules, *other.modules})), tuple(sorted({*self.options, *other.options}))
        )

    def __str__(self) -> str:
        modules = [name if present else f"no {name}" for name, present in self.modules]
        options = [f"option {name} is {value}" for name, value in self.options]
        return f"with {' and '.join([*modules, *options])}"

    def implies(self, other: Condition) -> bool:
        return {*other.modules} <= {*self.modules} and {*other.options} <= {*self.options}

    def holds(self, modules: Collection[str], options: Mapping[str, str]) -> bool:
        return all((name in modules) == present for name, present in self.modules) and all(
            options.get(name) == value for name, value in self.options
        )


@node(frozen=True, slots=True)
class TypedGame:
    """A game as modules see it: its symbols, and its rulebook with the options still open."""

    file: ast.File
    globals: Globals
    rulebook: rb.Rulebook
    version: str


Declared = (
    rb.Option
    | rb.Enum
    | rb.PieceType
    | rb.Table
    | rb.Zone
    | rb.Track
    | rb.Var
    | rb.Step
    | rb.Action
    | rb.Query
    | rb.Trigger
    | rb.Score
    | rb.Invariant
    | rb.Conserve
    | rb.Ruling
    | rb.Hint
)


@node(frozen=True, slots=True)
class Own:
    """A declaration of the module's own. An `Action` has those of its cases that stand here; of an action
    that exists elsewhere too. `every`: the piece type or enum, where a trigger speaks of all its kinds."""

    node: Declared
    condition: Condition
    every: str | None = None


@node(frozen=True, slots=True)
class ExtendType:
    """More kinds or members, and the types of all attributes that they have."""

    place: str
    made: tuple[rb.Kind, ...] | tuple[rb.Member, ...]
    attributes: tuple[tuple[str, Type], ...]


@node(frozen=True, slots=True)
class ReplaceType:
    """Other kinds or members in place of all there are, and the types of all attributes that they have."""

    place: str
    made: tuple[rb.Kind, ...] | tuple[rb.Member, ...]
    attributes: tuple[tuple[str, Type], ...]


@node(frozen=True, slots=True)
class ReplaceTable:
    """Another list of numbers, of the same length."""

    place: str
    table: rb.Table


@node(frozen=True, slots=True)
class ExtendBoard:
    place: str
    holds: tuple[rb.Holds, ...]
    attributes: tuple[rb.Var, ...]


@node(frozen=True, slots=True)
class ExtendChoose:
    """More cases of the choice `name` in the body at `place`. `scope`: the body's slots that are known at
    that choice, by name."""

    place: str
    name: str
    cases: tuple[rb.Case, ...]
    scope: tuple[rb.Slot, ...]


@node(frozen=True, slots=True)
class AddStep:
    """The step `name` (an `Own`) before or after a place. `args`: which of the routine's parameters it gets,
    by their place among all of them (the implicit `you` and what a pattern binds included)."""

    place: str
    before: bool
    name: str
    args: tuple[int, ...]


@node(frozen=True, slots=True)
class ReplaceBody:
    place: str
    params: tuple[rb.Slot, ...]
    body: tuple[rb.Stmt, ...]


@node(frozen=True, slots=True)
class ReplaceAnswer:
    """Another value of a query (or of a score, whose one parameter is `you`)."""

    place: str
    params: tuple[rb.Slot, ...]
    lets: tuple[rb.Let, ...]
    cases: tuple[rb.QueryCase, ...]


@node(frozen=True, slots=True)
class Wrap:
    place: str
    params: tuple[rb.Slot, ...]
    body: tuple[rb.Stmt, ...]


@node(frozen=True, slots=True)
class Modify:
    """op: `+` `-` `at least` `at most` `or` `and`. `original`: the slot of the unmodified value."""

    place: str
    params: tuple[rb.Slot, ...]
    original: rb.Slot
    op: str
    value: rb.Expr
    condition: rb.Expr | None


Edit = (
    ExtendType
    | ReplaceType
    | ReplaceTable
    | ExtendBoard
    | ExtendChoose
    | AddStep
    | ReplaceBody
    | ReplaceAnswer
    | Wrap
    | Modify
)


@node(frozen=True, slots=True)
class Effects:
    """What statements and expressions read and write, by path (`zone.display`, `var.gold`, `board`), and
    which steps, actions and queries they use. `adds`: what they only add to or take from, so that the order
    of several does not matter. `asks`: whether they ask a player."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    adds: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    asks: bool = False

    def and_(self, other: Effects) -> Effects:
        return Effects(
            self.reads | other.reads,
            self.writes | other.writes,
            self.adds | other.adds,
            self.uses | other.uses,
            self.asks or other.asks,
        )


@node(frozen=True, slots=True)
class Change:
    """An edit of a named place. `place` of an edit is a path of the rulebook: `step.fill`,
    `action.use.market`, `query.usable`, `score.gold`, `piece.Jungle`, `enum.Good`, `values.prices`,
    `board.table`, `setup`, `play`."""

    module: str
    edit: Edit
    condition: Condition
    effects: Effects
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class TypedModule:
    """`follows` are the names of modules after which this one's changes come. `scenarios` with the condition
    under which each was written."""

    name: str
    title: str
    base: str
    base_version: str
    version: str
    players: tuple[int, int] | None
    clauses_file: str | None
    requires: tuple[ast.Name, ...]
    excludes: tuple[ast.Name, ...]
    follows: tuple[ast.Name, ...]
    own: tuple[Own, ...]
    changes: tuple[Change, ...]
    scenarios: tuple[tuple[rb.Scenario, Condition], ...]
    file: ast.File
    span: Span
    base_span: Span
    mentions: frozenset[str] = field(default_factory=frozenset)
    """The modules that its parts speak of."""
