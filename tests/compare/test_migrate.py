"""Saved games taken over to new rules, and those that are not."""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conche.api import load
from conche.cli import run
from conche.compare.migrate import Migration, NotMigratedError, migrate, side_of
from conche.compare.model import Verdict

from .edits import CASES, GAME, compared

pytestmark = pytest.mark.slow


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


def taken(text: str, new: str) -> Any:
    """The state of the new rules."""
    migration = Migration(compared(GAME, new))
    made = migration.migrate(text)
    return migration.sides(json.loads(text)["ruleset"])[1].engine.from_json(made)


def test_what_breaks_saves_is_refused_with_the_reasons(game: str) -> None:
    new = edited("put 6 cloth, 4 spice", "put 5 cloth, 4 spice")
    one = compared(GAME, new)
    found = refusal(game, new)
    assert found.title == "the new rules may have no place for this position"
    assert found.why == one.comparison.verdicts.reasons["saves"]


def test_other_statements_elsewhere_are_no_harm(game: str) -> None:
    new = edited("step praise\n", "step praise\n  if you.gold < 0: gain 1 luck\n")
    assert taken(game, new).game.digest == compared(GAME, new).new.digest


# ------------------------------------------------------------------------------------------- what it holds


def test_bounds_are_looked_at_in_the_position(game: str) -> None:
    assert compared(GAME, edited("0..50 = 5", "0..49 = 5")).comparison.verdicts.saves is Verdict.BREAKING
    assert taken(game, edited("0..50 = 5", "0..49 = 5")).snapshot()["gold"] == [4, 3]
    found = refusal(game, edited("0..50 = 5", "0..3 = 3"))
    assert found.title == "the new rules have no place for what this game holds"
    assert found.why == ("gold of seat 0 is 4, now it is 0..3",)


def test_a_larger_board_keeps_what_lies_where(game: str, engine: Any) -> None:
    old, new = engine.from_json(game), taken(game, edited("at most 10 across", "at most 14 across"))
    assert json.loads(new.to_json())["state"]["ground"] != json.loads(game)["state"]["ground"]
    assert new.snapshot() == old.snapshot()
    assert new.snapshot()["ground"] == [
        {"at": [2, 2], "pieces": [{"kind": "stall", "owner": 0}], "trodden": 1}
    ]


def test_kinds_in_another_order_with_a_new_one_before_them(game: str, engine: Any) -> None:
    new = edited(
        '  cloth (2)\n  spice (4)\n  salt (1) written "sea salt"\n',
        '  silk (5)\n  salt (1) written "sea salt"\n  spice (4)\n  cloth (2)\n',
    ).replace("action judge(salt): stop\n", "action judge(salt): stop\naction judge(silk): stop\n")
    old, now = engine.from_json(game).snapshot(), taken(game, new).snapshot()
    assert json.loads(taken(game, new).to_json())["state"]["table"] != json.loads(game)["state"]["table"]
    assert {key: now[key] for key in old} == old


def test_a_track_may_grow_at_its_end_alone(game: str) -> None:
    assert taken(game, edited("[0, 1, 3, 6]", "[0, 1, 3, 6, 9]")).snapshot()["fame"] == [1, 0]
    assert "fame" in refusal(game, edited("[0, 1, 3, 6]", "[0, 1, 2, 3, 6]")).why[0]


def test_what_is_new_has_its_first_value_or_is_empty(game: str) -> None:
    new = edited(
        "  luck: 0..9 = 0, open\n",
        "  luck: 0..9 = 0, open\n  grain: 0..9 = 2, open\n  store loft of Ware, open\n",
    )
    now = taken(game, new).snapshot()
    assert (now["grain"], now["loft"]) == ([2, 2], [{}, {}])


def test_what_is_gone_is_left_out_only_where_nothing_is_lost(game: str) -> None:
    more = GAME.replace("  luck: 0..9 = 0, open\n", "  luck: 0..9 = 0, open\n  grain: 0..9 = 2, open\n")
    more = more.replace("var left:", "row shelf of 3 Ware, open\nvar left:")
    migration = Migration(compared(more, GAME))
    state = side_of(compared(more, GAME).old.rulebook).engine.start(2, 1)
    made = migration.sides("fair")[1].engine.from_json(migration.migrate(state.to_json())).snapshot()
    assert "grain" not in made
    assert "shelf" not in made
    used = more.replace("  do deal\n", "  do deal\n  draw 1 from cart to shelf\n")
    less = GAME.replace("  do deal\n", "  do deal\n  draw 1 from cart to table\n")
    less = less.replace("row table of 3", "row table of 4")
    state = side_of(compared(used, less).old.rulebook).engine.start(2, 1)
    with pytest.raises(NotMigratedError) as caught:
        migrate(state.to_json(), compared(used, less))
    assert "shelf" in " ".join(caught.value.why)


def test_names_that_are_others_now(game: str, engine: Any) -> None:
    new = GAME
    for old, now in (
        ("left", "days"),
        ("sack", "bag_of"),
        ("trodden", "worn"),
        ("choose turn", "choose act"),
        ("step praise", "step applaud"),
        ("do praise", "do applaud"),
        ("cloth", "wool"),
    ):
        new = re.sub(rf"\b{old}\b", now, new)
    old, state = engine.from_json(game).snapshot(), taken(game, new)
    now = state.snapshot()
    assert now["days"] == old["left"]
    assert now["bag_of"] == json.loads(json.dumps(old["sack"]).replace("cloth", "wool"))
    assert now["ground"][0]["worn"] == 1
    assert state.decision == "act"


def test_chance_goes_on_as_it_would_have(game: str, engine: Any) -> None:
    """With nothing but a variable more, the game ends as the old one does."""
    new = taken(game, edited("  luck: 0..9 = 0, open\n", "  luck: 0..9 = 0, open\n  grain: 0..9 = 2, open\n"))
    ends_alike(engine.from_json(game), new, 1)


def ends_alike(old: Any, new: Any, seed: int) -> None:
    """Plays both at random to the end, in step."""
    dice = random.Random(seed)
    while not old.over:
        assert new.to_act == old.to_act
        seat = dice.choice(old.to_act)
        index = dice.randrange(old.count(seat))
        assert repr(new.move(index, seat)) == repr(old.move(index, seat))
        old.step(index, seat)
        new.step(index, seat)
    assert new.over
    assert new.scores == old.scores


def test_a_decision_that_has_become_forced_is_taken(engine: Any) -> None:
    """As an engine takes it: who can do nothing but wait waits."""
    game = str(engine.start(2, seed=3).to_json())
    new = edited("if you.gold >= price_of(ware)", "if you.gold >= price_of(ware) + 20")
    new = new.replace(
        "if you.stalls is not empty and you.gold > 1", "if you.stalls is not empty and you.luck > 1"
    )
    before, after = engine.from_json(game), taken(game, new)
    # Both have gained luck until one of them has enough to settle.
    assert before.snapshot()["luck"] == [0, 0]
    assert max(after.snapshot()["luck"]) == 2
    assert after.count() >= 2


# ------------------------------------------------------------------------------------------- where it stands

BOAST = """  do praise
  choose boast(loud in [yes, no])
  if loud: gain up to 1 luck
"""
BOASTING = GAME.replace("  do praise\n", BOAST, 1)
"""The game in which who sells is asked once more."""


@pytest.fixture(scope="module")
def boasting() -> str:
    """A game that stands within a sale, within a turn."""
    state = side_of(compared(BOASTING, GAME).old.rulebook).engine.start(2, seed=3)
    for name in ("buy", "wait", "sell"):
        moves = [move.args for move in state.legal_moves()]
        wanted = {"buy": ["ware"], "wait": [], "sell": ["sold"]}[name]
        state.step(next(index for index, args in enumerate(moves) if list(args) == wanted))
    assert state.decision == "boast"
    return str(state.to_json())


def within(text: str, new: str) -> Any:
    return Migration(compared(BOASTING, new)).migrate(text)


def stopped(text: str, new: str) -> tuple[str, ...]:
    with pytest.raises(NotMigratedError) as caught:
        within(text, new)
    assert caught.value.title == "the game stands inside what has changed; play on to the end of that first"
    return caught.value.why


def test_what_comes_after_is_played_by_the_new_rules(boasting: str) -> None:
    new = BOASTING.replace(
        "  if loud: gain up to 1 luck\n", "  if loud: gain up to 3 luck\n  gain up to 2 luck\n"
    )
    one = compared(BOASTING, new)
    migration = Migration(one)
    state = migration.sides("fair")[1].engine.from_json(migration.migrate(boasting))
    seat, luck = state.to_act[0], state.snapshot()["luck"]
    state.apply(next(move for move in state.legal_moves() if move.args == {"loud": True}))
    assert state.snapshot()["luck"][seat] >= luck[seat] + 5


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("  do praise\n  choose", "  do praise\n  gain up to 1 gold\n  choose", "is new, and comes before"),
        (
            BOAST,
            "  choose boast(loud in [yes, no])\n  do praise\n  if loud: gain up to 1 luck\n",
            "changed sides",
        ),
        (BOAST, "  do praise\n", "is gone, or stands elsewhere"),
        (BOAST, f"  if you.luck < 9\n    {BOAST.strip().replace(chr(10), chr(10) + '  ')}\n", "boast"),
        ("    do turn\n    do tidy\n", "    do tidy\n    do turn\n", "do turn"),
        ("  if loud: gain", "  if loud and ware is salt: gain", "go on to read 'sold'"),
    ],
    ids=["before", "across", "gone", "wrapped", "around", "read"],
)
def test_where_the_game_stands_has_changed(boasting: str, old: str, new: str, why: str) -> None:
    assert BOASTING.count(old) == 1
    assert why in " ".join(stopped(boasting, BOASTING.replace(old, new)))


def test_a_second_place_that_runs_a_step_keeps_where_it_goes_back(boasting: str) -> None:
    """The engine of the old rules keeps no such place, since there was but one."""
    new = BOASTING.replace(
        "  do tidy\n", "  do tidy\n    if you.gold > 30 and you.sack[cloth] > 0: do sell(cloth)\n", 1
    ).replace("    do tidy\n      if", "    do tidy\n    if")
    made = json.loads(within(boasting, new))
    assert made["state"]["after_sell"] is not None


# ------------------------------------------------------------------------------------------- no saves


@pytest.mark.parametrize("text", ["", "{}", "[1]", "{" * 99, '{"kind": "save"}', '{"conche_save": 2}'])
def test_what_is_no_save_is_refused(text: str) -> None:
    assert refusal(text, GAME).title == "this is not a save of an engine"


def test_a_game_with_its_moves_is_refused() -> None:
    found = refusal('{"conche": 1, "kind": "game", "moves": []}', GAME)
    assert "`conche play --resume`" in found.why[0]


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
    (tmp_path / "less.rules").write_text(edited("0..50 = 5", "0..3 = 3"), encoding="utf-8")
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


def test_the_document(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    form = ["--format", "json"]
    assert run(["migrate", "game.save", "--to", "new.rules", *form]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["conche"], made["migrated"], made["problem"], made["out"]) == (1, True, None, None)
    assert load("new.rules").from_json(made["save"]).to_json() == made["save"]
    assert run(["migrate", "game.save", "--to", "new.rules", "-o", "next.save", *form]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["out"] == "next.save"
    assert "save" not in made
    assert run(["migrate", "game.save", "--to", "less.rules", *form]) == 1
    made = json.loads(capsys.readouterr().out)
    assert not made["migrated"]
    assert made["why"] == ["gold of seat 0 is 4, now it is 0..3"]


@pytest.mark.parametrize(
    ("save", "rules", "code"),
    [
        ("none.save", "new.rules", 2),
        ("game.save", "none.rules", 2),
        ("new.rules", "new.rules", 1),
        (".", "new.rules", 2),
        ("pipe", "new.rules", 2),
    ],
)
def test_what_cannot_be_read_is_trouble(
    files: Path, save: str, rules: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    if save == "pipe":
        os.mkfifo(save)  # nobody ever writes to it
    assert run(["migrate", save, "--to", rules]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "error" in shown.err
    assert "Traceback" not in shown.err
