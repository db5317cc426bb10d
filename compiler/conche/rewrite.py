"""Putting a changed text in place of a rules file.

Purpose: what the formatter and `conche check --fix` share.
Input: a path, the file's name as it is shown, its text before and after. Output: the file, or a text that
shows the changes.
Invariants: the file is the old one or the new one, never a part. A byte order mark, `\\r\\n` as the line end,
permissions and a link to the file stay.
"""

from __future__ import annotations

import codecs
import difflib
import os
from pathlib import Path

from conche.resources import write_atomic


def rewrite(path: str | os.PathLike[str], text: str) -> None:
    """Writes `text`, with `\\n` as its line end, in place of a file that is there. Raises `OSError`."""
    target = Path(path).resolve()
    old = target.read_bytes()
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
