"""The printed rulebook: what stands where, and that nothing of the rules gets out of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conche import pipeline
from conche.booklet.from_checked import booklet_of
from conche.booklet.model import Booklet, Clauses, Rules, Section, SeeAlso, Table
from conche.booklet.to_html import to_html
from conche.booklet.to_markdown import to_markdown, without_html
from conche.resources import data_root
from traceability.small import write_small

pytestmark = pytest.mark.slow


def printed(ruleset: object) -> Booklet:
    return booklet_of(pipeline.check(str(ruleset)))


def sections(booklet: Booklet) -> Iterator[Section]:
    waiting = list(booklet.sections)
    while waiting:
        section = waiting.pop(0)
        yield section
        waiting = [*section.sections, *waiting]


def titles(booklet: Booklet) -> list[str]:
    return [section.title + (f" ({section.part})" if section.part else "") for section in sections(booklet)]


def homes(booklet: Booklet) -> dict[str, str]:
    return {
        entry.id: section.title
        for section in sections(booklet)
        for block in section.blocks
        if isinstance(block, Clauses)
        for entry in block.entries
    }


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path)


@pytest.fixture
def gifts(small: Path) -> str:
    return f"{small}+{small.parent / 'gifts.rules'}"


def test_the_chapters_of_a_small_game(small: Path) -> None:
    assert titles(printed(small)) == [
        "Components",
        "Course of play",
        "Turn",
        "Note",
        "Terms",
        "Worth",
        "Scoring and end",
        "Coins",
        "Further clauses",
    ]


def test_steps_of_modules_stand_where_they_happen(gifts: str) -> None:
    found = titles(printed(f"{gifts}:gifts=many"))
    course = found[found.index("Course of play") : found.index("Terms")]
    assert course == ["Course of play", "Give more (Gifts)", "Turn", "Note (Gifts)", "Give (Gifts)"]


def test_options_leave_out_what_does_not_count(small: Path, gifts: str) -> None:
    assert "Give more (Gifts)" not in titles(printed(gifts))
    assert "A8" not in homes(printed(gifts))
    assert homes(printed(f"{gifts}:gifts=many"))["A8"] == "Rulings"
    slow, fast = to_markdown(printed(small)), to_markdown(printed(f"{small}:pace=fast"))
    assert "gain up to 1 coins" not in slow
    assert "gain up to 1 coins" in fast
    assert "with option" not in fast
    assert "- Option pace: fast (or slow)" in fast


def test_a_clause_of_another_value_is_left_out(small: Path) -> None:
    clauses = small.parent / "small.clauses.md"
    clauses.write_text(clauses.read_text() + "\n## §4 Fast\n\nOne more coin.\n")
    text = re.sub(r"(option pace .*?) +§1", r"\1 §1 §4", small.read_text())
    small.write_text(text.replace("§A1\n", "§4\n"))
    slow, fast = printed(small), printed(f"{small}:pace=fast")
    assert "4" not in homes(slow)
    assert "One more coin." not in to_markdown(slow)
    assert homes(fast)["4"] == "Turn"


def test_in_brief_the_text_of_rules_is_left_out(small: Path, gifts: str) -> None:
    whole, brief = printed(gifts), booklet_of(pipeline.check(gifts), brief=True)
    assert not [block for section in sections(brief) for block in section.blocks if isinstance(block, Rules)]
    assert homes(brief) == homes(whole)
    numbers = {section.number for section in sections(brief)}
    assert {line.section for line in brief.index} <= numbers
    assert "Gifts" in titles(brief)
    assert "Note (Gifts)" in titles(brief)
    small.write_text(small.read_text() + "\nquery nobody_asks(p: Player) = p.coins  §1\n")
    assert "Nobody asks" in titles(printed(small))
    assert "Nobody asks" not in titles(booklet_of(pipeline.check(str(small)), brief=True))


def test_what_a_module_replaces_is_gone(small: Path, gifts: str) -> None:
    assert "set you.taken to you.taken + n\n" in to_markdown(printed(small))
    text = to_markdown(printed(gifts))
    assert "set you.taken to you.taken + n\n" not in text
    assert "Gifts says this instead (gifts.rules, line 7):" in text
    assert "Gifts changes the value (gifts.rules, line 13):" in text


def test_clauses_are_at_home_once(small: Path, gifts: str) -> None:
    found = homes(printed(gifts))
    assert found["1"] == "Course of play"
    assert found["7"] == "Gifts"
    assert found["7a"] == "Note"
    assert found["7b"] == "Worth"
    booklet = printed(gifts)
    shown = [
        entry.key
        for section in sections(booklet)
        for block in section.blocks
        if isinstance(block, Clauses)
        for entry in block.entries
    ]
    assert len(shown) == len(set(shown)) == len(booklet.index)
    assert homes(printed(small))["1.2"] == "Note"


def test_what_several_scores_cite_stands_over_them(small: Path) -> None:
    clauses = small.parent / "small.clauses.md"
    clauses.write_text(
        clauses.read_text() + "\n## §4 Points\n\nAll counts.\n\n### §4a Rests\n\nHalf of it.\n"
    )
    text = small.read_text()
    coins = "score coins = worth(you)  §4\n"
    text = re.sub(r"score coins.*\n", coins, text)
    small.write_text(text)
    assert homes(printed(small))["4"] == "Coins"
    small.write_text(text.replace(coins, coins + "score rest = you.coins / 2  §4 §4a\n"))
    found = homes(printed(small))
    assert (found["4"], found["4a"]) == ("Scoring and end", "Rest")


def test_a_clause_says_where_its_parts_are(small: Path, gifts: str) -> None:
    def parts(booklet: Booklet) -> dict[str, set[str]]:
        return {
            section.title: {number for _, number in block.keys}
            for section in sections(booklet)
            for block in section.blocks
            if isinstance(block, SeeAlso) and block.label == "Parts elsewhere"
        }

    assert parts(printed(small)) == {}  # §1.2 stands below §1
    # The step that cites §1.2 is replaced, so it is with the score.
    assert parts(printed(gifts)) == {"Gifts": {"7a", "7b"}, "Course of play": {"1.2"}}
    assert "Parts elsewhere: §7a When (3.1.1), §7b What for (4.1)." in to_markdown(printed(gifts))


def test_the_order_of_naming_changes_no_byte(small: Path) -> None:
    names = [str(small.parent / f"{name}.rules") for name in ("gifts", "apart")]
    one, other = (printed("+".join([str(small), *order])) for order in (names, names[::-1]))
    assert to_html(one) == to_html(other)
    assert to_markdown(one) == to_markdown(other)


def test_numbers_are_those_of_the_set_up() -> None:
    booklet = printed(data_root() / "rules" / "examples" / "orchard.rules")
    tables = [b for s in sections(booklet) for b in s.blocks if isinstance(b, Table)]
    fruit = next(table for table in tables if table.caption == "Fruit")
    assert fruit.head == ("", "worth", "2 players", "3 players", "4 players")
    assert fruit.rows[0] == ("apple (1)", "1", "4", "8", "8")
    assert fruit.rows[-1] == ("honey", "", "2", "4", "4")
    start = next(table for table in tables if table.caption == "When play begins")
    assert start.rows == (("branch", "Fruit", "3", "3", "3"), ("trees", "Fruit", "15", "21", "21"))


# ------------------------------------------------------------------------------------------ hostile rules

EVIL = "<script>alert(1)</script>"

HOSTILE_GAME = f"""\
game evil "{EVIL} & 'x'"
  version 1.0.0
  players 2..2
  seats red, blue
  clauses "evil.clauses.md"

piece Card                                                                     §1
  card written "</td><img src=x onerror=alert(2)>"

pile deck of Card, hidden                                                      §1

setup                                                                          §1
  put 2 card in deck

play                                                                           §1
  each player you from red
    choose say(word = "</pre>{EVIL}```")
    draw 1 from deck to table_of

row table_of of Card, open

score none_at_all = 0                                                          §1
rank by total

always "</summary>{EVIL}": count(deck) >= 0
"""

HOSTILE_CLAUSES = f"""\
## §1 {EVIL} [link](javascript:alert(3))

{EVIL} <img src="http://example.com/x.png"> ![x](http://example.com/y.png)
[click](javascript:alert(4)) [there](http://example.com/) <http://example.com/auto> §1 §2

[ref]: http://example.com/ref

`{EVIL}` and

```
</code>{EVIL}
```

<div onclick="alert(5)">

| a | {EVIL} |
|---|---|
| 1 | <b>2</b> |
"""


class _Page(HTMLParser):
    """What the page is made of, and whether its tags close as they open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(text: str) -> _Page:
    page = _Page()
    page.feed(text)
    page.close()
    assert not page.open
    return page


SAFE = {"id", "class", "href", "lang", "charset", "name", "content", "http-equiv", "start"}


def test_hostile_rules_get_no_html_of_theirs_in(tmp_path: Path) -> None:
    (tmp_path / "evil.rules").write_text(HOSTILE_GAME, encoding="utf-8")
    (tmp_path / "evil.clauses.md").write_text(HOSTILE_CLAUSES, encoding="utf-8")
    text = to_html(printed(tmp_path / "evil.rules"))
    page = parsed(text)
    assert not page.tags & {"script", "img", "div onclick", "iframe", "link", "object", "b"}
    assert set(page.attributes) <= SAFE
    assert all(href.startswith("#") for href in page.attributes["href"])
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert '<a href="#clause-1">§1</a> §2' in text


def test_hostile_rules_get_no_html_into_markdown(tmp_path: Path) -> None:
    (tmp_path / "evil.rules").write_text(HOSTILE_GAME, encoding="utf-8")
    (tmp_path / "evil.clauses.md").write_text(HOSTILE_CLAUSES, encoding="utf-8")
    text = to_markdown(printed(tmp_path / "evil.rules"))
    assert text.startswith("# \\<script\\>")
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    outside = re.sub(r"`[^`\n]*`", "", outside)
    assert not re.search(r"(?<!\\)<", outside)


def test_code_stays_as_it_is() -> None:
    assert without_html("a < b `c < d`\n```\ne < f\n```\n") == "a &lt; b `c < d`\n```\ne < f\n```\n"


def test_every_link_leads_somewhere(gifts: str) -> None:
    page = parsed(to_html(printed(gifts)))
    assert {href[1:] for href in page.attributes["href"]} <= page.attributes["id"]
    assert "clause-1.2" in page.attributes["id"]


def test_the_page_loads_nothing(gifts: str) -> None:
    text = to_html(printed(gifts))
    assert not re.search(r"https?:|//|@import|url\(|src=", text)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


BUNDLED = [
    "cacao",
    "cacao+huts",
    "cacao+map+irrigation:overbuild=early",
    "cacao+gem_mines+emperor",
    pytest.param(
        "cacao+big_game+chocolate+emperor+gem_mines+huts+irrigation+map+new_workers+tree_of_life",
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_bundled_games_are_printed_whole(ruleset: str) -> None:
    booklet = printed(ruleset)
    page = parsed(to_html(booklet))
    assert {href[1:] for href in page.attributes["href"]} <= page.attributes["id"]
    assert to_markdown(booklet).startswith("# Cacao")
    shown = [rule for s in sections(booklet) for b in s.blocks if isinstance(b, Rules) for rule in b.rules]
    assert all(rule.text for rule in shown)
    assert len(booklet.index) == len({line.entry.key for line in booklet.index})
