"""Scenarios that pass and scenarios that fail: the data lies in `cases/`.

    === what is tried
    the lines of a scenario
    ---
    what is said, or `passes`

`CONCHE_UPDATE=1` in the environment rewrites what is said; the change is then read as a diff.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from conche.diagnostics.codes import CODES
from conche.diagnostics.render_text import render_text
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.scenarios import ScenarioResult, position_from_scenario, run_scenario, run_scenarios
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook, Scenario
from conche.source import Source
from conche.syntax.from_text import parse

HERE = Path(__file__).parent
STALL = (HERE / "stall.rules").read_text(encoding="utf-8")
UPDATE = os.environ.get("CONCHE_UPDATE") == "1"


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    lines: str
    expected: str

    @property
    def source(self) -> Source:
        # The game stands behind the scenario, so that its length is in no line number.
        header, _, rest = STALL.partition("\npiece Ware")
        return Source("stall.rules", f'{header}\nscenario "{self.title}"\n{self.lines}\n\npiece Ware{rest}')


def read(name: str) -> list[Case]:
    found = []
    for text in f"\n{(HERE / 'cases' / name).read_text(encoding='utf-8')}".split("\n=== ")[1:]:
        title, _, rest = text.partition("\n")
        lines, _, expected = rest.partition("\n---\n")
        found.append(Case(title, lines, expected.strip("\n")))
    return found


def typed(source: Source) -> Rulebook:
    file, found = parse(source)
    rules, more = from_ast(file, ruleset="stall", options={})
    assert rules is not None, render_text([*found, *more], {source.name: source})
    return rules


def run(case: Case) -> tuple[ScenarioResult, str]:
    rules = typed(case.source)
    (scenario,) = rules.scenarios
    result = run_scenario(from_rulebook(rules), scenario)
    said = render_text(result.failures, {case.source.name: case.source})
    return result, said.strip("\n") or "passes"


if UPDATE:
    updated = [f"=== {case.title}\n{case.lines}\n---\n{run(case)[1]}\n" for case in read("bad.txt")]
    (HERE / "cases" / "bad.txt").write_text("\n".join(updated), encoding="utf-8")


@pytest.mark.parametrize("case", [*read("good.txt"), *read("bad.txt")], ids=lambda case: case.title)
def test_what_is_said(case: Case) -> None:
    result, said = run(case)
    assert said == case.expected
    assert result.title == case.title
    assert result.passed == (said == "passes")
    assert case.source.line(result.line).startswith("scenario")


def test_every_code_is_shown() -> None:
    said = "\n".join(case.expected for case in read("bad.txt"))
    assert set(re.findall(r"C04\d\d", said)) == {code for code in CODES if code.startswith("C04")}


def scenario(lines: str) -> tuple[Interpreter, Scenario]:
    rules = typed(Case("here", "\n".join(f"  {line}" for line in lines.split("\n")), "").source)
    return Interpreter(from_rulebook(rules)), rules.scenarios[0]


def test_the_position_that_a_scenario_begins_with() -> None:
    engine, begins = scenario(
        "given 2 players\ngiven table = [lamp]\ngiven red.coins = 2\nchance weather: 2\nthen calm"
    )
    state = position_from_scenario(engine, begins)
    assert (state.to_act, state.decision) == ((1,), "turn")
    found = state.snapshot()
    assert (found["table"], found["coins"], found["first"]) == (["oil lamp"], [2, 3], 1)


def test_given_lines_from_python() -> None:
    engine, begins = scenario("given 2 players\ngiven table = [lamp]\nthen calm")
    state = engine.position(2, given=begins.lines[:1], data={"coins": {"0": 1}})  # type: ignore[arg-type]
    assert state.snapshot()["table"] == ["oil lamp"]
    assert state.snapshot()["coins"] == [1, 3]


def test_the_same_chance_as_a_game_with_seed_0() -> None:
    engine, begins = scenario("given 3 players\nthen calm")
    state, game = position_from_scenario(engine, begins), engine.start(3, seed=0)
    for _ in range(6):
        assert state.snapshot() == game.snapshot()
        assert state.legal_moves() == game.legal_moves()
        state.step(0)
        game.step(0)


def test_scenarios_do_not_disturb_each_other() -> None:
    engine, begins = scenario(
        "given 2 players\nchance weather: 1\nmove red: turn(done = yes)\nthen red.coins = 0"
    )
    results = run_scenarios(engine, [begins] * 3)
    assert [result.passed for result in results] == [True] * 3
