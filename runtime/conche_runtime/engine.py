"""A generated engine: `conche_runtime.interface.Engine` over a `Game` and its class of states."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from conche_runtime import saves
from conche_runtime.arguments import shown
from conche_runtime.interface import ChanceSource
from conche_runtime.layout import Game
from conche_runtime.samples import checked_seed, stream_keys
from conche_runtime.state import EngineState

if TYPE_CHECKING:
    from conche_runtime.explanation import Explainer

S = TypeVar("S", bound=EngineState)


class GeneratedEngine(Generic[S]):
    """A playable ruleset. `blank`: makes a state for a number of players, at the very start."""

    def __init__(self, game: Game, blank: Callable[[int], S]) -> None:
        self.game = game
        self.blank = blank
        self.ruleset = game.ruleset
        self.digest = game.digest
        self.versions = game.versions
        self.options = game.options
        self.min_players = game.min_players
        self.max_players = game.max_players
        self.seats = game.seats

    def __repr__(self) -> str:
        return f"<engine of {self.ruleset}>"

    def start(
        self,
        players: int,
        seed: int | None = None,
        chance: ChanceSource | None = None,
        log: bool = False,
    ) -> S:
        """A new game, played on to its first decision of two or more options. See `interface.Engine`."""
        if type(players) is not int or not self.min_players <= players <= self.max_players:
            raise ValueError(
                f"{self.ruleset} is for {self.min_players}..{self.max_players} players, not {shown(players)}"
            )
        if chance is not None and seed is not None:
            raise ValueError("chance comes from a seed or from outside, not from both")
        state = self.blank(players)
        state.seed = None if chance is not None else checked_seed(seed)
        state.keys = stream_keys(self.game, state.seed)
        state.draws = [0] * len(self.game.paths)
        state.chance = chance
        state.log = [] if log else None
        state.options, state.actor, state.found = 0, 0, ()
        state.run(self.game.begin)
        return state

    def explain_with(self, explainer: Explainer) -> None:
        """From now on its states can explain moves."""
        type(self.blank(self.min_players)).explainer = explainer

    def from_json(self, text: str, chance: ChanceSource | None = None) -> S:
        """A saved game. One that had outside chance needs it again. SaveError for what is no save of these
        rules."""
        return saves.from_json(self.game, self.blank, text, chance)
