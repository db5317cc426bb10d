"""The census: how many pieces of each kind a game has, and where its set-up puts them.

Purpose: what lies on the table at the start, derived from the rules, to be held against a list of components.
Input: a composed rulebook (or its graph) and a number of players. Output: a `Census`.
Invariants: everything is read off set-ups run in the reference interpreter. What chance or choices in the
set-up decide shows as a range: set-ups are run with several seeds, the first and the last options of every
choice, and, where anything varies by chance or chance is asked for more than draws, with each outcome taken
as often and as seldom as can be. So a range is what was seen in `tried` set-ups; a number is the same in all
of them. Pieces that are drawn have no kind in a `Flow`; how many there are does not depend on it. A `Total`
counts what comes into the game, whoever gets it afterwards: so what is dealt by chance is no accident of the
set-ups that were run.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label, in_order
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.interpret.position import GAME
from conche.lattice.setup import BOX, Choices, Lying, Moved, Watched, watch_setup
from conche.semantics.rulebook import Rulebook
from conche.source import Span
from conche_runtime.errors import RulesError
from conche_runtime.interface import ChanceSource

SEEDS = 8
"""So many set-ups are run with chance of their own."""

EACH = "each player"
"""The owner where every player has the same."""


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """From `low` to `high` pieces, both seen. `by`: what decides: "", "chance", "choice", "chance and
    choice"."""

    low: int
    high: int
    by: str = ""

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Total:
    """How many pieces of a kind the set-up brings into the game, less those that it takes out again; one of
    0 stands for a kind that it brings none of. owner: whose place they come into first: "" for nobody's,
    `EACH`, or a seat."""

    piece: str
    kind: str
    owner: str
    number: Range


@dataclass(frozen=True, slots=True)
class Flow:
    """Pieces that a step of the set-up moves. kind None: what is drawn. Places are zones and boards, or
    `BOX`."""

    step: str
    piece: str
    kind: str | None
    source: str
    target: str
    owner: str
    number: Range


@dataclass(frozen=True, slots=True)
class Content:
    """How many pieces, of any kind, lie in a place at the end of the set-up."""

    place: str
    piece: str
    owner: str
    number: Range


@dataclass(frozen=True, slots=True)
class Census:
    """`totals`: by piece type and kind, in the order of declaration, kinds of which there are none too.
    `flows`: in the order of the set-up. `in_all`: all pieces of a type, those of all players together.
    `conserved`: the piece types of which play makes and loses none. `tried`: set-ups that were run. `found`:
    where a set-up fails; what there is then is of the others."""

    ruleset: str
    players: int
    totals: tuple[Total, ...]
    flows: tuple[Flow, ...]
    contents: tuple[Content, ...]
    in_all: tuple[tuple[str, Range], ...]
    conserved: tuple[str, ...]
    tried: int
    found: tuple[Diagnostic, ...]

    def total(self, kind: str, owner: str = "") -> Range:
        """How many of a kind there are, that nobody or `owner` (a seat, `EACH`) has."""
        for total in self.totals:
            if (total.kind, total.owner) == (kind, owner):
                return total.number
        return Range(0, 0)

    def of(self, piece: str) -> Range:
        """How many pieces of a type there are in all, those of all players together."""
        return dict(self.in_all).get(piece, Range(0, 0))


def census(
    rules: Rulebook | ActionGraph, players: int, *, seeds: int = SEEDS, thorough: bool = False
) -> Census:
    """The census of a game of `players`. ValueError where the game is not for so many. `thorough`: each
    outcome is taken as often and as seldom as can be, whether anything has varied or not."""
    graph = rules if isinstance(rules, ActionGraph) else from_rulebook(rules)
    interpreter = Interpreter(graph)
    tries = _Tries(interpreter, players)
    tries.run(seeds, thorough=thorough)
    return Census(
        graph.rulebook.ruleset,
        players,
        _totals(tries),
        _flows(tries),
        _contents(tries),
        _in_all(tries),
        tuple(graph.rulebook.conserved),
        tries.number,
        tuple(in_order(tries.found)),
    )


# ------------------------------------------------------------------------------------------ the set-ups run


class _Tries:
    """Set-ups: `plain`, then those with other chance, those with other choices, those with both."""

    def __init__(self, interpreter: Interpreter, players: int) -> None:
        self.interpreter = interpreter
        self.players = players
        self.number = 0
        self.found: list[Diagnostic] = []
        self.plain = Watched()
        self.chances: list[Watched] = []
        self.choices: list[Watched] = []
        self.both: list[Watched] = []
        self._outcomes: dict[str, Any] = {}
        self._more_than_draws = False

    def run(self, seeds: int, *, thorough: bool) -> None:
        plain = self._try(self._seeded(0), _first)
        if plain is None:
            return
        self.plain = plain
        self.chances = [
            one for seed in range(1, seeds) if (one := self._try(self._seeded(seed), _first)) is not None
        ]
        if thorough or self._more_than_draws or any(one.moved != plain.moved for one in self.chances):
            for outcome in list(self._outcomes.values()):
                for wanted in (True, False):
                    one = self._try(self._leaning(outcome, wanted), _first)
                    self.chances += [one] if one is not None else []
        if any(one.asked for one in (plain, *self.chances)):
            for choose in (_last, *(_chosen(random.Random(seed)) for seed in range(seeds))):
                one = self._try(self._seeded(0), choose)
                self.choices += [one] if one is not None else []
            for seed in range(1, seeds):
                one = self._try(self._seeded(seed), _last)
                self.both += [one] if one is not None else []

    def all(self) -> Iterator[Watched]:
        yield self.plain
        yield from self.chances
        yield from self.choices
        yield from self.both

    def _try(self, chance: ChanceSource, choose: Choices) -> Watched | None:
        self.number += 1
        try:
            return watch_setup(self.interpreter, self.players, chance, choose)
        except RulesError as error:
            self.found.append(setup_fails(error, self.players, self.interpreter.program.graph))
            return None

    def _seeded(self, seed: int) -> ChanceSource:
        rnd = random.Random(seed)

        def chance(source: str, outcomes: Sequence[tuple[Any, int]]) -> Any:
            self._outcomes.update((repr(value), value) for value, _ in outcomes)
            zones = self.interpreter.program.book.rulebook.zones
            self._more_than_draws |= source.partition("[")[0] not in zones
            return rnd.choices([value for value, _ in outcomes], [weight for _, weight in outcomes])[0]

        return chance

    def _leaning(self, outcome: Any, wanted: bool) -> ChanceSource:
        """That outcome whenever it is possible, or never while there is another."""

        def chance(source: str, outcomes: Sequence[tuple[Any, int]]) -> Any:
            values = [value for value, _ in outcomes]
            fitting = [value for value in values if (value == outcome) == wanted]
            return (fitting or values)[0]

        return chance


def _first(options: int) -> int:
    return 0


def _last(options: int) -> int:
    return options - 1


def _chosen(rnd: random.Random) -> Choices:
    return rnd.randrange


def setup_fails(error: RulesError, players: int, graph: ActionGraph) -> Diagnostic:
    """The finding for a set-up that does what the rules forbid."""
    return diagnose(
        "C0370",
        f"the set-up fails: {error.message}",
        Label(_span_of(error, graph)),
        notes=(f"with {players} players",),
        help=("say what else is to happen in a block `with N players`, or with these modules",),
    )


def _span_of(error: RulesError, graph: ActionGraph) -> Span:
    """The whole statement in that line; the rules' first one where none is known."""
    spans = [node.span for node in graph.nodes()]
    here = [span for span in spans if (span.file, span.line) == (error.file, error.line)]
    return min(here, key=lambda span: (span.start, -span.end), default=graph.rulebook.setup_span)


# ------------------------------------------------------------------------------------------ what was seen

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class _Seen(Generic[K]):
    """A number for each seat (GAME: nobody's) under a key."""

    key: K
    seats: dict[int, Range]


def _ranges(tries: _Tries, counted: Callable[[Watched], dict[tuple[K, int], int]]) -> list[_Seen[K]]:
    """Every key that was seen in any try, in the order in which it was."""
    plain = counted(tries.plain)
    chances = [counted(one) for one in tries.chances]
    choices = [counted(one) for one in tries.choices]
    everything = [counted(one) for one in tries.all()]
    keys = dict.fromkeys(key for one in everything for key in one)
    seen: dict[K, dict[int, Range]] = {}
    for key in keys:
        here = plain.get(key, 0)
        by_chance, by_choice = ([one.get(key, 0) for one in kept] for kept in (chances, choices))
        reasons = [
            word
            for word, numbers in (("chance", by_chance), ("choice", by_choice))
            if any(number != here for number in numbers)
        ]
        numbers = [one.get(key, 0) for one in everything]
        seen.setdefault(key[0], {})[key[1]] = Range(min(numbers), max(numbers), " and ".join(reasons))
    return [_Seen(key, seats) for key, seats in seen.items()]


def _owners(tries: _Tries, seats: dict[int, Range]) -> Iterator[tuple[str, Range]]:
    """One line for all players where they have the same."""
    everybody = range(tries.players)
    own = {seat: number for seat, number in seats.items() if seat != GAME}
    if GAME in seats:
        yield "", seats[GAME]
    if set(own) == set(everybody) and len(set(own.values())) == 1:
        yield EACH, own[0]
    else:
        names = tries.interpreter.seats
        yield from ((names[seat], own[seat]) for seat in sorted(own))


def _totals(tries: _Tries) -> tuple[Total, ...]:
    seen = {one.key: one.seats for one in _put(tries)}
    book = tries.interpreter.program.book
    found: list[Total] = []
    for of, kinds in book.order.items():
        for kind in dict.fromkeys(book.written(of, name) for name in kinds):
            if (of, kind) in seen:
                found += [Total(of, kind, *line) for line in _owners(tries, seen[of, kind])]
            elif of in book.rulebook.pieces:
                found.append(Total(of, kind, "", Range(0, 0)))
    return tuple(found)


def _put(tries: _Tries) -> list[_Seen[tuple[str, str]]]:
    """What comes out of the box, by type and kind. What goes back into it is taken off; but where chance says
    which pieces do, or where they had come to somebody else, all that came are counted."""
    left: dict[str, list[_Seen[tuple[str, str]]]] = {}
    for one in _ranges(tries, _come_and_gone):
        left.setdefault(one.key[0], []).append(one)
    come: dict[str, list[_Seen[tuple[str, str]]]] = {}
    for one in _ranges(tries, _come):
        come.setdefault(one.key[0], []).append(one)
    put = [
        one
        for of, rest in left.items()
        for one in (come.get(of, []) if _unsure(rest) and not _unsure(come.get(of, [])) else rest)
    ]
    some = [(one.key, {seat: n for seat, n in one.seats.items() if (n.low, n.high) != (0, 0)}) for one in put]
    return [_Seen(key, seats) for key, seats in some if seats]


def _unsure(seen: list[_Seen[tuple[str, str]]]) -> bool:
    return any(number.low < number.high or number.low < 0 for one in seen for number in one.seats.values())


def _come(watched: Watched) -> dict[tuple[tuple[str, str], int], int]:
    return _boxed(watched, back=False)


def _come_and_gone(watched: Watched) -> dict[tuple[tuple[str, str], int], int]:
    return _boxed(watched, back=True)


def _boxed(watched: Watched, *, back: bool) -> dict[tuple[tuple[str, str], int], int]:
    """Pieces that come out of the box, less those that go `back` into it. What a draw takes out of the game
    has no kind: it stays counted."""
    found: dict[tuple[tuple[str, str], int], int] = {}
    for moved, number in watched.moved.items():
        if moved.kind is None or BOX not in (moved.source, moved.target):
            continue
        key = ((moved.piece, moved.kind), moved.seat)
        if moved.source == BOX:
            found[key] = found.get(key, 0) + number
        elif back:
            found[key] = found.get(key, 0) - number
    return found


def _flows(tries: _Tries) -> tuple[Flow, ...]:
    def counted(watched: Watched) -> dict[tuple[Moved, int], int]:
        return {(moved._replace(seat=GAME), moved.seat): number for moved, number in watched.moved.items()}

    flows = [
        Flow(*one.key[:5], *line) for one in _ranges(tries, counted) for line in _owners(tries, one.seats)
    ]
    steps: list[str] = []
    for watched in tries.all():
        after = 0
        for step in dict.fromkeys(moved.step for moved in watched.moved):
            if step not in steps:
                steps.insert(after, step)
            after = steps.index(step) + 1
    return tuple(sorted(flows, key=lambda flow: steps.index(flow.step)))


def _contents(tries: _Tries) -> tuple[Content, ...]:
    def counted(watched: Watched) -> dict[tuple[tuple[str, str], int], int]:
        return _summed(watched, lambda lying: ((lying.place, lying.piece), lying.seat))

    found = [
        Content(*one.key, *line) for one in _ranges(tries, counted) for line in _owners(tries, one.seats)
    ]
    return tuple(sorted(found, key=lambda content: (content.piece, content.place, content.owner)))


def _in_all(tries: _Tries) -> tuple[tuple[str, Range], ...]:
    def counted(watched: Watched) -> dict[tuple[str, int], int]:
        return _summed(watched, lambda lying: (lying.piece, GAME))

    return tuple(sorted((one.key, one.seats[GAME]) for one in _ranges(tries, counted)))


def _summed(watched: Watched, key: Callable[[Lying], tuple[K, int]]) -> dict[tuple[K, int], int]:
    found: dict[tuple[K, int], int] = {}
    for lying, number in watched.lying.items():
        found[key(lying)] = found.get(key(lying), 0) + number
    return found
