"""Sources: the text of a file, and places in it.

Purpose: reads rules files safely and names places in them.
Input: a path, or text given by an editor. Output: a `Source`, and `Span`s into it.
Invariants: the text of a `Source` that was read has `\\n` as its only line end (`\\r\\n` and lone `\\r`
become `\\n`), no byte order mark and no NUL. Offsets count characters of that text; lines and columns count
from 1; ends are exclusive.
A file that cannot be read is the user's mistake: `SourceError` carries the diagnostic to report.
"""

import codecs
import os
import stat
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic
from conche.diagnostics.suggest import did_you_mean
from conche.span import Span

__all__ = ["MAX_BYTES", "Source", "SourceError", "Span", "decode", "read_source"]

MAX_BYTES = 1 << 20
"""The largest rules file that is read, in bytes (1 MiB)."""

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name, as the user wrote it, and its text."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        object.__setattr__(self, "_starts", tuple(starts))

    @property
    def line_count(self) -> int:
        """Number of lines; a text that ends in a line end has an empty last one."""
        return len(self._starts)

    def line(self, n: int) -> str:
        """The text of line `n` (from 1) without its line end; empty outside the text."""
        if not 1 <= n <= len(self._starts):
            return ""
        end = self._starts[n] - 1 if n < len(self._starts) else len(self.text)
        return self.text[self._starts[n - 1] : end]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, which is moved into the text when it lies outside."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Offset of `line` and `column`, moved onto the nearest place that exists."""
        line = min(max(line, 1), len(self._starts))
        return self._starts[line - 1] + min(max(column - 1, 0), len(self.line(line)))

    def span(self, start: int, end: int) -> Span:
        """The span of the characters from `start` up to, not including, `end`."""
        start = min(max(start, 0), len(self.text))
        end = min(max(start, end), len(self.text))
        return Span(self.name, start, end, *self.position(start), *self.position(end))


class SourceError(Exception):
    """A file could not be read as rules; `diagnostic` says why, for the user."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.title}")
        self.diagnostic = diagnostic


def read_source(path: str | os.PathLike[str], name: str | None = None) -> Source:
    """Reads a rules file.

    `name` is what diagnostics call the file, `path` itself when left out.
    Raises `SourceError` when the file is missing, is no plain file, is too large, or is not UTF-8 text.
    """
    shown = os.fspath(path) if name is None else name
    return Source(shown, decode(_read_bytes(Path(path), shown), shown))


def decode(data: bytes, name: str) -> str:
    """The text of a file's bytes, by the rules in the module's docstring; `SourceError` otherwise."""
    if len(data) > MAX_BYTES:
        raise _too_large(name)
    if data.startswith(_UTF16_MARKS):
        raise _fail(
            "C0004",
            f"'{name}' is written in UTF-16; rules files are UTF-8",
            hints=("save the file again with the encoding UTF-8",),
        )
    data = data.removeprefix(codecs.BOM_UTF8)
    nul = data.find(b"\0")
    if nul >= 0:
        raise _fail(
            "C0005",
            f"'{name}' is not a text file",
            notes=(f"it has a NUL byte in line {_line_at(data, nul)}",),
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _fail(
            "C0004",
            f"'{name}' is not UTF-8 text",
            notes=(
                f"byte 0x{data[error.start]:02x} in line {_line_at(data, error.start)} starts no character",
            ),
            hints=("save the file again with the encoding UTF-8",),
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise _fail("C0002", f"'{name}' is a folder, not a rules file")
        if not stat.S_ISREG(mode):
            # A pipe or device could block or never end.
            raise _fail("C0002", f"'{name}' is not a plain file")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _missing(path, name) from None
    except NotADirectoryError:
        raise _missing(path, name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _fail("C0003", f"'{name}' cannot be read: {reason.lower()}") from None


def _missing(path: Path, name: str) -> SourceError:
    try:
        neighbours = sorted(entry.name for entry in path.parent.iterdir() if entry.suffix == path.suffix)
    except OSError:
        neighbours = []
    hint = did_you_mean(path.name, neighbours)
    return _fail("C0001", f"there is no file '{name}'", hints=(hint,) if hint else ())


def _fail(code: str, title: str, notes: Iterable[str] = (), hints: Iterable[str] = ()) -> SourceError:
    return SourceError(diagnose(code, title, notes=notes, help=hints))


def _too_large(name: str) -> SourceError:
    return _fail(
        "C0006",
        f"'{name}' is larger than 1 MiB",
        hints=("split it: a game and each of its modules can have a file of its own",),
    )


def _line_at(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
