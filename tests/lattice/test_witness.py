"""`conche check --witness`: games that reach the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.lattice.lattice import Lattice
from conche.lattice.rules import rules_of
from conche.lattice.tracing import TracingMachine, Watch
from conche.lattice.witness import Budget, Witness, find_witness
from conche.modules.load import load
from conche.semantics.typed_module import TypedModule
from lattice.labs import lattice
from slices import slice_of

MODULE = """
after act add treat
  choose treat
    case (pay = yes) if you.gold > 0
      gain 1 gold
    case (pay = no)
    case never(pay = no, why = "never") if you.gold > 90

trigger rich when p gains n of gold if n > 1
  put 1 stone in display

modify worth(p): + 1 if p.gold > 1
"""
BUDGET = Budget(games=6, width=4, decisions=60)


@pytest.fixture
def lab(tmp_path: Path) -> Lattice:
    return lattice(tmp_path, a=MODULE.replace("  put 1 stone in display\n", "  put 1 stone in stock\n"))


def composed(lab: Lattice) -> tuple[ActionGraph, list[TypedModule]]:
    rulebook, found = lab.compose(lab.combinations[-1], {})
    assert found == []
    assert rulebook is not None
    return from_rulebook(rulebook), [lab.modules["a"]]


def states(witness: Witness, kind: str, module: str) -> dict[str, bool]:
    return {
        one.rule.title: one.game is not None
        for one in witness.rules
        if (one.rule.kind, one.rule.module) == (kind, module)
    }


def test_all_rules_of_a_module_are_looked_for(lab: Lattice) -> None:
    rules = rules_of(*composed(lab))
    own = [(rule.kind, rule.title) for rule in rules if rule.module == "a"]
    assert [title for kind, title in own if kind == "step"] == ["step treat"]
    assert [title for kind, title in own if kind == "trigger"] == ["trigger rich"]
    assert [title for kind, title in own if kind == "modify"] == ["modify worth: +"]
    assert len([title for kind, title in own if kind == "case"]) == 3
    assert {rule.module for rule in rules} == {"", "a"}
    assert len(set(rules)) == len(rules)


def test_what_can_be_reached_is_and_what_cannot_is_told(lab: Lattice) -> None:
    graph, modules = composed(lab)
    found = find_witness(graph, modules, seed=3, budget=BUDGET)
    assert states(found, "step", "a") == {"step treat": True}
    assert states(found, "modify", "a") == {"modify worth: +": True}
    assert states(found, "trigger", "a") == {"trigger rich": True}
    cases = states(found, "case", "a")
    assert [reached for title, reached in cases.items() if "never" in title] == [False]
    assert [reached for title, reached in cases.items() if "never" not in title] == [True, True]
    assert found.played == BUDGET.games
    assert all(rule.module == "" or "never" in rule.title for rule in found.missing)


def test_the_same_seed_gives_the_same_games(lab: Lattice) -> None:
    graph, modules = composed(lab)
    one, two, other = (find_witness(graph, modules, seed=seed, budget=BUDGET) for seed in (1, 1, 2))
    assert one == two
    assert [game.taken for game in one.games] != [game.taken for game in other.games]


def test_games_that_add_nothing_are_not_kept(lab: Lattice) -> None:
    graph, modules = composed(lab)
    found = find_witness(graph, modules, budget=BUDGET)
    assert found.games
    assert all(game.new > 0 for game in found.games)
    assert sum(game.new for game in found.games) == len(found.rules) - len(found.missing)


def test_what_was_reached_when_is_so_in_the_game_played_again(lab: Lattice) -> None:
    """The games are played again move by move, and each rule is first gone by where the witness says."""
    graph, modules = composed(lab)
    found = find_witness(graph, modules, budget=BUDGET)
    watch = Watch([one.rule for one in found.rules], graph.rulebook)
    interpreter = Interpreter(graph)
    for number, game in enumerate(found.games):
        machine = TracingMachine(
            interpreter.program, interpreter.before_setup(game.players, game.seed), watch
        )
        machine.run()
        position = machine.position
        seen = dict.fromkeys(machine.reached, 0)
        for move, index in enumerate(game.taken, start=1):
            machine = TracingMachine(interpreter.program, position, watch)
            options = machine.options()
            machine.take(options[index])
            machine.run()
            for rule in machine.reached:
                seen.setdefault(rule, move)
        for rule, one in enumerate(found.rules):
            if one.game == number and one.rule.kind not in ("score", "value", "modify"):
                assert seen[rule] == one.move, one
        state = interpreter.start(game.players, game.seed)
        for index in game.taken:
            state.step(index, state.to_act[0])
        assert state.over == game.over


# Rules of Cacao's modules that a short search does not come to.
RARE = {
    "map": {"case stop(stop = yes)", "stop"},  # only the map is left, and a token with it
    "gem_mines": {"trigger load_blind", "draw 6 from cart to s.gem_mine.gems"},  # three fills at once
    "huts": {
        "score fountain_master",
        "query spring_gold",
        "score monk",
        "modify workers: +",
        "set placed.led to yes",
        "gain up to 1 cacao",
        "modify market_price: +",
        "modify overbuild_price: at most",
        "score chiefs_family",
        "score master_builder",
        "score trader",
        "score road_worker",
        "score hermit",
    },  # a hut must be bought first, and gold for it be there
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slice_of(
        ["map", "irrigation", "chocolate", "huts", "gem_mines", "tree_of_life", "emperor", "new_workers"], 1
    ),
)
def test_a_few_games_reach_the_rules_of_a_module_of_cacao(name: str) -> None:
    loaded = load(f"cacao+{name}")
    assert loaded.rulebook is not None
    found = find_witness(
        from_rulebook(loaded.rulebook), loaded.modules, budget=Budget(games=6, width=6, decisions=200)
    )
    own = [one for one in found.rules if one.rule.module == name]
    assert own
    assert {rule.title for rule in found.missing if rule.module == name} <= RARE.get(name, set())
