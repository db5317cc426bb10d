"""Games stay with the rules that they began with.

Purpose: servers, replays and resumed games find the rules of a digest, also when the files have changed
since. Input: a digest, or a save or record that names one. Output: the engine of these rules.
Invariants: what is found has this digest, worked out anew from its text. The engine calls itself as the game
that asks for it does, so that it takes that game's saves.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from conche.api import Image, image_of
from conche.pipeline import CompileError
from conche.source import SourceError
from conche_runtime.errors import SaveError
from conche_runtime.interface import Engine

if TYPE_CHECKING:
    from conche.versions.version import Version

__all__ = ["RulesNotKeptError", "image_of_version", "kept_image", "load_for", "load_kept"]

_lock = threading.Lock()
_images: dict[tuple[str, str], Image] = {}
"""By digest and name."""


class RulesNotKeptError(SaveError):
    """The rules of a digest are not kept here."""


def load_kept(digest: str, ruleset: str | None = None) -> Engine:
    """The engine of the rules with a digest, as they were when Conche last checked or played them. `ruleset`:
    what they are called; left out, what they were called then.

    RulesNotKeptError when they are not kept.
    """
    return _found(digest, ruleset, None).engine()


def load_for(text: str, folder: str | Path | None = None) -> Engine:
    """The engine for a saved game or a record: of the rules that it began with. `folder`: where rules lie
    that `conche pin` has written.

    SaveError for a text that is neither; RulesNotKeptError when its rules are not kept.
    """
    from conche.versions.sources import rules_named

    named = rules_named(text)
    if named is None:
        raise SaveError("this is neither a save nor a record")
    ruleset, digest = named
    try:
        image = image_of(ruleset)
        if image.engine().digest == digest:
            return image.engine()
    except CompileError:
        pass
    return _found(digest, ruleset, None if folder is None else Path(folder)).engine()


def kept_image(digest: str, ruleset: str | None = None, beside: Path | None = None) -> Image:
    """The same as an image. SourceError or CompileError when they are not kept."""
    from conche.versions.sources import by_digest

    with _lock:
        known = _images.get((digest, ruleset or ""))
    if known is None:
        version = by_digest(ruleset or f"{digest[:16]}…", ruleset or "", digest, beside)
        known = image_of_version(version, ruleset)
        with _lock:
            known = _images.setdefault((digest, ruleset or ""), known)
    return known


def image_of_version(version: Version, ruleset: str | None = None) -> Image:
    """The engine of a version, wherever it was read from."""
    from conche import pipeline, store
    from conche.codegen import build
    from conche.draw.looks_of import looks_of
    from conche.graph.from_rulebook import from_rulebook

    book = version.rulebook if ruleset is None else replace(version.rulebook, ruleset=ruleset)
    name, text = pipeline.module_name(book.ruleset), build(from_rulebook(book))
    return Image(book.ruleset, name, text, store.put_engine(name, text), looks_of(book))


def _found(digest: str, ruleset: str | None, beside: Path | None) -> Image:
    try:
        return kept_image(digest, ruleset, beside)
    except (SourceError, CompileError):
        raise RulesNotKeptError(f"the rules with the digest {digest[:16]} are not kept here") from None
