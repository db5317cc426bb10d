"""One attempt at rules that no game has reached: a game, or a piece of one that goes on from a position.

Purpose: the part of the search for a witness that plays; it can run in any process. Input: a `Task`. Output:
an `Attempt`: the moves that were made, the positions they led to, how near those are to what is looked for,
and what was reached on the way, by moves that were only looked at too.
Invariants: the same task gives the same attempt; an attempt knows nothing of others but what its task says.
Of a few options, each with chance of its own, that one is taken after which the conditions of the rule that
is aimed at are nearest; without an aim, the one after which most is new.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.interpret.evaluate import Evaluator
from conche.interpret.options import Option
from conche.interpret.position import GAME, Position
from conche.lattice.distance import Atom, Meter, total
from conche.lattice.goals import Goal, goals_of, ways_of
from conche.lattice.rules import Rule
from conche.lattice.tracing import TracingMachine, Watch

Feature = tuple[str, str, int]
"""A number that a player has: of a variable, or of pieces of a kind."""

_WIDER = 3
"""Towards an aim, so many times as many options are looked at, if they are different enough."""

_REACHED = 1e6

_AT_RANDOM = 0.1
"""In so many decisions an option is taken without a look."""


@dataclass(frozen=True, slots=True)
class Task:
    """`position`: where to go on from; None: a new game of so many players, begun with this seed. `aim`: a
    rule by number. `measured`: for which others positions are measured too. `reached`, `seen`: what is not
    new. `greedy`: points are liked. `best`: as long as nothing is nearer than that, options are taken at
    random; None: always the nearest. `width`: so many options are looked at, in at most so many
    `decisions`."""

    seed: int
    players: int
    position: Position | None
    aim: int | None
    measured: tuple[int, ...]
    reached: frozenset[int]
    seen: frozenset[Feature]
    greedy: bool
    best: float | None
    width: int
    decisions: int


Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """The number of the option, and the seed of all chance from it on; None: chance goes on as it was."""

    index: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made: where it led to, all that was reached, how near that is to what, by rule, and
    what players have that was not seen."""

    move: Move
    position: Position
    reached: tuple[int, ...]
    near: dict[int, Vector]
    features: tuple[Feature, ...]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A move that was only looked at, after so many that were made: what was new there."""

    after: int
    move: Move
    new: tuple[int, ...]


@dataclass(slots=True)
class Attempt:
    """`set_up`: of a new game, the rules that were reached before the first decision."""

    set_up: tuple[int, ...] = ()
    start: Position | None = None
    made: list[Made] = field(default_factory=list)
    glimpses: list[Glimpse] = field(default_factory=list)
    looks: int = 0


@dataclass(slots=True)
class _Looked:
    move: Move
    position: Position
    reached: dict[int, int]
    near: dict[int, tuple[Atom, ...]]
    features: set[Feature]
    worth: float = 0.0


class Player:
    """Plays attempts at the rules of one ruleset."""

    def __init__(self, graph: ActionGraph, rules: Sequence[Rule]) -> None:
        self.interpreter = Interpreter(graph)
        self.watch = Watch(rules, graph.rulebook)
        self.goals = goals_of(graph, rules)
        self.ways = ways_of(graph)

    def play(self, task: Task) -> Attempt:
        rnd = random.Random(task.seed)
        done, known = Attempt(), set(task.reached)
        position = task.position
        if position is None:
            machine = self._machine(self.interpreter.before_setup(task.players, task.seed))
            machine.run()
            position = machine.position
            done.start, done.set_up = position, tuple(sorted(machine.reached))
            known |= machine.reached.keys()
        weights = [rnd.choice((1.0, 1.0, 1.0, 4.0)) for _ in range(12)]
        wide = task.aim is not None and not self.goals[task.aim].at_end
        last, loose = 0.0, task.best is not None
        while position.node != ActionGraph.END and len(done.made) < task.decisions:
            asked = self._machine(position)
            options, seat = asked.options(), asked.to_act()[0]
            looked = [
                self._look(position, options, index, rnd.getrandbits(31), task)
                for index in _sample(options, task.width * (_WIDER if wide else 1), rnd)
            ]
            done.looks += len(looked)
            for one in looked:
                self._value(one, task, known, weights, last, seat)
            best = max(looked, key=lambda one: (one.worth, rnd.random()))
            if loose and task.best is not None:
                far = sum(atom.cost for atom in best.near.get(task.aim or 0, ()))
                if task.aim not in best.near or (far >= task.best and best.worth < _REACHED):
                    best = rnd.choice(looked)
                else:
                    loose = False
            last = -best.worth
            for one in looked:
                new = tuple(sorted(one.reached.keys() - known))
                if one is not best and new:
                    done.glimpses.append(Glimpse(len(done.made), one.move, new))
            reached = best.reached.keys() | asked.reached.keys()
            others = self._near(best.position, [rule for rule in task.measured if rule not in known])
            near = {
                rule: tuple(atom.cost for atom in atoms) for rule, atoms in {**best.near, **others}.items()
            }
            features = tuple(sorted(best.features - task.seen))
            done.made.append(Made(best.move, best.position, tuple(sorted(reached)), near, features))
            known |= reached
            position = best.position
            if task.position is not None and task.aim in known:
                break
        return done

    def _machine(self, position: Position, looked_for: Sequence[Goal] = ()) -> TracingMachine:
        return TracingMachine(
            self.interpreter.program, position, self.watch, looked_for=looked_for, ways=self.ways
        )

    def _look(
        self, position: Position, options: Sequence[Option], index: int, seed: int, task: Task
    ) -> _Looked:
        aims = [self.goals[task.aim]] if task.aim is not None else []
        position = position.copy()
        position.seed = seed
        machine = self._machine(position, [goal for goal in aims if goal.query is not None])
        machine.take(options[index])
        machine.run()
        if position.node == ActionGraph.END:
            machine.finish(self.watch)
        near = {**machine.near, **self._near(position, [goal.rule for goal in aims])}
        for goal in aims:
            if goal.query is not None and goal.at_end and goal.rule not in near:
                near |= self._near_at_end(position, goal)
        return _Looked(Move(index, seed), position, machine.reached, near, features_of(position))

    def _near(self, position: Position, rules: Sequence[int]) -> dict[int, tuple[Atom, ...]]:
        """How near the conditions of rules are."""
        meter = Meter(Evaluator(self.interpreter.program.book, position), self.ways)
        return {
            rule: meter.nearest(goal.ways)
            for rule in rules
            for goal in [self.goals[rule]]
            if goal.query is None and (goal.at_end or position.node != ActionGraph.END)
        }

    def _near_at_end(self, position: Position, goal: Goal) -> dict[int, tuple[Atom, ...]]:
        """How near the conditions of a goal in a query would be, were the game over now."""
        machine = self._machine(position, [goal])
        machine.evaluator.ranking()
        return machine.near

    def _value(
        self,
        one: _Looked,
        task: Task,
        known: set[int],
        weights: Sequence[float],
        last: float,
        seat: int,
    ) -> None:
        """How much an option is liked."""
        new = sum(number not in known for number in one.reached)
        fresh = sum(feature not in task.seen for feature in one.features)
        over = one.position.node == ActionGraph.END
        if task.aim is not None:
            if task.aim in one.reached:
                one.worth = _REACHED
            elif task.aim in one.near:
                atoms = one.near[task.aim]
                one.worth = -sum(w * atom.cost for w, atom in zip(weights, atoms, strict=False))
                if total(atoms) == 0 and not self.goals[task.aim].at_end:
                    one.worth -= 1.0  # met, but past the place where it matters
            else:
                one.worth = -last
            one.worth += 0.05 * min(10, fresh) - (1e3 if over and total(one.near.get(task.aim, ())) else 0.0)
            return
        one.worth = 5.0 * new + 0.5 * fresh
        if task.greedy:
            evaluator = Evaluator(self.interpreter.program.book, one.position)
            one.worth += 0.1 * evaluator.total(seat)


def _sample(options: Sequence[Option], width: int, rnd: random.Random) -> list[int]:
    """Some options, in which as many different values as can be occur of every argument; the last one too."""
    number = len(options)
    if rnd.random() < _AT_RANDOM:
        return [rnd.randrange(number)]
    if number <= width:
        # Chance is tried more often where there is little to choose.
        return [index for _ in range(max(1, min(3, width // (4 * number)))) for index in range(number)]
    order = rnd.sample(range(number), number)
    found, values = [number - 1], set[object]()
    for index in order:
        option = options[index]
        here = {(option.case, place, value) for place, value in enumerate(option.values)}
        if index != number - 1 and (not here or not here <= values):
            found.append(index)
            values |= here
        if len(found) >= width:
            break
    rest = [index for index in order if index not in found]
    return sorted([*found, *rest[: max(0, width // _WIDER - len(found))]])


def features_of(position: Position) -> set[Feature]:
    found = {
        (name, "", value)
        for (name, seat), value in position.variables.items()
        if seat != GAME and isinstance(value, int)
    }
    for (name, seat), heap in position.heaps.items():
        if seat != GAME:
            found |= {(name, kind, number) for kind, number in heap.total().items()}
    return found
