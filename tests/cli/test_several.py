"""Playing where several choose at once, pass, leave the game; what people at the table are shown of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conche.draw.words import Words
from conche_runtime.interface import ChanceEvent, ChosenEvent, ForcedEvent
from records.fake_game import FakeEngine

from .conftest import Conche

RULES = """\
game fair "Fair"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card
  king
  queen

enum Ware
  pots
  chairs

pile deck of Card, hidden

each Ware has
  price: 0..9 = 4, open

each player has
  purse: 0..9 = 1, secret
  bid: 0..9 = 0, open

setup
  put 2 king, 2 queen in deck

play
  each player you from red
    choose peek
      case (yes = yes) if you.purse > 0
        look at 1 of deck
      pass (yes = no)
  together each player you from red
    choose bid
      case (n in 0..you.purse)
        set you.bid to n
  each player you from red
    choose trade
      case buy(ware in Ware)
        set ware.price to ware.price + you.bid
      case leave as leave
        eliminate you

score bid = you.bid
rank by total
"""


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    path = tmp_path / "fair.rules"
    path.write_text(RULES)
    return path


# ------------------------------------------------------------------------------------------------ playing


def test_a_person_sees_no_pass_and_no_choice_before_all_have_chosen(conche: Conche, fair: Path) -> None:
    found = set()
    for seed in range(5):
        played = conche(
            "play", fair, "--seed", seed, "--players", 2, "--bots", "random,human", stdin="1\n1\n3\n"
        )
        assert (played.code, played.err) == (0, "")
        before, _, after = played.out.partition("blue, choose bid")
        assert "red   bid  n" not in before
        assert after.index("blue  bid  n 1") < after.index("red   bid  n ")
        assert "red   peek  yes no" not in before
        found.add("red   peek  yes yes" in before)
    assert found == {False, True}


def test_where_only_bots_play_all_is_shown_when_it_happens(conche: Conche, fair: Path) -> None:
    out = conche("play", fair, "--seed", 1, "--players", 3).out
    for seat in ("red  ", "blue ", "green"):
        assert out.count(f"{seat}  peek  ") == 1
        assert out.count(f"{seat}  bid  ") == 1


def test_a_move_of_another_name_is_listed_by_it(conche: Conche, fair: Path) -> None:
    out = conche("play", fair, "--seed", 1, "--bots", "human,random", stdin="yes\n1\n3\n").out
    assert "   1  ware pots\n   2  ware chairs\n   3  leave\n" in out
    assert "red   leave\n" in out
    assert "red (out)" in out


def test_what_one_has_seen_of_a_pile_is_drawn(conche: Conche, fair: Path) -> None:
    out = conche("play", fair, "--seed", 1, "--bots", "human,random", stdin="1\nquit\n").out
    assert "deck 4 hidden price" in " ".join(out.split())
    assert "deck 4 hidden; on top king price" in " ".join(out.split())


@pytest.mark.parametrize("seat", ["", "0", "1"])
def test_what_is_recorded_replays(conche: Conche, fair: Path, tmp_path: Path, seat: str) -> None:
    record = tmp_path / "fair.jsonl"
    more = ["--seat", seat] if seat else []
    conche("play", fair, "--seed", 3, "--players", 2, "--record", record, "--full", *more)
    replayed = conche("replay", record, "--watch")
    assert (replayed.code, replayed.err) == (0, "")
    assert "lines fit" in replayed.out
    assert replayed.out.count("blue  bid  n ") == 1


def test_simulations_and_random_games(conche: Conche, fair: Path) -> None:
    assert conche("simulate", fair, "-n", 4, "--players", 3, "--seed", 1).code == 0
    tested = conche("test", fair, "--games", 2)
    assert (tested.code, "4 random games, 0 failed" in tested.out) == (0, True)


# ------------------------------------------------------------------------------------------------ words


BID: Any = {"n": 2}


@pytest.mark.parametrize(
    ("event", "eyes", "expected"),
    [
        (ForcedEvent(1, "bid", BID, False), None, ["blue   bid  n 2  the only option"]),
        (ForcedEvent(1, "bid", BID, False), [0], []),
        (ForcedEvent(1, "bid", BID, True), [0], ["blue   bid  n 2"]),
        (ForcedEvent(1, "bid", BID, True), [1], ["blue   bid  n 2  the only option"]),
        (ChosenEvent(1, "bid", BID, False, None), None, []),  # it was shown when it was made
        (ChosenEvent(1, "bid", BID, False, None), [1], []),
        (ChosenEvent(1, "bid", BID, False, None), [0], ["blue   bid  n 2"]),
        (ChosenEvent(1, "bid", BID, False, (1,)), [0], ["blue   bid"]),
        (ChosenEvent(1, "bid", BID, True, None), [0], ["blue   bid  n 2"]),
        (ChosenEvent(1, "bid", BID, True, (1,)), [1], ["blue   bid  n 2  the only option"]),
        (ChosenEvent(1, "bid", BID, True, None), None, ["blue   bid  n 2  the only option"]),
        (ChosenEvent(1, "bid", BID, False, (1,)), [0, 1], ["blue   bid"]),
        (ChanceEvent("deck", "king", (1,)), [0], []),
    ],
)
def test_events_in_words(event: Any, eyes: list[int] | None, expected: list[str]) -> None:
    assert Words(FakeEngine(), 3).events([event], eyes) == expected


def test_an_argument_that_is_nothing() -> None:
    words = Words(FakeEngine(), 3)
    assert words.arguments("use", {"old_hat": None, "n": 2}) == "no old hat, n 2"
