"""Every block of the engines of Schoko & Co. is reached by the fixed games and some set positions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from conche_runtime.interface import Engine, State
from games.driving import changed
from games.reached import Lines, blocks, path_of, table
from schoko.edits import slots_of, with_card, with_cash
from schoko.games import FIXED, GAME, HIDDEN, Game, engine_of
from schoko.table import CARDS
from schoko.watched import conserved

NEVER: dict[str, str] = {}
"""Blocks that no game comes to, and why."""


def look(engine: Engine, state: State, dice: random.Random) -> None:
    """What else can be asked of a state."""
    assert engine.from_json(state.to_json()).snapshot() == state.snapshot()
    for viewer in range(state.players):
        state.view(viewer)
    state.sample(dice.randrange(state.players), seed=1)


def play(engine: Engine, game: Game) -> None:
    """A game, in which moves are made by number and by name in turn."""
    dice = random.Random(game.seed)
    state = engine.start(game.players, game.seed, log=True)
    number = 0
    while not state.over:
        if dice.random() < (0.2 if state.can_pass else 0.03):
            look(engine, state, dice)
        seat = dice.choice(state.to_act)
        index = game.policy(state, seat, dice)
        if number % 2:
            state.step(index, seat)
        else:
            state.apply(state.move(index, seat), seat)
        number += 1
    assert state.ranking
    assert state.scores


def asked(engine: Engine, decision: str, months: range) -> Iterator[State]:
    """Decisions of that name in some months, of a game of four."""
    game = FIXED[2]
    dice = random.Random(game.seed)
    state = engine.start(game.players, game.seed)
    while not state.over:
        if state.decision == decision:
            month = state.snapshot()["date"]
            if month in months:
                yield state.clone()
            elif month >= months.stop:
                return
        seat = dice.choice(state.to_act)
        state.step(game.policy(state, seat, dice), seat)


def spitze_ruins(engine: Engine) -> None:
    """The target has less than he owes, and there is no loan (A102)."""
    state = next(asked(engine, "express", range(2, 3)))
    (player,) = state.to_act
    target = (player + 1) % 4
    state = with_card(engine, state, player, "spitze")
    taken = [13 if seat == player else 0 for seat in range(4)]
    state = with_cash(engine, state, {target: 7}, loans=taken, loan_cards=0)
    before = state.snapshot()["cash"]
    state.step(state.find("express", {"card": "spitze", "target": target}))
    shot = state.snapshot()
    conserved(shot)
    assert shot["out"] == [target]
    gains = [shot["cash"][seat] - before[seat] for seat in range(4)]
    assert gains[(target + 1) % 4] == 5
    assert gains[(target + 2) % 4] == 2


def no_room_for_a_bar(engine: Engine) -> None:
    """Two of those who should get a bar have no space for it (4.5)."""
    state = next(asked(engine, "express", range(3, 4)))
    (player,) = state.to_act
    target = next(seat for seat in range(4) if seat != player and not state.snapshot()["hit"][seat])
    state = with_card(engine, state, player, "fuerchterlich")
    stores = [16] * 4
    cocoa = slots_of(state)["cocoa"]
    state = changed(engine, state, chocolate=stores, bank_bars=114 - 64 - sum(cocoa))
    state.step(state.find("express", {"card": "fuerchterlich", "target": target}))
    shot = state.snapshot()
    conserved(shot)
    assert shot["chocolate"] == [13 if seat == target else 16 for seat in range(4)]


def a_contract_is_lost(engine: Engine) -> None:
    """Right after it was won: ceded, or for half the price (A71, A100)."""
    for found in asked(engine, "express", range(2, 9)):
        shot = found.snapshot()
        (player,), winner, card = found.to_act, shot["winner"], shot["current"]
        if shot["window"] != 6 or winner in (player, None) or not shot["takes_part"][player]:
            continue
        if shot["hit"][winner] or shot["chocolate"][player] < CARDS[card][0]:
            continue
        for name in ("skandaloes", "schlimm"):
            state = with_card(engine, found, player, name)
            state.apply(state.move(state.find("express", {"card": name, "target": winner})))
            after = state.snapshot()
            conserved(after)
            owner = player if name == "skandaloes" else winner
            price = shot["price"][card] // (1 if name == "skandaloes" else 2)
            assert card in after["office"][owner]
            assert after["price"][card] == price
        return
    raise AssertionError("nobody could play these cards")


def somebody_goes_on_vacation(engine: Engine) -> None:
    """The target chooses who works no more (A101)."""
    state = next(asked(engine, "express", range(3, 4)))
    (player,) = state.to_act
    shot = state.snapshot()
    target = next(seat for seat in range(4) if seat != player and not shot["hit"][seat])
    state = with_card(engine, state, player, "grosszuegig")
    state.step(state.find("express", {"card": "grosszuegig", "target": target}))
    assert (state.decision, state.to_act) == ("vacation", (target,))
    move = state.legal_moves()[-1]
    assert move == state.move(state.count() - 1)
    state.apply(move)
    assert state.snapshot()["on_leave"][target] == move.args["category"]


def events_shuffled_again(engine: Engine) -> None:
    """All seven were used, and a month begins (A104)."""
    *_, state = asked(engine, "shares", range(3, 4))
    state = changed(
        engine, state, events=[0] * 7, events_top=[], events_top_known=[], past_events=list(range(7))
    )
    while state.snapshot()["date"] == 3:
        state.step(state.count() - 1)
    shot = state.snapshot()
    conserved(shot)
    assert shot["past_events"] == []


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_every_block_is_reached(ruleset: str) -> None:
    engine = engine_of(ruleset)
    path = path_of(engine)
    with Lines(path, calls=200) as hits:
        for game in FIXED:
            if game.ruleset == ruleset:
                play(engine, game)
        spitze_ruins(engine)
        no_room_for_a_bar(engine)
        somebody_goes_on_vacation(engine)
        a_contract_is_lost(engine)
        events_shuffled_again(engine)
    text, lines = table(path, hits)
    missing = {block.name for block in blocks(path) if not hits[block.start]}
    assert missing == set(NEVER), f"{text}\nlines not reached: {lines}"
