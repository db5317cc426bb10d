"""A saved game goes on as if it had not been interrupted; what is none is refused."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conche.play import saved
from conche.play.session import Session
from conche_runtime.errors import SaveError
from conche_runtime.saves import check_sum

from .tables import bots_on, engine_of, person_moves, session_of


def started(game: str = "tricks", seats: str = "human,random,random,random", moves: int = 3) -> Session:
    session = session_of(engine_of(game), seats, 6)
    bots_on(session)
    for number in range(moves):
        person_moves(session, random.Random(number))
    return session


def text_of(session: Session) -> str:
    return saved.to_json(session, "id", None)


def go_on(text: str, game: str) -> Session:
    read = saved.from_json(text)
    engine = engine_of(game)
    read.check_rules(engine)
    session = session_of(engine, ",".join(read.seats), read.seed, moves=read.moves)
    read.check_position(session)
    return session


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("tricks", "human,random,random,random"),
        ("sealed_bids", "random,human,human"),
        ("schoko", "random,human,random"),
        ("cacao", "human,random"),
    ],
)
def test_it_is_the_same_game_wherever_it_is_interrupted(game: str, seats: str) -> None:
    whole = session_of(engine_of(game), seats, 6)
    bots_on(whole)
    broken = go_on(text_of(whole), game)
    dice = [random.Random(3), random.Random(3)]
    for _ in range(12):
        if whole.state.over:
            break
        person_moves(whole, dice[0])
        broken = go_on(text_of(broken), game)
        person_moves(broken, dice[1])
        assert text_of(broken) == text_of(whole)
        assert broken.turns == whole.turns
        assert (whole.state.over or broken.can_undo(broken.asked)[0]) == (
            whole.state.over or whole.can_undo(whole.asked)[0]
        )


def test_a_file_is_of_one_game(tmp_path: Path) -> None:
    path, session = tmp_path / "a.game", started()
    saved.write(path, session, "one", None)
    saved.write(path, session, "one", None)
    with pytest.raises(FileExistsError, match="another game"):
        saved.write(path, session, "two", None)
    saved.write(path, session, "two", None, overwrite=True)
    assert saved.id_of(path) == "two"
    for foreign in (b"precious", b"", b'{"conche": 1, "kind": "save"}'):
        path.write_bytes(foreign)
        with pytest.raises(FileExistsError):
            saved.write(path, session, "two", None)
        assert path.read_bytes() == foreign


def test_a_free_name(tmp_path: Path) -> None:
    session = started()
    for number, name in enumerate(["my-game-7.game", "my-game-7-2.game", "my-game-7-3.game"]):
        path = saved.free_path(tmp_path, "some/where/my game.rules", 7, str(number))
        assert path == tmp_path / name
        saved.write(path, session, str(number), None)
    assert saved.free_path(tmp_path, "my game", 7, "1") == tmp_path / "my-game-7-2.game"
    assert saved.free_path(tmp_path, "../../", 7, "1") == tmp_path / "game-7.game"


# ------------------------------------------------------------------------------------------------ refusals


def edited(change: Callable[[dict[str, Any]], object]) -> str:
    """A save that was changed with care: its check sum is right."""
    document = json.loads(text_of(started()))
    change(document)
    del document["check"]
    return json.dumps({**document, "check": check_sum(document)})


def swap(document: dict[str, Any]) -> None:
    moves = document["moves"]
    moves[0], moves[-1] = moves[-1], moves[0]


def other_card(document: dict[str, Any]) -> None:
    move = next(move for move in document["moves"] if move["player"] == 0)
    move["args"] = {"card": "no such"}


EDITS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda d: d.update(conche=2), "a newer Conche (version 2 of the format; this one knows 1)"),
    (lambda d: d.update(conche=0), "version 0 of the format is not known here"),
    (lambda d: d.update(conche="1"), "version '1' of the format is not known here"),
    (lambda d: d.update(kind="save"), "a position alone"),
    (lambda d: d.update(kind="other"), "no saved game"),
    (lambda d: d.update(digest="0" * 64), "have changed since it was saved"),
    (lambda d: d.update(seats=["random"] * 4), "lacks what a saved game has"),
    (lambda d: d.update(seats=["human"]), "lacks what a saved game has"),
    (lambda d: d.update(seats="human"), "lacks what a saved game has"),
    (lambda d: d.update(seats=[1, 2, 3, 4]), "lacks what a saved game has"),
    (lambda d: d.update(players=True), "lacks what a saved game has"),
    (lambda d: d.update(players=10**9), "lacks what a saved game has"),
    (lambda d: d.update(seed=-1), "lacks what a saved game has"),
    (lambda d: d.update(seed=1 << 64), "lacks what a saved game has"),
    (lambda d: d.update(record={}), "lacks what a saved game has"),
    (lambda d: d.update(record={"file": 1, "full": False, "seat": None}), "lacks what a saved game has"),
    (lambda d: d.update(record={"file": "", "full": False, "seat": None}), "lacks what a saved game has"),
    (lambda d: d.update(record={"file": "a\0b", "full": False, "seat": 0}), "lacks what a saved game has"),
    (lambda d: d.update(record={"file": "a", "full": False, "seat": 4}), "lacks what a saved game has"),
    (lambda d: d.update(moves={}), "lacks what a saved game has"),
    (lambda d: d.update(moves=[1]), "lacks what a saved game has"),
    (lambda d: d.update(moves=[{"player": 9, "name": "a", "args": {}}]), "lacks what a saved game has"),
    (lambda d: d.update(moves=[{"player": 0, "name": "a", "args": []}]), "lacks what a saved game has"),
    (lambda d: d.update(state=None), "lacks what a saved game has"),
    (lambda d: d.pop("moves"), "lacks what a saved game has"),
    (lambda d: d.pop("id"), "lacks what a saved game has"),
    (lambda d: d.update(seed=8), "does not fit the rules"),
    (lambda d: d["moves"].pop(), "do not lead to the position"),
    (lambda d: d["state"].update(players=3), "do not lead to the position"),
    (swap, "does not fit the rules"),
    (other_card, "does not fit the rules"),
]


@pytest.mark.parametrize(("change", "why"), EDITS)
def test_an_edited_game_is_refused(change: Callable[[dict[str, Any]], object], why: str) -> None:
    with pytest.raises(SaveError) as caught:
        go_on(edited(change), "tricks")
    assert why in str(caught.value)


def test_what_is_damaged_is_noticed() -> None:
    text, dice = text_of(started()), random.Random(1)
    go_on(text, "tricks")
    places = dice.sample(range(len(text)), 60)
    for place in places:
        for damaged in (text[:place], text[:place] + chr(33 + dice.randrange(90)) + text[place + 1 :]):
            if damaged == text:
                continue
            with contextlib.suppress(SaveError):
                assert text_of(go_on(damaged, "tricks")) == text  # spaces between lines may change


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"conche": 1}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"conche": 1, "kind": 1}',
        b"NaN",
    ],
)
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(SaveError):
        saved.read(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null"), Path("a\0b")):
        with pytest.raises(SaveError):
            saved.read(path)
