"""Explanations of what other languages have taught their authors.

Input: a `Mistake`. Output: a `Problem`, or None when the mistake is another.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from conche.syntax.explain import words
from conche.syntax.explain.alignment import parses
from conche.syntax.explain.mistake import LAYOUT, Mistake, end_of, span_of, start_of
from conche.syntax.layout import CONTINUING
from conche.syntax.problems import Edit, Mark, Problem

_RANGE = re.compile(
    r"for(?:[ \t]+each)?[ \t]+(?P<name>[a-z]\w*)[ \t]+in[ \t]+range[ \t]*\((?P<bounds>[^()]*)\)"
)


_BEGIN_LINES = frozenset({*words.STATEMENTS, *words.DECLARATIONS, *words.CHANGES} - {"each"})
"""Words that begin a line; `each` begins a value too."""


def ends_with_operator(mistake: Mistake) -> Problem | None:
    """`if you.clay >=`, with the block below: what follows was read as the rest of the line."""
    line = mistake.line
    for before, token in pairwise(line):
        if before.type not in CONTINUING or token.type in LAYOUT:
            continue
        if "\n" not in mistake.text[end_of(before) : start_of(token)] or str(token) not in _BEGIN_LINES:
            continue
        if before.type == "COMMA":
            what = "nothing follows a comma"
        elif str(mistake.first) == "with":
            what = f"the name of a module is missing behind `{before}`"
        else:
            what = f"a value is missing behind `{before}`"
        return Problem(
            "C0114",
            f"the line ends too early: {what}",
            (
                Mark(*span_of(before), "the line goes on after this"),
                Mark(*span_of(token), "so this is read as a part of it", primary=False),
            ),
        )
    return None


def braces_around_block(mistake: Mistake) -> Problem | None:
    """`if c {` … `}`"""
    token = mistake.token
    if str(token) != "{" or mistake.rest_of_line(token):
        return None
    at = start_of(token)
    close = re.compile(r"^[ \t]*(?P<brace>\})[ \t]*$", re.MULTILINE).search(mistake.text, at)
    edits: tuple[Edit, ...] = ()
    marks = [Mark(*span_of(token), "not needed")]
    if close is not None:
        marks.append(Mark(close.start("brace"), close.end("brace"), "nor is this", primary=False))
        begin = len(mistake.text[:at].rstrip())
        changed = f"{mistake.text[:at]} {mistake.text[at + 1 : close.start()]}{mistake.text[close.end() :]}"
        if parses(changed, mistake.start):
            says = "take the braces out"
            edits = (Edit(begin, at + 1, "", says), Edit(close.start() - 1, close.end(), "", says))
    return Problem(
        "C0114",
        "a block has no braces",
        tuple(marks),
        help=("what belongs to a line stands on the lines below it, indented by two blanks",),
        edits=edits,
    )


def counted_loop(mistake: Mistake) -> Problem | None:
    """`for i in range(4)`"""
    found = _RANGE.match(mistake.text, start_of(mistake.first))
    if found is None:
        return None
    bounds = [bound.strip() for bound in found["bounds"].split(",")]
    if len(bounds) > 2 or not all(bounds):
        return None
    low, high = ("0", bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    last = str(int(high) - 1) if high.isdigit() and int(high) else f"{high} - 1"
    better = f"for each {found['name']} in {low}..{last}"
    end = found.end()
    colon = re.compile(r"[ \t]*:[ \t]*(?:#[^\n]*)?$", re.MULTILINE).match(mistake.text, end)
    if colon is not None:
        end = mistake.text.index(":", end) + 1
    if not mistake.mends(found.start(), end, better):
        return None
    return Problem(
        "C0114",
        "a loop goes through a set: `for each x in SET`, or `repeat n times`",
        (Mark(*found.span(), "this is said otherwise here"),),
        notes=(f"`{low}..{last}` are the numbers that are meant, both included",),
        edits=(Edit(found.start(), end, better, f"write `{better}`"),),
    )


def value_of_query(mistake: Mistake) -> Problem | None:
    """`return 3`, `else 3` in a query."""
    word = next((t for t in mistake.line if str(t) in ("return", "else", "default")), None)
    if word is None or "OTHERWISE" not in mistake.accepts_head or word is not mistake.first:
        return None
    if not mistake.mends(*span_of(word), "otherwise"):
        return None
    return Problem(
        "C0114",
        f"the last value of a query stands behind `otherwise`, not `{word}`",
        (Mark(*span_of(word), "did you mean `otherwise`?"),),
        edits=(Edit(*span_of(word), "otherwise", "write `otherwise`"),),
    )


def joined(mistake: Mistake) -> Problem | None:
    """`can not`, and names in two words: `step first player`, `sold-out: flag`."""
    line = mistake.line
    for index in (len(line) - 1, len(line) - 2):
        if index < 1 or line[index].type in LAYOUT:
            continue
        left, right = line[index - 1], line[index]
        at, end = start_of(left), end_of(right)
        if f"{left}{right}" in words.KEYWORDS and mistake.mends(at, end, f"{left}{right}"):
            return Problem(
                "C0114",
                f"`{left}{right}` is one word",
                (Mark(at, end, "two words"),),
                edits=(Edit(at, end, f"{left}{right}", f"write `{left}{right}`"),),
            )
    previous, token = mistake.previous, mistake.token
    if previous is None or not _plain(previous.type) or token.type in LAYOUT or not _starts_name(mistake):
        return None
    rest = re.compile(r"-?[a-z][a-z0-9_]*").match(mistake.text, start_of(token))
    if (
        rest is None
        or {str(previous), rest.group()} & words.RESERVED
        or "\n" in mistake.text[end_of(previous) : start_of(token)]
    ):
        return None
    at, better = start_of(previous), f"{previous}_{rest.group().removeprefix('-')}"
    if not mistake.mends(at, rest.end(), better):
        return None
    edit = Edit(at, rest.end(), better, f"write `{better}`")
    problem = Problem(
        "C0111",
        "a name is one word, with `_` between its parts",
        (Mark(at, rest.end(), "this is meant as one name"),),
        edits=(edit,),
    )
    if rest.group().startswith("-") or str(mistake.line[0]) in ("game", "module"):
        return problem
    told = f"or `{previous}({token}: TYPE)`, if `{token}` is told to it"
    takes = str(mistake.line[0]) in ("step", "action", "query")
    unsure = replace(problem, edits=(replace(edit, safe=False),), help=(told,) if takes else ())
    return replace(problem, known=words.speaks_of(better), instead=unsure)


def _plain(kind: str) -> bool:
    return kind == "NAME"


def _starts_name(mistake: Mistake) -> bool:
    """Whether the word before the mistake is what a line declares: the second of a declaration, the first of
    a line in its block."""
    written = [token for token in mistake.line if token.type not in LAYOUT]
    declares = not mistake.before or str(written[0]) in ("var", "track", *words.ZONE_KINDS, "let")
    return written[1 if declares and len(written) > 2 else 0] is mistake.previous


def type_before_name(mistake: Mistake) -> Problem | None:
    """`var Player first`"""
    token = mistake.token
    if token.type != "TYPE" or "NAME" not in mistake.accepts:
        return None
    name = re.compile(r"[ \t]+(?P<name>[a-z][a-z0-9_]*)").match(mistake.text, end_of(token))
    if name is None:
        return None
    better = f"{name['name']}: {token}"
    if not mistake.mends(start_of(token), name.end(), better):
        return None
    return Problem(
        "C0114",
        f"the name stands before its type: `{better}`",
        (Mark(start_of(token), name.end(), "the other way round"),),
        edits=(Edit(start_of(token), name.end(), better, f"write `{better}`"),),
    )


def next_statement(mistake: Mistake) -> Problem | None:
    """`pay 2 coins, gain 1 wood`: two statements on a line."""
    token = mistake.token
    if token.type in LAYOUT or not {"_NL"} <= mistake.accepts or "COLON" in mistake.accepts:
        return None
    if "STOP" not in mistake.accepts_head:
        return None
    found = re.compile(r"[ \t]*(?:,|and\b|then\b|also\b)?[ \t]*(?P<verb>[a-z]+)\b").match(
        mistake.text, start_of(token)
    )
    if found is None or found["verb"] not in words.STATEMENTS:
        return None
    begin = len(mistake.text[: start_of(token)].rstrip())
    line_start = mistake.text.rfind("\n", 0, begin) + 1
    indent = re.compile(r"[ \t]*").match(mistake.text, line_start)
    gap = f"\n{indent.group() if indent else ''}"
    changed = mistake.text[:begin] + gap + mistake.text[found.start("verb") :]
    right = parses(changed, mistake.start)
    says = f"write `{found['verb']}` on a line of its own"
    # Behind `if c:` the second statement may belong to the condition or not.
    alone = mistake.head == 0
    return Problem(
        "C0114",
        f"`{found['verb']}` begins another statement",
        (Mark(found.start("verb"), found.end("verb"), "each statement has a line of its own"),),
        help=()
        if alone
        else ("a line has one statement behind `:`; several stand in a block below it, one on each line",),
        edits=(Edit(begin, found.start("verb"), gap, says),) if right and alone else (),
    )
