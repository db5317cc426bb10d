"""The printed component tables: what is put into play, not how chance dealt it in set-ups that were run."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche import pipeline
from conche.booklet.from_checked import booklet_of
from conche.booklet.model import Booklet, Clauses, Section, Table
from conche.lattice.census import EACH, Range, census

GAME = """\
game deal "Deal"
  version 1.0.0
  players 2..3
  seats red, blue, green
  clauses "deal.clauses.md"

option length in 2..9 = 4
option few in 0..0 = 0
option pace in {slow, fast} = slow

enum Good(base: 2..5)
  fish (2)
  salt (3)

piece Card                                                                     §1
  ace
  deuce
  trey

piece Coin
  cent
  dime

piece Chit
  sun
  moon

pile deck of Card, hidden
pool gone of Card, open
pool sky of Chit, open

board land square grid at most 6 across
  on x >= 0 and y >= 0 up to 1 Card
  each space has
    wet: 0..3 = 0, open

each Good has
  price: 0..6 = 0, open

each player has
  hand held of Card, open
  pool purse of Coin, open

setup
  do stock                                                                     §2
  for each p in players
    draw 2 from deck to p.held
    put 3 cent in p.purse
  draw 1 from deck to gone
  for each k in kinds(gone)
    take 1 k out of gone
  chance weather(w in kinds(sky))
  put 2 w in sky

step stock
  put 3 ace, 3 deuce, 2 trey in deck
  with 3 players: put 3 trey in deck
  put 1 sun, 1 moon in sky

play
  each player you from red
    do act

step act                                                                       §1
  choose pick
    case (card in kinds(you.held))
      do use(card)
    none
      stop

action use(ace): stop                                                          §2
action use(deuce): stop
action use(trey): stop

score none_at_all = 0
rank by total
"""

CLAUSES = """\
## §1 Cards

Cards are picked.

## §2 Dealing

The cards are shuffled and dealt.
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Checked:
    folder: Path = tmp_path_factory.mktemp("deal")
    (folder / "deal.rules").write_text(GAME, encoding="utf-8")
    (folder / "deal.clauses.md").write_text(CLAUSES, encoding="utf-8")
    return pipeline.check(str(folder / "deal.rules"))


@pytest.fixture(scope="module")
def booklet(checked: pipeline.Checked) -> Booklet:
    return booklet_of(checked)


def tables(booklet: Booklet) -> dict[str, Table]:
    waiting: list[Section] = list(booklet.sections)
    found: dict[str, Table] = {}
    while waiting:
        section = waiting.pop()
        waiting += section.sections
        found |= {block.caption: block for block in section.blocks if isinstance(block, Table)}
    return found


def test_what_is_dealt_by_chance_is_counted_where_it_is_put(booklet: Booklet) -> None:
    """Of the cards each player may get any, and any may go out of the game: there are 3, 3 and 2 or 5."""
    assert tables(booklet)["Card"] == Table(
        "Card",
        ("", "2 players", "3 players"),
        (("ace", "3", "3"), ("deuce", "3", "3"), ("trey", "2", "5")),
    )


def test_what_each_player_has_of_his_own_is_told_for_each(booklet: Booklet) -> None:
    assert tables(booklet)["Coin"] == Table("Coin", ("", "each player"), (("cent", "3"), ("dime", "0")))


def test_where_chance_says_how_many_come_there_is_a_range_and_their_sum(booklet: Booklet) -> None:
    """One of each, and two more of one of them."""
    assert tables(booklet)["Chit"] == Table(
        "Chit", ("", "number"), (("sun", "1 to 3"), ("moon", "1 to 3"), ("in all", "4"))
    )


def test_what_is_drawn_is_told_by_how_many(booklet: Booklet) -> None:
    assert tables(booklet)["Drawn by chance"].rows == (
        ("Card", "deck", "held (each player)", "2"),
        ("Card", "deck", "gone", "1"),
    )


def test_enums_boards_and_what_kinds_have_are_listed(booklet: Booklet) -> None:
    found = tables(booklet)
    assert found["Good"] == Table("Good", ("", "base"), (("fish", "2"), ("salt", "3")))
    assert found["Each Good has"].rows == (("price", "0 to 6, at first 0", "everybody"),)
    assert found["Each space of land has"].rows == (("wet", "0 to 3, at first 0", "everybody"),)
    land = ("land", "square grid, at most 6 across; on x >= 0 and y >= 0 up to 1 Card", "everybody")
    assert land in found["For all"].rows


MORE = """\
module more "More" for deal 1.x
  version 1.0.0

extend board land
  on x < 0 and y >= 0 up to 1 Chit
"""
MARKED = """\
module marked "Marked" for deal 1.x
  version 1.0.0

extend board land
  each space has
    mark: flag = no, open
"""


def test_of_a_board_that_modules_extend_only_what_may_lie_there_is_more_on_it(
    checked: pipeline.Checked, tmp_path: Path
) -> None:
    (tmp_path / "deal.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "deal.clauses.md").write_text(CLAUSES, encoding="utf-8")
    (tmp_path / "more.rules").write_text(MORE, encoding="utf-8")
    (tmp_path / "marked.rules").write_text(MARKED, encoding="utf-8")
    found = tables(booklet_of(pipeline.check(f"{tmp_path}/deal.rules+more+marked")))
    boards = [row[1:] for row in found["For all"].rows if row[0] == "land"]
    assert boards == [
        ("square grid, at most 6 across; on x >= 0 and y >= 0 up to 1 Card", "everybody", ""),
        ("more on it; on x < 0 and y >= 0 up to 1 Chit", "everybody", "More"),
    ]
    assert [row[0] for row in found["Each space of land has"].rows] == ["wet", "mark"]


def test_options_that_are_numbers_are_ranges(booklet: Booklet) -> None:
    facts = dict(booklet.facts)
    assert facts["Option length"] == "4 (or another number from 2 to 9)"
    assert facts["Option few"] == "0"
    assert facts["Option pace"] == "slow (or fast)"


def test_a_clause_of_the_set_up_stands_there(booklet: Booklet) -> None:
    """Though an action cites it at its head, and the set-up only at a line."""
    titles = {
        entry.id: section.title
        for section in (*booklet.sections, *(inner for one in booklet.sections for inner in one.sections))
        for block in section.blocks
        if isinstance(block, Clauses)
        for entry in block.entries
    }
    assert titles == {"1": "Act", "2": "Set-up"}


def test_the_census_counts_the_same(checked: pipeline.Checked) -> None:
    assert checked.graph is not None
    for players, treys in ((2, 2), (3, 5)):
        found = census(checked.graph, players)
        assert found.found == ()
        numbers = {(one.kind, one.owner): one.number for one in found.totals}
        assert numbers == {
            ("ace", ""): Range(3, 3),
            ("deuce", ""): Range(3, 3),
            ("trey", ""): Range(treys, treys),
            ("cent", EACH): Range(3, 3),
            ("dime", ""): Range(0, 0),
            ("sun", ""): Range(1, 3, "chance"),
            ("moon", ""): Range(1, 3, "chance"),
        }
