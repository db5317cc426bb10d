"""Printing: the canonical text of a tree means the tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conche.source import Source, Span
from conche.syntax import ast
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from conche.syntax.to_text import to_text
from conche.syntax.wrapping import CITE_COLUMN, WIDTH
from syntax.texts import rules_sources

NOWHERE = Span("", 0, 0, 0, 0, 0, 0)
NAMES = st.sampled_from(["x", "you", "count", "case", "e1"])


def _name(text: str) -> ast.Name:
    return ast.Name(text, NOWHERE)


def _path(value: ast.Expr) -> bool:
    match value:
        case ast.NameRef() | ast.Call() | ast.Fold():
            return True
        case ast.Attr() | ast.Index():
            return _path(value.value)
        case _:
            return False


def _larger(parts: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    flags = st.booleans()
    several = st.lists(parts, max_size=3).map(tuple)
    names = NAMES.map(_name)
    patterns = st.builds(
        ast.Pattern, names, st.none() | st.lists(parts, min_size=1).map(tuple), st.just(NOWHERE)
    )
    items = st.builds(ast.Item, parts, parts.filter(_path), st.just(NOWHERE))
    operators = st.sampled_from(
        ["+", "-", "*", "/", "mod", "=", "!=", "<", ">", "<=", ">=", "and", "or", "in", "not in"]
    )
    over, of = (
        st.sampled_from(["count", "any", "each"]),
        st.sampled_from(["sum", "most", "least", "all", "each"]),
    )
    return st.one_of(
        st.builds(ast.Attr, parts, names, st.just(NOWHERE)),
        st.builds(ast.Index, parts, parts, st.just(NOWHERE)),
        st.builds(ast.Call, names, several, st.just(NOWHERE)),
        st.builds(ast.TupleLit, st.lists(parts, min_size=2, max_size=3).map(tuple), st.just(NOWHERE)),
        st.builds(ast.ListLit, st.lists(parts | items, max_size=3).map(tuple), st.just(NOWHERE)),
        st.builds(ast.RangeLit, parts, parts, st.just(NOWHERE)),
        st.builds(ast.Unary, st.sampled_from(["-", "not"]), parts, st.just(NOWHERE)),
        st.builds(ast.Binary, operators, parts, parts, st.just(NOWHERE)),
        st.builds(ast.IsEmpty, parts, flags, st.just(NOWHERE)),
        st.builds(ast.IsPattern, parts, patterns, flags, st.just(NOWHERE)),
        st.builds(ast.IsA, parts, st.just(_name("Worker")), flags, st.just(NOWHERE)),
        st.builds(ast.IfExpr, parts, parts, parts, st.just(NOWHERE)),
        st.builds(ast.Fold, over, st.none(), names, parts, st.none() | parts, st.just(NOWHERE)),
        st.builds(ast.Fold, of, parts, names, parts, st.none() | parts, st.just(NOWHERE)),
    )


LEAVES: st.SearchStrategy[ast.Expr] = st.one_of(
    st.builds(ast.IntLit, st.integers(0, 10**18 - 1), st.just(NOWHERE)),
    st.builds(ast.FlagLit, st.booleans(), st.just(NOWHERE)),
    st.builds(ast.StringLit, st.text("ab §#ü'", max_size=5), st.just(NOWHERE)),
    st.builds(ast.NoneLit, st.just(NOWHERE)),
    st.builds(ast.NameRef, NAMES, st.just(NOWHERE)),
    st.builds(ast.TypeRef, st.sampled_from(["Worker", "T2"]), st.just(NOWHERE)),
)

EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=12)


@pytest.mark.slow
@given(EXPRESSIONS)
def test_any_expression_survives(expr: ast.Expr) -> None:
    text = to_text(expr)
    file, found = parse(Source("a.rules", f'game g "G"\nquery f() = {text}\n'))
    assert not found, text
    [query] = file.decls
    assert isinstance(query, ast.QueryDecl)
    assert dump(query.cases[0].value) == dump(expr), text


@given(EXPRESSIONS)
def test_any_line_survives_wrapping(expr: ast.Expr) -> None:
    stmt = ast.Set(ast.NameRef("x", NOWHERE), expr, NOWHERE, (ast.Cite("1.4a", NOWHERE),))
    step = ast.StepDecl(_name("s"), (), (stmt,), NOWHERE, ())
    text = to_text(step)
    file, found = parse(Source("a.rules", f'game g "G"\n{text}'))
    assert not found, text
    assert dump(file.decls[0]) == dump(step), text


@pytest.mark.parametrize("source", rules_sources(), ids=lambda source: source.name)
def test_rules_files_survive(source: Source) -> None:
    file, found = parse(source)
    assert not found
    text = to_text(file)
    again, found = parse(Source(source.name, text))
    assert not found
    assert dump(again) == dump(file)
    assert to_text(again) == text
    for line in text.splitlines():
        assert len(line.partition("§")[0].rstrip()) <= WIDTH
        cite = line.find(" §")
        assert cite < 0 or cite + 1 >= CITE_COLUMN or line.split()[0] in ("always", "ruling")


def test_parts_of_a_file_are_printed_alone() -> None:
    file, _ = parse(Source("a.rules", 'game g "G"\n\nstep x: gain up to 1 + 2 gold §1\n'))
    [step] = file.decls
    assert isinstance(step, ast.StepDecl)
    [gain] = step.body
    assert isinstance(gain, ast.Gain)
    assert file.header is not None
    assert to_text(file.header) == 'game g "G"\n'
    assert to_text(step) == f"{'step x: gain up to 1 + 2 gold':<{CITE_COLUMN}}§1\n"
    assert to_text(gain) == f"{'gain up to 1 + 2 gold':<{CITE_COLUMN}}§1\n"
    assert to_text(gain.amount) == "1 + 2"
    assert to_text(ast.NamedType(_name("flag"), NOWHERE)) == "flag"


def test_what_was_not_read_is_not_printed() -> None:
    file, found = parse(Source("a.rules", 'game g "G"\n\nstep x\n  gain 3\n\nenum Good\n'))
    assert len(found) == 2
    for decl in file.decls:
        with pytest.raises(ValueError, match="was not read"):
            to_text(decl)
