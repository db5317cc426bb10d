"""Equivalence, shown: engines play as the interpreter does, whatever optimisations are left out.

Three sources of games: the bundled ones, the cases of the interpreter's own tests, and games made at random.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from codegen.engines import PLAIN, bundled, cacao, engine_of, engines_of, graph_of, rulebook_of, same_games
from codegen.random_rules import random_rules
from conche.codegen.passes import NAMES
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.modules.load import load
from conche_runtime.interface import Engine
from interpret.lab import lab, read_cases
from schoko.guided import seated, spender, steady
from slices import slice_of

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "rules" / "examples"
EVERY = Path(__file__).resolve().parents[1] / "semantics" / "golden" / "every.rules"


@pytest.fixture(scope="module")
def optimised() -> Engine:
    return engine_of(cacao())


@pytest.mark.parametrize("skipped", NAMES)
def test_without_one_optimisation(optimised: Engine, skipped: str) -> None:
    engines = [optimised, engine_of(cacao(), [skipped])]
    for players in (2, 4):
        assert same_games(engines, players, players, steps=1000) == "over"


@pytest.mark.slow
def test_cacao(optimised: Engine) -> None:
    engines = [Interpreter(cacao()), optimised, engine_of(cacao(), PLAIN)]
    for players in (2, 3, 4):
        assert same_games(engines, players, players, steps=1000) == "over"


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_schoko(players: int) -> None:
    engines = engines_of(bundled("schoko"))
    assert same_games(engines, players, players, steps=3000, moves=40) == "over"
    firm = seated(steady, spender)
    if players == 2:
        assert same_games(engines, players, 1, steps=3000, moves=40, policy=firm) == "over"


@pytest.mark.slow
def test_schoko_with_hidden_purchases() -> None:
    engines = engines_of(bundled("schoko+hidden_purchases"))
    assert same_games(engines, 3, 2, steps=3000, moves=40) == "over"


@pytest.mark.parametrize("name", ["tricks", "sealed_bids", "tidewater", "workshop"])
def test_examples(name: str) -> None:
    engines = engines_of(bundled(str(EXAMPLES / f"{name}.rules")))
    assert same_games(engines, 4, 1, steps=300) == "over"


@pytest.mark.slow
def test_modules() -> None:
    """All optimisations against none; tests/modules holds the optimised engines to the interpreter."""
    rulebook = load("cacao+chocolate+emperor+gem_mines+huts+irrigation+map+new_workers").rulebook
    assert rulebook is not None
    graph = from_rulebook(rulebook)
    assert same_games([engine_of(graph), engine_of(graph, PLAIN)], 3, 1, steps=1000) == "over"


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


def random_games(seeds: Sequence[int]) -> dict[str, int]:
    """How the games of some seeds ended. Beside the optimised engine and the plain one plays one without some
    optimisations, other ones for each seed."""
    ends: dict[str, int] = {}
    for seed in seeds:
        rulebook = rulebook_of(random_rules(seed))
        if rulebook is None:
            continue
        rnd = random.Random(seed)
        graph = from_rulebook(rulebook)
        engines = [*engines_of(graph), engine_of(graph, [name for name in NAMES if rnd.random() < 0.3])]
        for players in (2, 3):
            ended = same_games(engines, players, seed, 40)
            ends[ended] = ends.get(ended, 0) + 1
    return ends


SEEDS = slice_of(range(400), 40)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_games(part: int) -> None:
    """`make test` takes another slice for each commit, `make test-all` all seeds."""
    seeds = SEEDS[part::4]
    assert random_games(seeds).get("over", 0) >= len(seeds) // 2


def test_the_interpreter_is_not_the_engine() -> None:
    """That the comparison compares: engines of two games differ."""
    one = graph_of(lab("set n to 4"))
    other = graph_of(lab("set n to 5"))
    with pytest.raises(AssertionError):
        same_games([Interpreter(one), engine_of(other)], 2, 0)
