"""What comes next: branches, loops, steps, actions, choices, stops, triggers."""

from __future__ import annotations

from typing import Any

import pytest

from conche_runtime.errors import RulesError
from conche_runtime.interface import ForcedEvent
from interpret.lab import CaseText, engine, lab, moves, read_cases, start


@pytest.mark.parametrize(
    "case", [*read_cases("flow.txt"), *read_cases("triggers.txt")], ids=lambda case: case.title
)
def test_what_comes_next(case: CaseText) -> None:
    state = start(case.play, case.more)
    assert state.over
    assert f"picks: {state.snapshot()['picks']}" == case.expected
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


def test_hidden_binders_keep_their_values_behind_what_is_shown() -> None:
    state = start("red: choose pick(for k in 1..3, rest = 3 - k)\nset n to k")
    assert moves(state) == [{"rest": 2}, {"rest": 1}, {"rest": 0}]
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


def test_a_trigger_that_sets_itself_off_is_a_fault() -> None:
    with pytest.raises(RulesError, match="trigger again is started again while it runs"):
        start("put 1 lake in line", "trigger again when t: lake enters line\n  put 1 lake in line\n")


def test_a_decision_inside_a_trigger_is_saved_with_all_that_waits() -> None:
    made = engine(
        lab(
            "put 1 lake, 1 hill(1), 1 hill(2) in line\nadd 99 to picks",
            "trigger ask when t: Tile enters line\n"
            "  red: choose pick(k in 1..2)\n  add k to picks\n  add count(line) to picks\n",
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


def test_equal_elements_are_one_option_of_a_chosen_order() -> None:
    state = start(
        "set picks to [1, 2, 1]\nfor each k in picks, in order chosen by red as order\n  set n to n * 3 + k"
    )
    assert moves(state) == [{"k": 1}, {"k": 2}]
    state.step(0)
    assert moves(state) == [{"k": 2}, {"k": 1}]
    state.step(1)
    assert state.over
    assert state.snapshot()["n"] == ((3 * 3 + 1) * 3 + 1) * 3 + 2


@pytest.mark.parametrize(
    ("cases", "args"),
    [
        ("case (for g in 1..2, what = min(g, 1))", '{"what": 1}'),
        ("case a(k in 1..2)\n  case b(k in 2..n)", '{"k": 2}'),
        ("case a if n > 2\n  case b if n > 1\n  always §A1", "{}"),
    ],
)
def test_two_options_that_look_alike_are_a_fault(cases: str, args: str) -> None:
    with pytest.raises(RulesError) as fault:
        start(f"red: choose pick\n  {cases}", 'ruling §A1 "One of them holds."\n')
    assert str(fault.value) == f"lab.rules:52: two options of 'pick' have the same arguments, {args}"
