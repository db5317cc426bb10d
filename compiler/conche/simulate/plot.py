"""A simulation as a picture.

Input: a `Summary`. Output: the bytes of a PNG or SVG file: totals by seat, shares of wins, lengths, and where
points come from.
Invariants: needs matplotlib (the extra `plot`); no screen is. The same summary gives the same SVG with the
same version of matplotlib.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from typing import Any

from conche.extras import library
from conche.simulate.summary import Summary

FORMS = ("png", "svg")

_BINS = 40
"""Bars of a histogram at most."""
_SOURCES = 12
"""Scores that are shown at most."""


def ready() -> None:
    """`MissingExtraError` where matplotlib is not installed."""
    library("matplotlib", what="plotting", extra="plot")


def plot(summary: Summary, form: str) -> bytes:
    """The picture. `form`: one of `FORMS`. `MissingExtraError` where matplotlib is not installed."""
    matplotlib: Any = library("matplotlib", what="plotting", extra="plot")
    figures: Any = library("matplotlib.figure", what="plotting", extra="plot")
    with matplotlib.rc_context({"svg.hashsalt": "conche", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(11, 7.5), layout="constrained")
        figure.suptitle(_plain(summary.title), fontsize=11)
        (totals, wins), (lengths, sources) = figure.subplots(2, 2)
        _totals(totals, summary)
        _wins(wins, summary)
        _lengths(lengths, summary)
        _sources(sources, summary)
        file = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {}
        figure.savefig(file, format=form, dpi=130, metadata=metadata)
    return file.getvalue()


def bins_of(counts: Sequence[Counter[int]], most: int = _BINS) -> list[int]:
    """Where the bars of histograms of whole numbers begin, all of one width; and where the last one ends."""
    values = [value for one in counts for value in one]
    low, high = min(values), max(values)
    width = -(-(high - low + 1) // most)
    bars = -(-(high - low + 1) // width)
    return [low + width * bar for bar in range(bars + 1)]


def bars_of(counts: Counter[int], bins: Sequence[int]) -> list[int]:
    """How many fall into each bar."""
    width = bins[1] - bins[0]
    bars = [0] * (len(bins) - 1)
    for value, count in counts.items():
        bars[(value - bins[0]) // width] += count
    return bars


def _plain(text: str) -> str:
    """A text in which no sign means anything to matplotlib."""
    return text.replace("_", " ").replace("$", r"\$")


def _totals(axes: Any, summary: Summary) -> None:
    assert summary.tally is not None
    bins = bins_of(summary.tally.totals)
    for seat, counts in zip(summary.seats, summary.tally.totals, strict=True):
        shares = [100 * bar / summary.games for bar in bars_of(counts, bins)]
        axes.stairs(shares, [edge - 0.5 for edge in bins], label=_plain(seat), linewidth=1.5)
    axes.set(title="Totals", xlabel="points", ylabel="% of games")
    axes.legend()


def _wins(axes: Any, summary: Summary) -> None:
    shares = [100 * share.mean for share in summary.win_share]
    below = [100 * (share.mean - share.low) for share in summary.win_share]
    above = [100 * (share.high - share.mean) for share in summary.win_share]
    axes.bar([_plain(seat) for seat in summary.seats], shares, yerr=[below, above], capsize=5, alpha=0.8)
    axes.axhline(100 / summary.players, linestyle="--", linewidth=1, color="gray")
    axes.set(title="Wins, with 95 % intervals", ylabel="% of games", ylim=(0, None))


def _lengths(axes: Any, summary: Summary) -> None:
    assert summary.tally is not None
    bins = bins_of([summary.tally.lengths])
    shares = [100 * bar / summary.games for bar in bars_of(summary.tally.lengths, bins)]
    axes.stairs(shares, [edge - 0.5 for edge in bins], fill=True, alpha=0.8)
    axes.set(title="Length", xlabel="decisions a game", ylabel="% of games")


def _sources(axes: Any, summary: Summary) -> None:
    found = sorted(summary.sources.items(), key=lambda pair: (-abs(pair[1].mean.mean), pair[0]))[:_SOURCES]
    found.reverse()
    means = [source.mean.mean for _, source in found]
    margins = [source.mean.margin or 0.0 for _, source in found]
    axes.barh([_plain(name) for name, _ in found], means, xerr=margins, capsize=4, alpha=0.8)
    axes.set(title="Where points come from", xlabel="points of a player, mean")
