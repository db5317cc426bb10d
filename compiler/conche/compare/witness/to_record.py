"""A witness as a record of the old version, which `conche replay` plays again.

Input: an interpreter, and the game by the numbers of its moves. Output: the record's text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from conche.compare.witness.lockstep import Step
from conche.interpret import Interpreter
from conche_runtime.errors import RulesError
from conche_runtime.records import Recorder


def to_record(engine: Interpreter, players: int, seed: int, steps: Sequence[Step]) -> str:
    """The game as far as the old version goes: the last line is where its rules fail, if they do."""
    text = io.StringIO()
    try:
        recorder = Recorder(engine, engine.start(players, seed, log=True), text, seed=seed)
        for player, index in steps:
            recorder.apply(index, player)
    except (RulesError, ValueError):
        pass
    return text.getvalue()
