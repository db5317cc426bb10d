"""Places: every node knows where its text is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from conche.source import Source, Span, decode
from conche.syntax import ast
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from syntax.texts import cacao, rules_sources


def nodes(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    if isinstance(node, tuple):
        for child in node:
            yield from nodes(child)
    elif is_dataclass(node) and not isinstance(node, Span):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


@pytest.mark.parametrize("source", rules_sources(), ids=lambda source: source.name)
def test_spans_cover_the_text_of_their_nodes(source: Source) -> None:
    file, _ = parse(source)
    seen = 0
    for node in nodes((file.header, file.decls)):
        span: Span = node.span
        text = source.text[span.start : span.end]
        assert span == source.span(span.start, span.end)
        assert text == text.strip()
        match node:
            case ast.Name():
                assert text == node.text
            case ast.NameRef() | ast.TypeRef():
                assert text == node.name
            case ast.IntLit():
                assert text == str(node.value)
            case ast.StringLit():
                assert text == f'"{node.value}"'
            case ast.Cite():
                assert text == f"§{node.id}"
            case _:
                for field in fields(node):
                    for child in nodes(getattr(node, field.name)):
                        # A citation stands behind the text of a line.
                        assert isinstance(child, ast.Cite) or (
                            span.start <= child.span.start <= child.span.end <= span.end
                        ), text
        seen += 1
    assert seen > 10


def test_a_statement_ends_before_its_citation() -> None:
    source = Source("a.rules", 'game g "G"\nstep x §1\n  gain 3 gold   §2 # so\n  if a: stop §3\n')
    file, _ = parse(source)
    [step] = file.decls
    assert isinstance(step, ast.StepDecl)
    texts = [source.text[stmt.span.start : stmt.span.end] for stmt in step.body]
    assert texts == ["gain 3 gold", "if a: stop"]


def test_parentheses_belong_to_the_operation_around_them() -> None:
    source = Source("a.rules", 'game g "G"\nquery f() = (a + b) * (c)\n')
    file, _ = parse(source)
    [query] = file.decls
    assert isinstance(query, ast.QueryDecl)
    product = query.cases[0].value
    assert isinstance(product, ast.Binary)
    assert source.text[product.span.start : product.span.end] == "(a + b) * (c)"
    assert source.text[product.left.span.start : product.left.span.end] == "a + b"


def test_other_line_ends_change_nothing() -> None:
    source = cacao()
    expected = dump(parse(source)[0], spans=True)
    for end in (b"\r\n", b"\r"):
        data = source.text.encode().replace(b"\n", end)
        assert dump(parse(Source(source.name, decode(data, source.name)))[0], spans=True) == expected
    # An editor may hand over a text as it is.
    raw = Source(source.name, source.text.replace("\n", "\r\n"))
    assert dump(parse(raw)[0]) == dump(parse(source)[0])


def test_comments_are_kept_as_places() -> None:
    text = '# one\ngame g "# no"  # two\n  version 1.0.0 # three\n#four\n'
    file, found = parse(Source("a.rules", text))
    assert not found
    assert [text[span.start : span.end] for span in file.comments] == ["# one", "# two", "# three", "#four"]


def test_an_edit_moves_the_places_of_what_follows() -> None:
    source = cacao()
    before, _ = parse(source)
    after, _ = parse(Source(source.name, f"# a new line\n{source.text}"))
    for old, new in zip(nodes(before.decls), nodes(after.decls), strict=True):
        assert new.span.line == old.span.line + 1
        assert new.span.start == old.span.start + len("# a new line\n")
