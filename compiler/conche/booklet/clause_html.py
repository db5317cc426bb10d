"""The text of clauses as HTML.

Input: Markdown of a clause file. Output: HTML that can be put into a page as it is.
Invariants: HTML in the text is text; there are no images and no links but those to clauses of the same page,
which `§1.4a` becomes. Whatever the text says, the HTML has no script, no style, and loads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML

CITATION = re.compile(r"§([A-Z]?\d+(?:\.\d+)*[a-z]?)")


def make_renderer(anchors: Mapping[str, str]) -> Callable[[str], str]:
    """What makes HTML of a clause's text. `anchors`: by number of a clause, where on the page it stands."""

    class Renderer(RendererHTML):
        def text(self, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
            return linked(tokens[index].content, anchors)

    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer)
    markdown.enable("table").disable(["image", "link", "autolink", "html_block", "html_inline", "reference"])

    def render(text: str) -> str:
        made = markdown.render(text)
        assert isinstance(made, str)
        return made

    return render


def linked(text: str, anchors: Mapping[str, str]) -> str:
    """Plain text as HTML in which citations lead to their clauses."""
    parts: list[str] = []
    at = 0
    for found in CITATION.finditer(text):
        anchor = anchors.get(found[1])
        parts.append(escapeHtml(text[at : found.start()]))
        cited = escapeHtml(found[0])
        parts.append(cited if anchor is None else f'<a href="#{escapeHtml(anchor)}">{cited}</a>')
        at = found.end()
    return "".join([*parts, escapeHtml(text[at:])])
