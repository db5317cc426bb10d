"""Makes the engine program of a ruleset: lowers, optimises, verifies.

Input: an action graph without errors. Output: an `ir.Program`.
"""

from __future__ import annotations

from collections.abc import Collection

from conche.codegen import ir
from conche.codegen.from_graph import from_graph
from conche.codegen.passes import NAMES, optimise
from conche.codegen.verify_ir import verify_ir
from conche.graph.model import ActionGraph
from conche.semantics.canonical import digest


def program_of(graph: ActionGraph, skip: Collection[str] = ()) -> ir.Program:
    """The program, after all optimisations but those to be skipped."""
    unknown = sorted(set(skip) - set(NAMES))
    if unknown:
        raise ValueError(f"there is no optimisation '{unknown[0]}'; there are {', '.join(NAMES)}")
    return optimise(lowered(graph), skip)


def lowered(graph: ActionGraph) -> ir.Program:
    """The program before all optimisations."""
    program = from_graph(graph, digest(graph.rulebook))
    verify_ir(program)
    return program
