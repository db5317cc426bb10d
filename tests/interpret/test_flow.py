"""What comes next: branches, loops, steps, actions, choices, stops, triggers."""

from __future__ import annotations

from typing import Any

import pytest
from conche_runtime.errors import RulesError
from conche_runtime.interface import ForcedEvent

from interpret.lab import engine, lab, moves, start

PICKS: list[tuple[str, str, list[int]]] = [
    # branches
    ("if n = 3: add 1 to picks\nelse: add 2 to picks\nadd 9 to picks", "", [1, 9]),
    ("if n = 4: add 1 to picks\nelse if n = 3: add 2 to picks\nelse: add 3 to picks", "", [2]),
    ("if n = 4: add 1 to picks\nadd 9 to picks", "", [9]),
    ("with 2 players: add 1 to picks\nwith 3 players: add 2 to picks", "", [1]),
    # loops over what was there at the start
    ("set picks to [3, 1]\nfor each k in picks: add k + 10 to picks", "", [3, 1, 13, 11]),
    ("for each k in 5..7: add k to picks", "", [5, 6, 7]),
    ("for each k in 7..5: add k to picks\nadd 0 to picks", "", [0]),
    ("repeat n times\n  set n to n + 1\n  add n to picks", "", [4, 5, 6]),
    ("repeat n - 9 times: add 1 to picks\nadd 2 to picks", "", [2]),
    ("repeat while n > 0\n  add n to picks\n  set n to n - 1", "", [3, 2, 1]),
    ("repeat\n  add n to picks\n  set n to n - 1\n  if n = 1: stop\nadd 9 to picks", "", [3, 2, 9]),
    ("for each a in 1..2\n  for each b in 1..2: add a * 10 + b to picks", "", [11, 12, 21, 22]),
    (
        "for each a in 1..2\n  for each b in 1..3\n    if b = 2: stop\n    add a * 10 + b to picks",
        "",
        [11, 21],
    ),
    # players
    ("each player p from blue: add p.gold + count(picks) to picks", "", [5, 6]),
    (
        "set red.gold to 0\neach player p from red if p.gold < 6\n  add p.gold to picks\n  set blue.gold to 9",
        "",
        [0],
    ),
    (
        "rounds for p from blue if p.gold > 3\n  set p.gold to p.gold - 1\n  add p.gold to picks",
        "",
        [4, 4, 3, 3],
    ),
    (
        "set red.gold to 6\nrounds for p from red if p.gold > 4\n  set p.gold to p.gold - 1\n  add p.gold to picks",
        "",
        [5, 4, 4],
    ),
    (
        # the start is read anew for every round
        "set who to red\nset n to 0\nrounds for p from who if n < 4\n  set n to n + 1\n"
        "  if p = red: add 1 to picks\n  else: add 2 to picks\n  set who to blue",
        "",
        [1, 2, 2, 1],
    ),
    # steps
    ("do one\ndo one\nadd 9 to picks", "step one\n  add 1 to picks\n", [1, 1, 9]),
    (
        "do both(4, 7)\ndo both(1, 2)",
        "step both(a: 0..9, b: 0..9)\n  add a to picks\n  add b to picks\n",
        [4, 7, 1, 2],
    ),
    (
        "do outer",
        "step outer\n  do inner\n  add 2 to picks\nstep inner\n  add 1 to picks\n  stop\n  add 3 to picks\n",
        [1, 2],
    ),
    (
        "do outer\ndo outer\nadd 9 to picks",
        "step outer\n  for each k in 1..3\n    do inner(k)\n    add 7 to picks\n"
        "step inner(k: 0..9)\n  for each j in 1..3\n    add k * 10 + j to picks\n    if j = 2: stop outer\n",
        [11, 12, 11, 12, 9],
    ),
    (
        "do stopping\nadd 9 to picks",
        "step stopping\n  for each k in 1..3\n    add k to picks\n    stop stopping\n  add 5 to picks\n",
        [1, 9],
    ),
    (
        "each player you from red: do mine",
        "step mine\n  add you.gold to picks\n  set you.gold to 1\n",
        [5, 5],
    ),
    ("add 1 to picks\nend game\nadd 2 to picks", "", [1]),
    ("do ending\nadd 2 to picks", "step ending\n  for each k in 1..2: end game\n", []),
    # actions
    (
        "do visit(lake, 1)\ndo visit(hill(2), 5)\ndo visit(hill(1), 6)",
        "action visit(hill(size), k: 0..9)\n  add size * 10 + k to picks\naction visit(lake, k: 0..9): add k to picks\n",
        [1, 25, 16],
    ),
    (
        "put 1 hill(2) in deck\nmove hill(2) from deck to (0, 0)\nlet s = (0, 0)\ndo visit(s)",
        "action visit(hill(2)): add 2 to picks\naction visit(hill(1)): add 1 to picks\naction visit(lake): stop\n",
        [2],
    ),
    (
        "for each f in Fruit: do eat(f)",
        "action eat(plum): add 1 to picks\naction eat(fig): add fig.worth to picks\n",
        [1, 5],
    ),
]


@pytest.mark.parametrize(
    ("lines", "more", "expected"), PICKS, ids=[lines.replace("\n", "; ") for lines, *_ in PICKS]
)
def test_what_comes_next(lines: str, more: str, expected: list[int]) -> None:
    state = start(lines, more)
    assert state.over
    assert state.snapshot()["picks"] == expected
    assert not state.position.loops
    assert not state.position.returns


def test_endless_rules_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conche.interpret.machine.MOST_NODES", 1000)
    with pytest.raises(RulesError, match="never come to another decision"):
        start("repeat\n  set n to 4")


# ------------------------------------------------------------------------------------------------ choices


def test_options_stand_in_the_order_of_the_text() -> None:
    state = start(
        """
red: choose pick
  case far(a in [2, 1], b in a..2, c = a + b)
    set n to c
  case near(for k in 1..2, d = k * 10) if lit
    set n to d
  case set_down(d in [50, 60])
    set n to d
  case wait
    set n to 0
  always §A1
""".strip(),
        'ruling §A1 "There is always one."\n',
    )
    assert not state.over
    assert (state.decision, state.to_act) == ("pick", (0,))
    assert moves(state) == [
        {"a": 2, "b": 2, "c": 4},
        {"a": 1, "b": 1, "c": 2},
        {"a": 1, "b": 2, "c": 3},
        {"d": 50},
        {"d": 60},
        {},
    ]
    for index, n in enumerate([4, 2, 3, 50, 60, 0]):
        played = state.clone()
        played.step(index)
        assert played.over
        assert played.snapshot()["n"] == n


def test_hidden_binders_tell_options_apart_that_look_alike() -> None:
    state = start("red: choose pick(for k in 1..3, odd = k mod 2)\nset n to k")
    assert moves(state) == [{"odd": 1}, {"odd": 0}, {"odd": 1}]
    assert state.move(0) == state.move(2)
    state.step(2)
    assert state.snapshot()["n"] == 3


def test_guards_before_the_binders_and_on_each_option() -> None:
    text = "red: choose pick\n  case (k in 1..9) if {} \n    set n to k\n  none\n    set n to 0"
    assert moves(start(text.format("k * k > 30 and n = 3"))) == [{"k": 6}, {"k": 7}, {"k": 8}, {"k": 9}]
    assert start(text.format("k > 5 and n = 4")).snapshot()["n"] == 0


def test_a_single_option_is_taken_and_logged() -> None:
    state = start(
        "blue: choose pick\n  case (k in n..3)\n    set n to k + 4\n  always §A1", 'ruling §A1 "It is 3."\n'
    )
    assert state.over
    assert state.snapshot()["n"] == 7
    assert state.log == [ForcedEvent(1, "pick", {"k": 3})]


def test_no_option() -> None:
    rules = "red: choose pick\n  case (k in picks)\n    set n to k\n  {}"
    assert start(rules.format("none\n    set n to 0")).snapshot()["n"] == 0
    with pytest.raises(RulesError, match=r"lab.rules:52: 'pick' has no option for red"):
        start(rules.format("always §A1"), 'ruling §A1 "Never empty."\n')


def test_arguments_are_shown_as_in_records() -> None:
    state = start(
        """
set perhaps to lake
red: choose pick
  case (f in Fruit, s in [(0, 0), (1, 2)], side in [north], p in players, e = edge(s, side), t = perhaps)
    set n to 1
  case (stop = yes, text = "pile")
    set n to 2
  always §A1
""".strip(),
        'ruling §A1 "There is always one."\n',
    )
    assert state.count() == 9
    assert state.move(4).args == {
        "f": "FIG",
        "s": [0, 0],
        "side": "N",
        "p": 0,
        "e": [0, 0, "N"],
        "t": "lake",
    }
    assert list(state.move(4).args) == ["f", "s", "side", "p", "e", "t"]
    assert state.move(4).s == (0, 0)  # type: ignore[attr-defined]
    assert state.move(8).args == {"stop": True, "text": "pile"}


def test_the_order_is_chosen_until_one_is_left() -> None:
    state = start("for each k in 4..6, in order chosen by blue as next: add k to picks")
    assert (state.decision, state.to_act) == ("next", (1,))
    assert moves(state) == [{"k": 4}, {"k": 5}, {"k": 6}]
    state.step(1)
    assert moves(state) == [{"k": 4}, {"k": 6}]
    state.step(1)
    assert state.over
    assert state.snapshot()["picks"] == [5, 6, 4]


# ------------------------------------------------------------------------------------------------ triggers

TRIGGERS: list[tuple[str, str, list[int]]] = [
    (
        "put 2 lake, 1 hill(2) in line\nadd 9 to picks",
        "trigger seen when t: hill enters line\n  add t.size to picks\n",
        [2, 9],
    ),
    (
        "put 2 lake, 1 hill(2) in line\nadd 9 to picks",
        "trigger seen when t: Tile enters line or heap\n  add count(line) to picks\n".replace(" or heap", ""),
        [3, 3, 3, 9],
    ),
    (
        "put 1 lake in deck\nadd 1 to picks\nmove lake from deck to (0, 2)\nadd 9 to picks",
        "trigger seen when s: lake enters land\n  add s.y to picks\n",
        [1, 2, 9],
    ),
    (
        "each player you from red: gain up to 18 gold",
        "trigger rich when p gains n_new of gold if p = blue\n  add n_new to picks\n",
        [15],
    ),
    (
        "each player you from red: gain 2 fig",
        "trigger fruit when p gains n_new of fig\n  add n_new * 10 + p.purse[fig] to picks\n",
        [22, 22],
    ),
    # as long as the condition holds
    (
        "set n to 12\nadd 9 to picks",
        "trigger big whenever n > 9\n  add n to picks\n  set n to n - 2\n",
        [12, 10, 9],
    ),
    # in the order of `follows`, then of names
    (
        "put 1 lake in line",
        "trigger b when t: Tile enters line follows c\n  add 2 to picks\n"
        "trigger c when t: Tile enters line\n  add 3 to picks\n"
        "trigger a when t: Tile enters line\n  add 1 to picks\n",
        [1, 3, 2],
    ),
    # one trigger sets off another, in the middle of the first one's list
    (
        "put 2 lake in line\nadd 9 to picks",
        "trigger first when t: Tile enters line\n  set n to n + 10\n  add 5 to picks\n"
        "trigger second whenever n > 9\n  add n to picks\n  set n to 0\n",
        [13, 5, 10, 5, 9],
    ),
    # what a guard rejects while the trigger runs does not disturb it
    (
        "each player you from red if you = red: gain 4 gold",
        "trigger bonus when p gains more of gold if more = 4\n  do award(p)\n  add more to picks\n"
        "step award(you: Player): gain 1 gold\n",
        [4],
    ),
]


@pytest.mark.parametrize(
    ("lines", "more", "expected"), TRIGGERS, ids=[more.split("\n")[0] for _, more, _ in TRIGGERS]
)
def test_triggers(lines: str, more: str, expected: list[int]) -> None:
    state = start(lines, more)
    assert state.over
    assert state.snapshot()["picks"] == expected
    assert not state.position.loops
    assert not state.position.returns


def test_a_trigger_that_sets_itself_off_is_a_fault() -> None:
    with pytest.raises(RulesError, match="trigger again is started again while it runs"):
        start("put 1 lake in line", "trigger again when t: lake enters line\n  put 1 lake in line\n")


def test_a_decision_inside_a_trigger_is_saved_with_all_that_waits() -> None:
    made = engine(
        lab(
            "put 1 lake, 1 hill(1), 1 hill(2) in line\nadd 99 to picks",
            "trigger ask when t: Tile enters line\n  red: choose pick(k in 1..2)\n  add k to picks\n  add count(line) to picks\n",
        )
    )
    state = made.start(2, seed=0)
    answers: list[Any] = []
    while not state.over:
        state = made.from_json(state.to_json())
        answers.append(state.count())
        state.step(len(answers) % 2)
    assert answers == [2, 2, 2]
    assert state.snapshot()["picks"] == [2, 3, 1, 3, 2, 3, 99]
