"""Copies: pieces that carry pieces have a kind each.

Purpose: makes the numbered kinds of every family that carries a zone, as `rulebook.Kind` documents them.
Input: a rulebook in which such a family is one kind. Output: the rulebook with copies, the same one where
nothing carries anything; findings where it cannot be told how many there are.
Invariants: there are as many copies as `put` and `swap` can ever bring into the game: the numbers of all
`put`s of the family, and for a `swap` as many as there can be of the old kind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeGuard, TypeVar, cast

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag, Int, KindT
from conche.semantics.walk import node_fields
from conche.source import Span

MOST_COPIES = 1000

N = TypeVar("N")


def with_copies(book: rb.Rulebook, found: list[Diagnostic]) -> rb.Rulebook:
    """The rulebook with a kind for every piece that carries something."""
    carriers = {
        kind.name: (piece.name, kind)
        for piece in book.pieces.values()
        for kind in piece.kinds
        if kind.carries is not None and not kind.copy
    }
    if not carriers:
        return book
    count = _Count(book, found)
    copies: dict[str, tuple[str, ...]] = {}
    for name, (_, kind) in carriers.items():
        number = count.of(name, kind.span)
        copies[name] = tuple(f"{name}#{copy}" for copy in range(1, number + 1))
    return _Copies(book, copies).rulebook()


class _Count:
    """How many pieces of a kind can come into the game, with any number of players."""

    def __init__(self, book: rb.Rulebook, found: list[Diagnostic]) -> None:
        self.book = book
        self.found = found
        self.players = 0
        self.comes: dict[int, dict[str, list[tuple[int, str | None, bool, Span]]]] = {}
        """By the number of players and by kind: so many, or as many as there are of another; whether in a
        loop; and where."""
        bodies = [book.setup, book.play, *(step.body for step in book.steps.values())]
        bodies += [case.body for action in book.actions.values() for case in action.cases]
        bodies += [trigger.body for trigger in book.triggers.values()]
        for self.players in range(book.players[0], book.players[1] + 1):
            self.comes[self.players] = {}
            for body in bodies:
                self._look(body, 1)

    def _look(self, node: object, times: int) -> None:
        """`times`: how often it can be done; 0: any number of times. What steps do is done once."""
        if isinstance(node, tuple):
            for part in node:
                self._look(part, times)
            return
        inner = times
        match node:
            case rb.If(condition, then, otherwise):
                decided = self._decided(condition)
                self._look(then if decided is not False else (), times)
                self._look(otherwise if decided is not True else (), times)
                return
            case rb.Put(items):
                for number, kind in items:
                    if isinstance(kind, rb.Lit):
                        most = number.type.high if isinstance(number.type, Int) else 0
                        self._note(str(kind.value), most * times, None, not times, node.span)
            case rb.Swap(rb.Lit(old), rb.Lit(new)):
                self._note(str(new), 0, str(old), not times, node.span)
            case rb.GainPieces(_, _, rb.Lit(kind_name)):
                self._note(str(kind_name), 0, None, True, node.span)
            case rb.ForEach(_, rb.Players()) | rb.EachPlayer():
                inner = times * self.players
            case rb.ForEach() | rb.Rounds() | rb.While() | rb.Times():
                inner = 0
            case _:
                pass
        if hasattr(type(node), "__dataclass_fields__") and not isinstance(node, Span):
            for name in node_fields(node):
                value = getattr(node, name)
                if isinstance(value, tuple) and name != "cites":
                    self._look(value, inner)

    def _decided(self, condition: rb.Expr) -> bool | None:
        """Whether a condition on the number of players alone holds."""
        match condition:
            case rb.Binary("=", rb.PlayerCount(), rb.Lit(int() as number)):
                return number == self.players
            case rb.Binary("or", left, right):
                a, b = self._decided(left), self._decided(right)
                return None if a is None or b is None else a or b
            case _:
                return None

    def _note(self, kind: str, number: int, like: str | None, loop: bool, span: Span) -> None:
        self.comes[self.players].setdefault(kind, []).append((number, like, loop, span))

    def of(self, kind: str, span: Span) -> int:
        """The most there can be."""
        return max(self._with(players, kind, span, frozenset()) for players in self.comes)

    def _with(self, players: int, kind: str, span: Span, seen: frozenset[str]) -> int:
        total = 0
        for number, like, loop, place in self.comes[players].get(kind, []):
            if loop or (like is not None and like in seen):
                self._unknown(kind, place)
                return 1
            total += number if like is None else self._with(players, like, span, seen | {kind})
        if total > MOST_COPIES:
            self._unknown(kind, span)
            return 1
        return total

    def _unknown(self, kind: str, span: Span) -> None:
        finding = diagnose(
            "C0205",
            f"it cannot be told how many '{kind}' come into the game",
            Label(span),
            notes=("pieces that carry others are told apart, so there is a most of them",),
            help=("put them into the game in the set-up, outside of loops",),
        )
        if finding not in self.found:
            self.found.append(finding)


class _Copies:
    def __init__(self, book: rb.Rulebook, copies: dict[str, tuple[str, ...]]) -> None:
        self.book = book
        self.copies = copies

    def rulebook(self) -> rb.Rulebook:
        book = self.book
        return replace(
            book,
            pieces={name: replace(p, kinds=self._kinds(p.kinds)) for name, p in book.pieces.items()},
            boards={name: self.all(board) for name, board in book.boards.items()},
            setup=self.all(book.setup),
            play=self.all(book.play),
            steps={name: self.all(step) for name, step in book.steps.items()},
            actions={name: self._action(action) for name, action in book.actions.items()},
            queries={name: self.all(query) for name, query in book.queries.items()},
            triggers={name: self._trigger(trigger) for name, trigger in book.triggers.items()},
            scores={name: self.all(score) for name, score in book.scores.items()},
            rank=self.all(book.rank),
            invariants={name: self.all(invariant) for name, invariant in book.invariants.items()},
            scenarios=self.all(book.scenarios),
        )

    def _kinds(self, kinds: tuple[rb.Kind, ...]) -> tuple[rb.Kind, ...]:
        result: list[rb.Kind] = []
        for kind in kinds:
            names = self.copies.get(kind.name)
            if names is None:
                result.append(kind)
            else:
                result += [replace(kind, name=name, copy=n) for n, name in enumerate(names, 1)]
        return tuple(result)

    def _names(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for kind in kinds for name in self.copies.get(kind, (kind,)))

    def _action(self, action: rb.Action) -> rb.Action:
        cases = tuple(replace(self.all(case), kinds=self._names(case.kinds)) for case in action.cases)
        return replace(action, cases=cases)

    def _trigger(self, trigger: rb.Trigger) -> rb.Trigger:
        changed = self.all(trigger)
        if isinstance(changed.event, rb.OnEnter):
            event = replace(changed.event, kinds=self._names(changed.event.kinds))
            changed = replace(changed, event=event)
        return changed

    def all(self, node: N) -> N:
        """A tree in which what speaks of the family speaks of its copies."""
        return cast(N, self._node(node))

    def _node(self, node: Any) -> Any:
        if isinstance(node, tuple):
            items = [self._node(item) for item in node]
            return node if all(a is b for a, b in zip(items, node, strict=True)) else tuple(items)
        if not hasattr(type(node), "__dataclass_fields__") or isinstance(node, Span):
            return node
        changed: dict[str, object] = {}
        for name in node_fields(node):
            old = getattr(node, name)
            if name != "cites" and not isinstance(old, str | int | None):
                new = self._node(old)
                if new is not old:
                    changed[name] = new
        return self._fixed(replace(node, **changed) if changed else node)

    def _fixed(self, node: Any) -> Any:
        match node:
            case rb.IsKind(_, kinds) if any(kind in self.copies for kind in kinds):
                return replace(node, kinds=self._names(kinds))
            case rb.ZoneHolds(zone, rb.Lit() as kind) if kind.value in self.copies:
                return self._sum(zone, kind, node.type, node.span)
            case rb.Binary(op, left, right) if op in ("=", "!="):
                for family, other in ((left, right), (right, left)):
                    if self._is_family(family) and not self._is_family(other):
                        names = self.copies[str(family.value)]
                        asked: rb.Expr = rb.IsKind(other, names, Flag(), node.span)
                        return asked if op == "=" else rb.Unary("not", asked, Flag(), node.span)
            case rb.Binary("in", rb.Lit() as kind, rb.ZoneRef() as zone) if kind.value in self.copies:
                total = self._sum(zone, kind, Int(0, 10**6), node.span)
                return rb.Binary(">", total, rb.Lit(0, Int(0, 0), node.span), Flag(), node.span)
            case _:
                pass
        return node

    def _is_family(self, node: rb.Expr) -> TypeGuard[rb.Lit]:
        return isinstance(node, rb.Lit) and isinstance(node.type, KindT) and node.value in self.copies

    def _sum(self, zone: rb.ZoneRef, kind: rb.Lit, type_: Any, span: Span) -> rb.Expr:
        names = self.copies[str(kind.value)]
        parts: list[rb.Expr] = [
            rb.ZoneHolds(zone, rb.Lit(name, kind.type, span), Int(0, 1), span) for name in names
        ]
        if not parts:
            return rb.Lit(0, Int(0, 0), span)
        result = parts[0]
        for number, part in enumerate(parts[1:], 2):
            result = rb.Binary("+", result, part, Int(0, number), span)
        return result
