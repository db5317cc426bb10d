"""Writing to the terminal.

Purpose: the one place that knows about streams, colour and terminals.
Input: text. Output: the same on stdout or stderr.
Invariants: colour only on a terminal, never with NO_COLOR or TERM=dumb; a character that the terminal
cannot show becomes `?` and is no error; each text is written at once, so that lines of the two streams do
not mix. A line says nothing to the terminal but colours, whatever file, save or record its words are from.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
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
    _write(sys.stdout, harmless(text, sys.stdout) + "\n")


def tell(text: str) -> None:
    """A line on stderr, where it does not disturb what is piped on."""
    _write(sys.stderr, harmless(text, sys.stderr) + "\n")


def put(text: str) -> None:
    """A whole text on stdout, as it is."""
    _write(sys.stdout, text)


def harmless(text: str, stream: TextIO | None) -> str:
    """A text without what moves the cursor, changes the terminal or cannot be seen: such characters become
    `�`. Tabs and ends of lines stay, and our colours where the stream wants colour."""
    if text.isprintable():
        return text
    from conche.draw.cells import clean

    parts = (_COLORS if color(stream) else _SPACES).split(text)
    return "".join(part if number % 2 else clean(part) for number, part in enumerate(parts))


_SPACES = re.compile(r"([\n\t])")
_COLORS = re.compile(r"(\x1b\[(?:[0127]|[39][0-7])(?:;(?:[0127]|[39][0-7]))*m|[\n\t])")


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
                _write(sys.stderr, f"{harmless(what, sys.stderr)} …")
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
