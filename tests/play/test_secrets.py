"""What a person is shown is the same in all games that the person cannot tell apart."""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from conche import pipeline
from conche.api import image_of
from conche.bots import make_bots
from conche.cli.game import Game
from conche.cli.keyboard import keyboard
from conche.draw import Drawing
from conche.draw.words import Words
from conche.modules.load import load
from conche.play.points import Known, known_scores
from conche.play.session import Session
from conche_runtime.interface import Engine, State
from conche_runtime.saves import check_sum

from .tables import ROOT, engine_of

TYPED = "board\nhand\nscores\nlog all\noptions\n\nback\nundo\nsave\0\nhelp\nwhy 1\nquit\n".replace(
    "save\0\n", ""
)


class From:
    """An engine whose games begin at one position."""

    def __init__(self, engine: Engine, position: str) -> None:
        self._engine, self._position = engine, position

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def start(self, players: int, seed: int | None = None, log: bool = False) -> State:
        state = self._engine.from_json(self._position)
        state.log = []
        return state


def name_of(game: str) -> str:
    example = ROOT / "rules" / "examples" / f"{game}.rules"
    return str(example) if example.exists() else game


def shown(game: str, position: str, people: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """All that is printed until the person who is asked quits."""
    image = image_of(name_of(game))
    engine: Any = From(image.engine(), position)
    players = json.loads(position)["players"]
    seats = ["human" if seat in people else "random" for seat in range(players)]
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(TYPED))
    monkeypatch.setattr(sys, "stdout", out)
    words = Words(engine, players, looks=image.looks)
    rulebook = pipeline.check(name_of(game)).must().rulebook

    def known() -> Mapping[str, str]:
        return known_scores(rulebook)

    at_table = Game(
        Session(engine, seats, 1, make_bots),
        words,
        Drawing(engine, players, words, image.looks),
        keyboard(),
        scores_known=known,
    )
    at_table.begin()
    assert at_table.run(0) == 0
    monkeypatch.undo()
    return out.getvalue()


def position_of(game: str, players: int, moves: int, seed: int) -> State:
    """A position in which somebody is asked alone."""
    state, dice = engine_of(game).start(players, seed), random.Random(seed)
    while moves > 0 or len(state.to_act) != 1:
        seat = dice.choice(state.to_act)
        state.step(dice.randrange(state.count(seat)), seat)
        moves -= 1
        assert not state.over
    return state


@pytest.mark.parametrize(
    ("game", "players", "moves"),
    [
        ("tricks", 4, 7),
        ("sealed_bids", 3, 9),
        ("schoko", 3, 40),
        ("schoko+hidden_purchases", 2, 30),
        ("cacao", 3, 9),
    ],
)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_what_others_hold_does_not_show(
    game: str, players: int, moves: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = position_of(game, players, moves, seed)
    (person,) = state.to_act
    others = [state.sample(person, seed=number) for number in range(3)]
    assert len({other.to_json() for other in others}) > 1
    for other in others:
        assert other.view(person) == state.view(person)
    found = {shown(game, other.to_json(), (person,), monkeypatch) for other in (state, *others)}
    assert len(found) == 1
    assert "stopped before the end" in found.pop()


def changed(position: str, change: Callable[[dict[str, Any]], None]) -> str:
    """A save in which a secret value is another one."""
    document = json.loads(position)
    change(document["state"])
    del document["check"]
    return json.dumps({**document, "check": check_sum(document)})


def test_another_purse_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a secret that a person could work out stays out of what is shown: the points, for one."""
    state = position_of("schoko", 3, 40, 3)
    (person,) = state.to_act

    def richer(slots: dict[str, Any]) -> None:
        slots["cash"] = [cash + (0 if seat == person else 7) for seat, cash in enumerate(slots["cash"])]

    found = {
        shown("schoko", text, (person,), monkeypatch)
        for text in (state.to_json(), changed(state.to_json(), richer))
    }
    assert len(found) == 1
    (text,) = found
    assert "?: it depends on what is secret" in text


def test_the_test_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's own secrets do show."""
    state = position_of("schoko", 3, 40, 3)
    (person,) = state.to_act

    def richer(slots: dict[str, Any]) -> None:
        slots["cash"][person] += 7

    texts = [state.to_json(), changed(state.to_json(), richer)]
    assert len({shown("schoko", text, (person,), monkeypatch) for text in texts}) == 2


def test_at_a_table_of_two_people_each_is_shown_his_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position_of("tricks", 4, 6, 4)
    (person,) = state.to_act
    other = (person + 1) % 4
    texts = {
        shown("tricks", sample.to_json(), (person, other), monkeypatch)
        for sample in (state, *[state.sample(person, seed=number) for number in range(3)])
    }
    assert len(texts) == 1


# ------------------------------------------------------------------------------------------------ points


def test_whose_points_one_knows() -> None:
    schoko = known_scores(pipeline.check("schoko").must().rulebook)
    assert schoko["cash"] is Known.OWN
    assert schoko["loans"] is Known.ALL
    cacao = known_scores(pipeline.check("cacao").must().rulebook)
    assert set(cacao.values()) == {Known.ALL}


SCORES = """\
game points "Points"
  version 1.0.0
  players 2..2
  seats red, blue

piece Card
  king

store pot of Card, open
pile deck of Card, hidden

each player has
  gold: 0..9 = 3, open
  purse: 0..9 = 3, secret
  luck: 0..9 = 3, hidden
  hand cards of 3 Card, secret

setup
  put 9 king in deck

play
  each player you from red
    choose take(n in 1..3)
    set you.gold to n
    set you.purse to n
    set you.luck to n

query richest(p: Player) = all(q.purse <= p.purse for q in players)
query twice(p: Player) = p.gold + p.gold

score open_one = you.gold
score by_query = twice(you)
score own = you.purse + you.gold
score held = count(you.cards)
score never = you.luck
score compared = if richest(you) then 1 else 0
score of_all = sum(p.purse for p in players)
score common = count(pot)
rank by total
"""


def test_whose_points_one_knows_by_what_a_score_reads(tmp_path: Any) -> None:
    path = tmp_path / "points.rules"
    path.write_text(SCORES)
    # Before it is checked that what is secret is revealed before the end.
    rulebook = load(str(path)).rulebook
    assert rulebook is not None
    assert known_scores(rulebook) == {
        "open_one": Known.ALL,
        "by_query": Known.ALL,
        "own": Known.OWN,
        "held": Known.OWN,
        "never": Known.NONE,
        "compared": Known.NONE,
        "of_all": Known.NONE,
        "common": Known.ALL,
    }
