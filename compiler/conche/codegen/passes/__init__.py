"""Optimisations of engine programs, one a file, each from program to program.

Input: a program as lowered. Output: a program that gives the same traces. `PASSES` is their order; each can
be left out, and tests hold every choice to the traces of the plain program."""

from __future__ import annotations

from collections.abc import Callable, Collection

from conche.codegen import ir
from conche.codegen.allocate import allocate
from conche.codegen.passes.drop_sure_checks import drop_sure_checks
from conche.codegen.passes.drop_unused import drop_unused
from conche.codegen.passes.fold_constants import fold_constants
from conche.codegen.passes.inline_queries import inline_queries
from conche.codegen.passes.join_tests import join_tests
from conche.codegen.passes.keep_options import keep_options
from conche.codegen.passes.know_who_is_in import know_who_is_in
from conche.codegen.passes.limit_depth import limit_depth
from conche.codegen.passes.maintain_sets import maintain_sets
from conche.codegen.passes.merge_blocks import merge_blocks
from conche.codegen.passes.part_by_code import part_by_code
from conche.codegen.passes.propagate import propagate
from conche.codegen.passes.share_folds import share_folds
from conche.codegen.passes.share_subexpressions import share_subexpressions
from conche.codegen.passes.skip_empty import skip_empty
from conche.codegen.passes.tell_apart import tell_apart
from conche.codegen.passes.unroll_folds import unroll_folds
from conche.codegen.verify_ir import verify_ir

Pass = Callable[[ir.Program], ir.Program]

PASSES: tuple[tuple[str, Pass], ...] = (
    ("keep_options", keep_options),
    ("share_folds", share_folds),
    ("fold_constants", fold_constants),
    ("maintain_sets", maintain_sets),
    ("inline_queries", inline_queries),
    ("fold_constants", fold_constants),
    ("maintain_sets", maintain_sets),
    ("unroll_folds", unroll_folds),
    ("fold_constants", fold_constants),
    ("join_tests", join_tests),
    ("merge_blocks", merge_blocks),
    ("know_who_is_in", know_who_is_in),
    ("skip_empty", skip_empty),
    ("propagate", propagate),
    ("drop_sure_checks", drop_sure_checks),
    ("fold_constants", fold_constants),
    ("tell_apart", tell_apart),
    ("part_by_code", part_by_code),
    ("share_subexpressions", share_subexpressions),
    ("drop_unused", drop_unused),
)

NAMES = tuple(dict.fromkeys(name for name, _ in PASSES if name != "fold_constants"))
"""What can be left out. Constants are always folded: what the target's own checkers call dead would stay."""


def optimise(program: ir.Program, skip: Collection[str] = (), *, each: bool = False) -> ir.Program:
    """The program after all passes but those to be skipped, and with no expression too deep to be written;
    verified. `each`: after every pass, which takes as long as all passes do."""
    for name, run in PASSES:
        if name not in skip:
            program = allocate(run(program))
            if each:
                verify_ir(program)
    program = limit_depth(program)
    verify_ir(program)
    return program
