"""Saved games taken over to new rules, and those that are not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conche.api import load
from conche.cli import run
from conche.compare.migrate import NotMigratedError, migrate
from conche.compare.model import Verdict

from .edits import CASES, GAME, compared


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The engine of the old rules."""
    folder = tmp_path_factory.mktemp("old")
    (folder / "fair.clauses.md").write_text((CASES / "fair.clauses.md").read_text(encoding="utf-8"))
    (folder / "fair.rules").write_text(GAME, encoding="utf-8")
    return load(str(folder / "fair.rules"))


def taking(state: Any, args: str) -> int:
    """The option with these arguments."""
    return [repr(move) for move in state.legal_moves()].index(f"Turn({args})")


@pytest.fixture(scope="module")
def game(engine: Any) -> str:
    """A game in which somebody has settled and something has been bought."""
    state = engine.start(2, seed=3)
    for args in ("at=(2, 2)", "ware='cloth'", ""):
        state.step(taking(state, args))
    return str(state.to_json())


def edited(old: str, new: str) -> str:
    assert GAME.count(old) == 1
    return GAME.replace(old, new)


@cache
def refusal(text: str, new: str) -> NotMigratedError:
    with pytest.raises(NotMigratedError) as caught:
        migrate(text, compared(GAME, new))
    return caught.value


def test_a_game_goes_on_by_the_new_rules(game: str, engine: Any) -> None:
    one = compared(GAME, edited("gain up to 1 luck", "gain up to 3 luck"))
    assert one.comparison.verdicts.saves is not Verdict.BREAKING
    made = json.loads(migrate(game, one))
    old = json.loads(game)
    assert made["digest"] == one.new.digest != old["digest"]
    assert {key: made[key] for key in ("players", "seed", "draws", "at", "state")} == {
        key: old[key] for key in ("players", "seed", "draws", "at", "state")
    }
    with pytest.raises(Exception, match="other rules"):
        engine.from_json(json.dumps(made))


def test_equal_rules_need_no_change_but_the_name(game: str) -> None:
    made = json.loads(migrate(game, compared(GAME, GAME)))
    old = json.loads(game)
    assert made["ruleset"] == "fair"
    assert {**made, "ruleset": "", "check": ""} == {**old, "ruleset": "", "check": ""}


def test_a_game_with_outside_chance_stays_one(engine: Any) -> None:
    text = engine.start(2, chance=lambda path, outcomes: outcomes[-1][0]).to_json()
    made = json.loads(migrate(text, compared(GAME, edited("gain up to 1 luck", "gain up to 3 luck"))))
    assert made["seed"] is None
    assert made["state"] == json.loads(text)["state"]


def test_what_breaks_saves_is_refused_with_the_reasons(game: str) -> None:
    one = compared(GAME, edited("gold: 0..50 = 5", "gold: 0..49 = 5"))
    found = refusal(game, edited("gold: 0..50 = 5", "gold: 0..49 = 5"))
    assert found.title == "the new rules may have no place for this position"
    assert found.why == one.comparison.verdicts.reasons["saves"]


def test_other_statements_on_the_way_are_refused(game: str) -> None:
    new = edited("  choose turn\n", "  if you.gold < 2: gain 1 luck\n  choose turn\n")
    assert compared(GAME, new).comparison.verdicts.saves is not Verdict.BREAKING
    found = refusal(game, new)
    assert found.title == "the game may stand in a routine whose statements are others"
    assert found.why == ("step.turn, on the way to the decision 'turn'",)


def test_other_statements_elsewhere_are_no_harm(game: str) -> None:
    new = edited("step praise\n", "step praise\n  if you.gold < 0: gain 1 luck\n")
    assert json.loads(migrate(game, compared(GAME, new)))["digest"] == compared(GAME, new).new.digest


def test_a_board_that_engines_write_otherwise_is_refused(game: str) -> None:
    new = edited("at most 10 across", "at most 14 across")
    assert compared(GAME, new).comparison.verdicts.saves is not Verdict.BREAKING
    found = refusal(game, new)
    assert found.title == "an engine of the new rules writes positions in another way"
    assert "ground would be another" in found.why


@pytest.mark.parametrize(
    "edit",
    [
        ("  luck: 0..9 = 0, open\n", "  luck: 0..9 = 0, open\n  grain: 0..9 = 2, open\n"),
        ("action judge(salt): stop\n", "action judge(salt): stop\naction judge(silk): stop\n"),
    ],
    ids=["variable", "kind"],
)
def test_what_is_new_has_no_room_in_a_save_yet(game: str, edit: tuple[str, str]) -> None:
    new = edited(*edit)
    if "silk" in new:
        new = new.replace('  salt (1) written "sea salt"\n', '  salt (1) written "sea salt"\n  silk (5)\n')
    assert compared(GAME, new).comparison.verdicts.saves is not Verdict.BREAKING
    assert refusal(game, new).title == "an engine of the new rules does not take this position"


@pytest.mark.parametrize("text", ["", "{}", "[1]", "{" * 99, '{"kind": "save"}', '{"conche_save": 2}'])
def test_what_is_no_save_is_refused(text: str) -> None:
    assert refusal(text, GAME).title == "this is not a save of an engine"


def test_a_damaged_save_is_refused(game: str) -> None:
    found = refusal(game.replace('"players":2', '"players":3'), GAME)
    assert found.title == "its own rules cannot load it"
    assert "edited or damaged" in found.why[0]


# ------------------------------------------------------------------------------------------- the command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.clauses.md").write_text((CASES / "fair.clauses.md").read_text(encoding="utf-8"))
    (tmp_path / "new.rules").write_text(edited("gain up to 1 luck", "gain up to 3 luck"), encoding="utf-8")
    (tmp_path / "less.rules").write_text(edited("0..50 = 5", "0..49 = 5"), encoding="utf-8")
    (tmp_path / "game.save").write_text(game, encoding="utf-8")
    return tmp_path


def test_the_command_writes_what_the_new_engine_loads(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["migrate", "game.save", "--to", "new.rules"]) == 0
    text = capsys.readouterr().out
    assert run(["migrate", "game.save", "--to", "new.rules", "-o", "next.save"]) == 0
    assert capsys.readouterr().out == "wrote next.save\n"
    assert (files / "next.save").read_text(encoding="utf-8") == text
    state = load("new.rules").from_json(text)
    luck = state.snapshot()["luck"]
    seat = state.to_act[0]
    state.step(taking(state, ""))
    assert state.snapshot()["luck"][seat] >= luck[seat] + 3


def test_the_command_never_overwrites_unasked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "there").write_text("mine", encoding="utf-8")
    assert run(["migrate", "game.save", "--to", "new.rules", "-o", "there"]) == 2
    assert "C0504" in capsys.readouterr().err
    assert (files / "there").read_text(encoding="utf-8") == "mine"
    assert run(["migrate", "game.save", "--to", "less.rules", "-o", "there", "--force"]) == 1
    shown = capsys.readouterr()
    assert "C0543" in shown.err
    assert "gold" in shown.err
    assert (files / "there").read_text(encoding="utf-8") == "mine"
    assert run(["migrate", "game.save", "--to", "new.rules", "-o", "there", "--force"]) == 0
    assert json.loads((files / "there").read_text(encoding="utf-8"))["kind"] == "save"


@pytest.mark.parametrize(
    ("save", "rules", "code"),
    [("none.save", "new.rules", 2), ("game.save", "none.rules", 2), ("new.rules", "new.rules", 1)],
)
def test_what_cannot_be_read_is_trouble(
    files: Path, save: str, rules: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["migrate", save, "--to", rules]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "error" in shown.err
    assert "Traceback" not in shown.err
