"""What goes wrong with bots.

Input: a message, the code of its diagnostic, help. Output: exceptions that say what to type or whom to ask.
Invariant: they can be sent from one process to another.
"""

from __future__ import annotations

from conche_runtime.errors import ConcheError


class BotError(ConcheError):
    """Something about a bot. `code`: of its diagnostic; `help`: what may be done about it."""

    def __init__(self, message: str, code: str, *help: str) -> None:
        super().__init__(message, code, *help)
        self.message, self.code, self.help = message, code, help

    def __str__(self) -> str:
        return self.message


class BotNameError(BotError, ValueError):
    """No bot can be had by what was written: there is none of that name, it does not take those arguments, or
    it cannot be loaded."""


class UnknownBotError(BotNameError):
    """There is no bot of that name."""


class BotFailedError(BotError):
    """A bot raised an error when it was asked, or chose an option that there is not."""
