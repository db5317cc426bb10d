"""Taking back is as if it had never been; it never goes behind what was shown."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from conche.play.session import NotTakenBackError, Session
from conche.play.turns import Turn, knows_more
from conche_runtime.interface import ChanceEvent, ChosenEvent
from conche_runtime.records import PART, read_record

from .tables import bots_on, engine_of, person_moves, session_of

GAMES = [
    ("tictactoe", "human,random"),
    ("tictactoe", "human,human"),
    ("orchard", "random,human,random"),
    ("tricks", "human,random,random,human"),
    ("sealed_bids", "human,random,human"),
    ("cacao", "random,human,random"),
    ("schoko", "human,random"),
]
by_game = pytest.mark.parametrize(("game", "seats"), GAMES, ids=lambda value: value)


def whole(session: Session, record: Path) -> tuple[object, ...]:
    """All that a session is: the position with its streams of chance, what happened, what is written."""
    part = record.with_name(record.name + PART)
    return session.state.to_json(), tuple(session.turns), tuple(session.opening), part.read_text()


@by_game
def test_what_is_taken_back_has_never_been(game: str, seats: str, tmp_path: Path) -> None:
    engine, dice, record, undone = engine_of(game), random.Random(game), tmp_path / "game", 0
    session = session_of(engine, seats, 3, record=record, full=True)
    bots_on(session)
    for _ in range(40):
        if session.state.over:
            break
        before, steps = whole(session, record), dice.randrange(1, 4)
        for _ in range(steps):
            if not session.state.over:
                person_moves(session, dice)
        possible = [] if session.state.over else session.can_undo(session.asked)[0]
        if len(possible) >= steps:
            session.undo(session.asked, steps)
            assert whole(session, record) == before
            undone += 1
            person_moves(session, dice)
    assert undone or game in ("orchard", "tricks"), "nothing could be taken back in this game"
    if not session.state.over:
        session.close(keep=True)
    again = session_of(engine, seats, 3, record=tmp_path / "again", full=True, moves=session.moves)
    if not again.state.over:
        again.close(keep=True)
    assert (tmp_path / "again").read_text() == record.read_text()
    assert again.turns == session.turns
    assert read_record(record).header.seed == 3


def test_a_bot_answers_as_it_would_have(tmp_path: Path) -> None:
    """The same question gets the same answer, whatever was asked, and taken back, in between."""
    engine = engine_of("tictactoe")
    session = session_of(engine, "human,random", 5)
    session.play(4, 0)
    answer = session.bot_move()
    session.undo(0)
    session.play(0, 0)
    session.bot_move()
    session.undo(0)
    session.play(4, 0)
    assert session.bot_move() == answer


def test_half_a_move_is_none(tmp_path: Path) -> None:
    """Whatever an interruption leaves of a position, the moves say what it is."""
    record = tmp_path / "game"
    session = session_of(engine_of("orchard"), "human,random", 5, record=record)
    person_moves(session, random.Random(1))
    before = whole(session, record)
    session.state.step(0)
    assert whole(session, record) != before
    session.settle()
    assert whole(session, record) == before


def test_with_bots_alone_it_is_the_game_of_a_simulation() -> None:
    from conche.bots import make_bots

    engine = engine_of("orchard")
    session = session_of(engine, "random,random", 9)
    bots_on(session)
    state, bots = engine.start(2, 9), make_bots(["random", "random"], 9)
    while not state.over:
        (seat,) = state.to_act
        state.step(bots[seat].choose(state, seat, state.count(seat)), seat)
    assert session.state.to_json() == state.to_json()


# ------------------------------------------------------------------------------------------------ refusals


def refusal(session: Session, moves: int = 1) -> NotTakenBackError:
    before = session.state.to_json()
    with pytest.raises(NotTakenBackError) as caught:
        session.undo(session.asked, moves)
    assert session.state.to_json() == before
    return caught.value


def test_there_may_be_no_move_to_take_back() -> None:
    session = session_of(engine_of("tictactoe"), "random,human")
    bots_on(session)
    refused = refusal(session)
    assert (refused.possible, refused.because, refused.turn) == (0, None, None)


def test_an_outcome_that_was_seen_stays() -> None:
    session = session_of(engine_of("orchard"), "human,human", 1)
    first = session.asked
    pick = next(i for i, move in enumerate(session.state.legal_moves()) if "picked" in move.args)
    session.play(pick, first)
    refused = refusal(session)
    assert refused.because is not None
    assert isinstance(refused.because.what, ChanceEvent)
    assert refused.because.what.source == "trees"
    assert refused.because.seat == session.asked != first
    # What others do without chance, in the open, can be taken back: also by the next one, for him.
    dice = random.Random(0)
    while not any("sold" in move.args for move in session.state.legal_moves()):
        person_moves(session, dice)
    index = next(i for i, move in enumerate(session.state.legal_moves()) if "sold" in move.args)
    asked, before = session.asked, session.state.to_json()
    session.play(index, asked)
    assert session.asked != asked
    (gone,) = session.undo(session.asked)
    assert (gone.player, session.asked, session.state.to_json()) == (asked, asked, before)


def test_a_move_from_a_hidden_hand_stays() -> None:
    """A bot that plays a card of its hand shows it; a person who plays one of hers shows her nothing."""
    session = session_of(engine_of("tricks"), "human,random,random,random", 2)
    bots_on(session)
    assert session.asked == 0
    session.play(0, 0)
    # Until another has moved, it can be taken back, from the host's side.
    assert session.can_undo(0)[0] == [len(session.turns) - 1]
    bots_on(session)
    refused = refusal(session)
    assert refused.because is not None
    assert isinstance(refused.because.what, Turn)
    assert refused.because.what.player != 0


def test_another_person_has_seen_the_card_too() -> None:
    session = session_of(engine_of("tricks"), "human,human,random,random", 2)
    bots_on(session)
    while session.asked != 0:
        person_moves(session, random.Random(1))
    session.play(0, 0)
    assert session.asked == 1
    refused = refusal(session)
    assert refused.because is not None
    assert (refused.because.seat, refused.possible) == (1, 0)


def test_what_others_chose_at_once_stays() -> None:
    session = session_of(engine_of("sealed_bids"), "human,human,random", 4)
    dice = random.Random(2)
    while session.state.decision != "bid":
        person_moves(session, dice)
    before, first = session.state.to_json(), session.asked
    session.play(3, first)
    second = session.asked
    assert second != first
    # The first can still change his mind: nobody has seen what he wrote down.
    session.undo(second)
    assert (session.asked, session.state.to_json()) == (first, before)
    session.play(2, first)
    session.play(1, second)
    bots_on(session)
    refused = refusal(session)
    assert refused.because is not None
    events = [event for turn in session.turns for event in turn.events if isinstance(event, ChosenEvent)]
    assert events


def test_several_moves_are_taken_back_or_none() -> None:
    session = session_of(engine_of("tictactoe"), "human,random", 3)
    for _ in range(2):
        session.play(0, 0)
        bots_on(session)
    assert refusal(session, 3).possible == 2
    assert len(session.undo(0, 2)) == 4
    assert session.turns == []


def test_the_record_of_a_pipe_cannot_be_taken_back() -> None:
    import io

    from conche.bots import make_bots
    from conche.play.recording import Stream
    from conche.play.session import Recording

    text = io.StringIO()
    session = Session(engine_of("tictactoe"), ["human", "random"], 3, make_bots, Recording(Stream(text)))
    session.play(0, 0)
    assert session.recording.file.fixed
    assert text.getvalue().count("\n") == 2


# ------------------------------------------------------------------------------------------------ knowing


def test_who_knows_more() -> None:
    tricks = engine_of("tricks").start(4, 1)
    assert knows_more(tricks, 0, 1)
    assert knows_more(tricks, 1, 0)
    tictactoe = engine_of("tictactoe").start(2, 1)
    assert not knows_more(tictactoe, 0, 1)
    orchard = engine_of("orchard").start(3, 1)
    # The pile is hidden from both alike.
    assert not any(knows_more(orchard, one, two) for one in range(3) for two in range(3))
