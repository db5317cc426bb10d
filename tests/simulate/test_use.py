"""The use of decisions and rules: the same games, and every count as one can follow it."""

from __future__ import annotations

from functools import cache

import pytest

from conche.api import Image
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.simulate import Summary, game_seed, play_game, run, simulate
from conche.simulate.counting import Counting
from conche.simulate.use import Use, UseSummary, summarize_use
from graph.games import graph_of, graph_of_text

# Two rounds in which red and blue bid at once, then the higher bidder (red with a tie) may take a coin.
AUCTION = """\
game auction "Auction"
  version 1.0.0
  players 2..2
  seats red, blue

each player has
  bid: 0..2 = 0, open
  coins: 0..9 = 0, open

play
  repeat 2 times: do round

step round
  together each player you from red
    choose bid
      case low(n = 0)
        set you.bid to n
      case high(n in 1..2)
        set you.bid to n
  each player you from red if you.bid = top()
    choose prize
      case take(yes = yes)
        gain 1 coins
      case leave(yes = no): stop
  each player you from red if you.bid > 2
    gain 9 coins

query top() = most(p.bid for p in players)
score coins = you.coins
rank by total
"""


class InterpreterImage(Image):
    """A ruleset that is played on the interpreter, so that nothing has to be built."""

    def engine(self) -> Interpreter:  # type: ignore[override]
        return Interpreter(auction())


@cache
def auction() -> ActionGraph:
    return graph_of_text(AUCTION)


def simulated(games: int, **more: object) -> Summary:
    image = InterpreterImage("small", "small", "", None)
    return simulate(image, games, seed=3, workers=1, **more)  # type: ignore[arg-type]


def use_of(summary: Summary) -> UseSummary:
    assert summary.use is not None
    return summary.use


@pytest.mark.parametrize("ruleset", ["auction", "cacao"])
def test_counting_plays_the_same_games(ruleset: str) -> None:
    graph = auction() if ruleset == "auction" else graph_of(ruleset)
    counting, use = Counting(graph), Use()
    for game in range(2):
        seed = game_seed(4, game)
        result = counting.play(2, ["random"] * 2, seed, game, use)
        assert result == play_game(Interpreter(graph), 2, ["random"] * 2, seed, game)
    assert use.asked.total() > 0


def test_what_is_not_asked_for_is_not_counted() -> None:
    plain, counted = simulated(5), simulated(5, rules=auction())
    assert plain.use is None
    assert plain.to_json()["use"] is None
    assert plain.win_share == counted.win_share
    assert plain.scores == counted.scores


def test_every_count_can_be_followed() -> None:
    games = 40
    summary = simulated(games, rules=auction())
    use = use_of(summary)
    rules = {rule.node: rule for rule in use.rules}
    assert (rules["step.round"].times, rules["step.round"].games) == (2 * games, games)
    assert rules["phase.setup"].times == rules["phase.end"].times == games
    bid, prize = use.decisions
    assert (bid.name, prize.name) == ("bid", "prize")
    # Both bid in both rounds, always among three options.
    assert (bid.asked, bid.taken, bid.options) == (4 * games, 4 * games, 3)
    assert [case.label for case in bid.cases] == ["low", "high"]
    assert bid.cases[1].times / bid.taken == pytest.approx(2 / 3, abs=0.15)
    # One or, where they bid the same, both are asked; who takes a coin has it at the end.
    assert 2 * games <= prize.taken == prize.asked <= 4 * games
    coins = sum(estimate.mean for estimate in summary.scores["coins"]) * games
    assert prize.cases[0].times == pytest.approx(coins)
    assert summary.length.mean * games == pytest.approx(bid.asked + prize.asked)
    assert prize.routine == "step round"


def test_what_is_never_reached_is_told() -> None:
    unused = use_of(simulated(10, rules=auction())).unused
    assert [rule.title for rule in unused] == ["gain 9 coins"]
    lines = AUCTION.splitlines()
    assert lines[unused[0].line - 1].strip() == "gain 9 coins"


def test_a_rule_counts_once_for_a_game_however_often() -> None:
    use = use_of(simulated(10, rules=auction()))
    for rule in (*use.rules, *(case for decision in use.decisions for case in decision.cases)):
        assert 0 <= rule.games <= min(10, rule.times), rule
    assert all(rule.node in auction() for rule in use.rules)
    assert {rule.kind for rule in use.rules} >= {"phase", "step", "loop", "effect", "query", "score"}


def test_parts_add_up() -> None:
    whole = use_of(simulated(30, rules=auction()))
    halves = Use()
    for first in (0, 15):
        counting, part = Counting(auction()), Use()
        for game in range(first, first + 15):
            counting.play(2, ["random"] * 2, game_seed(3, game), game, part)
        halves.merge(part)
    assert summarize_use(auction(), halves) == whole


@pytest.mark.slow
def test_workers_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = use_of(simulated(60, rules=auction()))
    monkeypatch.setattr(run, "_HERE", 0.0)
    monkeypatch.setattr(run, "_CHUNK", 0.01)
    image = InterpreterImage("small", "small", "", None)
    summary = simulate(image, 60, seed=3, workers=2, rules=auction())
    assert use_of(summary) == alone


def test_as_json() -> None:
    document = use_of(simulated(4, rules=auction())).to_json()
    assert set(document) == {"decisions", "rules"}
    assert set(document["decisions"][0]) == {
        *("node", "name", "routine", "file", "line", "asked", "options", "taken", "cases")
    }
    assert document["decisions"][0]["cases"][1]["label"] == "high"
    assert set(document["rules"][0]) == {"node", "kind", "title", "file", "line", "times", "games"}
