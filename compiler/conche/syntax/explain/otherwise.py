"""Explanations of what rulebooks say and the language says otherwise.

Input: a `Mistake`. Output: a `Problem`, or None when the mistake is another.
Invariant: what is put in place of other words unseen means the same, whatever the rest of the file says.
"""

from __future__ import annotations

from conche.syntax.explain import words
from conche.syntax.explain.alignment import said_end
from conche.syntax.explain.inside import form
from conche.syntax.explain.mistake import Mistake, end_of, holder_of, span_of, start_of
from conche.syntax.problems import Edit, Mark, Problem


def given_is(mistake: Mistake) -> Problem | None:
    """`given first is red`: what is given is a value, whatever it is."""
    token = mistake.token
    if token.type != "IS" or str(mistake.first) != "given" or not mistake.mends(*span_of(token), "="):
        return None
    return Problem(
        "C0114",
        "expected `=`, found `is`",
        (Mark(*span_of(token), "did you mean `=`?"),),
        notes=form(mistake),
        edits=(Edit(*span_of(token), "=", "write `=`"),),
    )


def number_word(mistake: Mistake) -> Problem | None:
    """`given two players`: a number in letters."""
    for token in (mistake.previous, mistake.token):
        digits = words.NUMBER_WORDS.get(str(token))
        if token is None or digits is None or not mistake.mends(*span_of(token), digits):
            continue
        # Before these words nothing but a number can stand.
        certain = token is mistake.previous and str(mistake.token) in ("players", "times", "across", "or")
        return Problem(
            "C0112",
            f"a number is written in digits: `{digits}`, not `{token}`",
            (Mark(*span_of(token), "expected a number"),),
            edits=(Edit(*span_of(token), digits, f"write `{digits}`", safe=certain),),
        )
    return None


def change(mistake: Mistake) -> Problem | None:
    """`modify price(g): * 2`, `modify price(g): price(g) + 1`"""
    if str(mistake.line[0]) != "modify" or not {"PLUS", "OR", "AT"} <= mistake.accepts:
        return None
    token, name = mistake.token, str(mistake.line[1])
    return Problem(
        "C0114",
        f"expected a change, found {words.found(token.type, str(token))}",
        (Mark(*span_of(token), "expected `+`, `-`, `at least`, `at most`, `or` or `and`"),),
        notes=form(mistake),
        help=(
            "a module adds to a number, takes from it or bounds it, and joins conditions by `or` and `and`",
            f"for anything else, give the query another answer: `replace {name}(…) = VALUE`",
        ),
    )


def rank_word(mistake: Mistake) -> Problem | None:
    """`rank by total, most count(p.hand)`"""
    token, follows = mistake.previous, mistake.token
    if token is None or str(mistake.first) != "rank" or str(token) not in (*words.MOST, *words.LEAST):
        return None
    better = "-" if str(token) in words.LEAST else ""
    at, end = start_of(token), start_of(follows)
    if not mistake.mends(at, end, better):
        return None
    says = f"write `-` for `{token}`" if better else f"take `{token}` out"
    return Problem(
        "C0114",
        f"`{token}` is not said: the higher value comes first, and `-` before a value turns that round",
        (Mark(*span_of(token), "not needed" if not better else "expected `-`"),),
        notes=form(mistake),
        edits=(Edit(at, end, better, says, safe=False),),
    )


def condition_behind(mistake: Mistake) -> Problem | None:
    """`stop if you.coins > 3`: the condition behind what it is for."""
    line = mistake.line
    found = next((i for i in range(len(line) - 1, mistake.head, -1) if str(line[i]) == "if"), None)
    if mistake.head or found is None or str(mistake.first) not in words.STATEMENTS:
        return None
    start, end = start_of(mistake.first), said_end(mistake.text, end_of(line[found]))
    done = mistake.text[start : start_of(line[found])].strip()
    condition = mistake.text[end_of(line[found]) : end].strip()
    better = f"if {condition}: {done}"
    if "\n" in better or not mistake.mends(start, end, better):
        return None
    return Problem(
        "C0114",
        "the condition stands before what it is for",
        (Mark(start_of(line[found]), end, "expected at the beginning of the line"),),
        edits=(Edit(start, end, better, f"write `{words.shown(better)}`"),),
    )


def next_player(mistake: Mistake) -> Problem | None:
    """`set first to next player`"""
    token, previous = mistake.token, mistake.previous
    if str(token) != "player" or previous is None or str(previous) not in ("next", "following", "previous"):
        return None
    function, where = ("right_of", "right") if str(previous) == "previous" else ("left_of", "left")
    return Problem(
        "C0114",
        f"`{previous} {token}` is asked of a player: `{function}(p)`",
        (Mark(start_of(previous), end_of(token), "of whom?"),),
        help=(f"`{function}(p)` is who sits to the {where} of `p`, such as `{function}(you)`",),
    )


def capacity(mistake: Mistake) -> Problem | None:
    """`store boat of at most 4 Good`"""
    token, previous = mistake.token, mistake.previous
    if str(mistake.line[0]) not in words.ZONE_KINDS or previous is None:
        return None
    if (str(previous), str(token)) not in (("at", "most"), ("up", "to")):
        return None
    at, end = start_of(previous), end_of(token)
    if not mistake.mends(at, end, ""):
        return None
    blank = len(mistake.text[end:]) - len(mistake.text[end:].lstrip(" "))
    return Problem(
        "C0114",
        f"`{previous} {token}` is not said here: the number is how many there is room for",
        (Mark(at, end, "not needed"),),
        notes=form(mistake),
        edits=(Edit(at, end + blank, "", f"take `{previous} {token}` out"),),
    )


def board_size(mistake: Mistake) -> Problem | None:
    """`board island square grid 3 x 3`"""
    if str(mistake.line[0]) != "board" or mistake.accepts != {"AT"}:
        return None
    at = start_of(mistake.token)
    return Problem(
        "C0114",
        "the size of a board is written `at most N across`",
        (Mark(*span_of(mistake.token), "expected `at most` and an even number"),),
        notes=form(mistake),
        edits=(Edit(at, at, "at most ", "write `at most` before the number", safe=False),)
        if mistake.mends(at, at, "at most ")
        else (),
        help=(
            "of N across, x and y run from -N/2 to N/2 - 1: three by three from (0, 0) on fit into 6 across",
            "where pieces may lie is said below it, such as `on x >= 0 and x <= 2 up to 1 Tile`",
        ),
    )


def seen_by(mistake: Mistake) -> Problem | None:
    """`coins: 0..9 = 0, public`"""
    token = mistake.token
    meant = words.FOREIGN_VISIBILITY.get(str(token))
    if meant is None or not {"OPEN", "HIDDEN", "SECRET"} <= mistake.accepts:
        return None
    owned = holder_of(mistake, start_of(mistake.line[0])).startswith("each player has")
    if meant == "secret" and not owned:
        meant = "hidden"
    safe = meant == "open" or (meant == "secret" and str(token) == "private")
    return Problem(
        "C0114",
        f"expected `hidden`, `open` or `secret`, found {words.found(token.type, str(token))}",
        (Mark(*span_of(token), f"did you mean `{meant}`?"),),
        notes=("`open`: everybody sees it; `secret`: the player it belongs to; `hidden`: nobody",),
        edits=(Edit(*span_of(token), meant, f"write `{meant}`", safe=safe),),
    )


def take_from(mistake: Mistake) -> Problem | None:
    """`take card from table to you.hand`"""
    if str(mistake.first) != "take" or str(mistake.token) != "from":
        return None
    if mistake.line[mistake.head + 1].type == "INT":
        return None
    span = span_of(mistake.first)
    return Problem(
        "C0114",
        "`take` puts pieces back into the box; from one place to another they are moved with `move`",
        (Mark(*span, "did you mean `move`?"),),
        notes=(words.written("move"), words.written("take")),
        edits=(Edit(*span, "move", "write `move`", safe=False),) if mistake.mends(*span, "move") else (),
    )


def short_choice(mistake: Mistake) -> Problem | None:
    """`choose keep(card in hand)` where players choose at once."""
    if str(mistake.first) != "choose" or mistake.token.type != "LPAR" or mistake.accepts & {"LPAR"}:
        return None
    if mistake.accepts - {"_NL", "CITE"}:
        return None
    name = words.shown(str(mistake.previous))
    end = said_end(mistake.text, start_of(mistake.token))
    arguments = mistake.text[start_of(mistake.token) : end]
    case = f"case {arguments}" if len(arguments) <= 40 and "\n" not in arguments else "case (x in SET)"
    return Problem(
        "C0114",
        "what players choose at once has its cases on lines below it",
        (Mark(*span_of(mistake.token), "the line ends before this"),),
        help=(f"write `choose {name}`, and below it `{case}` with what then happens in its block",),
    )


def no_clause(mistake: Mistake) -> Problem | None:
    """`always` below the cases of a choice, and nothing behind it."""
    if mistake.accepts != {"CITE"} or str(mistake.first) != "always" or not mistake.before:
        return None
    at = end_of(mistake.first)
    return Problem(
        "C0114",
        "`always` names the clause or ruling by which there is always an option",
        (Mark(at, at, "expected a citation, such as `§1.2`"),),
        help=('a ruling of your own is `ruling §A1 "There is always one."`, and is named by `always §A1`',),
    )


def unnamed_argument(mistake: Mistake) -> Problem | None:
    """`move red: sell(pearls)`"""
    token, previous = mistake.token, mistake.previous
    if "GIVEN" not in mistake.accepts_head or mistake.accepts != {"EQUAL"} or previous is None:
        return None
    if token.type not in ("RPAR", "COMMA", "LPAR"):
        return None
    return Problem(
        "C0114",
        "in a scenario each argument of a move has its name",
        (Mark(*span_of(previous), f"expected `NAME = {previous}`"),),
        notes=(words.written("scenario move"),),
        help=("the names are those behind `choose` or `case`: of `case (x in SET)` it is `x`",),
    )
