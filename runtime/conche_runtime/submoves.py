"""A decision taken argument by argument: for agents that would rather choose twice among twenty options than
once among four hundred.

    part = Partial(state, player)
    while part.argument is not None:
        part.take(agent(part.argument, part.values))
    state.step(part.index, player)

Input: a state at a decision. Output: the number of an option. Invariants: the state is only looked at; the
options that are left keep their order, so that every option can be come to in just one way; what has but one
value left is not asked. It is no part of the rules: to all others the move is made at once.
"""

from __future__ import annotations

import json
from typing import Any, Final

from conche_runtime.errors import IllegalMove
from conche_runtime.interface import JSON, State
from conche_runtime.moves import ABSENT

NAME: Final = ""
"""Stands for the name of the move, where moves of several names can be made."""


class Partial:
    """A move of one player that is being made.

    `argument`: which is to be chosen next (NAME: the name of the move), None when the move is made;
    `values`: what it can be, `ABSENT` for moves that do not have it; `args`: what is settled so far; `index`:
    the number of the option, once the move is made."""

    def __init__(self, state: State, player: int | None = None) -> None:
        self._left = [
            (index, {NAME: move.name, **move.args}) for index, move in enumerate(state.legal_moves(player))
        ]
        if not self._left:
            raise IllegalMove("nothing is to be chosen now")
        self.argument: str | None = None
        self.values: list[Any] = []
        self.args: dict[str, JSON] = {}
        self._settle()

    @property
    def index(self) -> int:
        if self.argument is not None:
            raise IllegalMove(f"'{self.argument or 'the name of the move'}' is still to be chosen")
        return self._left[0][0]

    def take(self, number: int) -> None:
        """Chooses one of `values`, by its number."""
        if self.argument is None or not 0 <= number < len(self.values):
            raise IllegalMove(f"there is no value {number}: they are numbered 0..{len(self.values) - 1}")
        wanted = _key(self.values[number])
        argument = self.argument
        self._left = [one for one in self._left if _key(one[1].get(argument, ABSENT)) == wanted]
        self._settle()

    def _settle(self) -> None:
        """Looks for what is to be chosen next, in the order of the arguments."""
        self.argument, self.values, self.args = None, [], {}
        for name in dict.fromkeys(name for _, args in self._left for name in args):
            values = {_key(value): value for _, args in self._left for value in [args.get(name, ABSENT)]}
            if len(values) > 1:
                self.argument, self.values = name, list(values.values())
                return
            (value,) = values.values()
            if name != NAME and value is not ABSENT:
                self.args[name] = value


def _key(value: Any) -> str:
    """Equal for the same value only: `true` is not 1."""
    return "" if value is ABSENT else json.dumps(value, sort_keys=True)
