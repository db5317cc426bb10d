"""What must hold in every game of Cacao, whatever is played (rulebook §1), on the generated engine."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from conche_runtime.errors import IllegalMove
from conche_runtime.interface import Engine, State
from games.driving import Policy, at_random, board_of, filling, hoarding, overbuilding, play_out, positions
from oracle.cacao import jungle_pool, legal_cells, open_cells, worker_pool

pytestmark = pytest.mark.slow

POLICIES = [at_random, filling, hoarding, overbuilding]
SEEDS = range(8)


def tiles_in_play(state: State) -> tuple[Counter[str], list[Counter[str]]]:
    """All jungle tiles, and all worker tiles by owner, wherever they are."""
    shot = state.snapshot()
    jungle: Counter[str] = Counter(shot["jungle"]) + Counter(shot["display"])
    workers = [Counter(shot["workers"][seat]) + Counter(shot["held"][seat]) for seat in range(state.players)]
    for pieces in board_of(state).values():
        for piece in pieces:
            if "owner" in piece:
                workers[piece["owner"]][piece["kind"]] += 1
            else:
                jungle[piece["kind"]] += 1
    return jungle, workers


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_are_conserved_and_lie_as_they_may(engine: Engine, players: int, policy: Policy) -> None:
    for seed in SEEDS:
        for state in positions(engine, players, seed, policy):
            jungle, workers = tiles_in_play(state)
            assert jungle == jungle_pool(players)
            assert workers == [worker_pool(players)] * players
            for (x, y), pieces in board_of(state).items():
                is_worker = "owner" in pieces[0]
                assert (x + y) % 2 == (1 if is_worker else 0)
                assert len(pieces) <= (2 if is_worker else 1)
                assert len({piece.get("owner") for piece in pieces}) == 1
            shot = state.snapshot()
            assert all(0 <= n <= 3 for n in shot["sun"])
            assert all(0 <= n <= 8 for n in shot["carrier"])
            assert all(sum(goods.values()) <= 5 for goods in shot["goods"])
            assert all(n >= 0 for n in shot["gold"])
            assert len(shot["display"]) <= 2
            assert all(sum(held.values()) <= 3 for held in shot["held"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_places_equally_often_and_hands_are_empty_at_the_end(engine: Engine, players: int) -> None:
    tiles = {2: 11, 3: 10, 4: 9}[players]
    for seed in SEEDS:
        *_, state = positions(engine, players, seed)
        assert state.over
        assert state.to_act == ()
        assert state.count() == 0
        assert state.legal_moves() == []
        laid = [0] * players
        for pieces in board_of(state).values():
            for piece in pieces:
                if "owner" in piece:
                    laid[piece["owner"]] += 1
        assert laid == [tiles] * players
        for score in state.scores:
            assert score["total"] == sum(n for name, n in score.items() if name != "total")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_placements_and_fills_are_those_found_by_brute_force(
    engine: Engine, players: int, policy: Policy
) -> None:
    """Legal cells and open cells, enumerated from the definition by the independent oracle."""
    checked = Counter[str]()
    for seed in SEEDS:
        for state in positions(engine, players, seed, policy):
            if state.decision not in ("place", "fill"):
                continue
            board: dict[tuple[int, int], Any] = {}
            for at, pieces in board_of(state).items():
                top = pieces[-1]
                board[at] = (
                    (top["kind"], top.get("turn", 0), top["owner"], len(pieces) > 1)
                    if "owner" in top
                    else top["kind"]
                )
            moves = [move.args for move in state.legal_moves()]
            shot = state.snapshot()
            if state.decision == "place":
                seat = state.to_act[0]
                cells = set(legal_cells(board))
                if not shot["display"] and not shot["jungle"] and shot["sun"][seat] > 0:
                    cells |= {
                        at
                        for at, tile in board.items()
                        if not isinstance(tile, str) and tile[2] == seat and not tile[3]
                    }
                    checked["overbuild"] += 1
                for worker in shot["held"][seat]:
                    assert {tuple(m["at"]) for m in moves if m["worker"] == worker} == cells
                assert {m["worker"] for m in moves} == set(shot["held"][seat])
            else:
                cells = set(open_cells(board, tuple(shot["placed"])))
                assert {tuple(m["at"]) for m in moves} == cells
                assert {m["source"] for m in moves} == ({"display"} if shot["display"] else {"pile"})
                if shot["display"]:
                    assert {m["tile"] for m in moves} == set(shot["display"])
                checked[f"fill of {len(cells)}"] += 1
    assert checked["fill of 2"] > 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_worker_edge_is_activated_at_most_once(engine: Engine, players: int, policy: Policy) -> None:
    """A pending edge is of this turn; one that was pending in an earlier turn never comes back (§A3), except
    under a tile that covers another, which brings new edges."""
    for seed in SEEDS:
        seen: dict[Any, Any] = {}
        turn: Any = None
        number = 0
        for state in positions(engine, players, seed, policy):
            board = board_of(state)
            laid = sum(len(pieces) for pieces in board.values() if "owner" in pieces[0])
            if laid != turn:
                turn, number = laid, number + 1
            for edges in state.snapshot()["pending"]:
                for x, y, side in edges:
                    edge = (x, y, side, len(board[(x, y)]))
                    assert seen.setdefault(edge, number) == number


@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_moves_apply_and_anything_else_raises_and_changes_nothing(engine: Engine, players: int) -> None:
    seen: dict[str, Any] = {}
    for seed in range(3):
        for number, state in enumerate(positions(engine, players, seed, overbuilding)):
            if number % 5:
                continue
            before = state.to_json()
            moves = state.legal_moves()
            assert len(set(moves)) == len(moves) == state.count()
            for index, move in enumerate(moves):
                assert state.move(index) == move
                assert state.find(move.name, move.args) == index
                other = state.clone()
                other.apply(move)
                twin = state.clone()
                twin.step(index)
                assert other.to_json() == twin.to_json()
            for move in list(seen.values()):
                if move not in moves:
                    with pytest.raises(IllegalMove):
                        state.apply(move)
            for wrong in (-1, len(moves), 10**30, 0.5, None, "0"):
                with pytest.raises(IllegalMove):
                    state.step(wrong)  # type: ignore[arg-type]
                with pytest.raises(IllegalMove):
                    state.move(wrong)  # type: ignore[arg-type]
            if not state.over:
                for player in (-1, players, *(p for p in range(players) if p not in state.to_act)):
                    with pytest.raises(IllegalMove):
                        state.apply(moves[0], player)
                with pytest.raises(IllegalMove):
                    state.find(moves[0].name, {**moves[0].args, "extra": 1})
                with pytest.raises(IllegalMove):
                    state.find(moves[0].name, {"amount": {1}, "at": {1}})
                seen.update({str(move): move for move in moves[:: max(1, len(moves) // 7)]})
            assert state.to_json() == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_clone_and_save_at_every_decision_play_on_alike(engine: Engine, players: int) -> None:
    for seed, policy in ((1, at_random), (2, overbuilding)):
        for number, state in enumerate(positions(engine, players, seed, policy)):
            text = state.to_json()
            clone, loaded = state.clone(), engine.from_json(text)
            assert clone.to_json() == loaded.to_json() == text
            assert clone.snapshot() == loaded.snapshot() == state.snapshot()
            assert [m.args for m in loaded.legal_moves()] == [m.args for m in state.legal_moves()]
            if number % 6 == 0:
                assert play_out(clone, number) == play_out(loaded, number)
            assert state.to_json() == text, "what clones do never reaches the state they came from"
            json.loads(text)
