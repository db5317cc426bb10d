"""What expressions are worth, as far as a player sees.

Purpose: explanations must not tell what their player may not know.
Input: a position, a player, expressions. Output: values, each with whether anything was read for it that the
player does not see.
Invariants: the size of a zone is seen by all. Whether something hidden is read depends on what the player
sees alone: everything before the first hidden thing is seen, and what comes after it is told no more. Locals
are taken as seen: the expressions of a decision speak of them, and what can be chosen is known to who
chooses.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

from conche.graph.expressions import sized_zone
from conche.interpret.book import OPEN, Book
from conche.interpret.evaluate import EMPTY, BrokenRuleError, Env, Evaluator
from conche.interpret.position import GAME, Position, Space, Value
from conche.interpret.show import sees
from conche.semantics.rulebook import Expr, Fold, ZoneHolds, ZoneKinds, ZoneRef


@dataclass(frozen=True, slots=True)
class Look:
    """What an expression is worth. `hidden`: the player does not see it all; then `value` and `fault` are not
    to be told, nor to be decided by. `fault`: what the rules do wrong in it."""

    value: Value = None
    hidden: bool = False
    fault: str | None = None

    @property
    def known(self) -> bool:
        return not self.hidden and self.fault is None


class Seen(Evaluator):
    """An evaluator that notes what is read that `player` does not see."""

    def __init__(self, book: Book, position: Position, player: int) -> None:
        quiet = copy.copy(book)
        quiet.reached = None  # explaining is no play
        super().__init__(quiet, position)
        self.player = player
        self._hidden = False
        self._veiled: dict[tuple[str, tuple[Value, ...]], bool] = {}

    def look(self, expr: Expr, env: Env = EMPTY) -> Look:
        before, self._hidden = self._hidden, False
        try:
            value = self.value(expr, env)
            return Look(value, self._hidden)
        except BrokenRuleError as fault:
            return Look(None, self._hidden, fault.message)
        except RecursionError:
            return Look(None, True)
        finally:
            self._hidden = before

    def size(self, zone: ZoneRef, env: Env) -> int | None:
        """How many pieces are in a zone, which all see; None where there is no such zone."""
        try:
            return self.heap(zone, env).size
        except BrokenRuleError:
            return None

    def value(self, expr: Expr, env: Env = EMPTY) -> Value:
        match expr:
            case Fold() if (zone := sized_zone(expr)) is not None:
                return self.heap(zone, env).size
            case ZoneRef():
                self._read_zone(expr, env)
            case ZoneHolds() | ZoneKinds():
                self._read_zone(expr.zone, env)
            case _:
                pass
        return super().value(expr, env)

    def _read_zone(self, zone: ZoneRef, env: Env) -> None:
        name, seat = self.zone_key(zone, env)
        if not self.sees_zone(name, seat):
            self._hidden = True

    def sees_zone(self, name: str, seat: int) -> bool:
        visibility = self.book.zone(name).visibility
        return visibility == OPEN or (not self.book.is_carried(name) and sees(visibility, seat, self.player))

    def sees_variable(self, name: str, seat: int) -> bool:
        visibility = self.book.visibility_of(name)
        return visibility == OPEN or (
            self.book.owner_of(name) != "kind" and sees(visibility, seat, self.player)
        )

    def sees_attribute(self, board: str, name: str) -> bool:
        return sees(self.book.space_var(board, name).visibility, GAME, self.player)

    def variable(self, name: str, seat: int) -> Value:
        if not self.sees_variable(name, seat):
            self._hidden = True
        return super().variable(name, seat)

    def attribute(self, board: str, name: str, space: Space) -> Value:
        if not self.sees_attribute(board, name):
            self._hidden = True
        return super().attribute(board, name, space)

    def query(self, name: str, args: tuple[Value, ...]) -> Value:
        """Whether something hidden was read is remembered with what a query gave."""
        key = (name, args)
        if key in self._veiled:
            self._hidden |= self._veiled[key]
            return super().query(name, args)
        before, self._hidden = self._hidden, False
        try:
            value = super().query(name, args)
            self._veiled[key] = self._hidden
            return value
        finally:
            self._hidden |= before
