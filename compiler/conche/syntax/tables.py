"""The parser's tables: made of the grammar once, then read from the cache.

Purpose: gives lark's LALR parser without the half second that making its tables takes.
Input: `grammar/conche.lark`. Output: a `Lark` with the start symbols `header` and `decl`.
Invariants: a cache entry is named by all that it depends on and carries a checksum; a missing, damaged or
unwritable entry costs time and nothing else.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import io
import sys
from functools import cache
from typing import Literal

import lark
from lark import Lark
from lark.lexer import Lexer

from conche.resources import cache_dir, grammar_file, write_atomic
from conche.syntax.layout import Layout
from conche.syntax.words import Words

_FORMAT = 2
"""Goes up when what this module, `Layout` or `Words` puts into an entry changes."""


def build(*, strict: bool = False, lexer: type[Lexer] | Literal["contextual"] = Words) -> Lark:
    """Makes the tables anew. `strict` refuses conflicts and colliding terminals, and is slow."""
    return Lark(
        _grammar(),
        parser="lalr",
        lexer=lexer,
        start=["header", "decl"],
        postlex=Layout(),
        maybe_placeholders=True,
        propagate_positions=True,
        strict=strict,
    )


@cache
def load() -> Lark:
    """The parser, from the cache where that has it. One for the whole process."""
    key = hashlib.sha256(
        repr((_FORMAT, lark.__version__, sys.version_info[:2], Layout.always_accept, _grammar())).encode()
    ).hexdigest()
    entry = cache_dir() / f"grammar-{key[:32]}.tables"
    try:
        parser = _unpack(entry.read_text(encoding="ascii"))
    except Exception:  # a damaged entry may fail in any way
        parser = None
    if parser is None:
        parser = build()
        with contextlib.suppress(OSError):
            write_atomic(entry, _pack(parser))
    return parser


def _grammar() -> str:
    return grammar_file("conche.lark").read_text(encoding="utf-8")


def _pack(parser: Lark) -> str:
    buffer = io.BytesIO()
    parser.save(buffer)
    data = buffer.getvalue()
    return f"{hashlib.sha256(data).hexdigest()}\n{base64.b64encode(data).decode('ascii')}\n"


def _unpack(text: str) -> Lark | None:
    digest, _, encoded = text.partition("\n")
    data = binascii.a2b_base64(encoded)
    if hashlib.sha256(data).hexdigest() != digest:
        return None
    return Lark.load(io.BytesIO(data))
