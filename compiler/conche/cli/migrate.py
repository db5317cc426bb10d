"""`conche migrate`: the save of an engine under new rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Argument, Option
from conche.cli.options import FormatOption, TextOrJson
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE, refuse

if TYPE_CHECKING:
    from conche.compare.compare_versions import Compared
    from conche.compare.not_migrated import NotMigratedError

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


def command(
    save: Annotated[Path, Argument(metavar="SAVE", help="A save of an engine: a file with `to_json()`.")],
    ruleset: Annotated[str, Option("--to", metavar="RULESET", help="The rules to go on with.")],
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="FILE", help="A file instead of stdout.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace an existing file.")] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Take the save of an engine over to new rules.

    Compares the rules of the save with RULESET, and writes the save for an engine of RULESET, where the
    position means the same there. Else says what stands against it.

    Exit code 0 when it is written, 1 when it cannot be taken over, 2 when something cannot be read.
    """
    import errno

    from conche.compare.compare_versions import compare_versions
    from conche.compare.migrate import NotMigratedError, migrate
    from conche.diagnostics.codes import diagnose
    from conche.pipeline import CompileError
    from conche.resources import write_atomic
    from conche.source import SourceError
    from conche.versions.sources import read_version

    if out is not None and out.exists() and not force:
        raise FileExistsError(errno.EEXIST, "the file exists", str(out))
    if save.exists() and not save.is_file():
        refuse("C0542", f"'{save}' is not a plain file", "a save is a file that `state.to_json()` has made")
    text = save.read_text(encoding="utf-8", errors="replace")
    try:
        with waiting(f"comparing the rules of {save} with {ruleset}"):
            compared = compare_versions(read_version(str(save)), read_version(ruleset))
    except CompileError as error:
        report(error.diagnostics, error.sources)
        return TROUBLE
    except SourceError as error:
        report([error.diagnostic])
        return TROUBLE
    try:
        with waiting(f"taking {save} over"):
            made = migrate(text, compared)
    except NotMigratedError as error:
        if style is TextOrJson.JSON:
            put(_document(save, compared, out, None, error))
            return PROBLEMS
        help = f"`conche diff {save} {ruleset}` shows what has changed"
        report([diagnose("C0543", f"'{save}' is not taken over: {error}", notes=error.why, help=(help,))])
        return PROBLEMS
    if out is not None:
        write_atomic(out, f"{made}\n")
    if style is TextOrJson.JSON:
        put(_document(save, compared, out, made, None))
    elif out is None:
        put(f"{made}\n")
    else:
        say(f"wrote {out}")
    return GOOD


def _document(
    save: Path, compared: Compared, out: Path | None, made: str | None, error: NotMigratedError | None
) -> str:
    """The documented form: `conche migrate --format json`."""
    new = compared.new
    document = {
        "conche": SCHEMA,
        "file": str(save),
        "ruleset": new.rulebook.ruleset,
        "digest": new.digest,
        "migrated": error is None,
        "problem": None if error is None else error.title,
        "why": [] if error is None else list(error.why),
        "out": None if error is not None or out is None else str(out),
    }
    if made is not None and out is None:
        document["save"] = made
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
