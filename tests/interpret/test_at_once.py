"""All choose at once: who is waited for, what is kept, what who sees of it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from conche_runtime.errors import IllegalMove
from conche_runtime.interface import ChosenEvent
from interpret.bids import PRIVATE, SECRETLY, TOGETHER, begun, bid, bids

RED, BLUE, GREEN = range(3)


def decision(state: Any, seat: int) -> tuple[Any, list[int]]:
    view = state.view(seat)
    return view["decision"], view["to_act"]


# ------------------------------------------------------------------------------------------------ choosing


def test_all_are_asked_in_player_order_and_choose_in_any() -> None:
    state = begun(TOGETHER, {"limit": [1, 2, 3]})
    assert (state.decision, state.to_act, state.can_pass) == ("bid", (BLUE, GREEN, RED), False)
    assert [state.count(seat) for seat in range(3)] == [2, 3, 4]
    assert [move.args for move in state.legal_moves(RED)] == [{"n": 0}, {"n": 1}]
    bid(state, GREEN, 3)
    assert (state.to_act, state.log) == ((BLUE, RED), [])
    assert state.snapshot()["shown"] == [0, 0, 0]
    bid(state, RED, 1)
    assert state.to_act == (BLUE,)
    state.step(2)  # one is left, so it need not be said who
    snapshot = state.snapshot()
    assert (snapshot["shown"], snapshot["order"]) == ([1, 2, 3], [BLUE, GREEN, RED])
    assert state.log == [
        ChosenEvent(BLUE, "bid", {"n": 2}, False, None),
        ChosenEvent(GREEN, "bid", {"n": 3}, False, None),
        ChosenEvent(RED, "bid", {"n": 1}, False, None),
    ]
    assert (state.decision, state.to_act) == ("rest", (RED,))


def test_the_order_makes_no_difference() -> None:
    ends = set()
    for order in itertools.permutations([(RED, 1), (BLUE, 0), (GREEN, 2)]):
        state = begun(TOGETHER, {})
        for seat, n in order:
            bid(state, seat, n)
        ends.add(state.to_json())
    assert len(ends) == 1


def test_who_has_one_option_has_chosen() -> None:
    state = begun(TOGETHER, {"limit": [0, 1, 0]})
    assert state.to_act == (BLUE,)
    bid(state, BLUE, 1)
    assert [(event.player, event.forced) for event in state.log or () if isinstance(event, ChosenEvent)] == [
        (BLUE, False),
        (GREEN, True),
        (RED, True),
    ]
    state = begun(TOGETHER, {"limit": [0, 0, 0]})
    assert state.decision == "rest"
    assert state.snapshot()["order"] == [BLUE, GREEN, RED]


def test_the_guard_is_read_for_all_at_the_start() -> None:
    play = TOGETHER.replace(
        "      set you.shown to n", "      set you.shown to n\n      set first.asked to no"
    )
    state = begun(play, {"asked": [True, True, False]})
    assert state.to_act == (BLUE, RED)
    bid(state, BLUE, 1)
    bid(state, RED, 1)
    # What blue has done with the guard of others does not matter any more.
    assert state.snapshot()["order"] == [BLUE, RED]
    assert begun(TOGETHER, {"asked": [False] * 3}).decision == "rest"


def test_who_has_left_by_then_is_passed_over() -> None:
    play = TOGETHER.replace(
        "      set you.shown to n", "      set you.shown to n\n      eliminate left_of(you)"
    )
    state = begun(play, {})
    for seat in (RED, BLUE, GREEN):
        bid(state, seat, 1)
    # Blue puts green out, red (who is then beside blue) puts blue out.
    snapshot = state.snapshot()
    assert (snapshot["order"], snapshot["out"], snapshot["shown"]) == ([BLUE, RED], [GREEN, BLUE], [1, 1, 0])


def test_a_loop_that_is_come_to_again_asks_again() -> None:
    play = "repeat 2 times\n" + "".join(f"  {line}\n" for line in TOGETHER.splitlines())
    state = begun(play, {}, players=2)
    bid(state, RED, 2)
    bid(state, BLUE, 1)
    assert state.to_act == (BLUE, RED)
    bid(state, BLUE, 0)
    bid(state, RED, 0)
    assert state.snapshot()["order"] == [BLUE, RED, BLUE, RED]
    assert state.decision == "rest"


def test_leaving_the_loop_drops_what_was_kept() -> None:
    play = "repeat 2 times\n" + "".join(f"  {line}\n" for line in TOGETHER.splitlines())
    play = play.replace("        add you to order", "        add you to order\n        if n = 2: stop")
    state = begun(play, {}, players=2)
    for again in range(2):
        bid(state, RED, 1)
        bid(state, BLUE, 2)  # comes first, and stops
        assert state.snapshot()["order"] == [BLUE] * (again + 1)
    assert state.decision == "rest"


def test_what_cannot_be_done() -> None:
    state = begun(TOGETHER, {"limit": [2, 2, 0]})
    for call in (state.legal_moves, state.count, lambda: state.move(0), lambda: state.step(0)):
        with pytest.raises(IllegalMove, match="several choose at once: say who"):
            call()
    move = state.move(1, RED)
    state.apply(move, RED)
    before = state.to_json()
    for seat in (RED, GREEN):  # one has chosen, the other had to
        assert (state.count(seat), state.legal_moves(seat)) == (0, [])
        with pytest.raises(IllegalMove, match=f"seat {seat} has chosen"):
            state.apply(move, seat)
    with pytest.raises(IllegalMove, match="no option 3"):
        state.step(3, BLUE)
    with pytest.raises(IllegalMove, match="there is no seat 3"):
        state.count(3)
    assert state.to_json() == before
    state = begun(TOGETHER, {"asked": [True, True, False]})
    assert state.count(GREEN) == 0
    with pytest.raises(IllegalMove, match="seat 2 is not asked"):
        state.step(0, GREEN)


def test_a_save_and_a_copy_in_the_midst_play_on() -> None:
    state = begun(TOGETHER, {"limit": [3, 3, 0]})
    bid(state, BLUE, 2)
    loaded, copied = bids(TOGETHER).from_json(state.to_json()), state.clone()
    for other in (loaded, copied):
        assert (other.to_act, other.snapshot()) == (state.to_act, state.snapshot())
        bid(other, RED, 3)
        assert other.snapshot()["shown"] == [3, 2, 0]
    assert state.to_act == (RED,)


# ------------------------------------------------------------------------------------------------ seeing


def test_what_is_chosen_is_its_players_alone_until_all_have() -> None:
    state = begun(TOGETHER, {"limit": [1, 1, 0]})
    assert state.snapshot()["decision"] == {"name": "bid", "player": None, "chosen": [[GREEN, {"n": 0}]]}
    bid(state, BLUE, 1)
    host = {"name": "bid", "player": None, "chosen": [[BLUE, {"n": 1}], [GREEN, {"n": 0}]]}
    assert state.snapshot()["decision"] == host
    assert decision(state, BLUE) == ({**host, "chosen": [[BLUE, {"n": 1}], [GREEN, None]]}, [RED])
    assert decision(state, RED) == ({**host, "chosen": [[BLUE, None], [GREEN, None]]}, [RED])


def test_that_a_private_choice_was_made_is_not_told() -> None:
    state = begun(PRIVATE, {"purse": [1, 1, 0]})
    nothing = {"name": "bid", "player": None, "chosen": []}
    assert decision(state, RED) == (nothing, [BLUE, GREEN, RED])
    assert decision(state, GREEN) == ({**nothing, "chosen": [[GREEN, {"n": 0}]]}, [BLUE, RED])
    bid(state, BLUE, 1)
    assert decision(state, RED) == (nothing, [BLUE, GREEN, RED])
    assert decision(state, BLUE) == ({**nothing, "chosen": [[BLUE, {"n": 1}]]}, [GREEN, RED])
    assert state.to_act == (RED,)


def test_what_is_chosen_secretly_is_never_told() -> None:
    state = begun(SECRETLY, {})
    for seat in (BLUE, GREEN, RED):
        bid(state, seat, 2)
    assert [(event.player, event.seen_by) for event in state.log or () if isinstance(event, ChosenEvent)] == [
        (BLUE, (BLUE,)),
        (GREEN, (GREEN,)),
        (RED, (RED,)),
    ]
    assert state.view(RED)["form"] == [2, None, None]


# ------------------------------------------------------------------------------------------------ samples


def forms(state: Any, player: int) -> set[tuple[int, ...]]:
    return {tuple(state.sample(player, seed).snapshot()["form"]) for seed in range(40)}


def test_a_sample_chooses_anew_what_others_have_chosen() -> None:
    state = begun(TOGETHER, {"limit": [2, 2, 2]})
    bid(state, BLUE, 1)
    bid(state, RED, 1)
    found = set()
    for seed in range(40):
        sample = state.sample(BLUE, seed)
        assert sample.view(BLUE) == state.view(BLUE)
        found.add(tuple(args["n"] for _, args in sample.snapshot()["decision"]["chosen"]))
    assert found == {(0, 1), (1, 1), (2, 1)}  # by seat: red's, blue's own


def test_a_sample_sets_again_what_was_chosen_secretly() -> None:
    state = begun(SECRETLY, {"form": [9, 9, 9]})
    for seat in (BLUE, GREEN, RED):
        bid(state, seat, 2)
    assert forms(state, RED) == {(2, blue, green) for blue in range(3) for green in range(3)}


@pytest.mark.parametrize("line", ["reveal green.form", "set green.form to 7"])
def test_what_is_known_of_a_secret_choice_stays_in_a_sample(line: str) -> None:
    then = f"{line}\nred: choose rest(k in 0..1)\nset red.shown to k"
    state = begun(SECRETLY, {}, then=then)
    for seat in (BLUE, GREEN, RED):
        bid(state, seat, 2)
    green = 2 if line.startswith("reveal") else 7
    assert forms(state, RED) == {(2, blue, green) for blue in range(3)}


def test_a_variable_that_the_other_option_leaves_gets_back_what_it_held() -> None:
    play = """\
secretly each player you from first
  choose bid
    case buy(n = 1)
      set you.form to 5
    case none(n = 0)
"""
    state = begun(play, {"form": [3, 3, 3]})
    for seat in (BLUE, GREEN, RED):
        bid(state, seat, 1)
    assert forms(state, RED) == {(5, blue, green) for blue in (3, 5) for green in (3, 5)}
