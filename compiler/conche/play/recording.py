"""The file of a record that can be begun anew, for a game in which moves are taken back.

Purpose: where `records.Recorder` writes to. Input: lines. Output: `FILE.part`, and FILE in the end.
Invariants: a line is on the disk when it has been written; what a file holds is always a whole number of
lines, also when the record is begun anew; no file of another game is replaced, unless that is wanted.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from conche.resources import write_atomic
from conche_runtime.records import PART


class Stream:
    """A record that goes to an open stream, or nowhere."""

    path: Path | None = None

    def __init__(self, target: TextIO | None = None) -> None:
        self._target = target
        self.fixed = target is not None
        """Whether what is written cannot be taken back."""

    def write(self, text: str) -> None:
        if self._target is not None:
            self._target.write(text)

    def flush(self) -> None:
        if self._target is not None:
            self._target.flush()

    def takes(self, path: Path) -> bool:
        return False

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        if self.fixed:
            raise ValueError("what a stream has taken cannot be taken back")
        yield

    def close(self, keep: bool = False) -> None:
        pass


class RecordFile:
    """The record that goes to a path. `path`: where it is now. FileExistsError for a file that is there,
    unless `overwrite`; of a game that is `resumed` only where it is another game's. Devices and pipes are
    written to directly."""

    def __init__(self, path: Path, *, overwrite: bool = False, resumed: bool = False) -> None:
        if not path.name:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        self.name = path
        self.path: Path | None = path.with_name(path.name + PART)
        self.fixed = False
        """Whether what is written cannot be taken back."""
        self._overwrite, self._resumed = overwrite, resumed
        self._stream: TextIO | None = None
        self._held: list[str] | None = None
        try:
            plain = stat.S_ISREG(path.stat().st_mode)
        except FileNotFoundError:
            plain = True
        if not plain:
            self.path, self.fixed = path, True
            self._stream = path.open("w", encoding="utf-8", newline="\n")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if not resumed and not overwrite:
            for there, what in ((path, "the record exists"), (self.path, "an unfinished record exists")):
                assert there is not None
                if there.exists():
                    raise FileExistsError(errno.EEXIST, what, str(there))

    def takes(self, path: Path) -> bool:
        """Whether the record is, or will be, the file of that path."""
        return os.path.realpath(path) in [os.path.realpath(one) for one in (self.name, self.path) if one]

    def write(self, text: str) -> None:
        if self._held is not None:
            self._held.append(text)
            return
        if self._stream is None:
            self._open(text)
        assert self._stream is not None
        self._stream.write(text)

    def flush(self) -> None:
        if self._stream is not None and self._held is None:
            self._stream.flush()

    def _open(self, header: str) -> None:
        """Opens the file for its first line."""
        assert self.path is not None
        self._check(header)
        replaces = self._overwrite or self._resumed
        self._stream = self.path.open("w" if replaces else "x", encoding="utf-8", newline="\n")

    def _check(self, header: str) -> None:
        """Of a game that goes on the files that are there must be its own, as their first line says."""
        if self._resumed and not self._overwrite:
            for there in (self.name, self.path):
                assert there is not None
                if there.exists() and _first_line(there) != header:
                    raise FileExistsError(errno.EEXIST, "a record of another game exists", str(there))

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """While the record is written again from its first line: the file changes at the end, at once."""
        if self.fixed:
            raise ValueError("what a pipe has taken cannot be taken back")
        assert self.path is not None
        self._held = []
        try:
            yield
            lines = self._held
        finally:
            self._held = None
        if self._stream is not None:
            self._stream.close()
        elif lines:
            self._check(lines[0])
        write_atomic(self.path, "".join(lines))
        self._stream = self.path.open("a", encoding="utf-8", newline="\n")

    def close(self, keep: bool = False) -> None:
        """Harmless when it is closed. With `keep` the file gets its name."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        stream.close()
        if not keep or self.fixed:
            return
        part = self.path
        assert part is not None
        if not self._overwrite and not self._resumed:
            # A link, unlike renaming, replaces nothing; on a disk without links a small gap remains.
            linked = False
            with contextlib.suppress(OSError, NotImplementedError, AttributeError):
                os.link(part, self.name)
                linked = True
            if linked:
                os.unlink(part)
                self.path = self.name
                return
            if self.name.exists():
                raise FileExistsError(errno.EEXIST, "the record exists", str(self.name))
        os.replace(part, self.name)
        self.path = self.name


def _first_line(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            return file.readline(1 << 20)
    except (OSError, ValueError):
        return None
