"""Joins blocks: one that is entered from one place alone becomes part of the code that enters it.

Input: a program. Output: a program with fewer blocks.
Invariants: a block that a decision, a return address or the start of the game names stays; so does the head
of a loop that leads to itself. A block that does nothing but go elsewhere is passed over. Branches do
not come to stand deeper within each other than a target can write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from conche.codegen import ir
from conche.codegen.ir_walk import rebuild, walk

SMALL = 2
"""Code with so few operations and a plain end is copied to each place that enters it."""

MAX_BRANCHES = 20
"""So many branches may stand within each other."""


def merge_blocks(program: ir.Program) -> ir.Program:
    """The pass."""
    while True:
        merged = _once(program)
        if merged == program:
            return merged
        program = merged


def _once(program: ir.Program) -> ir.Program:
    blocks = {block.id: block for block in program.blocks}
    gotos: Counter[str] = Counter()
    named: set[str] = {program.start}
    deepest: dict[str, int] = {}
    for run in (*(b.run for b in program.blocks), *(d.otherwise for d in program.decisions)):
        for target, depth in _entered(run, 0):
            deepest[target] = max(depth, deepest.get(target, 0))
        for node in walk(run):
            match node:
                case ir.Goto(block=target):
                    gotos[target] += 1
                case ir.Into(block=target, back=back):
                    named |= {target, back}
                case _:
                    pass
    for decision in program.decisions:
        named |= {case.block for case in decision.cases}
        if decision.at_once is not None:
            named.add(decision.at_once.done)
    for _, backs in program.returns:
        named |= set(backs)
    low = {
        name: block
        for name, block in blocks.items()
        if deepest.get(name, 0) + _height(block.run) <= MAX_BRANCHES
    }
    chosen = _chosen(low, gotos, named)

    def change(node: object) -> object:
        if isinstance(node, ir.Run) and isinstance(node.end, ir.Goto) and node.end.block in chosen:
            target = blocks[node.end.block].run
            return ir.Run((*node.ops, *target.ops), target.end)
        return node

    kept: list[ir.Block] = []
    for block in program.blocks:
        if block.id in chosen and block.id not in named:
            continue
        kept.append(replace(block, run=rebuild(block.run, change)))
    decisions = tuple(
        replace(decision, otherwise=rebuild(decision.otherwise, change)) for decision in program.decisions
    )
    return replace(program, blocks=tuple(kept), decisions=decisions)


def _chosen(blocks: dict[str, ir.Block], gotos: Counter[str], named: set[str]) -> set[str]:
    """The blocks to put in where they are entered. None of them leads to another one, so that each is put in
    whole."""
    chosen: set[str] = set()
    for name, block in blocks.items():
        targets = {node.block for node in walk(block.run) if isinstance(node, ir.Goto)}
        once = gotos[name] == 1 and name not in named
        tiny = len(block.run.ops) <= SMALL and isinstance(block.run.end, ir.Goto | ir.Over | ir.Back)
        tiny |= not block.run.ops and isinstance(block.run.end, ir.Decide)
        if block.params or not gotos[name] or not (once or tiny) or name in targets:
            continue
        if targets & chosen:
            continue
        entered_from = {other for other in chosen for node in walk(blocks[other].run) if _enters(node, name)}
        if not entered_from:
            chosen.add(name)
    return chosen


def _arms(run: ir.Run) -> tuple[ir.Run, ...]:
    match run.end:
        case ir.Branch(yes=yes, no=no):
            return yes, no
        case ir.Switch(arms=arms):
            return tuple(arm for _, arm in arms)
        case _:
            return ()


def _height(run: ir.Run) -> int:
    """How many branches stand within each other."""
    return max((1 + _height(arm) for arm in _arms(run)), default=0)


def _entered(run: ir.Run, depth: int) -> Iterator[tuple[str, int]]:
    """The blocks that code goes on to, and in how many branches it does."""
    if isinstance(run.end, ir.Goto):
        yield run.end.block, depth
    for arm in _arms(run):
        yield from _entered(arm, depth + 1)


def _enters(node: object, name: str) -> bool:
    return isinstance(node, ir.Goto) and node.block == name
