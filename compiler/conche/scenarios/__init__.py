"""Scenarios: the tests that stand in rules files.

Purpose: runs them on the interpreter. Input: an action graph (or an interpreter) and a `Scenario`.
Output: `ScenarioResult`s with a diagnostic for each failing line. `check_game`: what always holds, in whole
games.
"""

from conche.scenarios.run_scenarios import (
    ScenarioResult,
    position_from_scenario,
    run_scenario,
    run_scenarios,
)

__all__ = ["ScenarioResult", "position_from_scenario", "run_scenario", "run_scenarios"]
