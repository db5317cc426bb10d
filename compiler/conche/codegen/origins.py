"""What a program knows of the rules that it was made of: for tools that carry states between engines.

Input: an action graph. Output: its program, as it is built, and `Origins`.
Invariants: the program is that of `program_of`; the names are those of the module that `to_python` prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conche.codegen import ir
from conche.codegen.from_graph import lower
from conche.codegen.module_names import ModuleNames
from conche.codegen.passes import optimise
from conche.graph.model import ActionGraph
from conche.semantics.canonical import digest
from conche.semantics.rulebook import Slot


@dataclass(frozen=True, slots=True)
class Origins:
    """`made`: of locals that the rules do not have, the node of the graph that they belong to and what they
    are there: `left` of a loop or of the events of a trigger, `goes on` of rounds. `alias`: locals of the
    rules that are others in the program."""

    graph: ActionGraph
    program: ir.Program
    names: ModuleNames
    made: Mapping[Slot, tuple[str, str]]
    alias: Mapping[Slot, Slot]

    def slot(self, slot: Slot) -> Slot:
        """The local of the program that a local of the rules is."""
        while slot in self.alias:
            slot = self.alias[slot]
        return slot


def origins_of(graph: ActionGraph) -> Origins:
    """Raises `lower_expressions.UnsupportedError` for what cannot be compiled."""
    program, lowering = lower(graph, digest(graph.rulebook))
    program = optimise(program)
    made = lowering.loops.made() | lowering.fires.made()
    return Origins(graph, program, ModuleNames(program), made, dict(lowering.expressions.alias))
