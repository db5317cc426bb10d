"""Which lines of a generated engine play has reached, by block: the coverage table.

`python -m games.reached` (in tests/, with the compiler's environment) plays guided games and prints it.
"""

from __future__ import annotations

import ast
import linecache
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from conche_runtime.interface import Engine, State
from games.driving import Policy, at_random, filling, hoarding, overbuilding, positions, set_back


@dataclass(frozen=True)
class Block:
    """A function of the engine: a block between decisions, a decision's part, a query, a score."""

    name: str
    start: int
    """Its first line: how often that ran says how often the function was called."""
    lines: frozenset[int]
    """The lines that play must reach; those that raise a fault are not among them."""


def blocks(path: Path) -> list[Block]:
    found = []
    for function in ast.parse(text_of(path)).body:
        if isinstance(function, ast.FunctionDef):
            lines = {
                node.lineno
                for node in ast.walk(function)
                if isinstance(node, ast.stmt) and node is not function and not _fault(node)
            }
            found.append(Block(function.name, function.lineno, frozenset(lines)))
    return found


def _fault(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


class Lines:
    """While it is in use: which lines of a file run. A function is no longer followed, and only counted, once
    all its lines have run, or it was called `calls` times."""

    def __init__(self, path: Path, calls: int = sys.maxsize) -> None:
        self.name, self.found, self.calls = str(path), Counter[int](), calls
        self.left = {block.start: set(block.lines) for block in blocks(path)}

    def __enter__(self) -> Counter[int]:
        self.before = sys.gettrace()
        sys.settrace(self._calls)
        return self.found

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)

    def _calls(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != self.name:
            return None
        start = frame.f_code.co_firstlineno
        self.found[start] += 1
        left = self.left.get(start)
        if not left or self.found[start] > self.calls:
            return None

        def lines(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                self.found[frame.f_lineno] += 1
                left.discard(frame.f_lineno)
            return lines

        return lines


def text_of(path: Path) -> str:
    """The text of a generated engine, also of one whose file could not be kept and that was never in one."""
    return path.read_text("utf-8") if path.is_file() else "".join(linecache.getlines(str(path)))


def path_of(engine: Engine) -> Path:
    """The file of a generated engine, or what it is called where there is none."""
    return Path(sys.modules[type(engine.start(engine.min_players, 1)).__module__].__file__ or "")


def lines_reached(engine: Engine, path: Path, plays: list[tuple[int, int, Policy]]) -> Counter[int]:
    """How often each line ran in games given as (players, seed, policy), decisions looked at in every way."""
    with Lines(path) as hits:
        for players, seed, policy in plays:
            rnd = random.Random(seed)
            for state in positions(engine, players, seed, policy):
                if not state.over:
                    moves = state.legal_moves()
                    index = rnd.randrange(len(moves))
                    assert state.move(index) == moves[index]
                    twin = state.clone()
                    twin.log = []
                    twin.apply(moves[index])
                    if state.decision == "place" and seed == 0:
                        _blind(set_back(engine, state), filling(state, rnd))
                else:
                    assert state.ranking
                    assert state.scores
    return hits


def _blind(state: State, index: int) -> None:
    """Plays a placement in a position without a display, and its fills in every way."""
    before = len(state.snapshot()["display"])
    state.step(index)
    while state.decision == "fill" and not before:
        moves = state.legal_moves()
        state.clone().apply(moves[-1])
        assert state.move(0) == moves[0]
        state.step(0)


GUIDED: list[tuple[int, int, Policy]] = [
    (players, seed, policy)
    for players in (2, 3, 4)
    for seed in range(6)
    for policy in (at_random, filling, hoarding, overbuilding)
]


def table(path: Path, hits: Counter[int]) -> tuple[str, dict[str, list[int]]]:
    """The table, and the lines not reached by block."""
    missing: dict[str, list[int]] = {}
    rows = [f"{'block':<34}{'lines':>6}{'reached':>8}{'times':>9}"]
    for block in blocks(path):
        reached = [line for line in block.lines if hits[line]]
        if len(reached) < len(block.lines):
            missing[block.name] = sorted(block.lines - set(reached))
        times = hits[block.start]
        rows.append(f"{block.name:<34}{len(block.lines):>6}{len(reached):>8}{times:>9}")
    return "\n".join(rows), missing


def main() -> None:
    import conche

    engine = conche.load("cacao")
    path = path_of(engine)
    text, missing = table(path, lines_reached(engine, path, GUIDED))
    print(text)
    for name, numbers in missing.items():
        print(f"not reached: {name}: lines {numbers}")


if __name__ == "__main__":
    main()
