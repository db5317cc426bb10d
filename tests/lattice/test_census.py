"""The census: what a set-up lays out, and for Cacao that it is what the rulebook lists (sections 1.1 to 3.5).

The tables here are written from the rulebook file, not from what the compiler says.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conche.lattice.census import EACH, Census, Flow, Range, census
from conche.lattice.lattice import Lattice, open_lattice
from conche.lattice.setup import BOX
from conche.modules.load import load
from conche.semantics.rulebook import Rulebook
from slices import slice_of

SMALL = """\
game small "Small"
  version 1.0.0
  players 2..3
  seats red, blue, green

piece Card
  ace
  deuce
  trey
  jack

piece Coin
  cent

pile deck of Card, hidden
row face of 2 Card, open
pool bank of Coin, open

each player has
  hand held of Card, secret
  pool purse of Coin, open

setup
  do deal
  do luck
  do ask

step deal
  put 5 ace, 4 deuce, 1 trey in deck
  swap every trey for jack in deck
  with 2 players: take 2 ace out of deck
  move deuce from deck to face
  shuffle deck
  for each p in players
    draw 2 from deck to p.held
  draw 1 from deck to face

step luck
  chance weather(w in [ace, jack])
  if w is jack: put 1 jack in deck
  if face[ace] > 0: put 1 cent in bank

step ask
  red: choose gift(n in 0..3)
  put n cent in bank
  for each p in players
    put 1 cent in p.purse
  red: choose more(yes_or_no in [0, 1])
  if more_for(yes_or_no): put 1 cent in red.purse

query more_for(n: 0..1) = n = 1

play
  rounds for you from red if deck is not empty
    do turn

step turn
  choose take(amount in 1..2)
  draw up to amount from deck to you.held

score cards = count(you.held)
score coins = count(you.purse)
rank by total
conserve Card
"""


def rulebook(path: Path, text: str) -> Rulebook:
    rules = path / "small.rules"
    rules.write_text(text, encoding="utf-8")
    loaded = load(rules.as_posix())
    assert loaded.rulebook is not None, [one.title for one in loaded.diagnostics]
    return loaded.rulebook


@pytest.fixture
def small(tmp_path: Path) -> Rulebook:
    return rulebook(tmp_path, SMALL)


def test_numbers_that_are_sure_and_numbers_that_are_not(small: Rulebook) -> None:
    for players, ones in ((2, 3), (3, 5)):
        found = census(small, players)
        assert found.found == ()
        assert found.total("trey") == Range(0, 0)
        assert found.of("Card") == Range(ones + 5, ones + 6, "chance")
        assert found.of("Coin") == Range(players, players + 5, "chance and choice")
        assert found.conserved == ("Card",)
        flows = {(f.step, f.kind, f.source, f.target, f.owner): f.number for f in found.flows}
        assert flows["step.deal", "ace", BOX, "deck", ""] == Range(5, 5)
        assert flows["step.deal", None, "deck", "held", EACH] == Range(2, 2)
        assert flows["step.deal", None, "deck", "face", ""] == Range(1, 1)
        assert flows["step.deal", "deuce", "deck", "face", ""] == Range(1, 1)
        assert flows["step.deal", "trey", "deck", BOX, ""] == Range(1, 1)
        assert flows["step.deal", "jack", BOX, "deck", ""] == Range(1, 1)
        assert flows["step.luck", "jack", BOX, "deck", ""] == Range(0, 1, "chance")
        assert flows["step.luck", "cent", BOX, "bank", ""] == Range(0, 1, "chance")
        assert flows["step.ask", "cent", BOX, "bank", ""] == Range(0, 3, "choice")
        assert (("step.deal", "ace", "deck", BOX, "") in flows) == (players == 2)
        # Red may get one more than the others, so they stand by themselves.
        purses = {owner: number for (_, _, _, to, owner), number in flows.items() if to == "purse"}
        assert purses == {
            "red": Range(1, 2, "choice"),
            **{seat: Range(1, 1) for seat in ("blue", "green")[: players - 1]},
        }
        contents = {(one.place, one.owner): one.number for one in found.contents}
        assert contents["held", EACH] == Range(2, 2)
        assert contents["face", ""] == Range(2, 2)


def test_the_order_of_flows_is_that_of_the_set_up(small: Rulebook) -> None:
    steps = list(dict.fromkeys(flow.step for flow in census(small, 3).flows))
    assert steps == ["step.deal", "step.luck", "step.ask"]


def test_a_kind_that_is_not_there_is_listed_as_none(tmp_path: Path) -> None:
    found = census(rulebook(tmp_path, SMALL.replace("  jack\n", "  jack\n  joker\n", 1)), 2)
    assert [total.number for total in found.totals if total.kind == "joker"] == [Range(0, 0)]


def test_a_set_up_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    text = SMALL.replace("take 2 ace out of deck", "take 6 ace out of deck")
    rules = rulebook(tmp_path, text)
    found = census(rules, 2).found
    line = next(n for n, line in enumerate(text.splitlines(), start=1) if "take 6 ace" in line)
    assert [(one.code, one.labels[0].span.line, one.notes) for one in found] == [
        ("C0370", line, ("with 2 players",))
    ]
    assert "6 ace should leave 'deck', which holds 5" in found[0].title
    assert census(rules, 3).found == ()


# -- Cacao, from the rulebook


def jungle(modules: frozenset[str], players: int) -> Counter[str]:
    """§1.1, §2.2, §2.3, §3.1, §3.2, §3.5."""
    if "big_game" in modules:
        names = list(CODES)
        three = (4, 2, 1, 3, 1, 0, 1, 3, 2, 5, 2, 3, 3, 5, 3)
        four = (6, 2, 2, 4, 1, 2, 1, 3, 2, 5, 3, 3, 3, 5, 3)
        return Counter(dict(zip(names, three if players == 3 else four, strict=True)))
    few = players == 2
    pool = Counter(SP=4, DP=2, M2=2, M3=3, M4=1, G1=1, G2=1, W=2, S=1, T=4)
    if not few:
        pool = Counter(SP=6, DP=2, M2=2, M3=4, M4=1, G1=2, G2=1, W=3, S=2, T=5)
    if "irrigation" in modules:
        pool.subtract(Counter(DP=2) if few else Counter(SP=1, DP=2))
        pool["IR"] = 2 if few else 3
    if "chocolate" in modules:
        pool.subtract(Counter(G1=1, G2=1, M3=2) if few else Counter(G1=2, G2=1, M3=3))
        pool["CK"] = pool["CM"] = 2 if few else 3
    if "gem_mines" in modules:
        pool["GM"], pool["T"] = pool["T"], 0
    if "tree_of_life" in modules:
        pool["TL"] = 2 if few else 3
        if "chocolate" not in modules:
            pool["G1"] = pool["G2"] = 0
    return pool


CODES = {
    "SP": "plantation(1)",
    "DP": "plantation(2)",
    "M2": "market(2)",
    "M3": "market(3)",
    "M4": "market(4)",
    "G1": "gold_mine(1)",
    "G2": "gold_mine(2)",
    "W": "water",
    "S": "sun_site",
    "T": "temple",
    "IR": "irrigation",
    "CK": "kitchen",
    "CM": "chocolate_market",
    "GM": "gem_mine",
    "TL": "tree",
}


def workers(modules: frozenset[str], players: int) -> Counter[str]:
    """Of each player: §1.2, §3.2, §A47, §A52, §A90, §3.5."""
    new = Counter({"0-0-2-2": 1, "0-2-0-2": 1, "0-1-0-3": 1, "0-0-0-4": 1})
    threes = Counter({"3-0-0-1": 1, "3-1-0-0": 1})
    more = {"tree_of_life", "chocolate"} <= modules
    if "big_game" in modules:
        return Counter({"1-1-1-1": 4, "2-1-0-1": 5}) + threes + new
    if "new_workers" in modules:
        ones, twos = {2: (0, 5), 3: (0, 4), 4: (0, 3)}[players]
        if more:
            ones, twos = {2: (1, 5), 3: (0, 5), 4: (0, 4)}[players]
        return Counter({"1-1-1-1": ones, "2-1-0-1": twos}) + threes + new
    ones, twos = {2: (4, 5), 3: (3, 5), 4: (3, 4)}[players]
    if more:
        ones, twos = {2: (4, 5), 3: (4, 5), 4: (3, 5)}[players]
    found = Counter({"1-1-1-1": ones, "2-1-0-1": twos}) + threes
    return found + Counter({"0-0-0-4": 1}) if more and players == 2 else found


HUTS = {  # §2.4: tiles that have the function on one of their sides
    "market_crier": 2,
    "hermit": 2,
    "road_worker": 2,
    "trader": 2,
    "farmer": 2,
    "shaman": 2,
    "monk": 2,
    "master_builder": 2,
    "foreman": 2,
    "fountain_master": 2,
    "chiefs_daughter": 1,
    "chiefs_son": 1,
    "chiefs_wife": 1,
    "chief": 1,
}


def agrees(found: Census, modules: frozenset[str], players: int) -> None:
    assert found.found == ()
    totals = {(one.piece, one.kind): (one.owner, one.number) for one in found.totals}
    tiles = jungle(modules, players)
    for code, kind in CODES.items():
        assert totals.get(("Jungle", kind), ("", Range(0, 0))) == ("", Range(tiles[code], tiles[code])), kind
    size = sum(tiles.values())
    both = {"chocolate", "tree_of_life"} <= modules
    pools = {2: 23, 3: 31, 4: 31} if both else {2: 21, 3: 28, 4: 28}  # section 4: pool totals
    assert size == ({3: 38, 4: 45} if "big_game" in modules else pools)[players]
    assert found.of("Jungle") == Range(size, size)
    hand = workers(modules, players)
    each = {
        kind: number.low
        for (piece, kind), (owner, number) in totals.items()
        if piece == "Worker" and owner == EACH and number.low == number.high
    }
    assert each == +hand
    each_has = {2: 12, 3: 11, 4: 10} if both else {2: 11, 3: 10, 4: 9}
    assert sum(hand.values()) == (15 if "big_game" in modules else each_has[players])
    assert found.of("Worker") == Range(players * sum(hand.values()), players * sum(hand.values()))
    places = {(one.place, one.owner): one.number for one in found.contents}
    assert places["table", ""] == places["display", ""] == Range(2, 2)
    assert places["held", EACH] == Range(3, 3)
    assert places["workers", EACH] == Range(sum(hand.values()) - 3, sum(hand.values()) - 3)
    rest = size - 2 - 2 - (2 if "map" in modules else 0)
    assert places["jungle", ""] == Range(rest, rest)
    starts = {(flow.kind, flow.number) for flow in found.flows if flow.target == "table"}
    second = "water" if "irrigation" in modules else "market(2)"
    assert starts == {("plantation(1)", Range(1, 1)), (second, Range(1, 1))}
    if "map" in modules:
        assert places["map", ""] == Range(2, 2)
    if "huts" in modules:
        assert found.of("Hut") == Range(12, 12)
        for kind, copies in HUTS.items():
            assert totals["Hut", kind][1].high <= copies
    if "gem_mines" in modules:
        gems = 6 if players == 2 else 8
        for colour in ("red", "green", "blue", "white"):
            assert totals["Gem", colour] == ("", Range(gems, gems))
        masks = Counter(mask_8=2, mask_9=2, mask_10=2, mask_12=0 if players == 2 else 1)
        assert {kind: number.low for (of, kind), (_, number) in totals.items() if of == "Mask"} == masks
        assert found.of("Mask") == Range(masks.total(), masks.total())


@pytest.fixture(scope="module")
def cacao() -> Lattice:
    found = open_lattice("cacao").lattice
    assert found is not None
    return found


@pytest.mark.slow
def test_the_components_are_those_of_the_rulebook_in_every_combination(cacao: Lattice) -> None:
    both = [
        (number, players)
        for number, one in enumerate(cacao.combinations)
        for players in range(one.players[0], one.players[1] + 1)
    ]
    assert len(both) == 770
    for number, players in [*slice_of(both, 30), *both[-2:]]:
        combination = cacao.combinations[number]
        composed, _ = cacao.compose(combination, {})
        assert composed is not None
        agrees(census(composed, players, seeds=1), frozenset(combination.modules), players)


def test_every_side_of_every_hut_can_come_up() -> None:
    composed = load("cacao+huts").rulebook
    assert composed is not None
    found = census(composed, 2)
    assert {one.kind: one.number for one in found.totals if one.piece == "Hut"} == {
        kind: Range(0, copies, "chance") for kind, copies in HUTS.items()
    }
    assert Flow("step.reveal_display", "Jungle", None, "jungle", "display", "", Range(2, 2)) in found.flows
