"""Equivalence, shown: engines play as the interpreter does, whatever optimisations are left out.

Three sources of games: the bundled ones, the cases of the interpreter's own tests, and games made at random.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.engines import cacao, engine_of, engines_of, graph_of, rulebook_of, same_games
from codegen.random_rules import random_rules
from conche.codegen.passes import NAMES
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.modules.load import load
from interpret.lab import lab, read_cases

EVERY = Path(__file__).resolve().parents[1] / "semantics" / "golden" / "every.rules"


@pytest.mark.parametrize("skipped", NAMES)
def test_without_one_optimisation(skipped: str) -> None:
    engines = [engine_of(cacao()), engine_of(cacao(), [skipped])]
    for players in (2, 4):
        assert same_games(engines, players, players, steps=1000) == "over"


def test_cacao() -> None:
    engines = engines_of(cacao())
    for players in (2, 3, 4):
        assert same_games(engines, players, players, steps=1000) == "over"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["map", "irrigation", "chocolate", "huts", "emperor", "new_workers"])
def test_modules(module: str) -> None:
    rulebook = load(f"cacao+{module}").rulebook
    assert rulebook is not None
    engines = engines_of(from_rulebook(rulebook))
    for players in (2, 4):
        assert same_games(engines, players, 1, steps=1000) == "over"


@pytest.mark.parametrize("name", ["flow.txt", "statements.txt", "triggers.txt", "faults.txt"])
def test_cases_of_the_interpreter(name: str) -> None:
    for case in read_cases(name):
        graph = graph_of(lab(case.play, case.more))
        for players in (2, 3):
            ended = same_games(engines_of(graph), players, 0)
            assert (ended == "fault") == (name == "faults.txt"), case.title


def test_a_game_with_every_node_of_the_rulebook() -> None:
    graph = graph_of(EVERY.read_text(encoding="utf-8"), "every.rules")
    engines = engines_of(graph)
    for players in (1, 2, 3):
        for seed in range(3):
            same_games(engines, players, seed)


def random_games(seeds: range) -> dict[str, int]:
    ends: dict[str, int] = {}
    for seed in seeds:
        rulebook = rulebook_of(random_rules(seed))
        if rulebook is None:
            continue
        engines = engines_of(from_rulebook(rulebook))
        for players in (2, 3):
            ended = same_games(engines, players, seed, 40)
            ends[ended] = ends.get(ended, 0) + 1
    return ends


def test_random_games() -> None:
    assert random_games(range(8))["over"] > 8


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 300, 40))
def test_more_random_games(start: int) -> None:
    assert random_games(range(start, start + 40))["over"] > 40


def test_the_interpreter_is_not_the_engine() -> None:
    """That the comparison compares: engines of two games differ."""
    one = graph_of(lab("set n to 4"))
    other = graph_of(lab("set n to 5"))
    with pytest.raises(AssertionError):
        same_games([Interpreter(one), engine_of(other)], 2, 0)
