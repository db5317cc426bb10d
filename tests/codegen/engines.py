"""Engines made of texts, and traces of two engines side by side."""

from __future__ import annotations

import linecache
import random
import sys
from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from itertools import count
from types import ModuleType
from typing import Any

from conche.codegen import build
from conche.codegen.passes import NAMES
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.modules.load import load, load_source
from conche.semantics.rulebook import Rulebook
from conche.source import Source
from conche_runtime.errors import RulesError
from conche_runtime.interface import Engine, State

PLAIN = NAMES
"""What to skip for an engine that is not optimised."""

_numbers = count()


def rulebook_of(text: str, name: str = "game.rules") -> Rulebook | None:
    """The rulebook of a text; None where it has errors."""
    return load_source(Source(name, text), ruleset=name.removesuffix(".rules")).rulebook


def graph_of(text: str, name: str = "game.rules") -> ActionGraph:
    rulebook = rulebook_of(text, name)
    assert rulebook is not None, load_source(Source(name, text), ruleset="game").diagnostics
    return from_rulebook(rulebook)


@cache
def cacao() -> ActionGraph:
    return bundled("cacao")


@cache
def bundled(ruleset: str) -> ActionGraph:
    rulebook = load(ruleset).rulebook
    assert rulebook is not None
    return from_rulebook(rulebook)


def module_of(text: str) -> ModuleType:
    """The module of a generated text."""
    name = f"generated_{next(_numbers)}"
    module = sys.modules[name] = ModuleType(name)
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module


def engine_of(graph: ActionGraph, skip: Collection[str] = ()) -> Engine:
    engine: Engine = module_of(build(graph, skip=skip)).engine
    return engine


def engines_of(graph: ActionGraph) -> list[Engine]:
    """The interpreter, the optimised engine and the plain one."""
    return [Interpreter(graph), engine_of(graph), engine_of(graph, PLAIN)]


Policy = Callable[[State, int, random.Random], int]
"""The number of an option for a seat that is asked."""


def by_chance(state: State, seat: int, rnd: random.Random) -> int:
    return rnd.randrange(state.count(seat))


def same_games(
    engines: Sequence[Engine],
    players: int,
    seed: int,
    steps: int = 80,
    *,
    moves: int = 200,
    policy: Policy = by_chance,
) -> str:
    """Plays the same game with all engines, asserts that nothing tells them apart: positions, views, options,
    moves, events, scores, errors and their lines. Says how it ended: `over`, `fault`, `cut`."""
    rnd = random.Random(seed)
    states: list[Any] = [
        _attempt(lambda engine=engine: engine.start(players, seed, log=True)) for engine in engines
    ]
    for _ in range(steps):
        faults = {state for state in states if isinstance(state, str)}
        if faults:
            assert set(states) == faults
            assert len(faults) == 1
            return "fault"
        first: State = states[0]
        for other in states[1:]:
            assert_same(first, other, moves)
        for state in states:
            state.log.clear()
        if first.over:
            return "over"
        player = rnd.choice(first.to_act)
        index, way = policy(states[1], player, rnd), rnd.random()
        for number, state in enumerate(states):
            engine = engines[number]
            if number and way < 0.4:
                states[number] = _attempt(partial(_apply, state, index, player))
            else:
                states[number] = _attempt(partial(_step, state, index, player))
            if number and way > 0.8 and not isinstance(states[number], str):
                log = states[number].log
                states[number] = engine.from_json(states[number].to_json())
                states[number].log = log
    return "cut"


def _step(state: State, index: int, player: int) -> State:
    state.step(index, player)
    return state


def _apply(state: State, index: int, player: int) -> State:
    state.apply(state.move(index, player), player)
    return state


def _attempt(what: Any) -> Any:
    """What a call gives, or the place of the rule that failed."""
    try:
        return what()
    except RulesError as error:
        return f"{error.file}:{error.line}"


def assert_same(one: State, other: State, moves: int = 200) -> None:
    assert one.over == other.over
    assert one.snapshot() == other.snapshot()
    assert one.log == other.log
    assert one.to_act == other.to_act
    assert one.decision == other.decision
    assert one.can_pass == other.can_pass
    for player in range(one.players):
        assert one.count(player) == other.count(player)
        if one.count(player) <= moves:
            assert [(m.name, m.args) for m in one.legal_moves(player)] == [
                (m.name, m.args) for m in other.legal_moves(player)
            ]
        assert one.view(player) == other.view(player)
    assert _attempt(lambda: (one.scores, one.ranking)) == _attempt(lambda: (other.scores, other.ranking))
