"""Generated engine and interpreter of rulesets with modules, and a game played by both at once.

Nothing may tell the two apart at any decision: options with their arguments, snapshots, views, events,
scores, saves, samples. On the way it is looked at what must hold in any game.
"""

from __future__ import annotations

import linecache
import random
import sys
from collections import Counter
from functools import lru_cache
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest

from conche.interpret import Interpreter
from conche.pipeline import build_checked, check
from conche.scenarios.parts import in_setup
from conche_runtime.errors import IllegalMove
from conche_runtime.interface import ChanceEvent, Engine, Event, ForcedEvent, State

MODULES = (
    "chocolate",
    "emperor",
    "gem_mines",
    "huts",
    "irrigation",
    "map",
    "new_workers",
    "tree_of_life",
)
ALL_EIGHT = "+".join(("cacao", *MODULES))
BIG_GAME = f"{ALL_EIGHT}+big_game"
OPTIONS = (
    "cacao:first_seat=random",
    "cacao+huts:huts=agreed",
    "cacao+map:overbuild=early",
    "cacao+new_workers:worker_tiles=agreed",
    f"{ALL_EIGHT}:first_seat=random,huts=agreed,overbuild=early",
)


def combos() -> list[str]:
    """All 256 combinations of the eight modules."""
    return [
        "+".join(("cacao", *chosen))
        for number in range(len(MODULES) + 1)
        for chosen in combinations(MODULES, number)
    ]


def named(ruleset: str) -> str:
    """A short name for a test."""
    return ruleset.replace(ALL_EIGHT, "all")


def players_of(ruleset: str) -> list[int]:
    return [3, 4] if "big_game" in ruleset else [2, 3, 4]


@lru_cache(maxsize=4)
def engines(ruleset: str) -> tuple[Engine, Interpreter]:
    """The generated engine and the interpreter."""
    checked = check(ruleset)
    built = build_checked(checked)
    name = f"engine_of_{built.name}"
    module = sys.modules[name] = ModuleType(name)
    linecache.cache[f"<{name}>"] = (len(built.text), None, built.text.splitlines(keepends=True), f"<{name}>")
    exec(compile(built.text, f"<{name}>", "exec"), module.__dict__)
    return module.engine, Interpreter(checked.must())


def plain(event: Event) -> object:
    match event:
        case ChanceEvent(source, value, seen_by):
            return "chance", source, value, seen_by
        case ForcedEvent(player, name, args):
            return "forced", player, name, list(args.items())
        case _:
            return event


def moves(state: State) -> list[tuple[str, list[tuple[str, Any]]]]:
    """The options with their arguments, in order."""
    return [(move.name, list(move.args.items())) for move in state.legal_moves()]


def look(state: State) -> dict[str, Any]:
    """All that can be asked of a state."""
    return {
        "snapshot": state.snapshot(),
        "asked": (state.over, state.to_act, state.decision, state.count()),
        "moves": moves(state),
        "views": [state.view(player) for player in range(state.players)],
        "scores": (state.scores, state.ranking),
    }


def same_game(ruleset: str, players: int, seed: int) -> int:
    """Plays one random game with both; gives the number of decisions."""
    engine, interpreter = engines(ruleset)
    rnd, number = random.Random(seed), 0
    one = engine.start(players=players, seed=seed, log=True)
    two = interpreter.start(players=players, seed=seed, log=True)
    kept: dict[str, Counter[str]] | None = None
    while True:
        seen = look(one)
        assert seen == look(two)
        assert [plain(event) for event in one.log or ()] == [plain(event) for event in two.log or ()]
        assert one.log is not None
        assert two.log is not None
        one.log.clear()
        two.log.clear()
        if not in_setup(interpreter.program.graph, two.position):
            there = conserved(interpreter, seen["snapshot"])
            kept = kept or there
            assert there == kept
        if one.over:
            assert all(
                score["total"] == sum(n for name, n in score.items() if name != "total")
                for score in one.scores
            )
            return number
        index = rnd.randrange(one.count())
        if number % 10 == 0:
            copies(engine, one, two, seen, index)
            refusals(one, seen, rnd)
        move = one.move(index)
        assert (move.name, list(move.args.items())) == seen["moves"][index]
        one.step(index)
        two.step(index)
        number += 1


def conserved(interpreter: Interpreter, snapshot: dict[str, Any]) -> dict[str, Counter[str]]:
    """All pieces of the types that the rules conserve, by kind, wherever they lie."""
    rules = interpreter.program.book.rulebook
    found: dict[str, Counter[str]] = {piece: Counter() for piece in rules.conserved}
    for name, zone in rules.zones.items():
        if zone.of in found and name in snapshot:
            heaps = snapshot[name] if zone.owner == "player" else [snapshot[name]]
            for heap in heaps:
                found[zone.of] += _counted(heap)
    homes = {
        interpreter.program.book.written(of, kind): of
        for of in rules.pieces
        for kind in interpreter.program.book.order[of]
    }
    for board in rules.boards:
        for space in snapshot[board]:
            for piece in space["pieces"]:
                if homes[piece["kind"]] in found:
                    found[homes[piece["kind"]]][piece["kind"]] += 1
    return found


def _counted(heap: Any) -> Counter[str]:
    if isinstance(heap, list):
        return Counter(entry["kind"] if isinstance(entry, dict) else entry for entry in heap)
    if "unknown" in heap:
        return Counter(heap["unknown"]) + Counter(heap["top"]) + Counter(heap["bottom"])
    return Counter(heap)


def copies(engine: Engine, one: State, two: State, seen: dict[str, Any], index: int) -> None:
    """A clone and a loaded save are the state, and nothing that they do reaches it; a sample is one and the
    same of both engines, and to its player it looks alike and offers the same."""
    text = one.to_json()
    clone, loaded = one.clone(), engine.from_json(text)
    assert look(clone) == look(loaded) == seen
    assert clone.to_json() == loaded.to_json() == text
    move = one.move(index)
    clone.step(index)
    loaded.apply(move)
    assert look(clone) == look(loaded)
    assert one.to_json() == text
    assert look(one) == seen
    for player in range(one.players):
        sample = one.sample(player, seed=index)
        assert sample.view(player) == seen["views"][player]
        assert sample.snapshot() == two.sample(player, seed=index).snapshot()
        if player in one.to_act:
            assert moves(sample) == seen["moves"]


def refusals(state: State, seen: dict[str, Any], rnd: random.Random) -> None:
    """Some legal moves are played on copies; what is not legal is refused and changes nothing."""
    before = state.to_json()
    legal = state.legal_moves()
    for index in sorted({0, len(legal) - 1, rnd.randrange(len(legal))}):
        assert state.find(legal[index].name, legal[index].args) == index
        applied, stepped = state.clone(), state.clone()
        applied.apply(legal[index])
        stepped.step(index)
        assert applied.to_json() == stepped.to_json() != before
    name, args = seen["moves"][0]
    with pytest.raises(IllegalMove):
        state.find(name, {**dict(args), "extra": 1})
    with pytest.raises(IllegalMove):
        state.find("no such decision", dict(args))
    for wrong in (-1, len(legal), 10**30):
        with pytest.raises(IllegalMove):
            state.step(wrong)
    for player in (-1, state.players, *(p for p in range(state.players) if p not in state.to_act)):
        with pytest.raises(IllegalMove):
            state.apply(legal[0], player)
    assert state.to_json() == before
