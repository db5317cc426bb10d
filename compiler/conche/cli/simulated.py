"""What a simulation found, for people and as a table.

Input: a `Summary`. Output: text on stdout.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from conche.cli.options import say_players
from conche.cli.output import say
from conche.draw.words import plain, table

if TYPE_CHECKING:
    from conche.simulate import Estimate, Share, Summary
    from conche.simulate.use import RuleUse, UseSummary
    from conche_runtime.interface import Engine

_ROUTINES = ("phase", "step", "action", "trigger")


def show_text(summary: Summary, engine: Engine) -> None:
    say(summary.title)
    say_players(engine)
    say()
    head = ["", "wins %", "95 %", *map(plain, summary.scores)]
    rows = [
        [
            seat,
            f"{100 * summary.win_share[i].mean:.1f}",
            _between(summary.win_share[i]),
            *[_shown(by_seat[i]) for by_seat in summary.scores.values()],
        ]
        for i, seat in enumerate(summary.seats)
    ]
    _table(head, rows)
    if summary.sources:
        parts = [
            [plain(name), _shown(source.mean), "" if source.share is None else f"{100 * source.share:.1f}"]
            for name, source in summary.sources.items()
        ]
        _table(["points", "a player", "% of all"], parts)
    length, options, spread = summary.length, summary.options, summary.lengths
    say(f"{_shown(length)} decisions a game, {_shown(options)} options a decision")
    if spread.low < spread.high:
        say(f"games of {spread.low} to {spread.high} decisions, half of them of {spread.median} or fewer")
    say(f"{100 * summary.shared.mean:.1f} % of the games have a shared first place")
    if summary.use is not None:
        say()
        _show_use(summary.use, summary.games)
    say(f"{summary.games_per_second:.0f} games a second")


def show_csv(summary: Summary) -> None:
    """One row a seat."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    names = [f"{name}_{part}" for name in summary.scores for part in ("mean", "margin")]
    writer.writerow(["seat", "bot", "games", "win_share", "win_share_low", "win_share_high", *names])
    for i, seat in enumerate(summary.seats):
        scores = [(by_seat[i].mean, by_seat[i].margin) for by_seat in summary.scores.values()]
        wins = summary.win_share[i]
        values = [value for pair in scores for value in pair]
        writer.writerow([seat, summary.bots[i], summary.games, wins.mean, wins.low, wins.high, *values])


def _show_use(use: UseSummary, games: int) -> None:
    rows: list[list[str]] = []
    for decision in use.decisions:
        name = f"{plain(decision.name)} ({plain(decision.routine)})"
        options = "" if decision.options is None else f"{decision.options:.1f}"
        rows.append([name, _each(decision.taken, games), _each(decision.asked, games), options, ""])
        for case in decision.cases if len(decision.cases) > 1 else ():
            share = f"{100 * case.times / decision.taken:.1f}" if decision.taken else ""
            rows.append([f"  {_short(case.title)}", _each(case.times, games), "", "", share])
    if rows:
        _table(["decision", "a game", "of 2 or more", "options", "%"], rows)
    routines = [rule for rule in use.rules if rule.kind in _ROUTINES and "/" not in rule.node]
    queries = [rule for rule in use.rules if rule.kind == "query"]
    for head, found in (("rule", routines), ("query", queries)):
        if found:
            _table([head, "a game", "games %"], [_rule(rule, games) for rule in found])
    unused = use.unused
    if unused:
        say(f"never in these games ({len(unused)}):")
        for rule in unused:
            say(f"  {PurePath(rule.file).name}:{rule.line}  {_short(rule.title)}")
        say()


def _rule(rule: RuleUse, games: int) -> list[str]:
    return [_short(rule.title), _each(rule.times, games), f"{100 * rule.games / games:.1f}"]


def _each(times: int, games: int) -> str:
    return f"{times / games:.2f}"


def _short(title: str) -> str:
    clean = "".join(sign if sign.isprintable() else " " for sign in title)
    return clean if len(clean) <= 60 else f"{clean[:59]}…"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for line in table([head, *rows]):
        say(line)
    say()


def _between(share: Share) -> str:
    return f"{100 * share.low:.1f}–{100 * share.high:.1f}"


def _shown(estimate: Estimate) -> str:
    mean = f"{estimate.mean:.1f}"
    return mean if estimate.margin is None else f"{mean} ±{estimate.margin:.1f}"
