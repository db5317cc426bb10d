"""Data files: rows and numbers beside the rules read like those written out; what is wrong is shown there."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.modules.load import LoadResult, load
from conche.semantics.canonical import canonical

GAME = """\
game fair "Fair"
  version 1.0.0
  players 2..3
  seats red, blue, green

option days in 2..6 = 3

{types}
{values}

pile deck of Card, hidden

each player has
  coins: 0..99 = 0, open

setup
  for each card in Card
    put 1 card in deck

play
  repeat days times
    each player you from red
      gain fees[1] coins

rank by you.coins

scenario "days"
  given 2 players
  then days = {days}
"""

HEAD = "piece Card(worth: -1..9, wild: flag, hue: Hue)"
FROM = f'{HEAD} from "cards.csv"\nenum Hue from "hues.csv"'
WRITTEN = f"""{HEAD}
  ace (9, no, hot) written "A"
  two (-1, yes, cold)
enum Hue
  hot
  cold"""
CARDS = 'name, worth, wild, hue, written\n\nace, 9, no, hot, "A"  # the best\ntwo, -1, yes, cold,\n'
HUES = "# two hues\nname\nhot\ncold\n"
FEES = "1, 2\n-3\n"


def _load(tmp_path: Path, types: str, values: str, ruleset: str = "fair.rules", **files: str) -> LoadResult:
    text = GAME.format(types=types, values=values, days=ruleset.partition("days=")[2] or 3)
    (tmp_path / "fair.rules").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (tmp_path / name.replace("_", ".")).write_text(content, encoding="utf-8")
    return load(f"{tmp_path.as_posix()}/{ruleset}")


def _fair(tmp_path: Path, ruleset: str = "fair.rules", **files: str) -> LoadResult:
    named = {"cards_csv": CARDS, "hues_csv": HUES, "fees_csv": FEES, **files}
    return _load(tmp_path, FROM, 'values fees from "fees.csv"', ruleset, **named)


def test_a_file_reads_like_what_is_written_out(tmp_path: Path) -> None:
    read = _fair(tmp_path)
    assert read.diagnostics == []
    written = _load(tmp_path, WRITTEN, "values fees = [1, 2, -3]")
    assert written.rulebook is not None
    assert read.rulebook is not None
    assert canonical(read.rulebook) == canonical(written.rulebook)
    assert {name.rpartition("/")[2] for name in read.sources} == {
        "fair.rules",
        "cards.csv",
        "hues.csv",
        "fees.csv",
    }


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    before = _fair(tmp_path).rulebook
    after = _fair(tmp_path, fees_csv="1, 2, 4").rulebook
    assert before is not None
    assert after is not None
    assert before.tables["fees"].entries == (1, 2, -3)
    assert after.tables["fees"].entries == (1, 2, 4)


@pytest.mark.parametrize(
    ("file", "text", "line", "title"),
    [
        ("fees_csv", "1, two", 1, "'two' in 'fees.csv' is no number"),
        ("fees_csv", "1; 2", 1, "'1; 2' in 'fees.csv' is no number"),
        ("fees_csv", " \n# nothing\n", None, "the data file 'fees.csv' says nothing"),
        ("hues_csv", "name\nhot\ncold, 3\n", 3, "this row of 'hues.csv' has 2 cells, and the first line 1"),
        ("hues_csv", "name\nHot\ncold", 2, "'Hot' in 'hues.csv' is no name"),
        ("hues_csv", "hot\ncold", 1, "the columns of 'hues.csv' are others"),
        ("hues_csv", "name\n", 1, "the data file 'hues.csv' has no rows"),
        (
            "cards_csv",
            CARDS.replace("worth, wild", "wild, worth"),
            1,
            "the columns of 'cards.csv' are others",
        ),
        ("cards_csv", CARDS.replace("-1", "?"), 4, "'?' in 'cards.csv' is no number, name, `yes` or `no`"),
        ("cards_csv", CARDS.replace("-1", "77"), 4, "the attribute 'worth' is a number -1..9, and 77 is not"),
        ("cards_csv", CARDS.replace("two", "ace"), 4, "the kind 'ace' repeats a name that is taken"),
    ],
)
def test_what_is_wrong_is_shown_where_it_stands(
    tmp_path: Path, file: str, text: str, line: int | None, title: str
) -> None:
    found = _fair(tmp_path, **{file: text}).diagnostics
    assert title in [one.title for one in found]
    (main,) = (one.main for one in found if one.title == title)
    assert main is not None
    where = file.replace("_", ".") if line is not None else "fair.rules"
    assert main.span.file.endswith(where)
    assert line is None or main.span.line == line


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("none.csv", "the data file 'none.csv' cannot be read"),
        ("../far.csv", "the data file '../far.csv' does not lie beside the rules file"),
        ("/etc/hosts", "the data file '/etc/hosts' does not lie beside the rules file"),
    ],
)
def test_a_file_that_is_not_there(tmp_path: Path, name: str, title: str) -> None:
    found = _load(tmp_path, WRITTEN, f'values fees from "{name}"').diagnostics
    assert [(one.code, one.title) for one in found] == [("C0253", title)]


def test_a_module_has_data_too(tmp_path: Path) -> None:
    module = (
        'module dear "Dear" for fair 1.x\n  version 1.0.0\n'
        'replace fees from "dear.csv"\nreplace Card from "dear_cards.csv"\n'
    )
    (tmp_path / "dear.rules").write_text(module, encoding="utf-8")
    (tmp_path / "dear_cards.csv").write_text("name,worth,wild,hue\nking,5,no,hot\n", encoding="utf-8")
    result = _fair(tmp_path, "fair.rules+dear", dear_csv="7, 8, 9")
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert result.rulebook.tables["fees"].entries == (7, 8, 9)
    assert [kind.name for kind in result.rulebook.pieces["Card"].kinds] == ["king"]


def test_an_option_is_a_number(tmp_path: Path) -> None:
    assert _fair(tmp_path).diagnostics == []
    more = _fair(tmp_path, "fair.rules:days=5")
    assert more.diagnostics == []
    assert more.rulebook is not None
    assert more.rulebook.ruleset.endswith("fair.rules:days=5")
    for value in ("7", "1", "03", "many"):
        found = _fair(tmp_path, f"fair.rules:days={value}").diagnostics
        assert [one.help for one in found if one.code == "C0228"] == [("it is a number 2..6",)]


def test_an_option_is_a_number_beside_modules(tmp_path: Path) -> None:
    (tmp_path / "more.rules").write_text(
        'module more "More" for fair 1.x\n  version 1.0.0\nscore days = 2 * days\n', encoding="utf-8"
    )
    for ruleset, days in (("fair.rules+more", 3), ("fair.rules+more:days=5", 5)):
        result = _fair(tmp_path, ruleset)
        assert result.diagnostics == []
        assert result.rulebook is not None
        assert f"(Lit {days})" in canonical(result.rulebook)
