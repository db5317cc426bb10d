"""Names and texts of the rules never become anything but names and texts."""

from __future__ import annotations

import ast
import builtins
import keyword
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conche_runtime
from codegen.engines import engines_of, graph_of, module_of, same_games
from conche.codegen import build
from conche.codegen.names import ATTRIBUTES, Scope, block_name, camel, constant, plain
from conche.codegen.print_expressions import literal
from conche.codegen.to_python import doc_text

WORDS = [
    *keyword.kwlist,
    *keyword.softkwlist,
    *dir(builtins),
    *conche_runtime.__all__,
    "state",
    "self",
    "l",
    "O",
]


@pytest.mark.parametrize("word", WORDS)
def test_no_word_of_python_is_given_as_a_name(word: str) -> None:
    name = Scope().give(word)
    assert name != word
    assert name.isidentifier()
    assert not keyword.iskeyword(name)


def test_names_in_a_scope_are_unique() -> None:
    outer = Scope()
    scope = Scope(outer)
    assert [outer.give("a"), scope.give("a"), scope.give("a"), scope.give("a_"), scope.give("if")] == [
        "a",
        "a_",
        "a_2",
        "a__",
        "if_",
    ]


@given(st.text())
def test_any_text_gives_an_identifier(text: str) -> None:
    for name in (plain(text), constant(text), Scope().give(camel(text))):
        assert name.isidentifier()
        assert name.isascii()
        assert len(name) <= 44


@given(st.text())
def test_a_literal_is_that_text_and_nothing_else(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert "\n" not in literal(text)


@given(st.text())
def test_a_title_does_not_leave_its_docstring(text: str) -> None:
    module = ast.parse(f'"""{doc_text(text)}, played by its rules.\n"""\n')
    assert len(module.body) == 1


@pytest.mark.parametrize(
    ("node", "name"),
    [
        ("step.fill", "fill"),
        ("step.fill/1.while/next", "fill_while"),
        ("step.fill/1.while/0.choose_fill/display", "fill_display"),
        ("step.place/0.choose_place/0", "place_chosen"),
        ("action.use.market(2)/end", "use_market_2_end"),
        ("phase.setup", "setup"),
        ("trigger.flood", "flood"),
    ],
)
def test_names_of_blocks(node: str, name: str) -> None:
    assert block_name(node) == name


def test_a_hostile_game_is_only_a_game() -> None:
    graph = graph_of((Path(__file__).parent / "hostile.rules").read_text(encoding="utf-8"))
    module = module_of(build(graph))
    assert module.engine.ruleset == "game"
    assert same_games(engines_of(graph), 2, 0) == "over"


def test_state_attributes_are_kept_clear_of() -> None:
    assert {"clone", "scores", "apply", "log", "at"} <= ATTRIBUTES
