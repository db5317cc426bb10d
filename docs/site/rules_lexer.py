"""Highlighting of rules files in the built documentation.

Input: the text of rules. Output: Pygments tokens.
Invariants: the words come out of the grammar, so that a new one is known here without a change. A word of the
language is coloured wherever it stands, but behind a dot: where it is a name, that is wrong, and rare.
"""

from __future__ import annotations

import re

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from conche.resources import grammar_file

_CONSTANTS = ("yes", "no", "nothing")
_OPERATORS = ("and", "or", "not", "mod")


def grammar_words() -> list[str]:
    """All words that the grammar has, sorted."""
    text = re.sub(r"//[^\n]*", "", grammar_file("conche.lark").read_text("utf-8"))
    return sorted(set(re.findall(r'"([a-z]+)"', text)))


class RulesLexer(RegexLexer):
    """Rules files."""

    name = "Conche rules"
    aliases = ("rules",)
    filenames = ("*.rules",)
    flags = re.MULTILINE

    tokens = {  # noqa: RUF012 - the form that Pygments asks for
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"§[A-Z]?[0-9]+(\.[0-9]+)*[a-z]?", Comment.Special),
            (r'"[^"\n]*"', String.Double),
            (r"[0-9]+(\.[0-9]+)*\.([0-9]+|x)\b", Number),
            (r"[0-9]+", Number.Integer),
            (r"(\.)([a-z][a-z0-9_]*)", bygroups(Punctuation, Name.Attribute)),
            (words(_CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(_OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (words(grammar_words(), prefix="^", suffix=r"\b"), Keyword.Declaration),
            (words(grammar_words(), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"you\b", Name.Builtin.Pseudo),
            (r"[a-z][a-z0-9_]*(?=\()", Name.Function),
            (r"[a-z][a-z0-9_]*", Name),
            (r"[A-Z][A-Za-z0-9]*", Name.Class),
            (r"\.\.|!=|<=|>=|[=<>+\-*/]", Operator),
            (r"[()\[\]{},:.…]", Punctuation),
        ]
    }
