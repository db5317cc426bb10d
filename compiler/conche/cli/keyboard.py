"""Reading what a person types.

Purpose: one way to ask for a line, with help in typing where that is possible. Input: a prompt, what the
last word can become. Output: the line. EOFError at the end of input, also where the terminal was closed;
KeyboardInterrupt for Ctrl-C.
Invariants: prompt_toolkit (extra `conche[play]`) is imported only where stdin and stdout are terminals that
can do more than print; everywhere else, and without it, lines are read as they come. What one seat has typed
is never offered to another.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from conche.cli.output import flush, is_terminal, put, say

Completions = Callable[[str], Iterable[str]]
"""What the last word of a line can become."""


class Keyboard(Protocol):
    completes: bool
    """Whether Tab completes."""

    def line(self, prompt: str, seat: int = -1, completions: Completions | None = None) -> str:
        """The next line, without its end."""
        ...


def keyboard(*, plain: bool = False) -> Keyboard:
    """The best that there is. `plain`: nobody will type much."""
    if plain:
        return _Lines()
    if is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM", "") not in ("", "dumb"):
        try:
            return _Editor()
        except Exception:
            # Not installed, too old, or this terminal is not to its taste: lines can be read without it.
            return _Lines()
    return _Lines()


class _Lines:
    """Lines as they come."""

    completes = False

    def line(self, prompt: str, seat: int = -1, completions: Completions | None = None) -> str:
        put(prompt)
        line = ""
        # A terminal that was closed is an error to read from and to write to.
        with contextlib.suppress(OSError):
            flush()
            line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            say()
            raise EOFError
        return line.rstrip("\r\n")


class _Editor:
    """Lines edited with prompt_toolkit: Tab completes, arrows bring back what the same seat typed before."""

    completes = True

    def __init__(self) -> None:
        # Nobody may answer the question where the cursor is.
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        import prompt_toolkit

        self._library = prompt_toolkit
        self._sessions: dict[int, Any] = {}

    def line(self, prompt: str, seat: int = -1, completions: Completions | None = None) -> str:
        flush()
        session = self._sessions.get(seat)
        if session is None:
            from prompt_toolkit.history import InMemoryHistory

            session = self._library.PromptSession(
                history=InMemoryHistory(), complete_while_typing=False, reserve_space_for_menu=4
            )
            self._sessions[seat] = session
        completer = _completer(completions) if completions else None
        try:
            text: str = session.prompt(prompt, completer=completer)
        except OSError:
            raise EOFError from None
        return text


def _completer(completions: Completions) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        def get_completions(self, document: Any, event: Any) -> Any:
            before = document.text_before_cursor
            start = max(before.rfind(" "), before.rfind("=")) + 1
            for text in completions(before):
                yield Completion(text, start_position=start - len(before))

    return Words()
