"""Engines of games in which several choose at once, players pass or leave, and piles are known to some: as
the interpreter plays them, and what no random game shows."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from codegen.engines import PLAIN, engine_of, graph_of, same_games
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche_runtime.errors import IllegalMove, SaveError
from conche_runtime.interface import ChosenEvent, Engine, ForcedEvent

HEAD = """\
game council "Council"
  version 1.0.0
  players 2..4
  seats red, blue, green, yellow

piece Card(worth: 1..9)
  fox (3)
  owl (1)
  elk (3)

pile deck of Card, hidden
pile grave of Card, hidden
row open_row of Card, open
var first: Player = blue, open
var order: list of Player = [], open
var tally: 0..999 = 0, open

each Card has
  price: 0..99 = 2, open, anew each turn
  note: maybe Player, open

each player has
  gold: 0..40 = 5, open
  purse: 0..9 = 3, secret
  form: 0..40 = 0, secret
  other: 0..40 = 9, secret
  hand cards of Card, secret
  pile own of Card, secret

setup
  put 3 fox, 3 owl, 2 elk in deck
  for each p in players
    put 1 fox, 1 owl in p.cards

play
  repeat 3 times: do turn

step turn
  set first to left_of(first)
  do run
  red: choose ask(answer in 0..1)
  set tally to tally + answer

step run
"""

TAIL = """
score gold = you.gold + count(you.cards)
rank by total
"""

GAMES = {
    "all choose at once, and what they chose is taken in player order": """\
together each player you from first if you.gold > 2
  choose bid
    case none(amount = 0)
    case some(amount in 1..you.gold)
      set you.gold to you.gold - amount
      add you to order
    case shares(parts in 1..2, each_one in parts..you.gold) as split if tally < 3
      set you.gold to you.gold - 1
      set tally to tally + parts * each_one""",
    "options that read a secret": """\
together each player you from first
  choose bid
    case (amount in 0..you.purse)
      set you.gold to you.gold + amount""",
    "two options that look alike": """\
together each player you from first
  choose bid
    case one(amount in 0..you.gold)
    case two(amount in you.gold..9)
      set you.gold to you.gold - amount""",
    "chosen secretly, then shown or overwritten for one": """\
secretly each player you from first
  choose seal
    case (amount in 0..you.gold, half = amount / 2)
      set you.form to amount
      set you.other to half + 1
    case low(amount = -1)
      set you.form to 1
reveal first.form
set right_of(first).other to 4""",
    "at once within a choice made at once": """\
together each player you from first
  choose bid
    case (amount in 0..2)
      together each player p from you if p.gold > amount
        p: choose back
          case (much in 0..amount)
            set p.gold to p.gold - much""",
    "who leaves is passed over": """\
each player you from first
  choose stay
    case go(yes = yes)
      eliminate left_of(you)
      set you.gold to you.gold - 1
    case rest(yes = no)
  if count(players) = 1: end game
for each p in players
  eliminate p
  if count(players) = 1: stop
red: choose late(n in 0..1)
set tally to tally + n""",
    "who leaves while all choose, and in sorted loops": """\
together each player you from first
  choose bid
    case (amount in 0..you.gold)
      set you.gold to you.gold - amount
      if amount = 2 and count(players) > 2: eliminate right_of(you)
for each p in clockwise(first), by p.gold mod 3 falling, p.purse rising
  add p to order
  p: choose more(n in 0..1)
  if n = 1 and count(players) > 2: eliminate left_of(p)""",
    "sorted loops of other things": """\
for each c in Card, by c.worth falling
  set c.price to c.price + c.worth
  set c.note to first
  set tally to tally * 3 + c.price
  if tally > 300: set tally to tally mod 300
for each c in first.cards, by c.price rising: set tally to tally + c.worth
first: choose n_of(k in 0..fox.price)""",
    "a look, and pieces that some know": """\
each player you from first
  choose peek
    case (pay in 1..min(2, you.gold)) if deck is not empty
      look at min(pay, count(deck)) of deck
      set you.gold to you.gold - pay
    case lay(card in kinds(you.cards)) as bury
      move card from you.cards to deck under
    case keep(card in kinds(you.cards), top = yes) as bury
      move card from you.cards to you.own
      look at 1 of you.own
    pass (pay = 0)
draw up to 1 from deck to first.own
draw up to 1 from deck to grave
if deck is not empty
  draw 1 from deck to open_row
  for each c in open_row: move c from open_row to grave
first: choose dig
  case (c in kinds(first.cards)) if tally mod 2 = 0
    move c from first.cards to grave
  case shuffle_it(c = nothing)
    shuffle grave
    for each x in grave: move x from grave to deck
if first.own is not empty: draw 1 from first.own to first.cards""",
    "rounds until all pass": """\
rounds for you from first if you.cards is not empty until all pass
  choose play
    case (card in each(c in kinds(you.cards) where c != owl or you.purse > 2))
      move card from you.cards to open_row
      set you.purse to max(you.purse - 1, 0)
    pass (card = nothing)
each player you from first
  do two_windows(you)""",
    "a forced answer that others take for a free one": """\
each player you from first
  choose act
    case (card in kinds(you.cards))
      set you.purse to (you.purse + card.worth) mod 10
    none
      set you.purse to 1""",
}

STEPS = """
step two_windows(you: Player)
  choose spend
    case (n in 1..min(you.gold, you.purse))
      set you.gold to you.gold - n
    pass (n = 0)
  choose save
    case (n in 1..min(2, you.purse))
      set you.purse to you.purse - n
    pass (n = 0)
"""


@cache
def council(play: str) -> ActionGraph:
    body = "\n".join(f"  {line}" for line in play.splitlines())
    return graph_of(f"{HEAD}{body}\n{STEPS}{TAIL}", "council.rules")


@cache
def engine(play: str) -> Engine:
    return engine_of(council(GAMES[play]))


def both(play: str) -> list[Engine]:
    return [Interpreter(council(GAMES[play])), engine(play)]


@pytest.mark.parametrize("play", GAMES)
def test_engines_play_as_the_interpreter(play: str) -> None:
    engines = [*both(play), engine_of(council(GAMES[play]), PLAIN)]
    ends = {same_games(engines, players, seed) for players in (2, 3, 4) for seed in range(2)}
    assert ends <= {"over", "fault"}
    assert ("fault" in ends) == (play == "two options that look alike")


# ------------------------------------------------------------------------------------------------ choosing

BID, SEAL = "all choose at once, and what they chose is taken in player order", "chosen secretly"
SEAL = next(play for play in GAMES if play.startswith(SEAL))
PRIVATE = "options that read a secret"


def messages(state: Any) -> list[str]:
    """What is said to calls that are out of place."""
    found: list[str] = []
    for call in (
        lambda: state.count(),
        lambda: state.legal_moves(),
        lambda: state.step(99, state.to_act[0]),
        lambda: state.step(-1, state.to_act[0]),
        lambda: state.move(99, state.to_act[0]),
        lambda: state.step(0, 9),
        lambda: state.find("bid", {"amount": 99}, state.to_act[0]),
        lambda: state.find("ask", {}, state.to_act[0]),
        lambda: state.find("bid", {"amount": 0}, 1),
    ):
        try:
            found.append(type(call()).__name__)
        except IllegalMove as error:
            found.append(str(error))
    return found


def test_calls_out_of_place_are_refused_in_the_same_words() -> None:
    states = [made.start(2, 1) for made in both(BID)]
    assert messages(states[0]) == messages(states[1])
    for state in states:
        for call in (state.count, state.legal_moves, lambda state=state: state.step(0)):
            with pytest.raises(IllegalMove, match="several choose at once: say who"):
                call()
        state.step(1, 1)
    assert messages(states[0]) == messages(states[1])
    assert [state.to_act for state in states] == [(0,), (0,)]
    assert [state.count(1) for state in states] == [0, 0]
    with pytest.raises(IllegalMove, match="seat 1 has chosen"):
        states[1].step(0, 1)
    with pytest.raises(IllegalMove, match="not a legal move"):
        states[1].apply(states[1].move(0, 0).__class__(amount=77), 0)
    before = states[1].to_json()
    assert messages(states[1])
    assert states[1].to_json() == before


def test_a_move_goes_by_the_name_of_its_case() -> None:
    state = engine(BID).start(2, 1)
    names = [move.name for move in state.legal_moves(1)]
    assert sorted(set(names)) == ["bid", "split"]
    index = state.find("split", {"parts": 2, "each_one": 3}, 1)
    assert names[index] == "split"
    with pytest.raises(IllegalMove):
        state.find("bid", {"parts": 2, "each_one": 3}, 1)
    state.apply(state.move(index, 1), 1)
    assert state.snapshot()["decision"]["chosen"] == [[1, {"parts": 2, "each_one": 3}]]


def test_nothing_shows_before_all_have_chosen() -> None:
    state = engine(BID).start(3, 1, log=True)
    state.log.clear()
    before = {key: value for key, value in state.snapshot().items() if key != "decision"}
    seats = state.to_act
    state.step(2, seats[1])
    assert state.log == []
    assert {key: value for key, value in state.snapshot().items() if key != "decision"} == before
    assert state.view(seats[0])["decision"]["chosen"] == [[seats[1], None]]
    assert state.view(seats[1])["decision"]["chosen"] == [[seats[1], {"amount": 2}]]
    state.step(0, seats[0])
    state.step(1)
    events = [event for event in state.log if isinstance(event, ChosenEvent)]
    assert [event.player for event in events] == list(seats)
    assert {event.seen_by for event in events} == {None}


def test_who_has_chosen_by_what_is_secret_is_not_told() -> None:
    state = engine(PRIVATE).start(3, 1)
    seats = state.to_act
    state.step(1, seats[0])
    assert state.view(seats[1])["decision"]["chosen"] == []
    assert state.view(seats[1])["to_act"] == list(seats)
    assert state.view(seats[0])["to_act"] == list(seats[1:])


def test_a_private_answer_is_marked_where_it_is_forced() -> None:
    play = "a forced answer that others take for a free one"
    for made in both(play):
        events: list[Any] = []
        for seed in range(4):
            state: Any = made.start(3, seed, log=True)
            rnd = random.Random(seed)
            while not state.over:
                state.step(rnd.randrange(state.count()))
            events += [event for event in state.log if isinstance(event, ForcedEvent)]
        assert {event.private for event in events if event.name == "act"} <= {True}


# ------------------------------------------------------------------------------------------------ samples


def test_what_others_chose_is_chosen_anew_until_it_is_shown() -> None:
    state = engine(SEAL).start(3, 1)
    seats = state.to_act
    state.step(3, seats[0])
    state.step(4, seats[1])
    kept = {json.dumps(state.sample(seats[0], seed).snapshot()["decision"]) for seed in range(20)}
    assert len(kept) > 2
    assert all(json.loads(text)["chosen"] for text in kept)
    own = {
        json.dumps([args for seat, args in json.loads(text)["chosen"] if seat == seats[0]]) for text in kept
    }
    assert own == {json.dumps([{"amount": 3, "half": 1}])}
    state.step(2, seats[2])
    first, left, right = state.snapshot()["first"], seats[1], seats[2]
    # What the first chose is shown, and of the one on his right something else was set.
    form = state.snapshot()["form"]
    for player in (left, right):
        samples = [state.sample(player, seed).snapshot() for seed in range(30)]
        assert {(sample["form"][first], sample["form"][right]) for sample in samples} == {
            (form[first], form[right])
        }
        found = {(sample["form"][left], sample["other"][left]) for sample in samples}
        assert (len(found) > 2) == (player == right)
        assert found <= {(1, 9), *((n, n // 2 + 1) for n in range(6))}


def test_what_a_player_looked_at_stays_in_his_samples_alone() -> None:
    play = "a look, and pieces that some know"
    state = engine(play).start(3, 5)
    looker = state.to_act[0]
    state.step(state.find("peek", {"pay": 2}))
    known = state.view(looker)["deck"]["top"]
    other = next(seat for seat in range(3) if seat != looker)
    assert len(known) == 2
    assert "top" not in state.view(other)["deck"]
    assert {tuple(state.sample(looker, n).snapshot()["deck"]["top"]) for n in range(9)} == {tuple(known)}
    assert len({tuple(state.sample(other, n).snapshot()["deck"]["top"]) for n in range(30)}) > 1
    assert state.snapshot()["deck"]["top_known_by"] == [[looker], [looker]]


def test_views_of_samples_are_those_of_the_state() -> None:
    for play in GAMES:
        if play == "two options that look alike":
            continue
        state: Any = engine(play).start(3, 3)
        rnd = random.Random(3)
        for _ in range(12):
            if state.over:
                break
            for player in range(3):
                sample = state.sample(player, rnd.getrandbits(60))
                assert sample.view(player) == state.view(player)
                assert engine(play).from_json(sample.to_json()).snapshot() == sample.snapshot()
            seat = rnd.choice(state.to_act)
            state.step(rnd.randrange(state.count(seat)), seat)


# ------------------------------------------------------------------------------------------------ saves


def damaged(state: Any, play: str, change: Any) -> str:
    """What is said to a save in which something was changed, its check sum made right."""
    from conche_runtime.saves import check_sum

    saved = json.loads(state.to_json())
    change(saved["state"])
    saved.pop("check")
    saved["check"] = check_sum(saved)
    try:
        engine(play).from_json(json.dumps(saved))
    except SaveError as error:
        return str(error)
    return ""


def test_saves_with_choices_that_cannot_be_are_refused() -> None:
    state = engine(BID).start(2, 1)
    state.step(2, 1)
    kept = next(key for key, value in json.loads(state.to_json())["state"].items() if value == [[], [1, 2]])
    assert damaged(state, BID, lambda slots: None) == ""
    for wrong in ([[], [1, 9]], [[], [7, 1]], [[], [1]], [[], [1, "x"]], [[1, 1], [1, 2]], [[]], 3, [[], 1]):
        assert damaged(state, BID, lambda slots, wrong=wrong: slots.update({kept: wrong})), wrong
    left = next(key for key, value in json.loads(state.to_json())["state"].items() if value == [0, 1])
    for wrong in ([0], [0, 0], [0, 7], [1, 0, 0]):
        assert damaged(state, BID, lambda slots, wrong=wrong: slots.update({left: wrong})), wrong


def test_saves_with_masks_or_players_out_that_cannot_be_are_refused() -> None:
    play = "a look, and pieces that some know"
    state = engine(play).start(3, 5)
    state.step(state.find("peek", {"pay": 2}))
    assert damaged(state, play, lambda slots: slots.update(deck_top_known=[1, -1])) == ""
    for wrong in ([1], [1, 8], [1, -2], ["x", 1], 4):
        assert damaged(state, play, lambda slots, wrong=wrong: slots.update(deck_top_known=wrong)), wrong
    play = "who leaves is passed over"
    state = engine(play).start(4, 1)
    assert damaged(state, play, lambda slots: None) == ""
    for wrong in ([9], [1, 1], ["x"], 3):
        assert damaged(state, play, lambda slots, wrong=wrong: slots.update(out=wrong)), wrong


def test_outside_chance_and_several_to_act() -> None:
    play = "who leaves while all choose, and in sorted loops"
    asked: list[str] = []

    def chance(path: str, outcomes: Any) -> Any:
        asked.append(path)
        return outcomes[0][0]

    state: Any = engine(play).start(3, chance=chance, log=True)
    while not state.over:
        state.step(0, state.to_act[-1])
    seeded: Any = engine(play).start(3, 1)
    while not seeded.over:
        seeded.step(0, seeded.to_act[-1])
    assert state.scores == seeded.scores
