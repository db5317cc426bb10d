"""Scanning: what can be said of a declaration's characters before any grammar is asked.

Input: the text of a declaration. Output: the problems of its characters, texts, numbers, names and brackets.
Invariants: linear in the text, no recursion; afterwards every bracket is matched and every token is one that
the grammar knows, or there is a problem that says otherwise. At most one problem for a stretch of text.
"""

from __future__ import annotations

import re
import unicodedata

from conche.syntax.explain.words import snake_case
from conche.syntax.problems import Edit, Mark, Problem

MAX_BRACKETS = 200
"""How deep brackets may nest."""

MAX_DIGITS = 18
"""How many digits a number may have; what it may be is checked with its type."""

TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<string>"[^"\n]*")
    | (?P<unclosed>"[^"\n]*)
    | (?P<cite>§[\w.]*)
    | (?P<name>[a-z][a-z0-9_]*(?!\w)|[A-Z][A-Za-z0-9]*(?!\w))
    | (?P<number>[0-9]+(?:\.[0-9]+)*(?:\.x)?(?!\w))
    | (?P<word>[^\W0-9][\w]*)
    | (?P<numberlike>[0-9][\w]*(?:\.[0-9][\w]*)*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<blank>[ \t\r]+)
    | (?P<newline>\n)
    | (?P<foreign>//|--(?=\s|--|$)|/\*[^\n]*|\^|\*/|&&?|\|\|?|===?|!==|=>|=<|<>|:=|\+=|-=|\*=|\+\+|\*\*|->
        |\.\.\.|!(?!=)|;|%|'[^'\n]*'?|[“„«][^“”„«»"\n]*[”“»])
    | (?P<sign>!=|<=|>=|\.\.|[=<>+\-*/:,.])
    | (?P<other>\x00+|.)
    """,
    re.VERBOSE | re.DOTALL,
)

_CITE = re.compile(r"§[A-Z]?[0-9]+(\.[0-9]+)*[a-z]?")

_CLOSES = {"(": ")", "[": "]", "{": "}"}

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Characters that do not show, or that change the order in which others show."""

_INSTEAD = {
    "==": "=",
    "===": "=",
    "!==": "!=",
    "<>": "!=",
    "=>": ">=",
    "=<": "<=",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "%": "mod",
    "//": "#",
    "--": "#",
    "...": "..",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "..",
    "∧": "and",
    "∨": "or",
    "¬": "not",
    "\N{NO-BREAK SPACE}": " ",
}
"""Signs of other languages, and of typesetting, with what is written here."""

_HINTS = {
    "/*": "a comment begins with `#` and ends with the line",
    "*/": "a comment begins with `#` and ends with the line",
    "//": "a comment begins with `#`",
    "--": "a comment begins with `#`; `- -1` needs the blank",
    ":=": "a variable is changed with `set x to …`",
    "+=": "a variable is changed with `set x to x + …`",
    "-=": "a variable is changed with `set x to x - …`",
    "*=": "a variable is changed with `set x to x * …`",
    "++": "a variable is changed with `set x to x + 1`",
    "^": "there is no power; write the product",
    "**": "there is no power; write the product",
    "->": "what happens stands in a block below, or behind `:`",
    ";": "each statement has a line of its own",
}


def scan(text: str) -> list[Problem]:
    """The problems of the characters of a declaration, in order."""
    problems: list[Problem] = []
    brackets: list[tuple[int, str]] = []
    unbalanced = False
    for match in TOKEN.finditer(text):
        kind, found, start, end = match.lastgroup, match.group(), match.start(), match.end()
        problem: Problem | None = None
        match kind:
            case "name" | "blank" | "newline" | "sign":
                continue
            case "number":
                problem = _number(found, start, end)
            case "comment" | "string":
                problem = _hidden(found, start, kind)
            case "unclosed":
                problem = _unclosed_text(text, start, end)
            case "cite":
                problem = _cite(found, start, end)
            case "word":
                problem = _word(found, start, end)
            case "numberlike":
                problem = _numberlike(found, start, end)
            case "open":
                brackets.append((start, found))
                if len(brackets) == MAX_BRACKETS + 1:
                    problem = Problem(
                        "C0109",
                        f"brackets nest deeper than {MAX_BRACKETS}",
                        (Mark(start, end, "one too deep"),),
                        help=("name parts of it with `let`, or by a `query` of their own",),
                    )
            case "close":
                if brackets and _CLOSES[brackets[-1][1]] == found:
                    brackets.pop()
                else:
                    unbalanced = True
            case "foreign":
                problem = _foreign(text, found, start, end)
            case _:
                problem = _character(found[0], start, end)
        if problem is not None:
            problems.append(problem)
    if brackets or unbalanced:
        problems += _unbalanced(text)
        problems.sort(key=lambda problem: problem.start)
    return problems


def comments(text: str) -> list[tuple[int, int]]:
    """Where the comments of a whole file are."""
    return [match.span() for match in re.finditer(r'"[^"\n]*"?|(#[^\n]*)', text) if match.group(1)]


def _number(found: str, start: int, end: int) -> Problem | None:
    if max(len(part) for part in found.split(".")) <= MAX_DIGITS:
        return None
    return Problem(
        "C0110",
        f"a number has more than {MAX_DIGITS} digits",
        (Mark(start, end, f"{len(found)} digits"),),
    )


def _hidden(found: str, start: int, kind: str) -> Problem | None:
    match = _CONTROL.search(found)
    if match is None:
        return None
    at = start + match.start()
    where = "a comment" if kind == "comment" else "a text"
    return Problem(
        "C0129",
        f"{where} holds a character that does not show",
        (Mark(at, at + 1, _called(match.group())),),
        edits=(Edit(at, at + 1, "", "take the character out"),),
    )


def _unclosed_text(text: str, start: int, end: int) -> Problem:
    return Problem(
        "C0103",
        'a text is not closed: `"` is missing before the end of the line',
        (
            Mark(start, start + 1, "the text begins here"),
            Mark(end, end, "and must end by here", primary=False),
        ),
    )


def _cite(found: str, start: int, end: int) -> Problem | None:
    if _CITE.fullmatch(found):
        return None
    return Problem(
        "C0113",
        f"`{found}` is no citation",
        (Mark(start, end, "expected the number of a clause"),),
        notes=(
            "a citation is `§` and the number of a clause, such as `§1.4a`, or of a ruling, such as `§A5`",
        ),
    )


def _word(found: str, start: int, end: int) -> Problem:
    odd = next((i for i, letter in enumerate(found) if not letter.isascii()), None)
    better = snake_case(found)
    edits = (Edit(start, end, better, f"write `{better}`"),) if better and better != found else ()
    if odd is not None:
        return Problem(
            "C0111",
            f"`{found}` is no name: `{found[odd]}` is not one of the letters a to z",
            (Mark(start + odd, start + odd + 1, _called(found[odd])),),
            notes=(
                "names have small letters from a to z, digits and `_`; a `written` text may have any letter",
            ),
            edits=edits,
        )
    return Problem(
        "C0111",
        f"`{found}` is no name",
        (Mark(start, end, "small letters, digits and `_` make a name"),),
        notes=("names are written `like_this`, and types `LikeThis`",),
        edits=edits,
    )


def _numberlike(found: str, start: int, end: int) -> Problem:
    match = re.match(r"[0-9]+(?:\.[0-9]+)*", found)
    digits = match.group() if match else found
    rest = found[len(digits) :]
    if re.fullmatch(r"[a-z][a-z0-9_]*", rest) and digits != "0":
        middle = start + len(digits)
        return Problem(
            "C0112",
            f"`{found}` is neither a number nor a name",
            (Mark(start, end, "a name begins with a letter"),),
            edits=(Edit(middle, middle, " ", f"write `{digits} {rest}`, if that is a number and a name"),),
        )
    return Problem(
        "C0112",
        f"`{found}` is neither a number nor a name",
        (Mark(start, end, "numbers are whole and have digits alone"),),
    )


def _foreign(text: str, found: str, start: int, end: int) -> Problem:
    if found[0] in "“„«":
        return Problem(
            "C0102",
            'a text stands between straight quotation marks, `"` and `"`',
            (Mark(start, end, "these quotation marks are not straight"),),
            edits=(Edit(start, end, f'"{found[1:-1]}"', f'write `"{found[1:-1]}"`'),),
        )
    if found.startswith("'t") and text[:start].endswith("can"):
        return Problem(
            "C0102",
            "`can't` is written `cannot`",
            (Mark(start - 3, start + 2, "expected `cannot`"),),
            edits=(Edit(start - 3, start + 2, "cannot", "write `cannot`"),),
        )
    if found.startswith("'"):
        inner = found.strip("'")
        edits = (
            (Edit(start, end, f'"{inner}"', f'write `"{inner}"`'),) if found.endswith("'") and inner else ()
        )
        return Problem(
            "C0102",
            'a text stands between `"` and `"`',
            (Mark(start, end, "`'` is not a sign of the language"),),
            edits=edits,
        )
    if found in {"//", "--"} and "\n" in text[start:]:
        end = text.index("\n", start)
    if found.startswith("/*"):
        found = "/*"
    better = _INSTEAD.get(found)
    edits = ()
    if better is not None:
        left = " " if better.isalpha() and text[start - 1 : start].isalnum() else ""
        right = " " if better.isalpha() and text[end : end + 1].isalnum() else ""
        edits = (Edit(start, start + len(found), left + better + right, f"write `{better}`"),)
    hint = _HINTS.get(found)
    return Problem(
        "C0102",
        f"`{found}` is not a sign of the language",
        (Mark(start, end, f"expected `{better}`" if better else "not known here"),),
        help=(hint,) if hint else (),
        edits=edits,
    )


def _character(found: str, start: int, end: int) -> Problem:
    if found in "“”„«»‟":
        return Problem(
            "C0102",
            'a text stands between straight quotation marks, `"` and `"`',
            (Mark(start, end, _called(found)),),
            edits=(Edit(start, end, '"', 'write `"`'),),
        )
    better = _INSTEAD.get(found)
    if better is not None:
        shown = "a plain blank" if better == " " else f"`{better}`"
        return Problem(
            "C0102",
            f"{_called(found)} is not a sign of the language",
            (Mark(start, end, f"expected {shown}"),),
            edits=(Edit(start, end, better, f"write {shown}"),),
        )
    return Problem("C0101", f"{_called(found)} has no meaning here", (Mark(start, end, "unknown character"),))


def _called(character: str) -> str:
    """The character and its name, for one that may not show or look like another."""
    name = unicodedata.name(character, "").lower()
    code = f"U+{ord(character):04X}"
    if character.isascii() and character.isprintable():
        return f"`{character}`"
    shown = f"`{character}` " if character.isprintable() and not character.isspace() else ""
    return f"{shown}({name}, {code})" if name else f"{shown}{code}"


def _unbalanced(text: str) -> list[Problem]:
    """Which brackets do not match. A line that is not indented deeper ends what an earlier line left open."""
    problems: list[Problem] = []
    opened: list[tuple[int, str, int]] = []
    indent = line_start = 0
    first_on_line = True
    for match in TOKEN.finditer(text):
        kind, found, start = match.lastgroup, match.group(), match.start()
        if kind == "newline":
            line_start, first_on_line = match.end(), True
            continue
        if kind in ("blank", "comment"):
            continue
        if first_on_line:
            first_on_line = False
            indent = start - line_start
            if opened and indent <= opened[0][2] and kind != "close":
                problems.append(_unclosed(opened[-1]))
                opened.clear()
        if kind == "open":
            opened.append((start, found, indent))
        elif kind == "close":
            problem = _close(text, match.end(), found, opened)
            if problem is not None:
                problems.append(problem)
    if opened:
        problems.append(_unclosed(opened[-1]))
    return problems


def _close(text: str, end: int, found: str, opened: list[tuple[int, str, int]]) -> Problem | None:
    """Takes the bracket that `found` closes from those that are open; says which one is wrong, if one is."""
    if opened and _CLOSES[opened[-1][1]] == found:
        opened.pop()
        return None
    start = end - 1
    matching = next((i for i in reversed(range(len(opened))) if _CLOSES[opened[i][1]] == found), None)
    if matching is not None:
        # One of those inside it was not closed.
        inner = opened[-1]
        del opened[matching:]
        return _unclosed(inner)
    if opened and _next_unmatched(text, end) != _CLOSES[opened[-1][1]]:
        return _wrong_close(found, start, opened.pop())
    return Problem(
        "C0104",
        f"`{found}` closes no bracket",
        (Mark(start, end, "no such bracket is open here"),),
        edits=(Edit(start, end, "", f"take `{found}` out"),),
    )


def _next_unmatched(text: str, start: int) -> str | None:
    """The first bracket of the line's rest that closes none of that rest."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        if match.lastgroup == "newline":
            return None
        if match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close":
            if depth == 0:
                return match.group()
            depth -= 1
    return None


def _unclosed(opened: tuple[int, str, int]) -> Problem:
    at, bracket, _ = opened
    return Problem(
        "C0105",
        f"`{bracket}` is never closed",
        (Mark(at, at + 1, f"`{_CLOSES[bracket]}` is missing for this"),),
    )


def _wrong_close(found: str, start: int, opened: tuple[int, str, int]) -> Problem:
    at, bracket, _ = opened
    right = _CLOSES[bracket]
    return Problem(
        "C0104",
        f"`{found}` cannot close `{bracket}`",
        (
            Mark(start, start + 1, f"expected `{right}`"),
            Mark(at, at + 1, "to close this", primary=False),
        ),
        edits=(Edit(start, start + 1, right, f"write `{right}`"),),
    )
