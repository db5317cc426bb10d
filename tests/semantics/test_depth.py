"""Long chains of calls: up to the bound they go through every stage, beyond it there is one finding."""

from __future__ import annotations

import pytest

from conche.codegen import build
from conche.graph.from_rulebook import from_rulebook
from conche.modules.load import load_source
from conche.semantics.check_signatures import MAX_CALLS
from conche.source import Source
from conche.validate import validate


def game(queries: int, steps: int) -> Source:
    lines = ['game deep "Deep"', "  version 1.0.0", "  players 2..2", "  seats red, blue", ""]
    lines += ["each player has", "  gold: 0..9 = 1, open", ""]
    lines += ["query q0(p: Player) = p.gold"]
    lines += [f"query q{n}(p: Player) = q{n - 1}(p)" for n in range(1, queries)]
    lines += ["", "step s0", "  set red.gold to 2"]
    for n in range(1, steps):
        lines += ["", f"step s{n}", f"  do s{n - 1}"]
    lines += ["", "setup", "  set blue.gold to 0", "play", f"  do s{steps - 1}"]
    lines += ["  red: choose pick(n in 0..1)", "  set red.gold to n"]
    lines += [f"score gold = q{queries - 1}(you)", "rank by total"]
    return Source("deep.rules", "\n".join(lines) + "\n")


def test_a_chain_within_the_bound_goes_through_every_stage() -> None:
    result = load_source(game(MAX_CALLS, MAX_CALLS), ruleset="deep")
    assert result.rulebook is not None, result.diagnostics
    graph = from_rulebook(result.rulebook)
    assert not validate(graph)
    assert "def " in build(graph)


@pytest.mark.parametrize(("queries", "steps"), [(1000, 2), (2, 1000), (MAX_CALLS + 1, 2)])
def test_a_longer_one_is_one_finding(queries: int, steps: int) -> None:
    result = load_source(game(queries, steps), ruleset="deep")
    assert [found.code for found in result.diagnostics] == ["C0248"]
