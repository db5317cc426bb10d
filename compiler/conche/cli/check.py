"""`conche check`: are the rules good?"""

from __future__ import annotations

from typing import Annotated

import typer

from conche.cli.options import FormatOption, TextOrJson
from conche.cli.output import put, report, say
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE


def command(
    rulesets: Annotated[list[str], typer.Argument(metavar="RULESET...", help="Games or rules files.")],
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Check rules: syntax, names, types and what the action graph shows.

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
    if not has_errors(found):
        return GOOD
    return TROUBLE if all(one.code.startswith("C00") for one in found) else PROBLEMS
