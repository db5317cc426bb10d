"""Rules that lie nowhere: files of a revision or of the store, in a folder of their own while they are
read.

Purpose: what reads rules reads files. Input: texts by path. Output: a ruleset over copies of them, and a
reader that calls the files as they were called.
Invariants: the copies lie in a fresh temporary folder, which goes when it is no longer needed; no path
leads out of it.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from conche.modules.library import Read
from conche.modules.parse_ruleset import Part, Ruleset
from conche.source import Source, read_source

ENDINGS = (".rules", ".md", ".csv")
"""Files that are read with a rules file beside them, whether it names them or not."""

_QUOTED = re.compile(rb'"([^"\n]+)"')


def named_in(path: str, text: bytes) -> Iterator[str]:
    """The paths of the files that the rules file at `path` may name: whatever it has in quotes."""
    for quoted in _QUOTED.findall(text):
        name = quoted.decode("utf-8", "replace").replace("\\", "/")
        if ".." not in name.split("/") and not name.startswith("/"):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


class Folder:
    """`shown`: what stands before the names of its files in findings."""

    def __init__(self, files: Mapping[str, bytes], shown: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="conche-rules-")
        self.root = Path(os.path.realpath(self._folder.name))
        self.shown = shown
        for name, data in files.items():
            path = self.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def path(self, name: str) -> Path:
        """Where the copy of a file lies."""
        parts = [
            part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")
        ]
        return self.root.joinpath(*[part.rstrip(":") for part in parts])

    @property
    def read(self) -> Read:
        def read(path: str, name: str) -> Source:
            real = os.path.realpath(path)
            if real.startswith(f"{self.root}{os.sep}"):
                inside = PurePosixPath(os.path.relpath(real, self.root).replace(os.sep, "/"))
                name = f"{self.shown}{inside}"
            return read_source(path, name)

        return read

    def ruleset(self, ruleset: Ruleset, paths: Mapping[str, str]) -> Ruleset:
        """The ruleset over the copies. `paths`: of the parts that do not lie beside the game under their
        name."""

        def placed(part: Part) -> Part:
            return replace(part, name=str(self.path(paths[part.name]))) if part.name in paths else part

        return Ruleset(placed(ruleset.game), tuple(placed(part) for part in ruleset.modules))
