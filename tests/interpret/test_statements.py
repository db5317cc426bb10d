"""What each plain statement does, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from conche_runtime.chance import below, stream_key
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChanceEvent, RevealEvent

from interpret.lab import engine, lab, start

TILES = "put 3 hill(1), 2 lake in deck"

DOES: list[tuple[str, dict[str, Any]]] = [
    ("set n to n * 4", {"n": 12}),
    ("set n to -9", {"n": -9}),
    ("set who to blue", {"who": 1}),
    ("set n to n", {"who": None}),
    ("set perhaps to lake", {"perhaps": "lake"}),
    ("set blue.climb to 2", {"climb": [0, 2]}),
    ("let s = (1, 2)\nset s.mark to 4", {"land": [{"at": [1, 2], "pieces": [], "mark": 4}]}),
    ("let s = (1, 2)\nset s.mark to 4\nset s.mark to 0", {"land": []}),
    ("let k = 2\nset k to k + 3\nset n to k", {"n": 5}),
    ("add 4 to picks\nadd 2 to picks\nadd 4 to picks", {"picks": [4, 2, 4]}),
    ("add north to seen\nadd east to seen\nadd north to seen", {"seen": ["N", "E"]}),
    ("add north to seen\nadd east to seen\ndrop north from seen", {"seen": ["E"]}),
    ("set picks to [4, 2, 4]\ndrop 4 from picks", {"picks": [2, 4]}),
    # gain and pay
    ("for each you in players: gain 3 gold", {"gold": [8, 8]}),
    ("each player you from blue: gain up to 30 gold", {"gold": [20, 20]}),
    ("each player you from blue if you = blue: pay 5 gold", {"gold": [5, 0]}),
    ("each player you from blue if you = blue: pay 2 gold to red", {"gold": [7, 3]}),
    ("each player you from blue if you = blue: gain 2 fig", {"purse": [{}, {"FIG": 2}]}),
    ("each player you from blue if you = blue: gain up to 9 fig", {"purse": [{}, {"FIG": 4}]}),
    (
        "for each you in players\n  gain 2 fig\n  if you = blue: pay 1 fig",
        {"purse": [{"FIG": 2}, {"FIG": 1}]},
    ),
    (
        "for each you in players\n  gain 2 fig\n  if you = blue: pay 2 fig to red",
        {"purse": [{"FIG": 4}, {}]},
    ),
    # zones
    ("put 2 plum, 3 fig in heap", {"heap": {"plum": 2, "FIG": 3}}),
    ("put 2 plum, 3 fig in heap\ntake 2 plum, 1 fig out of heap", {"heap": {"FIG": 2}}),
    ("put 2 lake, 1 hill(1) in line", {"line": ["lake", "lake", "hill(1)"]}),
    ("put 2 lake, 1 hill(1) in line\ntake 1 lake out of line", {"line": ["lake", "hill(1)"]}),
    (
        "put 2 lake, 1 hill(1) in line\nswap every lake for hill(2) in line",
        {"line": ["hill(2)", "hill(2)", "hill(1)"]},
    ),
    ("put 2 lake, 1 hill(1) in deck\nswap every lake for hill(1) in deck", {"deck": {"hill(1)": 3}}),
    ("put 2 lake in deck\nswap every hill(1) for hill(2) in deck", {"deck": {"lake": 2}}),
    ("put 2 lake in deck\nmove lake from deck to line", {"deck": {"lake": 1}, "line": ["lake"]}),
    # known tops and bottoms
    (
        f"{TILES}\nmove lake from deck to line\nmove lake from line to deck",
        {"deck": {"size": 5, "top": ["lake"], "bottom": [], "unknown": {"hill(1)": 3, "lake": 1}}},
    ),
    (
        f"{TILES}\nmove lake from deck to line\nmove lake from line to deck under",
        {"deck": {"size": 5, "top": [], "bottom": ["lake"], "unknown": {"hill(1)": 3, "lake": 1}}},
    ),
    (
        "put 1 lake, 1 hill(1), 1 hill(2) in line\nfor each t in line: move t from line to deck",
        {"deck": {"size": 3, "top": ["hill(2)", "hill(1)", "lake"], "bottom": [], "unknown": {}}},
    ),
    (
        "put 1 lake, 1 hill(1), 1 hill(2) in line\nfor each t in line: move t from line to deck under",
        {"deck": {"size": 3, "top": [], "bottom": ["lake", "hill(1)", "hill(2)"], "unknown": {}}},
    ),
    (
        "put 1 lake, 1 hill(1) in line\nfor each t in line: move t from line to deck\nshuffle deck",
        {"deck": {"hill(1)": 1, "lake": 1}},
    ),
    (
        "put 1 lake, 1 hill(1) in line\nfor each t in line: move t from line to deck\ndraw 2 from deck to line",
        {"line": ["hill(1)", "lake"], "deck": {}},
    ),
    (
        "put 1 lake, 1 hill(1) in line\nfor each t in line: move t from line to deck under\ndraw 1 from deck to line",
        {"line": ["lake"], "deck": {"size": 1, "top": [], "bottom": ["hill(1)"], "unknown": {}}},
    ),
    # a piece of unknown place goes before one of known place
    (
        "put 1 lake in line\nput 1 lake in deck\nmove lake from line to deck\ntake 1 lake out of deck",
        {"deck": {"size": 1, "top": ["lake"], "bottom": [], "unknown": {}}},
    ),
    # the board
    (
        "put 1 lake in deck\nmove lake from deck to (0, 2)",
        {"land": [{"at": [0, 2], "pieces": [{"kind": "lake"}]}]},
    ),
    (
        "put 2 bend in blue.roads\nmove bend from blue.roads to (1, 2) turned 3\nmove bend from blue.roads to (1, 2) turned 0",
        {
            "land": [
                {
                    "at": [1, 2],
                    "pieces": [
                        {"kind": "BEND", "owner": 1, "turn": 3},
                        {"kind": "BEND", "owner": 1, "turn": 0},
                    ],
                }
            ]
        },
    ),
]


@pytest.mark.parametrize(("lines", "expected"), DOES, ids=[lines.replace("\n", "; ") for lines, _ in DOES])
def test_what_a_statement_does(lines: str, expected: dict[str, Any]) -> None:
    state = start(lines)
    assert state.over
    found = state.snapshot()
    assert {name: found[name] for name in expected} == expected


FAILS = [
    ("set n to n * 33 + 1", "'n' would become 100, but it must be -9..99"),
    ("set n to -9\nset n to n - 1", "'n' would become -10, but it must be -9..99"),
    ("set red.climb to n", "'climb' of red would become 3, but it must be 0..2"),
    ("let s = (0, 0)\nset s.mark to n * 2", "'mark' would become 6, but it must be 0..5"),
    ("add n * 40 to picks", "'picks' would hold a number outside its bounds"),
    ("drop 7 from picks", "7 is to be dropped from 'picks' but is not in it"),
    ("drop north from seen", "N is to be dropped from 'seen' but is not in it"),
    ("for each you in players: gain 16 gold", "'gold' of red would become 21, but it must be 0..20"),
    ("for each you in players: pay 6 gold", "'gold' of red would become -1, but it must be 0..20"),
    ("for each you in players: gain 5 plum", "'purse' of red has no room: it takes at most 4"),
    ("for each you in players: pay 1 fig", "1 FIG should leave 'purse' of red, which holds 0"),
    ("for each you in players: gain 0 - n fig", "-3 pieces cannot be moved"),
    ("put 4 lake in line", "'line' has no room: it takes at most 3"),
    ("put 1 lake in deck\ntake 2 lake out of deck", "2 lake should leave 'deck', which holds 1"),
    ("move lake from deck to line", "1 lake should leave 'deck', which holds 0"),
    ("draw 1 from deck to line", "1 should be drawn from 'deck', which holds 0"),
    (
        "put 2 lake in deck\nmove lake from deck to (0, 0)\nmove lake from deck to (0, 0)",
        "(0, 0) has no room: it takes at most 1 of Tile",
    ),
    ("put 1 lake in deck\nmove lake from deck to (1, 0)", "'land' takes no piece of Tile on (1, 0)"),
    (
        "put 1 lake in deck\nmove lake from deck to beside((3, 3), east)",
        "(4, 3) lies outside 'land', which reaches from -4 to 3",
    ),
    ("set n to 1\nif who = red: set n to 2", "'who' is read before it is set"),
    ("chance lucky(p in each(p in players where p.gold > 9))", "'lucky' has nothing to choose from"),
]


@pytest.mark.parametrize(("lines", "message"), FAILS, ids=[lines.replace("\n", "; ") for lines, _ in FAILS])
def test_what_a_statement_refuses(lines: str, message: str) -> None:
    rules = lab(lines)
    made = engine(rules)
    with pytest.raises(RulesError) as caught:
        made.start(2, seed=0)
    last = 1 + rules[: rules.index("\nscore gold")].rstrip().count("\n")
    assert str(caught.value) == f"lab.rules:{last}: {message}"
    assert (caught.value.file, caught.value.line) == ("lab.rules", last)


def test_reading_a_variable_that_a_branch_sets() -> None:
    assert start("set who to green", players=3).snapshot()["who"] == 2


# ------------------------------------------------------------------------------------------------ chance


def test_draws_are_events_seen_by_whom_they_concern() -> None:
    lines = """
    put 2 lake, 1 hill(2) in deck
    put 1 cross in red.roads
    put 2 plum in sack
    draw 1 from deck to line
    draw 1 from deck to (0, 0)
    draw 1 from red.roads to red.held
    draw 1 from sack to heap
    draw 1 from deck to shown
    """
    state = start(
        "\n".join(line.strip() for line in lines.strip().split("\n")),
        outcomes={
            "deck": ["lake", "hill(2)", "lake"],
            "roads[0]": ["cross"],
            "sack": ["plum"],
        },
    )
    assert state.log == [
        ChanceEvent("deck", "lake", None),
        ChanceEvent("deck", "hill(2)", None),
        ChanceEvent("roads[0]", "cross", (0,)),
        ChanceEvent("sack", "plum", None),
        ChanceEvent("deck", "lake", None),
    ]
    found = state.snapshot()
    assert found["line"] == ["lake"]
    assert found["land"] == [{"at": [0, 0], "pieces": [{"kind": "hill(2)"}]}]
    assert found["held"] == [{"cross": 1}, {}]
    assert found["shown"] == {"size": 1, "top": ["lake"], "bottom": [], "unknown": {}}


def test_a_piece_drawn_into_a_hidden_zone_is_seen_by_nobody() -> None:
    state = start("put 1 lake in shown\ndraw 1 from shown to deck")
    assert state.log == [ChanceEvent("shown", "lake", ())]


def test_outcomes_are_listed_by_declaration_with_their_numbers() -> None:
    asked: list[Any] = []

    def chance(source: str, outcomes: Any) -> Any:
        asked.append((source, list(outcomes)))
        return outcomes[-1][0]

    made = engine(
        lab(
            "put 2 lake, 1 hill(2), 3 hill(1) in deck\ndraw 2 from deck to line\nchance side(s in sides)\nadd s to seen"
        )
    )
    state = made.start(2, chance=chance)
    assert asked == [
        ("deck", [("hill(1)", 3), ("hill(2)", 1), ("lake", 2)]),
        ("deck", [("hill(1)", 3), ("hill(2)", 1), ("lake", 1)]),
        ("side", [("E", 1), ("S", 1), ("W", 1), ("N", 1)]),
    ]
    assert state.snapshot()["seen"] == ["N"]


@pytest.mark.parametrize(
    ("lines", "line", "left"),
    [
        ("put 2 lake in deck\ndraw up to 3 from deck to line", 2, 0),
        ("put 5 lake in deck\ndraw up to 4 from deck to line", 3, 2),
        ("put 5 lake in deck\ndraw up to n - 5 from deck to line", 0, 5),
        ("draw up to 1 from deck to line", 0, 0),
    ],
)
def test_draw_up_to(lines: str, line: int, left: int) -> None:
    found = start(lines).snapshot()
    assert (len(found["line"]), sum(found["deck"].values())) == (line, left)


def test_a_known_piece_is_no_event() -> None:
    state = start("put 1 lake in line\nmove lake from line to deck\ndraw 1 from deck to line")
    assert state.log == []


def test_seeds_give_the_specified_numbers() -> None:
    made = engine(
        lab("put 7 lake, 5 hill(1) in deck\ndraw 3 from deck to line\nchance side(s in sides)\nadd s to seen")
    )
    for seed in range(20):
        counts = {"hill(1)": 5, "lake": 7}
        expected = []
        for number in range(3):
            at = below(stream_key(seed, "deck"), number, sum(counts.values()))
            kind = "hill(1)" if at < counts["hill(1)"] else "lake"
            counts[kind] -= 1
            expected.append(kind)
        found = made.start(2, seed=seed).snapshot()
        assert found["line"] == expected
        assert found["seen"] == ["ESWN"[below(stream_key(seed, "side"), 0, 4)]]


# ------------------------------------------------------------------------------------------------ reveal


def test_reveal() -> None:
    state = start(
        """
set red.bid to 4
reveal red.bid
reveal red.bid + 1 to blue
put 1 bend, 2 cross in red.held
reveal red.held
""".strip()
    )
    assert state.log == [
        RevealEvent("bid[0]", 4, None),
        RevealEvent("value", 5, (1,)),
        RevealEvent("held[0]", ["BEND", "cross", "cross"], None),
    ]
