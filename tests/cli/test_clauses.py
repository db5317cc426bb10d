"""`conche clauses`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from traceability.small import write_small

from .conftest import Conche


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path)


def test_it_prints_tables(conche: Conche, small: Path) -> None:
    result = conche("clauses", small, "--games", 1)
    assert (result.code, result.err) == (0, "")
    assert "Rules without a clause\n  step turn" in result.out
    assert "1 random game " in result.out
    assert max(map(len, result.out.splitlines())) <= max(80, len(str(small)))


def test_games_can_be_left_out(conche: Conche, small: Path) -> None:
    result = conche("clauses", small, "--games", 0)
    assert "times" not in result.out
    assert "Rules that nothing reached" not in result.out


def test_json_and_csv(conche: Conche, small: Path) -> None:
    found = json.loads(conche("clauses", small, "--format", "json", "--games", 0).out)
    assert found["without_rule"] == [2]
    assert conche("clauses", small, "--format", "csv", "--games", 0).out.startswith("clause,title,")


def test_strict(conche: Conche, small: Path) -> None:
    assert conche("clauses", small, "--strict", "--games", 0).code == 1
    text = small.read_text().replace("step turn\n", "step turn  §3\n")
    small.write_text(text)
    assert conche("clauses", small, "--strict", "--games", 0).code == 0


def test_a_rule_without_a_clause_is_enough_for_strict(conche: Conche, small: Path) -> None:
    clauses = small.parent / "small.clauses.md"
    clauses.write_text(clauses.read_text().replace("## §3 Passing", "## Passing"))
    small.write_text(small.read_text().replace("§3", ""))
    assert conche("clauses", small, "--strict", "--games", 0).code == 1


def test_failing_scenarios_are_told(conche: Conche, small: Path) -> None:
    small.write_text(small.read_text().replace("then red.coins = 2", "then red.coins = 3"))
    result = conche("clauses", small, "--games", 0)
    assert result.code == 0
    assert "FAILED: red takes, blue passes" in result.out
    assert "1 scenario failed" in result.err


def test_rules_that_fail_in_a_game(conche: Conche, small: Path) -> None:
    small.write_text(small.read_text().replace("gain n coins", "gain 9 + n coins"))
    result = conche("clauses", small, "--games", 2)
    assert result.code == 1
    assert "error[C0520]" in result.err


def test_misuse(conche: Conche, small: Path) -> None:
    assert conche("clauses", small, "--games", -1).code == 2
    assert conche("clauses", small, "--seed", -1).code == 2
    assert conche("clauses", "nowhere").code == 2
    small.write_text("game\n")
    assert conche("clauses", small).code == 1


def test_one_part_alone(conche: Conche, small: Path) -> None:
    ruleset = f"{small}+gifts+apart"
    whole = json.loads(conche("clauses", ruleset, "--format", "json", "--games", 1).out)
    result = conche("clauses", ruleset, "--only", "gifts", "--format", "json", "--games", 1)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert {clause["part"] for clause in found["clauses"]} == {"gifts"}
    assert {rule["part"] for rule in found["rules"]} == {"gifts"}
    for clause in found["clauses"]:
        (same,) = [one for one in whole["clauses"] if (one["part"], one["id"]) == ("gifts", clause["id"])]
        for key in ("rules", "elsewhere"):
            assert [found["rules"][n]["name"] for n in clause[key]] == [
                whole["rules"][n]["name"] for n in same[key]
            ]
    times = {rule["name"]: rule["reached"] and rule["reached"]["times"] for rule in whole["rules"]}
    assert all(
        rule["reached"] is None or rule["reached"]["times"] == times[rule["name"]] for rule in found["rules"]
    )
    text = conche("clauses", ruleset, "--only", "gifts", "--games", 0).out
    assert "after turn add give" in text
    assert "step turn" not in text


def test_the_scenarios_of_one_part(conche: Conche, small: Path) -> None:
    module = small.parent / "gifts.rules"
    scenario = 'scenario "given" §1.2\n  given 2 players\n  move red: act(n = 0)\n  then red.coins = 1\n'
    module.write_text(module.read_text() + scenario)
    text = conche("clauses", f"{small}+gifts", "--only", "gifts", "--games", 0).out
    assert "1   given" in text
    assert (
        conche("clauses", small, "--only", "small", "--games", 0).out
        == conche("clauses", small, "--games", 0).out
    )


def test_a_part_that_is_not_there(conche: Conche, small: Path) -> None:
    result = conche("clauses", f"{small}+gifts", "--only", "gift", "--games", 0)
    assert (result.code, result.out) == (2, "")
    assert "did you mean 'gifts'?" in result.err
