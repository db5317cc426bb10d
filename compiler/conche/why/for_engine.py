"""What explains the states of a generated engine.

Purpose: the hook that `conche.load` gives to an engine. Input: the name of the engine's ruleset.
Output: a function from a state, a player and a question to an `Explanation`.
Invariants: nothing is read or compiled before the first question; then the rules are read again. Where they
have changed since, they are taken as Conche has kept them: an engine is explained by its own rules alone.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conche_runtime.explanation import Explanation, NotExplainedError
from conche_runtime.layout import FAILED
from conche_runtime.state import EngineState

if TYPE_CHECKING:
    from conche.interpret.decisions import Program
    from conche.semantics.rulebook import Rulebook
    from conche.source import Source
    from conche.why.from_engine import Carrier
    from conche.why.texts import Texts

    _Ready = tuple[Program, Texts, Carrier]


class EngineExplainer:
    """Explains the states of the engine of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self._lock = threading.Lock()
        self._ready: _Ready | None = None

    def __call__(self, state: EngineState, player: int, what: Any) -> Explanation:
        from conche.why.explain import explain

        program, texts, carrier = self._rules(state)
        position = carrier.position(state)
        return explain(program, position, player, what, texts, failed=state.at is FAILED)

    def _rules(self, state: EngineState) -> _Ready:
        with self._lock:
            if self._ready is None:
                self._ready = self._load(state)
            return self._ready

    def _load(self, state: EngineState) -> _Ready:
        from conche.graph.from_rulebook import from_rulebook
        from conche.interpret.book import Book
        from conche.interpret.decisions import Program
        from conche.why.from_engine import Carrier
        from conche.why.texts import Texts

        rulebook, sources = rules_of(self.ruleset, state.game.digest)
        program = Program(from_rulebook(rulebook), Book(rulebook))
        return program, Texts(rulebook, sources), Carrier(program)


def rules_of(ruleset: str, digest: str, beside: Path | None = None) -> tuple[Rulebook, Mapping[str, Source]]:
    """The rules of an engine, as they are now where they have that digest, else as they were kept, also in
    the folder `beside`; and their texts. NotExplainedError when they are not kept."""
    from conche.modules.load import load
    from conche.pipeline import CompileError
    from conche.semantics.canonical import digest as digest_of
    from conche.source import SourceError
    from conche.versions.sources import by_digest

    try:
        loaded = load(ruleset)
        if loaded.rulebook is not None and digest_of(loaded.rulebook) == digest:
            return loaded.rulebook, loaded.sources
        version = by_digest(ruleset, ruleset, digest, beside)
        return version.rulebook, version.sources
    except (CompileError, SourceError):
        raise NotExplainedError(
            f"the rules that this engine of '{ruleset}' was made of are not kept here: "
            "they have changed since; load it again"
        ) from None
