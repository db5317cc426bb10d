"""A game that is to go on later, as a file.

    {"conche": 1, "kind": "game", "id": "…", "ruleset": "cacao+huts", "digest": "…", "versions": {…},
     "options": {…}, "players": 3, "seed": 7, "seats": ["human", "random", "random"],
     "record": null | {"file": "…", "full": false, "seat": null},
     "moves": [{"player": 0, "name": "place", "args": {…}}, …], "state": {…}, "check": "…"}

Purpose: from a `Session` to a file and back. `id`: of this one game, so that no other is replaced by it;
`moves`: all that were made, from which all the rest follows; `state`: the engine's own save of the position
(`state.to_json()`), against which the moves are checked; `check`: a check sum over all the rest.

Invariants: a file is written whole or not at all. Loading believes nothing: what is foreign, cut, edited, of
a newer Conche or of other rules is a `SaveError` that says so.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conche.play.session import HUMAN, Made, Session
from conche.resources import write_atomic
from conche_runtime.errors import SaveError
from conche_runtime.interface import Engine
from conche_runtime.saves import check_sum, is_undamaged

if TYPE_CHECKING:
    from conche_runtime.interface import JSON

VERSION = 1
"""The number in `conche`; it goes up when the meaning of a field changes."""

MAX_BYTES = 1 << 28
"""The largest file that is read (256 MiB)."""

MAX_SEATS = 1000
"""More seats than any game has."""


@dataclass(frozen=True, slots=True)
class SavedRecord:
    """How the game is recorded. `file`: as it was given."""

    file: str
    full: bool
    seat: int | None


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A saved game as it was read; whether its moves fit the rules shows when they are made."""

    id: str
    ruleset: str
    digest: str
    players: int
    seed: int
    seats: tuple[str, ...]
    record: SavedRecord | None
    moves: tuple[Made, ...]
    state: str
    """The engine's save."""

    def check_rules(self, engine: Engine) -> None:
        """SaveError where these rules are others."""
        if self.digest != engine.digest:
            raise SaveError(f"the rules of '{engine.ruleset}' have changed since it was saved")

    def check_position(self, session: Session) -> None:
        """SaveError where a session with the saved moves has not come to the saved position."""
        there, here = (_position(text) for text in (self.state, session.state.to_json()))
        if there != here:
            raise SaveError("its moves do not lead to the position that was saved")


def _position(save: str) -> dict[str, Any]:
    """An engine's save without the name of the rules, which may lie elsewhere by now."""
    found: dict[str, Any] = json.loads(save)
    return {key: value for key, value in found.items() if key not in ("ruleset", "check")}


def new_id() -> str:
    """The name of a new game, unlike that of any other."""
    return secrets.token_hex(8)


# ------------------------------------------------------------------------------------------------ writing


def to_json(session: Session, game_id: str, record: SavedRecord | None) -> str:
    """The text of the file, with a line for each move."""
    engine = session.engine
    saved: dict[str, JSON] = {
        "conche": VERSION,
        "kind": "game",
        "id": game_id,
        "ruleset": engine.ruleset,
        "digest": engine.digest,
        "versions": dict(engine.versions),
        "options": dict(engine.options),
        "players": len(session.seats),
        "seed": session.seed,
        "seats": list(session.seats),
        "record": None if record is None else {"file": record.file, "full": record.full, "seat": record.seat},
        "moves": [
            {"player": move.player, "name": move.name, "args": dict(move.args)} for move in session.moves
        ],
        "state": json.loads(session.state.to_json()),
    }
    saved["check"] = check_sum(saved)
    lines = []
    for key, value in saved.items():
        shown = _line(value)
        if key == "moves" and value:
            shown = "[\n" + ",\n".join(f"  {_line(move)}" for move in value) + "\n]"
        lines.append(f"{json.dumps(key)}: {shown}")
    return "{" + ",\n".join(lines) + "}\n"


def _line(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write(
    path: Path, session: Session, game_id: str, record: SavedRecord | None, *, overwrite: bool = False
) -> None:
    """Writes the file. FileExistsError where one lies there that is not of this game."""
    if not overwrite:
        check_free(path, game_id)
    write_atomic(path, to_json(session, game_id, record))


def check_free(path: Path, game_id: str) -> None:
    """FileExistsError where a file lies there that is not of this game."""
    if os.path.lexists(path) and id_of(path) != game_id:
        raise FileExistsError(17, "another game is there", str(path))


def id_of(path: Path) -> str | None:
    """Of which game a file is; None for anything else."""
    try:
        return read(path).id
    except SaveError:
        return None


def free_path(folder: Path, ruleset: str, seed: int, game_id: str) -> Path:
    """A name for the file of a game that has none, which no other game has."""
    slug = "".join(char if char.isalnum() else "-" for char in Path(ruleset).name.removesuffix(".rules"))
    name = f"{slug.strip('-')[:60] or 'game'}-{seed}"
    for number in range(1, 10_000):
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.game"
        if not os.path.lexists(path) or id_of(path) == game_id:
            return path
    raise FileExistsError(17, "there are too many games of that name", str(folder / f"{name}.game"))


# ------------------------------------------------------------------------------------------------ reading


def read(path: Path) -> SavedGame:
    """The game in a file. SaveError for whatever is none."""
    try:
        if not path.is_file():
            raise SaveError("there is no such file" if not path.exists() else "this is no plain file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SaveError(f"it cannot be read: {reason.lower()}") from None
    if len(data) > MAX_BYTES:
        raise SaveError(f"it is larger than {MAX_BYTES >> 20} MiB")
    return from_json(data)


def from_json(data: bytes | str) -> SavedGame:
    """The game of a text. SaveError for whatever is none."""
    try:
        saved = json.loads(data)
    except (ValueError, RecursionError):
        raise SaveError("it is no saved game, or it is cut") from None
    if not isinstance(saved, dict) or "conche" not in saved:
        raise SaveError("it is no saved game")
    version, kind = saved["conche"], saved.get("kind")
    if kind == "save":
        raise SaveError("it is the save of a position alone, which does not say who plays")
    if kind != "game":
        raise SaveError("it is no saved game" + (", but a record" if "digest" in saved else ""))
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        raise SaveError(
            f"it was saved by a newer Conche (version {version} of the format; this one knows {VERSION})"
            if newer
            else f"version {version!r} of the format is not known here"
        )
    if not is_undamaged(saved):
        raise SaveError("it was edited or damaged: its check sum is wrong")
    try:
        return _read(saved)
    except (KeyError, TypeError, ValueError):
        raise SaveError("it lacks what a saved game has") from None


def _read(saved: Mapping[str, Any]) -> SavedGame:
    """ValueError, KeyError or TypeError for what is not as it should be."""
    players, seed = _whole(saved["players"]), _whole(saved["seed"])
    seats = tuple(map(_text, saved["seats"]))
    if len(seats) != players or not 1 <= players <= MAX_SEATS or HUMAN not in seats or seed >= 1 << 64:
        raise ValueError("seats")
    record = None
    if saved["record"] is not None:
        kept = saved["record"]
        if type(kept["full"]) is not bool:
            raise ValueError("full")
        seat = None if kept["seat"] is None else _whole(kept["seat"])
        record = SavedRecord(_text(kept["file"]), kept["full"], seat)
        if "\0" in record.file or not Path(record.file).name or (seat is not None and seat >= players):
            raise ValueError("record")
    if not isinstance(saved["moves"], list) or not isinstance(saved["state"], dict):
        raise ValueError("moves")
    return SavedGame(
        _text(saved["id"]),
        _text(saved["ruleset"]),
        _text(saved["digest"]),
        players,
        seed,
        seats,
        record,
        tuple([_made(move, players) for move in saved["moves"]]),
        json.dumps(saved["state"]),
    )


def _made(move: Mapping[str, Any], players: int) -> Made:
    player = _whole(move["player"])
    if player >= players or not isinstance(move["args"], dict):
        raise ValueError("move")
    return Made(player, _text(move["name"]), move["args"])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("number")
    return value
