"""A comparison as Markdown, for a pull request.

Input: a `Comparison`. Output: text. Invariants: nothing of a rules file becomes markup; long parts are
folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conche.compare.balance import Balance
from conche.compare.model import WORDS, Change, Comparison, Kind
from conche.compare.to_words import (
    balance_title,
    figure,
    many_groups,
    move_texts,
    searched,
    share,
    summary,
    witness_title,
)


def to_markdown(comparison: Comparison) -> str:
    return "\n".join(_lines(comparison)) + "\n"


def _lines(found: Comparison) -> Iterable[str]:
    yield f"## Rules: {_code(found.old.label)} → {_code(found.new.label)}"
    yield ""
    yield f"{_plain(summary(found))}."
    if found.changes:
        yield ""
        yield "| interface | saves | records | proposed version |"
        yield "|---|---|---|---|"
        verdicts = found.verdicts
        yield f"| {verdicts.interface} | {verdicts.saves} | {verdicts.records} | {found.proposed} |"
    for kind in Kind:
        changes = [change for change in found.changes if change.kind is kind]
        if changes:
            yield ""
            yield f"### {WORDS[kind].capitalize()}"
            for change in changes:
                yield from _change(change, many_groups(found) and kind is not Kind.CLAUSE)
    if found.witness is not None:
        yield ""
        yield from _witnesses(found)
    if found.balance is not None:
        yield ""
        yield from _balance(found.balance)


def _change(change: Change, grouped: bool) -> Iterable[str]:
    yield ""
    group = f" (group {change.group})" if grouped else ""
    yield f"**{change.id}** {_plain(change.what)}{group}"
    yield ""
    yield from _fenced(
        "diff",
        [
            *[f"-{line}" for line in _split(change.old.text if change.old else None)],
            *[f"+{line}" for line in _split(change.new.text if change.new else None)],
        ],
    )
    cites = dict.fromkeys(cite for text in (change.old, change.new) if text for cite in text.cites)
    said = []
    if cites:
        said.append(", ".join(f"§{cite}" for cite in cites))
    if change.reach.direct:
        said.append(f"reaches {', '.join(map(_code, change.reach.direct))}")
    said += [
        f"module {_code(risk.module)} {'breaks at' if risk.breaks else 'refines'} {_code(risk.place)}"
        + (f": {_plain(risk.why)}" if risk.why else "")
        for risk in change.at_risk
    ]
    if said:
        yield ""
        yield "; ".join(said)


def _balance(found: Balance) -> Iterable[str]:
    yield "### Balance"
    yield ""
    yield f"{_plain(balance_title(found))}."
    yield ""
    yield "| | old | new | change |"
    yield "|---|---|---|---|"
    for row in found.rows:
        what = row.what if row.seat is None else f"{row.what}, {found.seats[row.seat]}"
        yield f"| {_plain(what)} | {figure(row.old)} | {figure(row.new)} | {figure(row.change)} |"
    for use in found.uses:
        yield f"| use of {use.change} | {share(use.old)} | {share(use.new)} | |"


def _witnesses(found: Comparison) -> Iterable[str]:
    assert found.witness is not None
    yield "### Witnesses"
    for witness in found.witness.witnesses:
        yield ""
        yield "<details>"
        yield f"<summary>{_plain(witness_title(witness, found))}</summary>"
        yield ""
        yield from _fenced(
            "",
            [
                *move_texts(witness),
                *[f"old: {line}" for line in witness.old],
                *[f"new: {line}" for line in witness.new],
            ],
        )
        if witness.scenario is not None:
            yield ""
            yield from _fenced("", witness.scenario.rstrip("\n").split("\n"))
        else:
            yield ""
            yield f"No scenario: {_plain(witness.no_scenario)}."
        yield ""
        yield "</details>"
    yield ""
    yield f"{_plain(searched(found.witness, found))}."


def _split(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")


def _fenced(language: str, lines: list[str]) -> Iterable[str]:
    if not lines:
        return
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{language}"
    yield from lines
    yield fence


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _plain(text: str) -> str:
    """A sentence without markup of its own."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
