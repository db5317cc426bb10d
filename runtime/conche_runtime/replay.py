"""Replay: plays a record again and says where it stops fitting the rules.

Input: an engine, a `Record`. Output: a `ReplayResult` with the first line that no longer fits, and why.

The outcomes of chance are those of the record (the seed is not used for them). Checked are: who is asked
what, that each move is legal, how many options there were, the list of them, the forced decisions, the
states, what was revealed, the scores and the ranking, each where the record has it. A record that is cut
replays to its last whole line; where the outcomes that belong behind its last decision are missing, the state
is the one the seed leads to if that agrees with the whole record, else the one before that decision.

**A seat's record** lacks the outcomes that the seat does not see. They are supplied so that the recorded
moves stay possible, by looking ahead:

1. Who will see an outcome is learnt by trying the step out first (`seen_by` of the events), as often as
   needed.
2. What goes to another seat (a draw into its hand) is the next value among the arguments of that seat's later
   decisions, or of what is revealed of it, that this source can give and that no earlier outcome was supplied
   for.
3. What nobody sees, and what is never shown, is a value that is least missed: the possible one of which most
   copies are left when those of the record's later outcomes and moves are taken off.
4. Where the record then does not fit, a supplied outcome is changed, the latest first: to what the line shows
   (a state, or what is revealed), to an argument of the next recorded move, if it could have been that, else
   to any other; and the game is played again from the start, those attempts first that got furthest, at most
   `RETRIES` times.

This is a guess that fits, not the truth: a seat's record that replays shows that what the seat saw was
possible. One that does not may still have been a true game; the problem then says that no fitting outcomes
were found. Another seat's forced decision is not in the record, unless others could not know that it was
forced: where the supplied outcomes leave that seat a choice there, replay stops. So it does, without a
problem, at a choice whose arguments were not shown to the seat. Another seat that can pass does so where the
next line is not one of its legal moves. What others have chosen at once, which stands in the record when all
have, is chosen in one step.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import TypeAlias

from conche_runtime.errors import ChanceError, IllegalMove, RulesError
from conche_runtime.interface import (
    JSON,
    ChanceEvent,
    ChosenEvent,
    Engine,
    Event,
    ForcedEvent,
    RevealEvent,
    State,
)
from conche_runtime.records import (
    ChanceLine,
    DecisionLine,
    Header,
    Line,
    Record,
    RevealLine,
    ScoresLine,
    StateLine,
    stands_for,
)

RETRIES = 60
"""How often the replay of a seat's record is begun, each time with other supplied outcomes."""

NEAR = 4
"""How many of the latest supplied outcomes are varied where nothing shows which of them is wrong."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`line` counts from 1; the header is line 1. The message is a sentence without a full stop."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How far a record fits.

    `state`: the position reached, None where not even the start fits. `lines_done`: the last line that
    fits (0: none). `complete`: the whole record fits, scores and ranking included. `problem`: the first
    line that does not fit. `same_rules`: the engine has the digest of the record. `note`: what could not
    be checked, None where all was.
    """

    state: State | None
    lines_done: int
    complete: bool
    problem: Problem | None
    same_rules: bool
    note: str | None = None


_Choices: TypeAlias = dict[tuple[str, int], JSON]
"""Supplied outcomes that are settled, by source and number."""

Watcher: TypeAlias = Callable[[State, DecisionLine | None, Sequence[Event]], None]
"""Called for the set-up (no line) and each decision, with the position and the events that followed. In a
seat's record no line stands for a pass of another, nor for all that others choose at once, which the events
tell."""


def replay(
    engine: Engine, record: Record, *, to_line: int | None = None, watch: Watcher | None = None
) -> ReplayResult:
    """Plays the record again, as far as it fits, or until the last decision up to line `to_line`.

    `watch` sees each step once it fits. For a seat's record it is called when all is settled.
    """
    if record.header.seat is None:
        return _Replay(engine, record, to_line, watch, {}).run()
    best: ReplayResult | None = None
    best_choices: _Choices = {}
    # Best first: what to try next comes from the attempt that got furthest.
    open_: list[tuple[int, int, _Choices]] = [(0, 0, {})]
    seen: list[_Choices] = [{}]
    for _ in range(RETRIES):
        if not open_:
            break
        _, _, choices = heapq.heappop(open_)
        attempt = _Replay(engine, record, to_line, None, choices)
        result = attempt.run()
        if best is None or result.problem is None or result.lines_done > best.lines_done:
            best, best_choices = result, choices
        if result.problem is None:
            break
        for other in attempt.other_choices(result.problem.line):
            if other not in seen:
                seen.append(other)
                heapq.heappush(open_, (-result.lines_done, len(seen), other))
    assert best is not None
    if watch is not None:
        _Replay(engine, record, to_line, watch, best_choices).run()
    return best


class _MisfitError(Exception):
    """Carries a problem out of the engine's call."""

    def __init__(self, line: int, message: str, recorded: JSON = None, now: JSON = None) -> None:
        """recorded, now: what is shown that should be the same."""
        super().__init__(message)
        self.problem = Problem(line, message)
        pairs = zip_longest(_names(recorded), _names(now))
        self.missed = [one for one, other in pairs if one is not None and one != other]


class _MissingError(Exception):
    """The record ends before an outcome that is needed."""


@dataclass(frozen=True, slots=True)
class _Supplied:
    """An outcome that was supplied. `number` counts those of its source."""

    source: str
    number: int
    value: JSON
    possible: Sequence[JSON]
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    """A value among the arguments of a later decision."""

    line: int
    player: int
    value: JSON


@dataclass(slots=True)
class _Step:
    """What one step of the game has used so far."""

    after: int
    """The index of the record's line behind the decision."""
    plan: list[tuple[int, ...] | None]
    """By asked outcome: None where the record has it, else the seats that see it."""
    asked: list[tuple[str, JSON]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    """Indices of the record's lines that were given."""
    supplied: list[_Supplied] = field(default_factory=list)
    claimed: set[int] = field(default_factory=set)
    """Indices of tokens."""


class _Replay:
    """One pass over a record."""

    def __init__(
        self,
        engine: Engine,
        record: Record,
        to_line: int | None,
        watch: Watcher | None,
        choices: _Choices,
    ) -> None:
        self.engine, self.record = engine, record
        self.header: Header = record.header
        self.lines: Sequence[Line] = record.lines
        self.seat = record.header.seat
        self.full = record.full
        self.tells = any(isinstance(line, RevealLine) for line in record.lines)
        """Whether what is revealed is in the record; older ones lack it."""
        self.to_line = to_line
        self.watch = watch
        self.choices = choices
        self.at = 0
        """The index of the next line."""
        self.state: State | None = None
        self.supplied: list[_Supplied] = []
        self.claimed: set[int] = set()
        self.tokens = [] if self.seat is None else list(_tokens(self.lines, self.seat))
        self.step = _Step(0, [])
        self.missed: list[JSON] = []
        """What the line of the problem shows that is not so."""

    # -------------------------------------------------------------------------------------------- the pass

    def run(self) -> ReplayResult:
        problem: Problem | None = None
        note: str | None = None
        try:
            note = self._play()
        except _MisfitError as misfit:
            problem, self.missed = misfit.problem, misfit.missed
        if problem is not None and (self.supplied or self.step.supplied):
            message = f"{problem.message}; no hidden outcomes were found with which it fits"
            problem = Problem(problem.line, message)
        if problem is None and note is None and self.supplied:
            who = _seat(self.engine, self.seat or 0)
            note = f"{len(self.supplied)} outcomes that {who} does not see were supplied"
        done = self.lines[self.at - 1].line if self.at else (0 if self.state is None else 1)
        return ReplayResult(
            state=self.state,
            lines_done=done,
            complete=problem is None and self.at == len(self.lines) and self.record.complete,
            problem=problem,
            same_rules=self.engine.digest == self.header.digest,
            note=note,
        )

    def other_choices(self, problem: int) -> list[_Choices]:
        """Supplied outcomes to try instead, best first, after a problem at that line."""
        asked = (line for line in self.lines if isinstance(line, DecisionLine) and line.line >= problem)
        line = next((line for line in asked if not line.forced), None)
        supplied = [*self.supplied, *self.step.supplied][::-1]
        player = line.player if line else None
        near = [one for one in supplied if not one.owners or player in one.owners]
        shown = [value for value in (line.args or {}).values() if _is_name(value)] if line else []
        trials = [(one, value) for value in self.missed for one in supplied if value in one.possible]
        trials += [(one, value) for one in near for value in shown if value in one.possible]
        latest = [*near[:NEAR], *[one for one in supplied if one not in near][:NEAR]]
        trials += [(one, value) for one in latest for value in one.possible]
        others = [(one, value) for one, value in trials if value != one.value]
        return [{**self.choices, (one.source, one.number): value} for one, value in others]

    def _play(self) -> str | None:
        """Plays on; returns what could not be checked. Raises _MisfitError."""
        header = self.header
        try:
            self._advance(None, lambda: self.engine.start(header.players, chance=self._outcome, log=True))
        except ValueError as error:
            raise _MisfitError(1, str(error)) from None
        except _MissingError:
            return self._unfinished()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if self.to_line is not None and line.line > self.to_line:
                return None
            state = self.state
            assert state is not None
            if self._passes(state, line):
                self.step = _Step(self.at, [])
                try:
                    self._advance(None, partial(self._moved, [(state.to_act[0], state.count() - 1)]))
                except _MissingError:
                    return self._unfinished()
                continue
            match line:
                case DecisionLine():
                    lines = self._at_once(state, line)
                    hidden = next((one for one in lines if one.args is None), None)
                    if hidden is not None:
                        who = _seat(self.engine, hidden.player)
                        return f"line {hidden.line}: the choice of {who} was not shown"
                    moves = [(one.player, self._check(state, one)) for one in lines]
                    # What others chose at once is compared with the events.
                    told = self._comes_with_all(line) and _at_once(state)
                    self.at += 0 if told else 1
                    try:
                        self._advance(None if told else line, partial(self._moved, moves))
                    except _MissingError:
                        return self._unfinished()
                case ScoresLine():
                    self._check_scores(state, line)
                    self.at += 1
                case _:
                    raise self._elsewhere(line.line, _describe(line, self.engine), state)
        return None

    def _moved(self, moves: Sequence[tuple[int, int]]) -> State:
        """After moves of some players, each by its number."""
        assert self.state is not None
        state = self.state.clone()
        state.log = []
        for player, index in moves:
            state.step(index, player)
        return state

    def _is_others(self, line: Line) -> bool:
        """Whether it tells of another seat than that whose record it is."""
        return self.seat is not None and isinstance(line, DecisionLine) and line.player != self.seat

    def _comes_with_all(self, line: DecisionLine) -> bool:
        """Whether a line in a seat's record comes when all have chosen, where they choose at once: another's,
        and in a full record that of the seat's own only option."""
        return self.seat is not None and (line.player != self.seat or line.forced)

    def _passes(self, state: State, line: Line) -> bool:
        """Whether another seat passes here, of which its record says nothing."""
        if self.seat is None or state.over or not state.can_pass or state.to_act == (self.seat,):
            return False
        if isinstance(line, DecisionLine) and line.player in state.to_act and line.args is not None:
            try:
                state.find(line.name, line.args, line.player)
            except IllegalMove:
                return True
            return False
        return True

    def _at_once(self, state: State, line: DecisionLine) -> list[DecisionLine]:
        """The lines that are one step: those of all others who are waited for, where they choose at once."""
        if not self._comes_with_all(line) or state.over or not _at_once(state):
            return [line]
        waited = set(state.to_act)
        found: list[DecisionLine] = []
        for other in self.lines[self.at :]:
            if not isinstance(other, DecisionLine) or len(found) == len(waited):
                break
            if not self._is_others(other) and not other.forced:
                break
            if other.player in waited - {one.player for one in found}:
                found.append(other)
        return found or [line]

    def _advance(self, line: DecisionLine | None, run: Callable[[], State]) -> None:
        """Makes a step, with the record's outcomes, and checks what is recorded of it."""
        number = 1 if self.state is None else self.lines[self.at - 1 if line else self.at].line
        plan: list[tuple[int, ...] | None] = []
        # A host's record needs one turn; a seat's: each turn settles at least one more outcome of the step.
        for _ in range(1000):
            self.step = _Step(self.at, plan, claimed=set(self.claimed))
            try:
                state = run()
            except RulesError as error:
                raise _MisfitError(number, f"the rules fail here: {error}") from None
            except (ChanceError, IllegalMove) as error:
                raise _MisfitError(number, str(error)) from None
            events = state.log or []
            if self.seat is None:
                break
            seen = self._who_sees(events)
            if seen == plan[: len(seen)]:
                break
            plan = seen
        state.log = None
        self.at = self._check_events(state, events, self.step.after)
        self.state = state
        self.supplied += self.step.supplied
        self.claimed = self.step.claimed
        self.step = _Step(self.at, [])
        if self.watch is not None:
            self.watch(state, line, events)

    def _unfinished(self) -> str:
        """The record ends within a step. The seed, if there is one, tells how it goes on."""
        self.at = len(self.lines)
        if self._by_seed():
            return "the last outcomes are not in the record; they are the seed's"
        step = "set-up" if self.state is None else "last decision"
        return f"the record ends before all outcomes of the {step}"

    def _by_seed(self) -> bool:
        header = self.header
        if header.seed is None or self.seat is not None:
            return False
        try:
            state = self.engine.start(header.players, header.seed, log=True)
            for line in self.lines:
                if isinstance(line, DecisionLine) and not line.forced and line.args is not None:
                    state.step(state.find(line.name, line.args, line.player), line.player)
        except (ValueError, IllegalMove, RulesError):
            return False
        recorded = [(line.source, line.value) for line in self.lines if isinstance(line, ChanceLine)]
        drawn = [(event.source, event.value) for event in state.log or [] if isinstance(event, ChanceEvent)]
        if drawn[: len(recorded)] != recorded:
            return False
        state.log = None
        self.state = state
        return True

    # -------------------------------------------------------------------------------------------- chance

    def _outcome(self, source: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
        """The chance source of the game that is played again."""
        step = self.step
        number = len(step.asked)
        unknown = number >= len(step.plan)
        owners = None if unknown else step.plan[number]
        line = self._recorded(source) if owners is None else None
        if line is None and (self.seat is None or (owners is None and not unknown)):
            raise self._no_outcome(source)
        value = self._supply(source, outcomes, owners or ()) if line is None else line.value
        if line is not None and not any(_same(value, possible) for possible, _ in outcomes):
            names = ", ".join(_show(possible) for possible, _ in outcomes)
            message = f"'{source}' cannot give {_show(value)} here: {names or 'nothing'} can come"
            raise _MisfitError(line.line, message)
        step.asked.append((source, value))
        return next(possible for possible, _ in outcomes if _same(value, possible))

    def _recorded(self, source: str) -> ChanceLine | None:
        """The next outcome of a source that is recorded for this step."""
        for index in range(self.step.after, len(self.lines)):
            line = self.lines[index]
            if not (_follows(line) or self._is_others(line)):
                return None
            if isinstance(line, ChanceLine) and line.source == source and index not in self.step.used:
                self.step.used.add(index)
                return line
        return None

    def _no_outcome(self, source: str) -> Exception:
        for index in range(self.step.after, len(self.lines)):
            line = self.lines[index]
            if isinstance(line, ChanceLine) and index not in self.step.used:
                what = f"{_describe(line, self.engine)} is recorded"
                return _MisfitError(line.line, f"{what}, but an outcome of '{source}' is needed here")
            if not _follows(line):
                what = f"an outcome of '{source}' is needed before this"
                return _MisfitError(line.line, f"{what}, and none is recorded")
        return _MissingError()

    def _supply(self, source: str, outcomes: Sequence[tuple[JSON, int]], owners: tuple[int, ...]) -> JSON:
        """An outcome that the record does not have: see the module's docstring."""
        step = self.step
        possible = [value for value, _ in outcomes]
        before = [one for one in (*self.supplied, *step.supplied) if one.source == source]
        number = len(before)
        value = self.choices.get((source, number))
        wanted = possible if value is None or value not in possible else [value]
        value = self._demanded(source, outcomes, owners, wanted)
        step.supplied.append(_Supplied(source, number, value, possible, owners))
        return value

    def _demanded(
        self,
        source: str,
        outcomes: Sequence[tuple[JSON, int]],
        owners: tuple[int, ...],
        wanted: Sequence[JSON],
    ) -> JSON:
        """The next of the wanted values that an owner shows later, or the least missed one."""
        step = self.step
        left = {_key(value): weight for value, weight in outcomes if value in wanted}
        rest = range(step.after, len(self.lines))
        needed = Counter(
            _key(line.value)
            for line in (self.lines[index] for index in rest if index not in step.used)
            if isinstance(line, ChanceLine) and line.source == source
        )
        first = self.lines[step.after].line if step.after < len(self.lines) else 1 << 62
        for index, token in enumerate(self.tokens):
            if token.line < first or index in step.claimed:
                continue
            key = _key(token.value)
            if token.player in owners and left.get(key, 0) > (needed[key] if len(wanted) > 1 else 0):
                step.claimed.add(index)
                return token.value
            needed[key] += 1
        # Ties go to the first in the source's order.
        return max(wanted, key=lambda value: left[_key(value)] - needed[_key(value)])

    def _who_sees(self, events: Sequence[Event]) -> list[tuple[int, ...] | None]:
        """By asked outcome: None where the record's seat sees it, else the seats that do. Engines need not
        ask for what is certain, so the asked ones are looked up among the events."""
        chances = [event for event in events if isinstance(event, ChanceEvent)]
        out: list[tuple[int, ...] | None] = []
        at = 0
        for source, value in self.step.asked:
            while at < len(chances) and (chances[at].source, chances[at].value) != (source, value):
                at += 1
            seen_by = chances[at].seen_by if at < len(chances) else None
            at += 1
            out.append(None if seen_by is None or self.seat in seen_by else tuple(seen_by))
        return out

    # -------------------------------------------------------------------------------------------- checks

    def _check(self, state: State, line: DecisionLine) -> int:
        """The index of a decision's move; _MisfitError where it is not asked, not legal or one of others."""
        assert line.args is not None
        move = _describe(line, self.engine)
        if state.over:
            raise _MisfitError(line.line, f"{move} is recorded, but the game is over here")
        if line.player not in state.to_act:
            raise self._elsewhere(line.line, move, state)
        count = state.count(line.player)
        recorded = line.options
        try:
            index = state.find(line.name, line.args, line.player)
        except IllegalMove:
            names = {move.name for move in state.legal_moves(line.player)}
            if line.name not in (state.decision, *names):
                raise self._elsewhere(line.line, move, state) from None
            were = f", {recorded} recorded" if recorded not in (None, count) else ""
            message = f"{move} is not legal here; {count} options{were}"
            raise _MisfitError(line.line, message) from None
        if line.legal is not None and (self.seat in (None, line.player)):
            self._check_legal(state, line)
        if recorded is not None and recorded != count:
            message = f"{move} is legal, but with other options: {recorded} recorded, {count} now"
            raise _MisfitError(line.line, message)
        return index

    def _check_legal(self, state: State, line: DecisionLine) -> None:
        assert line.legal is not None
        moves = state.legal_moves(line.player)
        recorded = {_key([name, args]): (name, args) for name, args in line.legal}
        now = {_key([move.name, move.args]): (move.name, move.args) for move in moves}
        counts = f"{len(line.legal)} legal moves recorded, {len(moves)} now"
        for more, less, what in (
            (recorded, now, "no longer legal"),
            (now, recorded, "legal now and was not"),
        ):
            for key, (name, args) in more.items():
                if key not in less:
                    raise _MisfitError(line.line, f"'{name}' {_words(args)} is {what}; {counts}")

    def _check_events(self, state: State, events: Sequence[Event], at: int) -> int:
        """Compares what followed a decision with the lines behind it; returns the index after them."""
        for event in events:
            match event:
                case ChanceEvent(source, value, seen_by):
                    if self.seat is not None and seen_by is not None and self.seat not in seen_by:
                        continue
                    what = f"'{source}' gives {_show(value)}"
                    fits = at < len(self.lines) and self._is_chance(self.lines[at], source, value)
                case RevealEvent(of, value, seen_by):
                    if not self.tells or not (self.seat is None or seen_by is None or self.seat in seen_by):
                        continue
                    told = RevealLine(0, of, value)
                    what = f"{_describe(told, self.engine)} is revealed"
                    fits = at < len(self.lines) and _is_told(self.lines[at], told)
                case ForcedEvent(player, name, args, private):
                    others = self.seat not in (None, player)
                    if not private if others else not self.full:
                        continue
                    move = f"{_seat(self.engine, player)}'s '{name}' {_words(args)}".rstrip()
                    what = f"{move} is taken without asking"
                    fits = at < len(self.lines) and _is_made(self.lines[at], event, args, not others)
                case ChosenEvent(player, name, args, forced, seen_by):
                    others = self.seat not in (None, player)
                    if not others and not (forced and self.full):
                        continue
                    seen = not others or seen_by is None or self.seat in seen_by
                    what = f"{_seat(self.engine, player)}'s '{name}' {_words(args if seen else {})}".rstrip()
                    shown = args if seen else None
                    fits = at < len(self.lines) and _is_made(self.lines[at], event, shown, not others)
            if not fits:
                if at == len(self.lines):
                    return at  # a cut record: what follows is not in it
                line = self.lines[at]
                message = f"{_describe(line, self.engine)} is recorded, but {what} here"
                if isinstance(event, RevealEvent) and isinstance(line, RevealLine):
                    raise _MisfitError(line.line, message, line.value, event.value)
                raise _MisfitError(line.line, message)
            at += 1
        if self.seat is not None and not stands_for(state, self.seat):
            return at  # what is recorded next may be of later
        if at < len(self.lines) and isinstance(line := self.lines[at], StateLine):
            self._check_state(state, line)
            at += 1
        if at < len(self.lines) and _follows(line := self.lines[at]):
            raise self._elsewhere(line.line, _describe(line, self.engine), state)
        return at

    def _elsewhere(self, line: int, what: str, state: State) -> _MisfitError:
        return _MisfitError(line, f"{what} is recorded, but play stands at {_asked(state, self.engine)}")

    @staticmethod
    def _is_chance(line: Line, source: str, value: JSON) -> bool:
        return isinstance(line, ChanceLine) and line.source == source and _same(line.value, value)

    def _check_state(self, state: State, line: StateLine) -> None:
        now = state.snapshot() if self.seat is None else state.view(self.seat)
        if _same(line.state, now):
            return
        for name in sorted({*line.state, *now}):
            old, new = line.state.get(name), now.get(name)
            if not _same(old, new):
                raise _MisfitError(
                    line.line, f"'{name}' is another: {_short(old)} recorded, {_short(new)} now", old, new
                )

    def _check_scores(self, state: State, line: ScoresLine) -> None:
        if not state.over:
            raise self._elsewhere(line.line, "the end", state)
        for seat, (old, new) in enumerate(zip(line.scores, state.scores, strict=True)):
            for name in sorted({*old, *new}, key=lambda name: (name == "total", name)):
                if old.get(name) != new.get(name):
                    message = f"{_seat(self.engine, seat)}'s score '{name}': {_short(old.get(name))} recorded"
                    raise _MisfitError(line.line, f"{message}, {_short(new.get(name))} now")
        if not _same(line.ranking, state.ranking):
            raise _MisfitError(
                line.line, f"the ranking: {_show(line.ranking)} recorded, {_show(state.ranking)} now"
            )


# ------------------------------------------------------------------------------------------------ small
# helpers


def _tokens(lines: Sequence[Line], seat: int) -> list[_Token]:
    """What others show of what they have: in their moves, and where it is revealed. What is revealed and
    then moved is one thing."""
    found: list[_Token] = []
    revealed: Counter[tuple[int, str]] = Counter()
    for line in lines:
        if isinstance(line, RevealLine):
            player, values = _owner(line.what), list(_names(line.value))
            if player is not None and player != seat:
                for key, number in Counter(map(_key, values)).items():
                    new = number - revealed[player, key]
                    found += [_Token(line.line, player, json.loads(key))] * new
                    revealed[player, key] = number
        elif isinstance(line, DecisionLine) and line.args is not None and line.player != seat:
            for value in filter(_is_name, line.args.values()):
                if revealed[line.player, _key(value)]:
                    revealed[line.player, _key(value)] -= 1
                else:
                    found.append(_Token(line.line, line.player, value))
    return found


def _owner(path: str) -> int | None:
    """The seat in the path of a player's variable or zone, `hand[2]`."""
    number = path.removesuffix("]").rpartition("[")[2]
    return int(number) if path.endswith("]") and number.isdecimal() else None


def _names(value: JSON) -> Iterator[JSON]:
    """The names and numbers in a value, in their order."""
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _names(part)
    elif _is_name(value):
        yield value


def _key(value: JSON) -> str:
    """Equal for equal values alone: 1, true and "1" differ, lists and tuples do not."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _same(one: JSON, other: JSON) -> bool:
    return _key(one) == _key(other)


def _is_name(value: JSON) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _follows(line: Line) -> bool:
    """Whether a line tells what followed a decision."""
    told = isinstance(line, ChanceLine | RevealLine | StateLine)
    return told or (isinstance(line, DecisionLine) and line.forced)


def _at_once(state: State) -> bool:
    """Whether several choose at once, even if one alone is still waited for."""
    asked = state.snapshot()["decision"]
    return asked is not None and "chosen" in asked


def _is_told(line: Line, told: RevealLine) -> bool:
    return isinstance(line, RevealLine) and line.what == told.what and _same(line.value, told.value)


def _is_made(
    line: Line, event: ForcedEvent | ChosenEvent, args: Mapping[str, JSON] | None, forced: bool
) -> bool:
    """Whether a line tells of a decision that was made without a line of its own."""
    return (
        isinstance(line, DecisionLine)
        and line.forced == forced
        and (line.player, line.name) == (event.player, event.name)
        and _same(line.args, None if args is None else dict(args))
    )


def _seat(engine: Engine, seat: int) -> str:
    """The name of a seat; of one that the rules do not name, its number."""
    return engine.seats[seat] if seat < len(engine.seats) else f"seat {seat}"


def _describe(line: Line, engine: Engine) -> str:
    match line:
        case ChanceLine(_, source, value):
            return f"{_show(value)} from '{source}'"
        case RevealLine(_, what, value):
            return f"{_show(value)} of '{what}'"
        case DecisionLine():
            forced = "forced " if line.forced else ""
            return f"{_seat(engine, line.player)}'s {forced}'{line.name}' {_words(line.args or {})}".rstrip()
        case StateLine():
            return "a state"
        case ScoresLine():
            return "the end"


def _asked(state: State, engine: Engine) -> str:
    if state.over:
        return "the end of the game"
    return " and ".join(f"{_seat(engine, seat)}'s '{state.decision}'" for seat in state.to_act)


def _words(args: Mapping[str, JSON]) -> str:
    return " ".join(f"{name} {_show(value)}" for name, value in args.items())


def _show(value: JSON) -> str:
    """A value for people."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(value: JSON) -> str:
    shown = _show(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"
