"""The verifier finds what is broken in a program, and nothing in those that the compiler makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from codegen.engines import cacao
from conche.codegen import ir
from conche.codegen.ir_walk import rebuild
from conche.codegen.passes import optimise
from conche.codegen.program import lowered, program_of
from conche.codegen.verify_ir import BrokenIRError, verify_ir
from conche.pipeline import check
from conche.semantics.rulebook import Slot
from conche.semantics.types import Int

pytestmark = pytest.mark.slow

NUMBER = Int(0, 9)
MARK = ir.Mark("game.rules", 1)
ONE = ir.Const(1, NUMBER)
UNKNOWN = Slot("step.none", 7, "unknown", NUMBER)


@pytest.fixture(scope="module")
def program() -> ir.Program:
    return program_of(cacao())


def test_what_the_compiler_makes_is_whole(program: ir.Program) -> None:
    verify_ir(program)


@pytest.mark.parametrize("ruleset", ["cacao", "cacao+huts+map", "cacao+gem_mines+irrigation"])
def test_every_pass_leaves_it_whole(ruleset: str) -> None:
    plain = lowered(check(ruleset).must())
    assert optimise(plain, each=True) == optimise(plain)


def changing(kind: type, change: Callable[[Any], Any]) -> Callable[[ir.Program], ir.Program]:
    """Changes the first node of a kind."""

    def apply(program: ir.Program) -> ir.Program:
        done = False

        def once(node: Any) -> Any:
            nonlocal done
            if done or not isinstance(node, kind):
                return node
            done = True
            return change(node)

        found = rebuild(program, once)
        assert done, kind
        return found

    return apply


def into_first_block(*ops: ir.Op) -> Callable[[ir.Program], ir.Program]:
    def apply(program: ir.Program) -> ir.Program:
        first, *others = program.blocks
        return replace(
            program, blocks=(replace(first, run=ir.Run((*ops, *first.run.ops), first.run.end)), *others)
        )

    return apply


BREAKS: list[tuple[str, Callable[[ir.Program], ir.Program]]] = [
    ("there is no block 'nowhere'", changing(ir.Goto, lambda node: replace(node, block="nowhere"))),
    ("there is no query 'nothing'", changing(ir.Ask, lambda node: replace(node, query="nothing"))),
    ("is asked with 0 arguments", changing(ir.Ask, lambda node: replace(node, args=()))),
    ("there is no table 'none'", changing(ir.Lookup, lambda node: replace(node, table="none"))),
    ("there is no zone 'zone.none'", changing(ir.ZoneSize, lambda node: replace(node, zone="zone.none"))),
    ("there is no board 'none'", changing(ir.Top, lambda node: replace(node, board="none"))),
    ("there is no set 'set.none'", changing(ir.Kept, lambda node: replace(node, set="set.none"))),
    ("there is no variable 'var.none'", changing(ir.Store, lambda node: replace(node, slot="var.none"))),
    ("there is no function 'none'", changing(ir.Call, lambda node: replace(node, function="none"))),
    ("there is no decision 'none'", changing(ir.Decide, lambda node: replace(node, decision="none"))),
    ("is entered as what it is not", changing(ir.Decide, lambda node: ir.Gather(node.decision, MARK))),
    ("nobody is ever out", into_first_block(ir.Eliminate(ONE, MARK))),
    ("is never asked", changing(ir.Decide, lambda node: ir.Over(MARK))),
    ("there are two of block", lambda program: replace(program, blocks=program.blocks + program.blocks[:1])),
    ("is no block", lambda program: replace(program, start="nowhere")),
    ("does not take what its case passes", changing(ir.Case, lambda node: replace(node, passes=()))),
    ("needs a source or a value", changing(ir.Binder, lambda node: replace(node, source=None, value=None))),
    ("is no flag", changing(ir.Branch, lambda node: replace(node, condition=ONE))),
    ("Not: Const is no flag", into_first_block(ir.Require(ir.Not(ONE), "", MARK))),
    ("do not ascend", into_first_block(ir.Require(ir.OneOf(ONE, (2, 1), None), "", MARK))),
    ("breaks out of no loop", into_first_block(ir.Break(MARK))),
    ("returns and is no function", into_first_block(ir.Return(MARK))),
    ("reads 'unknown', which is not set", into_first_block(ir.Let(UNKNOWN, ir.Local(UNKNOWN), None, MARK))),
    ("has no return slot", into_first_block(ir.Forget("step.none", MARK))),
    ("is used without a seat", into_first_block(ir.ZoneShuffle("zone.workers", None, MARK))),
    ("is used as one of a player", into_first_block(ir.Store("var.first", ONE, ONE, None, MARK))),
    ("there is no stream 'none'", into_first_block(ir.Pick(UNKNOWN, "none", ir.Sequence((), NUMBER), MARK))),
    (
        "recurs",
        changing(ir.Function, lambda node: replace(node, body=(ir.Call(node.id, (), MARK),), params=())),
    ),
    ("is not saved", lambda program: replace(program, saved=())),
]


@pytest.mark.parametrize(("problem", "breaks"), BREAKS, ids=[problem for problem, _ in BREAKS])
def test_what_is_broken_is_found(
    program: ir.Program, problem: str, breaks: Callable[[ir.Program], ir.Program]
) -> None:
    with pytest.raises(BrokenIRError) as caught:
        verify_ir(breaks(program))
    assert any(problem in found for found in caught.value.problems), caught.value.problems


def test_all_problems_are_named_at_once(program: ir.Program) -> None:
    broken = into_first_block(ir.Break(MARK), ir.Return(MARK))(replace(program, start="nowhere"))
    with pytest.raises(BrokenIRError) as caught:
        verify_ir(broken)
    assert len(caught.value.problems) == 3
