"""What is kept between runs: sources of rulebooks by digest, built engines, what is known of rulesets.

Purpose: old records can be replayed and compared later, and what was compiled is not compiled again.
Input and output: texts by key, in `resources.cache_dir()`:

    store/<digest>.sources       the files that the rulebook of that digest was made of
    engines/<name>-<hash>.py     generated engines; the hash is that of the text
    rulesets/<hash>.json         what was found out about a ruleset, as long as none of its files has changed

Invariants: every file is written at once or not at all, so processes can share the folder. What is read is
checked against its hash, so a damaged cache costs time and nothing else. A disk that cannot be written to
is no error. What another compiler wrote (`fingerprint`) is not used.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conche import __version__
from conche.diagnostics.model import Diagnostic, Fix, Label, Severity
from conche.resources import cache_dir, data_root, write_atomic
from conche.source import SourceError, Span, read_source

_DIGEST = re.compile(r"[0-9a-f]{16,64}\Z")
_OLD = 60 * 24 * 3600
"""Seconds after which an engine that was not rebuilt is dropped."""


# ------------------------------------------------------------------------------------------------ rulebooks


@dataclass(frozen=True, slots=True)
class Sources:
    """What a rulebook was made of. `files`: texts by full path; `parts`: the paths of game and modules, by
    how the ruleset names them."""

    ruleset: str
    files: Mapping[str, str]
    parts: Mapping[str, str]


def put_sources(digest: str, sources: Sources) -> None:
    """Keeps what a rulebook was made of."""
    path = _sources(digest)
    if path is not None and _read(path) != (text := sources_text(sources)):
        _write(path, text)


def get_sources(digest: str) -> Sources | None:
    """What a rulebook was made of; None when it is not kept. Who uses it compares the digest."""
    path = _sources(digest)
    return None if path is None else sources_from(_read(path))


def sources_text(sources: Sources) -> str:
    """As a file."""
    document = {"ruleset": sources.ruleset, "files": dict(sources.files), "parts": dict(sources.parts)}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def sources_from(text: str | None) -> Sources | None:
    """Of such a file; None for anything else."""
    try:
        document = json.loads(text or "null")
        ruleset, files, parts = document["ruleset"], document["files"], document["parts"]
        if not all(isinstance(one, str) for one in (ruleset, *files.values(), *parts.values())):
            return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Sources(ruleset, files, parts)


def _sources(digest: str) -> Path | None:
    return cache_dir() / "store" / f"{digest}.sources" if _DIGEST.match(digest) else None


# ------------------------------------------------------------------------------------------------ engines


def put_engine(name: str, text: str) -> Path | None:
    """Keeps a generated module; its path, or None where it cannot be kept."""
    folder = cache_dir() / "engines"
    path = folder / f"{name}-{hash_text(text)[:16]}.py"
    if get_engine(path, hash_text(text)) is None and not _write(path, text):
        return None
    _drop_old(folder)
    return path


def get_engine(path: Path, sha256: str) -> str | None:
    """The text of a kept module, if it is the one that was written."""
    text = _read(path)
    return text if text is not None and hash_text(text) == sha256 else None


def _drop_old(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.endswith(".py") and entry.stat().st_mtime < time.time() - _OLD:
                os.unlink(entry.path)


# ------------------------------------------------------------------------------------------------ rulesets


def remember(ruleset: str, files: Mapping[str, str], known: Mapping[str, Any]) -> None:
    """Keeps what is known of a ruleset while its files (by path: the hash of their text) are as they are."""
    entry = {"fingerprint": fingerprint(), "ruleset": ruleset, "files": dict(files), "known": dict(known)}
    _write(_entry(ruleset), json.dumps(entry, ensure_ascii=False, indent=1) + "\n")


def recall(ruleset: str) -> tuple[dict[str, str], dict[str, Any]] | None:
    """Files and knowledge of a ruleset; None when there is none or a file or the compiler has changed."""
    text = _read(_entry(ruleset))
    try:
        entry = json.loads(text or "null")
        if (
            not isinstance(entry, dict)
            or entry["fingerprint"] != fingerprint()
            or entry["ruleset"] != ruleset
        ):
            return None
        files, known = entry["files"], entry["known"]
        if not files or not isinstance(known, dict):
            return None
        if any(hash_text(read_source(path).text) != sha256 for path, sha256 in files.items()):
            return None
        # A store that was emptied is filled again: games need their rules when these have changed.
        kept = _sources(str(known.get("digest", "")))
        if kept is not None and not kept.exists():
            return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, SourceError):
        return None
    return files, known


def _entry(ruleset: str) -> Path:
    # A path in the name of a ruleset may be relative: it means another file elsewhere.
    place = os.getcwd() if re.search(r"[/\\.]", ruleset) else ""
    key = hash_text("\n".join((ruleset, place, str(data_root()))))
    return cache_dir() / "rulesets" / f"{key[:32]}.json"


@functools.cache
def fingerprint() -> str:
    """Changes with the version of Conche or Python and with any file of the compiler, the runtime or the
    grammar."""
    parts = [__version__, sys.version]
    package = Path(__file__).resolve().parent
    import conche_runtime.errors as somewhere

    runtime = Path(somewhere.__file__).resolve().parent
    for root in (package, runtime, data_root() / "grammar"):
        parts += [f"{os.path.relpath(path, root)} {stamp}" for path, stamp in sorted(_stamps(root, package))]
    return hash_text("\n".join(parts))


def _stamps(root: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Each file below a folder with its size and time, the compiler's data and Python's caches left out."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(root):
            if entry.is_dir():
                if entry.name != "__pycache__" and Path(entry.path) != package / "data":
                    yield from _stamps(Path(entry.path), package)
            else:
                status = entry.stat()
                yield entry.path, f"{status.st_size} {status.st_mtime_ns}"


# ------------------------------------------------------------------------------------------------ findings


def findings_from_json(document: Mapping[str, Any]) -> list[Diagnostic]:
    """Diagnostics of what `render_json.to_json` made of them. KeyError, TypeError or ValueError for
    anything else."""
    return [
        Diagnostic(
            item["code"],
            Severity(item["severity"]),
            item["title"],
            tuple(Label(Span(**label["span"]), label["text"], label["primary"]) for label in item["labels"]),
            tuple(item["notes"]),
            tuple(item["help"]),
            tuple(Fix(**{**fix, "span": Span(**fix["span"])}) for fix in item["fixes"]),
        )
        for item in document["diagnostics"]
    ]


# ------------------------------------------------------------------------------------------------ files


def hash_text(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None


def _write(path: Path, text: str) -> bool:
    try:
        write_atomic(path, text)
    except (OSError, ValueError):
        return False
    return True
