"""The parts of a scenario: what happens in set-up, what then lies on the table, and what is played.

Input: a scenario. Output: its lines in three parts. Invariants: every line is in one part, in its order;
`chance` lines that a `given` line precedes count for play.
"""

from __future__ import annotations

from dataclasses import dataclass

from conche.graph.model import ActionGraph
from conche.interpret import Given
from conche.interpret.position import Position
from conche.semantics.rulebook import (
    GivenPiece,
    GivenPlace,
    GivenZone,
    NextChance,
    PlayMove,
    Scenario,
    ScenarioLine,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """`setup`: the lines before the first `given`; without one, the `chance` lines at the beginning."""

    setup: tuple[NextChance | PlayMove, ...]
    given: tuple[Given, ...]
    play: tuple[ScenarioLine, ...]


def parts_of(scenario: Scenario) -> Parts:
    lines = list(scenario.lines)
    is_given = any(isinstance(line, GivenPlace | GivenZone | GivenPiece) for line in lines)
    setup: list[NextChance | PlayMove] = []
    given: list[Given] = []
    while lines:
        line = lines[0]
        if not (isinstance(line, NextChance) or (is_given and isinstance(line, PlayMove))):
            break
        setup.append(line)
        del lines[0]
    while lines:
        line = lines[0]
        if not isinstance(line, GivenPlace | GivenZone | GivenPiece):
            break
        given.append(line)
        del lines[0]
    return Parts(tuple(setup), tuple(given), tuple(lines))


def in_setup(graph: ActionGraph, position: Position) -> bool:
    """Whether the rules still stand in set-up, perhaps in a step or trigger that it has come to."""
    if position.node == ActionGraph.PLAY:
        return False
    routine = graph.node(position.node).routine
    while routine in position.returns:
        routine = graph.node(position.returns[routine]).routine
    return routine == ActionGraph.START
