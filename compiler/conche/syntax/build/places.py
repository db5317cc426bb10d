"""What the builders of AST nodes share: places, tokens, refusals.

Purpose: turns the offsets of a lark tree into spans of the whole file.
Input: lark's trees and tokens, whose offsets count from the beginning of a declaration. Output: spans, names,
cites.
Invariant: a mistake that the grammar cannot see raises `RefusedError`; the nearest statement or declaration
catches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from conche.diagnostics import Diagnostic, Fix, Label, diagnose, is_slip
from conche.source import Source, Span
from conche.syntax import ast
from conche.syntax.explain.words import RESERVED

Node = Tree[Token]

_CITE = re.compile(r"§[A-Za-z0-9.]+")


class RefusedError(Exception):
    """Something that the grammar accepts is no sentence of the language."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.title)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class Place:
    """Where the declaration that is being built lies, and what was found wrong in it."""

    source: Source
    base: int
    found: list[Diagnostic] = field(default_factory=list)

    def span(self, node: Node | Token, last: Node | Token | None = None) -> Span:
        """The text of a node, or from a node to another. Only for nodes that cover some text."""
        start = node.start_pos if isinstance(node, Token) else node.meta.start_pos
        end_node = node if last is None else last
        end = end_node.end_pos if isinstance(end_node, Token) else end_node.meta.end_pos
        assert start is not None
        assert end is not None
        return self.source.span(self.base + start, self.base + end)

    def line(self, node: Node) -> Span:
        """The text of a node that has no block, without the citations at its end."""
        whole, text = self.span(node), self.source.text
        end = whole.end
        while (sign := text.rfind("§", whole.start, end)) > 0 and _CITE.fullmatch(text, sign, end):
            end = len(text[whole.start : sign].rstrip()) + whole.start
        return whole if end == whole.end else self.source.span(whole.start, end)

    def until(self, node: Node, last: Span) -> Span:
        """From the beginning of a node to the end of the last part of its block."""
        assert node.meta.start_pos is not None
        return self.source.span(self.base + node.meta.start_pos, last.end)

    def name(self, token: Token) -> ast.Name:
        """A name that refers to something, or one that never stands in an expression."""
        return ast.Name(str(token), self.span(token))

    def new_name(self, token: Token) -> ast.Name:
        """A name given to something, which expressions may want to refer to."""
        if token in RESERVED:
            raise RefusedError(
                diagnose(
                    "C0125",
                    f"`{token}` is a word of the language and names nothing",
                    Label(self.span(token), "expected a name"),
                    help=["choose another name"],
                )
            )
        return self.name(token)

    def player_name(self, token: Token, tree: Node) -> ast.Name:
        """The name of whoever a loop goes through. Where it is `you` misspelt, nothing in it speaks of it."""
        text = str(token)
        if text == "you" or len(text) < 2 or not is_slip(text, "you"):
            return self.new_name(token)
        whole = self.span(tree)
        if len(re.findall(rf"\b{text}\b", self.source.text[whole.start : whole.end])) > 1:
            return self.new_name(token)
        self.found.append(
            diagnose(
                "C0114",
                f"nothing speaks of `{text}`: `you` is meant",
                Label(self.span(token), "did you mean `you`?"),
                fixes=[Fix(self.span(token), "you", "write `you`")],
            )
        )
        return ast.Name("you", self.span(token))

    def names(self, tree: Node) -> tuple[ast.Name, ...]:
        return tuple(self.name(token) for token in tokens(tree))

    def string(self, token: Token) -> ast.StringLit:
        return ast.StringLit(str(token)[1:-1], self.span(token))

    def cite(self, token: Token) -> ast.Cite:
        return ast.Cite(str(token)[1:], self.span(token))

    def cites(self, tree: Node) -> tuple[ast.Cite, ...]:
        return tuple(self.cite(token) for token in tokens(tree))


def parts(tree: Node) -> Iterator[Node]:
    """The children that are trees."""
    return (child for child in tree.children if isinstance(child, Tree))


def tokens(tree: Node) -> Iterator[Token]:
    """The children that are tokens."""
    return (child for child in tree.children if isinstance(child, Token))


def part(tree: Node, kind: str) -> Node | None:
    """The child tree of that kind, if there is one."""
    return next((child for child in parts(tree) if child.data == kind), None)


def the(tree: Node, kind: str) -> Node:
    """The child tree of that kind, which the grammar promises."""
    found = part(tree, kind)
    assert found is not None, f"{tree.data} without {kind}"
    return found
