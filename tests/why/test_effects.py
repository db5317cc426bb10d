"""What a move did, and by which rule: by hand, and against the positions before and after."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import conche
from conche.cli import run
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import InterpreterState
from conche.modules.load import load
from conche.why.effects import Effect, NotingInterpreter, Took, effects_of
from conche_runtime.interface import ChanceEvent
from conche_runtime.records import Recorder

from .positions import START, line_of, on, worker

RULES = "rules/cacao/cacao.rules"


@lru_cache(maxsize=8)
def noting(ruleset: str) -> NotingInterpreter:
    rulebook = load(ruleset).rulebook
    assert rulebook is not None
    return NotingInterpreter(from_rulebook(rulebook))


def cacao(*more: dict[str, Any], **data: Any) -> InterpreterState:
    held = [{"1-1-1-1": 1, "2-1-0-1": 1}, {"1-1-1-1": 1}]
    return noting("cacao").position(2, data={"held": held, "table": [*START, *more], **data})


def texts(happened: list[Any]) -> list[tuple[str, int]]:
    """Each effect, with the line of the rules."""
    return [(one.text, one.rule.line) for one in happened if isinstance(one, Effect)]


def test_a_placement_effect_by_effect() -> None:
    state = cacao(on(2, -1, worker(1)), display=["gold_mine(1)", "temple"])
    index = state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 0]})
    _, happened = effects_of(state, index)
    assert isinstance(happened[0], Took)
    assert happened[0].rule.line == line_of(RULES, "case (worker in kinds(you.held)")
    assert texts(happened)[:3] == [
        ("placed unset → (1, 0)", line_of(RULES, "set placed to at")),
        ("1-1-1-1: red.held → table (1, 0)", line_of(RULES, "move worker from you.held to at turned turn")),
        (
            "red.pending none → (1, 0, S)",
            line_of(RULES, "if beside(at, side) is a Jungle: add"),
        ),
    ]


def test_gold_for_fruit() -> None:
    state = cacao(goods=[{"cacao": 2}, {}])
    state.step(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [2, 1]}))
    assert state.decision == "use"
    _, happened = effects_of(state, state.find("use", {"amount": 1}))
    found = texts(happened)
    # A market of price 2: one fruit is paid, two gold come, the score of gold rises by two.
    assert found[0] == ("cacao: red.goods → the box", line_of(RULES, "pay amount cacao"))
    assert found[1] == ("red.gold 0 → 2", line_of(RULES, "gain amount * market_price(you, price) gold"))
    assert ("red's score gold 0 → 2", line_of(RULES, "score gold = you.gold")) in found
    effect = next(one for one in happened if isinstance(one, Effect) and one.what == "gold")
    assert (effect.kind, effect.player, effect.before, effect.after) == ("variable", 0, "0", "2")


def test_a_rule_of_a_module_is_named_with_it() -> None:
    held = [{"1-1-1-1": 1, "2-1-0-1": 1}, {"1-1-1-1": 1}]
    state = noting("cacao+huts").position(2, data={"held": held, "table": list(START)})
    state.step(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 0]}))
    _, happened = effects_of(state, state.find("use", {"amount": 1}))
    counted = next(one for one in happened if isinstance(one, Effect) and one.what == "harvest")
    assert (counted.rule.module, counted.rule.path) == ("huts", "trigger.count_harvest")
    assert counted.text == "red.harvest 0 → 1"


def test_what_another_draws_is_a_piece_to_who_does_not_see_it() -> None:
    state = cacao()
    index = state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 0]})
    after, _ = effects_of(state, index)
    for eyes, sees in ((0, True), (1, False), (None, True)):
        _, happened = effects_of(after, after.find("use", {"amount": 0}), eyes=eyes)
        drawn = [one.text for one in happened if isinstance(one, Effect) and one.what == "held"]
        assert len(drawn) == 1
        assert drawn[0].endswith(": red.workers → red.held")
        assert drawn[0].startswith("1 piece:") is not sees


def test_the_state_before_stays() -> None:
    state = cacao()
    text = state.to_json()
    effects_of(state, 0)
    assert state.to_json() == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "players"), [("cacao+huts+chocolate", 3), ("schoko", 3), ("rules/examples/tricks.rules", 4)]
)
def test_effects_are_all_that_has_changed(ruleset: str, players: int) -> None:
    """Variables of the players, one after another: where an effect ends the next one begins, from the
    position before to the one after; and it plays as the interpreter does."""
    engine, rnd = noting(ruleset), random.Random(4)
    plain = conche.load(ruleset)
    state, other = engine.start(players, 8), plain.start(players, 8)
    for _ in range(60):
        if state.over:
            break
        seat = state.to_act[0]
        index = rnd.randrange(state.count(seat))
        before = state
        state, happened = effects_of(state, index, seat)
        other.step(index, seat)
        assert state.snapshot() == other.snapshot()
        engine.forget()
        now: dict[tuple[str, int | None], str] = {}
        for one in happened:
            if isinstance(one, Effect) and one.kind == "variable":
                key = (one.what, one.player)
                assert key not in now or now[key] == one.before
                now.setdefault(key, one.before)
                now[key] = one.after
        book = engine.program.book
        for (name, place), value in state.position.variables.items():
            if book.owner_of(name) == "kind":
                continue
            was = before.position.variables.get((name, place))
            if was != value:
                assert (name, None if place < 0 else place) in now, name


def record(tmp_path: Path, ruleset: str, seat: int | None, players: int = 2) -> Path:
    engine, rnd = conche.load(ruleset), random.Random(3)
    state = engine.start(players, 6, log=True)
    path = tmp_path / "game.jsonl"
    recorder = Recorder(engine, state, path, seat=seat, seed=6)
    for _ in range(25):
        if state.over:
            break
        player = state.to_act[0]
        recorder.apply(rnd.randrange(state.count(player)), player)
    recorder.close(keep=True)
    return path


def log(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = run(["log", *map(str, args)])
    out, err = capsys.readouterr()
    return code, out, err


def test_log_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path, "cacao", None)
    code, out, _ = log(capsys, path)
    assert code == 0
    numbers = [line.split()[0] for line in out.splitlines() if line[:3].strip().isdigit()]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert numbers == [str(i) for i, line in enumerate(lines, 1) if "player" in line and "name" in line]


def test_log_with_rules_as_text_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path, "cacao", None)
    code, out, _ = log(capsys, path, "--rules", "--from", 2)
    assert code == 0
    assert "cacao.rules:" in out
    assert "red.held → table" in out
    assert "the box → jungle" not in out
    code, out, _ = log(capsys, path, "--rules", "--format", "json")
    document = json.loads(out)
    assert (code, document["conche"], document["problem"]) == (0, 1, None)
    move = next(step for step in document["steps"] if step.get("name") == "place")
    assert move["rule"]["line"] == line_of(RULES, "case (worker in kinds(you.held)")
    effects = [entry["effect"] for entry in move["happened"] if "effect" in entry]
    assert effects[0]["what"] == "placed"
    assert all(effect["rule"]["file"].endswith(".rules") for effect in effects)


def test_log_of_a_seat_tells_what_that_seat_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path, "cacao", 1)
    code, out, _ = log(capsys, path, "--rules")
    assert code == 0
    drawn = [line for line in out.splitlines() if "red.workers → red.held" in line]
    assert drawn
    assert all(" piece" in line for line in drawn)
    mine = [line for line in out.splitlines() if "purple.workers → purple.held" in line]
    assert mine
    assert not any(" piece" in line for line in mine)


def test_log_range_and_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path, "rules/examples/tictactoe.rules", None)
    _, whole, _ = log(capsys, path)
    _, part, _ = log(capsys, path, "--from", 3, "--to", 4)
    assert [line.split()[0] for line in part.splitlines()] == ["3", "4"]
    assert part in whole
    for args in (("--from", 5, "--to", 3), ("--from", 0), ("--to", -1)):
        code, _, err = log(capsys, path, *args)
        assert (code, "Traceback" in err) == (2, False)
    code, _, err = log(capsys, tmp_path / "none.jsonl")
    assert code == 2
    text = path.read_text().replace('"at": [', '"at": [9', 1)
    path.write_text(text)
    code, _, err = log(capsys, path)
    assert (code, "C0512" in err) == (1, True)


def test_chance_stands_before_what_it_brings() -> None:
    state = cacao()
    after, _ = effects_of(state, state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 0]}))
    _, happened = effects_of(after, after.find("use", {"amount": 0}))
    kinds = [type(one) for one in happened]
    assert ChanceEvent in kinds
    at = kinds.index(ChanceEvent)
    event, effect = happened[at], happened[at + 1]
    assert isinstance(event, ChanceEvent)
    assert isinstance(effect, Effect)
    assert effect.text == f"{event.value}: red.workers → red.held"
