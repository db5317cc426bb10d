"""Nobody learns anything by taking back, whoever of several people asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import conche
from cli.conftest import Conche
from conche.bots import make_bots
from conche.draw.words import Words
from conche.play.in_words import learnt_in_words
from conche.play.session import NotTakenBackError, Session
from conche_runtime.interface import ChanceEvent, RevealEvent

RULES = """\
game cellar "Cellar"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card(worth: 1..9)
  low (1)
  mid (5)
  high (9)

pile deck of Card, hidden

each player has
  luck: 0..1 = 1, hidden

setup
  put 3 low, 3 mid, 3 high in deck

play
  repeat 3 times
    for each you in clockwise(red)
      do turn
      do turn
  for each p in players
    reveal p.luck

step turn
  choose turn
    case (what = "look")
      look at 1 of deck
    case (what = "show")
      let luck = you.luck
      reveal luck to left_of(you)
    case (what = "wait")

score luck = you.luck
rank by total
conserve Card
"""
"""Nobody holds a secret in the beginning; each may look at the pile or show the next one something, twice."""

Table = Callable[[str], Session]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "cellar.rules"
    path.write_text(RULES)
    return path


@pytest.fixture
def table(rules: Path) -> Table:
    engine = conche.load(str(rules))
    return lambda seats: Session(engine, seats.split(","), 1, make_bots)


def play(session: Session, what: str) -> None:
    session.play(session.state.find("turn", {"what": what}, session.asked), session.asked)


def refused(session: Session, moves: int = 1) -> NotTakenBackError:
    with pytest.raises(NotTakenBackError) as caught:
        session.undo(session.asked, moves)
    return caught.value


def test_what_one_has_looked_at_stays_though_another_asks(table: Table) -> None:
    """Red sees the card before the keyboard goes to blue."""
    session = table("human,human")
    play(session, "wait")
    play(session, "look")
    assert session.asked == 1
    refusal = refused(session)
    assert refusal.because is not None
    assert refusal.because.seat == 0
    assert isinstance(refusal.because.what, ChanceEvent)
    words = Words(session.engine, 2)
    assert learnt_in_words(refusal.because, 1, words) == "red has been shown since what you do not see"
    assert learnt_in_words(refusal.because, 0, words).startswith("you have seen since what came from deck: ")


def test_moves_that_told_nobody_anything_can_be_taken_back(table: Table) -> None:
    session = table("human,human")
    play(session, "wait")
    play(session, "wait")
    session.undo(session.asked, 2)
    assert (session.turns, session.asked) == ([], 0)


def test_what_one_was_shown_stays_after_moves_were_taken_back(table: Table) -> None:
    """Red shows blue something and waits; blue sees it and takes the waiting back. Then it is red's turn to
    ask."""
    session = table("human,human")
    play(session, "show")
    assert session.asked == 0
    session.undo(0)  # blue has not been asked
    play(session, "show")
    play(session, "wait")
    assert session.asked == 1
    session.undo(1)
    assert session.asked == 0
    refusal = refused(session)
    assert refusal.because is not None
    assert (refusal.because.seat, refusal.possible) == (1, 0)
    assert isinstance(refusal.because.what, RevealEvent)


def test_the_refusal_tells_nothing(conche: Conche, rules: Path) -> None:
    """Red looks at a card; blue may know that, but not which card it was."""
    typed = "wait\nlook\n\nundo\nundo 2\nlog all\nquit\n"
    said = conche("play", rules, "--bots", "human,human", "--seed", 1, stdin=typed)
    assert said.out.count("red has been shown since what you do not see") == 2
    assert not any(card in said.out for card in ("low", "mid", "high"))
