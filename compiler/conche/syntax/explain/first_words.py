"""Explanations of lines that begin with a word that begins none.

Input: a `Mistake`. Output: a `Problem`, or None when the mistake is another.
"""

from __future__ import annotations

from conche.diagnostics import closest, is_slip
from conche.syntax.explain import words
from conche.syntax.explain.alignment import moved_line
from conche.syntax.explain.mistake import Mistake, holder_of, span_of, start_of
from conche.syntax.problems import Edit, Mark, Problem

_INNER = {
    "else": ("an `if`", "begins below the `i` of its `if`"),
    "case": ("a `choose`", "stands in the block of a `choose`"),
    "none": ("a `choose`", "stands behind the cases, in the block of a `choose`"),
    "always": ("a `choose`", "stands behind the cases, in the block of a `choose`"),
    "pass": ("a `choose`", "stands behind the cases, in the block of a `choose`"),
    "otherwise": ("a `query`", "stands in the block of a `query`"),
}
"""Words that begin a line only inside of something."""


def declaration(mistake: Mistake) -> Problem | None:
    """A line at the left margin that begins no declaration."""
    if len(mistake.stop.tokens) > 1:
        return None
    word, span = str(mistake.token), span_of(mistake.token)
    if word in words.STATEMENTS or word in _INNER:
        return Problem(
            "C0115",
            f"`{words.shown(word)}` begins no declaration",
            (Mark(*span, "this belongs into a block"),),
            help=("a line of a block is indented; statements stand in the block of a `step` or an `action`",),
        )
    near = closest(word, (*words.DECLARATIONS, *words.CHANGES, "game", "module"), 1)
    better = words.FOREIGN_DECLARATIONS.get(word) or (near[0] if near else None)
    safe = is_slip(word, better) if better in near else word not in words.UNSURE_DECLARATIONS
    return Problem(
        "C0115",
        f"`{words.shown(word)}` begins no declaration",
        (Mark(*span, f"did you mean `{better}`?" if better else "expected a declaration"),),
        notes=()
        if better
        else (f"declarations begin with {words.one_of(words.quoted(words.DECLARATIONS))}",),
        edits=(Edit(*span, better, f"write `{better}`", safe=safe),)
        if better and (better in near or mistake.mends(*span, better))
        else (),
    )


def late_case(mistake: Mistake) -> Problem | None:
    """A `case` behind `none`, `always` or `pass`."""
    if str(mistake.first) != "case" or mistake.first is not mistake.token or "CASE" in mistake.accepts_head:
        return None
    if "STOP" in mistake.accepts_head:
        return None
    return Problem(
        "C0116",
        "a `case` stands before `none`, `always` and `pass`",
        (Mark(*span_of(mistake.first), "move this up"),),
    )


def at_once(mistake: Mistake) -> Problem | None:
    """Something else than a `choose` where players choose at once."""
    accepts, first = mistake.accepts_head, str(mistake.first)
    if first in words.STATEMENTS and "_DEDENT" in accepts and "STOP" not in accepts:
        holder = holder_of(mistake, start_of(mistake.first))
        if holder.startswith(("together", "secretly")):
            return Problem(
                "C0116",
                f"`{first}` cannot stand here: what players do at once is one `choose`",
                (Mark(*span_of(mistake.first), "nothing stands behind the `choose`"),),
                help=("write it behind the loop, or into the block of a `case`",),
            )
    if not {"CHOOSE", "NAME"} <= accepts or "STOP" in accepts or first not in words.STATEMENTS:
        return None
    if first == "choose" or mistake.first.type == "CHOOSE":
        return None
    return Problem(
        "C0116",
        f"`{first}` cannot stand here: what players do at once is one `choose`",
        (Mark(*span_of(mistake.first), "expected `choose`"),),
        help=("what then happens stands in the block of a `case`",),
    )


def inner(mistake: Mistake) -> Problem | None:
    """`else` without `if`, and the like."""
    first = mistake.first
    known = _INNER.get(str(first))
    if known is None or first.type != "NAME" or not {"STOP", "CASE"} & mistake.accepts_head:
        return None
    if "CASE" in mistake.accepts_head:
        if str(first) not in ("none", "always", "pass"):
            return None
        return Problem(
            "C0116",
            f"a `choose` has a `case` before its `{first}`",
            (Mark(*span_of(first), "no case stands before this"),),
        )
    moved = moved_line(mistake.text, mistake.start, start_of(first))
    if moved is not None:
        return moved  # the line above it, or itself, is a blank beside its place
    what, where = known
    return Problem(
        "C0116",
        f"`{first}` belongs to no line above it",
        (Mark(*span_of(first), f"{what} is needed before this"),),
        notes=(f"`{first}` {where}",),
    )


def statement(mistake: Mistake) -> Problem | None:
    """A line of statements that begins with a word that begins none."""
    first = mistake.first
    if "STOP" not in mistake.accepts_head or first.type != "NAME":
        return None
    if any(token.type == "COLON" for token in mistake.line[mistake.head : -1]):
        return None  # someone is asked, and what follows is wrong
    if mistake.token.type == "EQUAL":
        return _assignment(mistake)
    word, span = str(first), span_of(first)
    known = ""
    keywords = words.keywords(mistake.accepts_head)
    near = [other for other in closest(word, keywords, 1) if len(word) > 2 or sorted(word) == sorted(other)]
    better = words.RUN_TOGETHER.get(word)
    edits: tuple[Edit, ...] = ()
    if better is None and near and mistake.mends(*span, near[0]):
        better = near[0]
    foreign = words.FOREIGN_STATEMENTS.get(word)
    if better is None and not _has_block(mistake) and mistake.mends(span[0], span[0], "do "):
        better = f"do {word}"
        edits = (Edit(span[0], span[0], "do ", f"write `do {word}` to run the step or action `{word}`"),)
        known = words.speaks_of(word, "(?:step|action|add|replace|wrap)[ ]+")
    instead = None
    if known and foreign is not None and mistake.mends(*span, foreign):
        instead = _foreign(mistake, foreign)
    if better is None and foreign is not None:
        return _foreign(mistake, foreign)
    if better is None:
        missing = [keyword for keyword in keywords if mistake.mends(span[0], span[0], f"{keyword} ")]
        if 0 < len(missing) <= 2:
            return _verb_missing(mistake, missing)
    if better is None and near and len(word) > 3:
        better = near[0]
    if better is not None and not edits and mistake.mends(*span, better):
        safe = word in words.RUN_TOGETHER or is_slip(word, better)
        edits = (Edit(*span, better, f"write `{better}`", safe=safe),)
    notes: tuple[str, ...] = ()
    if better is None:
        notes = (f"statements begin with {words.one_of(words.quoted(keywords))}",)
    elif not edits and better in words.FORMS:
        notes = (words.written(better),)
    return Problem(
        "C0116",
        f"`{words.shown(word)}` begins no statement",
        (Mark(*span, f"did you mean `{better}`?" if better else "expected a statement"),),
        notes=notes,
        edits=edits,
        known=known,
        instead=instead,
    )


def _foreign(mistake: Mistake, better: str) -> Problem:
    """A line that begins with what others call a statement."""
    word, span = str(mistake.first), span_of(mistake.first)
    said = words.SAID_OTHERWISE.get(word)
    right = mistake.mends(*span, better) and word not in words.NO_ONE_WORD
    edits = (Edit(*span, better, f"write `{better}`", safe=word in words.SAME_STATEMENTS),) if right else ()
    form = words.FORMS.get(better) if not right and said is None else None
    return Problem(
        "C0116",
        f"`{words.shown(word)}` begins no statement",
        (Mark(*span, f"did you mean `{better}`?"),),
        notes=(words.written(better),) if form is not None else (),
        help=(said,) if said is not None else (),
        edits=edits,
    )


def _has_block(mistake: Mistake) -> bool:
    """Whether the line below is indented deeper."""
    below = mistake.next_line()
    return below is not None and mistake.indent_of(below[0]) > mistake.indent_of(start_of(mistake.first))


def _verb_missing(mistake: Mistake, verbs: list[str]) -> Problem:
    at, end = span_of(mistake.first)
    said = words.one_of(words.quoted(f"{verb} {mistake.first}" for verb in verbs))
    return Problem(
        "C0116",
        f"`{words.shown(mistake.first)}` begins no statement",
        (Mark(at, end, f"did you mean {said}?"),),
        edits=tuple(
            Edit(at, at, f"{verb} ", f"write `{verb}` before `{mistake.first}`", safe=False)
            for verb in verbs[:1]
        )
        if len(verbs) == 1
        else (),
    )


def _assignment(mistake: Mistake) -> Problem:
    at = span_of(mistake.first)[0]
    says = "write `set` before the variable and `to` for `=`"
    whole = mistake.line[mistake.head + 1] is mistake.token
    name = words.shown(mistake.first)
    return Problem(
        "C0116",
        "a variable is changed with `set … to …`",
        (Mark(*span_of(mistake.token), "`=` compares, or gives a name with `let`"),),
        edits=(Edit(at, at, "set ", says), Edit(*span_of(mistake.token), "to", says)),
        # A variable is declared somewhere; a new name is given with `let`.
        known=rf"\b{name}\b(?:,[ ]*\w+)*[ ]*:|\b(?:track|let|in|for|each)[ ]+{name}\b" if whole else "",
        instead=Problem(
            "C0116",
            f"a name is given to a value with `let {name} = …`",
            (Mark(*span_of(mistake.first), "nothing is declared that is called so"),),
            help=(f"a variable is declared with its type, and then changed with `set {name} to …`",),
            edits=(Edit(at, at, "let ", f"write `let` before `{name}`", safe=False),),
        )
        if whole
        else None,
    )
