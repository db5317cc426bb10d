"""What a person types: the same question in many forms, and questions that cannot be understood."""

from __future__ import annotations

from typing import Any

import pytest

from conche.graph.model import choose_of
from conche.why.pattern import Names, Pattern, read

from .positions import cacao, interpreter, values

PLACE = {"worker": "2-1-0-1", "turn": 1, "at": [1, -2]}

UNDERSTOOD: list[tuple[Any, str | None, dict[str, Any]]] = [
    ("place 2-1-0-1 turn 1 at 1,-2", "place", PLACE),
    ("place at 1,-2 turn 1 2-1-0-1", "place", PLACE),
    ("place worker 2-1-0-1, turn 1, at (1, -2)", "place", PLACE),
    ("place(worker = w2101, turn = 1, at = (1, -2))", "place", PLACE),
    ("PLACE W2101 TURN 1 AT ( 1 , -2 )", "place", PLACE),
    ("can i place the 2-1-0-1 with turn 1 at 1,-2?", "place", PLACE),
    ("2-1-0-1 1 (1,-2)", None, PLACE),
    ("at 1,-2", None, {"at": [1, -2]}),
    ("1,-2", None, {"at": [1, -2]}),
    ("turn 3", None, {"turn": 3}),
    ("turn: 9", None, {"turn": 9}),
    ("place", "place", {}),
    ("fill 0,1 gold mine(2)", "fill", {"at": [0, 1], "tile": "gold_mine(2)"}),
    ("fill tile market(3) source pile", "fill", {"tile": "market(3)", "source": "pile"}),
    ('fill source "display"', "fill", {"source": "display"}),
    ("edge worker at 1,2 north", "edge", {"worker_at": [1, 2], "side": "N"}),
    ("edge side W worker_at (0, 0)", "edge", {"side": "W", "worker_at": [0, 0]}),
    # As moves are typed in play: by signs, and without what is no letter or digit.
    ("place 2101 1 1,-2", "place", PLACE),
    ("fill 0,1 GM2", "fill", {"at": [0, 1], "tile": "gold_mine(2)"}),
    ("fill mk3 pile", "fill", {"tile": "market(3)", "source": "pile"}),
    # In short, as moves are typed: if one alone is so meant.
    ("fill 0,1 sun pile", "fill", {"at": [0, 1], "tile": "sun_site", "source": "pile"}),
    ("fill tile wat at 0,1", "fill", {"tile": "water", "at": [0, 1]}),
    ("use 2", "use", {"amount": 2}),
    ("use amount -1", "use", {"amount": -1}),
    ({"name": "place", "args": {"at": (1, -2)}}, "place", {"at": [1, -2]}),
    ({"args": {"turn": 1}}, None, {"turn": 1}),
    ({"name": "use"}, "use", {}),
]


def asked(what: Any) -> Pattern:
    state = cacao()
    program = state.engine.program
    names = Names(program.graph, program.book, state.players, 0)
    now = [node for node in names.choices if choose_of(node).name == "place"]
    return read(what, names, now)


@pytest.mark.parametrize(("what", "name", "args"), UNDERSTOOD, ids=[str(one[0]) for one in UNDERSTOOD])
def test_understood(what: Any, name: str | None, args: dict[str, Any]) -> None:
    found = asked(what)
    assert found.problems == ()
    assert (found.name, dict(found.args)) == (name, args)


NOT_UNDERSTOOD = [
    ("plce 1,2", "'plce' is no decision", "did you mean 'place'?"),
    ("place 2-1-0-2", "'2-1-0-2' is no value for worker, turn or at", "did you mean '2-1-0-1'"),
    ("fill market(9)", "'market(9)' is no value", "there is market(2), market(3) and market(4)"),
    ("fill market", "'market' is no value", "there is market(2), market(3) and market(4)"),
    ("fill tile mar", "'mar' is no value for tile", None),
    ("edge side up", "'up' is no value for side", None),
    ("place worker", "no value is given for worker", None),
    ("place temple", "'temple' is no value for worker, turn or at", None),
    ("", "nothing is asked about", "there is edge, fill, place and use"),
    ("   ", "nothing is asked about", None),
    ({"name": "plaec"}, "there is no decision 'plaec'", "did you mean 'place'?"),
    ({"name": 7}, "there is no decision '7'", None),
    ({"name": "place", "args": {"were": [1, 2]}}, "there is no argument 'were'", None),
    ({"name": "place", "args": {"at": [1, 2, 3]}}, "is no value for at", None),
    ({"name": "place", "args": {"worker": ["2-1-0-1"]}}, "is no value for worker", None),
    ({"name": "place", "args": 5}, "the arguments are no mapping", None),
    (None, "are needed", None),
    (True, "are needed", None),
    (1.5, "are needed", None),
    (object(), "are needed", None),
]


@pytest.mark.parametrize(
    ("what", "text", "hint"), NOT_UNDERSTOOD, ids=[str(at) for at in range(len(NOT_UNDERSTOOD))]
)
def test_not_understood(what: Any, text: str, hint: str | None) -> None:
    told = cacao().explain(0, what)
    assert told.verdict == "unclear"
    shown = "\n".join(told.to_text())
    assert text in shown
    assert hint is None or hint in shown


HOSTILE = [
    "\x00\x1b[31m\u202e" * 50,
    "place " + "(" * 5000,
    "place at " + "9" * 400 + "," + "9" * 400,
    "place at -999999999,999999999 turn 99999999999999",
    "%s %d {0} {name!r} \\N{BULLET}",
    "place place place worker worker at at at turn turn",
    "=,=,=;;;:::[[[]]]",
    "no no no worker no",
    "\ud800 broken",
    "place ١,٢ turn ٣",
    "nothing",
    "sides spaces players phase.play step.place",
    "'; drop table --",
    "a" * 100_000,
    "1,2 " * 3000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_gets_a_plain_answer(text: str) -> None:
    for state in (cacao(), interpreter("rules/examples/sealed_bids.rules").start(3, 1)):
        for player in range(state.players):
            told = state.explain(player, text)
            assert told.verdict in ("illegal", "unclear", "legal")
            shown = told.to_text()
            assert all(line.isprintable() and len(line) < 1200 for line in shown)
            told.to_json()


def test_nothing_is_a_value_where_it_can_be_one() -> None:
    state = cacao(ruleset="cacao+huts", gold=[9, 0])
    state.apply(state.move(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 2]})))
    while state.decision != "build_hut":
        state.step(0)
    for text in ("build hut no hut", "build_hut hut nothing", "no hut", "hut none"):
        told = state.explain(0, text)
        assert (told.verdict, told.args) == ("legal", {"hut": None})


def test_the_label_of_a_case() -> None:
    """Cases of one decision that need no argument, or the same."""
    state = interpreter("rules/examples/orchard.rules").position(2, data={"first": 0, "coins": [1, 9]})
    told = state.explain(0, "climb")
    assert told.verdict == "illegal"
    assert values(told) == {"red.coins": "1"}
    assert [one.text for one in told.reasons] == ["case climb of turn"]
    assert state.explain(0, "turn climb").to_text() == told.to_text()
    sold = state.explain(0, "sell honey")
    assert [one.text for one in told.reasons + sold.reasons][1:] == ["case sell(sold) of turn"]
    assert values(sold) == {"kinds(red.basket)": "none"}
    rich = interpreter("rules/examples/orchard.rules").position(2, data={"first": 0, "coins": [2, 0]})
    told = rich.explain(0, "climb")
    assert (told.verdict, told.args) == ("legal", {})
    # The move of that case has no arguments, and is not mistaken for any other.
    move = rich.move(rich.find("turn", {}))
    assert rich.explain(0, move).reasons[0].text == "case climb of turn"
    assert state.explain(0, move).reasons[0].text == "case climb of turn"
