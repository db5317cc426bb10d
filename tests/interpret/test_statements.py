"""What each plain statement does, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conche_runtime.chance import below, stream_key
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChanceEvent, RevealEvent
from interpret.lab import CaseText, engine, lab, read_cases, start


@pytest.mark.parametrize("case", read_cases("statements.txt"), ids=lambda case: case.title)
def test_what_a_statement_does(case: CaseText) -> None:
    state = start(case.play, case.more)
    assert state.over
    found = state.snapshot()
    for line in case.expected.split("\n"):
        name, _, value = line.partition(": ")
        assert found[name] == json.loads(value)


@pytest.mark.parametrize("case", read_cases("faults.txt"), ids=lambda case: case.title)
def test_what_a_statement_refuses(case: CaseText) -> None:
    rules = lab(case.play)
    made = engine(rules)
    with pytest.raises(RulesError) as caught:
        made.start(2, seed=0)
    last = 1 + rules[: rules.index("\nscore gold")].rstrip().count("\n")
    assert str(caught.value) == f"lab.rules:{last}: {case.expected}"
    assert (caught.value.file, caught.value.line) == ("lab.rules", last)


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
            "put 2 lake, 1 hill(2), 3 hill(1) in deck\ndraw 2 from deck to line\n"
            "chance side(s in sides)\nadd s to seen"
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
