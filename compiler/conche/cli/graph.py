"""`conche graph`: the action graph of a ruleset, to look at or to query."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from conche.cli.options import RulesetArgument
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, PROBLEMS


class GraphFormat(StrEnum):
    DOT = "dot"
    JSON = "json"
    GRAPHML = "graphml"


def command(
    ruleset: RulesetArgument,
    style: Annotated[GraphFormat, typer.Option("--format", help="How it is written.")] = GraphFormat.DOT,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="A file instead of stdout.")
    ] = None,
) -> int:
    """Show the action graph of a ruleset.

    Steps, choices, chance, effects, and how they hang together.

    `conche graph cacao | dot -Tsvg > cacao.svg` draws it. Rules with mistakes that the graph's own checks
    find are shown too.
    """
    from conche import pipeline
    from conche.diagnostics.model import has_errors
    from conche.graph.to_dot import to_dot
    from conche.graph.to_graphml import to_graphml
    from conche.graph.to_json import to_json
    from conche.resources import write_atomic

    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    if checked.graph is None:
        checked.must()
        return PROBLEMS
    report(checked.diagnostics, checked.sources)
    match style:
        case GraphFormat.DOT:
            text = to_dot(checked.graph)
        case GraphFormat.JSON:
            text = to_json(checked.graph)
        case GraphFormat.GRAPHML:
            text = to_graphml(checked.graph)
    if out is None:
        put(text if text.endswith("\n") else text + "\n")
    else:
        write_atomic(out, text)
        say(f"wrote {out}")
    return PROBLEMS if has_errors(checked.diagnostics) else GOOD
