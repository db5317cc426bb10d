"""What is said of a change, in words."""

from __future__ import annotations

import pytest

from conche.compare.model import Change, Kind
from conche.compare.to_words import summary

from .edits import GAME, applied, compared

BUY = "    case buy(ware in kinds(table)) if you.gold >= price_of(ware) and room(you.sack) > 0"
SELL = "    case sell(sold in kinds(you.sack)) if you.luck < 9"
WAIT = "    case wait                                                                  §2a"


def changes(*lines: str, old: str = GAME) -> tuple[Change, ...]:
    return compared(old, applied(old, list(lines))).comparison.changes


def said(*lines: str, old: str = GAME) -> list[str]:
    return [change.what for change in changes(*lines, old=old)]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (
            [f"- {SELL}", "+     case sell(sold in kinds(you.sack)) if you.luck < 9 and sold is not spice"],
            ["case sell(sold): condition you.luck < 9 → you.luck < 9 and sold is not spice"],
        ),
        (
            [
                f"- {SELL}",
                "+     case sell(sold in each(w in kinds(you.sack) where w is spice)) if you.luck < 9",
            ],
            ["case sell(sold): sold kinds(you.sack) → each(w in kinds(you.sack) where w is spice)"],
        ),
        (
            [
                "- rank by total, you.gold                                                        §3",
                "+ rank by total, you.luck, you.gold",
            ],
            ["rank: keys (total, you.gold) → (total, you.luck, you.gold)"],
        ),
        (
            ["-   if you.gold >= 50: end game", "+   if you.gold >= 50 and left > 0: end game"],
            ["if you.gold >= 50 and left > 0: condition you.gold >= 50 → you.gold >= 50 and left > 0"],
        ),
        (
            ["-   gain up to ware.price gold", "+   if you.luck > 0: gain up to ware.price gold"],
            ["gain up to ware.price gold: now in 'if you.luck > 0'"],
        ),
    ],
)
def test_a_change_in_words(lines: list[str], what: list[str]) -> None:
    assert said(*lines) == what


def test_an_argument_where_nobody_wrote_one_before() -> None:
    """The `you` of a step that no one wrote is an argument as any other once somebody else can be meant."""
    found = said(
        "-   do praise",
        "+   do praise(left_of(you))",
        "- step praise",
        "-   if you.gold > 20",
        "-     set you.fame to min(you.fame + 1, last(you.fame))",
        "-   if you.gold >= 50: end game",
        "+ step praise(p: Player)",
        "+   if p.gold > 20",
        "+     set p.fame to min(p.fame + 1, last(p.fame))",
        "+   if p.gold >= 50: end game",
    )
    assert found == ["do praise: you → left_of(you)"]


OFFERS = applied(
    GAME,
    [
        f"- {WAIT}",
        '+     case rest(way = "rest")                                                    §2a',
        "-       gain up to 1 luck",
        "+       gain up to 1 luck",
        '+     case work(way = "work")',
        "+       gain up to 1 gold",
    ],
)


def test_cases_are_known_by_their_one_value() -> None:
    """Not by what stands in them: the two have changed places there."""
    found = said(
        '-     case rest(way = "rest")                                                    §2a',
        "-       gain up to 1 luck",
        '-     case work(way = "work")',
        "-       gain up to 1 gold",
        '+     case (way = "rest")                                                        §2a',
        "+       gain up to 1 gold",
        '+     case (way = "work")',
        "+       gain up to 1 luck",
        old=OFFERS,
    )
    assert not [what for what in found if "case" in what and what.endswith((": new", ": gone"))]
    assert 'case (way = "rest"): label rest → nothing' in found


def test_another_value_is_another_word_in_the_interface() -> None:
    lines = (
        '-     case work(way = "work")',
        '+     case work(way = "toil")',
    )
    (change,) = changes(*lines, old=OFFERS)
    assert change.what == 'case work(way = "toil"): way "work" → "toil"'
    assert (change.kind, change.verdicts.interface) == (Kind.DECISION_CHANGED, "breaking")


def test_a_loop_in_which_the_same_is_asked_is_the_same_loop() -> None:
    old = applied(
        GAME,
        [
            "-     do turn",
            "-     do tidy",
            "+     do turn",
            "+     for each p in players",
            "+       p: choose bow",
            "+         case (low = 1)",
            "+           set p.fame to min(p.fame + 1, 3)",
            "+           set p.luck to min(9, p.luck + 1)",
            "+           set p.gold to min(50, p.gold + 1)",
            "+         case (low = 0) if p.gold > 1",
            "+     do tidy",
        ],
    )
    found = said(
        "-           set p.fame to min(p.fame + 1, 3)",
        "-           set p.luck to min(9, p.luck + 1)",
        "-           set p.gold to min(50, p.gold + 1)",
        "-         case (low = 0) if p.gold > 1",
        "+           set left to max(0, left - 1)",
        "+         case (low = 0) if left > 2 and p.luck < 9",
        old=old,
    )
    assert "case (low = 0): condition p.gold > 1 → left > 2 and p.luck < 9" in found
    assert "for each p in players: gone" not in found


def test_what_has_moved_to_a_new_step() -> None:
    found = changes(
        "-   move ware from you.sack to cart under",
        "-   gain up to ware.price gold",
        "+   do hand_in(ware)",
        "- step praise",
        "+ step hand_in(ware: Ware)",
        "+   move ware from you.sack to cart under",
        "+   gain up to ware.price gold",
        "+ ",
        "+ step praise",
    )
    assert [(change.kind, change.what) for change in found] == [
        (Kind.EFFECT, "step hand_in: new, run by step.sell"),
        (Kind.ORDER, "move ware from you.sack to cart: moved to step hand_in"),
        (Kind.ORDER, "gain up to ware.price gold: moved to step hand_in"),
    ]
    assert {change.group for change in found} == {1}


def test_a_bound_and_what_is_said_of_it_are_one_group() -> None:
    found = changes(
        "- row table of 3 Ware, open",
        "+ row table of 4 Ware, open",
        "-   draw 3 from cart to table",
        "+   draw 4 from cart to table",
        "- score gold = you.gold                                                          §3",
        "+ score gold = you.gold + 1",
    )
    groups = {change.path: change.group for change in found}
    assert groups["zone.table"] == groups["step.load_cart"] != groups["score.gold"]


def test_attributes_one_by_one() -> None:
    assert said("-   spice (4)", "+   spice (3)") == ["spice: price 4 → 3"]


def test_the_bounds_of_an_attribute_are_no_pieces() -> None:
    (change,) = changes(
        "- piece Ware(price: 1..5)                                                        §1",
        "+ piece Ware(price: 1..6)                                                        §1",
    )
    assert (change.kind, change.what) == (Kind.VALUE, "Ware: price 1..5 → 1..6")
    assert change.verdicts.saves == "compatible"


LONG = applied(
    GAME,
    [
        "-   rounds for you from first if left > 0",
        "-     do turn",
        "-     do tidy",
        "+   repeat 4 times",
        "+     do season",
        "- step praise",
        "+ step season",
        "+   rounds for you from first if left > 0",
        "+     do turn",
        "+     do tidy",
        "+     look at 1 of cart",
        "+   set left to 12",
        "+ ",
        "+ step praise",
        "-   luck: 0..9 = 0, open",
        "+   luck: 0..9 = 0, open, anew each season",
    ],
)


def test_how_often_the_whole_goes_on_is_its_end() -> None:
    (change,) = changes("-   repeat 4 times", "+   repeat 5 times", old=LONG)
    assert (change.kind, change.what) == (Kind.END, "repeat 5 times: times 4 → 5")


def test_what_somebody_looks_at_is_visibility_and_an_outcome() -> None:
    (change,) = changes("-     look at 1 of cart", "+     look at 2 of cart", old=LONG)
    assert (change.kind, change.verdicts.records) == (Kind.VISIBILITY, "breaking")
    assert change.verdicts.interface == "compatible"


def test_what_is_set_anew_is_told_of_the_variable_alone() -> None:
    """Not of the statements that it stands for."""
    (change,) = changes(
        "-   luck: 0..9 = 0, open, anew each season",
        "+   luck: 0..9 = 0, open, anew each turn",
        old=LONG,
    )
    assert (change.kind, change.what) == (Kind.ORDER, "luck: anew season → turn")


def test_a_long_value_by_what_differs_in_it() -> None:
    long = "(if p.gold > 4 and p.luck > 2 and left > 3 and p.fame > 1 then 1 else 0)"
    old = applied(
        GAME,
        [
            "- query rich(p: Player) = p.gold > 10 and p.luck >= 1",
            f"+ query rich(p: Player) = {long} + p.luck > 1",
        ],
    )
    found = said(
        f"- query rich(p: Player) = {long} + p.luck > 1",
        f"+ query rich(p: Player) = {long.replace('p.fame > 1', 'p.fame > 2')} + p.luck > 1",
        old=old,
    )
    assert found == ["query rich: value p.fame > 1 → p.fame > 2"]


def test_options_are_offered_and_no_wording() -> None:
    edit = ["- option mood in {calm, wild} = calm", "+ option mood in {calm, wild, mad} = calm"]
    found = compared(GAME, applied(GAME, edit)).comparison
    assert summary(found).endswith("; 1 change of what is offered")
