"""Explanations of mistakes inside a line.

Input: a `Mistake`. Output: a `Problem`, or None when the mistake is another.
"""

from __future__ import annotations

from dataclasses import replace

from lark import Token

from conche.diagnostics import closest, is_slip
from conche.syntax.explain import words
from conche.syntax.explain.mistake import LAYOUT, Mistake, end_of, holder_of, span_of, start_of
from conche.syntax.explain.trial import accepted_after
from conche.syntax.layout import CLOSING, OPENING
from conche.syntax.problems import Edit, Mark, Problem


def chained(mistake: Mistake) -> Problem | None:
    """`a < b < c`"""
    if mistake.token.type not in words.COMPARISONS or not mistake.in_expression:
        return None
    return Problem(
        "C0130",
        "comparisons do not chain",
        (Mark(*span_of(mistake.token), "a second comparison"),),
        help=("join two comparisons with `and`, as in `0 < x and x < 5`",),
    )


def value_behind_is(mistake: Mistake) -> Problem | None:
    """`x is 3`, `x is other.colour`"""
    line, token = mistake.line, mistake.token
    found = next((i for i in range(len(line) - 2, -1, -1) if line[i].type == "IS"), None)
    if found is None or token.type in LAYOUT or len(line) - found > 4:
        return None
    if token.type == "TYPE":
        place = start_of(token)
        if mistake.previous is None or not mistake.mends(place, place, "a "):
            return None
        return Problem(
            "C0114",
            f"`a` is missing before {words.found(token.type, str(token))}",
            (Mark(*span_of(token), f"`is a {token}` asks what lies on a space"),),
            edits=(Edit(place, place, "a ", f"write `a {token}`"),),
            known=words.speaks_of(str(token)),
        )
    negated = line[found + 1].type == "NOT" and line[found + 1] is not token
    at, end = start_of(line[found]), end_of(line[found + 1] if negated else line[found])
    sign = "!=" if negated else "="
    if not mistake.mends(at, end, sign):
        return None
    return Problem(
        "C0126",
        f"`{mistake.text[at:end]}` asks for a kind, and values are compared with `{sign}`",
        (Mark(at, end, f"expected `{sign}`"),),
        edits=(Edit(at, end, sign, f"write `{sign}`"),),
    )


def decimal(mistake: Mistake) -> Problem | None:
    """`1.5`"""
    if mistake.token.type != "VERSION_NUMBER" or "INT" not in mistake.accepts:
        return None
    return Problem(
        "C0112",
        f"`{mistake.token}` is no number: numbers are whole",
        (Mark(*span_of(mistake.token), "expected a whole number"),),
        help=("count in a smaller unit, such as halves or hundredths",),
    )


def count(mistake: Mistake) -> Problem | None:
    """`put water in jungle`"""
    if str(mistake.first) not in ("put", "take") or "NAME" not in mistake.accepts:
        return None
    inside = mistake.line[mistake.head + 1 : -1]
    commas = [index for index, token in enumerate(inside) if token.type == "COMMA"]
    item = inside[commas[-1] + 1 :] if commas else inside
    if not item or item[0].type != "NAME":
        return None
    at = start_of(item[0])
    if not mistake.mends(at, at, "1 "):
        return None
    return Problem(
        "C0131",
        f"`{mistake.first}` needs a number before each kind of piece",
        (Mark(at, end_of(item[-1]), "how many?"),),
        edits=(Edit(at, at, "1 ", "write the number, such as `1`", safe=False),),
    )


def empty_parentheses(mistake: Mistake) -> Problem | None:
    """`do f()`"""
    previous = mistake.previous
    if mistake.token.type != "RPAR" or previous is None or previous.type != "LPAR":
        return None
    at, end = start_of(previous), end_of(mistake.token)
    if not mistake.mends(at, end, ""):
        return None
    return Problem(
        "C0133",
        "empty parentheses are left out",
        (Mark(at, end, "nothing is given here"),),
        # Behind the name of a kind, values may be missing.
        edits=(Edit(at, end, "", "take them out", safe=mistake.line[0].type != "NAME"),),
    )


def comma(mistake: Mistake) -> Problem | None:
    """A comma with nothing behind it, or with a keyword that was read as a name."""
    found = next((token for token in reversed(mistake.line[:-1]) if token.type == "COMMA"), None)
    if found is None or not mistake.mends(*span_of(found), ""):
        return None
    index = next(i for i, token in enumerate(mistake.line) if token is found)
    behind = mistake.line[index + 1]
    if behind is not mistake.token and str(behind) not in words.KEYWORDS:
        return None
    return Problem(
        "C0132",
        "nothing follows a comma",
        (Mark(*span_of(found), "one too many, or something is missing after it"),),
        edits=(
            Edit(*span_of(found), "", "take the comma out", safe=_last_of_a_list(mistake, found, behind)),
        ),
    )


def _last_of_a_list(mistake: Mistake, found: Token, behind: Token) -> bool:
    """Whether a comma can only be too many: at the end of the last line of a list of any length, or before
    the word of the statement that goes on behind a list."""
    if behind.type == "RSQB" and "\n" in mistake.text[end_of(found) : start_of(behind)]:
        return True
    return str(mistake.first) in ("put", "take") and str(behind) in ("in", "out")


def capitals(mistake: Mistake) -> Problem | None:
    """A name where a type is expected, or the other way round."""
    token, previous = mistake.token, mistake.previous
    if token.type == "TYPE" and "NAME" in mistake.accepts and "TYPE" not in mistake.accepts:
        return _other_case(mistake, token, "a name", words.snake_case(token), "is written with small letters")
    rule = "begins with a capital letter"
    if token.type == "NAME" and "TYPE" in mistake.accepts and "NAME" not in mistake.accepts:
        if closest(token, words.keywords(mistake.accepts), 1):
            return None
        return _other_case(mistake, token, "the name of a type", words.camel_case(token), rule)
    if previous is not None and previous.type == "NAME" and "TYPE" in mistake.accepts:
        # `of fruit,`: a name before the type would be its number.
        better = words.camel_case(previous)
        if mistake.mends(*span_of(previous), better):
            return _other_case(mistake, previous, "the name of a type", better, rule)
    if (
        previous is not None
        and previous.type == "NAME"
        and "RANGE" in mistake.accepts
        and not mistake.in_expression
    ):
        # After `p: player` the parser waits for a range of numbers.
        better = words.camel_case(previous)
        if mistake.mends(*span_of(previous), better):
            return _other_case(mistake, previous, "a type", better, rule)
    return None


def foreign_type(mistake: Mistake) -> Problem | None:
    """`busts: number = 0, open`, `f: bool`"""
    previous = mistake.previous
    if previous is None or previous.type != "NAME" or "RANGE" not in mistake.accepts:
        return None
    meant = words.FOREIGN_TYPES.get(str(previous))
    if meant is None or "MAYBE" not in mistake.accepted_at(previous):
        return None
    mark = Mark(*span_of(previous), "no type is called so")
    match meant:
        case "number":
            bounds = "write the bounds, such as `0..99`"
            edits = (Edit(*span_of(previous), "0..99", bounds, safe=False),)
            title = "a number is written with its bounds, such as `0..99`"
            return Problem("C0111", title, (mark,), edits=edits)
        case "flag":
            edits = (Edit(*span_of(previous), "flag", "write `flag`"),)
            return Problem("C0111", "what is `yes` or `no` has the type `flag`", (mark,), edits=edits)
        case _:
            hint = "list the values that it can have: `enum Colour`, with a line for each, and then its name"
            return Problem("C0111", "texts cannot be stored or passed on", (mark,), help=(hint,))


def visibility(mistake: Mistake) -> Problem | None:
    """`busts: 0..99 = 0`, `hand cards of Card`: a line that does not say who sees the thing."""
    previous, token = mistake.previous, mistake.token
    if (
        previous is None
        or "COMMA" not in mistake.accepts
        or not (token.type in LAYOUT or token.type == "CITE")
    ):
        return None
    at = end_of(previous)
    if not mistake.mends(at, at, ", open") or mistake.mends(at, at, ", no_such_name"):
        return None
    name = next((str(t) for t in mistake.line if t.type == "NAME"), "this")
    ways = ["`, open`", "`, hidden`"]
    if holder_of(mistake, start_of(mistake.line[0])).startswith("each player has"):
        ways.insert(1, "`, secret`")
    said = words.one_of(ways)
    means = "`open`: everybody sees it; `secret`: the player it belongs to; `hidden`: nobody"
    return Problem(
        "C0114",
        f"who sees `{name}` is not said: {said} is missing",
        (Mark(at, at, f"expected {said}"),),
        notes=(means if len(ways) == 3 else "`open`: everybody sees it; `hidden`: nobody",),
        edits=(Edit(at, at, ", open", "write `, open` if everybody sees it", safe=False),),
    )


def braces(mistake: Mistake) -> Problem | None:
    """`further in {yes, no}`"""
    token = mistake.token
    if str(token) != "{" or "LSQB" not in mistake.accepts:
        return None
    at = start_of(token)
    close = mistake.text.find("}", at) + 1
    inner = mistake.text[at + 1 : close - 1].strip()
    if not close or "\n" in inner:
        return None
    better = f"[{inner}]"
    right = mistake.mends(at, close, better)
    return Problem(
        "C0114",
        f"a set is written `{words.shown(better)}`",
        (Mark(at, close, "square brackets stand around its values"),),
        edits=(Edit(at, close, better, f"write `{words.shown(better)}`"),) if right else (),
    )


def numbered_seat(mistake: Mistake) -> Problem | None:
    """`each player you from seat 0`"""
    token, previous = mistake.token, mistake.previous
    if token.type != "INT" or previous is None or str(previous) not in ("seat", "player"):
        return None
    return Problem(
        "C0114",
        f"a seat is called by its name, not `{previous} {token}`",
        (Mark(start_of(previous), end_of(token), "expected the name of a seat"),),
        help=(
            f"write the name of the header's line `seats`, such as `red`; without that line, `seat_{token}`",
        ),
    )


def _other_case(mistake: Mistake, token: Token, expected: str, better: str, rule: str) -> Problem:
    edits: tuple[Edit, ...] = ()
    if better and mistake.mends(*span_of(token), better):
        edits = (Edit(*span_of(token), better, f"write `{better}`"),)
    problem = Problem(
        "C0111",
        f"expected {expected}, found {words.found(token.type, str(token))}",
        (Mark(*span_of(token), f"{expected} {rule}"),),
        edits=edits,
    )
    declared = mistake.line[1:2] == [token] and str(mistake.line[0]) in ("enum", "piece")
    if expected == "a name" or not edits or declared or better in words.BUILT_IN_TYPES:
        return problem
    unsure = tuple(replace(edit, safe=False) for edit in edits)
    known, of_module = words.speaks_of(better), replace(problem, known=r"^module\b", edits=unsure)
    meant = words.FOREIGN_NAMES_OF_TYPES.get(str(token)) if expected == "a type" else None
    other: tuple[Edit, ...] = ()
    help: tuple[str, ...] = ()
    label = problem.marks[0].text
    if meant is not None:
        label = f"did you mean `{meant}`?"
        other = (Edit(*span_of(token), meant, f"write `{meant}`", safe=False),)
    else:
        help = (words.TYPES_ARE if expected == "a type" else words.KINDS_ARE,)
    unknown = replace(problem, marks=(Mark(*span_of(token), label),), help=help, edits=other)
    return replace(problem, known=known, instead=replace(of_module, instead=unknown))


def keyword(mistake: Mistake) -> Problem | None:
    """A keyword where a name was meant: the unexpected word, or the one before it."""
    token, previous = mistake.token, mistake.previous
    accepts = mistake.accepts
    if words.keyword(token.type) and "NAME" in accepts and not accepts >= words.EXPRESSION_START:
        return _not_a_name(token)
    if previous is None or previous.type not in words.DATA_WORDS or token.type in LAYOUT:
        return None
    index = next(i for i, other in enumerate(mistake.stop.tokens) if other is previous)
    renamed = [*mistake.stop.tokens[:index], Token.new_borrow_pos("NAME", previous, previous)]
    return _not_a_name(previous) if token.type in accepted_after(renamed, mistake.start) else None


def _not_a_name(token: Token) -> Problem:
    return Problem(
        "C0125",
        f"`{token}` is a word of the language and names nothing here",
        (Mark(*span_of(token), "expected a name"),),
        help=("choose another name",),
    )


def misspelt(mistake: Mistake) -> Problem | None:
    """A word that is nearly the keyword that is expected: the unexpected one, or the one before it."""
    for token in (mistake.token, mistake.previous):
        if token is None or token.type not in ("NAME", "TYPE"):
            continue
        accepts = mistake.accepts if token is mistake.token else mistake.accepted_at(token)
        text = str(token).lower()
        apart = [words.RUN_TOGETHER[text]] if text in words.RUN_TOGETHER else []
        for word in (*apart, *closest(text, words.keywords(accepts))):
            if mistake.mends(*span_of(token), word):
                return _meant(mistake, token, word, accepts, safe=word in apart or is_slip(text, word))
    return None


def _meant(mistake: Mistake, token: Token, word: str, accepts: frozenset[str], *, safe: bool) -> Problem:
    said = words.expected(accepts)
    expected = words.one_of(said) if len(said) <= 3 else f"`{word}`"
    start, end = span_of(token)
    if word == "..":
        start = len(mistake.text[:start].rstrip())
        end += len(mistake.text[end:]) - len(mistake.text[end:].lstrip())
    left = " " if word[0].isalpha() and mistake.text[start - 1 : start].isalnum() else ""
    right = " " if word[-1].isalpha() and mistake.text[end : end + 1].isalnum() else ""
    if word == "=" and not mistake.text[start - 1 : start].isspace():
        left = " "
    return Problem(
        "C0114",
        f"expected {expected}, found {words.found(token.type, str(token))}",
        (Mark(*span_of(token), f"did you mean `{word}`?"),),
        notes=form(mistake),
        edits=(Edit(start, end, f"{left}{word}{right}", f"write `{word}`", safe=safe),),
    )


def other_word(mistake: Mistake) -> Problem | None:
    """A word or sign in place of the one that is expected: `set x = 3`, `take 1 water from jungle`."""
    token = mistake.token
    if token.type in LAYOUT:
        return None
    meant = words.FOREIGN_STATEMENTS.get(str(token), "")
    if meant.upper() in mistake.accepts and mistake.mends(*span_of(token), meant):
        safe = str(token) in words.SAME_STATEMENTS
        return _meant(mistake, token, meant, mistake.accepts, safe=safe)
    right = [text for text in _expected_texts(mistake) if mistake.mends(*span_of(token), f" {text} ")]
    if len(right) != 1:
        return None
    safe = (str(token), right[0]) in words.SAME_WORDS
    return _meant(mistake, token, right[0], mistake.accepts, safe=safe)


def _expected_texts(mistake: Mistake) -> list[str]:
    """The signs and words that may stand here, but those that only continue a value."""
    accepts = mistake.accepts
    found = [
        text
        for sign, text in words.SIGNS.items()
        if sign in accepts
        and (sign not in words.OPERATORS or (sign in ("EQUAL", "RANGE") and not mistake.in_expression))
    ]
    if len(words.expected(accepts)) <= 4:
        continuing = words.OPERATORS if mistake.in_expression else frozenset()
        found += words.keywords(accepts - continuing - words.EXPRESSION_START)
    return [words.PHRASES.get(text, text) for text in found]


def missing(mistake: Mistake) -> Problem | None:
    """A sign or keyword that was left out before the unexpected token."""
    token, previous = mistake.token, mistake.previous
    if previous is None or token.type in LAYOUT:
        return None
    candidates = _expected_texts(mistake)
    if "LPAR" in mistake.accepts and not mistake.in_expression:
        candidates.append("()")
    at = start_of(token)
    if previous.type == "NAME" and str(previous) in words.KEYWORDS:
        begin = start_of(previous)
        if mistake.mends(begin, begin, "x "):
            return _name_missing(mistake, previous)
    right = [text for text in candidates if mistake.mends(at, at, f" {text} ")]
    if len(right) != 1 or any(
        mistake.mends(at, at, f" {_ANY[kind]} ") for kind in sorted(mistake.accepts & _ANY.keys())
    ):
        return None
    text, what = right[0], words.found(token.type, str(token))
    if token is not mistake.line[0] and "\n" in mistake.text[end_of(previous) : at]:
        return _missing_at_line_end(mistake, previous, text)
    if token is mistake.line[0]:
        gap = (at, at, f"{text} ")
    else:
        blank = "" if text in (":", ",", "()") else " "
        gap = (end_of(previous), end_of(previous), f"{blank}{text}")
    return Problem(
        "C0114",
        f"`{text}` is missing before {what}",
        (Mark(*span_of(token), f"expected `{text}` before this"),),
        notes=form(mistake),
        edits=(Edit(*gap, f"write `{text}` before {what}", safe=_alone(mistake, text)),),
    )


def _missing_at_line_end(mistake: Mistake, previous: Token, text: str) -> Problem:
    """A sign or keyword that was left out where a line goes on below."""
    blank = "" if text in (":", ",", "()") else " "
    at, said = end_of(previous), words.found(previous.type, str(previous))
    return Problem(
        "C0114",
        f"`{text}` is missing behind {said}",
        (Mark(*span_of(previous), f"expected `{text}` behind this"),),
        notes=form(mistake),
        edits=(Edit(at, at, f"{blank}{text}", f"write `{text}` behind {said}", safe=_alone(mistake, text)),),
    )


def _name_missing(mistake: Mistake, word: Token) -> Problem:
    """`store of Fruit`: a word of the language where a name stands."""
    return Problem(
        "C0114",
        f"a name is missing before `{word}`",
        (Mark(*span_of(word), "expected a name before this"),),
        notes=form(mistake),
    )


_ANY = {"NAME": "x", "TYPE": "T", "INT": "1", "STRING": '"x"'}
"""One of each kind of word that has many."""


def _alone(mistake: Mistake, text: str) -> bool:
    """Whether nothing but the missing `text` would mend the line: no other sign or word in its place, and
    neither of the words around it left out. Words of several parts, such as `at most`, say too much to be
    written unseen."""
    token, previous = mistake.token, mistake.previous
    if " " in text or previous is None or (previous.type == "NAME" and str(previous) in words.KEYWORDS):
        return False  # a word of the language in place of a name: the name is what is missing
    if text == ":" and str(token) in words.STATEMENTS:
        return True
    at = start_of(token)
    others = [words.SIGNS.get(sign) or words.keyword(sign) for sign in sorted(mistake.accepts)]
    written = [words.PHRASES.get(other, other) for other in others if other is not None and other != text]
    written += [_ANY[kind] for kind in sorted(mistake.accepts & _ANY.keys())]
    if text == "()":
        written = [other for other in written if other != "("]
    return not (
        any(mistake.mends(at, at, f" {other} ") for other in written)
        or mistake.mends(*span_of(token), "")
        or mistake.mends(*span_of(previous), "")
    )


def general(mistake: Mistake) -> Problem:
    """What was expected, and what was found."""
    token, previous = mistake.token, mistake.previous
    said = words.expected(mistake.accepts)
    expected = words.one_of(said) if 0 < len(said) <= 5 else ""
    label = f"expected {expected}" if expected else ""
    if token.type in LAYOUT or (token.type == "CITE" and previous is not None):
        at = end_of(previous) if previous is not None else 0
        title = f"the line ends too early: {expected} is missing" if expected else "the line ends too early"
        return Problem("C0114", title, (Mark(at, at, label),), notes=form(mistake))
    what = words.found(token.type, str(token))
    help = _example(mistake)
    if said == ["the end of the line"]:
        title = f"{what} cannot follow here: the line is complete"
        if str(token) in words.STATEMENTS:
            help = ("each statement has a line of its own",)
    elif expected:
        title = f"expected {expected}, found {what}"
    else:
        title = f"{what} cannot stand here"
    edits: tuple[Edit, ...] = ()
    twice = previous is not None and str(token) == str(previous)
    # Where a value is missing, a comma or point behind it is right.
    stray = token.type in ("COMMA", "DOT") and not mistake.accepts & _ANY.keys()
    if (twice or stray) and mistake.mends(*span_of(token), ""):
        # Of two numbers one may be wrong.
        certain = token.type not in ("INT", "COMMA", "DOT") or not twice
        edits = (Edit(*span_of(token), "", f"take {what} out", safe=certain),)
    return Problem(
        "C0114",
        title,
        (Mark(*span_of(token), label or "not here"),),
        notes=form(mistake),
        help=help,
        edits=edits,
    )


def _example(mistake: Mistake) -> tuple[str, ...]:
    """How a parameter without its type, or a condition that does not go on as one, is written."""
    if mistake.accepts == {"COLON"} and mistake.token.type in ("COMMA", "RPAR") and _depth(mistake) > 0:
        return (f"a parameter names its type, such as `{mistake.previous}: Player`",)
    if str(mistake.first) in ("if", "else") and mistake.in_expression and "COLON" in mistake.accepts:
        return ("a condition compares values, such as `you.points > 3`",)
    return ()


def _depth(mistake: Mistake) -> int:
    """How many brackets are open before the mistake."""
    return sum((t.type in OPENING) - (t.type in CLOSING) for t in mistake.line[mistake.head : -1])


def form(mistake: Mistake) -> tuple[str, ...]:
    """How the line is written, by its first words; nothing when the mistake is inside a value."""
    previous = mistake.previous
    if _depth(mistake) > 0 or (previous is not None and previous.type in words.BINARY_OPERATORS):
        return ()
    if "OTHERWISE" in mistake.accepts_head:
        return ("a line of a query is `VALUE if CONDITION`, `otherwise VALUE` or `let NAME = VALUE`",)
    first, *more = (str(token) for token in mistake.line[mistake.head :])
    if mistake.first.type == "NAME" or mistake.first is mistake.token:
        return ()
    keys = [f"{first} {more[0]}"] if more else []
    if "GIVEN" in mistake.accepts_head:
        keys.insert(0, f"scenario {first}")
    if "STOP" not in mistake.accepts_head and not mistake.before:
        keys.insert(0, f"declaration {first}")
    known = next((key for key in (*keys, first) if key in words.FORMS), None)
    return () if known is None else (words.written(known),)
