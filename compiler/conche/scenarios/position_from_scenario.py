"""The position that a scenario begins with.

Purpose: set-up, then the `given` lines, then play to its first decision of two or more options.
Input: an action graph and a scenario. Output: an `InterpreterState`.
Invariants: the set-up draws with seed 0; `chance` lines right after the `given` lines count for what play
draws before its first decision.
"""

from __future__ import annotations

from conche.graph.model import ActionGraph
from conche.interpret import Given, Interpreter, InterpreterState
from conche.interpret.given import put_given
from conche.interpret.machine import Machine, guarded
from conche.interpret.position import Position
from conche.scenarios.scripted_chance import ScriptedChance
from conche.semantics.rulebook import (
    GivenPiece,
    GivenPlace,
    GivenZone,
    NextChance,
    Scenario,
    ScenarioLine,
)


def position_from_scenario(graph: ActionGraph | Interpreter, scenario: Scenario) -> InterpreterState:
    """The position at the first decision. RulesError where a line or the rules forbid it."""
    engine = graph if isinstance(graph, Interpreter) else Interpreter(graph)
    chance = ScriptedChance()
    position = engine.after_setup(scenario.players, None, chance)
    given, chances, _ = parts_of(scenario)
    for line in given:
        place(engine, position, line)
    for chance_line in chances:
        chance.script(chance_line)
    Machine(engine.program, position, chance).run()
    return InterpreterState(engine, position, chance)


def place(engine: Interpreter, position: Position, line: Given) -> None:
    """Puts one `given` line in place. RulesError, with its line, where that is forbidden."""
    executor = Machine(engine.program, position).executor
    guarded(lambda: put_given(executor, line), line.span)


def parts_of(scenario: Scenario) -> tuple[list[Given], list[NextChance], list[ScenarioLine]]:
    """The `given` lines, the `chance` lines right after them, and the rest."""
    lines = list(scenario.lines)
    given: list[Given] = []
    chances: list[NextChance] = []
    while lines and isinstance(lines[0], GivenPlace | GivenZone | GivenPiece):
        line = lines.pop(0)
        assert isinstance(line, GivenPlace | GivenZone | GivenPiece)
        given.append(line)
    while lines and isinstance(lines[0], NextChance):
        line = lines.pop(0)
        assert isinstance(line, NextChance)
        chances.append(line)
    return given, chances, lines
