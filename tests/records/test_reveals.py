"""What the rules' `reveal` tells, in records and in replays, on the interpreter."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

import pytest

from conche.interpret import Interpreter, InterpreterState
from conche_runtime.errors import RecordError
from conche_runtime.records import Recorder, read_record
from conche_runtime.replay import replay
from interpret.lab import engine, lab

RED, BLUE = range(2)

PLAY = """\
put 4 straight, 4 bend, 4 cross in red.roads
draw 4 from red.roads to red.held
set red.bid to 4
blue: choose wait(k in 0..1)
reveal red.held
reveal red.bid + 1 to blue
red: choose show
  case (road in kinds(red.held))
    move road from red.held to red.roads
  none
    set n to n
draw 1 from red.roads to red.held
blue: choose wait(j in 0..1)
reveal red.held
"""


@cache
def game() -> Interpreter:
    return engine(lab(PLAY))


def recorded(seed: int = 1, **more: Any) -> tuple[str, InterpreterState]:
    state = game().start(2, seed, log=True)
    stream = io.StringIO()
    recorder = Recorder(game(), state, stream, **more)
    while not state.over:
        recorder.apply(0)
    return stream.getvalue(), state


def told(text: str) -> list[str]:
    return [line["reveal"] for line in map(json.loads, text.splitlines()) if "reveal" in line]


def test_what_is_revealed_is_in_the_records_of_those_who_see_it() -> None:
    held, bid = "held[0]", "value"
    assert told(recorded()[0]) == []
    assert told(recorded(full=True)[0]) == [held, bid, held]
    for full in (False, True):
        assert told(recorded(seat=RED, full=full)[0]) == [held, held]
        text, state = recorded(seat=BLUE, full=full)
        assert told(text) == [held, bid, held]
        lines = [json.loads(line) for line in text.splitlines()]
        assert {"reveal": bid, "value": 5} in lines
        *_, last = (line["value"] for line in lines if line.get("reveal") == held)
        assert {name: last.count(name) for name in last} == state.snapshot()["held"][RED]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("seat", [None, RED, BLUE])
def test_records_replay_and_find_the_hidden_outcomes_that_were_revealed(seat: int | None, full: bool) -> None:
    for seed in range(8):
        text, state = recorded(seed, seat=seat, full=full)
        result = replay(game(), read_record(text))
        assert result.problem is None, result.problem
        assert result.complete
        assert result.state is not None
        assert result.state.snapshot() == state.snapshot()


MANY = """\
game many "Many"
  version 1.0.0
  players 2..2
  seats red, blue

piece Card
  c1
  c2
  c3
  c4
  c5
  c6
  c7
  c8
  c9

pile deck of Card, hidden

each player has
  hand cards of Card, secret
  gold: 0..9 = 0, open

setup
  for each c in Card
    put 1 c in deck

play
  draw 5 from deck to red.cards
  blue: choose wait(k in 0..1)
  reveal red.cards
  red: choose play
    case (card in kinds(red.cards))
      move card from red.cards to deck
    none
      set red.gold to 1

score gold = you.gold
rank by total
"""


def test_what_is_revealed_of_another_is_what_was_drawn() -> None:
    made = engine(MANY)
    for seed in range(6):
        stream = io.StringIO()
        recorder = Recorder(made, made.start(2, seed, log=True), stream, seat=BLUE)
        recorder.apply(0)
        recorder.apply(0)
        result = replay(made, read_record(stream.getvalue()))
        assert result.problem is None, result.problem
        assert result.complete


@pytest.mark.parametrize("seat", [None, RED, BLUE])
def test_another_value_does_not_fit(seat: int | None) -> None:
    lines = recorded(seat=seat, full=True)[0].splitlines()
    at = next(at for at, line in enumerate(lines) if '"held[0]"' in line)
    lines[at] = json.dumps({"reveal": "held[0]", "value": ["cross"]})
    result = replay(game(), read_record("\n".join(lines) + "\n"))
    assert result.problem is not None
    assert result.problem.line == at + 1
    assert "[\"cross\"] of 'held[0]' is recorded, but [" in result.problem.message
    assert "of 'held[0]' is revealed here" in result.problem.message


def test_one_that_is_not_revealed_does_not_fit() -> None:
    lines = recorded(full=True)[0].splitlines()
    lines.insert(-1, json.dumps({"reveal": "held[1]", "value": []}))
    result = replay(game(), read_record("\n".join(lines) + "\n"))
    assert result.problem is not None
    assert "[] of 'held[1]' is recorded, but play stands at the end" in result.problem.message


@pytest.mark.parametrize("seat", [None, BLUE])
def test_a_record_without_any_replays(seat: int | None) -> None:
    """As records were written before they had such lines."""
    text, _ = recorded(seat=seat, full=True)
    kept = [line for line in text.splitlines() if "reveal" not in json.loads(line)]
    assert replay(game(), read_record("\n".join(kept) + "\n")).problem is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"reveal": 3, "value": 1}, "'reveal' is not a text"),
        ({"reveal": "n"}, "what is revealed lacks 'value'"),
        ({"reveal": "n", "value": 1, "chance": "n"}, "this one has chance and reveal"),
    ],
)
def test_what_is_no_such_line(line: dict[str, Any], message: str) -> None:
    header = recorded()[0].splitlines()[0]
    with pytest.raises(RecordError, match=message):
        read_record(f"{header}\n{json.dumps(line)}\n")
