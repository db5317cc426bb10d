"""The unexpected: says in the words of the language why the parser stopped.

Input: the text of a declaration that does not parse. Output: a `Problem`, and an offset on the line to blame.
Invariants: the first explanation that fits is given, the most special ones are asked first; a change is
proposed only when it was tried and the line then parses. To add one: write a function that looks at a
`Mistake`, and list it here.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedInput

from conche.syntax.explain import first_words, habits, inside, lines, otherwise
from conche.syntax.explain.mistake import LAYOUT, look, start_of
from conche.syntax.explain.trial import run
from conche.syntax.problems import Mark, Problem

_EXPLANATIONS = (
    lines.indented,
    habits.ends_with_operator,
    habits.braces_around_block,
    habits.counted_loop,
    habits.value_of_query,
    lines.block_missing,
    lines.colon,
    lines.value_below,
    first_words.declaration,
    inside.numbered_seat,
    lines.citation,
    first_words.late_case,
    first_words.inner,
    first_words.at_once,
    first_words.statement,
    otherwise.condition_behind,
    habits.next_statement,
    habits.type_before_name,
    habits.joined,
    otherwise.given_is,
    otherwise.number_word,
    otherwise.change,
    otherwise.rank_word,
    otherwise.next_player,
    otherwise.capacity,
    otherwise.board_size,
    otherwise.seen_by,
    otherwise.take_from,
    otherwise.short_choice,
    otherwise.no_clause,
    otherwise.unnamed_argument,
    inside.value_behind_is,
    inside.chained,
    inside.decimal,
    inside.count,
    inside.empty_parentheses,
    inside.visibility,
    inside.braces,
    inside.foreign_type,
    inside.capitals,
    inside.keyword,
    inside.misspelt,
    inside.comma,
    inside.missing,
    inside.other_word,
    inside.general,
)


def explain(text: str, start: str) -> tuple[Problem, int]:
    """Why `text` does not parse, and an offset on the line that is to blame."""
    try:
        stop = run(text, start)
    except UnexpectedInput as error:
        # The scan lets only known tokens through.
        at = getattr(error, "pos_in_stream", None) or 0
        return Problem("C0101", "this is no part of the language", (Mark(at, at + 1),)), at
    assert stop is not None, "the text parses"
    mistake = look(text, start, stop)
    problem = next(found for explanation in _EXPLANATIONS if (found := explanation(mistake)) is not None)
    blamed = mistake.line[0] if mistake.line[0].type not in LAYOUT else mistake.previous
    if problem.code == "C0117":
        return problem, problem.start
    return problem, start_of(blamed) if blamed is not None else 0
