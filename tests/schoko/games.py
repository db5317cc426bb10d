"""The engines and the games of the tests of Schoko & Co.: fixed ones that reach everything, and many more.

A game is a ruleset, a number of players, a seed, and the name of who plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import conche
from conche import pipeline
from conche.interpret import Interpreter
from conche_runtime.interface import Engine
from schoko.guided import Policy, by_chance, disorderly, idler, seated, spender, steady, trader

GAME, HIDDEN = "schoko", "schoko+hidden_purchases"

POLICIES: dict[str, Policy] = {
    "steady": seated(steady),
    "one spends": seated(spender, steady),
    "two spend": seated(spender, spender, steady),
    "all spend": seated(spender),
    "one idles": seated(idler, steady),
    "two trade": seated(trader, trader, steady),
    "no secretaries": seated(disorderly, disorderly, steady),
    "chance": seated(by_chance),
}


@dataclass(frozen=True)
class Game:
    ruleset: str
    players: int
    seed: int
    who: str

    def __str__(self) -> str:
        return f"{self.ruleset} {self.players} players seed {self.seed} {self.who}"

    @property
    def policy(self) -> Policy:
        return POLICIES[self.who]


@cache
def engine_of(ruleset: str) -> Engine:
    return conche.load(ruleset)


@cache
def interpreter_of(ruleset: str) -> Interpreter:
    return Interpreter(pipeline.check(ruleset).must())


FIXED = [
    Game(GAME, 2, 0, "steady"),
    Game(GAME, 3, 2, "steady"),
    Game(GAME, 4, 1, "steady"),
    Game(GAME, 3, 5, "all spend"),
    Game(GAME, 4, 3, "all spend"),
    Game(GAME, 3, 2, "two spend"),
    Game(GAME, 4, 2, "two spend"),
    Game(GAME, 3, 0, "one spends"),
    Game(GAME, 3, 1, "one idles"),
    Game(GAME, 3, 3, "no secretaries"),
    Game(GAME, 3, 0, "two trade"),
    Game(GAME, 4, 0, "chance"),
    Game(HIDDEN, 2, 0, "steady"),
    Game(HIDDEN, 3, 0, "two spend"),
    Game(HIDDEN, 4, 0, "all spend"),
    Game(HIDDEN, 4, 1, "steady"),
]
"""These reach every decision, event and express card, and players who leave in every way."""

MORE = [
    Game(ruleset, players, seed, who)
    for ruleset in (GAME, HIDDEN)
    for players in (2, 3, 4)
    for who in POLICIES
    for seed in range(10, 14)
]
