"""`conche build`: from rules to a Python module."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from conche.cli.arguments import Option
from conche.cli.options import RulesetArgument
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, PROBLEMS


class Stage(StrEnum):
    AST = "ast"
    RULEBOOK = "rulebook"
    GRAPH = "graph"
    IR = "ir"
    PYTHON = "python"


def command(
    ruleset: RulesetArgument,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="DIR", help="Where the file goes; by default generated/."),
    ] = None,
    emit: Annotated[
        Stage | None, Option("--emit", help="Show this stage of the compiler instead of building.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace a file that Conche has not made.")] = False,
) -> int:
    """Build the engine of a ruleset.

    An engine is one Python module that needs only conche_runtime.

    The file is named for the ruleset, such as generated/cacao.py. With --emit, the text of a stage goes to
    stdout, or with -o to a file of its name.
    """
    from conche import pipeline
    from conche.diagnostics.model import has_errors
    from conche.resources import write_atomic

    if emit is not None:
        with waiting(f"compiling {ruleset}"):
            text, checked = pipeline.emit(ruleset, emit.value)
        report(checked.diagnostics, checked.sources)
        if out is None:
            put(text)
        else:
            written = checked.rulebook.ruleset if checked.rulebook is not None else ruleset
            ending = "py" if emit is Stage.PYTHON else f"{emit.value}.txt"
            path = out / f"{pipeline.module_name(written)}.{ending}"
            write_atomic(path, text)
            say(f"wrote {path}")
        return PROBLEMS if has_errors(checked.diagnostics) else GOOD

    with waiting(f"compiling {ruleset}"):
        built = pipeline.build(ruleset)
    report(built.checked.diagnostics, built.checked.sources)
    path = (out or Path("generated")) / f"{built.name}.py"
    if not force:
        _keep_foreign(path)
    write_atomic(path, built.text)
    say(f"built {path}")
    return GOOD


def _keep_foreign(path: Path) -> None:
    """Refuses to replace a file that is not an engine."""
    import errno

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(2000)
    except FileNotFoundError:
        return
    if head.strip() and "conche build" not in head:
        raise FileExistsError(errno.EEXIST, "not made by Conche", str(path))
