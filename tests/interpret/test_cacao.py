"""Whole games of Cacao, against a model of the rulebook that was written independently, by brute force."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter, InterpreterState
from conche.resources import rules_dir
from conche.semantics.from_ast import from_ast
from conche.source import read_source
from conche.syntax.from_text import parse
from conche_runtime.interface import ChanceEvent, ForcedEvent
from oracle.cacao import Oracle
from slices import slice_of

pytestmark = pytest.mark.slow

SEEDS = slice_of(range(22), 3)


@pytest.fixture(scope="module")
def cacao() -> Interpreter:
    file, found = parse(read_source(rules_dir() / "cacao" / "cacao.rules", "cacao.rules"))
    rules, more = from_ast(file, ruleset="cacao", options={})
    assert rules is not None, [*found, *more]
    return Interpreter(from_rulebook(rules))


def drawn(state: InterpreterState) -> list[ChanceEvent]:
    assert state.log is not None
    events = [event for event in state.log if isinstance(event, ChanceEvent)]
    state.log.clear()
    return events


def begin(engine: Interpreter, players: int, seed: int) -> tuple[InterpreterState, Oracle]:
    state = engine.start(players, seed=seed, log=True)
    values: dict[str, list[Any]] = {}
    for event in drawn(state):
        values.setdefault(event.source, []).append(event.value)
    hands = [values[f"workers[{seat}]"] for seat in range(players)]
    assert [len(hand) for hand in hands] == [3] * players
    return state, Oracle(players, values["jungle"], hands)


def choose(state: InterpreterState, rnd: random.Random, greedy: bool) -> int:
    """At random; or so that many spaces are filled, goods are taken and own tiles covered."""
    count = state.count()
    if not greedy or rnd.random() < 0.1:
        return rnd.randrange(count)
    if state.decision == "use":
        return count - 1
    if state.decision == "place":
        taken = set(state.position.boards["table"])
        ats = [state.move(index).at for index in range(count)]
        covers = [index for index, at in enumerate(ats) if at in taken]
        near = [index for index, at in enumerate(ats) if abs(at[0]) + abs(at[1]) <= 3]
        return rnd.choice(covers or near or range(count))
    return rnd.randrange(count)


def board(state: InterpreterState) -> dict[tuple[int, int], Any]:
    """The visible pieces as the oracle writes them."""
    found: dict[tuple[int, int], Any] = {}
    for entry in state.snapshot()["table"]:
        top = entry["pieces"][-1]
        worker = (top["kind"], top.get("turn"), top.get("owner"), len(entry["pieces"]) > 1)
        found[entry["at"][0], entry["at"][1]] = worker if "owner" in top else top["kind"]
    return found


def texts(options: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return sorted(f"{name} {json.dumps(args, sort_keys=True)}" for name, args in options)


def agree(state: InterpreterState, oracle: Oracle) -> None:
    """The position and, unless the game is over, who is asked what, with which options."""
    found = state.snapshot()
    assert board(state) == oracle.board
    assert found["gold"] == oracle.gold
    assert [goods.get("cacao", 0) for goods in found["goods"]] == oracle.cacao
    assert found["sun"] == oracle.sun
    assert found["carrier"] == oracle.water
    assert found["jungle"] == {kind: n for kind, n in oracle.pile.items() if n}
    assert sorted(found["display"]) == sorted(oracle.display)
    for seat, pile in enumerate(oracle.worker_piles):
        assert found["workers"][seat] == {kind: n for kind, n in pile.items() if n}
        hand = {kind: oracle.hands[seat].count(kind) for kind in oracle.hands[seat]}
        assert found["held"][seat] == hand
    assert state.over == oracle.over
    assert state.scores == oracle.scores()
    assert state.ranking == oracle.ranking()
    if state.over:
        return
    assert (state.to_act, state.decision) == ((oracle.to_act,), oracle.decision)
    options = [(move.name, move.args) for move in state.legal_moves()]
    assert texts(options) == texts([(option["name"], option["args"]) for option in oracle.options()])
    assert len(options) == state.count() >= 2


@pytest.mark.slow
@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_agree_with_the_oracle(cacao: Interpreter, players: int, greedy: bool) -> None:
    overbuilt = 0
    for seed in SEEDS:
        rnd = random.Random(f"{players} {seed} {greedy}")
        state, oracle = begin(cacao, players, seed)
        agree(state, oracle)
        while not state.over:
            move = state.move(choose(state, rnd, greedy))
            state.apply(move)
            oracle.apply(move.name, move.args)
            for event in drawn(state):
                assert oracle.needs == event.source
                oracle.chance(event.source, str(event.value))
            agree(state, oracle)
        overbuilt += sum(1 for stack in state.position.boards["table"].values() if len(stack) > 1)
    assert overbuilt or players == 2 or not greedy or len(SEEDS) < 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_copies_and_saves_play_on_identically(cacao: Interpreter, players: int) -> None:
    rnd = random.Random(players)
    state = cacao.start(players, seed=players)
    while not state.over:
        index = rnd.randrange(state.count())
        before = state.to_json()
        loaded, cloned = cacao.from_json(before), state.clone()
        others = [loaded, cloned]
        for other in others:
            assert other.count() == state.count()
            assert other.move(index) == state.move(index)
            other.step(index)
        assert state.to_json() == before
        state.step(index)
        assert all(other.to_json() == state.to_json() for other in others)
        assert all(other.snapshot() == state.snapshot() for other in others)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_clone_in_mid_game_plays_to_the_same_end(cacao: Interpreter, players: int) -> None:
    rnd = random.Random(players)
    state = cacao.start(players, seed=10)
    while not state.over:
        if rnd.random() < 0.05:
            one, two = state.clone(), cacao.from_json(state.to_json())
            line = random.Random(1), random.Random(1)
            while not one.over:
                assert one.count() == two.count()
                one.step(line[0].randrange(one.count()))
                two.step(line[1].randrange(two.count()))
            assert two.over
            assert one.to_json() == two.to_json()
        state.step(rnd.randrange(state.count()))


def test_samples_keep_the_view_in_whole_games(cacao: Interpreter) -> None:
    rnd = random.Random(0)
    state = cacao.start(3, seed=0)
    while not state.over:
        player = rnd.randrange(3)
        sample = state.sample(player, rnd.randrange(100))
        assert sample.view(player) == state.view(player)
        assert sample.count() >= 2
        if rnd.random() < 0.05:
            while not sample.over:
                sample.step(rnd.randrange(sample.count()))
        state.step(rnd.randrange(state.count()))


def test_outside_chance_replays_a_seeded_game(cacao: Interpreter) -> None:
    outcomes: list[tuple[str, Any]] = []
    state = cacao.start(3, seed=5, log=True)
    rnd = random.Random(2)
    steps: list[int] = []
    while not state.over:
        steps.append(rnd.randrange(state.count()))
        state.step(steps[-1])
    forced = [event for event in state.log or () if isinstance(event, ForcedEvent)]
    outcomes = [(event.source, event.value) for event in drawn(state)]

    def chance(source: str, possible: Any) -> Any:
        expected, value = outcomes.pop(0)
        assert source == expected
        assert value in [outcome for outcome, _ in possible]
        return value

    replayed = cacao.start(3, chance=chance, log=True)
    for index in steps:
        replayed.step(index)
    assert not outcomes
    assert replayed.over
    assert replayed.snapshot() == state.snapshot()
    assert [event for event in replayed.log or () if isinstance(event, ForcedEvent)] == forced
