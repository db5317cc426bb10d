"""The trace of a small game, checked against what was counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche import pipeline
from conche.resources import data_root
from conche.traceability.model import Rule, Standing, Trace
from conche.traceability.to_csv import to_csv
from conche.traceability.to_json import to_json
from conche.traceability.to_text import numbers, to_text
from conche.traceability.trace import trace_of
from traceability.small import write_small

TABLE = """\
 clause                   rules                                       scenarios
 ──────────────────────────────────────────────────────────────────────────────
 §1       Turns           option pace, player's coins, player's       1
                          taken, play
 §1.2     Counting        step note, query worth, score coins, rank
                          by
 §3       Passing         – no rule, only scenarios                   2
 §A1      The fast game   not here: small, option pace is fast
"""

END = """\
Clauses without a rule
  §3 Passing  (small.clauses.md:11)
Rules without a clause
  step turn  (small.rules:17)
"""


def traced(ruleset: object, games: int = 0, seed: int = 0) -> Trace:
    return trace_of(pipeline.check(str(ruleset)), games=games, seed=seed)


def standings(trace: Trace) -> dict[str, str]:
    return {clause.entry.id: clause.standing.value for clause in trace.clauses}


def rule(trace: Trace, name: str) -> Rule:
    (found,) = [rule for rule in trace.rules if rule.name == name]
    return found


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path)


def test_the_table_in_text(small: Path) -> None:
    text = to_text(traced(small))
    assert TABLE in text
    assert END in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_text_keeps_to_its_width(small: Path) -> None:
    for width in (60, 120):
        body = to_text(traced(small, games=1), width).splitlines()
        assert max(map(len, body[: body.index("Clauses without a rule")])) <= width


def test_json(small: Path) -> None:
    found = to_json(traced(small, games=1))
    assert found["conche"] == 1
    assert found["games"] == {"each": 1, "players": [2], "seed": 0}
    passing = found["clauses"][2]
    assert passing["id"] == "3"
    assert passing["standing"] == "scenario"
    assert passing["rules"] == []
    assert passing["scenarios"] == [1]
    assert found["without_rule"] == [2]
    assert [found["rules"][number]["name"] for number in found["without_clause"]] == ["step turn"]
    (note,) = [one for one in found["rules"] if one["name"] == "step note"]
    assert note["line"] == 27
    assert note["cites"] == [{"id": "1.2", "part": "small", "line": 27, "in_force": True, "players": []}]
    assert found["clauses"][3]["by"] == [
        {"part": "small", "modules": {}, "options": {"pace": "fast"}, "replaced": False}
    ]


def test_csv(small: Path) -> None:
    lines = to_csv(traced(small)).splitlines()
    assert lines[0].startswith("clause,title,part,standing,rule,")
    assert "3,Passing,small,scenario,,,,,,," in lines
    assert sum(line.startswith("1.2,") for line in lines) == 4
    assert lines[-1].split(",")[:5] == ["", "", "", "", "step turn"]


def test_what_scenarios_reach(small: Path) -> None:
    """The first takes two coins, so it does `note`; the second asks for a score, so it works out `worth`."""
    trace = traced(small)
    reached = {rule.name: found for rule, found in zip(trace.rules, trace.reached, strict=True)}
    by_name = {name: found.scenarios for name, found in reached.items() if found is not None}
    assert by_name == {
        "play": (0, 1),
        "step turn": (0, 1),
        "step note": (0,),
        "query worth": (1,),
        "score coins": (1,),
        "rank by": (),
    }
    assert [scenario.passed for scenario in trace.scenarios] == [True, True]


def test_what_games_reach(small: Path) -> None:
    """Each game: one play, two turns; two scores, asked for twice (the ranking has the total too), each
    worked out anew, its query not."""
    trace = traced(small, games=3, seed=5)
    times = {rule.name: found for rule, found in zip(trace.rules, trace.reached, strict=True) if found}
    assert (times["play"].games, times["play"].times) == (3, 3)
    assert (times["step turn"].games, times["step turn"].times) == (3, 6)
    assert (times["score coins"].games, times["score coins"].times) == (3, 12)
    assert (times["query worth"].games, times["query worth"].times) == (3, 6)
    assert (times["rank by"].games, times["rank by"].times) == (3, 3)
    assert trace == traced(small, games=3, seed=5)


def test_how_a_position_is_drawn_needs_no_clause(small: Path) -> None:
    small.write_text(small.read_text() + '\nshow\n  coins called "money"\n')
    trace = traced(small)
    assert [rule.name for rule in trace.without_clause] == ["step turn"]
    assert "show" not in to_text(trace, 80)


def test_options_put_clauses_in_force(small: Path) -> None:
    assert standings(traced(small))["A1"] == "elsewhere"
    fast = traced(f"{small}:pace=fast")
    assert standings(fast)["A1"] == "rule"
    assert not fast.without_clause
    (ruling,) = [clause for clause in fast.clauses if clause.entry.id == "A1"]
    assert [claim.condition.options for claim in ruling.claims] == [(("pace", "fast"),)]


def test_modules_change_what_is_in_force(small: Path) -> None:
    trace = traced(f"{small}+{small.parent / 'gifts.rules'}")
    assert standings(trace) == {
        "1": "rule",
        "1.2": "rule",
        "3": "scenario",
        "A1": "elsewhere",
        "7": "rule",
        "7a": "rule",
        "7b": "rule",
        "A8": "elsewhere",
    }
    assert not rule(trace, "step note").in_force
    assert rule(trace, "replace note").counts == ("step.note",)
    assert rule(trace, "step turn").counts == ("step.turn.original",)
    assert rule(trace, "modify worth").counts == rule(trace, "query worth").counts == ("query.worth",)
    assert not rule(trace, "before turn add give_more").in_force
    many = traced(f"{small}+{small.parent / 'gifts.rules'}:gifts=many")
    assert standings(many)["A8"] == "rule"


def test_the_order_of_naming_changes_nothing(small: Path) -> None:
    gifts, apart = (str(small.parent / name) for name in ("gifts.rules", "apart.rules"))
    assert to_json(traced(f"{small}+{gifts}+{apart}")) == to_json(traced(f"{small}+{apart}+{gifts}"))


def test_a_clause_counts_through_its_parts(small: Path) -> None:
    text = small.read_text().replace("§1\n", "§1.2\n")
    small.write_text(text)
    assert standings(traced(small))["1"] == "parts"


def test_a_number_is_that_of_a_module_which_is_spoken_of(small: Path) -> None:
    apart = small.parent / "apart.rules"
    text = apart.read_text().replace("\n  version", '\n  clauses "c.md"\n  version', 1)
    apart.write_text(text)
    (small.parent / "c.md").write_text("## §8 Apart\n")
    late = (
        'module later "Later" for small 1.x\n  version 1.0.0\n  requires late\nscore later = 1 §8\n',
        'module late "Late" for small 1.x\n  version 1.0.0\n  clauses "d.md"\nscore late = 1 §8\n',
    )
    for name, rules in zip(("later", "late"), late, strict=True):
        (small.parent / f"{name}.rules").write_text(rules)
    (small.parent / "d.md").write_text("## §8 Late\n")
    trace = traced(f"{small}+apart+late+later")
    assert [cite.clause for cite in rule(trace, "score later").cites] == [("late", "8")]


def test_hostile_titles_steer_no_terminal(small: Path) -> None:
    clauses = small.parent / "small.clauses.md"
    clauses.write_text(CLAUSES_OF.format("\x1b[31m [red]x[/red]"), encoding="utf-8")
    text = to_text(traced(small))
    assert "\x1b" not in text
    assert "[red]x[/red]" in text


CLAUSES_OF = "## §1 {0}\n## §1.2 b\n## §3 c\n## §A1 d\n"


def test_numbers_are_drawn_together() -> None:
    assert numbers([0, 1, 2, 4, 6, 7]) == "1-3 5 7-8"
    assert numbers([]) == ""


BUNDLED = ["cacao", "cacao+huts:huts=agreed", "cacao+irrigation+map", "cacao+new_workers+tree_of_life"]


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_every_rule_of_a_bundled_game_is_known(ruleset: str) -> None:
    """Whatever runs and is in force has something to count, and each routine is counted for one rule."""
    trace = traced(ruleset)
    running = ("step ", "action ", "query ", "score ", "trigger ", "replace ", "wrap ", "before ", "after ")
    assert not [r.name for r in trace.rules if r.in_force and r.name.startswith(running) and not r.counts]
    counted = [name for r in trace.rules for name in r.counts if not name.startswith(("query.", "score."))]
    assert len(counted) == len(set(counted))
    assert {clause.standing for clause in trace.clauses} <= set(Standing)


def test_an_example_without_gaps() -> None:
    trace = traced(data_root() / "rules" / "examples" / "orchard.rules")
    assert not trace.without_rule
    assert not trace.without_clause
