"""Why a saved game is not taken over.

Input: what stands against it. Output: the one error of `migrate` and what it is made of.
"""

from __future__ import annotations

from collections.abc import Iterable

from conche_runtime.errors import ConcheError


class NotMigratedError(ConcheError):
    """`why`: what stands against it, one sentence each."""

    def __init__(self, title: str, why: Iterable[str] = ()) -> None:
        super().__init__(title)
        self.title, self.why = title, tuple(why)
