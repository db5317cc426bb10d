"""Sessions through a pseudo-terminal: what a person types and sees.

Input: arguments of `conche`, the size of the window. Output: the screen, as a terminal would show it.
Invariant: waits for what stands on the screen, never for time; a session that hangs is a failure with its
screen.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import pexpect
import pyte

PATIENCE = float(os.environ.get("CONCHE_PATIENCE", "90"))
"""Seconds until a session counts as hanging; machines may be busy."""


def _heed_signals() -> None:
    """Where the tests run in the background, what they start ignores Ctrl-C and a window that is closed."""
    for one in (signal.SIGINT, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL)


class Terminal:
    """A run of `conche` at a terminal."""

    def __init__(
        self, *args: object, cwd: Path, columns: int = 80, rows: int = 24, env: dict[str, str] | None = None
    ) -> None:
        environment = {**os.environ, "TERM": "xterm", **(env or {})}
        for name in ("COLUMNS", "LINES", "CONCHE_DEBUG"):
            if name not in (env or {}):
                environment.pop(name, None)
        self.screen = pyte.HistoryScreen(columns, rows, history=2_000, ratio=0.5)
        self._stream = pyte.Stream(self.screen)
        self.raw = ""
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "conche.cli", *map(str, args)],
            dimensions=(rows, columns),
            env=environment,
            cwd=str(cwd),
            encoding="utf-8",
            codec_errors="replace",
            preexec_fn=_heed_signals,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    # ------------------------------------------------------------------------------------ the screen

    @property
    def line(self) -> str:
        """The line on which the cursor stands."""
        return str(self.screen.display[self.screen.cursor.y]).rstrip()

    @property
    def lines(self) -> list[str]:
        """All that can be seen, scrolling back."""
        above = ["".join(row[x].data for x in range(self.screen.columns)) for row in self.screen.history.top]
        return [line.rstrip() for line in (*above, *self.screen.display)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    # ------------------------------------------------------------------------------------ waiting

    def _read(self) -> bool:
        """Takes what has come; False at the end of the session."""
        try:
            part = self.child.read_nonblocking(65536, timeout=0.25)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += part
        self._stream.feed(part)
        return True

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            alive = self._read()
            if condition():
                return
            if not alive or time.monotonic() > deadline:
                ended = "hangs" if alive else "has ended"
                raise AssertionError(f"the session {ended} without {what}:\n{self.text.rstrip()}")

    def prompt(self, *texts: str) -> None:
        """Waits for a prompt that nothing has been typed at: one of these."""
        self.until(lambda: self.line in texts, " or ".join(map(repr, texts)))

    def shows(self, text: str) -> None:
        """Waits until something stands on the screen, or above it."""
        self.until(lambda: text in self.text, repr(text))

    def shows_more(self, text: str, times: int, other: str) -> None:
        """Waits until a text stands there more often than that, or the other one does."""
        self.until(lambda: self.text.count(text) > times or other in self.text, f"{text!r} or {other!r}")

    def shows_new_prompt(self, start: int, other: str) -> None:
        """Waits for a prompt after a line that was taken behind that place of the output, or for a text."""
        self.until(
            lambda: other in self.raw[start:] or ("\n" in self.raw[start:] and self.line.endswith(">")),
            f"a prompt, or {other!r}",
        )

    # ------------------------------------------------------------------------------------ typing

    def type(self, text: str) -> None:
        """Types a text, and waits until it is shown."""
        wanted = f"{self.line} {text}".strip() if text else self.line
        self.child.send(text)
        squeezed = re.sub(r"\s+", " ", wanted)
        self.until(lambda: re.sub(r"\s+", " ", self.line) == squeezed, f"the line {wanted!r}")

    def answer(self, text: str, *prompts: str) -> None:
        """Types a line, and waits for the next prompt: one of these."""
        self.enter(text)
        self.until(lambda: self.line in prompts, f"the prompt {prompts} after {text!r}")

    def enter(self, text: str) -> None:
        """Types a line, and waits until it is taken."""
        if text:
            self.type(text)
        before = len(self.raw)
        self.child.send("\r")
        self.until(lambda: "\n" in self.raw[before:], f"{text!r} to be taken")

    def end(self, text: str = "", *, key: str = "\r") -> int:
        """Types a line or a key that ends the session; its exit code."""
        if text:
            self.type(text)
        self.child.send(key)
        return self.wait()

    def hang_up(self) -> None:
        """Closes the window, and waits until the program has ended."""
        self.child.ptyproc.fileobj.close()
        deadline = time.monotonic() + PATIENCE
        while self.child.isalive():
            if time.monotonic() > deadline:
                raise AssertionError("the program does not end with its window")
            time.sleep(0.05)

    def wait(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while self._read():
            if time.monotonic() > deadline:
                raise AssertionError(f"the session does not end:\n{self.text.rstrip()}")
        self.child.close()
        code = self.child.exitstatus
        return int(code) if code is not None else -int(self.child.signalstatus)
