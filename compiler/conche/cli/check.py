"""`conche check`: are the rules good?"""

from __future__ import annotations

from typing import Annotated

import typer

from conche.cli.options import FormatOption, TextOrJson
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import exit_code


def command(
    rulesets: Annotated[list[str], typer.Argument(metavar="RULESET...", help="Games or rules files.")],
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Check rules for mistakes.

    Syntax, names and types, and what the action graph shows: endless loops, secrets in the open, unused
    parts.

    Exit code 0 when no errors are found, 1 when some are.
    """
    from conche.api import find
    from conche.diagnostics.model import Diagnostic, has_errors
    from conche.diagnostics.render_json import render_json
    from conche.diagnostics.render_text import render_summary
    from conche.source import Source

    found: list[Diagnostic] = []
    sources: dict[str, Source] = {}
    good: list[str] = []
    for ruleset in dict.fromkeys(rulesets):
        with waiting(f"checking {ruleset}"):
            findings = find(ruleset)
        found += findings.diagnostics
        sources.update(findings.sources)
        if not has_errors(findings.diagnostics):
            good.append(ruleset)
    if style is TextOrJson.JSON:
        put(render_json(found))
    else:
        report(found, sources)
        for ruleset in good:
            say(f"{ruleset}: good")
        if found:
            say(render_summary(found))
    return exit_code(found)
