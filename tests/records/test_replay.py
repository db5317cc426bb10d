"""Playing records again: what fits, what does not and from which line on."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conche_runtime.interface import Event, State
from conche_runtime.records import DecisionLine, read_record
from conche_runtime.replay import Problem, ReplayResult, replay
from records.fake_game import FakeEngine
from records.test_records import lines_of, play

Edit = Callable[[list[dict[str, Any]]], Any]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def edited(text: str, edit: Edit) -> str:
    lines = lines_of(text)
    edit(lines)
    return text_of(lines)


def again(text: str, engine: FakeEngine | None = None) -> ReplayResult:
    return replay(engine or FakeEngine(), read_record(text))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hosts_record_replays(players: int, full: bool) -> None:
    for seed in range(40):
        text = play(FakeEngine(), players, seed, full=full)
        result = again(text)
        assert result.problem is None
        assert result.complete
        assert result.same_rules
        assert result.note is None
        assert result.lines_done == len(text.splitlines())
        assert result.state is not None
        assert result.state.scores == lines_of(text)[-1]["scores"]


@pytest.mark.parametrize("full", [False, True])
def test_a_record_without_a_seed_replays(full: bool) -> None:
    text = edited(play(FakeEngine(), full=full), lambda lines: lines[0].pop("seed"))
    assert again(text).complete


def test_simultaneous_choices_replay() -> None:
    engine = FakeEngine(together=True)
    for seed in range(20):
        assert again(play(engine, 3, seed, full=True), engine).complete


@pytest.mark.slow
def test_a_record_cut_anywhere_replays_to_its_last_whole_line() -> None:
    data = play(FakeEngine(), 3, 7, full=True).encode()
    for cut in range(data.index(b"\n") + 1, len(data), 11):
        record = read_record(data[:cut])
        result = replay(FakeEngine(), record)
        assert result.problem is None
        assert not result.complete
        assert result.lines_done == len(record.lines) + 1
        assert result.state is not None


def test_missing_outcomes_of_a_cut_record_come_from_its_seed() -> None:
    lines = lines_of(play(FakeEngine(), 3, 7))
    at = max(i for i, line in enumerate(lines) if "chance" in line)
    seeded = again(text_of(lines[:at]))
    assert seeded.problem is None
    assert seeded.note is not None
    assert "seed" in seeded.note
    assert seeded.state is not None
    assert seeded.state.snapshot()["stones"] == again(text_of(lines[: at + 1])).state.snapshot()["stones"]  # type: ignore[union-attr]
    seedless = again(edited(text_of(lines[:at]), lambda lines: lines[0].pop("seed")))
    assert seedless.problem is None
    assert seedless.lines_done == at
    assert seedless.note == "the record ends before all outcomes of the last decision"
    wrong = again(edited(text_of(lines[:at]), lambda lines: lines[0].update(seed=8)))
    assert wrong.note == seedless.note
    nothing = again(edited(text_of(lines[:1]), lambda lines: lines[0].pop("seed")))
    assert (nothing.state, nothing.problem, nothing.lines_done) == (None, None, 0)
    assert nothing.note == "the record ends before all outcomes of the set-up"


def test_replay_can_stop_at_a_line_and_be_watched() -> None:
    text = play(FakeEngine(), 2, 3)
    numbers = [i for i, line in enumerate(lines_of(text), 1) if "player" in line]
    seen: list[int | None] = []

    def watch(state: State, line: DecisionLine | None, events: list[Event] | Any) -> None:
        seen.append(None if line is None else line.line)

    result = replay(FakeEngine(), read_record(text), to_line=numbers[2], watch=watch)
    assert result.problem is None
    assert not result.complete
    assert seen == [None, *numbers[:3]]
    assert numbers[2] <= result.lines_done < numbers[3]
    replay(FakeEngine(), read_record(text), to_line=1, watch=watch)
    assert seen[-1] is None


# ------------------------------------------------------------------------------------------------ what
# does not fit


def first(lines: list[dict[str, Any]], **wanted: Any) -> int:
    return next(
        i
        for i, line in enumerate(lines)
        if i and all(line.get(key) == value for key, value in wanted.items())
    )


def change(key: str, value: Any, **wanted: Any) -> Edit:
    return lambda lines: lines[first(lines, **wanted)].update({key: value})


TEXT = play(FakeEngine(), 3, 7, full=True)
LINES = lines_of(TEXT)
TAKE = first(LINES, name="take")
KEEP = next(i for i, line in enumerate(LINES) if line.get("name") == "keep" and "options" in line)
FORCED = first(LINES, forced=True)
STATE = next(i for i, line in enumerate(LINES) if "state" in line)
OTHER = next(
    i
    for i, line in enumerate(LINES)
    if i > TAKE and line.get("name") == "take" and line["args"]["card"] != "two"
)

MISFITS: list[tuple[int, Edit, str]] = [
    (
        1,
        lambda lines: lines.__setitem__(slice(None), [{**lines[0], "players": 5}]),
        "for 2 to 4 players, not 5",
    ),
    (2, lambda lines: lines[1].update(value=3), "'dice' cannot give 3 here: 0, 1, 2 can come"),
    (2, lambda lines: lines[1].update(value=True), "'dice' cannot give true here: 0, 1, 2 can come"),
    (2, lambda lines: lines[1].update(value="0"), "'dice' cannot give 0 here"),
    (
        2,
        lambda lines: lines[1].update(chance="coin"),
        "2 from 'coin' is recorded, but an outcome of 'dice' is needed",
    ),
    (4, lambda lines: lines[3].update(value=["one"]), "'deck' cannot give [\"one\"] here"),
    (3, lambda lines: lines.insert(2, lines[1]), "2 from 'dice' is recorded, but 'deck' gives one here"),
    (
        STATE + 1,
        lambda lines: lines.pop(5),
        "an outcome of 'deck' is needed before this, and none is recorded",
    ),
    (TAKE + 1, change("options", 9, name="take"), "legal, but with other options: 9 recorded, 2 now"),
    (TAKE + 1, change("player", 0, name="take"), "but play stands at green's 'take'"),
    (
        TAKE + 1,
        change("name", "steal", name="take"),
        "'steal' card two at [0, 0] is recorded, but play stands at",
    ),
    (
        TAKE + 1,
        change("args", {"card": "four"}, name="take"),
        "is not legal here; 2 options",
    ),
    (TAKE + 1, change("args", {}, name="take"), "green's 'take' is not legal here"),
    (TAKE + 1, change("legal", [], name="take"), "legal now and was not; 0 legal moves recorded, 2 now"),
    (
        TAKE + 1,
        lambda lines: lines[TAKE]["legal"].append({"card": "x"}),
        "'take' card x is no longer legal; 3 legal",
    ),
    (FORCED + 1, change("args", {"stones": 2}, forced=True), "forced 'take' stones 2 is recorded, but red's"),
    (
        FORCED + 1,
        lambda lines: lines.pop(FORCED),
        "a state is recorded, but red's 'take' card two at [1, 0] is taken",
    ),
    (STATE + 1, lambda lines: lines[STATE]["state"].update(heap=1), "'heap' is another: 1 recorded, 14 now"),
    (STATE + 1, lambda lines: lines[STATE]["state"].pop("heap"), "'heap' is another: null recorded, 14 now"),
    (STATE + 2, lambda lines: lines.insert(STATE, lines[STATE]), "a state is recorded, but play stands at"),
    (
        len(LINES),
        lambda lines: lines[-1]["scores"][1].update(total=99),
        "blue's score 'total': 99 recorded, 4 now",
    ),
    (
        len(LINES),
        lambda lines: lines[-1]["scores"][1].update(luck=1),
        "blue's score 'luck': 1 recorded, null now",
    ),
    (
        len(LINES),
        lambda lines: lines[-1].update(ranking=[[0], [1], [2]]),
        "the ranking: [[0], [1], [2]] recorded",
    ),
    (len(LINES), lambda lines: lines.insert(-1, lines[TAKE]), "is recorded, but the game is over here"),
    (
        STATE + 2,
        lambda lines: lines.__delitem__(slice(STATE + 1, -1)),
        "the end is recorded, but play stands at",
    ),
]


@pytest.mark.parametrize(("line", "edit", "message"), MISFITS)
def test_the_first_line_that_does_not_fit_is_named(line: int, edit: Edit, message: str) -> None:
    result = again(edited(TEXT, edit))
    assert result.problem is not None
    assert message in result.problem.message
    assert result.problem.line == line
    assert result.lines_done < result.problem.line
    assert not result.complete


def test_other_rules_are_said_and_played_as_far_as_they_go() -> None:
    engine = FakeEngine(heap=9)
    engine.digest = "0" * 64
    result = replay(engine, read_record(play(FakeEngine(), 3, 7)))
    assert not result.same_rules
    assert result.problem is not None
    assert result.lines_done > 1


def test_rules_that_fail_are_a_problem() -> None:
    heaps = [line["state"]["heap"] for line in LINES if "state" in line]
    result = again(TEXT, FakeEngine(broken_at=next(heap for heap in heaps if heap < heaps[0])))
    assert result.problem is not None
    assert result.problem.message == "the rules fail here: fake.rules:7: the heap must not be here"


# ------------------------------------------------------------------------------------------------ a seat's
# record


@pytest.mark.slow
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seats_record_replays_with_supplied_outcomes(players: int, full: bool) -> None:
    fitted = 0
    for seed in range(8):
        for seat in range(players):
            text = play(FakeEngine(), players, seed, full=full, seat=seat)
            result = again(text)
            if result.problem is not None:
                # Another's only card is a forced decision, which is not in a seat's record.
                assert result.problem.message.endswith("no hidden outcomes were found with which it fits")
                continue
            fitted += 1
            assert result.complete
            assert result.note is not None
            assert f"outcomes that {FakeEngine.seats[seat]} does not see were supplied" in result.note
            assert result.state is not None
            assert result.state.scores == lines_of(text)[-1]["scores"]
    assert fitted >= players * 4


def test_a_seats_record_that_cannot_be_true_does_not_fit() -> None:
    text = play(FakeEngine(), 3, 7, seat=0)
    at = next(i for i, line in enumerate(lines_of(text)) if line.get("player", 0) != 0)
    result = again(edited(text, lambda lines: lines[at]["args"].update(card="four")))
    assert result.problem is not None
    assert result.problem.line == at + 1


def test_a_choice_that_was_not_shown_ends_the_replay_without_a_problem() -> None:
    engine = FakeEngine(together=True)
    result = again(play(engine, 3, 7, seat=1), engine)
    assert result.problem is None
    assert not result.complete
    assert result.note is not None
    assert "was not shown" in result.note


def test_problems_read_well() -> None:
    assert str(Problem(14, "it is wrong")) == "line 14: it is wrong"
