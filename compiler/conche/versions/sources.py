"""From what a person names to a version of the rules.

Purpose: each side of `conche diff`.
Input: a text. Output: a `Version`.

    cacao+huts:overbuild=early     a ruleset; rules/cacao and ./mine.rules name a folder or file
    HEAD~3:cacao+huts              the same in a git revision
    game.jsonl, game.save          the rules of a record or save, by its digest
    generated/cacao.py             the rules of a generated engine, by its digest

Invariants: what a file holds decides what it is, not its name, but for `.rules`; an engine is read and never
imported. What cannot be had is a `SourceError` or `CompileError`.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

from conche import store
from conche.diagnostics.codes import diagnose
from conche.modules.library import parsed
from conche.modules.parse_ruleset import Ruleset, parse_ruleset
from conche.pipeline import CompileError
from conche.resources import find_game
from conche.source import SourceError, read_source
from conche.versions.folders import Folder
from conche.versions.git_files import from_git
from conche.versions.version import Version, load_version

_OPTIONS = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_ENGINE_DIGEST = re.compile(r"^Rules digest: ([0-9a-f]{64})$", re.MULTILINE)
_ENGINE_RULESET = re.compile(r"^Made by `conche build (.+)`\.", re.MULTILINE)
_MOST = 1 << 26
BESIDE = ".kept-rules"
"""How a file ends that `conche pin` has written, beside what needs it."""


def read_version(text: str) -> Version:
    """The version that a text names."""
    if os.path.isfile(text) and not text.endswith(".rules"):
        return _of_file(Path(text))
    if is_revision(text):
        revision, _, rest = text.partition(":")
        folder, ruleset = from_git(revision, _ruleset(rest))
        return _from_folder(text, rest, folder, ruleset)
    return load_version(text, _placed(_ruleset(text)))


def is_revision(text: str) -> bool:
    """Whether a text names a ruleset in a git revision."""
    revision, colon, rest = text.partition(":")
    return bool(colon and revision) and not _OPTIONS.match(rest) and not os.path.exists(revision)


def _ruleset(text: str) -> Ruleset:
    ruleset, found = parse_ruleset(text)
    if ruleset is None:
        raise CompileError(found, {})
    return ruleset


def _placed(ruleset: Ruleset) -> Ruleset:
    """A folder that is named as a game stands for the game in it."""
    name = ruleset.game.name
    if not os.path.isdir(name) or (not ruleset.game.is_path and find_game(name) is not None):
        return ruleset
    return Ruleset(replace(ruleset.game, name=_game_in(name)), ruleset.modules)


def _game_in(folder: str) -> str:
    files = sorted(str(path) for path in Path(folder).glob("*.rules"))
    named = os.path.join(folder, f"{os.path.basename(os.path.abspath(folder))}.rules")
    games = [named] if named in files else [path for path in files if _is_game(path)]
    if len(games) == 1:
        return games[0] if "/" in games[0] else f"./{games[0]}"
    why = "has no game" if not games else f"has several games: {', '.join(map(os.path.basename, games))}"
    raise SourceError(diagnose("C0542", f"the folder '{folder}' {why}", help=("name one rules file",)))


def _is_game(path: str) -> bool:
    try:
        header = parsed(read_source(path))[0].header
    except SourceError:
        return False
    return header is not None and header.kind == "game"


def _from_folder(label: str, written: str, folder: Folder, ruleset: Ruleset) -> Version:
    version = load_version(label, ruleset, folder.read)
    version.keeps.append(folder)
    version.rulebook = replace(version.rulebook, ruleset=written)
    return version


# ------------------------------------------------------------------------------- records, saves, engines


def _of_file(path: Path) -> Version:
    """The version that a file's digest names."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise SourceError(diagnose("C0003", f"'{path}' cannot be read: {why}")) from None
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    named = rules_named(text)
    if named is not None:
        return by_digest(str(path), *named, path.parent)
    digest_line = _ENGINE_DIGEST.search(text[:4000])
    if digest_line is not None:
        ruleset_line = _ENGINE_RULESET.search(text[:4000])
        ruleset = ruleset_line[1] if ruleset_line else ""
        return by_digest(str(path), ruleset, digest_line[1], path.parent)
    raise SourceError(
        diagnose(
            "C0542",
            f"'{path}' is neither rules nor a record, a save or a generated engine",
            help=("rules files end in .rules",),
        )
    )


def rules_named(text: str) -> tuple[str, str] | None:
    """The ruleset and the digest of a record or a save; None for anything else."""
    # A record has an object on its first line, a save is one.
    for part in (text.partition("\n")[0], text):
        try:
            found = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            ruleset, digest = found.get("ruleset"), found.get("digest")
            if isinstance(ruleset, str) and isinstance(digest, str) and digest:
                return ruleset, digest
    return None


def by_digest(label: str, ruleset: str, digest: str, beside: Path | None = None) -> Version:
    """The version with a digest: as it was kept in the store, or in the folder `beside`, or as its ruleset is
    now."""
    for kept in (store.get_sources(digest), _pinned(digest, beside)):
        version = None if kept is None else _from_store(label, kept)
        if version is not None and version.digest == digest:
            return version
    try:
        version = load_version(label, _placed(_ruleset(ruleset)))
    except (CompileError, SourceError):
        version = None
    if version is not None and version.digest == digest:
        return version
    now = "are not found from here" if version is None else "are others now"
    raise SourceError(
        diagnose(
            "C0541",
            f"the rules of '{label}' are not kept here",
            notes=(f"it names '{ruleset}', which {now}; digest {digest[:16]}",),
            help=(f"name the revision that has them: `REVISION:{ruleset or 'RULESET'}`",),
        )
    )


def pinned_path(digest: str, folder: Path) -> Path:
    """Where rules lie that are kept beside what needs them."""
    return folder / f"{digest[:16]}{BESIDE}"


def _pinned(digest: str, folder: Path | None) -> store.Sources | None:
    if folder is None or not re.fullmatch("[0-9a-f]{16,64}", digest):
        return None
    try:
        return store.sources_from(pinned_path(digest, folder).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def sources_of(version: Version) -> store.Sources:
    """What is to be kept of a version, so that it is found by its digest."""
    files: dict[str, str] = {}
    parts: dict[str, str] = {}
    for name, source in version.sources.items():
        files[_plain(name)] = source.text
    by_file = {os.path.basename(path): path for path in files}
    ruleset = _ruleset(version.rulebook.ruleset)
    for written, part in zip(ruleset.parts, version.ruleset.parts, strict=True):
        file = os.path.basename(part.name)
        parts[written.name] = by_file.get(file if file.endswith(".rules") else f"{file}.rules", "")
    return store.Sources(version.rulebook.ruleset, files, parts)


def _plain(name: str) -> str:
    """The path of a source, without the revision or store that it comes from."""
    return name if os.path.exists(name) else name.rpartition(":")[2]


def _from_store(label: str, kept: store.Sources) -> Version | None:
    ruleset, _ = parse_ruleset(kept.ruleset)
    if ruleset is None or not set(_names(ruleset)) <= kept.parts.keys():
        return None
    folder = Folder(
        {path: text.encode("utf-8", "surrogatepass") for path, text in kept.files.items()}, "kept:"
    )
    try:
        return _from_folder(label, kept.ruleset, folder, folder.ruleset(ruleset, kept.parts))
    except (CompileError, SourceError):
        return None


def _names(ruleset: Ruleset) -> list[str]:
    return [part.name for part in (ruleset.game, *(part for part in ruleset.modules if part.is_path))]
