"""The blanks between the words of a line.

Input: the words of a logical line. Output: for each, whether it is set against the word before it.
Invariant: two words that would be read as one, or as another sign, are never set together.
"""

from __future__ import annotations

from collections.abc import Sequence

from conche.format.lines import Line, Word

_CLOSING = frozenset({"COMMA", "COLON", "RPAR", "RSQB", "RBRACE"})
_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_TIGHT = frozenset({"DOT", "RANGE"})
_OPERAND_ENDS = frozenset(
    {"NAME", "TYPE", "INT", "STRING", "RPAR", "RSQB", "YES", "NO", "NOTHING", "RBRACE", "VERSION_NUMBER"}
)
"""What a value ends with: a minus after it takes away, and any other is a sign of what follows."""
_KINDS = frozenset((word, "TYPE") for word in ("ENUM", "PIECE", "EXTEND", "REPLACE"))
"""The lines in whose blocks kinds stand."""


def tight(line: Line) -> list[bool]:
    """For each word of a line, whether no blank stands before it."""
    words = line.words
    signs = _signs(words)
    apart = 1 if _has_values(line) else None
    out = [False]
    for index in range(1, len(words)):
        before, here = words[index - 1].kind, words[index].kind
        out.append(
            here in _CLOSING
            or before in _OPENING
            or here in _TIGHT
            or before in _TIGHT
            or (here in ("LPAR", "LSQB") and index != apart and _takes_brackets(before))
            or (index - 1 in signs and here != "MINUS")
        )
    return out


def _takes_brackets(kind: str) -> bool:
    """Whether brackets behind a word belong to it: those of a call, of parameters, of an index."""
    return kind in ("NAME", "TYPE", "RPAR", "RSQB", "STRING")


def _signs(words: Sequence[Word]) -> set[int]:
    """Where a minus is the sign of what follows."""
    found = {
        index
        for index, word in enumerate(words)
        if word.kind == "MINUS" and (index == 0 or words[index - 1].kind not in _OPERAND_ENDS)
    }
    if words[0].kind == "MODIFY":
        # `modify price(p): - 1` says what is done with the value.
        found.discard(next(index for index, word in enumerate(words) if word.kind == "COLON") + 1)
    return found


def _has_values(line: Line) -> bool:
    """Whether a line is a kind with the values of its parameters: `w1111 (1, 1, 1, 1)`."""
    kinds = [word.kind for word in line.words[:4]]
    return line.holder in _KINDS and kinds[:2] == ["NAME", "LPAR"] and kinds[2:] != ["NAME", "COLON"]
