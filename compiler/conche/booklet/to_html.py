"""The printed rulebook as one HTML page.

Input: a `Booklet`. Output: the page: self-contained, without scripts, light or dark as the reader has it.
Invariants: everything that comes from rules is escaped by the template, but the text of clauses, which
`clause_html` makes safe. The same booklet gives the same bytes.
"""

from __future__ import annotations

import jinja2
from markupsafe import Markup

from conche.booklet.clause_html import make_renderer
from conche.booklet.model import Booklet
from conche.traceability.model import Entry, Key

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("conche.booklet", "templates"),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def to_html(booklet: Booklet) -> str:
    """The whole page."""
    page = _Page(booklet)
    text = ENVIRONMENT.get_template("rulebook.html.j2").render(
        booklet=booklet,
        page=page,
        kind=lambda block: type(block).__name__,
    )
    return f"{text.strip()}\n"


class _Page:
    """What the template asks for: anchors, numbers and texts of clauses."""

    def __init__(self, booklet: Booklet) -> None:
        self.booklet = booklet
        self.lines = {line.entry.key: line for line in booklet.index}
        self.ids = [key[1] for key in self.lines]
        by_part: dict[str, dict[str, str]] = {part: {} for part in booklet.parts}
        for part, anchors in by_part.items():
            for key in sorted(self.lines, key=lambda key: key[0] != part):
                anchors.setdefault(key[1], self.anchor(key))
        self.renderers = {part: make_renderer(anchors) for part, anchors in by_part.items()}

    def anchor(self, key: Key) -> str:
        """Where a clause stands: `clause-1.4a`; with the name of its part where two parts have the number."""
        part, id_ = key
        return f"clause-{id_}" if self.ids.count(id_) < 2 else f"clause-{part}-{id_}"

    def number(self, key: Key) -> str:
        part, id_ = key
        return f"§{id_}" if self.ids.count(id_) < 2 else f"§{id_} ({self.booklet.parts[part]})"

    def known(self, key: Key) -> bool:
        return key in self.lines

    def title(self, key: Key) -> str:
        return self.lines[key].entry.title if key in self.lines else ""

    def text(self, entry: Entry) -> Markup:
        """A clause's text; what is marked safe here is made by `clause_html` alone."""
        return Markup(self.renderers[entry.part](entry.text))
