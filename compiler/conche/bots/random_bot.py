"""The bot that chooses every option with the same chance."""

from __future__ import annotations

import random

from conche_runtime.interface import State


class RandomBot:
    """Numbers from Python's Mersenne Twister, whose `random()` is the same on every version."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random
        """The next number, 0 ≤ x < 1; for loops that need no call of `choose`."""

    def choose(self, state: State, player: int, count: int) -> int:
        return int(self.random() * count)
