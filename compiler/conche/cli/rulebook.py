"""`conche rulebook`: prints the rulebook of one combination."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from conche.cli.arguments import Option
from conche.cli.options import RulesetArgument
from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, refuse

ENDINGS = (".md", ".html")


def command(
    ruleset: RulesetArgument,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="FILE", help="A file, *.md or *.html, instead of stdout."),
    ] = None,
    brief: Annotated[
        bool, Option("--brief", help="The clauses and tables alone, without the rules' own text.")
    ] = False,
) -> int:
    """Print one rulebook for just this combination.

    Components, set-up, the course of play with what modules change where it happens, scoring, rulings: the
    text of the clauses, with the rules themselves beside it.

    Without -o it is Markdown, on stdout. With --brief it is what players need at the table.
    """
    from conche import pipeline
    from conche.booklet.from_checked import booklet_of
    from conche.booklet.to_html import to_html
    from conche.booklet.to_markdown import to_markdown
    from conche.resources import write_atomic

    ending = ".md" if out is None else out.suffix.lower()
    if ending not in ENDINGS:
        refuse("C0501", f"a rulebook is written as *.md or *.html, not as '{out}'", "choose one of these")
    with waiting(f"printing {ruleset}"):
        checked = pipeline.check(ruleset)
        checked.must()
        booklet = booklet_of(checked, brief=brief)
        text = to_html(booklet) if ending == ".html" else to_markdown(booklet)
    report(checked.diagnostics, checked.sources)
    if out is None:
        put(text)
    else:
        write_atomic(out, text)
        say(f"wrote {out}")
    return GOOD
