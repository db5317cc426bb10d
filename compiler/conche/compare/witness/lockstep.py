"""Two versions play one game, move by move.

Purpose: where do they first differ?
Input: two interpreters, a number of players, a seed; then moves. Output: the `Split` between them, or None.
Invariants: both draw chance by the same seed and the same names of sources, and make the same move, found
by name and arguments; compared are whether the game is over, who is asked what, the options, all that lies
on the table under a name that both have, and at the end the scores and the ranking (with `scoring` at any
time, as if the game ended then). Nothing is compared after the first difference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from conche.compare.witness.model import Differs, Move
from conche.compare.witness.words import Words
from conche.interpret import Interpreter, InterpreterState
from conche.why.words import json_text
from conche_runtime.errors import ConcheError, RulesError

_MOST_LINES = 6

Step: TypeAlias = tuple[int, int]
"""A player, and the number of the move among those that this player can make."""

Path: TypeAlias = tuple[str | int | tuple[int, int], ...]
"""Where something stands in a snapshot: names, numbers of seats and places, spaces of a board."""


@dataclass(frozen=True, slots=True)
class Split:
    """The first difference: of what kind, at which decision, and how each side looks."""

    differs: Differs
    decision: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that differs: a legal move of one side alone (`move`, `old`: whether it is the old side's), a
    part of the snapshot (`path`) or a score (`score`, of a seat)."""

    path: Path = ()
    old: Any = None
    new: Any = None
    move: Move | None = None
    score: tuple[str, int] | None = None


class Lockstep:
    """One game on both sides."""

    def __init__(self, old: Interpreter, new: Interpreter, players: int, seed: int, scoring: bool) -> None:
        self.engines = (old, new)
        self.players, self.seed, self.scoring = players, seed, scoring
        self.moves: list[Move] = []
        self.steps: list[Step] = []
        self.split: Split | None = None
        self.states: list[InterpreterState] = []
        self._start()

    @property
    def old(self) -> InterpreterState:
        return self.states[0]

    @property
    def over(self) -> bool:
        return self.split is not None or self.old.over

    def _start(self) -> None:
        faults: list[str | None] = []
        for engine in self.engines:
            try:
                self.states.append(engine.start(self.players, self.seed))
                faults.append(None)
            except RulesError as error:
                faults.append(str(error))
            except ValueError as error:  # not for so many players
                faults.append(str(error))
        if any(faults):
            if len(set(faults)) > 1:
                self.split = replace(self._faults(faults, "setup"), differs=Differs.SETUP)
            return
        self.split = self._compare(Differs.SETUP)

    @property
    def begun(self) -> bool:
        return len(self.states) == 2

    def step(self, player: int, index: int) -> None:
        """Makes a player's move of that number on the old side, and the same move on the other."""
        move = self.old.move(index, player)
        self.moves.append(Move(player, move.name, move.args))
        self.steps.append((player, index))
        faults: list[str | None] = []
        for state in self.states:
            try:
                state.step(state.find(move.name, move.args, player), player)
                faults.append(None)
            except RulesError as error:
                faults.append(str(error))
        if any(faults):
            self.split = self._faults(faults, move.name)
            return
        self.split = self._compare(Differs.EFFECTS)

    def _faults(self, faults: list[str | None], decision: str) -> Split:
        """Where rules fail. On both sides alike there is nothing to compare further."""
        old, new = ((fault or "goes on",) for fault in faults)
        return Split(Differs.RULES, decision, old, new)

    def _compare(self, effects: Differs) -> Split | None:
        try:
            return self._table(effects) or self._asked() or self._scores()
        except ConcheError as error:
            return Split(Differs.RULES, "", (str(error),), (str(error),))

    def _table(self, effects: Differs) -> Split | None:
        old, new = (state.snapshot() for state in self.states)
        if old == new:
            return None
        facts: list[Fact] = []
        for name in old.keys() & new.keys() - {"decision"}:
            _unlike(old[name], new[name], (name,), facts)
        if not facts:
            return None
        facts.sort(key=lambda fact: str(fact.path))
        shown = facts[:_MOST_LINES]
        return Split(
            effects,
            self.moves[-1].name if self.moves else "setup",
            tuple(f"{self._name(fact.path)}: {self._said(fact.path, fact.old)}" for fact in shown),
            tuple(f"{self._name(fact.path)}: {self._said(fact.path, fact.new)}" for fact in shown),
            tuple(facts),
        )

    def _asked(self) -> Split | None:
        old, new = self.states
        asked = [self._question(state) for state in self.states]
        if asked[0] != asked[1]:
            return Split(
                Differs.MOVES, old.decision or new.decision or "", (asked[0],), (asked[1],), (Fact(),)
            )
        found = (self._options(player, asked[0]) for player in old.to_act)
        return next((split for split in found if split is not None), None)

    def _options(self, player: int, asked: str) -> Split | None:
        moves = [{_key(move): move for move in state.legal_moves(player)} for state in self.states]
        if moves[0].keys() == moves[1].keys():
            return None
        facts, lines = [], []
        for side, other in ((0, 1), (1, 0)):
            only = [move for key, move in moves[side].items() if key not in moves[other]]
            facts += [Fact(old=side == 0, move=Move(player, move.name, move.args)) for move in only]
            shown = [f"{asked}: {len(moves[side])} options"]
            words = Words(self.engines[side])
            shown += [
                f"only here: {words.arguments(move.name, move.args) or '(no arguments)'}"
                for move in only[: _MOST_LINES - 1]
            ]
            if len(only) >= _MOST_LINES:
                shown.append(f"and {len(only) - _MOST_LINES + 1} more")
            lines.append(tuple(shown))
        return Split(Differs.MOVES, self.old.decision or "", lines[0], lines[1], tuple(facts))

    def _question(self, state: InterpreterState) -> str:
        if state.over:
            return "the game is over"
        seats = " and ".join(map(self._seat, state.to_act))
        return f"{seats} chooses {state.decision}"

    def _scores(self) -> Split | None:
        if not self.old.over and not self.scoring:
            return None
        scores = [state.scores for state in self.states]
        facts = [
            Fact(old=scores[0][seat][name], new=scores[1][seat][name], score=(name, seat))
            for seat in range(self.players)
            for name in scores[0][seat].keys() & scores[1][seat].keys()
            if scores[0][seat][name] != scores[1][seat][name]
        ]
        facts.sort(key=lambda fact: (fact.score is not None and fact.score[0] == "total", str(fact.score)))
        lines: list[list[str]] = [[], []]
        for fact in facts[:_MOST_LINES]:
            assert fact.score is not None
            for side, value in zip(lines, (fact.old, fact.new), strict=True):
                side.append(f"score {fact.score[0]} of {self._seat(fact.score[1])}: {value}")
        rankings = [state.ranking for state in self.states]
        if rankings[0] != rankings[1] and (self.old.over or self.scoring):
            for side, ranking in zip(lines, rankings, strict=True):
                places = [" and ".join(map(self._seat, place)) for place in ranking]
                side.append(f"ranking: {', '.join(places)}")
        if not lines[0]:
            return None
        return Split(Differs.SCORES, "", tuple(lines[0]), tuple(lines[1]), tuple(facts))

    def _seat(self, seat: int) -> str:
        return self.engines[0].program.book.seat_name(seat)

    def _name(self, path: Path) -> str:
        name, *rest = path
        rules = self.engines[0].program.book.rulebook
        owner = next(
            (group[name].owner for group in (rules.zones, rules.variables, rules.tracks) if name in group),  # type: ignore[index]
            "game",
        )
        if owner == "player" and rest and isinstance(rest[0], int):
            name, rest = f"{name} of {self._seat(rest[0])}", rest[1:]
        return " ".join(map(str, (name, *rest)))

    def _said(self, path: Path, value: Any) -> str:
        """A value; the spaces, edges or players of a variable in words."""
        book = self.engines[0].program.book
        name = str(path[0])
        whole = len(path) == (2 if name in book.rulebook.variables and book.owner_of(name) == "player" else 1)
        if isinstance(value, list) and name in book.rulebook.variables and whole:
            return json_text(book, value, book.type_of(name))
        return _value(value)


def _unlike(old: Any, new: Any, path: Path, facts: list[Fact]) -> None:
    """The places in which two snapshots differ."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            _unlike(old.get(key), new.get(key), (*path, key), facts)
    elif isinstance(old, list) and isinstance(new, list) and _spaces(old) and _spaces(new):
        ours, theirs = ({tuple(entry["at"]): entry for entry in side} for side in (old, new))
        for at in sorted(ours.keys() | theirs.keys()):
            if at in ours and at in theirs:
                _unlike(ours[at], theirs[at], (*path, at), facts)
            else:
                facts.append(Fact((*path, at), ours.get(at), theirs.get(at)))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            _unlike(left, right, (*path, number), facts)
    else:
        facts.append(Fact(path, old, new))


def _spaces(value: list[Any]) -> bool:
    """Whether it lists the spaces of a board."""
    return all(isinstance(entry, dict) and "at" in entry for entry in value)


def _key(move: Any) -> str:
    return json.dumps([move.name, move.args], sort_keys=True)


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
