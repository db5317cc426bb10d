"""Playing games in tests: random and guided play over the engine interface, an oracle beside it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from conche_runtime.interface import ChanceEvent, Engine, State
from conche_runtime.saves import check_sum
from oracle.cacao import Oracle

Policy = Callable[[State, random.Random], int]


def at_random(state: State, rnd: random.Random) -> int:
    return rnd.randrange(state.count())


def positions(engine: Engine, players: int, seed: int, policy: Policy = at_random) -> Iterator[State]:
    """Every decision of one game in order, and the end: one and the same state object, played on between."""
    rnd = random.Random(seed)
    state = engine.start(players=players, seed=seed)
    while not state.over:
        yield state
        state.step(policy(state, rnd))
    yield state


def play_out(state: State, seed: int, policy: Policy = at_random) -> list[Any]:
    """Plays on to the end; returns what was done and the result, for comparison."""
    rnd = random.Random(seed)
    trace: list[Any] = []
    while not state.over:
        index = policy(state, rnd)
        move = state.move(index)
        trace.append((state.to_act, state.count(), move.name, json.dumps(move.args)))
        state.step(index)
    trace.append((state.scores, state.ranking))
    return trace


def key(name: str, args: dict[str, Any]) -> str:
    """A move as a comparable text, whatever the order of its arguments."""
    return f"{name} {json.dumps(args, sort_keys=True)}"


class Pair:
    """A game and the oracle, given the same moves and the same chance."""

    def __init__(self, engine: Engine, players: int, seed: int) -> None:
        self.state = engine.start(players=players, seed=seed, log=True)
        drawn: dict[str, list[Any]] = {}
        for event in self._events():
            drawn.setdefault(event.source, []).append(event.value)
        hands = [[str(v) for v in drawn[f"workers[{seat}]"][:3]] for seat in range(players)]
        self.oracle = Oracle(players, [str(v) for v in drawn["jungle"][:2]], hands)

    def _events(self) -> list[ChanceEvent]:
        assert self.state.log is not None
        events = [event for event in self.state.log if isinstance(event, ChanceEvent)]
        self.state.log.clear()
        return events

    def step(self, index: int) -> None:
        move = self.state.move(index)
        self.state.step(index)
        self.oracle.apply(move.name, dict(move.args))
        for event in self._events():
            assert self.oracle.needs == event.source, (self.oracle.needs, event)
            self.oracle.chance(event.source, str(event.value))
        assert self.oracle.needs is None

    def options(self) -> tuple[list[str], list[str]]:
        """The options of both, sorted, as texts."""
        here = sorted(key(move.name, dict(move.args)) for move in self.state.legal_moves())
        there = sorted(key(option["name"], option["args"]) for option in self.oracle.options())
        return here, there


# -- guided play and set positions: where random play hardly ever goes

SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def board_of(state: State) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """The pieces of every space of Cacao's board, bottom to top."""
    return {(e["at"][0], e["at"][1]): e["pieces"] for e in state.snapshot()["table"] if e["pieces"]}


def filling(state: State, rnd: random.Random) -> int:
    """Prefers placements that open many jungle spaces at once, by looking one move ahead."""
    count = state.count()
    if state.decision != "place":
        return rnd.randrange(count)
    best, chosen = -1, 0
    cells: set[Any] = set()
    board = board_of(state)
    for index in rnd.sample(range(count), min(count, 40)):
        at = tuple(state.move(index).args["at"])
        if at in cells:
            continue
        cells.add(at)
        gain = opened(board, at)
        if gain > best:
            best, chosen = gain, index
    return chosen


def opened(board: dict[tuple[int, int], list[dict[str, Any]]], at: tuple[Any, ...]) -> int:
    """How many empty spaces beside `at` have a worker tile already: those that a placement fills."""
    if at in board:
        return 0
    found = 0
    for dx, dy in SIDES:
        cell = (at[0] + dx, at[1] + dy)
        if cell not in board and any((cell[0] + ex, cell[1] + ey) in board for ex, ey in SIDES):
            found += 1
    return found


def hoarding(state: State, rnd: random.Random) -> int:
    """Leaves spaces open until three can be filled at once: the display runs out, a tile comes blind."""
    if state.decision != "place":
        return rnd.randrange(state.count())
    board = board_of(state)
    worth: dict[tuple[int, int], float] = {}
    best: list[int] = []
    for index in range(state.count()):
        at = tuple(state.move(index).args["at"])
        if at not in worth:
            worth[at] = _promise(board, at) + rnd.random() * 8
        if not best or worth[at] > worth[tuple(state.move(best[0]).args["at"])]:
            best = []
        if not best or worth[at] == worth[tuple(state.move(best[0]).args["at"])]:
            best.append(index)
    return rnd.choice(best)


def _promise(board: dict[tuple[int, int], list[dict[str, Any]]], at: tuple[int, int]) -> float:
    """High for a placement that fills three, else for one after which some placement could fill many."""
    now = opened(board, at)
    if now == 3 or at in board:
        return 1000 if now == 3 else 0
    after = {**board, at: [{"owner": 0}]}
    sites = {
        (x + dx, y + dy)
        for (x, y), pieces in after.items()
        if "owner" not in pieces[0]
        for dx, dy in SIDES
        if (x + dx, y + dy) not in after
    }
    return 20 * max((opened(after, site) for site in sites), default=0) + (5 if now == 0 else 0)


def overbuilding(state: State, rnd: random.Random) -> int:
    """Fills fast, so that the jungle runs out, takes every sun token, covers own tiles as soon as it can."""
    if state.decision == "place":
        board = board_of(state)
        covers = [i for i in range(state.count()) if tuple(state.move(i).args["at"]) in board]
        return rnd.choice(covers) if covers and rnd.random() < 0.9 else filling(state, rnd)
    if state.decision == "use":
        return state.count() - 1
    return rnd.randrange(state.count())


def changed(engine: Engine, state: State, **slots: Any) -> State:
    """The position with other values in some places of its save."""
    saved = json.loads(state.to_json())
    saved["state"].update(slots)
    del saved["check"]
    saved["check"] = check_sum(saved)
    return engine.from_json(json.dumps(saved))


def set_back(engine: Engine, state: State) -> State:
    """The same position, but the display lies in the pile again: the next fills are all blind."""
    zones = json.loads(state.to_json())["state"]
    jungle = list(zones["jungle"])
    for tile in zones["display"]:
        jungle[tile] += 1
    return changed(engine, state, jungle=jungle, display=[])
