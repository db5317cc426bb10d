"""Code generation: from the action graph to an engine.

    ir.py            the engine IR; ir_dump.py its text, ir_walk.py walks, verify_ir.py its rules
    from_graph.py    lowering: layout.py what a state holds, lower_*.py expressions, statements, loops,
                     triggers, routines; allocate.py which locals a state must keep
    passes/          optimisations, one a file
    to_python.py     the Python target: print_*.py the text of every statement, names.py names, wrap.py long
                     lines, templates/ the layout of a module

`build` gives the text of an engine, `emit_ir` that of its IR.
"""

from __future__ import annotations

from collections.abc import Collection

from conche.graph.model import ActionGraph

__all__ = ["build", "emit_ir"]


def build(graph: ActionGraph, *, skip: Collection[str] = ()) -> str:
    """The Python module that plays the rules of a graph without errors. `skip`: optimisations to leave out,
    by name.

    Raises `lower_expressions.UnsupportedError`, with a place in the rules, for what cannot be compiled.
    """
    from conche.codegen.program import program_of
    from conche.codegen.to_python import to_python

    return to_python(program_of(graph, skip))


def emit_ir(graph: ActionGraph, *, skip: Collection[str] = ()) -> str:
    """The engine IR as text, after the optimisations."""
    from conche.codegen.ir_dump import dump
    from conche.codegen.program import program_of

    return dump(program_of(graph, skip))
