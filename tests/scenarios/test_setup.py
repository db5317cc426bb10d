"""Set-up that asks players, scenarios for one value of an option, and what counts as the end of set-up."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.cli import run
from conche.diagnostics.model import Diagnostic
from conche.graph.from_rulebook import from_rulebook
from conche.scenarios import ScenarioResult, position_from_scenario, run_scenarios
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook
from conche.source import Source
from conche.syntax.from_text import parse

GAME = """\
game camp "Camp"
  version 1.0.0
  players 2..3
  seats red, blue, green

option size in {small, large} = small

piece Tent
  tent

pile stack of Tent, hidden
pool camp of Tent, open
var left: 0..9 = 2, open

setup
  red: choose pitch(tents in 0..3)
  put tents tent in stack
  with option size is large: put 2 tent in stack
  blue: choose pitch(tents2 in 0..3)
  put tents2 tent in stack

play
  rounds for you from red if left > 0
    do turn

step turn
  set left to left - 1
  choose turn
    case build(build = yes) if stack is not empty
      draw 1 from stack to camp
    case lose(lose = yes)
      LOSE
    case wait(wait = yes)

score left = left
rank by total
conserve Tent
always "somebody camps": stack is not empty or camp is not empty
"""


def typed(scenarios: str, options: dict[str, str] | None = None, lose: str = "set left to 0") -> Rulebook:
    file, found = parse(Source("camp.rules", GAME.replace("LOSE", lose) + scenarios))
    rules, more = from_ast(file, ruleset="camp", options=options or {})
    assert rules is not None, [one.title for one in (*found, *more)]
    return rules


def results(
    scenarios: str, options: dict[str, str] | None = None, lose: str = "set left to 0"
) -> list[ScenarioResult]:
    rules = typed(scenarios, options, lose)
    return run_scenarios(from_rulebook(rules), rules.scenarios)


def failures(scenario: str, lose: str = "set left to 0") -> list[Diagnostic]:
    (result,) = results(f'\nscenario "it"\n  given 2 players\n{scenario}', lose=lose)
    return result.failures


ANSWERED = "  move red: pitch(tents = 1)\n  move blue: pitch(tents2 = 2)\n"


def test_moves_of_set_up_stand_before_the_position() -> None:
    assert failures(ANSWERED + "  given left = 1\n  then red can turn\n  then count(stack) = 3\n") == []


def test_a_position_may_have_other_pieces_than_set_up_left() -> None:
    assert (
        failures(ANSWERED + "  given stack = []\n  given camp = [tent]\n  move red: turn(wait = yes)\n") == []
    )
    assert (
        failures("  move red: pitch(tents = 0)\n  move blue: pitch(tents2 = 0)\n  given camp = [tent]\n")
        == []
    )


def test_a_position_is_laid_when_set_up_is_done() -> None:
    (one,) = failures("  move red: pitch(tents = 1)\n  given left = 1\n")
    assert (one.code, one.title) == ("C0401", "this cannot be put in place: the set-up is not done")
    assert one.labels[0].text == "blue has to choose 'pitch' now"
    (other,) = failures(ANSWERED + "  move red: turn(wait = yes)\n  given left = 1\n")
    assert other.code == "C0401"
    assert other.title == "this move stands before a `given` line, and the set-up asks nobody now"


def test_without_a_position_moves_go_on_from_set_up_into_play() -> None:
    assert failures(ANSWERED + "  then count(stack) = 3\n  move red: turn(build = yes)\n") == []


def test_nothing_is_conserved_and_nothing_holds_before_set_up_is_done() -> None:
    assert failures("  then red can pitch\n  move red: pitch(tents = 0)\n  then stack is empty\n") == []


def test_what_is_conserved_is_counted_when_set_up_is_done() -> None:
    lost = "take 1 tent out of stack"
    (one,) = failures(ANSWERED + "  move red: turn(lose = yes)\n", lose=lost)
    assert (one.code, one.title) == ("C0412", "there were 3 pieces of Tent, and now there are 2")
    (one,) = failures(ANSWERED + "  given left = 2\n  move red: turn(lose = yes)\n", lose=lost)
    assert one.code == "C0412"


def test_what_always_holds_is_looked_at_when_set_up_is_done() -> None:
    (one,) = failures("  move red: pitch(tents = 0)\n  move blue: pitch(tents2 = 0)\n")
    assert (one.code, one.title) == ("C0411", "'somebody camps' should always hold")


def test_the_position_of_a_scenario() -> None:
    rules = typed(f'\nscenario "it"\n  given 2 players\n{ANSWERED}  given left = 1\n')
    state = position_from_scenario(from_rulebook(rules), rules.scenarios[0])
    assert (state.decision, state.to_act, state.snapshot()["left"]) == ("turn", (0,), 0)
    rules = typed('\nscenario "it"\n  given 2 players\n  given left = 1\n')
    with pytest.raises(ValueError, match="the set-up is not done"):
        position_from_scenario(from_rulebook(rules), rules.scenarios[0])


# ------------------------------------------------------------------------------------------------ options

WRITTEN = f"""
scenario "small"
  given 2 players
{ANSWERED}  then count(stack) = 3

with option size is large
  scenario "large"
    given 2 players
    move red: pitch(tents = 1)
    move blue: pitch(tents2 = 2)
    then count(stack) = 5
"""


@pytest.mark.parametrize("size", ["small", "large"])
def test_a_scenario_is_for_the_options_around_it_and_the_defaults_of_all_others(size: str) -> None:
    found = results(WRITTEN, {"size": size})
    assert [(one.title, one.passed) for one in found] == [(size, True)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("with option site is large\n  SCENARIO", "there is no option 'site'"),
        ("with option size is huge\n  SCENARIO", "there is no value of the option 'size' called 'huge'"),
        (
            "with option size is large\n  var more: 0..9 = 0, open\n",
            "in a game, only scenarios stand in a part for an option",
        ),
        ("with tents and option size is large\n  SCENARIO", "only a module changes a game"),
    ],
)
def test_what_a_part_for_an_option_may_be_in_a_game(text: str, title: str) -> None:
    text = text.replace("SCENARIO", 'scenario "it"\n    given 2 players\n    then left = 2\n')
    file, found = parse(Source("camp.rules", f"{GAME.replace('LOSE', 'stop')}\n{text}"))
    rules, more = from_ast(file, ruleset="camp", options={})
    assert rules is None
    assert [one.title for one in (*found, *more)] == [title]


def test_random_games_are_looked_at_from_the_end_of_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "camp.rules"
    text = GAME.replace("LOSE", "set left to 0").replace("0..3", "0..1").replace("tents2 in 0", "tents2 in 1")
    text = text.replace("tents2 in 1..1", "tents2 in 1..2")
    path.write_text(text, encoding="utf-8")
    assert run(["test", str(path), "--games", "8"]) == 0
    assert "0 scenarios, 0 failed; 16 random games, 0 failed" in capsys.readouterr().out
    path.write_text(text.replace("tents2 in 1..2", "tents2 in 0..1"), encoding="utf-8")
    assert run(["test", str(path), "--games", "8"]) == 1
    assert "C0522" in capsys.readouterr().err


def test_no_scenario_for_these_options_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "camp.rules"
    path.write_text(GAME.replace("LOSE", "set left to 0"), encoding="utf-8")
    assert run(["test", f"{path}:size=large", "--games", "0"]) == 0
    assert "no scenario is written for these options" in capsys.readouterr().out
