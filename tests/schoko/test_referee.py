"""Schoko & Co. against the referee: at every decision of guided games both agree, and nothing gets lost."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from conche_runtime.interface import Engine
from schoko import referee, table
from schoko.games import FIXED, GAME, HIDDEN, MORE, POLICIES, Game, engine_of, interpreter_of
from schoko.table import CARDS, EVENTS, EXPRESS
from schoko.watched import conserved, watch
from slices import slice_of

DECISIONS = {
    *("peek", "staff", "loan", "dismiss", "request", "bid", "produce", "attend", "accept", "raise"),
    *("process", "cash_out", "emergency", "repay", "shares", "express", "vacation"),
}


def exits(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """In what ways players have left between two decisions."""
    living = [seat for seat in range(before["players"]) if seat not in before["out"]]
    order = sorted(living, key=lambda seat: (seat - before["first"]) % before["players"])
    ways = []
    for seat in after["out"][len(before["out"]) :]:
        ways += ["starting player"] * (seat == order[0]) + ["banker"] * (seat == order[-1])
    if ways or len(after["out"]) > len(before["out"]):
        ways.append(f"by {before['decision']['name']}")
        ways += ["last but one"] * (len(after["out"]) == before["players"] - 1)
        same = after["decision"] and after["decision"]["name"] == before["decision"]["name"]
        ways += ["in the middle of a phase"] * bool(same and after["date"] == before["date"])
    return ways


@pytest.mark.slow
def test_the_fixed_games_agree_and_reach_everything() -> None:
    seen, ways, ends = Counter[str](), Counter[str](), Counter[str]()
    for game in FIXED:
        before: dict[str, Any] | None = None
        for watched in watch(engine_of(game.ruleset), game.players, game.seed, game.policy):
            shot = watched.state.snapshot()
            if before is not None:
                ways.update(exits(before, shot))
            before = shot
        seen += watched.seen
        assert before is not None
        ends["last month" if before["date"] == 8 else "earlier"] += 1
        ends["several survive"] += len(before["out"]) < game.players - 1
    assert all(seen[f"bought in month {month}"] for month in range(1, 8)), seen
    missing = {*DECISIONS, "announce", "call", *CARDS, *EVENTS, *EXPRESS} - set(seen)
    assert not missing
    for how in ("starting player", "banker", "in the middle of a phase", "last but one", "by express"):
        assert ways[how], (how, ways)
    assert min(ends["last month"], ends["earlier"]) >= 3, ends
    assert ends["several survive"] >= 5, ends


@pytest.mark.parametrize("game", slice_of(MORE, 8), ids=str)
def test_more_games_agree(game: Game) -> None:
    *_, end = watch(engine_of(game.ruleset), game.players, game.seed, game.policy)
    assert end.state.over


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_all_offers_are_those_that_can_be_paid(ruleset: str) -> None:
    game = watch(engine_of(ruleset), 2, 3, POLICIES["all spend"], every_offer=True)
    *_, last = islice(game, 60)
    assert last.seen["bid"] >= 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "players"),
    [
        ("schoko:months=6,first_banker=blue", 2),
        ("schoko:months=12", 2),
        ("schoko+hidden_purchases:months=12,first_banker=green", 2),
        ("schoko:months=12,first_banker=green", 4),
        ("schoko:first_banker=yellow,months=6", 3),
    ],
)
def test_other_lengths_and_bankers(ruleset: str, players: int) -> None:
    """On the interpreter, as no engine is needed for these."""
    months = int(interpreter_of(ruleset).options["months"])
    dates = set[int]()
    for watched in watch(interpreter_of(ruleset), players, 1, POLICIES["two trade"]):
        dates.add(watched.referee.month)
    assert dates == set(range(1, months + 1))
    drawn = sum(watched.seen[event] for event in EVENTS)
    assert drawn == months - 1, "one in every month but the first; after seven they are shuffled again"


# -- that referee and count can tell what is wrong


def first_disagreement(engine: Engine) -> str:
    for game in FIXED:
        if game.ruleset != GAME:
            continue
        try:
            for _ in watch(engine, game.players, game.seed, game.policy):
                pass
        except (AssertionError, KeyError, IndexError, ValueError):
            return str(game)
    return ""


@pytest.mark.parametrize(
    ("place", "name", "wrong"),
    [
        (table.WAGES, "rep", 11),
        (table.EXPRESS, "entsetzlich", (table.MARKERS_SET,)),
        (table.EXPRESS, "skandaloes", ()),
        (table.CARDS, "c33_66", (3, 34, 66)),
        (table.POOL, "secretary", 15),
    ],
    ids=["a wage", "a window", "a card", "a price", "a pool"],
)
def test_a_wrong_figure_is_noticed(
    monkeypatch: pytest.MonkeyPatch, place: dict[str, Any], name: str, wrong: object
) -> None:
    monkeypatch.setitem(place, name, wrong)
    assert first_disagreement(engine_of(GAME))


def test_a_wrong_share_price_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (*table.SHARE_PRICE[:2], 62, *table.SHARE_PRICE[3:])
    monkeypatch.setattr(referee, "SHARE_PRICE", wrong)
    assert first_disagreement(engine_of(GAME))


def test_a_lost_piece_is_noticed() -> None:
    shot = engine_of(GAME).start(3, seed=1).snapshot()
    conserved(shot)
    wrongs: list[dict[str, Any]] = [
        {"cash": [99, 100, 100]},
        {"bank_bars": 113},
        {"loans": [0, 1, 0]},
        {"shares_left": 9},
        {"labour": {**shot["labour"], "rep": 15}},
        {"contracts": {name: 1 for name in shot["contracts"] if name != "c10_22"}},
        {"played": ["spitze"]},
        {"events": {}},
        {"marker": [0, 16, 0]},
        {"cocoa": [17, 0, 0], "bank_bars": 97},
        {"hired": [["rep", "rep", "rep"], [], []]},
        {"hired": [["rep"], [], []], "fired": [["rep"], [], []]},
        {"table": ["c30_60"], "asking": 61, "contracts": {n: 1 for n in shot["contracts"] if n != "c30_60"}},
    ]
    for wrong in wrongs:
        with pytest.raises(AssertionError):
            conserved({**shot, **wrong})
