"""Scanning: what can be said of a declaration's characters before any grammar is asked.

Input: the text of a declaration. Output: the problems of its characters, texts, numbers, names and brackets.
Invariants: linear in the text, no recursion; afterwards every bracket is matched and every token is one that
the grammar knows, or there is a problem that says otherwise. At most one problem for a stretch of text.
"""

from __future__ import annotations

import re
import unicodedata

from conche.syntax.brackets import unbalanced
from conche.syntax.explain.words import shown, snake_case
from conche.syntax.problems import Edit, Mark, Problem
from conche.syntax.tokens import CLOSES, TOKEN

MAX_BRACKETS = 200
"""How deep brackets may nest."""

MAX_PROBLEMS = 10
"""How many problems of one declaration are reported before giving up on it."""

MAX_DIGITS = 18
"""How many digits a number may have; what it may be is checked with its type."""

_CITE = re.compile(r"§[A-Z]?[0-9]+(\.[0-9]+)*[a-z]?")

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
    """The problems of the characters of a declaration, in order, the first `MAX_PROBLEMS` of them."""
    problems: list[Problem] = []
    brackets: list[str] = []
    matched = True
    for match in TOKEN.finditer(text):
        kind, found = match.lastgroup, match.group()
        if kind == "open":
            brackets.append(CLOSES[found])
            if len(brackets) > MAX_BRACKETS:
                return [_too_deep(*match.span())]
        elif kind == "close":
            matched = matched and bool(brackets) and brackets.pop() == found
        elif kind not in ("name", "blank", "newline", "sign"):
            problem = _problem(text, match)
            if problem is not None:
                problems.append(problem)
                if len(problems) == MAX_PROBLEMS:
                    return problems
    if brackets or not matched:
        # One of a line: a second bracket that does not match mostly comes of the first mistake there.
        lines = {_line(text, problem) for problem in problems}
        for problem in unbalanced(text, MAX_PROBLEMS):
            if _line(text, problem) not in lines:
                lines.add(_line(text, problem))
                problems.append(problem)
        problems.sort(key=lambda problem: problem.start)
    return problems


def _line(text: str, problem: Problem) -> int:
    """Where the line of a problem begins."""
    return text.rfind("\n", 0, problem.start) + 1


def _problem(text: str, match: re.Match[str]) -> Problem | None:
    """What is wrong with a stretch of text, if anything is."""
    found, start, end = match.group(), match.start(), match.end()
    match match.lastgroup:
        case "number":
            return _number(found, start, end)
        case "comment" | "string":
            return _hidden(found, start, match.lastgroup)
        case "unclosed":
            return _unclosed_text(start, end)
        case "cite":
            return _cite(found, start, end)
        case "word":
            return _word(found, start, end)
        case "numberlike":
            return _numberlike(found, start, end)
        case "foreign":
            return _foreign(text, found, start, end)
        case _:
            return _character(found[0], start, end)


def _too_deep(start: int, end: int) -> Problem:
    return Problem(
        "C0109",
        f"brackets nest deeper than {MAX_BRACKETS}",
        (Mark(start, end, "one too deep"),),
        help=("name parts of it with `let`, or by a `query` of their own",),
    )


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


def _unclosed_text(start: int, end: int) -> Problem:
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
        f"`{shown(found)}` is no citation",
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
            f"`{shown(found)}` is no name: `{found[odd]}` is not one of the letters a to z",
            (Mark(start + odd, start + odd + 1, _called(found[odd])),),
            notes=(
                "names have small letters from a to z, digits and `_`; a `written` text may have any letter",
            ),
            edits=edits,
        )
    return Problem(
        "C0111",
        f"`{shown(found)}` is no name",
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
            f"`{shown(found)}` is neither a number nor a name",
            (Mark(start, end, "a name begins with a letter"),),
            edits=(
                Edit(
                    middle,
                    middle,
                    " ",
                    f"write `{digits} {rest}`, if that is a number and a name",
                    safe=False,
                ),
            ),
        )
    return Problem(
        "C0112",
        f"`{shown(found)}` is neither a number nor a name",
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
    better, hint = _INSTEAD.get(found), _HINTS.get(found)
    if better == "#" and not _is_remark(text, start, start + len(found)):
        better, end = None, start + len(found)
        hint = f"{hint}; `/` divides" if found == "//" else hint
    made: tuple[Edit, ...] = ()
    if better is not None:
        left = " " if better.isalpha() and text[start - 1 : start].isalnum() else ""
        right = " " if better.isalpha() and text[end : end + 1].isalnum() else ""
        made = (Edit(start, start + len(found), left + better + right, f"write `{better}`"),)
    made = made or _said_otherwise(text, found, start, end)
    return Problem(
        "C0102",
        f"`{shown(found)}` is not a sign of the language",
        (Mark(start, end, f"expected `{better}`" if better else "not known here"),),
        help=(hint,) if hint else (),
        edits=made,
    )


_SENTENCE = re.compile(r"[ \t]*[^\W\d][\w']*,?[ \t]+[^\W\d]\w*")


def _is_remark(text: str, start: int, end: int) -> bool:
    """Whether `//` or `--` at `start` begins a comment: behind a value it may be a division or a minus."""
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    return not before or _SENTENCE.match(text, end) is not None


_CHANGED = re.compile(r"[ \t]*(?P<place>[a-z][\w.]*(?:\[[^\]\n]*\])?)[ \t]*\Z")
_REST = re.compile(r"[ \t]*(?P<value>[^\s#§][^#§\n]*?)[ \t]*(?=[#§\n]|\Z)")


def _said_otherwise(text: str, found: str, start: int, end: int) -> tuple[Edit, ...]:
    """What `x += 1`, `x++`, `x := 1` and a `;` at the end of a line become."""
    if found == ";":
        done = re.compile(r"[ \t]*(?:#[^\n]*)?(?=\n|\Z)").match(text, end)
        return (Edit(start, end, "", "take the `;` out"),) if done else ()
    line = text.rfind("\n", 0, start) + 1
    place, value = _CHANGED.match(text[line:start]), _REST.match(text, end)
    if place is None or found not in ("+=", "-=", "*=", "++", ":="):
        return ()
    what = place["place"]
    begin, stop = line + place.start("place"), end
    if found == "++":
        better = f"set {what} to {what} + 1"
    elif value is None:
        return ()
    else:
        stop, said = value.end("value"), value["value"]
        simple = re.fullmatch(r"[\w.]+", said) or found in (":=", "+=")
        better = f"set {what} to {said if found == ':=' else ''}"
        if found != ":=":
            better += f"{what} {found[0]} {said if simple else f'({said})'}"
    return (Edit(begin, stop, better, f"write `{better}`"),)


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
