"""The page of a comparison: whole, safe whatever the rules say, and the same every time."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conche.cli import run
from conche.compare.compare_versions import Compared, compare_versions
from conche.compare.marks import marks
from conche.compare.model import WORDS, Kind
from conche.compare.to_html import Row, rows, to_html
from conche.compare.witness.search import search
from conche.versions.sources import read_version

from .edits import CASES, GAME, compared, edits, version

BY_NAME = {edit.name: edit for edit in edits()}
EVIL = "</script><img src=x onerror=alert(1)>{{ 7*7 }}&amp;'"
EVIL_GAME = f"""\
game evil "{EVIL}"
  version 1.0.0
  players 2..2
  seats red, blue
  clauses "evil.clauses.md"

each player has
  coins: 0..9 = 0, open

play                                                                           §1
  each player you from red
    do turn

step turn                                                                      §1
  choose take
    case (n in 1..3, how = "{EVIL}")
      gain n coins

score coins = you.coins
rank by total
"""
EVIL_CLAUSES = f"# Evil\n\n## §1 {EVIL}\n\n<script>alert(1)</script>\n"


class Page(HTMLParser):
    """What a browser would make of the page: elements with their attributes, texts and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def of_edit(name: str) -> Compared:
    edit = BY_NAME[name]
    return compared(edit.old, edit.new)


def page_of(one: Compared) -> str:
    return to_html(one.comparison, one)


@pytest.fixture(scope="module")
def witnessed() -> str:
    one = of_edit("effect: an amount")
    return to_html(replace(one.comparison, witness=search(one, budget=400)), one)


def test_a_change_has_both_texts_and_its_class() -> None:
    one = of_edit("value: of a query")
    (change,) = one.comparison.changes
    assert rows(change) == [Row("2 if ware is spice and left > 6", "3 if ware is spice and left > 6")]
    page = Page(page_of(one))
    shown = [text.strip() for text in page.texts]
    old = shown.index("2 if ware is spice and left > 6")
    assert shown[old + 1] == "3 if ware is spice and left > 6"
    assert WORDS[Kind.VALUE] in shown
    assert [one["id"] for tag, one in page.tags if tag == "h2"] == ["value", "graph"]
    assert ("article", {"id": "c1"}) in page.tags
    assert shown.count("breaking") == 2  # of the change and of all: records
    for cite in change.new.cites if change.new else ():
        assert any(text.startswith(f"§{cite}") for text in shown)


def test_lines_that_stay_stand_beside_each_other() -> None:
    one = of_edit("value: of a query").comparison.changes[0]
    assert one.old is not None
    assert one.new is not None
    change = replace(one, old=replace(one.old, text="a\nb\nc"), new=replace(one.new, text="a\nx\ny\nc"))
    assert rows(change) == [Row("a", "a"), Row("b", "x"), Row(None, "y"), Row("c", "c")]
    assert rows(replace(change, old=None)) == [Row(None, line) for line in "axyc"]


def test_equal_versions_have_a_page_without_changes() -> None:
    text = page_of(of_edit("no change: a comment"))
    assert "equal: both have the canonical form" in text
    assert not {"article", "svg", "script"} & {tag for tag, _ in Page(text).tags}


@pytest.mark.parametrize("name", ["effect: an amount", "value: of a query", "decision narrowed: a bound"])
def test_what_has_changed_is_marked_in_the_graph(name: str) -> None:
    one = of_edit(name)
    found = marks(one)
    assert set(found.values()) == {"changed"}
    (change,) = one.comparison.changes
    assert change.place in found
    tips = re.findall(r'data-mark="changed"[^>]*><title>[^<]*\[([^]<]*)\]</title>', page_of(one))
    assert sorted(tips) == sorted(found)


def test_what_is_new_is_added_and_what_is_gone_marks_its_place() -> None:
    without = "\n".join(one for one in GAME.split("\n") if one.strip() != "gain up to 1 luck")
    with_it, gone = compared(without, GAME), compared(GAME, without)
    (new,) = {id_ for id_, mark in marks(with_it).items() if mark == "added"}
    assert with_it.new.graph.node(new).title == "gain up to 1 luck"
    assert set(marks(gone).values()) == {"changed"}
    assert set(marks(gone)) <= {node.id for node in gone.new.graph.nodes()}


def test_a_witness_can_be_stepped_through(witnessed: str) -> None:
    page = Page(witnessed)
    classes = [attributes.get("class") for _, attributes in page.tags]
    assert {"witness", "steps", "back", "next"} <= set(classes)
    assert page.count("li") > 0
    assert page.count("script") == 1
    script = witnessed.rpartition("<script>")[2].partition("</script>")[0]
    assert not re.search(r"innerHTML|outerHTML|document\.write|\beval\b|fetch\(|import\(|//", script)
    asked = set(re.findall(r'querySelector(?:All)?\("(\w+)\.(\w+)', script))
    there = {(tag, attributes.get("class")) for tag, attributes in page.tags}
    assert asked == {
        ("section", "witness"),
        ("ol", "steps"),
        ("button", "back"),
        ("button", "next"),
        ("p", "stepper"),
    }
    assert asked <= there
    assert page.count("output") == classes.count("witness")


def test_the_page_loads_nothing(witnessed: str) -> None:
    page = Page(witnessed)
    (policy,) = [one["content"] for tag, one in page.tags if tag == "meta" and "http-equiv" in one]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    assert not re.search(r"@import|url\((?!#tip\))", witnessed)
    _is_harmless(page)


def _is_harmless(page: Page) -> None:
    assert not {"img", "iframe", "b", "link", "object", "a", "base", "form"} & {tag for tag, _ in page.tags}
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert not {"src", "href", "action", "style"} & attributes.keys(), tag


def test_hostile_rules_are_text(tmp_path: Path) -> None:
    other = EVIL_GAME.replace("gain n coins", "gain 1 coins").replace(f'evil "{EVIL}', 'evil "<b>')
    for name, text in (("evil", EVIL_GAME), ("worse", other)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "evil.rules").write_text(text, encoding="utf-8")
        clauses = EVIL_CLAUSES.replace("alert(1)", name)
        (tmp_path / name / "evil.clauses.md").write_text(clauses, encoding="utf-8")
    sides = [read_version(str(tmp_path / name / "evil.rules")) for name in ("evil", "worse")]
    sides[0].label = EVIL
    one = compare_versions(*sides)
    found = replace(one.comparison, witness=search(one, budget=60))
    assert found.witness is not None
    assert found.witness.witnesses
    page = Page(to_html(found, one))
    _is_harmless(page)
    assert page.count("script") == 1
    texts = "\n".join(page.texts)
    assert f"{EVIL} → " in texts  # the label
    assert f"how {EVIL}" in texts  # a move
    assert f"title: {EVIL} → <b>" in texts  # a change
    assert "<script>worse</script>" in texts  # a clause


def test_control_characters_do_not_reach_the_page() -> None:
    one = of_edit("value: of a query")
    (change,) = one.comparison.changes
    hidden = replace(change, what="a\x1b[31m\u202eb\ud800", path="\x00")
    text = to_html(replace(one.comparison, changes=(hidden,)), one)
    assert "a [31m b " in text
    text.encode("utf-8")


def test_without_igraph_the_graph_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    one = of_edit("value: of a query")
    text = page_of(one)
    assert "Left out: laying out the graph needs the library igraph, which is not installed" in text
    assert Page(text).count("svg") == 0
    assert Page(text).count("article") == 1


def test_it_is_the_same_every_time(witnessed: str) -> None:
    edit = BY_NAME["effect: an amount"]
    again = compare_versions(*(replace(version(text)) for text in (edit.old, edit.new)))
    made = to_html(replace(again.comparison, witness=search(again, budget=400)), again)
    assert made == witnessed


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair.clauses.md").write_text((CASES / "fair.clauses.md").read_text(encoding="utf-8"))
    (tmp_path / "old.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "new.rules").write_text(BY_NAME["value: of a query"].new, encoding="utf-8")
    return tmp_path


def test_the_command_writes_a_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.rules", "new.rules", "-o", "out/page.html"]) == 1
    assert capsys.readouterr().out == "wrote out/page.html\n"
    assert run(["diff", "old.rules", "new.rules", "--format", "html"]) == 1
    assert capsys.readouterr().out == (files / "out" / "page.html").read_text(encoding="utf-8")
    assert run(["diff", "old.rules", "old.rules", "--format", "html", "-o", "same"]) == 0
    assert "equal: both" in (files / "same").read_text(encoding="utf-8")


@pytest.mark.parametrize("style", ["json", "text", "markdown"])
def test_a_page_of_another_form_is_misuse(
    files: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", "old.rules", "new.rules", "-o", "page.html", "--format", style]) == 2
    assert f"--format says {style}" in capsys.readouterr().err
    assert not (files / "page.html").exists()
