"""`conche git-diff`: what git runs in place of its own comparison, see docs/git.md."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Argument
from conche.cli.output import color, put, say
from conche.cli.trouble import GOOD

if TYPE_CHECKING:
    from collections.abc import Sequence


def command(
    given: Annotated[
        list[str],
        Argument(
            metavar="PATH [OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE]",
            help="What git adds: a file, and where its two texts lie.",
        ),
    ],
) -> int:
    """Compare two texts of a rules file by what they mean, as a diff driver of git.

    git runs it, once it has been told to:

        git config diff.conche.command 'conche git-diff'

    and, in .gitattributes, `*.rules diff=conche`. All other files of the folder are taken as they lie in the
    work tree. Where one of the texts is missing or cannot be compiled, the lines are compared.

    Exit code 0, as git wants it, whatever differs; 2 when it is not called as git does.
    """
    from conche.cli.trouble import refuse

    path, *given = given
    if not given:
        say(f"* {path}: not merged")  # git's call for a path in conflict
        return GOOD
    if len(given) not in (6, 8):
        refuse(
            "C0501",
            f"git gives a path alone or with 6 or 8 more arguments, here are {len(given)} more",
            "`git config diff.conche.command 'conche git-diff'` lets git run it",
        )
    old, new = _bytes(given[0]), _bytes(given[3])
    new_path = given[6] if len(given) == 8 else path
    say(f"conche diff a/{path} b/{new_path}")
    text = None if old is None or new is None else _by_meaning(path, new_path, old, new)
    if text is None:
        text = _by_lines(path, new_path, given, old or b"", new or b"")
    put(text)
    return GOOD


def _bytes(path: str) -> bytes | None:
    """A text that git has laid down; None where there is none."""
    if _is_null(path):
        return None
    return Path(path).read_bytes()


def _by_meaning(path: str, new_path: str, old: bytes, new: bytes) -> str | None:
    """The comparison; None, after the reason was told, where it cannot be made."""
    from conche.cli.screen import has_width, width
    from conche.compare.compare_versions import compare_versions
    from conche.compare.to_text import to_text
    from conche.pipeline import CompileError
    from conche.source import SourceError
    from conche.versions.git_driver import versions_of

    if not (path.endswith(".rules") and new_path.endswith(".rules")):
        return None
    try:
        found = compare_versions(*versions_of(_top(), path, old, new, new_path)).comparison
    except CompileError as error:
        say(f"compared by lines, since one version has errors: {error.diagnostics[0].title}")
        return None
    except SourceError as error:
        say(f"compared by lines: {error.diagnostic.title}")
        return None
    fits = has_width() or bool(os.environ.get("GIT_PAGER_IN_USE"))
    return to_text(found, width=min(width(), 160) if fits else None, color=_in_color())


def _in_color() -> bool:
    """git's pager shows colours, though it is no terminal."""
    paged = bool(os.environ.get("GIT_PAGER_IN_USE")) and not os.environ.get("NO_COLOR")
    return paged or color(sys.stdout)


def _top() -> Path:
    """git runs its drivers at the top of the work tree."""
    return Path.cwd()


def _by_lines(path: str, new_path: str, given: Sequence[str], old: bytes, new: bytes) -> str:
    import difflib

    if b"\0" in old + new:
        return f"Binary files a/{path} and b/{new_path} differ\n"
    before, after = (text.decode("utf-8", "replace").splitlines(keepends=True) for text in (old, new))
    sides = ((f"a/{path}", 0), (f"b/{new_path}", 3))
    names = ["/dev/null" if _is_null(given[at]) else name for name, at in sides]
    lines = difflib.unified_diff(before, after, names[0], names[1])
    return "".join(one if one.endswith("\n") else f"{one}\n\\ No newline at end of file\n" for one in lines)


def _is_null(path: str) -> bool:
    return path in ("/dev/null", "nul", "NUL")
