"""Putting a changed text in place of a rules file.

Purpose: what the formatter and `conche check --fix` share.
Input: a path, the file's name as it is shown, its text before and after. Output: the file, or a text that
shows the changes.
Invariants: the file is the old one or the new one, never a part. A byte order mark, `\\r\\n` as the line end,
permissions and a link to the file stay. What is read-only is not written to.
"""

from __future__ import annotations

import codecs
import difflib
import errno
import os
import stat
from pathlib import Path

from conche.resources import write_atomic
from conche.source import decode


def rewrite(path: str | os.PathLike[str], text: str, before: str | None = None) -> None:
    """Writes `text`, with `\\n` as its line end, in place of a file that is there. Raises `OSError`, also for
    a file that nobody may write to.

    `before`: the text that was changed; where the file says something else by now, it is left as it is.
    """
    target = Path(path).resolve()
    if not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        # The folder alone decides whether another file can take its place; what is meant is not to write.
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    old = target.read_bytes()
    if before is not None and decode(old, str(path)) != before:
        raise OSError(errno.EBUSY, "the file has changed meanwhile; do it again", str(path))
    mark = "\ufeff" if old.startswith(codecs.BOM_UTF8) else ""
    if old.partition(b"\n")[0].endswith(b"\r"):
        text = text.replace("\n", "\r\n")
    write_atomic(target, mark + text)


def changes(name: str, before: str, after: str) -> str:
    """The changes as a unified diff; empty where there are none."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, name, n=3
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
