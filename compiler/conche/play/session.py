"""A game that people play, without any terminal: who sits where, what was done, taking back.

Purpose: what stands behind `conche play`. Input: an engine, a seed, who sits where, moves. Output: positions,
turns, the record.
Invariants: the moves and the seed are the whole truth; whatever else there is follows from them. So a move
that was taken back has never been made: position, streams of chance and record are those of the game without
it, and a saved game goes on as if it had not been interrupted. In a game with people each bot is made anew
for every decision, from the seed and the number of moves made before, so that this holds for bots too.

Taking back: `undo` goes to the last decision that a person made; the answers of bots go with it. It goes no
further than to where a person has been shown what was hidden before, see `turns.learnt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from conche.play.recording import RecordFile, Stream
from conche.play.turns import Learnt, Turn, learnt, turn_at
from conche_runtime.chance import draw, stream_key
from conche_runtime.errors import ConcheError, SaveError
from conche_runtime.interface import JSON, Engine, Event, RevealEvent, State
from conche_runtime.records import Recorder

if TYPE_CHECKING:
    from conche.bots import Bot

HUMAN = "human"
"""What a seat is called that a person has."""

BotMaker = Callable[[Sequence[str], int], "Sequence[Bot]"]
"""The bots of some names, for a seed: `conche.bots.make_bots`."""


class NotTakenBackError(ConcheError):
    """A move cannot be taken back. `possible`: how many can be; `because`: what was learnt; `turn`: in which
    turn; both None where there are no more moves."""

    def __init__(self, possible: int, because: Learnt | None, turn: Turn | None) -> None:
        super().__init__(possible, because, turn)
        self.possible, self.because, self.turn = possible, because, turn


@dataclass(frozen=True, slots=True)
class Made:
    """A move that is to be made again: by name, as in records."""

    player: int
    name: str
    args: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Recording:
    """How a game is recorded, and where."""

    file: RecordFile | Stream
    full: bool = False
    seat: int | None = None


class Session:
    """A game at a table. `seats`: by seat HUMAN or the name of a bot."""

    def __init__(
        self,
        engine: Engine,
        seats: Sequence[str],
        seed: int,
        make_bots: BotMaker,
        recording: Recording | None = None,
        moves: Sequence[Made] = (),
    ) -> None:
        """With `moves` those are made first; SaveError where one does not fit."""
        self.engine, self.seats, self.seed = engine, tuple(seats), seed
        self.people = tuple(seat for seat, name in enumerate(seats) if name == HUMAN)
        self.recording = recording or Recording(Stream())
        self.turns: list[Turn] = []
        self.opening: list[Event] = []
        """What happened in the set-up."""
        self._make_bots = make_bots
        self._table: Sequence[Bot | None] = ()
        if not self.people:
            # As in simulations: one bot for each name, from the first decision to the last.
            self._table = make_bots(self.seats, seed)
        self._told: frozenset[tuple[int, int]] = frozenset()
        self._seen: dict[int, int] = {}
        """How many turns each person had been shown when moves were taken back last."""
        if moves:
            with self.recording.file.anew():
                self._recorder = self._replayed(moves)
        else:
            self._recorder = self._begin()
        self._ended()

    def _begin(self) -> Recorder:
        state = self.engine.start(len(self.seats), self.seed, log=True)
        kept = self.recording
        recorder = Recorder(self.engine, state, kept.file, full=kept.full, seat=kept.seat, seed=self.seed)
        self.turns, self.opening = [], list(recorder.opening)
        self._told = self._private(self.opening)
        return recorder

    def _replayed(self, moves: Sequence[Made]) -> Recorder:
        self._recorder = self._begin()
        for number, move in enumerate(moves):
            try:
                self._make(self.state.find(move.name, move.args, move.player), move.player)
            except ConcheError as error:
                raise SaveError(f"move {number + 1} does not fit the rules: {error}") from error
        return self._recorder

    # -------------------------------------------------------------------------------------- questions

    @property
    def state(self) -> State:
        return self._recorder.state

    @property
    def moves(self) -> list[Made]:
        return [Made(turn.player, turn.name, turn.args) for turn in self.turns]

    @property
    def asked(self) -> int:
        """The seat whose move is waited for. Where several choose at once the bots choose first: no one is
        kept waiting for them."""
        waiting = self.state.to_act
        return next((seat for seat in waiting if seat not in self.people), waiting[0])

    def is_person(self, seat: int) -> bool:
        return seat in self.people

    def since(self, seat: int) -> int:
        """The number of the last turn that a person took, 0 where there is none."""
        return max((number for number, turn in enumerate(self.turns) if turn.player == seat), default=0)

    # -------------------------------------------------------------------------------------- playing

    def bot_move(self) -> Turn:
        """The bot that is asked makes its move."""
        seat, state = self.asked, self.state
        if self.people:
            number = len(self.turns)
            (bot,) = self._make_bots([self.seats[seat]], draw(stream_key(self.seed, "play"), number))
        else:
            found = self._table[seat]
            assert found is not None
            bot = found
        return self.play(bot.choose(state, seat, state.count(seat)), seat)

    def play(self, index: int, seat: int) -> Turn:
        """Makes a move by its number. Errors as `State.step`."""
        turn = self._make(index, seat)
        self._ended()
        return turn

    def _ended(self) -> None:
        """The record of a game that is over gets its name."""
        if self.state.over:
            self.close(keep=True)

    def _make(self, index: int, seat: int) -> Turn:
        turn = turn_at(self.state, index, seat, self.people)
        turn = replace(turn, ahead=turn.ahead | self._told)
        events = self._recorder.apply(index, seat)
        self._told |= self._private(events)
        turn = replace(turn, events=tuple(events))
        self.turns.append(turn)
        return turn

    def _private(self, events: Sequence[Event]) -> frozenset[tuple[int, int]]:
        """Who was told what a person was not: it stands in no view."""
        return frozenset(
            (knower, seat)
            for event in events
            if isinstance(event, RevealEvent) and event.seen_by is not None
            for knower in event.seen_by
            for seat in self.people
            if seat not in event.seen_by
        )

    # -------------------------------------------------------------------------------------- taking back

    def can_undo(self, seat: int) -> tuple[list[int], NotTakenBackError]:
        """The numbers of the turns that can be taken back to, the last first, when `seat` asks for it; and
        why it goes no further."""
        found: list[int] = []
        shown = self._shown_at(seat)
        for number in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[number]
            # What the asker knows comes first: it is the best of reasons to tell.
            for person in sorted(self.people, key=lambda person: (person != seat, person)):
                because = learnt(turn, person) if number < shown[person] else None
                if because is not None:
                    return found, NotTakenBackError(len(found), because, turn)
            if turn.player in self.people:
                found.append(number)
        return found, NotTakenBackError(len(found), None, None)

    def _shown_at(self, seat: int) -> dict[int, int]:
        """How many turns each person has been shown when `seat` is asked. After a move a person sees what
        comes of it, until the next one is asked."""
        shown = {**dict.fromkeys(self.people, 0), **self._seen, seat: len(self.turns)}
        for number, turn in enumerate(self.turns):
            if turn.player in self.people:
                after = range(number + 1, len(self.turns))
                end = next((at for at in after if self.turns[at].player in self.people), len(self.turns))
                shown[turn.player] = max(shown[turn.player], end)
        return shown

    def undo(self, seat: int, moves: int = 1) -> list[Turn]:
        """Takes back the last moves of people, and what followed on them; returns what was taken back.
        NotTakenBackError, with nothing changed, where that goes too far."""
        found, refusal = self.can_undo(seat)
        if moves > len(found):
            raise refusal
        keep = found[moves - 1]
        gone = self.turns[keep:]
        self._seen = {person: min(number, keep) for person, number in self._shown_at(seat).items()}
        with self.recording.file.anew():
            self._recorder = self._replayed(self.moves[:keep])
        return gone

    def settle(self) -> None:
        """Plays all moves again: after an interruption the position may be half of the next one."""
        if not self.recording.file.fixed:
            with self.recording.file.anew():
                self._recorder = self._replayed(self.moves)

    def close(self, keep: bool = False) -> None:
        """Ends the record where it stands; with `keep` it gets its name."""
        self._recorder.close()
        self.recording.file.close(keep)
