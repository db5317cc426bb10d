"""A comparison as one HTML page.

Input: a `Comparison`, and the `Compared` that it comes from, for the graph. Output: the page, ending in a
line end: changes as in the terminal, the graph of the new version, the games that show a difference.
Invariants: the page loads nothing and forbids itself to; everything that comes from rules is escaped by the
template and has no control characters, and the picture is made safe by `to_svg`. The same comparison gives
the same bytes. Without igraph the page says that the graph is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

import jinja2
from markupsafe import Markup

from conche.compare.columns import clean
from conche.compare.compare_versions import Compared
from conche.compare.marks import marks
from conche.compare.model import WORDS, Change, Comparison, Kind, Reach, Verdicts
from conche.compare.to_words import balance_title, figure, move_texts, searched, share, summary, witness_title
from conche.extras import MissingExtraError
from conche.graphpage.to_svg import style, to_svg

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("conche.compare", "templates"),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the old text and one of the new, None where a side has none there."""

    old: str | None
    new: str | None

    @property
    def same(self) -> bool:
        return self.old == self.new


def to_html(comparison: Comparison, compared: Compared) -> str:
    """The whole page."""
    picture, missing = _picture(compared) if comparison.changes else (None, None)
    text = ENVIRONMENT.get_template("diff.html.j2").render(
        found=comparison,
        classes=[(kind, WORDS[kind], list(_of(comparison, kind))) for kind in Kind],
        picture=picture,
        missing=missing,
        style=style(),
        script=_script(),
        rows=rows,
        places=_places,
        verdicts=_verdicts,
        reached=_reached,
        clauses=lambda change: _clauses(change, comparison.clauses),
        summary=summary,
        witness_title=witness_title,
        move_texts=move_texts,
        searched=searched,
        balance_title=balance_title,
        figure=figure,
        share=share,
    )
    return f"{text.strip()}\n"


def rows(change: Change) -> list[Row]:
    """Both texts line by line, equal lines side by side."""
    ours, theirs = ([] if side is None else side.text.split("\n") for side in (change.old, change.new))
    found: list[Row] = []
    for _, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        found += [Row(old, new) for old, new in zip_longest(ours[a:b], theirs[c:d])]
    return found


def _of(comparison: Comparison, kind: Kind) -> Iterator[Change]:
    return (change for change in comparison.changes if change.kind is kind)


def _places(change: Change) -> str:
    sides = (change.old, change.new)
    return " → ".join(dict.fromkeys(f"{text.file}:{text.line}" for text in sides if text and text.file))


def _verdicts(verdicts: Verdicts) -> list[tuple[str, str, tuple[str, ...]]]:
    """About what, the verdict, and the reasons for it."""
    return [
        (about, verdict.value, verdicts.reasons.get(about, ()))
        for about, verdict in (
            ("interface", verdicts.interface),
            ("saves", verdicts.saves),
            ("records", verdicts.records),
        )
    ]


def _reached(reach: Reach) -> list[tuple[str, tuple[str, ...]]]:
    """What a change reaches in all, by sort; without the sorts of which it reaches nothing."""
    sorts = (
        ("steps", reach.steps),
        ("decisions", reach.decisions),
        ("queries", reach.queries),
        ("scores", reach.scores),
    )
    return [(word, names) for word, names in sorts if names]


def _clauses(change: Change, titles: Mapping[str, str]) -> list[str]:
    cites = dict.fromkeys(cite for text in (change.old, change.new) if text for cite in text.cites)
    return [f"§{cite} {titles.get(cite, '')}".strip() for cite in cites]


def _picture(compared: Compared) -> tuple[Markup | None, str | None]:
    """The drawing of the new version, or why there is none."""
    try:
        return Markup(to_svg(compared.new.graph, marks=marks(compared), everything=True)), None
    except MissingExtraError as error:
        return None, f"{error}; {error.help}"


def _script() -> Markup:
    """Our own script."""
    assert ENVIRONMENT.loader is not None
    return Markup(ENVIRONMENT.loader.get_source(ENVIRONMENT, "diff.js")[0].strip())


def _shown(value: Any) -> str:
    """A value as one line without control characters."""
    return clean(str(value))


ENVIRONMENT.filters["shown"] = _shown
