"""Options of modules that a ruleset does not name.

Purpose: `cacao:overbuild=early` names an option of the module `map`: says so.
Input: the options of a ruleset, the files in play, the folder with the game's modules. Output: the options
that remain, findings. Invariants: other modules are read only where an option is unknown.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic
from conche.modules.library import Read, declared_in, parsed
from conche.semantics.words import listed
from conche.source import SourceError
from conche.syntax import ast


def without_absent(
    options: Mapping[str, str], files: Iterable[ast.File], folder: str, shown: str, read: Read
) -> tuple[dict[str, str], list[Diagnostic]]:
    """`shown`: how findings call the folder."""
    known = {name for file in files for name in _options_of(file)}
    unknown = sorted(options.keys() - known)
    owners: dict[str, list[str]] = {}
    if unknown:
        for module, file in _modules_in(folder, shown, read):
            for name in _options_of(file):
                owners.setdefault(name, []).append(module)
    found = [_finding(name, owners[name]) for name in unknown if name in owners]
    return {name: value for name, value in options.items() if name in known or name not in owners}, found


def _finding(name: str, owners: list[str]) -> Diagnostic:
    modules = f"module '{owners[0]}'" if len(owners) == 1 else f"modules {listed(owners)}"
    return diagnose(
        "C0228",
        f"'{name}' is an option of the {modules}, which {'is' if len(owners) == 1 else 'are'} not in play",
        help=(f"add `+{owners[0]}` to the ruleset, or leave the option out",),
    )


def _options_of(file: ast.File) -> Iterator[str]:
    return (decl.name.text for decl in declared_in(file.decls) if isinstance(decl, ast.OptionDecl))


def _modules_in(folder: str, shown: str, read: Read) -> Iterator[tuple[str, ast.File]]:
    try:
        names = sorted(name for name in os.listdir(folder or ".") if name.endswith(".rules"))
    except OSError:
        return
    for name in names:
        try:
            file, _ = parsed(read(os.path.join(folder, name), posixpath.join(shown, name)))
        except SourceError:
            continue
        if file.header is not None and file.header.kind == "module":
            yield file.header.name.text, file
