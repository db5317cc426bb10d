"""The explain pages: what each code means, with an example and how it is mended.

Purpose: `conche explain`, the help of SARIF rules.
Input: a code. Output: its page, `pages/<code>.md`, as Markdown.
Invariants: pages are package data and need nothing else. What stands in `<!-- … -->` is for the tests that
check the examples, and is left out; so is the mark of a fenced block, which becomes a word before it.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "pages"

_COMMENT = re.compile(r"^<!--.*?-->\n+", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(\w+) (wrong|right)$", re.MULTILINE)


def page_of(code: str) -> str | None:
    """The page of a code, without a title; None where there is none."""
    try:
        text = (FOLDER / f"{code}.md").read_text("utf-8")
    except OSError:
        return None
    text = _COMMENT.sub("", text).strip() + "\n"
    return _FENCE.sub(lambda fence: f"{fence[2].capitalize()}:\n\n```{fence[1]}", text)
