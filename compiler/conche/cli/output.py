"""Writing to the terminal.

Purpose: the one place that knows about streams, colour and terminals.
Input: text. Output: the same on stdout or stderr.
Invariants: colour only on a terminal, never with NO_COLOR or TERM=dumb; a character that the terminal
cannot show becomes `?` and is no error; each text is written at once, so that lines of the two streams do
not mix.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche.source import Source


WAIT = 1.0
"""Seconds without a word."""


def prepare() -> None:
    """Makes the standard streams forgiving. To be called once, first."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(text: str = "") -> None:
    """A line on stdout. It is flushed with the next `flush`, or when the program ends."""
    _write(sys.stdout, text + "\n")


def tell(text: str) -> None:
    """A line on stderr, where it does not disturb what is piped on."""
    _write(sys.stderr, text + "\n")


def put(text: str) -> None:
    """A whole text on stdout."""
    _write(sys.stdout, text)


def flush() -> None:
    """Sends on what was written; OSError where nobody takes it."""
    if sys.stdout is not None:
        sys.stdout.flush()


def report(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source] | None = None) -> None:
    """Findings, as text on stderr."""
    from conche.diagnostics.render_text import render_text

    text = render_text(diagnostics, sources or {}, color=color(sys.stderr))
    if text:
        _write(sys.stderr, text)


def settled() -> None:
    """All that a long game needs is there: from now on garbage is looked for, but not in what is there."""
    import gc

    if not gc.isenabled():
        gc.freeze()
        gc.enable()


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """While what is done takes longer than a moment, a terminal shows on stderr that it is being done."""
    if not is_terminal(sys.stderr):
        yield
        return
    import threading

    lock, shown, over = threading.Lock(), False, False

    def show() -> None:
        nonlocal shown
        with lock, contextlib.suppress(OSError, ValueError):
            if not over:
                shown = True
                _write(sys.stderr, f"{what} …")
                sys.stderr.flush()

    timer = threading.Timer(WAIT, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            over = True
        if shown:
            _write(sys.stderr, f"\r{' ' * (len(what) + 2)}\r")


def color(stream: TextIO | None) -> bool:
    """Whether a stream wants colour."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False


def _write(stream: TextIO | None, text: str) -> None:
    # A program may have been started without one of its streams.
    if stream is not None:
        stream.write(text)
