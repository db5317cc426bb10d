"""Who knows what lies where in a pile: looking, moving, showing, dealing anew."""

from __future__ import annotations

from typing import Any

import pytest

from conche.interpret import InterpreterState
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChanceEvent, RevealEvent
from interpret.lab import engine, indented, scripted

_GAME = """\
game stack "Stack"
  version 1.0.0
  players 3..3
  seats red, blue, green

piece Card
  a
  b
  c
  d

pile deck of Card, hidden
pile faceup of Card, open
row line of Card, open
pool grave of Card, hidden
var n: 0..9 = 0, open

each player has
  hand cards of Card, secret
  pile own of Card, secret

setup
  put 1 a, 1 b, 1 c, 1 d in deck

play
{play}
  red: choose rest(k in 0..1)
  set n to k

score n = n
rank by total
"""

RED, BLUE, GREEN = range(3)


def stack(play: str, *deck: str) -> InterpreterState:
    """The game after these lines; `deck`: what is drawn from it or seen in it, one after another."""
    made = engine(_GAME.format(play=indented(play)))
    return made.start(3, chance=scripted({"deck": deck}), log=True)


def views(state: InterpreterState, zone: str = "deck") -> list[Any]:
    return [state.view(seat)[zone] for seat in range(3)]


UNSEEN = {"size": 4}


def test_who_looks_gets_to_know_the_top() -> None:
    state = stack("each player you from blue\n  if you = blue: look at 2 of deck", "c", "a")
    assert state.log == [ChanceEvent("deck", "c", (BLUE,)), ChanceEvent("deck", "a", (BLUE,))]
    assert views(state) == [UNSEEN, {"size": 4, "top": ["c", "a"], "bottom": []}, UNSEEN]
    assert state.snapshot()["deck"] == {
        "size": 4,
        "top": ["c", "a"],
        "bottom": [],
        "unknown": {"b": 1, "d": 1},
        "top_known_by": [[BLUE], [BLUE]],
    }


def test_a_second_look_draws_nothing_that_is_known() -> None:
    play = (
        "each player you from red\n  if you != green: look at 1 of deck\n  if you = blue: look at 2 of deck"
    )
    state = stack(play, "d", "b")
    told = RevealEvent("deck", "d", (BLUE,))
    assert state.log == [ChanceEvent("deck", "d", (RED,)), told, ChanceEvent("deck", "b", (BLUE,))]
    assert views(state)[RED]["top"] == ["d"]
    assert views(state)[BLUE]["top"] == ["d", "b"]
    assert state.snapshot()["deck"]["top_known_by"] == [[RED, BLUE], [BLUE]]


def test_what_lies_under_an_unknown_piece() -> None:
    play = """\
for each you in [red]: look at 1 of deck
draw 1 from deck to grave
for each you in [blue]: look at 1 of deck
for each card in grave
  move card from grave to deck
"""
    state = stack(play, "d", "b")
    # Red saw the piece that lies on top again, blue the one below it; but a piece in the grave is nobody's.
    assert views(state) == [UNSEEN, {"size": 4, "top": [None, "b"], "bottom": []}, UNSEEN]


def test_a_known_piece_that_is_drawn_is_no_chance() -> None:
    state = stack("for each you in [red]: look at 1 of deck\ndraw 2 from deck to line", "d", "b")
    told = RevealEvent("deck", "d", None)
    assert state.log == [ChanceEvent("deck", "d", (RED,)), told, ChanceEvent("deck", "b", None)]
    assert state.snapshot()["line"] == ["d", "b"]


def test_a_look_at_more_than_there_is() -> None:
    with pytest.raises(RulesError, match="5 of 'deck' should be looked at, which holds 4"):
        stack("for each you in [red]: look at 5 of deck")


@pytest.mark.parametrize(
    ("play", "deck", "known_by", "seen"),
    [
        # from an open place: all know it there
        (
            "draw 1 from deck to line\nfor each x in line: move x from line to deck under",
            ["c"],
            None,
            [True] * 3,
        ),
        # from a hand: its owner does
        (
            "draw 1 from deck to blue.cards\nfor each x in blue.cards: move x from blue.cards to deck under",
            ["c"],
            [BLUE],
            [False, True, False],
        ),
        # from a hidden place: nobody
        (
            "draw 1 from deck to grave\nfor each x in grave: move x from grave to deck under",
            ["c"],
            [],
            [False] * 3,
        ),
        # from a hidden pile, where one knew it
        (
            "for each you in [green]: look at 1 of deck\ndraw 1 from deck to own_pile\n".replace(
                "own_pile", "blue.own"
            )
            + "for each x in blue.own: move x from blue.own to deck under",
            ["c"],
            [BLUE, GREEN],
            [False, True, True],
        ),
    ],
)
def test_who_saw_a_piece_knows_it_under_the_pile(
    play: str, deck: list[str], known_by: list[int] | None, seen: list[bool]
) -> None:
    state = stack(play, *deck)
    snapshot = state.snapshot()["deck"]
    assert snapshot["bottom"] == ["c"]
    assert snapshot.get("bottom_known_by", [None]) == [known_by]
    known = {"size": 4, "top": [], "bottom": ["c"]}
    assert views(state) == [known if sees else UNSEEN for sees in seen]


def test_shuffling_ends_all_knowledge() -> None:
    state = stack("for each you in [red]: look at 1 of deck\nshuffle deck", "c")
    assert state.snapshot()["deck"] == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert views(state) == [UNSEEN] * 3


def test_a_position_taken_from_a_snapshot_knows_the_same() -> None:
    state = stack("for each you in [blue]: look at 2 of deck", "c", "a")
    again = state.engine.from_position(state.to_position())
    # Play begins anew there: blue looks at what he knows, and nothing is drawn.
    assert again.snapshot() == state.snapshot()
    loaded = state.engine.from_json(state.to_json(), chance=scripted({}))
    assert loaded.snapshot() == state.snapshot()


def test_a_sample_keeps_what_the_player_knows() -> None:
    state = stack("for each you in [blue]: look at 1 of deck", "c")
    tops = {seat: set[str]() for seat in range(3)}
    for seed in range(40):
        for seat in range(3):
            sample = state.sample(seat, seed)
            assert sample.view(seat) == state.view(seat)
            snapshot = sample.snapshot()["deck"]
            assert snapshot["top_known_by"] == [[BLUE]]
            tops[seat].add(snapshot["top"][0])
    assert tops == {RED: {"a", "b", "c", "d"}, BLUE: {"c"}, GREEN: {"a", "b", "c", "d"}}
