"""Pieces that carry pieces: copies, what the rules say of the family, and how it all looks from outside."""

from __future__ import annotations

from conche.graph.from_rulebook import from_rulebook
from conche.interpret.state import Interpreter
from conche.modules.load import load, load_source
from conche.semantics import rulebook as rb
from conche.semantics.walk import walk
from conche.source import Source

GAME = """\
game lab "Lab"
  version 1.0.0
  players 2..3
  seats red, blue, green
piece Gem
  ruby
  opal
piece Tile
  water
  mine carries store gems of 3 Gem, open
board table square grid at most 8 across
  on yes up to 1 Tile
pile stock of Tile, hidden
row display of 3 Tile, open
bag cart of Gem, hidden
var left_over: 0..9 = 2, open
each player has
  store gems of Gem, open
setup
  put 2 water in stock
  with 2 players: put 1 mine in stock
  with 3 players: put 2 mine in stock
  swap every water for mine in stock
  put 6 ruby, 6 opal in cart
  shuffle stock
  draw 3 from stock to display
trigger load when t: mine enters display if t.gems is empty
  draw 2 from cart to t.gems
play
  rounds for you from red if left_over > 0
    do turn
step turn
  choose take
    case take(tile in kinds(display), gem in kinds(tile.gems))
      move gem from tile.gems to you.gems
    case lay(tile in kinds(display), at in [(0, 0), (1, 1)]) if display[mine] > 1 and (0, 0) is empty
      move tile from display to at
      if at.gems is not empty: set left_over to 2
    none
      stop
  if you = red: set left_over to left_over - 1
score gems = count(you.gems)
rank by total
"""


def _book() -> rb.Rulebook:
    result = load_source(Source("lab.rules", GAME), ruleset="lab")
    assert [d.title for d in result.diagnostics] == []
    assert result.rulebook is not None
    return result.rulebook


def test_there_are_as_many_copies_as_pieces_can_come() -> None:
    kinds = _book().pieces["Tile"].kinds
    assert [(kind.name, kind.written, kind.copy) for kind in kinds if kind.family == "mine"] == [
        (f"mine#{n}", "mine", n) for n in (1, 2, 3, 4)
    ]
    assert {kind.carries for kind in kinds} == {None, "mine.gems"}
    assert _book().zones["mine.gems"].owner == "mine"


def test_the_family_means_all_its_copies() -> None:
    book = _book()
    event = book.triggers["load"].event
    assert isinstance(event, rb.OnEnter)
    assert event.kinds == ("mine#1", "mine#2", "mine#3", "mine#4")
    asked = [n for n in walk(book.steps["turn"].body) if isinstance(n, rb.ZoneHolds)]
    assert len(asked) == 4


def test_moves_and_pictures_say_what_is_carried() -> None:
    engine = Interpreter(from_rulebook(_book()))
    state = engine.start(3, seed=1)
    display = state.snapshot()["display"]
    assert len(display) == 3
    assert all(entry["kind"] == "mine" and sum(entry["gems"].values()) == 2 for entry in display)
    assert state.snapshot()["cart"] == {
        gem: 6 - sum(entry["gems"].get(gem, 0) for entry in display) for gem in ("ruby", "opal")
    }
    moves = state.legal_moves()
    assert len(set(moves)) == len(moves)
    first = moves[0]
    assert list(first.args) == ["tile", "gems", "gem"]
    assert first.args["gems"] in [entry["gems"] for entry in display]
    lay = next(move for move in moves if "at" in move.args)
    state.apply(lay)
    (entry,) = state.snapshot()["table"]
    assert entry["pieces"] == [{"kind": "mine", "gems": lay.args["gems"]}]
    assert "mine.gems" not in state.snapshot()


def test_saves_and_positions_keep_what_is_carried() -> None:
    engine = Interpreter(from_rulebook(_book()))
    state = engine.start(2, seed=3)
    state.apply(next(move for move in state.legal_moves() if "at" in move.args))
    assert engine.from_json(state.to_json()).snapshot() == state.snapshot()
    again = engine.from_position({**state.to_position(), "left_over": 2})
    for part in ("display", "table", "cart", "gems"):
        assert again.snapshot()[part] == state.snapshot()[part]


def test_how_many_there_are_must_be_known() -> None:
    text = GAME.replace("score gems", "step more\n  put 1 mine in stock\nscore gems", 1)
    looped = text.replace("step more\n  put 1 mine", "step more\n  repeat 2 times\n    put 1 mine", 1)
    result = load_source(Source("lab.rules", looped), ruleset="lab")
    assert [(d.code, d.title) for d in result.diagnostics] == [
        ("C0205", "it cannot be told how many 'mine' come into the game")
    ]


def test_the_gem_mines_of_cacao() -> None:
    result = load("cacao+gem_mines")
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert sum(kind.copy > 0 for kind in result.rulebook.pieces["Jungle"].kinds) == 5
