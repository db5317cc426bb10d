"""`conche graph`: the action graph of a ruleset, to look at or to query."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from conche.cli.arguments import Option
from conche.cli.options import RulesetArgument
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, PROBLEMS, refuse

if TYPE_CHECKING:
    from conche.graph.changes import Changes
    from conche.graph.model import ActionGraph
    from conche.pipeline import Checked


class GraphFormat(StrEnum):
    DOT = "dot"
    JSON = "json"
    GRAPHML = "graphml"
    HTML = "html"
    SVG = "svg"
    TEXT = "text"


_ENDINGS = {
    **{f".{one}": one for one in GraphFormat if one != GraphFormat.TEXT},
    ".gv": GraphFormat.DOT,
    ".txt": GraphFormat.TEXT,
}
"""What the name of a file says."""


def command(
    ruleset: RulesetArgument,
    style: Annotated[
        GraphFormat | None,
        Option(
            "--format", help="How it is written; by default as FILE ends, else dot, and text with --changes."
        ),
    ] = None,
    changes: Annotated[
        bool, Option("--changes", help="Show what the modules add, change and reach.")
    ] = False,
    beside: Annotated[
        str | None,
        Option(
            "--beside", metavar="RULESET", help="With --changes: to these modules, not to the game alone."
        ),
    ] = None,
    everything: Annotated[
        bool, Option("--open", help="Of html and svg: begin with everything open.")
    ] = False,
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="FILE", help="A file instead of stdout.")
    ] = None,
) -> int:
    """Show the action graph of a ruleset.

    Steps, choices, chance, effects, and how they hang together.

    `conche graph cacao -o cacao.html` makes a page to walk about in, -o cacao.svg a picture. Both need the
    extra `conche[graph]`. `conche graph cacao | dot -Tsvg > cacao.svg` leaves the drawing to Graphviz. Rules
    with mistakes that the graph's own checks find are shown too.

    `conche graph cacao+huts --changes` lists what the huts do to the game. In a drawing (html,
    svg, dot) it is green (added), red (changed) and blue (reached). `--beside cacao+huts` tells of
    `cacao+huts+map` what the map does beside the huts.
    """
    from conche import pipeline
    from conche.diagnostics.model import has_errors
    from conche.resources import write_atomic

    if beside is not None and not changes:
        refuse("C0501", "--beside says something only with --changes")
    if style is None and out is not None:
        style = _ENDINGS.get(out.suffix.lower()) or _refused(out)
    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    if checked.graph is None:
        checked.must()
        return PROBLEMS
    report(checked.diagnostics, checked.sources)
    done = _changes(ruleset, checked.graph, beside) if changes else None
    if style is None:
        style = GraphFormat.DOT if done is None else GraphFormat.TEXT
    with waiting(f"drawing {ruleset}"):
        text = _written(checked, checked.graph, style, done, everything)
    if out is None:
        put(text if text.endswith("\n") else text + "\n")
    else:
        write_atomic(out, text)
        say(f"wrote {out}")
    return PROBLEMS if has_errors(checked.diagnostics) else GOOD


def _refused(out: Path) -> NoReturn:
    """For a file whose name says no format."""
    endings = [f"*{ending}" for ending in _ENDINGS]
    many = ", ".join(endings[:-1])
    refuse(
        "C0501",
        f"a graph is written as {many} or {endings[-1]}, not as '{out}'",
        "choose one of these, or say how it is to be written with `--format`",
        "for a picture in another format, Graphviz draws it: `conche graph RULESET | dot -Tpng > FILE.png`",
    )


def _written(
    checked: Checked, graph: ActionGraph, style: GraphFormat, changes: Changes | None, everything: bool
) -> str:
    marks = changes.marks if changes else None
    match style:
        case GraphFormat.DOT:
            from conche.graph.to_dot import to_dot

            return to_dot(graph, marks=marks)
        case GraphFormat.JSON:
            from conche.graph.to_json import to_json

            return to_json(graph, changes)
        case GraphFormat.GRAPHML:
            from conche.graph.to_graphml import to_graphml

            return to_graphml(graph, marks)
        case GraphFormat.HTML:
            from conche.graphpage.to_html import to_html

            return to_html(checked, marks=marks, everything=everything)
        case GraphFormat.SVG:
            from conche.graphpage.to_svg import to_svg

            return to_svg(graph, marks=marks, everything=everything)
        case GraphFormat.TEXT:
            from conche.graph.changes_to_text import changes_to_text
            from conche.graph.dump import dump

            return dump(graph) if changes is None else changes_to_text(graph, changes)


def _changes(ruleset: str, graph: ActionGraph, beside: str | None) -> Changes:
    """What the modules of a ruleset do to its game with the same options, or to that with some of them."""
    from conche import pipeline
    from conche.graph.changes import changes_between
    from conche.modules.load import load
    from conche.modules.parse_ruleset import parse_ruleset
    from conche.semantics.rulebook import Option

    parsed, _ = parse_ruleset(ruleset)
    if parsed is None or not parsed.modules:
        refuse("C0501", "--changes shows what modules do, and none is named", "write `GAME+MODULE`")
    given, _ = parse_ruleset(parsed.game.name if beside is None else beside)
    modules = {module.name: module for module in load(ruleset).modules}
    there = {} if given is None else {module.name: module for module in load(str(given)).modules}
    more = [module for name, module in modules.items() if name not in there]
    fewer = bool(more) and all(modules.get(name) == one for name, one in there.items())
    if given is None or (beside is not None and not (fewer and given.game.name == parsed.game.name)):
        refuse("C0501", f"'{beside}' is not this ruleset with fewer modules", "name some of its modules")
    declared = {own.node.name for module in more for own in module.own if isinstance(own.node, Option)}
    options = graph.rulebook.options
    chosen = [f"{key}={option.value}" for key, option in options.items() if key not in declared]
    bare = "+".join(part.name for part in given.parts)
    checked = pipeline.check(":".join([bare, *([",".join(chosen)] if chosen else [])]))
    base = checked.graph or checked.must()
    settled = {key: option.value for key, option in options.items()}
    done = [
        change
        for module in more
        for change in module.changes
        if change.condition.holds(frozenset(modules), settled)
    ]
    return changes_between(base, graph, done)
