"""What the seats at a table are called.

Input: the names that the rules give, how many play. Output: a name for each seat.
"""

from __future__ import annotations

from collections.abc import Sequence


def seat_names(named: Sequence[str], players: int) -> tuple[str, ...]:
    """The names of the seats of `players`; `seat_0`, `seat_1`, … where the rules give none."""
    return (*named[:players], *[f"seat_{seat}" for seat in range(len(named), players)])
