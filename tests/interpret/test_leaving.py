"""Players who leave the game: what goes on without them."""

from __future__ import annotations

from typing import Any

import pytest

from conche.interpret import InterpreterState
from conche_runtime.errors import RulesError
from interpret.lab import engine, indented

_GAME = """\
game circle "Circle"
  version 1.0.0
  players 2..4
  seats red, blue, green, white

var first: Player = red, open
var seen: list of Player = [], open
var n: 0..99 = 0, open

each player has
  points: 0..9 = 0, open

play
{play}

score points = you.points
rank by total
"""

RED, BLUE, GREEN, WHITE = range(4)


def played(play: str, data: dict[str, Any] | None = None, players: int = 4) -> InterpreterState:
    return engine(_GAME.format(play=indented(play))).position(players, data=data or {}, log=True)


def seen(play: str, data: dict[str, Any] | None = None, players: int = 4) -> list[int]:
    found: list[int] = played(play, data, players).snapshot()["seen"]
    return found


ROUNDS = """\
rounds for p from red if p.points < 2
  add p to seen
  set p.points to p.points + 1
  if p = blue: eliminate white
"""


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("eliminate blue\nfor each p in players: add p to seen", [RED, GREEN, WHITE]),
        ("eliminate blue\nfor each p in clockwise(green): add p to seen", [GREEN, WHITE, RED]),
        ("eliminate blue\nfor each p in clockwise(blue): add p to seen", [GREEN, WHITE, RED]),
        ("eliminate blue\nadd left_of(red) to seen\nadd right_of(green) to seen", [GREEN, RED]),
        ("eliminate blue\nadd left_of(blue) to seen\nadd right_of(blue) to seen", [GREEN, RED]),
        ("eliminate blue\neliminate green\neliminate white\nadd left_of(red) to seen", [RED]),
        ("eliminate blue\neach player p from blue: add p to seen", [GREEN, WHITE, RED]),
        ("eliminate blue\nfor each p in [blue, red]: add p to seen", [RED]),
        ("for each p in players\n  add p to seen\n  eliminate left_of(p)", [RED, GREEN]),
        ("each player p from green\n  add p to seen\n  eliminate red", [GREEN, WHITE, BLUE]),
        (
            ROUNDS,
            [RED, BLUE, GREEN, RED, BLUE, GREEN],
        ),
        ("eliminate red\neliminate red\nfor each p in players: add p to seen", [BLUE, GREEN, WHITE]),
    ],
)
def test_loops_pass_over_those_who_are_out(play: str, expected: list[int]) -> None:
    assert seen(play) == expected


def test_numbers_of_players() -> None:
    state = played("set n to 10 * count(players)\neliminate red\nset n to n + count(players)")
    assert state.snapshot()["n"] == 43
    play = "eliminate red\nwith 4 players: set n to 1\nset n to n + count(p in players where p.points = 0)"
    assert played(play).snapshot()["n"] == 4


def test_what_one_has_stays_readable() -> None:
    assert played("set red.points to 7\neliminate red\nset n to red.points").snapshot()["n"] == 7


def test_a_choice_of_one_who_is_out_is_passed_over() -> None:
    state = played(
        """\
eliminate red
red: choose go
  case yes(yes = yes)
    set n to 1
  case no(yes = no)
    set n to 2
blue: choose go
  case yes(yes = yes)
    set n to n + 10
  case no(yes = no)
    set n to n + 20
"""
    )
    assert (state.to_act, state.snapshot()["n"]) == ((BLUE,), 0)
    state.step(1)
    assert state.snapshot()["n"] == 20


def test_a_short_choice_is_passed_over_with_what_follows_it_in_its_block() -> None:
    state = played(
        """\
eliminate red
if n = 0
  red: choose number(k in 1..2)
  set n to k
set n to n + 50
blue: choose number(k in 1..2)
set n to n + k
"""
    )
    assert (state.to_act, state.snapshot()["n"]) == ((BLUE,), 50)
    state.step(0)
    assert state.snapshot()["n"] == 51


def test_who_leaves_while_it_is_his_turn_is_not_asked_any_more() -> None:
    state = played(
        """\
each player you from red
  eliminate you
  choose go(k in 1..2)
  set n to n + k
"""
    )
    assert state.over
    assert state.snapshot()["out"] == [RED, BLUE, GREEN, WHITE]


def test_ranking() -> None:
    points = {"points": [1, 5, 9, 3]}
    state = played("eliminate green\neliminate blue", points)
    assert state.ranking == [[WHITE], [RED], [BLUE], [GREEN]]
    assert played("eliminate green", {"points": [3, 1, 9, 3]}).ranking == [[RED, WHITE], [BLUE], [GREEN]]
    assert played("set n to count(players)\nif n = 1: eliminate green", points).ranking[0] == [GREEN]


def test_who_is_out_is_shown_and_can_be_given() -> None:
    play = "each player you from first\n  choose go(k in 1..2)\n  set n to n + k\neliminate red"
    state = played(play, {"out": [GREEN, BLUE]})
    assert (state.to_act, state.snapshot()["out"], state.view(RED)["out"]) == (
        (RED,),
        [GREEN, BLUE],
        [GREEN, BLUE],
    )
    state.step(0)
    assert state.to_act == (WHITE,)
    loaded = state.engine.from_json(state.to_json())
    loaded.step(0)
    assert (loaded.over, loaded.snapshot()["out"]) == (True, [GREEN, BLUE, RED])
    with pytest.raises(ValueError, match="'out' does not name seats"):
        played(play, {"out": [4]})
    assert "out" not in played("set n to 1").snapshot()


def test_who_does_not_play_cannot_leave() -> None:
    with pytest.raises(RulesError, match="white does not play"):
        played("eliminate white", players=3)
