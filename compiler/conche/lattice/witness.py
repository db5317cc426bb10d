"""Games that reach the rules: which of them play comes to, when, and what stands in the way of the others.

Purpose: shows that every rule of a module can matter, by a game in which it does. Input: a ruleset's graph,
its modules, a budget. Output: a `Witness`: for every rule the game and the move that reach it, the games, and
for what was not reached the condition that stayed false and how near it came.
Invariants: the same seed and budget give the same games, on however many cores. What is not reached may still
be possible.

First many games are played fast, on the generated engine (`scouting.py`): at random, then with wishes. Those
that do something new are played again here, where it is known what the rules are.

For what is still missing the search makes attempts (`attempt.py`). Each aims at one rule that play has come
close to: the rule that it stands in is reached. It goes on from a position of an earlier attempt: for each
rule there is an archive of those in which its conditions were near, one for every different set of distances,
so that what is near in another respect is kept too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from conche.graph.model import ActionGraph
from conche.graph.titles import show
from conche.interpret import Interpreter
from conche.interpret.evaluate import Evaluator
from conche.interpret.position import Position
from conche.lattice.absent import absent_kinds, waiting_for
from conche.lattice.attempt import Attempt, Feature, Move, Task, Vector
from conche.lattice.distance import NEVER, Atom, Meter
from conche.lattice.games import Game, Trace, trace_of
from conche.lattice.goals import Goal, Kind, goals_of, ways_of
from conche.lattice.hand import Hand, Job, Result, engine_text
from conche.lattice.rules import Rule, rules_of
from conche.lattice.scouting import Scouting
from conche.lattice.tracing import Watch
from conche.semantics.typed_module import TypedModule
from conche.workers import spread

__all__ = ["Budget", "Game", "Reached", "Wait", "Witness", "find_witness"]

_LAG = 6
"""An attempt knows what all but the last so many have found: so many can be under way at the same time."""

_EXPLORING = 2
"""So many attempts at first aim at nothing."""

_ALONE = 3.0
"""So many seconds are worked in this process alone."""

_PIECE = 24
"""So many decisions has an attempt that goes on from a position."""

_AT_END = 4
"""An attempt at what counts when the game is over counts for so many: it plays to the end."""

_MEASURED = 3
"""For so many rules a position is measured beside the one aimed at."""

_CELLS = 60
"""So many positions are kept for a rule."""


@dataclass(frozen=True, slots=True)
class Budget:
    """So many games at most that aim at a rule on the interpreter, whole ones or pieces that go on from a
    position; `width` options looked at in a decision, `decisions` at most in a game. Before that, on the
    engine, a number of times as many."""

    games: int = 60
    width: int = 6
    decisions: int = 400

    @property
    def at_random(self) -> int:
        """So many games at random on the engine."""
        return 60 * self.games

    @property
    def errands(self) -> int:
        """So many games with a wish, for which many more are tried out."""
        return self.games


@dataclass(frozen=True, slots=True)
class Wait:
    """A condition in the words of the rules, how it `stayed`, how `far` it was from being met, and the
    `numbers` that it is about, if it is."""

    text: str
    stayed: str
    numbers: str
    far: float


@dataclass(frozen=True, slots=True)
class Ask:
    """A condition in the words of the rules, and what it must be: `holds`, `is not empty`, …"""

    text: str
    must: str


@dataclass(frozen=True, slots=True)
class Reached:
    """A rule, and where it is first reached: in which game, after which move (0: in the set-up). None: not
    within the budget; then `waits` are the conditions that were not met where all of them together were the
    nearest; where that was not measured, `asks` are those that must be met at once. `behind`: what it stands
    in or is called from was not reached either. `absent`: kinds of pieces without which it cannot be, and of
    which there are none."""

    rule: Rule
    game: int | None
    move: int | None
    waits: tuple[Wait, ...] = ()
    behind: Rule | None = None
    absent: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()


@dataclass(frozen=True, slots=True)
class Witness:
    """`games`: those that reach something that no game before does, short ones first. `scouted`: how many
    games were played on the engine, `played`: how many attempts were made on the interpreter, `looks`: how
    many moves were tried in them."""

    ruleset: str
    seed: int
    budget: Budget
    rules: tuple[Reached, ...]
    games: tuple[Game, ...]
    scouted: int
    played: int
    looks: int

    @property
    def missing(self) -> list[Reached]:
        return [one for one in self.rules if one.game is None]


def find_witness(
    graph: ActionGraph,
    modules: Sequence[TypedModule],
    *,
    players: int | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    only: str | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Witness:
    """Plays until every rule is reached or the budget is spent. `players`: by default every number in turn.
    `only`: the module whose rules are looked for; None: all. `RulesError` where the rules do what they
    forbid."""
    rules = rules_of(graph, modules)
    wanted = frozenset(n for n, rule in enumerate(rules) if only is None or rule.module == only)
    search = _Search(graph, rules, budget or Budget(), seed, players, wanted)
    if not wanted:
        return search.witness()
    text = engine_text(graph)
    for result in _results(graph, rules, text, search, workers):
        if result is not None:
            search.pending.append(result)
        if progress is not None:
            progress(int(search.done * search.budget.games))
    for attempt in search.pending:
        assert isinstance(attempt, Attempt)
        search.learn(attempt)
    return search.witness()


def _results(
    graph: ActionGraph, rules: Sequence[Rule], text: str | None, search: _Search, workers: int
) -> Generator[Result]:
    """In the order of their jobs. Other processes are begun when the first ones have taken some time."""
    hand, begun, jobs = Hand(graph, rules, text), time.monotonic(), search.jobs(scouts=text is not None)
    for job in jobs:
        yield hand.work(job)
        if workers > 1 and time.monotonic() - begun > _ALONE:
            break
    else:
        return
    given = (graph, tuple(rules), text)
    with closing(
        spread(_work, jobs, workers=min(workers, _LAG // 3), prepare=_prepare, given=given)
    ) as others:
        yield from others


_hand: Hand | None = None


def _prepare(graph: ActionGraph, rules: Sequence[Rule], text: str | None) -> None:
    global _hand
    _hand = Hand(graph, rules, text)


def _work(job: Job) -> Result:
    assert _hand is not None
    return _hand.work(job)


@dataclass(frozen=True, slots=True)
class _Snap:
    """Where a move led to: by which one, from where; None: the set-up of a game. A move that was only looked
    at has no position. `whole`: of a game that was played on the engine all of it, up to here."""

    before: _Snap | None
    move: Move | None
    position: Position | None
    depth: int
    players: int
    seed: int
    whole: Game | None = None

    def game(self) -> Game:
        if self.whole is not None:
            return self.whole
        moves: list[Move] = []
        here: _Snap | None = self
        while here is not None and here.move is not None:
            moves.append(here.move)
            here = here.before
        over = self.position is not None and self.position.node == ActionGraph.END
        return Game(self.players, self.seed, tuple(reversed(moves)), 0, over)

    def back(self, steps: int) -> _Snap:
        here = self
        while steps and here.before is not None:
            here, steps = here.before, steps - 1
        return here


@dataclass(slots=True)
class _Cell:
    vector: Vector
    snap: _Snap
    visits: int = 0


@dataclass(slots=True)
class _Search:
    graph: ActionGraph
    rules: Sequence[Rule]
    budget: Budget
    seed: int
    players: int | None
    wanted: frozenset[int]
    goals: list[Goal] = field(init=False)
    shortest: dict[int, _Snap] = field(default_factory=dict)
    """By rule, where it was reached after the fewest moves."""
    seen: set[Feature] = field(default_factory=set)
    archive: dict[int, dict[Vector, _Cell]] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)
    pending: list[Result] = field(default_factory=list)
    traces: dict[Game, Trace] = field(default_factory=dict)
    scouted: int = 0
    done: float = 0.0
    """The part of the budget that is used up."""
    begun: list[tuple[Task, _Snap | None]] = field(default_factory=list)
    learnt: int = 0
    looks: int = 0
    absent: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By rule that cannot be, the kinds of pieces that there would have to be."""

    def __post_init__(self) -> None:
        self.goals = goals_of(self.graph, self.rules)

    @property
    def tables(self) -> Sequence[int]:
        """Numbers of players."""
        low, high = self.graph.rulebook.players
        return range(low, high + 1) if self.players is None else [self.players]

    def _is_enough(self) -> bool:
        """Whether all is reached that can be."""
        return self.wanted <= self.shortest.keys() | self.absent.keys()

    def _leave_out_what_cannot_be(self) -> None:
        if not self._is_enough():
            waiting = waiting_for(self.graph, self.rules, absent_kinds(self.graph, self.tables))
            self.absent = {rule: kinds for rule, kinds in waiting.items() if rule not in self.shortest}

    # ------------------------------------------------------------------------------------ jobs

    def jobs(self, *, scouts: bool) -> Iterator[Job]:
        """What is to be done. Results must be appended to `pending` in the order of the jobs, as far as there
        are any, and all but those of the last six jobs when the next one is asked for."""
        if scouts:
            yield from self._scout()
        else:
            self._leave_out_what_cannot_be()
        before = self.done
        for number, task in enumerate(self._tasks()):
            self.done = before + (1 - before) * number / self.budget.games
            yield task

    def _round(self, jobs: Sequence[Job], share: float, into: list[Result]) -> Iterator[Job]:
        """Some jobs, and then none until all their results are there."""
        for job in jobs:
            yield job
            self.done += share / len(jobs)
        while len(self.pending) < len(jobs):
            yield None
        into[:], self.pending[:] = self.pending, []

    def _scout(self) -> Iterator[Job]:
        scouting = Scouting(self.budget, self.seed, self.tables)
        for jobs, share in scouting.at_random():
            results: list[Result] = []
            yield from self._round(jobs, share, results)
            yield from self._follow(scouting, results)
            if self._is_enough():
                return
        self._leave_out_what_cannot_be()
        ways = ways_of(self.graph)
        for number in range(self.budget.errands):
            aims = self._aims()
            rnd = random.Random(f"{self.seed} errands {number}")
            jobs = scouting.errands([self.goals[aim] for aim in aims], ways, self.graph.rulebook, rnd)
            if not jobs:
                return
            results = []
            yield from self._round(jobs, 0.0, results)
            yield from self._follow(scouting, results)
            self.done = 0.2 + 0.5 * scouting.sent / self.budget.errands
            if self._is_enough():
                return

    def _follow(self, scouting: Scouting, results: Sequence[Result]) -> Iterator[Job]:
        """Plays again what scouts found, to see what it reaches."""
        games = scouting.worth_it(results)
        self.scouted = scouting.played
        traces: list[Result] = []
        yield from self._round(games, 0.0, traces)
        for game, trace in zip(games, traces, strict=True):
            assert isinstance(game, Game)
            assert isinstance(trace, dict)
            for rule, move in sorted(trace.items()):
                if rule not in self.shortest or move < self.shortest[rule].depth:
                    over = game.over and move == len(game.moves)
                    whole = Game(game.players, game.seed, game.moves[:move], 0, over)
                    self.shortest[rule] = _Snap(None, None, None, move, game.players, game.seed, whole)
                    self.traces[whole] = {one: at for one, at in trace.items() if at <= move}

    def _tasks(self) -> Iterator[Task]:
        """Each knows of just those before the last few, however many are under way."""
        for number in range(self.budget.games):
            while self.learnt <= number - _LAG:
                attempt = self.pending.pop(0)
                assert isinstance(attempt, Attempt)
                self.learn(attempt)
            if self._is_enough():
                return
            task, start = self._task(number)
            self.begun.append((task, start))
            yield task

    def _task(self, number: int) -> tuple[Task, _Snap | None]:
        rnd = random.Random(f"{self.seed} {number}")
        low, high = self.graph.rulebook.players
        players = low + number % (high - low + 1) if self.players is None else self.players
        aims = self._aims() if number >= _EXPLORING and number % 8 != 7 else []
        aim = min(aims, key=lambda rule: (self.tries.get(rule, 0), self._best(rule), rule), default=None)
        start, loose = None, False
        measured = aims or self._aims()
        if aim is not None:
            tries = self.tries.get(aim, 0)
            self.tries[aim] = tries + (_AT_END if self.goals[aim].at_end else 1)
            loose = rnd.random() < min(0.8, 0.3 + 0.05 * tries)
            start = self._start(aim, rnd, loose=loose)
            measured = [rule for rule in measured if rule != aim]
        measured = [rule for rule in measured if not self.goals[rule].at_end]
        measured = rnd.sample(measured, min(len(measured), _MEASURED))
        whole = start is None or (aim is not None and self.goals[aim].at_end)
        task = Task(
            seed=self.seed + number if start is None else rnd.getrandbits(31),
            players=players if start is None else start.players,
            position=None if start is None else start.position,
            aim=aim,
            measured=tuple(measured),
            reached=frozenset(self.shortest),
            seen=frozenset(self.seen),
            greedy=number % 2 == 1,
            best=self._best(aim) if aim is not None and loose else None,
            width=self.budget.width,
            decisions=self.budget.decisions if whole else _PIECE,
        )
        return task, start

    def _aims(self) -> list[int]:
        """Rules that play has come close to, one of those that have the same conditions."""
        alike: dict[object, int] = {}
        for goal in self.goals:
            is_open = not goal.behind or any(rule in self.shortest for rule in goal.behind)
            missing = goal.rule in self.wanted - self.shortest.keys() - self.absent.keys()
            if missing and goal.in_play and any(goal.ways) and is_open and not self._hopeless(goal.rule):
                alike.setdefault((goal.ways, goal.query), goal.rule)
        return list(alike.values())

    def _hopeless(self, rule: int) -> bool:
        return rule in self.archive and self._best(rule) >= NEVER

    def _best(self, rule: int) -> float:
        return min((sum(vector) for vector in self.archive.get(rule, ())), default=1e9)

    def _start(self, aim: int, rnd: random.Random, *, loose: bool) -> _Snap | None:
        """A position to go on from, or one some moves before it; None: a new game."""
        cells = list(self.archive.get(aim, {}).values())
        if not cells or rnd.random() < 0.1:
            return None
        if loose:
            cells = rnd.sample(cells, min(len(cells), 4))
        weights = [rnd.choice((1.0, 1.0, 1.0, 4.0)) for _ in range(12)]

        def worth(cell: _Cell) -> float:
            far = sum(w * v for w, v in zip(weights, cell.vector, strict=False))
            return max(0.1, far + 1.5) * (1 + cell.visits / 4)

        cell = min(cells, key=worth)
        cell.visits += 1
        return cell.snap.back(rnd.choice((0, 0, 0, 1, 2, 4, 8)))

    # ------------------------------------------------------------------------------------ results

    def learn(self, attempt: Attempt) -> None:
        """The results must come in the order of the tasks."""
        task, start = self.begun[self.learnt]
        self.learnt += 1
        self.looks += attempt.looks
        snap = start or _Snap(None, None, attempt.start, 0, task.players, task.seed)
        self._reach(attempt.set_up, snap)
        snaps = [snap]
        for made in attempt.made:
            snap = _Snap(snap, made.move, made.position, snap.depth + 1, snap.players, snap.seed)
            snaps.append(snap)
            self._reach(made.reached, snap)
            self.seen.update(made.features)
            for rule, vector in made.near.items():
                # Met here, but nobody asks: it is past the place where it matters.
                is_past = not self.goals[rule].at_end and all(part <= 0 for part in vector)
                if made.position.node != ActionGraph.END and not is_past:
                    self._keep(rule, vector, snap)
        for glimpse in attempt.glimpses:
            here = snaps[glimpse.after]
            seen = _Snap(here, glimpse.move, None, here.depth + 1, here.players, here.seed)
            self._reach(glimpse.new, seen)
        for rule in self.shortest:
            self.archive.pop(rule, None)

    def _reach(self, rules: Iterable[int], snap: _Snap) -> None:
        for rule in rules:
            if rule not in self.shortest or snap.depth < self.shortest[rule].depth:
                self.shortest[rule] = snap

    def _keep(self, rule: int, vector: Vector, snap: _Snap) -> None:
        cells = self.archive.setdefault(rule, {})
        key = tuple(round(4 * part) / 4 for part in vector)
        if key not in cells:
            cells[key] = _Cell(vector, snap)
        elif (sum(vector), snap.depth) < (sum(cells[key].vector), cells[key].snap.depth):
            cells[key].vector, cells[key].snap = vector, snap
        elif cells[key].visits > 1:  # the old one led to nothing new
            cells[key] = _Cell(vector, snap, cells[key].visits // 2)
        if len(cells) > _CELLS:
            del cells[max(cells, key=lambda one: (sum(cells[one].vector), one))]

    # ------------------------------------------------------------------------------------ the end

    def witness(self) -> Witness:
        games, when = self._games()
        for rule in self.shortest:
            assert rule in when, self.rules[rule]
        reached = tuple(
            Reached(rule, *when[number]) if number in when else self._missed(number)
            for number, rule in enumerate(self.rules)
        )
        name = self.graph.rulebook.ruleset
        return Witness(
            name, self.seed, self.budget, reached, tuple(games), self.scouted, self.learnt, self.looks
        )

    def _games(self) -> tuple[list[Game], dict[int, tuple[int, int]]]:
        """A few games in which all is reached that ever was: for what takes long the shortest one."""
        interpreter, watch = Interpreter(self.graph), Watch(self.rules, self.graph.rulebook)
        played: list[tuple[Game, dict[int, int]]] = []
        covered: set[int] = set()
        for rule, snap in sorted(self.shortest.items(), key=lambda item: (-item[1].depth, item[0])):
            if rule in covered:
                continue
            game = snap.game()
            first = self.traces[game] if game in self.traces else trace_of(interpreter, watch, game)
            covered |= first.keys()
            played.append((game, first))
        games: list[Game] = []
        when: dict[int, tuple[int, int]] = {}
        for game, first in sorted(played, key=lambda one: len(one[0].moves)):
            new = sorted(rule for rule in first if rule not in when)
            when.update((rule, (len(games), first[rule])) for rule in new)
            if new:
                games.append(Game(game.players, game.seed, game.moves, len(new), game.over))
        return games, when

    def _missed(self, number: int) -> Reached:
        goal = self.goals[number]
        if number in self.absent:
            return Reached(self.rules[number], None, None, absent=self.absent[number])
        if goal.behind and not any(rule in self.shortest for rule in goal.behind):
            return Reached(self.rules[number], None, None, (), self.rules[goal.behind[0]])
        cells = list(self.archive.get(number, {}).values())
        alike = [one.rule for one in self.goals if (one.ways, one.query) == (goal.ways, goal.query)]
        for rule in alike:
            cells = cells or list(self.archive.get(rule, {}).values())
        if not cells or goal.query is not None:
            return Reached(self.rules[number], None, None, asks=self._asks(goal))
        cell = min(cells, key=lambda one: sum(one.vector))
        assert cell.snap.position is not None
        meter = Meter(
            Evaluator(Interpreter(self.graph).program.book, cell.snap.position), ways_of(self.graph)
        )
        waits = [self._wait(atom) for atom in meter.nearest(goal.ways) if atom.far > 0]
        if not waits:
            return Reached(self.rules[number], None, None, asks=self._asks(goal))
        return Reached(self.rules[number], None, None, tuple(dict.fromkeys(waits)))

    def _asks(self, goal: Goal) -> tuple[Ask, ...]:
        """What the shortest way to a rule asks for."""
        needs = min(goal.ways, key=len, default=())
        asks = [Ask(show(need.expr, self.graph.rulebook.seats), need.kind.value) for need in needs]
        return tuple(dict.fromkeys(asks))

    def _wait(self, atom: Atom) -> Wait:
        stayed = {
            Kind.YES: "stayed false",
            Kind.NO: "stayed true",
            Kind.SOME: "stayed empty",
            Kind.NONE: "was not empty",
            Kind.WORTH: "stayed 0",
        }[atom.kind]
        text = show(atom.expr, self.graph.rulebook.seats)
        return Wait(text, stayed, atom.said, round(atom.far, 2))
