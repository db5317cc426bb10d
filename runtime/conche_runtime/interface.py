"""The interface of every engine: what a generated engine and the reference interpreter both offer.

Records, replay, bots, simulation, scenarios and the command line are written against these protocols alone.

Values in moves, events, snapshots and views are JSON values as in records: kinds, members and sides by
name, spaces as [x, y] (in a typed move: a tuple), seats as numbers from 0, flags as booleans, `nothing` as
None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from conche_runtime.explanation import Asked, Explanation

JSON: TypeAlias = Any
"""None, bool, int, str, list or dict with string keys of such values."""

ChanceSource: TypeAlias = Callable[[str, Sequence[tuple[JSON, int]]], JSON]
"""Outside chance: called with the path of the source (`jungle`, `workers[0]`, `first_seat`) and its
possible outcomes with their weights (positive, in the source's order); returns one of the outcomes. Any
other answer is a ChanceError."""


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """An outcome. `seen_by` None: everybody sees it; else the seats that do (none for a face-down piece)."""

    source: str
    value: JSON
    seen_by: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class ForcedEvent:
    """A decision with exactly one option, taken by the engine. `private`: others may not know that there was
    but one, so to them it is a choice like any other; else it does not concern them."""

    player: int
    name: str
    args: Mapping[str, JSON]
    private: bool = False


@dataclass(frozen=True, slots=True)
class ChosenEvent:
    """What a player has chosen where several chose at once: one for each who was asked, in player order, when
    all have chosen. `forced`: he had but one option; that is for him and the host. `seen_by` as in
    ChanceEvent: where nobody but the player sees it, the others still see that he chose."""

    player: int
    name: str
    args: Mapping[str, JSON]
    forced: bool
    seen_by: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RevealEvent:
    """Something shown by the rules' `reveal`, or a piece of a pile whose place some knew and that others come
    to see: then `what` is the path of the pile. `seen_by` as in ChanceEvent."""

    what: str
    value: JSON
    seen_by: tuple[int, ...] | None


Event: TypeAlias = ChanceEvent | ForcedEvent | ChosenEvent | RevealEvent


@runtime_checkable
class Move(Protocol):
    """A named move: hashable, equal to a move of the same decision with the same arguments and to nothing
    else."""

    @property
    def name(self) -> str:
        """The name of its decision, or the one that the rules give to moves of its case."""
        ...

    @property
    def args(self) -> dict[str, JSON]:
        """The arguments as in records, in the order of the rules; absent ones are left out."""
        ...


class State(Protocol):
    """A position of a game, at a decision of two or more options or at the end. Plain data.

    Errors: `IllegalMove` (not a legal move, not that player's turn, index out of range, the game is over)
    leaves the state as it was. It is what every argument gets that cannot be meant, whatever it is: an
    index below 0 (they do not count from the end), one that is no whole number, a seat by its name or one
    that is not there, a move that is None or a dictionary or another engine's, arguments that are no
    mapping. A whole number of another class (a numpy integer) is as good as an int.
    `RulesError` (the rules did something they forbid: a bound, an empty pile) names the rules line. A state
    that has raised it in a move cannot be played on: nobody is to act, `count` is 0, to move is an
    IllegalMove, to save it a SaveError; what its pictures show may be half of the move.
    """

    @property
    def players(self) -> int:
        """How many began the game."""
        ...

    @property
    def over(self) -> bool:
        """Whether the game is over: nobody is asked any more."""
        ...

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked now, in the order in which they are; several where they choose at once;
        none when the game is over. For the host."""
        ...

    @property
    def can_pass(self) -> bool:
        """Whether the last option now is to pass, of which nothing shows."""
        ...

    @property
    def decision(self) -> str | None:
        """The name of the decision that is asked now (`place`)."""
        ...

    @property
    def scores(self) -> list[dict[str, int]]:
        """By seat: `total` and each score by name. While the game runs: as if it ended now."""
        ...

    @property
    def ranking(self) -> list[list[int]]:
        """Seats by place, best first; seats that share a place are in one list."""
        ...

    log: list[Event] | None
    """None (the default): events are not kept. A list: they are appended as they happen. Neither cloned nor
    saved."""

    # `player` may be left out when exactly one player is to act; with several it is an IllegalMove.
    # Whoever is not asked (everybody, when the game is over), or has chosen already where several choose at
    # once, has no legal moves: [] and 0. To move is then an IllegalMove.
    def legal_moves(self, player: int | None = None) -> list[Move]:
        """All options, in the order of the rules, which is that of their numbers."""
        ...

    def apply(self, move: Move, player: int | None = None) -> None:
        """Makes a legal move, and plays on to the next decision of two or more options."""
        ...

    def count(self, player: int | None = None) -> int:
        """How many options there are: `len(legal_moves(player))`, without making them."""
        ...

    def move(self, index: int, player: int | None = None) -> Move:
        """The option of that number, from 0: `legal_moves(player)[index]`."""
        ...

    def step(self, index: int, player: int | None = None) -> None:
        """Makes the move of that number: `apply(move(index, player), player)`, without making a named one."""
        ...

    def find(self, name: str, args: Mapping[str, JSON], player: int | None = None) -> int:
        """The index of the legal move with that name and exactly these arguments; IllegalMove when there is
        none."""
        ...

    def clone(self) -> State:
        """The same position, to be played on by itself; without the log."""
        ...

    def to_json(self) -> str:
        """The whole position, for the host, the chance streams included: a game loaded from it plays on
        identically."""
        ...

    def snapshot(self) -> dict[str, JSON]:
        """The whole position by the names of the rules, the same from engine and interpreter: variables by
        name (a list by seat for players' ones), zones (a row as a list of names; others as an object of
        name: how many, kinds with none left out; for players' zones a list by seat), boards (a list of
        {"at": [x, y], "pieces": [{"kind", "owner"?, "turn"?}, … bottom to top], attributes that differ from
        their initial value}, sorted by y then x), `decision`: {"name", "player"} or None, and, where
        players can be out, `out`: the seats that are, in the order in which they left. Where several choose
        at once, `decision` is {"name", "player": None, "chosen": [[seat, args], …]}, with those who have
        chosen, by seat. A variable of kinds is an object by their names. A pile with known pieces, see
        `show`."""
        ...

    def view(self, player: int) -> dict[str, JSON]:
        """The snapshot as that player may see it: what is hidden is left out, a hidden or another's secret
        zone is {"size": n}, with the known pieces of a pile that he knows; `to_act`: all seats that public
        facts allow to be asked; `you`: the player. At another's choice that can be passed, `decision` names
        no player, and no decision where it could be one of several; of what is chosen at once it has the
        player's own arguments, and who else has chosen where that tells nothing."""
        ...

    def sample(self, player: int, seed: int | None = None) -> State:
        """A full position with the same view for that player; everything the player does not know is drawn
        anew, the chance streams too (from `seed`, by default from the system's entropy)."""
        ...

    def explain(self, player: int, what: Asked) -> Explanation:
        """Why a player can make a move, or why not, by what that player knows: the rules with their clauses,
        and the values that decided. `what`: a move, the number of a legal one, what a person types (`place
        2-1-0-1 at 1,2`), or `{"name", "args"}`; some of the arguments are enough. Whatever else it is, the
        answer says that it is not understood. `NotExplainedError` of an engine that was imported without its
        rules."""
        ...


class Engine(Protocol):
    """A playable ruleset."""

    ruleset: str
    """Its name, such as `cacao+huts`."""
    versions: Mapping[str, str]
    """Of the game and its modules, by name."""
    options: Mapping[str, str]
    """The value of each option, by name."""
    min_players: int
    max_players: int
    seats: tuple[str, ...]
    """The names of the seats; empty where the rules give none."""

    @property
    def digest(self) -> str:
        """The identity of the rules."""
        ...

    def start(
        self,
        players: int,
        seed: int | None = None,
        chance: ChanceSource | None = None,
        log: bool = False,
    ) -> State:
        """A new game, played on to its first decision of two or more options. `seed`: 0 ≤ seed < 2**64, by
        default from the system's entropy; not together with `chance`. With log, `state.log` holds the
        set-up's events. ValueError for a wrong number of players or seed."""
        ...

    def from_json(self, text: str) -> State:
        """SaveError when the text is not a whole, unedited-looking save of this ruleset (digest) and
        version."""
        ...
