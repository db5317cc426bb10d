"""`conche diff`: what differs between two versions of the rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Argument, Option
from conche.cli.options import number
from conche.cli.output import color, put, say, settled, waiting
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE, refuse

if TYPE_CHECKING:
    from conche.compare.compare_versions import Compared
    from conche.compare.model import Comparison
    from conche.compare.witness.model import Search
    from conche.versions.version import Version

BUDGET = 10_000
"""So many positions `--witness` looks at, where nobody says how many."""


class DiffFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


def command(
    old: Annotated[
        str,
        Argument(
            metavar="OLD", help="A ruleset, folder, REVISION:RULESET, record, save or generated engine."
        ),
    ],
    new: Annotated[str, Argument(metavar="NEW", help="Another one.")],
    witness: Annotated[
        bool, Option("--witness", help="Look for a short game in which the two first differ.")
    ] = False,
    budget: Annotated[
        int, Option("--budget", metavar="N", help="With --witness: how many positions to look at.")
    ] = BUDGET,
    seed: Annotated[
        int, Option("--seed", metavar="S", help="With --witness or --balance: start of all chance.")
    ] = 0,
    out: Annotated[
        Path | None,
        Option(
            "-o",
            "--out",
            metavar="DIR",
            help="With --witness: a folder for the records and scenarios. FILE.html: a page.",
        ),
    ] = None,
    balance: Annotated[
        int | None,
        Option("--balance", metavar="N", help="Play N games of each at random, and compare figures."),
    ] = None,
    players: Annotated[
        int | None,
        Option("--players", metavar="N", help="With --balance: how many play; by default the fewest."),
    ] = None,
    style: Annotated[
        DiffFormat | None,
        Option("--format", help="How the result is written; by default text, or html as FILE ends."),
    ] = None,
) -> int:
    """Compare two versions of the rules by what they mean.

    What changed, what that can influence, and what it does to programs, saves and records. Names that
    are others, moved lines, formatting and comments are told apart from changes.

    Exit code 0 when nothing differs, 1 when something does, 2 when a version cannot be read.
    """
    from dataclasses import replace

    from conche.compare.compare_versions import compare_versions

    number(budget, "--budget", 1, 10**9)
    number(seed, "a seed", 0, (1 << 64) - 1)
    style = style or (DiffFormat.HTML if _is_page(out) else DiffFormat.TEXT)
    if _is_page(out) and style is not DiffFormat.HTML:
        refuse("C0501", f"{out} is the name of a page, and --format says {style}", "leave one of them out")
    if out is not None and not witness and style is not DiffFormat.HTML:
        refuse("C0501", "--out says where witnesses go, and none are wanted", "add --witness")
    if balance is not None:
        number(balance, "--balance", 1, 10**6)
    elif players is not None:
        refuse("C0501", "--players says how many play for --balance", "add --balance N")
    sides = _read(old, new)
    if sides is None:
        return TROUBLE
    with waiting(f"comparing {old} and {new}"):
        compared = compare_versions(*sides)
    found: Comparison = compared.comparison
    settled()
    if witness:
        from conche.compare.witness.search import search

        with waiting("looking for games in which they differ"):
            found = replace(found, witness=search(compared, budget=budget, seed=seed))
    if balance is not None:
        from conche.compare.balance import balance as figures

        table = _table(players, *sides)
        with waiting(f"playing {balance} games of each"):
            found = replace(found, balance=figures(compared, games=balance, players=table, seed=seed))
    text = _written(found, compared, style)
    if style is DiffFormat.HTML and out is not None:
        from conche.resources import write_atomic

        write_atomic(out, text)
        say(f"wrote {out}")
        return GOOD if found.same else PROBLEMS
    put(text)
    if out is not None and found.witness is not None:
        for path in _keep(found.witness, out):
            if style is DiffFormat.TEXT:
                say(f"wrote {path}")
    return GOOD if found.same else PROBLEMS


def _is_page(out: Path | None) -> bool:
    return out is not None and out.suffix.lower() in (".html", ".htm")


def _written(found: Comparison, compared: Compared, style: DiffFormat) -> str:
    import sys

    match style:
        case DiffFormat.JSON:
            from conche.compare.to_json import to_json

            return to_json(found)
        case DiffFormat.MARKDOWN:
            from conche.compare.to_markdown import to_markdown

            return to_markdown(found)
        case DiffFormat.HTML:
            from conche.compare.to_html import to_html

            return to_html(found, compared)
        case DiffFormat.TEXT:
            from conche.compare.to_text import to_text

            return to_text(found, width=_width(), color=color(sys.stdout))


def _read(old: str, new: str) -> tuple[Version, Version] | None:
    """Both versions; None where one cannot be read, which has then been said of each."""
    from conche.cli.output import report
    from conche.pipeline import CompileError
    from conche.source import SourceError
    from conche.versions.sources import read_version

    found: list[Version] = []
    for text in (old, new):
        try:
            with waiting(f"reading {text}"):
                found.append(read_version(text))
        except CompileError as error:
            report(error.diagnostics, error.sources)
        except SourceError as error:
            report([error.diagnostic])
    return (found[0], found[1]) if len(found) == 2 else None


def _table(players: int | None, old: Version, new: Version) -> int:
    """For how many both versions are."""
    low = max(old.rulebook.players[0], new.rulebook.players[0])
    high = min(old.rulebook.players[1], new.rulebook.players[1])
    if low > high:
        refuse("C0502", "the two versions are for different numbers of players")
    return low if players is None else number(players, "--players", low, high)


def _width() -> int | None:
    """How wide lines may be; None where they are left whole."""
    from conche.cli.screen import has_width, width

    return min(width(), 160) if has_width() else None


def _keep(found: Search, folder: Path) -> list[Path]:
    """Writes the witnesses; the files."""
    from conche.resources import write_atomic

    written: list[Path] = []
    for one in found.witnesses:
        texts = {"jsonl": one.record, "scenario.txt": one.scenario}
        for ending, text in texts.items():
            if text is not None:
                path = folder / f"group-{one.group}.{ending}"
                write_atomic(path, text)
                written.append(path)
    return written
