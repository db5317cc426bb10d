"""Games that reach the rules: which of them play comes to, and when.

Purpose: shows that every rule of a module can matter, by a game in which it does. Input: a ruleset's graph,
its modules, a budget. Output: a `Witness`: for every rule the first game and move that reaches it, and the
games, as the options that were taken.
Invariants: the same seed and budget give the same games. The search looks one decision ahead, in the
reference interpreter: of a few options it takes the one after which the most rules are reached for the first
time, then the one that leads to what was seen seldom: rules, numbers that players have, pieces that they own.
Every other game also likes points. What is not reached may still be possible.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.interpret.position import GAME, Position
from conche.lattice.rules import Rule, rules_of
from conche.lattice.tracing import TracingMachine, Watch
from conche.semantics.typed_module import TypedModule


@dataclass(frozen=True, slots=True)
class Budget:
    """So many games at most, `width` options looked at in a decision, `decisions` at most in a game."""

    games: int = 8
    width: int = 6
    decisions: int = 400


@dataclass(frozen=True, slots=True)
class Game:
    """`taken`: the numbers of the options, decision by decision. `new`: how many rules it was the first to
    reach. `over`: played to its end."""

    players: int
    seed: int
    taken: tuple[int, ...]
    new: int
    over: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """A rule, and where it was first reached: in which game, after which move (0: in the set-up). None: not
    within the budget."""

    rule: Rule
    game: int | None
    move: int | None


@dataclass(frozen=True, slots=True)
class Witness:
    """`games`: those that reached something new. `played`: how many were played."""

    ruleset: str
    seed: int
    budget: Budget
    rules: tuple[Reached, ...]
    games: tuple[Game, ...]
    played: int

    @property
    def missing(self) -> list[Rule]:
        return [one.rule for one in self.rules if one.game is None]


def find_witness(
    graph: ActionGraph,
    modules: Sequence[TypedModule],
    *,
    players: int | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    progress: Callable[[int], None] | None = None,
) -> Witness:
    """Plays until every rule is reached or the budget is spent. `players`: by default every number in turn.
    `RulesError` where the rules do what they forbid."""
    budget = budget or Budget()
    rules = rules_of(graph, modules)
    search = _Search(graph, rules, budget)
    low, high = graph.rulebook.players
    games: list[Game] = []
    played = 0
    while played < budget.games and len(search.first) < len(rules):
        count = low + played % (high - low + 1) if players is None else players
        game = search.play(count, seed + played, len(games), greedy=played % 2 == 1)
        played += 1
        if game.new:
            games.append(game)
        if progress is not None:
            progress(played)
    reached = tuple(Reached(rule, *search.first.get(n, (None, None))) for n, rule in enumerate(rules))
    return Witness(graph.rulebook.ruleset, seed, budget, reached, tuple(games), played)


Feature = tuple[str, str, int]
"""A number that a player has: of a variable, or of pieces of a kind."""


@dataclass(slots=True)
class _Looked:
    """What an option leads to."""

    position: Position
    reached: dict[int, int]
    features: set[Feature]
    worth: float


@dataclass(slots=True)
class _Search:
    graph: ActionGraph
    rules: Sequence[Rule]
    budget: Budget
    interpreter: Interpreter = field(init=False)
    watch: Watch = field(init=False)
    first: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By rule, game and move."""
    often: Counter[int] = field(default_factory=Counter)
    known: Counter[Feature] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.graph)
        self.watch = Watch(self.rules, self.graph.rulebook)

    def play(self, players: int, seed: int, number: int, *, greedy: bool) -> Game:
        """One game, in which rules are noted as those of game `number`."""
        rnd = random.Random(seed)
        machine = self._machine(self.interpreter.before_setup(players, seed))
        machine.run()
        before, taken = len(self.first), list[int]()
        self._note(machine.reached, number, 0)
        position = machine.position
        while position.node != ActionGraph.END and len(taken) < self.budget.decisions:
            asked = self._machine(position)
            options = len(asked.options())
            seat = asked.to_act()[0]
            self._note(asked.reached, number, len(taken))
            looked = {
                index: self._look(position, index, seat if greedy else None)
                for index in self._sample(options, rnd)
            }
            best = max(looked, key=lambda index: (looked[index].worth, rnd.random()))
            position = looked[best].position
            taken.append(best)
            self._note(looked[best].reached, number, len(taken))
            self.known.update(looked[best].features)
        over = position.node == ActionGraph.END
        if over:
            self._score(position, number, len(taken))
        return Game(players, seed, tuple(taken), len(self.first) - before, over)

    def _machine(self, position: Position) -> TracingMachine:
        return TracingMachine(self.interpreter.program, position, self.watch)

    def _sample(self, options: int, rnd: random.Random) -> list[int]:
        """Some options: always the first and the last."""
        if options <= self.budget.width:
            return list(range(options))
        return sorted({0, options - 1, *rnd.sample(range(options), self.budget.width - 2)})

    def _look(self, position: Position, index: int, seat: int | None) -> _Looked:
        machine = self._machine(position.copy())
        machine.take(machine.options()[index])
        machine.run()
        reached = dict(machine.reached)
        new = sum(number not in self.first for number in reached)
        worth = 5.0 * new + sum(1 / (1 + self.often[number]) for number in reached)
        features = _features(machine.position)
        worth += sum(1 / (1 + self.known[feature]) for feature in features)
        if seat is not None:
            scores = self.interpreter.program.book.rulebook.scores
            worth += 0.1 * sum(machine.evaluator.score(name, seat) for name in scores)
        return _Looked(machine.position, reached, features, worth)

    def _note(self, reached: dict[int, int], game: int, move: int) -> None:
        for number, times in reached.items():
            self.first.setdefault(number, (game, move))
            self.often[number] += times

    def _score(self, position: Position, game: int, move: int) -> None:
        """The end: what was worked out for the scores, and those that brought somebody something."""
        machine = self._machine(position)
        found: dict[int, int] = {}
        for name, number in self.watch.scores.items():
            if any(machine.evaluator.score(name, seat) for seat in range(position.players)):
                found[number] = 1
        machine.evaluator.ranking()
        self._note({**machine.reached, **found}, game, move)


def _features(position: Position) -> set[Feature]:
    found = {
        (name, "", value)
        for (name, seat), value in position.variables.items()
        if seat != GAME and isinstance(value, int)
    }
    for (name, seat), heap in position.heaps.items():
        if seat != GAME:
            found |= {(name, kind, number) for kind, number in heap.total().items()}
    return found
