"""Simulations: the same result whatever the number of workers, right sums, and the command."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import statistics
import sys
from pathlib import Path

import pytest

from conche.bots import BotNameError, fill_seats, make_bots
from conche.simulate import GameResult, SimulationError, Summary, game_seed, play_game, run, simulate
from conche.simulate.summary import Sums, Tally, summarize
from records.fake_game import FakeEngine
from tiny import TINY

from .conftest import Conche
from .fake_image import fake_image


def without_time(summary: Summary) -> dict[str, object]:
    document = summary.to_json()
    del document["seconds"], document["games_per_second"]
    return document


# ------------------------------------------------------------------------------------------------ bots


def test_bots_depend_on_their_seed_alone() -> None:
    state = FakeEngine().start(2, 1)
    runs = [
        [bot.choose(state, 0, 10) for _ in range(50)]
        for seed in (1, 1, 2)
        for bot in make_bots(["random"], seed)
    ]
    assert runs[0] == runs[1] != runs[2]
    assert set(runs[0]) == set(range(10))
    assert make_bots(["random", "random"], 1)[0] is not make_bots(["random"], 1)[0]
    with pytest.raises(BotNameError):
        make_bots(["nobody"], 1)


def test_seats_are_filled() -> None:
    assert fill_seats(["a"], 3) == ("a", "a", "a")
    assert fill_seats(["a", "b"], 3) == ("a", "b", "b")
    for names, players in ([], 2), (["a"] * 3, 2):
        with pytest.raises(ValueError, match=r"named|names"):
            fill_seats(names, players)


# ------------------------------------------------------------------------------------------------ sums


def test_a_summary_adds_up() -> None:
    engine = FakeEngine()
    results: list[GameResult] = []
    summary = simulate(fake_image(), 50, players=3, seed=4, workers=1, each=results.append)
    assert [result.game for result in results] == list(range(50))
    assert [result.seed for result in results] == [game_seed(4, game) for game in range(50)]
    assert results[7] == play_game(engine, 3, ["random"] * 3, game_seed(4, 7), 7)
    assert list(summary.scores) == ["total", "hand", "stones"]
    for name, by_seat in summary.scores.items():
        for seat, estimate in enumerate(by_seat):
            values = [result.scores[seat][name] for result in results]
            assert estimate.mean == pytest.approx(statistics.mean(values))
            # Of Student's t with 49 degrees of freedom, by any table.
            assert estimate.margin == pytest.approx(
                2.0096 * statistics.stdev(values) / math.sqrt(50), rel=1e-4
            )
    for seat, share in enumerate(summary.win_share):
        shares = [1 / len(result.ranking[0]) if seat in result.ranking[0] else 0.0 for result in results]
        assert share.mean == pytest.approx(statistics.mean(shares))
        assert 0 <= share.low < share.mean < share.high <= 1
    assert list(summary.sources) == ["hand", "stones"]
    for name, source in summary.sources.items():
        points = [sum(scores[name] for scores in result.scores) for result in results]
        everything = sum(scores["total"] for result in results for scores in result.scores)
        assert source.mean.mean == pytest.approx(statistics.mean(points) / 3)
        assert source.mean.margin == pytest.approx(
            2.0096 * statistics.stdev(points) / math.sqrt(50) / 3, rel=1e-4
        )
        assert source.share == pytest.approx(sum(points) / everything)
    lengths = [result.decisions for result in results]
    spread = summary.lengths
    assert (spread.low, spread.high) == (min(lengths), max(lengths))
    assert spread.median == statistics.median_low(lengths)
    ties = sum(len(result.ranking[0]) > 1 for result in results)
    assert summary.shared.mean == pytest.approx(ties / 50)
    assert sum(share.mean for share in summary.win_share) == pytest.approx(1)
    assert summary.length.mean == statistics.mean(result.decisions for result in results)
    total = sum(result.decisions for result in results)
    assert summary.options.mean == pytest.approx(sum(result.options for result in results) / total)
    assert (summary.seats, summary.bots) == (("red", "blue", "green"), ("random",) * 3)


def test_parts_in_any_order_give_the_same_sums() -> None:
    results = [play_game(FakeEngine(), 2, ["random"] * 2, seed, seed) for seed in range(20)]

    def add(*parts: list[GameResult]) -> dict[str, object]:
        whole = Tally(2)
        for part in parts:
            tally = Tally(2)
            for result in part:
                tally.add(result)
            whole.merge(tally)
        about = {"ruleset": "x", "digest": "y", "seats": ("a", "b"), "bots": ("r", "r")}
        return without_time(summarize(whole, seed=1, seconds=0.5, **about))  # type: ignore[arg-type]

    assert add(results) == add(results[10:], results[:10]) == add(*[[result] for result in reversed(results)])


def test_one_game_has_no_margin_and_equal_games_have_none_to_speak_of() -> None:
    summary = simulate(fake_image(), 1, workers=1)
    assert summary.length.margin is None
    sums = Sums()
    for _ in range(3):
        sums.add(10**9 + 1)
    assert sums.estimate(3).margin == 0


# ------------------------------------------------------------------------------------------------ workers


@pytest.mark.slow
def test_the_result_is_the_same_with_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    # Other processes at once, and small parts, so that a few games are enough.
    alone: list[GameResult] = []
    monkeypatch.setattr(run, "_HERE", 1000)
    first = simulate(fake_image(), 300, players=3, seed=9, workers=1, each=alone.append)
    monkeypatch.setattr(run, "_HERE", 0.0)
    monkeypatch.setattr(run, "_CHUNK", 0.01)
    for workers in (2, 3):
        results: list[GameResult] = []
        done: list[int] = []
        summary = simulate(
            fake_image(), 300, players=3, seed=9, workers=workers, each=results.append, progress=done.append
        )
        assert without_time(summary) == without_time(first)
        assert results == alone
        assert done == sorted(done)
        assert done[-1] == 300
        assert len(done) > 3


def test_without_processes_all_is_played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_HERE", 0.0)
    monkeypatch.setattr("conche.workers._open", lambda *args: None)
    summary = simulate(fake_image(), 50, seed=9, workers=4)
    assert without_time(summary) == without_time(simulate(fake_image(), 50, seed=9, workers=1))


@pytest.mark.slow
def test_a_game_that_fails_is_named_and_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = []
    for here, workers in ((1000.0, 1), (0.0, 2)):
        monkeypatch.setattr(run, "_HERE", here)
        with pytest.raises(SimulationError) as caught:
            simulate(fake_image("stones:broken=5"), 100, seed=1, workers=workers)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    game = int(messages[0].split()[1])
    assert messages[0].startswith(f"game {game} (seed {game_seed(1, game)}): fake.rules:7: ")


class _Dying(type(fake_image())):  # type: ignore[misc]
    def engine(self) -> FakeEngine:
        if os.environ.get("CONCHE_TEST_PARENT") != str(os.getpid()):
            os._exit(1)
        return FakeEngine()


@pytest.mark.slow
def test_a_worker_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCHE_TEST_PARENT", str(os.getpid()))
    monkeypatch.setattr(run, "_HERE", 0.0)
    with pytest.raises(SimulationError, match="a worker process died"):
        simulate(_Dying("stones", "stones", "", None), 10_000, workers=2)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"games": 0}, "number of games"),
        ({"games": -5}, "number of games"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"players": 1}, "for 2 to 4 players, not 1"),
        ({"workers": 0}, "worker"),
        ({"bots": ["nobody"]}, "there is no bot 'nobody'; there is playout, random"),
        ({"bots": []}, "no bot is named"),
    ],
)
def test_wrong_numbers_are_refused(wanted: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(fake_image(), **{"games": 10, **wanted})  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ the command


@pytest.mark.usefixtures("stones")
class TestCommand:
    def test_text(self, conche: Conche) -> None:
        result = conche("simulate", "stones", "--games", 30, "--seed", 1, "--players", 3)
        assert (result.code, result.err) == (0, "")
        lines = result.out.splitlines()
        assert lines[0] == "stones: 30 games of 3 players, seed 1, bots random"
        assert lines[1] == "(the game is for 2 to 4; --players N plays with another number)"
        assert lines[3].split() == ["wins", "%", "95", "%", "total", "hand", "stones"]
        assert [line.split()[0] for line in lines[4:7]] == ["red", "blue", "green"]
        assert [line.split()[0] for line in lines[8:11]] == ["points", "hand", "stones"]
        assert " decisions a game, " in lines[12]
        assert lines[-1].endswith(" games a second")

    def test_one_game_is_one(self, conche: Conche) -> None:
        out = conche("simulate", "stones", "-n", 1, "--seed", 1, "--players", 3).out
        assert out.startswith("stones: 1 game of 3 players, seed 1, bots random\n")
        assert "half of them" not in out

    def test_json(self, conche: Conche) -> None:
        document = json.loads(conche("simulate", "stones", "-n", 30, "--seed", 1, "--format", "json").out)
        summary = simulate(fake_image(), 30, seed=1, workers=1)
        del document["seconds"], document["games_per_second"]
        assert document == without_time(summary)

    def test_csv(self, conche: Conche) -> None:
        rows = list(
            csv.DictReader(
                io.StringIO(conche("simulate", "stones", "-n", 30, "--seed", 1, "--format", "csv").out)
            )
        )
        summary = simulate(fake_image(), 30, seed=1, workers=1)
        assert [row["seat"] for row in rows] == ["red", "blue"]
        assert float(rows[1]["total_mean"]) == summary.scores["total"][1].mean
        assert float(rows[0]["win_share_low"]) == summary.win_share[0].low
        assert float(rows[0]["win_share_high"]) == summary.win_share[0].high

    def test_every_game_can_be_had(self, conche: Conche, tmp_path: Path) -> None:
        for name in ("games.csv", "games.jsonl"):
            args = ("simulate", "stones", "-n", 30, "--seed", 1, "--each", tmp_path / name)
            assert conche(*args).code == 0
            refused = conche(*args)
            assert refused.code == 2
            assert "error[C0504]" in refused.err
            assert conche(*args, "--force").code == 0
        rows = list(csv.DictReader((tmp_path / "games.csv").open()))
        games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
        assert len(rows) == len(games) == 30
        for row, game in zip(rows, games, strict=True):
            assert int(row["seed"]) == game["seed"]
            assert int(row["blue_total"]) == game["scores"][1]["total"]
            assert (int(row["red_place"]) == 1) == (0 in game["ranking"][0])
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["games.csv", "games.jsonl"]

    def test_a_game_of_a_simulation_can_be_watched(self, conche: Conche, tmp_path: Path) -> None:
        conche("simulate", "stones", "-n", 3, "--seed", 5, "--each", tmp_path / "games.jsonl")
        game = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[2])
        out = conche("play", "stones", "--seed", game["seed"], "--format", "json").out
        assert json.loads(out.splitlines()[-1])["scores"] == game["scores"]

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["-n", 0], "the number of games is a number from 1 to"),
            (["-n", 10**30], "not a number of more than 20 digits"),
            (["--workers", 0], "the number of workers is a number from 1 to 1000, not 0"),
            (["--players", 9], "stones is for 2 to 4 players, not 9"),
            (["--seed", -3], "not -3"),
            (["--bots", "human"], "there is no bot 'human'"),
        ],
    )
    def test_what_cannot_be_is_refused(self, conche: Conche, args: list[object], message: str) -> None:
        result = conche("simulate", "stones", *args)
        assert (result.code, result.out) == (2, "")
        assert message in result.err

    def test_rules_that_fail_are_told(self, conche: Conche, tmp_path: Path) -> None:
        result = conche("simulate", "stones:broken=5", "--each", tmp_path / "games.csv")
        assert (result.code, result.out) == (1, "")
        assert "error[C0521]: game " in result.err
        assert [entry.name for entry in tmp_path.iterdir()] == ["games.csv.part"]

    def test_a_plot(self, conche: Conche, tmp_path: Path) -> None:
        args = ("simulate", "stones", "-n", 5, "--seed", 1, "--plot", tmp_path / "new" / "p.svg")
        assert conche(*args).code == 0
        assert (tmp_path / "new" / "p.svg").read_text().startswith("<?xml")
        refused = conche(*args)
        assert (refused.code, refused.out) == (2, "")
        assert "error[C0504]" in refused.err
        assert conche(*args, "--force").code == 0
        assert [entry.name for entry in (tmp_path / "new").iterdir()] == ["p.svg"]

    def test_a_plot_of_another_kind_is_refused(self, conche: Conche, tmp_path: Path) -> None:
        result = conche("simulate", "stones", "-n", 5, "--plot", tmp_path / "p.bmp")
        assert (result.code, result.out) == (2, "")
        assert "error[C0501]: a plot is written as *.png or *.svg" in result.err

    def test_without_the_library_nothing_is_played(
        self, conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        result = conche("simulate", "stones", "-n", 5, "--plot", tmp_path / "p.png")
        assert (result.code, result.out) == (2, "")
        assert "error[C0508]: plotting needs the library matplotlib, which is not installed" in result.err
        assert "conche[plot]" in result.err


def test_the_use_of_rules_is_shown(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY)
    args = ("simulate", tmp_path / "tiny.rules", "-n", 10, "--seed", 1, "--workers", 1, "--rules")
    lines = [line.split() for line in conche(*args).out.splitlines()]
    assert ["take", "(step", "turn)", "2.00", "2.00", "3.0"] in lines
    assert ["step", "turn", "2.00", "100.0"] in lines
    use = json.loads(conche(*args, "--format", "json").out)["use"]
    assert [(decision["name"], decision["taken"]) for decision in use["decisions"]] == [("take", 20)]
