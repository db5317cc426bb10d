"""Files that a rules file names: they lie in its folder, and nowhere else.

Input: the name as it is written, the folder of the rules. Output: the file's text, or None and a finding.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
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
        found.append(
            diagnose(
                code,
                f"{what} '{text}' cannot be read",
                Label(node.span, error.diagnostic.title),
                notes=error.diagnostic.notes,
                help=error.diagnostic.help,
            )
        )
        return None
