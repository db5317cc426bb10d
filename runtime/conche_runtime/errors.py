"""What can go wrong while a game is played, one class for each kind of caller's reaction.

All derive from `ConcheError`. `RulesError` is a fault of the rules, every other one of the caller.
"""

from __future__ import annotations

from typing import Final

RULES_FAILED: Final = "the rules failed before this"
"""What a state says after a `RulesError` in one of its moves."""


class ConcheError(Exception):
    """Base of all errors that a playing program may want to catch."""


class IllegalMove(ConcheError):
    """The move, index or player is not allowed now. The state is as it was."""


class ChanceError(ConcheError):
    """Outside chance gave an outcome that cannot happen, or had none."""


class SaveError(ConcheError):
    """A save that cannot be loaded: not a save, cut, edited, or of other rules. Or one that cannot be made,
    since the rules have failed."""


class RecordError(ConcheError):
    """A record that cannot be read or does not fit. `line` counts from 1."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


class RulesError(ConcheError):
    """The rules did what they forbid: a bound passed, an empty pile drawn from. `file` and `line` name the
    rule. A state that raises it in a move cannot be played on."""

    def __init__(self, message: str, file: str, line: int) -> None:
        super().__init__(message, file, line)
        self.message = message
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"
