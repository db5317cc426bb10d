"""Names and texts of the rules never become anything but names and texts."""

from __future__ import annotations

import ast
import builtins
import keyword

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


HOSTILE = """
game hostile "\\"\\"\\" + __import__('os') {{ 7 * 7 }} {% raw %}"
  version 1.0.0
  players 2..2
  seats class, lambda

enum Thing(cost: 0..9)
  def (1) written "'); raise SystemExit #"
  none_of (2) written "{{ 1 / 0 }}"
  print (3) written "\\"\\"\\"\\\\"
  true (4) written "a\u2028b\u202ec"

piece None
  import
  exec

pile list of None, hidden
row range of 2 None, open
var state: 0..9 = 0, open
var clone: 0..9 = 0, open
var steps_of_a_very_long_name_that_goes_on_and_on_and_on_and_on: 0..9 = 3, open

each player has
  self: 0..9 = 0, open
  players_: 0..9 = 0, open
  pool draw of Thing, open

setup
  put 3 import, 2 exec in list
  for each p in players: put 1 def, 1 print, 1 true, 1 none_of in p.draw

play
  rounds for you from class if steps_of_a_very_long_name_that_goes_on_and_on_and_on_and_on > 0
    set steps_of_a_very_long_name_that_goes_on_and_on_and_on_and_on to steps_of_a_very_long_name_that_goes_on_and_on_and_on_and_on - 1
    do yield(you)

step yield(you: Player)
  draw up to 1 from list to range
  choose return
    case pass(global in kinds(you.draw), args = 1, name = 2)
      move global from you.draw to lambda.draw
      set you.self to global.cost
    case del(codes in 0..2, args = 2)
      let match = codes + as(codes)
      set state to match
    always §1

query as(assert: 0..9) = assert * 2 - assert

score len = you.self
score total_ = as(state)
rank by total
"""


def test_a_hostile_game_is_only_a_game() -> None:
    graph = graph_of(HOSTILE)
    module = module_of(build(graph))
    assert module.engine.ruleset == "game"
    assert same_games(engines_of(graph), 2, 0) == "over"


def test_state_attributes_are_kept_clear_of() -> None:
    assert {"clone", "scores", "apply", "log", "at"} <= ATTRIBUTES
