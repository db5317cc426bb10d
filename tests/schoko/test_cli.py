"""The commands on a game of hidden money, secret bids and players who leave: without code of its own."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from cli.conftest import Conche
from conche.bots import registry
from conche.simulate import GameResult, simulate
from conche_runtime.interface import State
from conche_runtime.records import read_record
from schoko.games import GAME, HIDDEN
from schoko.guided import steady

EXAMPLES = [f"rules/examples/{name}.rules" for name in ("sealed_bids", "tidewater", "tricks", "workshop")]
GAMES = [GAME, HIDDEN, *EXAMPLES]


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(request.config.rootpath)


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("full", [[], ["--full"]], ids=["plain", "full"])
def test_a_game_is_played_kept_and_played_again(
    conche: Conche, tmp_path: Path, ruleset: str, full: list[str]
) -> None:
    file = tmp_path / "game.jsonl"
    played = conche("play", ruleset, "--seed", 5, "--bots", "random", "--record", file, *full)
    assert (played.code, played.err) == (0, "")
    assert "\nround 1\n" in played.out
    again = conche("replay", file)
    assert (again.code, again.err) == (0, "")
    assert f"all {len(file.read_text().splitlines())} lines fit" in again.out
    scores = played.out[played.out.rindex("place  total") :].split("recorded in")[0]
    assert all(line in again.out for line in scores.splitlines()[:2])
    assert read_record(file).complete


def test_a_person_at_the_table_sees_what_is_his(conche: Conche) -> None:
    """Not the bank's money, nor others' cash and cards, nor what they bid before he has bid himself."""
    answers = "yes no\ndo done\nbars 16\n1\nquit\n"
    result = conche("play", GAME, "--seed", 2, "--players", 3, "--bots", "human,random", stdin=answers)
    assert result.code == 0
    assert "red, choose staff" in result.out
    shown = result.out.split("red, choose bid")[0]
    assert re.search(r"^cash +100 +\? +\?$", shown, re.MULTILINE)
    assert "ledger" not in result.out
    assert "  bid  " not in shown
    assert "bid" in result.out.split("red, choose bid")[1]


@pytest.mark.parametrize("ruleset", GAMES)
def test_simulations_add_up(conche: Conche, ruleset: str) -> None:
    result = conche("simulate", ruleset, "-n", 20, "--seed", 3, "--workers", 1, "--format", "json")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert found["games"] == 20
    assert sum(share["mean"] for share in found["win_share"]) == pytest.approx(1)


class Steady:
    """The guided policy as a bot."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def choose(self, state: State, player: int, count: int) -> int:
        return steady(state, player, self.dice)


def test_simulated_guided_games_last_and_random_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.AT_TABLE, "steady", Steady)
    results: dict[str, list[GameResult]] = {"steady": [], "random": []}
    for name, found in results.items():
        simulate(GAME, 6, players=3, seed=1, bots=(name,), workers=1, each=found.append)
    longest_random = max(result.decisions for result in results["random"])
    assert all(result.decisions > longest_random for result in results["steady"])
    survivors = [sum(score["total"] != 0 for score in result.scores) for result in results["steady"]]
    assert sum(survivors) > len(survivors)


@pytest.mark.parametrize("ruleset", GAMES)
def test_graph_and_rulebook_are_written(conche: Conche, tmp_path: Path, ruleset: str) -> None:
    graph = conche("graph", ruleset, "--format", "json")
    assert graph.code == 0
    roles = {node["kind"] for node in json.loads(graph.out)["nodes"]}
    assert {"choice", "step", "score", "zone"} <= roles
    book = tmp_path / "book.md"
    assert conche("rulebook", ruleset, "-o", book).code == 0
    text = book.read_text()
    assert "choose bid" in text or ruleset not in (GAME, HIDDEN)
    assert ("choose announce" in text) == (ruleset == HIDDEN)


def test_every_ruling_is_a_clause_and_has_a_scenario(conche: Conche) -> None:
    result = conche("clauses", GAME, "--format", "json", "--games", 0)
    assert result.code == 0
    clauses = {clause["id"]: clause for clause in json.loads(result.out)["clauses"]}
    rulings = {f"A{number}" for number in (*range(56, 85), *range(92, 112))} - {"A74", "A105"}
    assert rulings <= set(clauses)
    bare = {ruling for ruling in rulings if not clauses[ruling]["scenarios"]}
    assert bare == WITHOUT_SCENARIO


WITHOUT_SCENARIO = {"A73", "A84", "A106", "A110", "A111"}
"""What a module adds; who sees what, and that the money suffices, which other tests here show; and how
records are written."""
