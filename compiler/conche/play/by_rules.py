"""What happened in a game under way, with the rule that each effect came from.

Input: the game's engine, seed and turns. Output: lines, step by step.
Invariants: the game is played again by the interpreter, so it is by the rules that it began with; what is
told is what one may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conche.draw.words import Words
from conche.play.turns import Turn
from conche.why.log import Follower, noting_engine, step_lines
from conche_runtime.interface import Engine


def lines_by_rules(
    engine: Engine, ruleset: str, words: Words, seed: int, turns: Sequence[Turn], seat: int | None
) -> list[list[str]]:
    """The lines of the set-up and of each turn. `seat`: who is told; None: everything. NotExplainedError when
    the rules are not kept."""
    noting = noting_engine(engine, ruleset, Path())
    follower, eyes = Follower(noting, seat), None if seat is None else [seat]
    state = noting.start(len(words.seats), seed)
    steps = [step_lines(words, None, None, follower.happened(state, ()), eyes)]
    for turn in turns:
        state.step(state.find(turn.name, turn.args, turn.player), turn.player)
        head = words.move(turn.player, turn.name, turn.args) if turn.shown_to(eyes) else None
        steps.append(step_lines(words, turn.player, head, follower.happened(state, ()), eyes))
    return steps
