"""The formatter: one way to lay out a rules file.

    lines.py      the text as logical lines, with the comments between and behind them
    spacing.py    the words of a line with the blanks that belong between them
    rows.py       a logical line as rows: continued, broken where too long, with its citations
    blanks.py     what stands between two lines: blank lines and comments
    to_text.py    all of it as a file's text

Input: a `Source` that the parser reads without a finding. Output: its text, laid out.
Invariants: no word, sign or comment is added, lost or moved past another, so the rules mean what they meant;
formatting a formatted text changes nothing. Where the author broke a line, or set single-line declarations
together, that stays.
"""

from conche.format.to_text import format_source

__all__ = ["format_source"]
