"""Drops queries, functions and tables that nothing uses any more.

Input: a program. Output: the program without them.
"""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import walk


def drop_unused(program: ir.Program) -> ir.Program:
    """The pass."""
    queries = {query.name: query for query in program.queries}
    functions = {function.id: function for function in program.functions}
    used_queries: set[str] = set()
    used_functions: set[str] = set()
    tables: set[str] = {kept.key for kept in program.layout.sets if kept.key is not None}
    tables |= {f"{kept.board}.around" for kept in program.layout.sets}
    todo: list[object] = [program.layout, program.blocks, program.decisions, program.scores, program.rank]
    while todo:
        for node in walk(todo.pop()):
            match node:
                case ir.Ask(query=name) if name not in used_queries:
                    used_queries.add(name)
                    todo.append(queries[name])
                case ir.Call(function=name) if name not in used_functions:
                    used_functions.add(name)
                    todo.append(functions[name])
                case ir.Lookup(table=name):
                    tables.add(name)
                case _:
                    pass
    return replace(
        program,
        queries=tuple(query for query in program.queries if query.name in used_queries),
        functions=tuple(function for function in program.functions if function.id in used_functions),
        tables=tuple(table for table in program.tables if table.name in tables),
    )
