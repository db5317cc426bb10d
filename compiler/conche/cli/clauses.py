"""`conche clauses`: which rules rest on which clauses, and what reaches them."""

from __future__ import annotations

import json
import shutil
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Option
from conche.cli.options import RulesetArgument, number, seed_for
from conche.cli.output import is_terminal, put, report, settled, tell, waiting
from conche.cli.trouble import GOOD, PROBLEMS, refuse

if TYPE_CHECKING:
    from conche.traceability.model import Trace


class TableFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    CSV = "csv"


def command(
    ruleset: RulesetArgument,
    games: Annotated[
        int,
        Option("--games", metavar="N", help="Random games for each number of players; 0 for none."),
    ] = 3,
    seed: Annotated[int, Option("--seed", metavar="S", help="Start of all chance in them, 0 to 2^64-1.")] = 0,
    only: Annotated[
        str | None,
        Option("--only", metavar="PART", help="The clauses and rules of this module, or of the game."),
    ] = None,
    style: Annotated[TableFormat, Option("--format", help="How the result is written.")] = TableFormat.TEXT,
    strict: Annotated[
        bool, Option("--strict", help="Exit code 1 when a clause or a rule stands alone.")
    ] = False,
) -> int:
    """Show which rules rest on which clauses.

    Clauses without a rule and rules without a clause; which rulings are in force, and why; which scenarios
    and random games reach each rule.

    Exit code 0; with --strict 1 when there is a clause without a rule or a rule without a clause.
    """
    from conche import pipeline
    from conche.semantics.words import plural
    from conche.traceability.to_csv import to_csv
    from conche.traceability.to_json import to_json
    from conche.traceability.to_text import to_text
    from conche.traceability.trace import trace_of

    number(games, "the number of games", 0, 10**6)
    chosen = seed_for(seed)
    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    checked.must()
    report(checked.diagnostics, checked.sources)
    settled()
    with waiting("playing"):
        trace = trace_of(checked, games=games, seed=chosen)
    if only is not None:
        trace = _only(trace, only)
    match style:
        case TableFormat.TEXT:
            put(to_text(trace, _width()))
        case TableFormat.JSON:
            put(json.dumps(to_json(trace), ensure_ascii=False, indent=2) + "\n")
        case TableFormat.CSV:
            put(to_csv(trace))
    failed = sum(not scenario.passed for scenario in trace.scenarios)
    if failed:
        tell(f"{plural(failed, 'scenario')} failed; `conche test` says why")
    return PROBLEMS if strict and (trace.without_rule or trace.without_clause) else GOOD


def _only(trace: Trace, name: str) -> Trace:
    from conche.diagnostics.suggest import did_you_mean
    from conche.semantics.words import listed
    from conche.traceability.only import only_part

    parts = [part.name for part in trace.parts]
    if name not in parts:
        hint = did_you_mean(name, parts) or f"the parts are {listed(parts)}"
        refuse("C0501", f"the ruleset has no part '{name}'", hint)
    return only_part(trace, name)


def _width() -> int:
    """The columns of the terminal; 80 where nobody looks on."""
    return min(shutil.get_terminal_size().columns, 160) if is_terminal(sys.stdout) else 80
