"""Records: what happened in one game, as JSON Lines; writing them while a game is played, and reading them.

One object a line:

    {"conche": 1, "ruleset": "cacao", "options": {…}, "versions": {…}, "digest": "…", "players": 3, "seed": 7}
    {"chance": "jungle", "value": "market(3)"}                     an outcome, where it first matters
    {"player": 0, "name": "place", "args": {…}, "options": 46}     a move, by its own name
    {"reveal": "cash[2]", "value": 20}                             what the rules' `reveal` told
    {"scores": [{"total": 31, …}, …], "ranking": [[2], [0, 1]]}    the end; nothing follows

`seed` is left out where outcomes came from outside. A *full* record adds to each decision `legal`, the
arguments of all legal moves (`{"name": …, "args": …}` where they do not all have the name of the move
made); the forced decisions, with `"forced": true`; what was revealed; and a line `{"state": snapshot}`
wherever play stands still: after the set-up and after each decision.

Where several choose at once there is a line whenever one has chosen, in that order; the forced ones of a full
record come when all have chosen.

A *seat's* record has `"seat": n` in its header and holds what that seat may know: no seed, outcomes and what
was revealed only where the seat sees them, of other seats neither option counts nor lists of moves nor forced
decisions, and its own view as `state` where it is asked itself, and at the end. A forced decision of which
others may not know that it was is a line like any other in their records. That another seat has passed is no
line. What others have chosen at once comes when all have chosen, in player order, with `args` where the seat
sees them, forced or not.

Invariants: a decision is written when it has been applied (or when the rules failed at it), a whole line
at a time. A process that is killed leaves whole lines and at most one cut last line; `read_record` gives
the whole ones and says so. Keys and lines unknown to version 1 are errors only where they stand for a kind
of line; additional keys are passed over.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TextIO, TypeAlias, TypeGuard

from conche_runtime.errors import IllegalMove, RecordError
from conche_runtime.interface import (
    JSON,
    ChanceEvent,
    ChosenEvent,
    Engine,
    Event,
    ForcedEvent,
    Move,
    RevealEvent,
    State,
)

VERSION = 1
"""The number in the header's `conche`; it goes up when a line's meaning changes."""

MAX_BYTES = 1 << 28
"""The largest record that is read (256 MiB)."""

PART = ".part"
"""What is put behind the name of a record until its game is over."""

_MAX_INT = 1 << 64

# ------------------------------------------------------------------------------------------------ the data


@dataclass(frozen=True, slots=True)
class Header:
    """The first line. `seed` None: outcomes came from outside, or a seat's record. `seat` None: the host's
    record."""

    ruleset: str
    options: Mapping[str, str]
    versions: Mapping[str, str]
    digest: str
    players: int
    seed: int | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class ChanceLine:
    line: int
    source: str
    value: JSON


@dataclass(frozen=True, slots=True)
class RevealLine:
    """`what`: the variable or zone by its path, as sources of chance are."""

    line: int
    what: str
    value: JSON


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """`args` None: not shown to the record's seat. `options` None: forced, or of another seat. `legal`:
    names and arguments, None where the record is not full."""

    line: int
    player: int
    name: str
    args: Mapping[str, JSON] | None
    options: int | None
    forced: bool
    legal: Sequence[tuple[str, Mapping[str, JSON]]] | None


@dataclass(frozen=True, slots=True)
class StateLine:
    line: int
    state: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class ScoresLine:
    line: int
    scores: Sequence[Mapping[str, int]]
    ranking: Sequence[Sequence[int]]


Line: TypeAlias = ChanceLine | RevealLine | DecisionLine | StateLine | ScoresLine


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. `cut`: the number of a last line that is not whole and was left out; None where
    there is none."""

    header: Header
    lines: Sequence[Line]
    cut: int | None = None

    @property
    def complete(self) -> bool:
        """Whether the game was played to its end."""
        return bool(self.lines) and isinstance(self.lines[-1], ScoresLine)

    @property
    def full(self) -> bool:
        """Whether forced decisions, legal moves and states are in it."""
        return any(
            isinstance(line, StateLine)
            or (isinstance(line, DecisionLine) and (line.forced or line.legal is not None))
            for line in self.lines
        )


# ------------------------------------------------------------------------------------------------ writing


class Sink(Protocol):
    """Where a record's lines go: an open text stream, or anything that takes texts."""

    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...


class Recorder:
    """Plays a game's moves and writes its record.

    `state` is a new game, started with `log=True`; from now on moves are made by `recorder.apply`, which
    also takes the events out of `state.log` and returns them. `target` is an open text stream, or a path:
    then the lines go to `<path>.part`, which takes its name when the game is over (or on
    `close(keep=True)`), so that a file of that name is always one that was meant. An existing file,
    `.part` included, is replaced only with `overwrite`; otherwise FileExistsError. Devices and pipes are
    written to directly.
    """

    def __init__(
        self,
        engine: Engine,
        state: State,
        target: Sink | str | os.PathLike[str],
        *,
        full: bool = False,
        seat: int | None = None,
        seed: int | None = None,
        overwrite: bool = False,
    ) -> None:
        if state.log is None:
            raise ValueError("a record begins with the set-up: start the game with log=True")
        if seat is not None and not 0 <= seat < state.players:
            raise ValueError(f"there is no seat {seat} in a game of {state.players}")
        self.state = state
        self.path: Path | None = None
        """The file that is being written, None for a stream."""
        self.lines, self._full, self._seat = 0, full, seat
        self._final: Path | None = None
        self._overwrite = overwrite
        self._stream: Sink | None = None
        self._file: TextIO | None = None
        self._told = False
        """Whether the last line is a state."""
        if isinstance(target, str | os.PathLike):
            self._open(Path(target))
        else:
            self._stream = target
        self._write(_header(engine, state.players, None if seat is not None else seed, seat))
        self.opening = self._events()
        """The events of the set-up."""
        self._position()

    def apply(self, move: Move | int, player: int | None = None) -> list[Event]:
        """Makes a move (or that of an index) and writes it; returns the events that followed. Errors as
        `State.apply`; what is illegal leaves state and record as they were. At the game's end the record
        is finished."""
        if self._stream is None:
            raise ValueError("the record is closed")
        state = self.state
        asked = state.to_act
        if player is None:
            if len(asked) != 1:
                raise IllegalMove("several choose at once: say who" if asked else "the game is over")
            player = asked[0]
        options = state.count(player)
        shown = self._seat is None or player == self._seat
        chosen = state.move(move, player) if isinstance(move, int) else move
        entry: dict[str, JSON] = {"player": player, "name": chosen.name, "args": chosen.args}
        if shown:
            entry["options"] = options
            if self._full:
                entry["legal"] = _legal(chosen.name, state.legal_moves(player))
        passes = state.can_pass and options > 0 and chosen == state.move(options - 1, player)
        quiet = not shown and (passes or len(asked) > 1)
        try:
            if isinstance(move, int):
                state.step(move, player)
            else:
                state.apply(move, player)
        except IllegalMove:
            raise
        except Exception:
            # The rules failed at this move: a record that shows how is worth most now.
            if not quiet:
                self._write(entry)
            self._events()
            raise
        # The last one of those who chose at once; the others' choices are told by the events then.
        last = any(isinstance(event, ChosenEvent) and not event.forced for event in state.log or ())
        if shown or not (quiet or last):
            self._write(entry)
        events = self._events()
        self._position()
        return events

    def close(self, keep: bool = False) -> None:
        """Ends the record where it stands; harmless when it has ended. With `keep` an unfinished one gets
        its name; otherwise it stays as `<path>.part`."""
        self._stream, file, self._file = None, self._file, None
        if file is not None:
            file.close()
            if self._final is not None and keep:
                self._name()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self, path: Path) -> None:
        try:
            plain = stat.S_ISREG(path.stat().st_mode)
        except FileNotFoundError:
            pass
        else:
            if not plain:
                self.path = path
                self._stream = self._file = path.open("w", encoding="utf-8", newline="\n")
                return
            if not self._overwrite:
                raise FileExistsError(errno.EEXIST, "the record exists", str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        self._final, self.path = path, path.with_name(path.name + PART)
        if not self._overwrite and self.path.exists():
            raise FileExistsError(errno.EEXIST, "an unfinished record exists", str(self.path))
        stream = self.path.open("w" if self._overwrite else "x", encoding="utf-8", newline="\n")
        self._stream = self._file = stream

    def _name(self) -> None:
        """Gives the finished file its name."""
        part, final = self.path, self._final
        assert part is not None
        assert final is not None
        linked = False
        if not self._overwrite:
            # A link, unlike renaming, replaces nothing; on a disk without links a small gap remains.
            with contextlib.suppress(OSError, NotImplementedError, AttributeError):
                os.link(part, final)
                linked = True
            if not linked and final.exists():
                raise FileExistsError(errno.EEXIST, "the record exists", str(final))
        if linked:
            os.unlink(part)
        else:
            os.replace(part, final)
        self.path, self._final = final, None

    def _write(self, entry: JSON) -> None:
        assert self._stream is not None
        self._stream.write(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n")
        self._stream.flush()
        self.lines += 1
        self._told = "state" in entry

    def _events(self) -> list[Event]:
        """Writes and returns what has happened since the last call."""
        log = self.state.log
        assert log is not None
        events = list(log)
        log.clear()
        for event in events:
            match event:
                case ChanceEvent(source, value, seen_by):
                    if self._seat is None or seen_by is None or self._seat in seen_by:
                        self._write({"chance": source, "value": value})
                case RevealEvent(what, value, seen_by):
                    # In the host's record it follows from the moves.
                    if self._full if self._seat is None else seen_by is None or self._seat in seen_by:
                        self._write({"reveal": what, "value": value})
                case ForcedEvent(player, name, args, private):
                    if self._seat not in (None, player):
                        if private:
                            self._write({"player": player, "name": name, "args": dict(args)})
                    elif self._full:
                        self._write({"player": player, "name": name, "args": dict(args), "forced": True})
                case ChosenEvent(player, name, args, forced, seen_by):
                    if self._seat not in (None, player):
                        seen = seen_by is None or self._seat in seen_by
                        shown = {"args": dict(args)} if seen else {}
                        self._write({"player": player, "name": name, **shown})
                    elif forced and self._full:
                        self._write({"player": player, "name": name, "args": dict(args), "forced": True})
        return events

    def _position(self) -> None:
        """Play stands still: the state of a full record, and the end."""
        state = self.state
        if self._full and self._seat is None:
            self._write({"state": state.snapshot()})
        elif self._full and self._seat is not None and not self._told and stands_for(state, self._seat):
            self._write({"state": state.view(self._seat)})
        if state.over:
            self._write({"scores": state.scores, "ranking": state.ranking})
            self.close(keep=True)


def stands_for(state: State, seat: int) -> bool:
    """Whether a seat's record shows where play stands: where that seat is asked, and at the end. Elsewhere it
    could tell that another one is asked, who might have had but one option."""
    return state.over or seat in state.to_act


def _header(engine: Engine, players: int, seed: int | None, seat: int | None) -> JSON:
    return {
        "conche": VERSION,
        "ruleset": engine.ruleset,
        "options": dict(engine.options),
        "versions": dict(engine.versions),
        "digest": engine.digest,
        "players": players,
        **({} if seed is None else {"seed": seed}),
        **({} if seat is None else {"seat": seat}),
    }


def _legal(name: str, moves: Sequence[Move]) -> JSON:
    if all(move.name == name for move in moves):
        return [move.args for move in moves]
    return [{"name": move.name, "args": move.args} for move in moves]


# ------------------------------------------------------------------------------------------------ reading


def read_record(source: str | bytes | os.PathLike[str]) -> Record:
    """The record in a file (a path) or of a text (bytes, or a string that has a line end or begins with `{`).

    RecordError with the number of the line for whatever is not a record, or for a file that cannot be
    read. A last line that is cut is left out and named in `Record.cut`.
    """
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        source = source.encode("utf-8", "surrogatepass")
    data = source if isinstance(source, bytes) else _read(Path(source))
    data = data.removeprefix(b"\xef\xbb\xbf")
    texts = data.split(b"\n")
    ended = texts[-1] == b""
    while texts and not texts[-1].strip():
        texts.pop()
    if not texts:
        raise RecordError("the record is empty", 1)

    header: Header | None = None
    lines: list[Line] = []
    cut: int | None = None
    for number, text in enumerate(texts, 1):
        if not ended and number == len(texts) and not _whole(text):
            if header is None:
                raise RecordError("the record is cut in its first line", number)
            cut = number
            break
        entry = _Entry(number, _decode(text, number))
        if header is None:
            header = _read_header(entry)
            continue
        if lines and isinstance(lines[-1], ScoresLine):
            raise RecordError("something follows the scores, which end a record", number)
        lines.append(_read_line(entry, header))
    assert header is not None
    return Record(header, lines, cut)


def _read(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise RecordError(f"'{path}' is a folder, not a record")
        if not stat.S_ISREG(mode):
            # A pipe or device could block or never end.
            raise RecordError(f"'{path}' is not a plain file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise RecordError(f"there is no file '{path}'") from None
    except MemoryError:
        raise RecordError(f"'{path}' is too large for this machine's memory") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecordError(f"'{path}' cannot be read: {reason.lower()}") from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"'{path}' is larger than {MAX_BYTES >> 20} MiB")
    return data


def _whole(text: bytes) -> bool:
    """Whether a last line without its line end is a whole object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _decode(text: bytes, number: int) -> dict[str, JSON]:
    try:
        value = json.loads(
            text.decode("utf-8"),
            parse_constant=_no_constant,
            parse_float=_no_float,
            parse_int=_small_int,
            object_pairs_hook=_once,
        )
    except UnicodeDecodeError:
        raise RecordError("the line is not UTF-8 text", number) from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise RecordError("the line is empty", number) from None
        raise RecordError(f"the line is not JSON: {error.msg} (column {error.colno})", number) from None
    except ValueError as error:
        raise RecordError(str(error), number) from None
    except RecursionError:
        raise RecordError("the line is nested too deeply", number) from None
    if not isinstance(value, dict):
        raise RecordError("the line is not an object", number)
    # Only an escape can bring half a character past the decoder of UTF-8.
    if b"\\u" in text and re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        raise RecordError("a text of the line holds half a character", number)
    return value


def _no_constant(name: str) -> JSON:
    raise ValueError(f"{name} is not a value of a record")


def _no_float(text: str) -> JSON:
    raise ValueError(f"{text[:20]} is not a whole number")


def _small_int(text: str) -> int:
    # Looked at before it is converted: that takes a quadratic time for millions of digits.
    value = int(text) if len(text) <= 21 else _MAX_INT
    if not -_MAX_INT < value < _MAX_INT:
        raise ValueError(f"the number {text[:20]}… has more than 64 bits")
    return value


def _once(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key '{twice}' stands there twice")
    return value


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line with typed access to its keys."""

    line: int
    data: dict[str, JSON] = field(repr=False)

    def get(self, key: str, what: str) -> JSON:
        if key not in self.data:
            raise RecordError(f"{what} lacks '{key}'", self.line)
        return self.data[key]

    def text(self, key: str, what: str) -> str:
        value = self.get(key, what)
        if isinstance(value, str):
            return value
        raise self.wrong(key, "a text")

    def int(self, key: str, what: str, low: int, high: int) -> int:
        value = self.get(key, what)
        if not _is_int(value):
            raise self.wrong(key, "a whole number")
        if not low <= value < high:
            raise RecordError(f"'{key}' is {value}; it lies between {low} and {high - 1}", self.line)
        return value

    def texts(self, key: str, what: str) -> Mapping[str, str]:
        value = self.get(key, what)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise self.wrong(key, "an object of texts")
        return value

    def wrong(self, key: str, wanted: str) -> RecordError:
        return RecordError(f"'{key}' is not {wanted}", self.line)


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_header(entry: _Entry) -> Header:
    what = "the header"
    if "conche" not in entry.data:
        raise RecordError("this is no record: its first line has no 'conche'", entry.line)
    version = entry.data["conche"]
    if not _is_int(version):
        raise entry.wrong("conche", "a whole number")
    if version != VERSION:
        raise RecordError(
            f"the record has version {version}; this Conche reads version {VERSION}", entry.line
        )
    players = entry.int("players", what, 1, 1000)
    return Header(
        ruleset=entry.text("ruleset", what),
        options=entry.texts("options", what),
        versions=entry.texts("versions", what),
        digest=entry.text("digest", what),
        players=players,
        seed=entry.int("seed", what, 0, _MAX_INT) if entry.data.get("seed") is not None else None,
        seat=entry.int("seat", what, 0, players) if "seat" in entry.data else None,
    )


def _read_line(entry: _Entry, header: Header) -> Line:
    data = entry.data
    kinds = [key for key in ("conche", "chance", "reveal", "player", "state", "scores") if key in data]
    if len(kinds) != 1:
        known = "'chance', 'reveal', 'player', 'state' or 'scores'"
        raise RecordError(
            f"a line has one of {known}; this one has {' and '.join(kinds) or 'none'}", entry.line
        )
    match kinds[0]:
        case "conche":
            raise RecordError("a second header: a record holds one game", entry.line)
        case "chance":
            return ChanceLine(entry.line, entry.text("chance", ""), entry.get("value", "an outcome"))
        case "reveal":
            return RevealLine(entry.line, entry.text("reveal", ""), entry.get("value", "what is revealed"))
        case "player":
            return _read_decision(entry, header)
        case "state":
            if not isinstance(data["state"], dict):
                raise entry.wrong("state", "an object")
            return StateLine(entry.line, data["state"])
        case _:
            return _read_scores(entry, header)


def _read_decision(entry: _Entry, header: Header) -> DecisionLine:
    what, data = "a decision", entry.data
    player = entry.int("player", what, 0, header.players)
    name = entry.text("name", what)
    forced = data.get("forced", False)
    if not isinstance(forced, bool):
        raise entry.wrong("forced", "true or false")
    others = header.seat is not None and player != header.seat
    args = data.get("args") if others and "args" not in data else entry.get("args", what)
    if not isinstance(args, dict) and (args is not None or "args" in data):
        raise entry.wrong("args", "an object")
    options = None
    if "options" in data or not (forced or others):
        options = entry.int("options", what, 1, 1 << 63)
    legal = _read_legal(entry, name) if "legal" in data else None
    return DecisionLine(entry.line, player, name, args, options, forced, legal)


def _read_legal(entry: _Entry, name: str) -> list[tuple[str, Mapping[str, JSON]]]:
    moves = entry.data["legal"]
    if not isinstance(moves, list) or not all(isinstance(move, dict) for move in moves):
        raise entry.wrong("legal", "a list of objects")
    named = all(
        move.keys() == {"name", "args"} and isinstance(move["name"], str) and isinstance(move["args"], dict)
        for move in moves
    )
    return [(move["name"], move["args"]) for move in moves] if named else [(name, move) for move in moves]


def _read_scores(entry: _Entry, header: Header) -> ScoresLine:
    what = "the last line"
    scores: Any = entry.get("scores", what)
    if not isinstance(scores, list) or not all(isinstance(score, dict) for score in scores):
        raise entry.wrong("scores", "a list of objects")
    if not all(_is_int(number) for score in scores for number in score.values()):
        raise entry.wrong("scores", "made of whole numbers")
    ranking: Any = entry.get("ranking", what)
    if not isinstance(ranking, list) or not all(isinstance(place, list) for place in ranking):
        raise entry.wrong("ranking", "a list of lists")
    seats = [seat for place in ranking for seat in place]
    if not all(_is_int(seat) for seat in seats) or sorted(seats) != list(range(header.players)):
        raise RecordError("'ranking' does not name every seat once", entry.line)
    if len(scores) != header.players:
        raise RecordError(f"'scores' has {len(scores)} entries for {header.players} players", entry.line)
    return ScoresLine(entry.line, scores, ranking)
