"""Findings show the way through the rules."""

from __future__ import annotations

from conche.validate.check_bounded import check_bounded
from conche.validate.check_conserved import check_conserved
from conche.validate.check_secrets import check_secrets
from conche.validate.flow import Flow
from validate.snippets import graph_of, whole


def _lines(text: str, notes: tuple[str, ...]) -> list[str]:
    """Notes with the rules' own lines in place of file and number."""
    found = list(notes)
    for number, line in reversed(list(enumerate(text.split("\n"), 1))):
        found = [note.replace(f"(small.rules:{number})", f"[{line.strip()}]") for note in found]
    return found


def test_a_way_round_a_loop_and_to_it() -> None:
    text = whole(
        "step turn\n  do inner\nstep inner\n  repeat while year = 0\n    if year > 1: set leader to you\n"
    )
    (finding,) = check_bounded(graph_of(text))
    line, branch = (1 + text[: text.index(part)].count("\n") for part in ("repeat while", "if year > 1"))
    assert finding.notes == (
        f"a way round: `if year > 1` does not hold (line {branch}) → again from line {line}",
    )


def test_a_way_round_leads_through_the_steps_that_run() -> None:
    text = whole(
        "step turn\n  repeat while year < 9\n    do inner\nstep inner\n  if year > 1: stop\n  do count_up\n"
    )
    text += "step count_up: set year to year + 1\n"
    (finding,) = check_bounded(graph_of(text))
    line, branch = (1 + text[: text.index(part)].count("\n") for part in ("repeat while", "if year > 1"))
    assert finding.notes == (f"a way round: `if year > 1` holds (line {branch}) → again from line {line}",)


def test_a_way_round_is_told_in_the_authors_words() -> None:
    text = whole(
        """\
step turn
  repeat while year < 9
    chance die(pips in 1..6)
    if pips is in [1, 2]: set year to 0
    else if not pips = 3 and ace is not in market: set year to 1
    choose on
      case (way = "up")
      case high(way = "down", by = 2)
"""
    )
    (finding,) = check_bounded(graph_of(text))
    assert finding.code == "C0311"
    way, stays = finding.notes
    parts = [part.partition("` ")[0] for part in way.removeprefix("a way round: ").split(" → ")]
    assert parts[:3] == [
        "`if pips is in [1, 2]",
        "`if pips != 3 and ace is not in market",
        '`case (way = "up")',
    ]
    assert "may stay" in stays
    assert any("does not count" in hint for hint in finding.help)


def test_a_long_way_round_is_shortened() -> None:
    branches = "".join(f"    if year = {year}: gain 1 coins\n" for year in range(8))
    (finding,) = check_bounded(graph_of(whole(f"step turn\n  repeat while year < 9\n{branches}")))
    steps = finding.notes[0].split(" → ")
    assert len(steps) == 7
    assert steps[3] == "…"


def test_a_way_from_play() -> None:
    text = whole(
        "conserve Card\nstep turn\n  do inner\nstep inner\n  if year > 1: take 1 ace out of market\n"
    )
    (finding,) = check_conserved(graph_of(text))
    take = "take 1 ace out of market"
    assert _lines(text, finding.notes) == [
        f"the way here: play [play] → do turn [do turn] → do inner [do inner] → {take} [if year > 1: {take}]"
    ]


def test_one_finding_for_one_secret_read_once() -> None:
    text = whole("step turn\n  if you.purse > 3\n" + "    gain 1 coins\n" * 6)
    (finding,) = check_secrets(graph_of(text))
    assert [label.text for label in finding.labels if not label.primary][-2:] == [
        "'purse' is read here",
        "is secret to its player",
    ]
    assert finding.notes[-1] == "it shows in 2 more places"


def test_what_is_reached_and_left() -> None:
    flow = Flow(graph_of(whole("step turn\n  do inner\n  gain 1 coins\nstep inner\n  stop turn\n")))
    assert flow.exits["step.inner"] == {"step.turn/end"}
    assert flow.exits["step.turn"] == {"step.turn/end"}
    assert "step.turn/1.gain" not in flow.reached
    assert "step.inner/end" not in flow.reached
    assert flow.chain("step.inner/0.stop") == (
        "phase.play",
        "phase.play/0.each_player/0.do_turn",
        "step.turn/0.do_inner",
        "step.inner/0.stop",
    )
