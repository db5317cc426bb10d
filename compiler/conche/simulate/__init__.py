"""Simulation: many games between bots, and what they tell about a ruleset.

Purpose: balance and length of a game, from Python or the shell.
Input: a ruleset, a number of games, bots. Output: a `Summary`; each game's `GameResult` on request.
Invariant: the result depends on the ruleset, the number of players, the seed and the bots alone, not on
the number of processes or their speed. Game k of a simulation is a game of its own seed (`game_seed`), so
it can be played again and watched.
"""

from conche.simulate.game import GameResult, game_seed, play_game
from conche.simulate.run import SimulationError, simulate
from conche.simulate.statistics import Estimate, Share
from conche.simulate.summary import Summary

__all__ = [
    "Estimate",
    "GameResult",
    "Share",
    "SimulationError",
    "Summary",
    "game_seed",
    "play_game",
    "simulate",
]
