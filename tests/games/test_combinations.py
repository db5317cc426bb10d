"""What must hold in every combination of Cacao's modules, for every number of players.

Generated engine and interpreter play the same game (games/both.py); in it, pieces are conserved by kind; a
clone, a save and a sample are what they should be; legal moves apply, others are refused. A slice of all
combinations, chosen by the commit; with CONCHE_TEST_ALL=1 all of them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import permutations

import pytest

from conche.pipeline import build_checked, check
from conche.semantics.canonical import canonical
from conche_runtime.interface import State
from games.both import (
    ALL_EIGHT,
    BIG_GAME,
    OPTIONS,
    combos,
    engines,
    named,
    players_of,
    same_game,
)
from slices import ALL, slice_of

GAMES = [(ruleset, players) for ruleset in (*combos(), BIG_GAME, *OPTIONS) for players in players_of(ruleset)]
SLICE = [*slice_of(GAMES, 6), *slice_of([(ALL_EIGHT, players) for players in (2, 3, 4)], 1)]


def test_all_combinations_are_there() -> None:
    assert len(combos()) == len(set(combos())) == 256
    assert len(set(GAMES)) == 256 * 3 + 2 + len(OPTIONS) * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "players"),
    list(dict.fromkeys(SLICE)),
    ids=[f"{named(r)}-{p}" for r, p in dict.fromkeys(SLICE)],
)
def test_a_game_of_both_engines(ruleset: str, players: int) -> None:
    decisions = same_game(ruleset, players, seed=players)
    assert decisions > 30


# -- what is hidden


class Twin:
    """Chance that is the same in two games, but that one seat draws other pieces from its own hidden pile."""

    def __init__(self, seed: int, liar: str) -> None:
        self.seed, self.liar, self.number = seed, liar, dict[str, int]()

    def __call__(self, source: str, outcomes: list[tuple[object, int]]) -> object:
        number = self.number[source] = self.number.get(source, 0) + 1
        rnd = random.Random(f"{self.seed} {source} {number}")
        values = [value for value, _ in outcomes]
        other = "" if source != self.liar else rnd.choice(values)
        chosen = rnd.choices(values, [weight for _, weight in outcomes])[0]
        return other or chosen


def hidden_games(ruleset: str, players: int, seed: int) -> int:
    """Two games with the same moves of everybody, in which the last seat's hidden pieces differ: until that
    seat plays one, nobody else can tell them apart. Gives how many decisions were compared."""
    engine, _ = engines(ruleset)
    liar = players - 1
    pair: list[State] = [
        engine.start(players=players, chance=Twin(seed, source)) for source in ("none", f"workers[{liar}]")
    ]
    one, two = pair
    rnd, compared = random.Random(seed), 0
    while not one.over and one.to_act[0] != liar:
        for seat in range(liar):
            assert one.view(seat) == two.view(seat)
        assert (one.to_act, one.decision) == (two.to_act, two.decision)
        legal = one.legal_moves()
        assert [move.args for move in legal] == [move.args for move in two.legal_moves()]
        index = rnd.randrange(len(legal))
        one.step(index)
        two.step(index)
        compared += 1
    return compared if one.view(liar) != two.view(liar) else 0


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", slice_of(combos(), 2), ids=named)
def test_nobody_else_can_tell_what_a_seat_has_drawn(ruleset: str) -> None:
    told = [hidden_games(ruleset, players, seed) for players in (2, 3, 4) for seed in range(4)]
    assert sum(told) >= 6


# -- the order of naming


SETS = [
    ("map", "huts", "irrigation"),
    ("chocolate", "tree_of_life", "new_workers"),
    ("gem_mines", "map", "emperor"),
]


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS if ALL else slice_of(SETS, 1), ids="+".join)
def test_the_order_of_naming_changes_nothing(names: tuple[str, ...]) -> None:
    wanted: tuple[str, str] | None = None
    for order in permutations(names):
        checked = check("+".join(("cacao", *order)))
        rulebook = checked.must().rulebook
        found = canonical(rulebook), rulebook.ruleset
        wanted = wanted or found
        assert found == wanted
    forth = build_checked(check("+".join(("cacao", *names))))
    back = build_checked(check("+".join(("cacao", *reversed(names)))))
    assert forth.text == back.text


HASHED = """
import hashlib, sys
from conche.pipeline import build_checked, check
print(hashlib.sha256(build_checked(check(sys.argv[1])).text.encode()).hexdigest())
"""


@pytest.mark.slow
def test_neither_order_nor_hashes_change_a_byte_of_the_engine() -> None:
    found = set()
    for seed, ruleset in enumerate(("cacao+emperor+map", "cacao+map+emperor"), start=1):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", HASHED, ruleset]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
