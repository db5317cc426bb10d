"""The AST as text: `conche build --emit ast`, and the goldens of the tests.

Input: a `File` or any node. Output: lines; a node that holds statements or parts of a declaration has them
indented below it, any other stands on the line of what it belongs to.
Invariants: says all that the nodes say (a field that may be left out only where it says something), spans
only when asked; stable, so that two dumps are equal when two
trees are.

    StepDecl name=supply params=[] §1.1
      Gain amount=Binary(*, NameRef(amount), IntLit(2)) up_to=no resource=gold
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

from conche.source import Span
from conche.syntax import ast

_BLOCKS = {
    "body",
    "then",
    "otherwise",
    "none",
    "cases",
    "variants",
    "members",
    "holds",
    "attributes",
    "lines",
    "lets",
    "decls",
    "hints",
}
"""Fields whose nodes stand on lines of their own, where they are no expressions."""

_PARTS = {"passing", "choose"}
"""Fields with one node, which stands on a line of its own."""


def dump(node: Any, *, spans: bool = False) -> str:
    """The text of a file, declaration, statement or expression."""
    if isinstance(node, ast.File):
        lines = [f"File {node.name}"]
        for child in (*([node.header] if node.header else []), *node.decls):
            lines += [f"  {line}" for line in _lines(child, spans)]
        if spans:
            lines += [f"  comment {_place(span)}" for span in node.comments]
    else:
        lines = list(_lines(node, spans))
    return "\n".join(lines) + "\n"


def _lines(node: Any, spans: bool) -> Iterator[str]:
    """A node that has lines of its own."""
    head = [type(node).__name__]
    if spans:
        head.append(_place(node.span))
    cites = ""
    blocks: list[tuple[str, tuple[Any, ...]]] = []
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == "span" or (field.name == "carries" and value is None):
            continue
        if field.default is not MISSING and value == field.default:
            continue
        if field.name == "cites":
            cites = "".join(f" §{cite.id}" for cite in value)
        elif field.name in _BLOCKS and isinstance(value, tuple):
            blocks.append((field.name, value))
        elif field.name in _PARTS:
            blocks.append((field.name, (value,)))
        else:
            head.append(f"{field.name}={_inline(value, spans)}")
    yield " ".join(head) + cites
    for name, children in blocks:
        alone = name in {"body", "variants", "members", "lines", "decls", "hints"}
        if not alone and (children or name == "none"):
            yield f"  {name}:"
        for child in children:
            for line in _lines(child, spans):
                yield f"  {line}" if alone else f"    {line}"


def _inline(value: Any, spans: bool) -> str:
    """A value within a line."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return f"[{', '.join(_inline(item, spans) for item in value)}]"
        case ast.StringLit():
            return f'"{value.value}"' + (_place(value.span) if spans else "")
        case ast.Name():
            return value.text + (_place(value.span) if spans else "")
        case ast.Cite():
            return f"§{value.id}"
        case ast.Path():
            return ".".join(_inline(name, spans) for name in value.names)
        case _ if hasattr(value, "span"):
            inner = ", ".join(
                _inline(getattr(value, field.name), spans) for field in fields(value) if field.name != "span"
            )
            return f"{type(value).__name__}{_place(value.span) if spans else ''}({inner})"
        case _:
            return str(value)


def _place(span: Span) -> str:
    return f"@{span.line}:{span.column}-{span.end_line}:{span.end_column}"
