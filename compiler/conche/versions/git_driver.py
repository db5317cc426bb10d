"""The two versions of one rules file that git compares.

Purpose: `git diff` by meaning. git hands over the path of a file and two texts of it, and no revision.
Input: the path from the top of the repository, the two texts. Output: the `Version` of each.
Invariants: all other files of the folder are read as they lie in the work tree, on both sides, so that what
differs is the one file. Nothing is written. What cannot be compiled is a `CompileError` or `SourceError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from conche.diagnostics.codes import diagnose
from conche.modules.library import parsed
from conche.modules.parse_ruleset import Part, Ruleset
from conche.resources import find_game
from conche.source import MAX_BYTES, Source, SourceError
from conche.syntax import ast
from conche.versions.folders import ENDINGS, Folder, named_in
from conche.versions.version import Version, load_version


def versions_of(
    top: Path, path: str, old: bytes, new: bytes, new_path: str | None = None
) -> tuple[Version, Version]:
    """The versions with the old and the new text of the file at `path` below `top`, which lies at `new_path`
    now where that is given. A module is compared over its game: the one beside it, else the bundled one of
    that name."""
    beside = _files_beside(top, path, old, new)
    if new_path is None or new_path == path:
        return _version(path, old, beside, "a"), _version(path, new, beside, "b")
    return _version(path, old, beside, "a"), _version(new_path, new, _files_beside(top, new_path, new), "b")


def _files_beside(top: Path, path: str, *texts: bytes) -> dict[str, bytes]:
    """The files of the folder, and those that rules files name, by their paths."""
    folder = PurePosixPath(path).parent
    found: dict[str, bytes] = {}
    try:
        names = sorted(one.name for one in (top / folder).iterdir() if one.suffix in ENDINGS)
    except OSError:
        return {}
    _read_into(found, top, [str(folder / name) for name in names])
    rules = [(path, text) for text in texts]
    rules += [(name, text) for name, text in found.items() if name.endswith(".rules")]
    _read_into(found, top, [named for name, text in rules for named in named_in(name, text)])
    return found


def _read_into(found: dict[str, bytes], top: Path, paths: Iterable[str]) -> None:
    for path in paths:
        try:
            if path not in found and (top / path).is_file():
                with (top / path).open("rb") as file:
                    found[path] = file.read(MAX_BYTES + 1)
        except (OSError, ValueError):
            continue


def _version(path: str, text: bytes, beside: dict[str, bytes], side: str) -> Version:
    folder = Folder({**beside, path: text}, f"{side}/")
    label = f"{side}/{path}"
    version = load_version(label, _ruleset(path, folder, label), folder.read)
    version.keeps.append(folder)
    return version


def _ruleset(path: str, folder: Folder, label: str) -> Ruleset:
    """The ruleset that shows what the file does: a game alone, a module with the modules that it requires."""
    header = parsed(_read(folder, path))[0].header
    if header is None or header.kind == "game":
        return Ruleset(Part(str(folder.path(path))))
    base = header.base.text if header.base is not None else ""
    near = PurePosixPath(path).with_name(f"{base}.rules")
    copy = folder.path(str(near))
    if copy.is_file():
        game = Part(str(copy))
    elif find_game(base) is not None:
        game = Part(base)
    else:
        raise SourceError(
            diagnose(
                "C0542", f"'{label}' is a module for '{base}', which lies neither beside it nor in Conche"
            )
        )
    modules = _with_required(path, header, folder)
    return Ruleset(game, tuple(Part(str(folder.path(one))) for one in modules))


def _with_required(path: str, header: ast.Header, folder: Folder) -> list[str]:
    """The module's path, behind those of the modules that it requires, as far as they lie beside it."""
    found, waiting = [path], list(header.requires)
    while waiting:
        one = str(PurePosixPath(path).with_name(f"{waiting.pop(0).text}.rules"))
        if one in found or not folder.path(one).is_file():
            continue
        found.insert(0, one)
        inner = parsed(_read(folder, one))[0].header
        waiting += inner.requires if inner is not None else ()
    return found


def _read(folder: Folder, path: str) -> Source:
    return folder.read(str(folder.path(path)), path)
