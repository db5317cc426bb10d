"""The rules that a recorded or saved game is played by: those it began with.

Purpose: games stay pinned to their rules. Input: what a record or save names, and what the user asks for.
Output: the image of the rules, and a note where these are not what the files say now.
Invariants: rules that are not those of the game are taken only where the user asks for it.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from conche.cli.output import tell, waiting
from conche.cli.trouble import refuse

if TYPE_CHECKING:
    from conche.api import Image


def named_rules(text: str) -> Image:
    """The rules that the user names: a ruleset, also in a git revision, or a record or save."""
    import os

    from conche.api import image_of
    from conche.kept import image_of_version
    from conche.versions.sources import is_revision, read_version

    with waiting(f"compiling {text}"):
        if is_revision(text) or (os.path.isfile(text) and not text.endswith(".rules")):
            return image_of_version(read_version(text))
        return image_of(text)


def own_rules(file: str, ruleset: str, digest: str, again: str, as_now: bool = False) -> tuple[Image, str]:
    """The rules of a game in `file`, and a note where they have changed since. again: the command with the
    rules left out, where they would stand."""
    from conche.api import image_of
    from conche.pipeline import CompileError

    now: Image | None = None
    trouble: CompileError | None = None
    try:
        with waiting(f"compiling {ruleset}"):
            now = image_of(ruleset)
    except CompileError as error:
        trouble = error
    if now is not None and (as_now or not digest or now.engine().digest == digest):
        return now, ""
    if not as_now and digest:
        image = _kept(file, ruleset, digest)
        if image is not None:
            changed, more = "cannot be read now", ""
            if now is not None:
                changed, more = "have changed since", "; --as-now plays it by the present ones"
            return image, _said(ruleset, changed) + more
    if now is not None:
        refuse(
            "C0541",
            f"the rules of '{ruleset}' have changed since '{file}' was begun, and are not kept as they were",
            f"name a git revision that has them: `{again} REVISION:{shlex.quote(ruleset)}`",
            "--as-now plays it by the rules as they are now",
        )
    assert trouble is not None
    if not any(one.main for one in trouble.diagnostics):
        refuse(
            "C0501",
            f"the record names the rules '{ruleset}', and they are not found from here",
            f"give the rules as the second argument: `{again} RULES`",
        )
    raise trouble


def kept_rules(file: str, ruleset: str, digest: str, changed: str) -> Image | None:
    """The rules of a game as they are kept, which is said; None where they are not. changed: what has become
    of those that the game names."""
    image = _kept(file, ruleset, digest)
    if image is not None:
        tell(_said(ruleset, changed))
    return image


def _kept(file: str, ruleset: str, digest: str) -> Image | None:
    from conche.kept import kept_image
    from conche.pipeline import CompileError
    from conche.source import SourceError

    try:
        with waiting(f"compiling {ruleset} as it was"):
            return kept_image(digest, ruleset, Path(file).parent)
    except (SourceError, CompileError):
        return None


def _said(ruleset: str, changed: str) -> str:
    return f"the rules of '{ruleset}' {changed}: played by those it began with"
