"""Saves: a whole state as JSON text, and back.

    {"conche": 1, "kind": "save", "ruleset", "digest", "versions", "options", "players", "seed", "draws",
    "at",
     "state": {…}, "check"}

`at` is the decision at which the state waits, or `over`; `draws` says how many numbers of each stream are
used up; `state` holds the slots by name: codes, tuples as arrays, a board as [[cell, codes from bottom to
top], …], a return address as the name of its block. `check` is a check sum over all the rest.

Loading believes nothing: digest, version and shape, the domain of every value, sizes and capacities, and at
last that the decision has two or more options are checked. All that can go wrong is a `SaveError`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from conche_runtime.codecs import NOTHING, UNSET
from conche_runtime.copies import number_of
from conche_runtime.errors import RulesError, SaveError
from conche_runtime.faults import Fault
from conche_runtime.interface import ChanceSource
from conche_runtime.layout import OVER, AtOnce, Game, Grid, Variable, Zone
from conche_runtime.samples import MOST_SEEDS, stream_keys
from conche_runtime.save_values import Values
from conche_runtime.show import known_attributes, stacks_of

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

VERSION = 1
MOST_PIECES = 10**6
"""No zone holds more pieces of a kind."""

S = TypeVar("S", bound="EngineState")

# ------------------------------------------------------------------------------------------------ writing


def to_json(state: EngineState) -> str:
    """The save. Equal states give equal text."""
    game = state.game
    saved = {
        "conche": VERSION,
        "kind": "save",
        "ruleset": game.ruleset,
        "digest": game.digest,
        "versions": dict(game.versions),
        "options": dict(game.options),
        "players": state.players,
        "seed": state.seed,
        "draws": _draws(state),
        "at": state.at.key,
        "state": _slots(state),
    }
    return json.dumps({**saved, "check": check_sum(saved)}, ensure_ascii=False, separators=(",", ":"))


def check_sum(saved: Mapping[str, Any]) -> str:
    """Over a save without its own check sum."""
    text = json.dumps(saved, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_undamaged(saved: dict[str, Any]) -> bool:
    """Whether the check sum in `check`, which is taken out, is that of all the rest."""
    check = saved.pop("check", None)
    try:
        return bool(check == check_sum(saved))
    except (ValueError, TypeError, RecursionError):
        return False


def _draws(state: EngineState) -> dict[str, int]:
    found = {}
    for number, used in enumerate(state.draws):
        if used:
            found[state.game_stream(number)[1]] = used
    return found


def _slots(state: EngineState) -> dict[str, Any]:
    game = state.game
    out: dict[str, Any] = {}
    for variable in game.variables:
        value = getattr(state, variable.attribute)
        out[variable.attribute] = sorted(value.items()) if variable.owner == "space" else value
    for zone in game.zones:
        for attribute in zone_attributes(zone):
            out[attribute] = getattr(state, attribute)
    for grid in game.grids:
        out[grid.attribute] = [[cell, codes] for cell, codes in stacks_of(state, grid).items()]
    for attribute, _ in game.saved:
        out[attribute] = getattr(state, attribute)
    for attribute, blocks in game.returns:
        back = getattr(state, attribute)
        out[attribute] = next((block.__name__ for block in blocks if block is back), None)
    for decision in at_once_in(game):
        out[decision.kept] = getattr(state, decision.kept)
        if decision.anew is not None:
            out[decision.anew.held] = getattr(state, decision.anew.held)
    if game.eliminates:
        out["out"] = state.out
    return out


def at_once_in(game: Game) -> list[AtOnce]:
    """The decisions at which several choose at once."""
    return [decision for decision in game.decisions if isinstance(decision, AtOnce)]


def zone_attributes(zone: Zone) -> tuple[str, ...]:
    """The attributes of a zone that are saved; sizes follow from them."""
    return (zone.attribute, *known_attributes(zone))


# ------------------------------------------------------------------------------------------------ reading


def from_json(game: Game, blank: Callable[[int], S], text: str, chance: ChanceSource | None) -> S:
    """The state that was saved. `blank`: makes a state for a number of players, not yet begun."""
    try:
        saved = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise SaveError("this is not a save, or it is cut") from None
    if not isinstance(saved, dict) or saved.get("kind") != "save" or "conche" not in saved:
        raise SaveError("this is not a save")
    if type(saved["conche"]) is not int or saved["conche"] != VERSION:
        raise SaveError(f"this save has version {saved['conche']!r}, and version {VERSION} is known here")
    if saved.get("ruleset") != game.ruleset or saved.get("digest") != game.digest:
        raise SaveError(
            f"this save is of other rules ({saved.get('ruleset')!r}, digest {saved.get('digest')!r})"
        )
    if not is_undamaged(saved):
        raise SaveError("this save was edited or damaged: its check sum is wrong")
    reader = _Reader(game, saved)
    state = blank(reader.players())
    reader.read(state, chance)
    return state


class _Reader(Values):
    """Fills a state from a save, field by field."""

    def players(self) -> int:
        players = self.saved.get("players")
        if type(players) is not int or not self.game.min_players <= players <= self.game.max_players:
            raise self.fail(f"{players!r} is no number of players")
        return players

    def read(self, state: EngineState, chance: ChanceSource | None) -> None:
        slots = self.saved.get("state")
        if not isinstance(slots, dict):
            raise self.fail("it has no state")
        if self.saved.get("versions") != dict(self.game.versions) or self.saved.get("options") != dict(
            self.game.options
        ):
            raise self.fail("its versions or options are not those of its rules")
        self.slots = dict(slots)
        self._read_chance(state, chance)
        for variable in self.game.variables:
            self._read_variable(state, variable)
        for zone in self.game.zones:
            self._read_zone(state, zone)
        for grid in self.game.grids:
            self._read_grid(state, grid)
        self._check_copies(state)
        for attribute, codec in self.game.saved:
            setattr(state, attribute, self.value(attribute, self.take(attribute), codec))
        for attribute, blocks in self.game.returns:
            name = self.take(attribute)
            found = [block for block in blocks if block.__name__ == name]
            if name is not None and not found:
                raise self.fail(f"'{attribute}' cannot be {name!r}")
            setattr(state, attribute, found[0] if found else None)
        for decision in at_once_in(self.game):
            self.read_chosen(state, decision)
        if self.game.eliminates:
            self.read_out(state)
        if self.slots:
            raise self.fail(f"there is no '{min(self.slots)}'")
        self._read_place(state)

    def _read_chance(self, state: EngineState, chance: ChanceSource | None) -> None:
        seed, draws = self.saved.get("seed"), self.saved.get("draws")
        if seed is not None and (type(seed) is not int or not 0 <= seed < MOST_SEEDS):
            raise self.fail(f"{seed!r} is no seed")
        if not isinstance(draws, dict):
            raise self.fail("it does not say how far chance is used up")
        if seed is None and chance is None:
            raise SaveError("this game has its chance from outside: say from where")
        if seed is not None and chance is not None:
            raise SaveError("this game has its own chance: it takes none from outside")
        state.seed, state.chance, state.log = seed, chance, None
        state.keys = stream_keys(self.game, seed)
        state.draws = [0] * len(self.game.paths)
        paths = {state.game_stream(number)[1]: number for number in range(len(state.draws))}
        for path, used in draws.items():
            if path not in paths or type(used) is not int or not 0 < used < MOST_SEEDS:
                raise self.fail(f"'{path}' is no source of chance that was used {used!r} times")
            state.draws[paths[path]] = used

    def _read_variable(self, state: EngineState, variable: Variable) -> None:
        name, value = variable.attribute, self.take(variable.attribute)
        if variable.owner == "game":
            setattr(state, name, self._variable_value(variable, value))
        elif variable.owner in ("player", "kind"):
            places = state.players if variable.owner == "player" else len(variable.names)
            if not isinstance(value, list) or len(value) != places:
                raise self.fail(f"'{name}' is not given for each {variable.owner}")
            setattr(state, name, [self._variable_value(variable, part) for part in value])
        else:
            grid = next(grid for grid in self.game.grids if grid.name == variable.grid)
            found: dict[int, Any] = {}
            for entry in value if isinstance(value, list) else [None]:
                if not isinstance(entry, list) or len(entry) != 2 or not grid.space.check(entry[0]):
                    raise self.fail(f"'{name}' cannot be {value!r}")
                found[entry[0]] = self._variable_value(variable, entry[1])
            setattr(state, name, found)

    def _variable_value(self, variable: Variable, value: Any) -> Any:
        code = self.value(variable.attribute, value, variable.codec)
        if type(code) is int and code == UNSET and variable.initial != UNSET and code != NOTHING:
            raise self.fail(f"'{variable.attribute}' cannot be unset")
        return code

    def _read_zone(self, state: EngineState, zone: Zone) -> None:
        places = len(zone.places(state.players))
        number = len(zone.kinds.names)
        sizes = [0] * places
        for attribute in zone_attributes(zone):
            value = self.take(attribute)
            if zone.storage != "row" and attribute == zone.attribute:
                if not isinstance(value, list) or len(value) != places * number:
                    raise self.fail(f"'{attribute}' has not one number for each kind")
                if any(type(held) is not int or not 0 <= held <= MOST_PIECES for held in value):
                    raise self.fail(f"'{attribute}' cannot be {value!r}")
                setattr(state, attribute, value)
                for place in range(places):
                    sizes[place] += sum(value[place * number : (place + 1) * number])
            elif attribute.endswith("_known"):
                self.read_masks(state, zone, attribute, value, places)
            else:
                self._read_order(state, zone, attribute, value, sizes)
        if zone.capacity is not None and max(sizes) > zone.capacity:
            raise self.fail(f"'{zone.attribute}' holds more than {zone.capacity}")
        if zone.storage != "row" and number > 1:
            counted = [
                sum(getattr(state, zone.attribute)[place * number : (place + 1) * number])
                for place in range(places)
            ]
            setattr(state, f"{zone.attribute}_size", counted if zone.owner != "game" else counted[0])

    def _read_order(
        self, state: EngineState, zone: Zone, attribute: str, value: Any, sizes: list[int]
    ) -> None:
        parts = value if zone.owner != "game" else [value]
        if not isinstance(parts, list) or len(parts) != len(sizes):
            raise self.fail(f"'{attribute}' is not given for each player")
        found: list[tuple[int, ...]] = []
        for place, part in enumerate(parts):
            if not isinstance(part, list) or not all(zone.kinds.check(kind) for kind in part):
                raise self.fail(f"'{attribute}' cannot be {part!r}")
            found.append(tuple(part))
            sizes[place] += len(part)
        setattr(state, attribute, found if zone.owner != "game" else found[0])

    def _read_grid(self, state: EngineState, grid: Grid) -> None:
        entries = self.take(grid.attribute)
        tops, below = grid.empty(), {}
        last = -1
        for entry in entries if isinstance(entries, list) else [None]:
            if (
                not isinstance(entry, list)
                or len(entry) != 2
                or not grid.space.check(entry[0])
                or entry[0] <= last
            ):
                raise self.fail(f"'{grid.attribute}' is no list of spaces in order")
            cell, codes = entry
            last = cell
            if not isinstance(codes, list) or not codes:
                raise self.fail(f"a space of '{grid.attribute}' holds no pieces")
            held: dict[str, int] = {}
            for code in codes:
                piece = grid.pieces[code] if type(code) is int and 0 < code < len(grid.pieces) else None
                if piece is None or (piece.owner is not None and piece.owner >= state.players):
                    raise self.fail(f"'{grid.attribute}' cannot hold {code!r}")
                held[piece.of] = held.get(piece.of, 0) + 1
            if any(number > grid.room[of][cell] for of, number in held.items()):
                raise self.fail(f"a space of '{grid.attribute}' holds more than it takes")
            tops[cell] = codes[-1]
            if len(codes) > 1:
                below[cell] = tuple(codes[:-1])
        setattr(state, grid.attribute, tops)
        setattr(state, f"{grid.attribute}_below", below)

    def _check_copies(self, state: EngineState) -> None:
        """A piece that carries others is in one place at most."""
        for (kinds, kind), (zone, _) in self.game.carried.items():
            if number_of(state, kinds, kind) > 1:
                raise self.fail(f"a piece that carries '{zone.short}' is in two places")

    def _read_place(self, state: EngineState) -> None:
        """The decision; that it is one of two or more options is tried out."""
        at = self.saved.get("at")
        if at == OVER.key:
            state.at, state.options, state.actor, state.found = OVER, 0, 0, ()
            self.game.refresh(state)
            return
        found = [decision for decision in self.game.decisions if decision.key == at]
        if not found:
            raise self.fail(f"the rules have no decision {at!r}")
        if isinstance(found[0], AtOnce):
            self.game.refresh(state)
            self.read_several(state, found[0])
            return
        try:
            self.game.refresh(state)
            state.at, state.options, state.actor, state.found = found[0], 0, 0, ()
            trial = state.clone()
            trial.chance = state.chance
            waits = found[0].ask(trial) is None and trial.at is found[0] and trial.options > 1
        except (Fault, RulesError, LookupError, ArithmeticError, TypeError, ValueError):
            waits = False
        if not waits:
            raise self.fail(f"there is nothing to decide at '{found[0].name}'")
        state.options, state.actor, state.found = trial.options, trial.actor, trial.found
