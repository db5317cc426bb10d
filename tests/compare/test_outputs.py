"""The outputs: terminal, JSON, Markdown; and the command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from conche.cli import run
from conche.compare.columns import beside, wide
from conche.compare.model import Comparison
from conche.compare.to_json import document, to_json
from conche.compare.to_markdown import to_markdown
from conche.compare.to_text import to_text
from conche.compare.witness.model import Search
from conche.compare.witness.search import search

from .edits import CASES, GAME, Edit, applied, compared, edits, lines_of

BY_NAME = {edit.name: edit for edit in edits()}
FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"


def found(name: str) -> Comparison:
    edit: Edit = BY_NAME[name]
    return compared(edit.old, edit.new).comparison


def with_witness() -> Comparison:
    edit = BY_NAME["effect: an amount"]
    one = compared(edit.old, edit.new)
    return replace(one.comparison, witness=search(one, budget=400))


@pytest.fixture(scope="module")
def witnessed() -> Comparison:
    return with_witness()


@pytest.fixture(scope="module")
def two_groups(witnessed: Comparison) -> Comparison:
    """A changed price and a changed score, with a witness for the second group alone."""
    one = compared(GAME, applied(GAME, [*lines_of("value: of a query"), *SCORE])).comparison
    assert [change.group for change in one.changes] == [1, 2]
    assert witnessed.witness is not None
    witness = replace(witnessed.witness.witnesses[0], group=2)
    return replace(one, witness=Search((witness,), 30, 4, 100, (1,)))


SCORE = (
    "- score gold = you.gold                                                          §3",
    "+ score gold = you.gold + 1",
)


# ------------------------------------------------------------------------------------------- terminal


def test_each_change_says_its_group_where_there_are_several(two_groups: Comparison) -> None:
    text = to_text(two_groups, width=None)
    for change in two_groups.changes:
        below = text.partition(f"  {change.id}  {change.what}\n")[2]
        assert below.startswith(f"      group {change.group} · fair.rules:")
    assert "witness for group 2 (c2): " in text
    assert "no difference seen for group 1 (c1), which does not show" in text
    markdown = to_markdown(two_groups)
    assert "**c2** score gold: value you.gold → you.gold + 1 (group 2)" in markdown
    assert "witness for group 2 (c2): " in markdown


def test_one_group_is_not_numbered() -> None:
    assert not re.search(r"group \d", to_text(found("value: of a query"), width=None))
    assert not re.search(r"group \d", to_markdown(found("value: of a query")))


def test_old_and_new_stand_side_by_side() -> None:
    text = to_text(found("value: of a query"), width=100)
    (line,) = [line for line in text.split("\n") if "│" in line]
    left, right = line.split("│")
    assert left.strip() == "2 if ware is spice and left > 6"
    assert right.strip() == "3 if ware is spice and left > 6"
    assert "fair.rules:" in text
    assert "records breaking" in text


def test_narrow_terminals_get_one_below_the_other() -> None:
    lines = to_text(found("value: of a query"), width=60).split("\n")
    assert "      - 2 if ware is spice and left > 6" in lines
    assert "      + 3 if ware is spice and left > 6" in lines


@pytest.mark.parametrize("width", [40, 80, 100, 160])
def test_no_line_of_a_column_is_too_wide(width: int) -> None:
    for left, right in beside("a word " * 60, "ein Wort " * 60, width):
        assert wide(left) + wide(right) + 3 <= max(width, 40) + 3


def test_colour_changes_nothing_else() -> None:
    one = found("decision narrowed: a bound")
    painted = to_text(one, width=100, color=True)
    assert "\x1b[" in painted
    assert [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", painted).split("\n")] == [
        line.rstrip() for line in to_text(one, width=100).split("\n")
    ]


def test_equal_is_said_with_its_proof() -> None:
    one = found("no change: a comment")
    assert f"equal: both have the canonical form {one.new.digest[:16]}" in to_text(one)
    assert one.old.digest == one.new.digest
    assert "equal but for names" in to_text(found("rename: a step"))
    assert "equal in play" in to_text(found("clause: a ruling"))


def test_control_characters_do_not_reach_the_terminal() -> None:
    lines = ['- ruling §A1 "Waiting is allowed at any time."', '+ ruling §A1 "\x1b[31mred\x1b[0m"']
    try:
        one = compared(GAME, applied(GAME, lines)).comparison
    except AssertionError:
        return  # the language refuses them
    assert "\x1b" not in to_text(one)


# ------------------------------------------------------------------------------------------- JSON


def test_json_has_the_documented_fields(witnessed: Comparison) -> None:
    made = json.loads(to_json(witnessed))
    section = re.split(r"^## ", FORMATS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (told,) = [part for part in section if part.startswith("`conche diff")]
    documented = set(re.findall(r'"(\w+)"', told))
    assert _keys(made) <= documented | {"fair", "cloth"}
    assert made["changes"][0]["class"] == "effect"
    assert made["witness"]["found"][0]["differs"] == "effects"


def _keys(value: object) -> set[str]:
    """The names of fields; those of arguments and versions are the rules' own."""
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    if not isinstance(value, dict):
        return set()
    own = {key for key in value if key not in ("args", "versions")}
    return own | set().union(*(_keys(value[key]) for key in own)) | (value.keys() & {"args", "versions"})


def test_json_is_the_same_each_time(witnessed: Comparison) -> None:
    assert to_json(witnessed) == to_json(with_witness())
    assert document(witnessed)["conche"] == 1


# ------------------------------------------------------------------------------------------- Markdown


def test_markdown_shows_changes_as_a_diff() -> None:
    text = to_markdown(found("value: of a query"))
    assert "```diff\n-2 if ware is spice and left > 6\n+3 if ware is spice and left > 6\n```" in text
    assert "| interface | saves | records | proposed version |" in text


def test_markdown_of_rules_is_no_markup(witnessed: Comparison) -> None:
    lines = ['- game fair "Fair"', '+ game fair "<b>`*_#|Fair"']
    text = to_markdown(compared(GAME, applied(GAME, lines)).comparison)
    assert "<b>" not in text.replace("\\<b", "")
    assert "<details>" in to_markdown(witnessed)


# ------------------------------------------------------------------------------------------- the command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.clauses.md").write_text((CASES / "fair.clauses.md").read_text(encoding="utf-8"))
    (tmp_path / "old.rules").write_text(GAME, encoding="utf-8")
    edit = BY_NAME["effect: an amount"]
    (tmp_path / "new.rules").write_text(edit.new, encoding="utf-8")
    (tmp_path / "bad.rules").write_text(
        GAME.replace("gain up to 1 luck", "gain up to 1 lukc"), encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("old.rules", "old.rules"), 0),
        (("old.rules", "new.rules"), 1),
        (("old.rules", "bad.rules"), 2),
        (("old.rules", "none.rules"), 2),
        (("old.rules", "new.rules", "--budget", "0"), 2),
        (("old.rules", "new.rules", "-o", "out"), 2),
        (("old.rules",), 2),
    ],
)
def test_exit_codes(
    files: Path, args: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", *args]) == code
    shown = capsys.readouterr()
    assert (shown.out == "") == (code == 2)
    assert "Traceback" not in shown.err


def test_all_that_is_wrong_is_said_at_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "none.rules", "bad.rules"]) == 2
    shown = capsys.readouterr().err
    assert "there is no file 'none.rules'" in shown
    assert "lukc" in shown


def test_formats(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.rules", "new.rules", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["changes"]
    assert run(["diff", "old.rules", "new.rules", "--format", "markdown"]) == 1
    assert capsys.readouterr().out.startswith("## Rules: `old.rules` → `new.rules`")


def test_witnesses_are_written(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["old.rules", "new.rules", "--witness", "--budget", "300", "-o", "out"]
    assert run(["diff", *args]) == 1
    assert "searched" in capsys.readouterr().out
    assert sorted(path.name for path in (files / "out").iterdir()) == [
        "group-1.jsonl",
        "group-1.scenario.txt",
    ]
    scenario = (files / "out" / "group-1.scenario.txt").read_text(encoding="utf-8")
    (files / "old.rules").write_text(GAME + "\n" + scenario, encoding="utf-8")
    assert run(["test", "old.rules"]) == 0
