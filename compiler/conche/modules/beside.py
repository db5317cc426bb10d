"""Files that a rules file names: they lie in its folder, and nowhere else.

Input: the name as it is written, the folder of the rules. Output: the file's text, or None and a finding.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Fix, Label
from conche.diagnostics.suggest import closest, did_you_mean, is_slip
from conche.source import Source, SourceError
from conche.syntax import ast

Read = Callable[[str, str], Source]
"""Reads the file at a path (first) that findings call by a name (second); raises `SourceError`."""


def read_beside(
    node: ast.StringLit, what: str, code: str, folder: str, shown: str, read: Read, found: list[Diagnostic]
) -> Source | None:
    """The file in `folder`, which findings call `shown`. `what`: as in `the clause file`; `code`: of what is
    found."""
    text = node.value
    parts = text.replace("\\", "/").split("/")
    absolute = os.path.isabs(text) or text.startswith(("/", "\\"))
    if not text.strip() or absolute or ".." in parts or ":" in text:
        title = f"{what} '{text}' does not lie beside the rules file"
        hint = "name a file in the same folder"
        found.append(diagnose(code, title, Label(node.span), help=(hint,)))
        return None
    try:
        return read(os.path.join(folder, text), posixpath.join(shown, text))
    except SourceError as error:
        near = _near(text, folder)
        found.append(
            diagnose(
                code,
                f"{what} '{text}' cannot be read",
                Label(node.span, error.diagnostic.title),
                notes=error.diagnostic.notes,
                help=[hint for hint in (*error.diagnostic.help, did_you_mean(text, near)) if hint],
                fixes=[Fix(node.span, f'"{near[0]}"', f'write "{near[0]}"', safe=is_slip(text, near[0]))]
                if len(near) == 1
                else (),
            )
        )
        return None


def _near(text: str, folder: str) -> list[str]:
    """The files of the folder that may be meant: those of the same sort, and a name like it."""
    ending = os.path.splitext(text)[1]
    try:
        files = sorted(os.listdir(folder or "."))
    except OSError:
        return []
    return closest(text, [file for file in files if os.path.splitext(file)[1] == ending])
