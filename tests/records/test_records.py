"""Writing records and reading them back; what is not a record is refused with its line."""

import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from conche_runtime.errors import IllegalMove, RecordError, RulesError
from conche_runtime.records import (
    ChanceLine,
    DecisionLine,
    Record,
    Recorder,
    ScoresLine,
    StateLine,
    read_record,
)
from records.fake_game import FakeEngine, FakeState

ROOT = Path(__file__).resolve().parents[2]


def play(engine: FakeEngine, players: int = 3, seed: int = 7, **wanted: Any) -> str:
    """The text of the record of a random game."""
    stream = io.StringIO()
    state = engine.start(players, seed, log=True)
    recorder = Recorder(engine, state, stream, seed=seed, **wanted)
    rng = random.Random(seed)
    while not state.over:
        player = rng.choice(state.to_act)
        recorder.apply(rng.randrange(state.count(player)), player)
    return stream.getvalue()


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------------------------------------------ writing


def test_a_record_is_as_the_charter_says() -> None:
    header, *lines = lines_of(play(FakeEngine(), 2, 3))
    assert list(header) == ["conche", "ruleset", "options", "versions", "digest", "players", "seed"]
    assert header["conche"] == 1
    assert (header["ruleset"], header["players"], header["seed"]) == ("stones", 2, 3)
    assert [list(line) for line in lines[:6]] == [["chance", "value"]] * 6
    assert [line["chance"] for line in lines[:6]] == ["dice", *["deck"] * 5]
    kinds = {tuple(line) for line in lines[6:]}
    assert kinds == {
        ("chance", "value"),
        ("player", "name", "args", "options"),
        ("scores", "ranking"),
    }
    assert list(lines[-1]) == ["scores", "ranking"]
    assert all(line["options"] >= 2 for line in lines if "options" in line)
    first = next(line for line in lines if line.get("name") == "take")
    assert first["args"].keys() == {"card", "at"}
    assert isinstance(first["args"]["at"], list)


def test_a_full_record_has_legal_moves_forced_ones_and_states() -> None:
    engine = FakeEngine()
    plain, full = lines_of(play(engine, 2, 3))[1:], lines_of(play(engine, 2, 3, full=True))[1:]
    decisions = [line for line in full if "options" in line]
    assert all(len(line["legal"]) == line["options"] for line in decisions)
    assert all(line["args"] in line["legal"] for line in decisions)
    forced = [line for line in full if "forced" in line]
    assert forced
    assert all(line["forced"] is True and "options" not in line for line in forced)
    states = [line for line in full if "state" in line]
    assert len(states) == len(decisions) + 1
    assert states[-1]["state"]["decision"] is None
    stripped = [
        {key: value for key, value in line.items() if key != "legal"}
        for line in full
        if "state" not in line and "forced" not in line
    ]
    assert stripped == plain


def test_a_seats_record_holds_nothing_of_the_others() -> None:
    engine = FakeEngine()
    _, *host = lines_of(play(engine, 3, 5, full=True))
    for seat in range(3):
        header, *lines = lines_of(play(engine, 3, 5, full=True, seat=seat))
        assert header["seat"] == seat
        assert "seed" not in header
        assert sum("chance" in line for line in lines) < sum("chance" in line for line in host)
        for line in lines:
            if line.get("player", seat) != seat:
                assert list(line) == ["player", "name", "args"]
            if "state" in line:
                assert line["state"]["you"] == seat
                assert all("size" in held for i, held in enumerate(line["state"]["held"]) if i != seat)
        own = [line["options"] for line in lines if "options" in line]
        assert own == [line["options"] for line in host if "options" in line and line["player"] == seat]


def test_secret_choices_come_when_all_have_chosen_and_without_their_arguments() -> None:
    engine = FakeEngine(together=True)
    state = engine.start(3, 1, log=True)
    streams = [io.StringIO() for _ in range(2)]
    recorder = Recorder(engine, state, streams[0], seat=1)
    with pytest.raises(IllegalMove, match="say who"):
        recorder.apply(0)
    recorder.apply(2, 2)
    recorder.apply(1, 1)
    bids = [line for line in lines_of(streams[0].getvalue()) if line.get("name") == "bid"]
    assert bids == [{"player": 1, "name": "bid", "args": {"stones": 1}, "options": 3}]
    recorder.apply(0, 0)
    bids = [line for line in lines_of(streams[0].getvalue()) if line.get("name") == "bid"]
    assert bids[1:] == [{"player": 0, "name": "bid"}, {"player": 2, "name": "bid"}]
    assert read_record(streams[0].getvalue()).lines[-1] == DecisionLine(
        line=len(streams[0].getvalue().splitlines()),
        player=2,
        name="bid",
        args=None,
        options=None,
        forced=False,
        legal=None,
    )


def test_apply_takes_moves_and_numbers_and_returns_the_events() -> None:
    engine = FakeEngine()
    state = engine.start(2, 9, log=True)
    assert isinstance(state, FakeState)
    recorder = Recorder(engine, state, io.StringIO())
    assert len(recorder.opening) == 6
    assert state.log == []
    before = recorder.lines
    with pytest.raises(IllegalMove):
        recorder.apply(99)
    with pytest.raises(IllegalMove):
        recorder.apply(0, 1 - state.to_act[0])
    assert recorder.lines == before
    recorder.apply(state.legal_moves()[-1])
    assert recorder.lines > before
    while not state.over:
        recorder.apply(0)
    with pytest.raises(ValueError, match="closed"):
        recorder.apply(0)


def test_a_game_started_without_a_log_has_no_record() -> None:
    with pytest.raises(ValueError, match="log=True"):
        Recorder(FakeEngine(), FakeEngine().start(2, 1), io.StringIO())
    with pytest.raises(ValueError, match="seat 2"):
        Recorder(FakeEngine(), FakeEngine().start(2, 1, log=True), io.StringIO(), seat=2)


def test_the_decision_at_which_the_rules_failed_is_recorded() -> None:
    engine = FakeEngine(broken_at=13)
    state = engine.start(2, 3, log=True)
    stream = io.StringIO()
    recorder = Recorder(engine, state, stream)

    def play_on() -> None:
        while not state.over:
            recorder.apply(0)

    with pytest.raises(RulesError):
        play_on()
    last = lines_of(stream.getvalue())[-1]
    assert (last["name"], last["args"]["card"]) == ("take", "one")


# ------------------------------------------------------------------------------------------------ files


def test_a_record_gets_its_name_when_the_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "new" / "game.jsonl"
    engine = FakeEngine()
    state = engine.start(2, 3, log=True)
    with Recorder(engine, state, path, seed=3) as recorder:
        while not state.over:
            assert not path.exists()
            assert recorder.path == tmp_path / "new" / "game.jsonl.part"
            assert len(recorder.path.read_text().splitlines()) == recorder.lines
            recorder.apply(0)
    assert [entry.name for entry in path.parent.iterdir()] == ["game.jsonl"]
    assert recorder.path == path
    assert read_record(path).complete


def test_an_unfinished_record_stays_apart_unless_it_is_to_be_kept(tmp_path: Path) -> None:
    for keep, name in ((False, "game.part"), (True, "game")):
        engine = FakeEngine()
        recorder = Recorder(engine, engine.start(2, 3, log=True), tmp_path / str(keep) / "game")
        recorder.close(keep)
        recorder.close(keep)
        assert [entry.name for entry in (tmp_path / str(keep)).iterdir()] == [name]
        assert not read_record(tmp_path / str(keep) / name).complete


def test_no_record_is_overwritten_unasked(tmp_path: Path) -> None:
    engine = FakeEngine()

    def begin(**wanted: bool) -> Recorder:
        return Recorder(engine, engine.start(2, 3, log=True), tmp_path / "game", **wanted)

    (tmp_path / "game").write_text("precious")
    with pytest.raises(FileExistsError):
        begin()
    begin(overwrite=True).close(keep=True)
    assert read_record(tmp_path / "game").header.players == 2
    (tmp_path / "game").unlink()
    (tmp_path / "game.part").write_text("of another game")
    with pytest.raises(FileExistsError):
        begin()
    (tmp_path / "game.part").unlink()
    # One that came while the game was on is not replaced either.
    recorder = begin()
    (tmp_path / "game").write_text("precious")
    with pytest.raises(FileExistsError):
        recorder.close(keep=True)
    assert (tmp_path / "game").read_text() == "precious"
    assert (tmp_path / "game.part").exists()


def test_a_killed_process_leaves_whole_lines(tmp_path: Path) -> None:
    code = textwrap.dedent(
        """
        import sys, time
        from conche_runtime.records import Recorder
        from records.fake_game import FakeEngine
        engine = FakeEngine()
        state = engine.start(2, 3, log=True)
        recorder = Recorder(engine, state, sys.argv[1], seed=3)
        for _ in range(4):
            recorder.apply(0)
        print("ready", flush=True)
        time.sleep(60)
        """
    )
    path = tmp_path / "game"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "runtime"), str(ROOT / "tests")])},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    record = read_record(tmp_path / "game.part")
    assert record.cut is None
    assert sum(isinstance(line, DecisionLine) for line in record.lines) == 4
    assert not path.exists()


# ------------------------------------------------------------------------------------------------ reading

HEAD = '{"conche": 1, "ruleset": "stones", "options": {}, "versions": {}, "digest": "f", "players": 2}'
DECISION = '{"player": 0, "name": "take", "args": {"card": "one"}, "options": 2}'
END = '{"scores": [{"total": 1}, {"total": 2}], "ranking": [[1], [0]]}'


def test_what_was_written_is_read() -> None:
    for wanted in ({}, {"full": True}, {"seat": 1}, {"seat": 1, "full": True}):
        text = play(FakeEngine(), **wanted)
        record = read_record(text)
        assert record == read_record(text.encode()) == read_record(text.rstrip("\n"))
        assert record.complete
        assert record.cut is None
        assert record.full == ("full" in wanted)
        assert record.header.seat == wanted.get("seat")
        assert len(record.lines) == len(text.splitlines()) - 1
        for raw, line in zip(lines_of(text)[1:], record.lines, strict=True):
            match line:
                case ChanceLine(_, source, value):
                    assert raw == {"chance": source, "value": value}
                case DecisionLine(_, player, name, args, options, forced, legal):
                    assert (player, name, args) == (raw["player"], raw["name"], raw["args"])
                    assert options == raw.get("options")
                    assert forced == raw.get("forced", False)
                    assert legal == ([(name, m) for m in raw["legal"]] if "legal" in raw else None)
                case StateLine(_, state):
                    assert raw == {"state": state}
                case ScoresLine(_, scores, ranking):
                    assert raw == {"scores": scores, "ranking": ranking}


def test_moves_of_several_names_are_told_apart() -> None:
    legal = '[{"name": "take", "args": {"card": "one"}}, {"name": "pass", "args": {}}]'
    line = read_record(f'{HEAD}\n{DECISION[:-1]}, "legal": {legal}}}\n').lines[0]
    assert isinstance(line, DecisionLine)
    assert line.legal == [("take", {"card": "one"}), ("pass", {})]


def test_a_record_cut_anywhere_gives_its_whole_lines() -> None:
    data = play(FakeEngine(), full=True).encode()
    whole = read_record(data)
    first = data.index(b"\n")
    for cut in range(first, len(data), 7):
        record = read_record(data[:cut])
        count = len(record.lines)
        assert record.lines == whole.lines[:count]
        whole_end = data[:cut].endswith(b"\n") or data[cut : cut + 1] == b"\n"
        assert count == data[: cut + 1].count(b"\n") - 1
        assert (record.cut is None) == whole_end
    with pytest.raises(RecordError, match="cut in its first line"):
        read_record(data[: first - 3])


def test_unknown_keys_are_passed_over() -> None:
    record = read_record(f'{HEAD[:-1]}, "note": [1]}}\n{DECISION[:-1]}, "ms": 12}}\n')
    assert len(record.lines) == 1


def test_line_ends_and_marks_of_other_systems_are_read() -> None:
    assert len(read_record(f"\ufeff{HEAD}\r\n{DECISION}\r\n{END}\r\n\r\n").lines) == 2


BAD = [
    ("", 1, "empty"),
    ("\n\n", 1, "empty"),
    ("hello\n", 1, "not JSON"),
    ("[]\n", 1, "not an object"),
    ("{}\n", 1, "no record"),
    (f"{DECISION}\n", 1, "no record"),
    (HEAD.replace("1", "2", 1) + "\n", 1, "version 2"),
    (HEAD.replace("1", "true", 1) + "\n", 1, "'conche' is not a whole number"),
    (HEAD.replace('"players": 2', '"players": 0') + "\n", 1, "'players' is 0"),
    (HEAD.replace('"players": 2', '"players": true') + "\n", 1, "'players' is not a whole number"),
    (HEAD.replace('"players": 2', '"players": "2"') + "\n", 1, "'players'"),
    (HEAD.replace('"players": 2', '"players": 2.0') + "\n", 1, "2.0 is not a whole number"),
    (HEAD.replace('"players": 2', '"players": 1e999') + "\n", 1, "not a whole number"),
    (HEAD.replace(', "players": 2', "") + "\n", 1, "lacks 'players'"),
    (HEAD.replace('"options": {}', '"options": []') + "\n", 1, "'options'"),
    (HEAD.replace('"options": {}', '"options": {"a": 1}') + "\n", 1, "'options'"),
    (HEAD.replace('"digest": "f"', '"digest": 5') + "\n", 1, "'digest' is not a text"),
    (HEAD[:-1] + ', "seed": -1}\n', 1, "'seed' is -1"),
    (HEAD[:-1] + f', "seed": {2**64}}}\n', 1, "more than 64 bits"),
    (HEAD[:-1] + ', "seed": ' + "9" * 100_000 + "}\n", 1, "more than 64 bits"),
    (HEAD[:-1] + ', "seat": 2}\n', 1, "'seat' is 2"),
    (HEAD[:-1] + ', "players": 2}\n', 1, "twice"),
    (f"{HEAD}\n{HEAD}\n", 2, "second header"),
    (f"{HEAD}\n\n{DECISION}\n", 2, "empty"),
    (f"{HEAD}\n{DECISION[:-1]}\n", 2, "not JSON"),
    (f"{HEAD}\n{{}}\n", 2, "one has none"),
    (f'{HEAD}\n{{"chance": "a", "value": 1, "player": 0}}\n', 2, "chance and player"),
    (f'{HEAD}\n{{"chance": "a"}}\n', 2, "lacks 'value'"),
    (f'{HEAD}\n{{"chance": 1, "value": 2}}\n', 2, "'chance' is not a text"),
    (f'{HEAD}\n{{"chance": "a", "value": NaN}}\n', 2, "NaN"),
    (f'{HEAD}\n{{"chance": "a", "value": -Infinity}}\n', 2, "-Infinity"),
    (f'{HEAD}\n{{"chance": "a", "value": "\\ud800"}}\n', 2, "half a character"),
    (f"{HEAD}\n" + DECISION.replace("0", "2", 1) + "\n", 2, "'player' is 2"),
    (f"{HEAD}\n" + DECISION.replace("0", "-1", 1) + "\n", 2, "'player' is -1"),
    (f"{HEAD}\n" + DECISION.replace("0", "null", 1) + "\n", 2, "'player'"),
    (f"{HEAD}\n" + DECISION.replace('"take"', "[]", 1) + "\n", 2, "'name'"),
    (f"{HEAD}\n" + DECISION.replace(', "options": 2', "") + "\n", 2, "lacks 'options'"),
    (f"{HEAD}\n" + DECISION.replace(', "args": {"card": "one"}', "") + "\n", 2, "lacks 'args'"),
    (f"{HEAD}\n" + DECISION.replace('{"card": "one"}', "null") + "\n", 2, "'args' is not an object"),
    (f"{HEAD}\n" + DECISION.replace("2}", '2, "forced": 1}') + "\n", 2, "'forced'"),
    (f"{HEAD}\n" + DECISION.replace("2}", '2, "legal": {}}') + "\n", 2, "'legal'"),
    (f"{HEAD}\n" + DECISION.replace("2}", '2, "legal": [1]}') + "\n", 2, "'legal'"),
    (f'{HEAD}\n{{"state": []}}\n', 2, "'state'"),
    (f"{HEAD}\n{END}\n{DECISION}\n", 3, "follows the scores"),
    (f"{HEAD}\n" + END.replace("[1], [0]", "[1]") + "\n", 2, "every seat once"),
    (f"{HEAD}\n" + END.replace("[1], [0]", "[1], [true]") + "\n", 2, "every seat once"),
    (f"{HEAD}\n" + END.replace("[1], [0]", "1, 0") + "\n", 2, "list of lists"),
    (f"{HEAD}\n" + END.replace(', {"total": 2}', "") + "\n", 2, "1 entries"),
    (f"{HEAD}\n" + END.replace('"total": 2', '"total": "2"') + "\n", 2, "whole numbers"),
    (f"{HEAD}\n" + END.replace('{"total": 2}', "2") + "\n", 2, "list of objects"),
    (f"{HEAD}\n" + '{"state": {"a": ' + "[" * 100_000 + "\n", 2, "nested"),
    (f"{HEAD}\n{DECISION}".encode("utf-16"), 1, "UTF-8"),
    (f"{HEAD}\n".encode() + b'{"chance": "\xff", "value": 1}\n', 2, "UTF-8"),
    (f"{HEAD}\n".encode() + b"\0\0\0\n", 2, "not JSON"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD)
def test_what_is_no_record_is_refused_with_its_line(text: str | bytes, line: int, message: str) -> None:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    with pytest.raises(RecordError) as caught:
        read_record(data)
    assert caught.value.line == line
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"line {line}: ")


def test_reading_garbage_never_fails_otherwise() -> None:
    text = play(FakeEngine(), full=True).encode()
    rng = random.Random(1)
    for _ in range(1500):
        data = bytearray(text)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            match rng.randrange(3):
                case 0:
                    data[at] = rng.randrange(256)
                case 1:
                    del data[at : at + rng.randrange(1, 30)]
                case _:
                    data[at:at] = data[rng.randrange(len(data)) :][: rng.randrange(30)]
        with contextlib.suppress(RecordError):
            assert isinstance(read_record(bytes(data)), Record)


@pytest.mark.parametrize("name", ["none", "folder", "no/such/place", "a\0b"])
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecordError):
        read_record(tmp_path / name)


def test_pipes_are_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="plain file"):
        read_record(tmp_path / "pipe")
