"""What a seat can learn: nothing changes for it when only what is hidden from it changes (rulebook §1.10).

Two games are given the same moves and the same chance, except that one piece which a seat has drawn face
down is another. Until it is shown, the others' views, legal moves and records must be the same to the byte.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from conche_runtime.interface import Engine, State
from conche_runtime.records import Recorder
from games.driving import at_random, filling, positions


class Script:
    """Chance that is the same in two games, but for the outcomes in `other`, by (source, number of draw)."""

    def __init__(self, seed: int, other: dict[tuple[str, int], str]) -> None:
        self.seed, self.other = seed, other
        self.drawn: dict[str, int] = {}

    def __call__(self, source: str, outcomes: Sequence[tuple[Any, int]]) -> Any:
        number = self.drawn.get(source, 0)
        self.drawn[source] = number + 1
        wanted = self.other.get((source, number))
        if wanted is not None:
            return wanted
        rnd = random.Random(f"{self.seed} {source} {number}")
        return rnd.choices([v for v, _ in outcomes], [w for _, w in outcomes])[0]


def both(
    engine: Engine, players: int, seed: int, liar: int
) -> list[tuple[State, list[Recorder], list[io.StringIO]]]:
    """Two games in which `liar` has drawn 1-1-1-1 first and then either 3-0-0-1 or 3-1-0-0."""
    games = []
    for second in ("3-0-0-1", "3-1-0-0"):
        other = {(f"workers[{liar}]", n): kind for n, kind in enumerate(("1-1-1-1", second, "2-1-0-1"))}

        def start(other: dict[tuple[str, int], str] = other) -> State:
            return engine.start(players=players, chance=Script(seed, other), log=True)

        # one more game for each record, as a recorder takes the log
        streams = [io.StringIO() for _ in range(players)]
        recorders = [
            Recorder(engine, start(), stream, full=True, seat=seat) for seat, stream in enumerate(streams)
        ]
        games.append((start(), recorders, streams))
    return games


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_a_hidden_piece_changes_nothing_that_others_see(engine: Engine, players: int, seed: int) -> None:
    liar = seed % players
    (one, recs_one, texts_one), (two, recs_two, texts_two) = both(engine, players, seed, liar)
    assert one.view(liar) != two.view(liar), "its owner does see it"
    rnd = random.Random(seed)
    compared = 0
    while not one.over:
        assert one.to_act == two.to_act
        assert one.decision == two.decision
        for seat in range(players):
            if seat != liar:
                assert json.dumps(one.view(seat)) == json.dumps(two.view(seat))
                assert texts_one[seat].getvalue() == texts_two[seat].getvalue()
        actor = one.to_act[0]
        if actor == liar:
            if one.decision == "place":
                if compared and one.snapshot()["held"][liar].get("1-1-1-1", 0) == 0:
                    break
                common = [m for m in one.legal_moves() if m.args["worker"] == "1-1-1-1"]
                if not common:
                    break
                move = rnd.choice(common)
            else:
                move = rnd.choice(one.legal_moves())
        else:
            assert [m.args for m in one.legal_moves()] == [m.args for m in two.legal_moves()]
            move = rnd.choice(one.legal_moves())
        for state, recorders in ((one, recs_one), (two, recs_two)):
            index = state.find(move.name, move.args)
            for recorder in recorders:
                recorder.apply(recorder.state.find(move.name, move.args))
            state.step(index)
        compared += 1
    assert compared >= players


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_sample_looks_the_same_to_its_player_and_is_another_game(engine: Engine, players: int) -> None:
    different = 0
    for state in positions(engine, players, 3, filling):
        for seat in range(players):
            sample = state.sample(seat, seed=7)
            assert sample.view(seat) == state.view(seat)
            shot, other = state.snapshot(), sample.snapshot()
            assert other["jungle"] == shot["jungle"]
            for who in range(players):
                mine = {k: shot["held"][who].get(k, 0) + shot["workers"][who].get(k, 0) for k in KINDS}
                theirs = {k: other["held"][who].get(k, 0) + other["workers"][who].get(k, 0) for k in KINDS}
                assert mine == theirs
            different += shot["held"] != other["held"]
            if seat in state.to_act:
                assert [m.args for m in sample.legal_moves()] == [m.args for m in state.legal_moves()]
            while not sample.over:
                sample.step(at_random(sample, random.Random(1)))
    assert different > 0


KINDS = ("1-1-1-1", "2-1-0-1", "3-0-0-1", "3-1-0-0")


def test_a_view_holds_no_others_hand_no_order_and_no_seed(engine: Engine) -> None:
    state = engine.start(players=3, seed=123456789)
    for seat in range(3):
        view = state.view(seat)
        assert "123456789" not in json.dumps(view)
        for other in range(3):
            if other == seat:
                assert sum(view["held"][seat].values()) == 3
            else:
                assert view["held"][other] == {"size": 3}
            assert view["workers"][other] == {"size": 7}
        assert view["jungle"] == {"size": 24}
        assert view["you"] == seat
        assert view["to_act"] == [0]
