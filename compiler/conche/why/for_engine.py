"""What explains the states of a generated engine.

Purpose: the hook that `conche.load` gives to an engine. Input: the name of the engine's ruleset.
Output: a function from a state, a player and a question to an `Explanation`.
Invariants: nothing is read or compiled before the first question; then the rules are read again, and must be
those that the engine was made of.
"""

from __future__ import annotations

import threading
from typing import Any

from conche_runtime.explanation import Explanation, NotExplainedError
from conche_runtime.layout import FAILED
from conche_runtime.state import EngineState


class EngineExplainer:
    """Explains the states of the engine of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self._lock = threading.Lock()
        self._ready: Any = None

    def __call__(self, state: EngineState, player: int, what: Any) -> Explanation:
        from conche.why.explain import explain

        program, texts, carrier = self._rules(state)
        position = carrier.position(state)
        return explain(program, position, player, what, texts, failed=state.at is FAILED)

    def _rules(self, state: EngineState) -> Any:
        with self._lock:
            if self._ready is None:
                self._ready = self._load(state)
            return self._ready

    def _load(self, state: EngineState) -> Any:
        from conche.graph.from_rulebook import from_rulebook
        from conche.interpret.book import Book
        from conche.interpret.decisions import Program
        from conche.modules.load import load
        from conche.semantics.canonical import digest
        from conche.why.from_engine import Carrier
        from conche.why.texts import Texts

        loaded = load(self.ruleset)
        if loaded.rulebook is None:
            raise NotExplainedError(f"the rules of '{self.ruleset}' cannot be read any more")
        if digest(loaded.rulebook) != state.game.digest:
            raise NotExplainedError(
                f"the rules of '{self.ruleset}' have changed since this engine was made: load it again"
            )
        program = Program(from_rulebook(loaded.rulebook), Book(loaded.rulebook))
        return program, Texts(loaded.rulebook, loaded.sources), Carrier(program)
