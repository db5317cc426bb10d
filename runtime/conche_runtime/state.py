"""The base of all generated states: the run loop, chance, and the interface of `State`.

A generated state adds its slots, `clone` and the blocks. It waits at `at`, a decision of two or more options
(`options` of them, asked of seat `actor`), at `OVER`, or, when the rules have failed in a move, at `FAILED`.

A block is a function of the state that gives the next block, or None where the state waits. What the rules
forbid is raised as `Fault`; so is, by way of Python's own errors, what has no value: a table without such an
entry, a seat that does not play, a division by 0. The run loop makes a `RulesError` of it, with the line of
the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from conche_runtime import samples, saves, several, show
from conche_runtime.arguments import checked_args, checked_seat, frozen, not_legal, shown, whole
from conche_runtime.chance import GOLDEN, MASK
from conche_runtime.errors import RULES_FAILED, ChanceError, IllegalMove, RulesError, SaveError
from conche_runtime.faults import FAULTS, Fault, rules_error
from conche_runtime.interface import JSON, ChanceEvent, ChanceSource, Event, ForcedEvent, Move, RevealEvent
from conche_runtime.layout import FAILED, OVER, Decision, Game, Stream
from conche_runtime.moves import EngineMove
from conche_runtime.several import SEVERAL

if TYPE_CHECKING:
    from conche_runtime.explanation import Asked, Explainer, Explanation

ALL: Final = -1
"""Everybody sees an outcome."""

NOBODY: Final = -2
"""Nobody does."""

TURNS: Final = range(1_000_000)
"""So many blocks between two decisions are taken for a loop that never ends."""

_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


class EngineState:
    """A position of a game. See `conche_runtime.interface.State`."""

    __slots__ = ("actor", "at", "chance", "draws", "found", "keys", "log", "options", "players", "seed")
    game: ClassVar[Game]
    explainer: ClassVar[Explainer | None] = None
    """What explains moves: the compiler has it, and `conche.load` puts it here."""

    players: int
    at: Decision
    options: int
    actor: int
    found: Sequence[Any]
    """What was worked out when the options were counted."""
    seed: int | None
    keys: tuple[int, ...]
    draws: list[int]
    chance: ChanceSource | None
    log: list[Event] | None

    # Slots of generated states where players can be out, or choose at once.
    out: tuple[int, ...] = ()
    """The seats of those who are, in the order in which they left."""
    playing: tuple[int, ...] = ()
    """The seats of the others, ascending."""
    asked: tuple[int, ...] = ()
    """At a decision asked of SEVERAL: the seats waited for, in the order of asking."""

    # ---------------------------------------------------------------------------------------- questions

    @property
    def over(self) -> bool:
        return self.at is OVER

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.at is OVER or self.at is FAILED:
            return ()
        return self.asked if self.actor == SEVERAL else (self.actor,)

    @property
    def can_pass(self) -> bool:
        return self.at.passes

    @property
    def decision(self) -> str | None:
        return self.at.name or None

    @property
    def scores(self) -> list[dict[str, int]]:
        found = []
        try:
            for seat in range(self.players):
                parts = {name: value(self, seat) for name, value in self.game.scores}
                found.append({"total": sum(parts.values()), **parts})
        except FAULTS as fault:
            raise rules_error(self.game, fault) from None
        return found

    @property
    def ranking(self) -> list[list[int]]:
        out = self.out
        try:
            # Who is in comes before who is out, a later exit before an earlier one.
            keys = [
                (out.index(seat) if seat in out else len(out), *self.game.rank(self, seat))
                for seat in range(self.players)
            ]
        except FAULTS as fault:
            raise rules_error(self.game, fault) from None
        return [
            [seat for seat, key in enumerate(keys) if key == best] for best in sorted(set(keys), reverse=True)
        ]

    # ---------------------------------------------------------------------------------------- moves

    def count(self, player: int | None = None) -> int:
        if player is not None and player != self.actor:
            if player in self.asked:
                return int(self.found[player])
            self._check_asked(player)
            return 0
        return self.options or (self.found[several.chooser(self, player)] if self._several else 0)

    def step(self, index: int, player: int | None = None) -> None:
        if index.__class__ is not int:
            index = whole(index)
        if not 0 <= index < self.options or (player is not None and player != self.actor):
            if self.actor != SEVERAL:
                raise self._refusal(player, index)
            seat = several.chooser(self, player)
            self._choose(self.at.step, several.checked(self, index, seat), seat)
            return
        if self.chance is not None:
            self._outside(self.at.step, index)
            return
        try:
            block = self.at.step(self, index)
            for _ in TURNS:
                if block is None:
                    return
                block = block(self)
            raise Fault("the rules never come to another decision")
        except FAULTS as fault:
            raise self._failed(fault) from None

    def apply(self, move: Move, player: int | None = None) -> None:
        if not self.options or (player is not None and player != self.actor):
            if not self._several:
                raise self._refusal(player)
            self._choose(self.at.apply, move, several.chooser(self, player))
            return
        if self.chance is not None:
            self._outside(self.at.apply, move)
            return
        try:
            block = self.at.apply(self, move)
            for _ in TURNS:
                if block is None:
                    return
                block = block(self)
            raise Fault("the rules never come to another decision")
        except FAULTS as fault:
            raise self._failed(fault) from None

    def move(self, index: int, player: int | None = None) -> Move:
        if index.__class__ is not int:
            index = whole(index)
        if not 0 <= index < self.options or (player is not None and player != self.actor):
            if not self._several:
                raise self._refusal(player, index)
            seat = several.chooser(self, player)
            one: Move = self.at.move(self, several.checked(self, index, seat), seat)
            return one
        try:
            move: Move = self.at.move(self, index)
        except FAULTS as fault:
            raise rules_error(self.game, fault) from None
        return move

    def legal_moves(self, player: int | None = None) -> list[Move]:
        if not self.options or (player is not None and player != self.actor):
            self._check_asked(player)
            if not self._several or (player is not None and player not in self.asked):
                return []
            return list(self._ask(self.at.moves, several.chooser(self, player)))
        try:
            return self.at.moves(self)
        except FAULTS as fault:
            raise rules_error(self.game, fault) from None

    def find(self, name: str, args: Mapping[str, JSON], player: int | None = None) -> int:
        moves = self.legal_moves(several.chooser(self, player) if self._several else player)
        wanted = frozen(checked_args(args))
        for index, move in enumerate(moves):
            if move.name == name and frozen(move.args) == wanted:
                return index
        raise not_legal(name, args) if moves else self._refusal(player)

    def _check_asked(self, player: int | None) -> None:
        """Whoever is not asked has no moves; but a seat that is not there cannot be asked about."""
        if player is not None:
            checked_seat(player, self.players)

    @property
    def _several(self) -> bool:
        """Whether several choose at once."""
        return self.actor == SEVERAL and self.at is not OVER

    def _ask(self, question: Callable[..., Any], *args: Any) -> Any:
        try:
            return question(self, *args)
        except FAULTS as fault:
            raise rules_error(self.game, fault) from None

    def _choose(self, take: Callable[[Any, Any, int], None], option: Any, seat: int) -> None:
        """One of several who choose at once chooses."""
        if self.chance is not None:
            self._outside(lambda state, chosen: several.choose(state, take, chosen, seat), option)
            return
        try:
            block = several.choose(self, take, option, seat)
        except FAULTS as fault:
            raise self._failed(fault) from None
        if block is not None:
            self.run(block)

    def _refusal(self, player: int | None, index: int | None = None) -> IllegalMove:
        """Why a question or a move is out of place."""
        if not self.options:
            return IllegalMove("the game is over" if self.at is OVER else RULES_FAILED)
        if player is not None and player != self.actor:
            seat = checked_seat(player, self.players)
            # Who is asked where one can pass, the others may not know.
            who = "" if self.at.passes else f": seat {self.actor} is"
            return IllegalMove(f"seat {seat} is not to act{who}")
        return IllegalMove(f"there is no option {shown(index)}: they are numbered 0..{self.options - 1}")

    def _fail(self) -> None:
        """Nobody is asked any more: what a move changed before the rules failed is not taken back."""
        self.at, self.options, self.actor, self.found = FAILED, 0, 0, ()
        if self.asked:
            several.ask_nobody(self)

    def _failed(self, fault: BaseException) -> RulesError:
        self._fail()
        return rules_error(self.game, fault)

    # ---------------------------------------------------------------------------------------- running on

    def run(self, block: Callable[[Any], Any] | None) -> None:
        """Goes on from a block to the next decision of two or more options, or to the end."""
        try:
            for _ in TURNS:
                if block is None:
                    return
                block = block(self)
            raise Fault("the rules never come to another decision")
        except FAULTS as fault:
            raise self._failed(fault) from None

    def _outside(self, take: Callable[[Any, Any], Any], option: Any) -> None:
        """A step with outside chance: on a copy first, since the outside may give what cannot happen."""
        trial = self.clone()
        trial.chance, trial.log = self.chance, None if self.log is None else []
        try:
            trial.run(take(trial, option))
        except RulesError:
            self._fail()
            raise
        except FAULTS as fault:
            raise self._failed(fault) from None
        log = self.log
        self._become(trial)
        if log is not None:
            log += trial.log or ()
        self.log = log

    def _become(self, other: EngineState) -> None:
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                setattr(self, name, getattr(other, name))

    # ---------------------------------------------------------------------------------------- chance

    def draw(self, counts: list[int], start: int, stop: int, size: int, stream: int, seen: int) -> int:
        """Takes one of `size` pieces, of which there are `counts[start:stop]` of each kind; gives its
        kind."""
        if self.chance is None:
            number = self.draws[stream] = self.draws[stream] + 1
            z = self.keys[stream] + number * GOLDEN & MASK
            z = (z ^ z >> 30) * _FIRST & MASK
            z = (z ^ z >> 27) * _SECOND & MASK
            left = (z ^ z >> 31) * size >> 64
            for at in range(start, stop):
                left -= counts[at]
                if left < 0:
                    break
        else:
            kinds = [kind for kind in range(stop - start) if counts[start + kind]]
            at = start + kinds[self._ask_outside(stream, [(kind, counts[start + kind]) for kind in kinds])]
        counts[at] -= 1
        if self.log is not None:
            self._note_chance(stream, at - start, seen)
        return at - start

    def draw_alike(
        self,
        counts: list[int],
        start: int,
        stop: int,
        size: int,
        stream: int,
        seen: int,
        alike: Sequence[int],
    ) -> int:
        """As `draw`, where some kinds have the same name: an outcome is a name, and it is the lowest of its
        kinds that is taken. alike: for each kind the first of its name."""
        if self.chance is None:
            number = self.draws[stream] = self.draws[stream] + 1
            z = self.keys[stream] + number * GOLDEN & MASK
            z = (z ^ z >> 30) * _FIRST & MASK
            z = (z ^ z >> 27) * _SECOND & MASK
            left = (z ^ z >> 31) * size >> 64
            kind = 0
            for kind in range(stop - start):
                left -= counts[start + kind]
                if left < 0:
                    break
        else:
            weights: dict[int, int] = {}
            for kind in range(stop - start):
                if counts[start + kind]:
                    weights[alike[kind]] = weights.get(alike[kind], 0) + counts[start + kind]
            kind = list(weights)[self._ask_outside(stream, list(weights.items()))]
        kind = alike[kind]
        while not counts[start + kind]:
            kind += 1
        counts[start + kind] -= 1
        if self.log is not None:
            self._note_chance(stream, kind, seen)
        return kind

    def pick(self, values: Sequence[Any], stream: int) -> Any:
        """One of some values, equally likely."""
        if not values:
            raise Fault(f"'{self.game_stream(stream)[0].path}' has nothing to choose from")
        if self.chance is None:
            number = self.draws[stream] = self.draws[stream] + 1
            z = self.keys[stream] + number * GOLDEN & MASK
            z = (z ^ z >> 30) * _FIRST & MASK
            z = (z ^ z >> 27) * _SECOND & MASK
            value = values[(z ^ z >> 31) * len(values) >> 64]
        else:
            value = values[self._ask_outside(stream, [(value, 1) for value in values])]
        if self.log is not None:
            self._note_chance(stream, value, ALL)
        return value

    def game_stream(self, number: int) -> tuple[Stream, str]:
        """A stream by its number, and its path with the seat."""
        for stream in reversed(self.game.streams):
            if stream.first <= number:
                return stream, stream.paths(self.game.max_players)[number - stream.first]
        raise AssertionError(number)

    def _ask_outside(self, number: int, outcomes: list[tuple[Any, int]]) -> int:
        """Which of the possible outcomes, (code, weight), the outside gives."""
        assert self.chance is not None
        stream, path = self.game_stream(number)
        shown = [(stream.codec.show(code), weight) for code, weight in outcomes]
        answer = self.chance(path, list(shown))
        for index, (value, _) in enumerate(shown):
            if frozen(value) == frozen(answer):
                return index
        possible = ", ".join(json.dumps(value) for value, _ in shown)
        raise ChanceError(f"{answer!r} cannot come from '{path}' now; possible: {possible}")

    # ---------------------------------------------------------------------------------------- events

    def _note_chance(self, number: int, code: Any, seen: int) -> None:
        assert self.log is not None
        stream, path = self.game_stream(number)
        self.log.append(ChanceEvent(path, stream.codec.show(code), _seats(seen)))

    def note_forced(self, player: int, move: EngineMove, private: bool = False) -> None:
        """A decision with one option was taken."""
        if self.log is not None:
            self.log.append(ForcedEvent(player, move.name, move.args, private))

    def note_shown(self, what: str, value: JSON, seen: int) -> None:
        """The rules revealed something."""
        if self.log is not None:
            self.log.append(RevealEvent(what, value, _seats(seen)))

    def note_learnt(self, name: str, seat: int | None, kind: int, known: int, seen: int) -> None:
        """The next piece of a pile is seen, which those of the mask `known` knew: told if that is news."""
        if seen != NOBODY and (-1 if seen == ALL else 1 << seen) & ~known:
            value = self.game.zone_named[name].kinds.show(kind)
            self.note_shown(name if seat is None else f"{name}[{seat}]", value, seen)

    # ---------------------------------------------------------------------------------------- copies and
    # pictures

    def clone(self) -> EngineState:
        raise NotImplementedError

    def to_json(self) -> str:
        if self.at is FAILED:
            raise SaveError(RULES_FAILED)
        return saves.to_json(self)

    def snapshot(self) -> dict[str, JSON]:
        return show.snapshot(self)

    def view(self, player: int) -> dict[str, JSON]:
        self._check_seat(player)
        return show.view(self, player)

    def sample(self, player: int, seed: int | None = None) -> EngineState:
        self._check_seat(player)
        if self.at is FAILED:
            raise IllegalMove(RULES_FAILED)
        return samples.redraw(self, player, seed)

    def explain(self, player: int, what: Asked) -> Explanation:
        self._check_seat(player)
        from conche_runtime.explanation import no_rules  # seldom needed

        explainer = type(self).explainer
        if explainer is None:
            raise no_rules(self.game.ruleset)
        return explainer(self, player, what)

    def _check_seat(self, player: int) -> None:
        checked_seat(player, self.players)


def _seats(seen: int) -> tuple[int, ...] | None:
    if seen == ALL:
        return None
    return () if seen == NOBODY else (seen,)


__all__ = ["ALL", "NOBODY", "EngineState", "RulesError"]
