"""`conche check --witness`: games that reach the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.lattice.games import record
from conche.lattice.lattice import Lattice
from conche.lattice.rules import rules_of
from conche.lattice.tracing import TracingMachine, Watch
from conche.lattice.witness import Budget, Witness, find_witness
from conche.modules.load import load
from conche.semantics.typed_module import TypedModule
from conche_runtime.records import ChanceLine, DecisionLine, read_record
from lattice.labs import lattice
from slices import ALL, slice_of

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
    assert all(one.rule.module == "" or "never" in one.rule.title for one in found.missing)


def test_the_same_seed_gives_the_same_games(lab: Lattice) -> None:
    graph, modules = composed(lab)
    one, two, other = (find_witness(graph, modules, seed=seed, budget=BUDGET) for seed in (1, 1, 2))
    assert one == two
    assert [game.moves for game in one.games] != [game.moves for game in other.games]


def test_games_that_add_nothing_are_not_kept(lab: Lattice) -> None:
    graph, modules = composed(lab)
    found = find_witness(graph, modules, budget=BUDGET)
    assert found.games
    assert all(game.new > 0 for game in found.games)
    assert sum(game.new for game in found.games) == len(found.rules) - len(found.missing)


def test_only_the_rules_of_one_module_are_looked_for(lab: Lattice) -> None:
    graph, modules = composed(lab)
    found = find_witness(graph, modules, only="nobody", budget=BUDGET)
    assert found.played == 0


def shown(graph: ActionGraph, found: Witness) -> dict[int, tuple[int, int]]:
    """By rule, the first game and move in which it is gone by when the games are played again, each by the
    outcomes of chance and the numbers of the options that its record has."""
    watch = Watch([one.rule for one in found.rules], graph.rulebook)
    when: dict[int, tuple[int, int]] = {}
    interpreter = Interpreter(graph)
    for number, game in enumerate(found.games):
        position = interpreter.before_setup(game.players, game.seed)
        machine = TracingMachine(interpreter.program, position, watch)
        machine.run()
        for move, made in enumerate([*game.moves, None]):
            for rule in machine.reached:
                when.setdefault(rule, (number, move))
            if made is not None:
                position.seed = position.seed if made.seed is None else made.seed
                machine = TracingMachine(interpreter.program, position, watch)
                machine.take(machine.options()[made.index])
                machine.run()
        assert (position.node == ActionGraph.END) == game.over
    return when


def test_what_was_reached_when_is_so_in_the_game_played_again(lab: Lattice) -> None:
    graph, modules = composed(lab)
    found = find_witness(graph, modules, budget=BUDGET)
    when = shown(graph, found)
    runs = [one for one in found.rules if one.rule.node is not None and one.game is not None]
    assert runs
    for number, one in enumerate(found.rules):
        if one in runs:
            assert when[number] == (one.game, one.move), one.rule.title


# ------------------------------------------------------------------------------------- rules that need a plan

PLANS = Path(__file__).parent / "plans.rules"
LATER = Budget(games=30)


@pytest.fixture(scope="module")
def plans() -> tuple[ActionGraph, Witness]:
    loaded = load(str(PLANS))
    assert loaded.rulebook is not None
    graph = from_rulebook(loaded.rulebook)
    return graph, find_witness(graph, loaded.modules, budget=LATER)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("case", 'case rich(work = "rich")'),  # twelve times the right one of nine
        ("case", 'case out(work = "out")'),  # sixteen draws, and nothing put back
        ("case", 'case ready(work = "ready")'),  # a condition in a query, with a neighbour's help
        ("statement", "gain 6 gold"),  # four sixes in a row
        ("trigger", "trigger shared"),  # a neighbour must have been at it too, and rest
    ],
)
def test_rules_that_need_a_plan_are_reached(
    plans: tuple[ActionGraph, Witness], kind: str, title: str
) -> None:
    _, found = plans
    assert states(found, kind, "").get(title) is True


@pytest.mark.slow
def test_what_is_not_reached_is_listed_with_its_condition(plans: tuple[ActionGraph, Witness]) -> None:
    _, found = plans
    never, inside = found.missing
    assert "never" in never.rule.title
    assert [wait.text for wait in never.waits] in (["you.gold > 90"], ["you.gold > 90", "stock is empty"])
    assert never.waits[0].stayed == "stayed false"
    gold, wanted = never.waits[0].numbers.split(" and ")
    assert 12 <= int(gold) < 90
    assert wanted == "90"
    assert inside.rule.title == "gain 5 gold"
    assert inside.behind == never.rule
    assert inside.waits == ()


@pytest.mark.slow
def test_records_of_the_games_reach_the_rules(plans: tuple[ActionGraph, Witness], tmp_path: Path) -> None:
    """The records are read by the runtime, and their moves and outcomes played by an interpreter that tells
    where it comes by."""
    graph, found = plans
    interpreter = Interpreter(graph)
    reached: set[str] = set()
    for number, game in enumerate(found.games):
        record(interpreter, game, tmp_path / f"{number}.jsonl")
        lines = read_record(tmp_path / f"{number}.jsonl").lines
        chance = iter([line.value for line in lines if isinstance(line, ChanceLine)])
        interpreter.program.book.reached = reached.add
        state = interpreter.start(game.players, chance=lambda source, outcomes, rest=chance: next(rest))
        for line in lines:
            if isinstance(line, DecisionLine) and not line.forced:
                assert line.args is not None
                state.step(state.find(line.name, line.args))
        interpreter.program.book.reached = None
        assert next(chance, None) is None
        assert state.over == game.over
    for one in found.rules:
        if one.rule.node is not None:
            assert (one.rule.node in reached) == (one.game is not None), one.rule.title


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load(str(PLANS))
    assert loaded.rulebook is not None
    graph = from_rulebook(loaded.rulebook)
    monkeypatch.setattr("conche.lattice.witness._ALONE", 0.2)
    alone, together = (
        find_witness(graph, loaded.modules, budget=Budget(games=6), workers=workers) for workers in (1, 2)
    )
    assert alone == together


# ------------------------------------------------------------------------------------------------- the games

QUICK = ["irrigation", "chocolate", "tree_of_life", "emperor", "new_workers"]
LONG = ["map", "gem_mines", "huts"]  # three gaps in one turn; a dear hut and what must come together with it


@pytest.mark.slow
@pytest.mark.parametrize("name", [*slice_of(QUICK, 1), *(LONG if ALL else [])])
def test_games_reach_every_rule_of_a_module_of_cacao(name: str) -> None:
    loaded = load(f"cacao+{name}")
    assert loaded.rulebook is not None
    found = find_witness(from_rulebook(loaded.rulebook), loaded.modules, only=name)
    own = [one for one in found.rules if one.rule.module == name]
    assert own
    assert [one.rule.title for one in found.missing if one.rule.module == name] == []


# ------------------------------------------------------------------------------- what is said of the rest

OUT_OF_REACH = """\
game far "Far"
  version 1.0.0
  players 2..2
  seats red, blue

var left: 0..9 = 5, open

each player has
  gold: 0..99 = 0, open

play
  rounds for you from red if left > 0
    do turn

step turn
  set left to left - 1
  choose act
    case take(n in 1..2)
      gain n * worth(you) gold
    case pass(n = 0)

query worth(p: Player)
  3 if p.gold > 50 and left < 3
  otherwise 1

score gold = you.gold
score rich = if you.gold > 60 then 5 else 0
rank by total
"""


def test_of_what_is_worked_out_it_is_told_what_it_asks_for(tmp_path: Path) -> None:
    path = tmp_path / "far.rules"
    path.write_text(OUT_OF_REACH, encoding="utf-8")
    loaded = load(path.as_posix())
    assert loaded.rulebook is not None
    found = find_witness(from_rulebook(loaded.rulebook), (), budget=Budget(games=2))
    assert {one.rule.title: [(ask.text, ask.must) for ask in one.asks] for one in found.missing} == {
        "query worth, line 1": [("p.gold > 50 and left < 3", "holds")],
        "score rich": [("if you.gold > 60 then 5 else 0", "is not 0")],
    }
    assert all(one.waits == () and one.behind is None for one in found.missing)
