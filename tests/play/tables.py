"""Tables to play at in tests: sessions with dice in place of people."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import conche
from conche.bots import make_bots
from conche.play.recording import RecordFile
from conche.play.session import Made, Recording, Session
from conche_runtime.interface import Engine

ROOT = Path(__file__).resolve().parents[2]


def engine_of(name: str) -> Engine:
    """A bundled game, or an example by its name."""
    example = ROOT / "rules" / "examples" / f"{name}.rules"
    return conche.load(str(example) if example.exists() else name)


def session_of(
    engine: Engine,
    seats: str,
    seed: int = 1,
    *,
    record: Path | None = None,
    full: bool = False,
    moves: Sequence[Made] = (),
) -> Session:
    recording = None if record is None else Recording(RecordFile(record), full)
    return Session(engine, seats.split(","), seed, make_bots, recording, moves)


def bots_on(session: Session) -> None:
    """Lets the bots play until a person is asked, or the game is over."""
    while not session.state.over and not session.is_person(session.asked):
        session.bot_move()


def person_moves(session: Session, dice: random.Random) -> None:
    """A person moves at random, and the bots after that."""
    seat = session.asked
    session.play(dice.randrange(session.state.count(seat)), seat)
    bots_on(session)
