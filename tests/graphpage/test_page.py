"""The page and the picture: whole, safe whatever the rules say, and the same every time."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conche.graphpage.to_html import to_html
from conche.graphpage.to_svg import to_svg
from conche.pipeline import Checked, check

EVIL = "</script><img src=x onerror=alert(1)>{{ 7*7 }}&amp;'"
GAME = f"""\
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

step turn                                                                      §1 §A1
  choose take
    case (n in 1..3, how = "{EVIL}")
      gain n coins
    case (n in 4..5, how = "<b>")
      gain n coins

score coins = you.coins
rank by total

ruling §A1 "{EVIL}"
"""
CLAUSES = f"""\
# Evil

## §1 {EVIL}

<script>alert(1)</script> see §A1, [a link](javascript:alert(1)), ![an image](http://example.org/x.png)

*plain* `<code>`
"""

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def evil(tmp_path: Path) -> Checked:
    (tmp_path / "evil.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "evil.clauses.md").write_text(CLAUSES, encoding="utf-8")
    checked = check(str(tmp_path / "evil.rules"))
    assert checked.good, checked.diagnostics
    return checked


class Page(HTMLParser):
    """What a browser would make of the page: elements with their attributes, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] and self.tags[-1][0] == "script":
            self.scripts[-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])


def test_hostile_rules_are_text(evil: Checked) -> None:
    page = Page(to_html(evil))
    names = [tag for tag, _ in page.tags]
    assert names.count("script") == 2
    assert not {"img", "iframe", "b", "link", "object"} & set(names)
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert not {"src", "action", "style"} & attributes.keys(), tag
        assert (attributes.get("href") or "#").startswith("#"), tag
    boxes = {box["id"]: box for box in page.data["boxes"]}
    assert EVIL in boxes["page:root"]["title"]
    assert EVIL in boxes["clause.A1"]["title"]
    assert [clause["title"] for clause in page.data["clauses"]] == [EVIL, EVIL]


def test_the_page_loads_nothing(evil: Checked) -> None:
    text = to_html(evil)
    policy = {
        attributes.get("http-equiv"): attributes["content"]
        for tag, attributes in Page(text).tags
        if tag == "meta" and "content" in attributes
    }["Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    script = Page(text).scripts[1]
    assert set(re.findall(r"\w+://[\w./]+", script)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"innerHTML|outerHTML|document\.write|\beval\b|fetch\(|import\(", script)
    assert "url(#tip)" in script
    assert not re.search(r"@import|url\(", text.partition("</style>")[0])


def test_a_node_has_its_rules_and_clauses(evil: Checked) -> None:
    data = Page(to_html(evil)).data
    boxes = {box["id"]: box for box in data["boxes"]}
    turn = boxes["step.turn"]
    file = turn["place"]["file"]
    lines = data["files"][file].split("\n")
    assert lines[turn["place"]["line"] - 1].startswith("step turn")
    assert lines[turn["place"]["end"] - 1].strip() == "gain n coins"
    assert [data["clauses"][number]["id"] for number in turn["clauses"]] == ["1", "A1"]
    assert boxes["page:routine:step.turn"]["place"] == turn["place"]
    assert "§a1" in turn["found"]
    assert [data["clauses"][number]["id"] for number in boxes["clause.1"]["clauses"]] == ["1"]
    leaf = next(box for box in boxes.values() if box["title"].startswith("gain"))
    assert lines[leaf["place"]["line"] - 1].strip() == "gain n coins"


def test_every_id_that_the_script_asks_for_is_there(evil: Checked) -> None:
    page = Page(to_html(evil))
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    script = page.scripts[1]
    asked = set(re.findall(r'get\("([\w-]+)"\)', script))
    listed = re.search(r"Object\.entries\(\{(.*?)\}\)", script, re.DOTALL)
    assert listed is not None
    asked |= set(re.findall(r'(?:^|[,{\n])\s*"?([a-z-]+)"?(?=\s*[:,])', listed[1]))
    assert {"stage", "panel", "in", "fit", "open-all", "close"} <= asked <= ids
    assert "clause-text-1" in ids


def test_marks_can_be_listed(evil: Checked) -> None:
    page = Page(to_html(evil, marks={"step.turn": "added", "clause.1": "added", "score.coins": 'a"b<'}))
    listed = [attributes["data-list"] for _, attributes in page.tags if "data-list" in attributes]
    assert listed == ['a"b<', "added"]
    assert {box["id"]: box["mark"] for box in page.data["boxes"]}["step.turn"] == "added"


def test_the_picture_is_xml_with_everything_in_it(evil: Checked) -> None:
    assert evil.graph is not None
    text = to_svg(evil.graph, marks={"step.turn": 'x"<'}, everything=True)
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "style", "defs", "marker", "path", "g", "rect", "text")
    }
    tips = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g") if "box" in group.attrib["class"]]
    for node in evil.graph.nodes():
        assert f"{node.title} [{node.id}]" in tips
    marked = [group for group in root.iter(f"{SVG}g") if group.get("data-mark")]
    assert [group.get("data-mark") for group in marked] == ['x"<'] * 3
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_what_xml_cannot_hold_is_no_harm(evil: Checked) -> None:
    assert evil.graph is not None
    text = to_svg(evil.graph, marks={"step.turn": "\x01"})
    assert ElementTree.fromstring(text) is not None


def test_both_are_the_same_every_time(evil: Checked) -> None:
    assert evil.graph is not None
    again = check(evil.ruleset)
    assert again.graph is not None
    assert to_html(evil) == to_html(again)
    assert to_svg(evil.graph) == to_svg(again.graph)
