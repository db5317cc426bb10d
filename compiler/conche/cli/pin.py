"""`conche pin`: the rules of a game, kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from conche.cli.arguments import Argument, Option
from conche.cli.output import report, say, waiting
from conche.cli.trouble import GOOD, TROUBLE


def command(
    what: Annotated[
        str, Argument(metavar="FILE", help="A record or a save; or a ruleset, also in a git revision.")
    ],
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="DIR", help="Another folder than that of FILE.")
    ] = None,
) -> int:
    """Keep the rules of a game in a file beside it.

    Writes DIGEST.kept-rules, with the text of all rules files that the game needs. `conche replay`, `diff`,
    `migrate` and `replay --triage` find it there, on any machine and whatever becomes of the rules.

    Exit code 0 when it is written, 2 when the rules are not found.
    """
    import os

    from conche.pipeline import CompileError
    from conche.resources import write_atomic
    from conche.source import SourceError
    from conche.store import sources_text
    from conche.versions.sources import pinned_path, read_version, sources_of

    try:
        with waiting(f"reading the rules of {what}"):
            version = read_version(what)
    except CompileError as error:
        report(error.diagnostics, error.sources)
        return TROUBLE
    except SourceError as error:
        report([error.diagnostic])
        return TROUBLE
    folder = out or (Path(what).parent if os.path.isfile(what) else Path())
    path = pinned_path(version.digest, folder)
    write_atomic(path, sources_text(sources_of(version)))
    say(f"wrote {path}")
    return GOOD
