"""The characters of a rules file, put together to what can be told apart without a grammar.

Input: none. Output: `TOKEN`, which matches everywhere: a token of the language, or what was perhaps meant as
one. The lexer proper is lark's; this one serves to say what is wrong with characters, brackets and lines.
"""

from __future__ import annotations

import re

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

CLOSES = {"(": ")", "[": "]", "{": "}"}
"""The bracket that closes another."""
