"""`conche new`: what it writes is good as it stands, for any game, and it replaces nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from conche.resources import rules_dir, write_new
from tiny import TINY

from .conftest import Conche

ORCHARD = rules_dir() / "examples" / "orchard.rules"

IN_PLAY = TINY.replace(
    "    do turn\n\nstep turn\n  choose take(n in 1..3)\n  gain n coins\n", "    gain 1 coins\n"
)
"""A game without steps."""

ASKS_FIRST = TINY.replace(
    "setup\n", "setup\n  red: choose mood(cheerful in [yes, no])\n  set glad to cheerful\n"
)
ASKS_FIRST = ASKS_FIRST.replace("each player has", "var glad: flag = yes, open\n\neach player has", 1)
ASKS_FIRST += "\nscore glad = if glad then 1 else 0\n"
"""A game whose set-up asks a player, so that a position cannot be laid at once."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(out: str) -> str:
    """The ruleset that the last line says to try."""
    found = re.search(r"try it: `conche test ('[^']+'|[^ ]+)`\n\Z", out)
    assert found is not None, out
    return found[1].strip("'")


def is_good(conche: Conche, ruleset: str, warnings: bool = False) -> None:
    checked = conche("check", ruleset)
    assert (checked.code, checked.err if not warnings else "") == (0, "")
    tested = conche("test", ruleset, "--games", 1)
    assert tested.code == 0
    assert "1 scenario, 0 failed" in tested.out


@pytest.mark.parametrize("base", ["cacao", str(ORCHARD)])
def test_a_module_is_good_as_it_is_written(conche: Conche, base: str) -> None:
    result = conche("new", "module", "lucky_day", "--for", base)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("wrote ./lucky_day.clauses.md\nwrote ./lucky_day.rules\n")
    assert written(result.out) == f"{base}+./lucky_day.rules"
    is_good(conche, written(result.out))


def test_what_the_game_lets_a_module_change_is_listed(conche: Conche) -> None:
    assert conche("new", "module", "lucky_day", "--for", ORCHARD).code == 0
    text = Path("lucky_day.rules").read_text()
    for line in (
        "#   steps    first_player, plant, turn",
        "#   actions  sell.apple, sell.honey, sell.pear",
        "#   choices  turn.turn",
        "#   queries  pears(p)",
        "#   scores   basket(), coins(), ladder()",
        "#   types    Fruit",
    ):
        assert line in text.split("\n")
    assert "after turn add count_lucky_day" in text
    assert 'module lucky_day "Lucky Day" for orchard 1.x' in text


def test_choices_that_take_no_cases_are_listed_apart(conche: Conche, folder: Path) -> None:
    asks = "setup\n  red: choose mood\n    case glad(glad = yes)\n    case sad(glad = no)\n"
    text = TINY.replace("setup\n", asks)
    assert text != TINY
    (folder / "tiny.rules").write_text(text)
    assert conche("new", "module", "extra", "--for", "tiny.rules").code == 0
    lines = Path("extra.rules").read_text().split("\n")
    assert "#   choices  setup.mood" in lines
    assert "#   one-line turn.take" in lines
    assert "#   a choice on one line takes no more cases: wrap what it stands in" in lines


def test_a_setup_without_steps_is_told(conche: Conche, folder: Path) -> None:
    said = (
        "#   the set-up does no step, so nothing can be added to it: in the game, put its lines into a step,"
    )
    named = TINY.replace("setup\n", "setup\n  do lay_out\n\nstep lay_out\n")
    for name, text, expected in (
        ("direct", TINY, True),
        ("named", named, False),
    ):
        (folder / "tiny.rules").write_text(text)
        result = conche("new", "module", name, "--for", "tiny.rules")
        assert result.code == 0
        assert (said in Path(f"{name}.rules").read_text().split("\n")) is expected
        is_good(conche, written(result.out))


def test_clauses_get_numbers_that_nobody_has(conche: Conche, folder: Path) -> None:
    (folder / "tiny.rules").write_text(TINY.replace("step turn", "step turn §1", 1))
    other = 'module other "Other" for tiny 1.x\n  version 1.0.0\nruling §2.1 "So."\n'
    (folder / "other.rules").write_text(other)
    (folder / "apart.rules").write_text(other.replace("tiny", "small").replace("§2", "§3"))
    assert conche("new", "module", "extra", "--for", "tiny.rules").code == 0
    assert "## §3 Extra" in Path("extra.clauses.md").read_text()


def test_paths_with_blanks(conche: Conche, folder: Path) -> None:
    (folder / "my games").mkdir()
    (folder / "my games" / "tiny game.rules").write_text(TINY)
    base, out = "my games/tiny game.rules", "more games/new rules.rules"
    result = conche("new", "module", "extra", "--for", base, "-o", out)
    assert result.code == 0
    assert written(result.out) == f"{base}+{out}"
    assert (folder / "more games" / "new rules.clauses.md").is_file()
    is_good(conche, written(result.out))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IN_PLAY, "everybody has the point of extra"),
        (ASKS_FIRST, "three points at most"),
        (TINY.replace("  seats red, blue, green\n", "").replace("from red", "from seat_0"), "score(seat_0,"),
        (TINY.replace("coins", "extra_turns"), "extra_turns_2: 0..30"),
    ],
    ids=["no steps", "set-up asks", "no names of seats", "a name is taken"],
)
def test_for_games_of_other_kinds(conche: Conche, folder: Path, text: str, expected: str) -> None:
    (folder / "tiny.rules").write_text(text)
    result = conche("new", "module", "extra", "--for", "tiny.rules")
    assert (result.code, result.err) == (0, "")
    assert expected in (folder / "extra.rules").read_text()
    is_good(conche, written(result.out))


def test_warnings_of_the_game_are_not_the_modules(conche: Conche, folder: Path) -> None:
    (folder / "tiny.rules").write_text(f"{TINY}\nvar unused: 0..3 = 0, open\n")
    result = conche("new", "module", "extra", "--for", "tiny.rules")
    assert "gain up to 1 extra_turns" in (folder / "extra.rules").read_text()
    is_good(conche, written(result.out), warnings=True)


def test_a_game_is_good_as_it_is_written(conche: Conche, folder: Path) -> None:
    result = conche("new", "game", "stone_age", "-o", "a b/first.rules")
    assert (result.code, result.err) == (0, "")
    assert written(result.out) == "a b/first.rules"
    assert (folder / "a b" / "first.rules").read_text().startswith("# Stone Age: ")
    is_good(conche, written(result.out))


@pytest.mark.parametrize("there", ["extra.rules", "extra.clauses.md"])
@pytest.mark.parametrize("sort", [("game",), ("module", "--for", "tiny.rules")], ids=["game", "module"])
def test_nothing_is_replaced(conche: Conche, folder: Path, there: str, sort: tuple[str, ...]) -> None:
    (folder / "tiny.rules").write_text(TINY)
    (folder / there).write_text("mine")
    kept = sorted(os.listdir())
    result = conche("new", sort[0], "extra", *sort[1:], "-o", "extra.rules")
    assert result.code == 2
    assert "is there already" in result.err
    assert sorted(os.listdir()) == kept
    assert (folder / there).read_text() == "mine"


def test_a_file_that_comes_meanwhile_is_not_replaced(folder: Path) -> None:
    (folder / "a").write_text("mine")
    with pytest.raises(FileExistsError):
        write_new(folder / "a", "other")
    assert os.listdir() == ["a"]
    assert (folder / "a").read_text() == "mine"
    write_new(folder / "b", "text\n")
    assert (folder / "b").read_bytes() == b"text\n"


@pytest.mark.parametrize(
    ("args", "title"),
    [
        (("module", "extra"), "a module needs its game"),
        (("module", "Extra", "--for", "tiny.rules"), "'Extra' cannot be a name in rules"),
        (("module", "x" * 61, "--for", "tiny.rules"), "cannot be a name in rules"),
        (("module", "no", "--for", "tiny.rules"), "'no' is a word of the rules language"),
        (("module", "extra", "--for", "cacoa"), "there is no game 'cacoa'"),
        (("module", "extra", "--for", "cacao+huts"), "--for takes a game alone"),
        (("module", "extra", "--for", "cacao:first_seat=random"), "--for takes a game alone"),
        (("module", "huts", "--for", "cacao"), "with a module 'huts' already"),
        (("module", "tiny", "--for", "tiny.rules", "-o", "a.rules"), "called so itself"),
        (("module", "extra", "--for", "old.rules"), "the game 'tiny' has no version"),
        (("module", "extra", "--for", "wrong.rules"), "'trun'"),
        (("module", "extra", "--for", "tiny.rules", "-o", "a+b.rules"), "cannot be the path of a rules file"),
        (("module", "extra", "--for", "tiny.rules", "-o", "a.txt"), "cannot be the path of a rules file"),
        (("game", "extra", "--for", "tiny.rules"), "a game is for no other game"),
        (("card", "extra"), "card"),
    ],
)
def test_what_cannot_be_begun(conche: Conche, folder: Path, args: tuple[str, ...], title: str) -> None:
    (folder / "tiny.rules").write_text(TINY)
    (folder / "old.rules").write_text(TINY.replace("  version 1.0.0\n", ""))
    (folder / "wrong.rules").write_text(TINY.replace("do turn", "do trun"))
    kept = sorted(os.listdir())
    result = conche("new", *args)
    assert result.code in (1, 2)
    assert title in result.err
    assert sorted(os.listdir()) == kept
