"""Explanations of mistakes between lines: blocks, colons, citations.

Input: a `Mistake`. Output: a `Problem`, or None when the mistake is another.
"""

from __future__ import annotations

from conche.syntax.explain.alignment import moved_line, parses, said_end
from conche.syntax.explain.mistake import LAYOUT, Mistake, end_of, span_of, start_of
from conche.syntax.problems import Edit, Mark, Problem


def indented(mistake: Mistake) -> Problem | None:
    """A line that is indented below one that takes no block."""
    if mistake.token.type != "_INDENT":
        return None
    at, previous = mistake.next_line(), mistake.previous
    assert at is not None
    assert previous is not None
    moved = moved_line(mistake.text, mistake.start, at[0])
    if moved is not None:
        return moved
    mark = Mark(*at, "indented deeper than the line above")
    begin = mistake.text.rfind("\n", 0, start_of(previous)) + 1
    colon = next((t for t in mistake.stop.tokens if start_of(t) >= begin and t.type == "COLON"), None)
    if colon is not None:
        return Problem(
            "C0108",
            "a line that has a statement behind `:` takes no block",
            (mark, Mark(*span_of(colon), "the statement stands behind this", primary=False)),
            help=("several statements stand in a block below the line, without `:`",),
        )
    return Problem(
        "C0108",
        "a line is indented, but the line above takes no block",
        (mark,),
        help=("lines of one block begin below one another",),
    )


def block_missing(mistake: Mistake) -> Problem | None:
    """A line without the block that it needs."""
    if mistake.accepts != {"_INDENT"}:
        return None
    written = [token for token in mistake.before if token.type not in LAYOUT]
    last = written[-1]
    begin = mistake.text.rfind("\n", 0, start_of(last)) + 1
    first = next(token for token in written if start_of(token) >= begin)
    end = next(end_of(token) for token in reversed(written) if token.type != "CITE")
    marks = [Mark(start_of(first), end, "this line needs a block")]
    if mistake.token.type not in LAYOUT:
        marks.append(Mark(*span_of(mistake.token), "this is not indented deeper", primary=False))
    return Problem(
        "C0117",
        f"the block of `{first}` is missing",
        tuple(marks),
        notes=(f"what belongs to `{first}` stands on the lines below it, indented by two blanks",),
        edits=_indented_by_two(mistake),
    )


def _indented_by_two(mistake: Mistake) -> tuple[Edit, ...]:
    """The line below indented, where that mends the declaration: how many lines are meant, nobody knows."""
    at = start_of(mistake.token)
    if mistake.token.type in LAYOUT or "\n" not in mistake.text[at:]:
        return ()
    if not parses(f"{mistake.text[:at]}  {mistake.text[at:]}", mistake.start):
        return ()
    return (Edit(at, at, "  ", "indent the line below by two blanks", safe=False),)


def colon(mistake: Mistake) -> Problem | None:
    """`if c:` with a block below, as other languages have it; `enum Good: a, b` without one."""
    found = next((token for token in mistake.line[-2:] if token.type == "COLON"), None)
    if found is None:
        return None
    if mistake.rest_of_line(found).partition("§")[0]:
        if found is not mistake.token or not {"_NL", "LPAR"} <= mistake.accepts or mistake.in_expression:
            return None
        return Problem(
            "C0118",
            f"what belongs to `{mistake.first}` stands on the lines below it, without `:`",
            (Mark(*span_of(found), "the line ends here"),),
        )
    following = mistake.next_line()
    if following is None or mistake.indent_of(following[0]) <= mistake.indent_of(start_of(found)):
        return None
    return Problem(
        "C0118",
        "a line with a block below it has no `:` at its end",
        (Mark(*span_of(found), "one too many"),),
        notes=("`:` is for one statement on the same line, such as `if c: stop`",),
        edits=(Edit(*span_of(found), "", "take the `:` out"),),
    )


def value_below(mistake: Mistake) -> Problem | None:
    """The heading of a query without its `=`, and its one value on the line below."""
    if mistake.token.type not in (*LAYOUT, "CITE") or "OTHERWISE" not in mistake.accepts_head:
        return None
    at = said_end(mistake.text, 0)
    if not parses(f"{mistake.text[:at]} ={mistake.text[at:]}", mistake.start):
        return None
    return Problem(
        "C0114",
        "`=` is missing before the value of the query",
        (Mark(0, at, "expected `=` behind this"),),
        notes=("without `=` lines follow that say `VALUE if CONDITION`, the last of them `otherwise VALUE`",),
        edits=(Edit(at, at, " =", "write `=`"),),
    )


def citation(mistake: Mistake) -> Problem | None:
    """A citation in the middle of a line, or without its sign."""
    token = mistake.token
    previous = mistake.line[-2] if len(mistake.line) > 1 else None
    if previous is not None and previous.type == "CITE" and token.type not in LAYOUT:
        return Problem(
            "C0119",
            "a citation stands at the end of a line",
            (
                Mark(*span_of(previous), "this is a citation"),
                Mark(*span_of(token), "and the line goes on here", primary=False),
            ),
        )
    if token.type == "CITE" and mistake.rest_of_line(token).partition("§")[0]:
        return _early_citation(mistake)
    if "CITE" not in mistake.accepts or token.type not in ("INT", "VERSION_NUMBER", "TYPE"):
        return None
    at = start_of(token)
    if token.type == "INT" and (mistake.in_expression or previous is None or at - end_of(previous) < 2):
        return None  # a number behind a value, or that follows closely, belongs to what is said
    if not mistake.mends(at, at, "§"):
        return None
    return Problem(
        "C0114",
        "the sign `§` of a citation is missing",
        (Mark(*span_of(token), "expected `§` before this"),),
        edits=(Edit(at, at, "§", f"write `§{token}`"),),
    )


def _early_citation(mistake: Mistake) -> Problem:
    """A citation after which its line goes on."""
    at, end = span_of(mistake.token)
    line_end = mistake.text.find("\n", end)
    line_end = line_end if line_end >= 0 else len(mistake.text)
    last = at + len(mistake.text[at:line_end].partition("#")[0].rstrip())
    says = "write it at the end of the line"
    begin = len(mistake.text[:at].rstrip())
    right = mistake.mends(at, end, "")
    return Problem(
        "C0119",
        "a citation stands at the end of a line",
        (Mark(at, end, "the line goes on behind this"),),
        edits=(Edit(begin, end, "", says), Edit(last, last, f" {mistake.token}", says)) if right else (),
    )
