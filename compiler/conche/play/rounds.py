"""Where the rounds of a game begin, for any game.

Purpose: when `play` draws the table. Input: who has which decision, one after the other, forced ones too.
Output: whether a round begins. Invariant: the first decision of all begins one; so does it wherever it comes
to a player again after others had decisions in between. A player who has it several times on end stays in the
round, and it does not matter who is the first in which round.
"""

from __future__ import annotations


class Rounds:
    """`number`: of the round, from 1."""

    def __init__(self, players: int) -> None:
        self.number = 0
        self._alone = players == 1
        self._opening = ""
        self._had: dict[int, bool] = {}
        """Who had the first decision in this round, and whether others had one since."""

    def begins(self, player: int, name: str) -> bool:
        """To be asked once for each decision."""
        first = not self.number
        if first:
            self._opening = name
        opens = name == self._opening
        begins = first or (opens and (self._alone or self._had.get(player, False)))
        if begins:
            self.number += 1
            self._had = {}
        for other in self._had:
            self._had[other] = self._had[other] or other != player
        if opens:
            self._had[player] = False
        return begins
