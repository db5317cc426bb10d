"""What a saved game holds, from the codes of one engine to those of another.

Purpose: kinds are numbered in the order in which they are declared, spaces row by row of a board as large as
it is; so the same position has other codes in an engine of other rules.
Input: a state, what is known of both engines, the renames, and where the game stands. Output: the `state` of
a save for the new engine.
Invariants: everything goes by the names of the rules. What has no place in the new rules is a
`NotMigratedError` that says what and where; what is new there and holds pieces is empty, what is new and
holds a value has its first one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conche.codegen import ir
from conche.codegen.liveness import Liveness
from conche.codegen.origins import Origins
from conche.compare.names import Name, Renames
from conche.compare.not_migrated import NotMigratedError
from conche.compare.standing import INSIDE, Standing, slots_by_key
from conche.semantics import rulebook as rb
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SpaceT,
    Type,
)
from conche_runtime.codecs import NOTHING, UNSET
from conche_runtime.engine import GeneratedEngine
from conche_runtime.show import stacks_of, zone_counts, zone_masks, zone_order
from conche_runtime.state import EngineState

NO_ROOM = "the new rules have no place for what this game holds"


@dataclass(frozen=True, slots=True)
class Side:
    """A version with its engine."""

    rulebook: rb.Rulebook
    origins: Origins
    engine: GeneratedEngine[EngineState]

    @property
    def layout(self) -> ir.Layout:
        return self.origins.program.layout

    def attribute(self, slot: str) -> str:
        return self.origins.names.slots[slot]


class _NoPlaceError(Exception):
    """A value that the new rules do not have; carries what it is."""


class Carry:
    """Makes the `state` of a save for the new side."""

    def __init__(self, old: Side, new: Side, renames: Renames, state: EngineState, stands: Standing) -> None:
        self.old, self.new, self.renames, self.state, self.stands = old, new, renames, state, stands
        self.players = state.players
        self.kinds = {one.name: one for one in old.layout.kinds}
        self.kinds_now = {one.name: one for one in new.layout.kinds}
        self.grids = {one.name: one for one in old.layout.grids}
        self.grids_now = {one.name: one for one in new.layout.grids}

    def slots(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        out.update(self._variables())
        out.update(self._zones())
        out.update(self._boards())
        out.update(self._locals())
        names = self.new.origins.names
        blocks = names.blocks
        for routine, attribute in names.returns.items():
            back = self.stands.returns.get(routine)
            if back is not None and back not in blocks:
                raise NotMigratedError(INSIDE, [f"{routine} leads back to another place"])
            out[attribute] = None if back is None else blocks[back]
        out.update(self._chosen())
        out.update(self._out())
        return out

    def draws(self, paths: dict[str, int]) -> dict[str, int]:
        """How far each source of chance is used up, by its path now."""
        known = {path for stream in self.new.engine.game.streams for path in stream.paths(self.players)}
        found: dict[str, int] = {}
        for path, used in paths.items():
            name, bracket, seat = path.partition("[")
            name = self.renames.get(Name("chance", name)) or self._name("zone", name)
            if f"{name}{bracket}{seat}" in known:
                found[f"{name}{bracket}{seat}"] = used
        return found

    # ---------------------------------------------------------------------------------------- names, codes

    def _name(self, space: str, name: str) -> str:
        return self.renames.get(Name(space, name), name)

    def kind(self, of: str, code: int) -> int:
        """The number of a kind or member now."""
        now = self._name("type", of)
        name = self.kinds[of].names[code]
        renamed = self._name("kind", name)
        if now not in self.kinds_now or renamed not in self.kinds_now[now].names:
            raise _NoPlaceError(self.kinds[of].written[code])
        return self.kinds_now[now].names.index(renamed)

    def cell(self, board: str, code: int) -> int:
        grid = self.grids[board]
        x, y = code % grid.width - grid.half, code // grid.width - grid.half
        now = self.grids_now.get(self._name("board", board))
        if now is None or not (0 <= x + now.half < now.width and 0 <= y + now.half < now.width):
            raise _NoPlaceError(f"the space [{x}, {y}]")
        return now.cell(x, y)

    def value(self, code: Any, old: Type, new: Type) -> Any:
        """A value, from the codes of one type to those of its partner."""
        if type(code) is int and code in (NOTHING, UNSET):
            if code == UNSET or isinstance(new, Maybe):
                return code
            raise _NoPlaceError("nothing")
        if isinstance(old, Maybe):
            return self.value(code, old.element, new.element if isinstance(new, Maybe) else new)
        if isinstance(new, Maybe):
            return self.value(code, old, new.element)
        match old, new:
            case (
                (ListT(element=inner) | SetT(element=inner) | RingT(element=inner)),
                (ListT(element=other) | SetT(element=other) | RingT(element=other)),
            ):
                return tuple(self.value(item, inner, other) for item in code)
            case ((EnumT(name=of) | KindT(piece=of)), (EnumT() | KindT())):
                return self.kind(of, code)
            case SpaceT(board=board), SpaceT():
                return self.cell(board, code)
            case EdgeT(board=board), EdgeT():
                return self.cell(board, code >> 2) * 4 + (code & 3)
            case _ if type(old) is type(new):
                return code
            case _:
                raise _NoPlaceError(f"a value of another sort ({code!r})")

    # ---------------------------------------------------------------------------------------- variables

    def _variables(self) -> Iterator[tuple[str, Any]]:
        before = {self._variable_key(one): one for one in self.old.layout.variables}
        for variable in self.new.layout.variables:
            key = (variable.board, variable.name)
            old = before.get(key)
            if old is None:
                yield self.new.attribute(variable.slot), self._first(variable)
            elif old.owner != variable.owner:
                raise NotMigratedError(NO_ROOM, [f"{variable.name} belongs to something else now"])
            else:
                yield self.new.attribute(variable.slot), self._variable(old, variable)

    def _variable_key(self, variable: ir.Variable) -> tuple[str | None, str]:
        if variable.board is not None:
            return self._name("board", variable.board), self._name("space", variable.name)
        return None, self._name("var", variable.name)

    def _first(self, variable: ir.Variable) -> Any:
        """The first value of a variable that is new."""
        if variable.initial is None:
            raise NotMigratedError(NO_ROOM, [f"{variable.name} is new, and its first value is worked out"])
        value = _code(variable.initial)
        if variable.owner == "player":
            return [value] * self.players
        if variable.owner == "kind":
            assert variable.of is not None
            return [value] * len(self.kinds_now[variable.of].names)
        return [] if variable.owner == "space" else value

    def _variable(self, old: ir.Variable, new: ir.Variable) -> Any:
        held = getattr(self.state, self.old.attribute(old.slot))

        def one(code: Any, whose: str = "") -> Any:
            try:
                value = self.value(code, old.type, new.type)
            except _NoPlaceError as what:
                raise NotMigratedError(NO_ROOM, [f"{new.name}{whose} is {what}"]) from None
            bounds = new.type.element if isinstance(new.type, Maybe) else new.type
            plain = type(value) is int and value not in (NOTHING, UNSET)
            if plain and isinstance(bounds, Int) and not bounds.low <= value <= bounds.high:
                raise NotMigratedError(
                    NO_ROOM, [f"{new.name}{whose} is {value}, now it is {bounds.low}..{bounds.high}"]
                )
            if type(value) is int and value == UNSET and new.initial != ir.UNSET:
                raise NotMigratedError(NO_ROOM, [f"{new.name}{whose} is not set"])
            return value

        if new.owner == "player":
            return [one(code, f" of seat {seat}") for seat, code in enumerate(held)]
        if new.owner == "kind":
            assert old.of is not None
            assert new.of is not None
            found: list[Any] = [self._first(new)[0]] * len(self.kinds_now[new.of].names)
            for number, code in enumerate(held):
                name = self.kinds[old.of].names[number]
                if self._name("kind", name) in self.kinds_now[new.of].names:
                    found[self.kind(old.of, number)] = one(code, f" of {name}")
            return found
        if new.owner == "space":
            assert old.board is not None
            return sorted([self._cell(old.board, cell), one(code)] for cell, code in held.items())
        return one(held)

    def _cell(self, board: str, code: int) -> int:
        try:
            return self.cell(board, code)
        except _NoPlaceError as what:
            raise NotMigratedError(NO_ROOM, [f"{what} is not on {board}"]) from None

    # ---------------------------------------------------------------------------------------- zones

    def _zones(self) -> Iterator[tuple[str, Any]]:
        before = {self._name("zone", one.name): one for one in self.old.layout.zones}
        for zone in self.old.layout.zones:
            if self._name("zone", zone.name) not in {one.name for one in self.new.layout.zones}:
                self._must_be_empty(zone)
        for zone in self.new.layout.zones:
            yield from self._zone(before.get(zone.name), zone)

    def _must_be_empty(self, zone: ir.Zone) -> None:
        game = self.state.game.zone_named[zone.name]
        for seat in game.places(self.players):
            if self._size(game, seat):
                raise NotMigratedError(NO_ROOM, [f"{zone.name} is gone, and it is not empty"])

    def _size(self, zone: Any, seat: int | None) -> int:
        counts = zone_counts(self.state, zone, seat) if zone.storage != "row" else []
        return sum(counts) + sum(map(len, zone_order(self.state, zone, seat)))

    def _places(self, zone: ir.Zone) -> list[int | None]:
        if zone.owner == "game":
            return [None]
        return list(range(len(zone.carriers) if zone.carriers else self.players))

    def _place_before(self, old: ir.Zone, new: ir.Zone) -> dict[int | None, int | None]:
        """By a place of a zone now, where that was."""
        if not new.carriers:
            return {place: place for place in self._places(new)}
        found: dict[int | None, int | None] = {}
        for seat, kind in enumerate(old.carriers):
            number = self.kind(old.carrier, kind)
            if number in new.carriers:
                found[new.carriers.index(number)] = seat
        return found

    def _zone(self, old: ir.Zone | None, new: ir.Zone) -> Iterator[tuple[str, Any]]:
        name = self.new.attribute(new.slot)
        number = len(self.kinds_now[new.of].names)
        places = self._places(new)
        counts = [0] * (number * len(places))
        order: dict[str, list[tuple[int, ...]]] = {"_top": [], "_bottom": []}
        masks: dict[str, list[tuple[int, ...]]] = {"_top": [], "_bottom": []}
        if old is not None and (
            bool(old.carriers) != bool(new.carriers) or (old.owner == "game") != (new.owner == "game")
        ):
            raise NotMigratedError(NO_ROOM, [f"{new.name} belongs to something else now"])
        before = {} if old is None else self._place_before(old, new)
        for at, place in enumerate(places):
            top: tuple[tuple[int, ...], ...] = ((), ())
            known: tuple[tuple[int, ...], ...] = ((), ())
            if old is not None and place in before:
                held, top, known = self._contents(old, new, before[place])
                for kind, many in held.items():
                    counts[at * number + kind] += many
                size = sum(held.values()) + sum(map(len, top))
                if new.capacity is not None and size > new.capacity:
                    where = new.name if place is None else f"{new.name} of seat {place}"
                    raise NotMigratedError(
                        NO_ROOM, [f"{where} holds {size}, now it has room for {new.capacity}"]
                    )
            for end, kinds, who in zip(("_top", "_bottom"), top, known, strict=True):
                order[end].append(kinds)
                masks[end].append(who)

        def seated(parts: list[tuple[int, ...]]) -> Any:
            return parts if new.owner != "game" else parts[0]

        if new.storage == "row":
            yield name, seated(order["_top"])
            return
        yield name, counts
        for end in ("_top", "_bottom"):
            if new.known:
                yield f"{name}{end}", seated(order[end])
            if new.masked:
                yield f"{name}{end}_known", seated(masks[end])

    def _contents(
        self, old: ir.Zone, new: ir.Zone, place: int | None
    ) -> tuple[dict[int, int], tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """What lies there: how many of each kind in no known order, the known ends, and who knows them."""
        game = self.state.game.zone_named[old.name]
        ordered = zone_order(self.state, game, place)
        try:
            top = tuple(tuple(self.kind(old.of, kind) for kind in part) for part in ordered)
            held: dict[int, int] = {}
            if old.storage != "row":
                for kind, many in enumerate(zone_counts(self.state, game, place)):
                    if many:
                        held[self.kind(old.of, kind)] = many
        except _NoPlaceError as what:
            raise NotMigratedError(NO_ROOM, [f"{what} lies in {old.name}"]) from None
        known = zone_masks(self.state, game, place) if old.storage == "pile" else ((), ())
        keeps = {"pile": new.known, "row": True, "counts": False}[new.storage]
        if (old.storage == "row") != (new.storage == "row") and (held or any(top)):
            raise NotMigratedError(NO_ROOM, [f"{new.name} is another sort of zone"])
        if any(top) and not keeps:
            raise NotMigratedError(
                NO_ROOM, [f"the order of pieces in {old.name} is known, and the new rules forget it"]
            )
        if any(mask != -1 for part in known for mask in part) and not new.masked:
            raise NotMigratedError(
                NO_ROOM, [f"some know pieces in {old.name}, and in the new rules all who know any do"]
            )
        return held, top, known

    # ---------------------------------------------------------------------------------------- boards

    def _boards(self) -> Iterator[tuple[str, Any]]:
        before = {self._name("board", grid.name): grid for grid in self.old.layout.grids}
        games = {grid.name: grid for grid in self.state.game.grids}
        for name, grid in before.items():
            if name not in self.grids_now and stacks_of(self.state, games[grid.name]):
                raise NotMigratedError(NO_ROOM, [f"{grid.name} is gone, and it is not empty"])
        for grid in self.new.layout.grids:
            old = before.get(grid.name)
            stacks = {} if old is None else stacks_of(self.state, games[old.name])
            codes = {code: number for number, code in enumerate(grid.codes)}
            entries: list[Any] = []
            for cell, stack in stacks.items():
                assert old is not None
                entries.append(
                    [self._cell(old.name, cell), [self._piece(old, codes, code) for code in stack]]
                )
            yield self.new.attribute(grid.slot), sorted(entries)

    def _piece(self, old: ir.Grid, codes: dict[ir.Code | None, int], number: int) -> int:
        code = old.codes[number]
        assert code is not None
        try:
            now = ir.Code(
                self._name("type", code.piece), self.kind(code.piece, code.kind), code.owner, code.turn
            )
        except _NoPlaceError as what:
            raise NotMigratedError(NO_ROOM, [f"{what} lies on {old.name}"]) from None
        if now not in codes:
            raise NotMigratedError(
                NO_ROOM, [f"{self.kinds[code.piece].written[code.kind]} lies on {old.name} as it cannot now"]
            )
        return codes[now]

    # ---------------------------------------------------------------------------------------- locals

    def _locals(self) -> Iterator[tuple[str, Any]]:
        """What the routines under way keep. What is never read again may hold anything."""
        origins, stands = self.new.origins, self.stands
        live: frozenset[rb.Slot] = frozenset()
        if stands.point:
            liveness = Liveness(origins.program)
            live = liveness.decisions[stands.point].union(
                *(liveness.blocks[block] for block in stands.returns.values() if block in liveness.blocks)
            )
        values = self._known_locals()
        seen = self._seen()
        blank = self.new.engine.blank(self.players)
        for slot, attribute in origins.names.saved.items():
            if slot in values:
                yield attribute, values[slot]
            elif slot in live and slot in seen:
                where = f" of {slot.owner}" if slot.owner else ""
                raise NotMigratedError(
                    INSIDE,
                    [f"the new rules go on to read '{slot.name}'{where}, and the save does not have it"],
                )
            else:
                yield attribute, getattr(blank, attribute)

    def _seen(self) -> set[rb.Slot]:
        """The locals of the new program that may have a value where the game stands: no others can be read
        before they are set, whatever the program's blocks look like."""
        new, places = self.new.origins, set(self.stands.nodes.values())
        ours = slots_by_key(_all_slots(new))
        found = {new.slot(ours[key]) for key in self.stands.slots if key in ours}
        for slot in new.names.saved:
            node = new.made.get(slot, ("", ""))[0]
            if not slot.owner and (slot not in new.made or node in places):
                found.add(slot)
        return found

    def _known_locals(self) -> dict[rb.Slot, Any]:
        """The values of locals that can be seen where the game stands, and of the loops around it."""
        old, new, stands = self.old.origins, self.new.origins, self.stands
        kept = old.names.saved
        ours, theirs = slots_by_key(_all_slots(old)), slots_by_key(_all_slots(new))
        found: dict[rb.Slot, Any] = {}
        for now, before in stands.slots.items():
            if before is None or now not in theirs or before not in ours:
                continue
            slot, source = new.slot(theirs[now]), old.slot(ours[before])
            if source in kept and slot in new.names.saved:
                found[slot] = self._local(getattr(self.state, kept[source]), source, slot)
        places = {(node, role): slot for slot, (node, role) in new.made.items()}
        for slot, (node, role) in old.made.items():
            now_node = stands.nodes.get(node)
            partner = None if now_node is None else places.get((now_node, role))
            if slot in kept and partner in new.names.saved:
                assert partner is not None
                code = getattr(self.state, kept[slot])
                found[partner] = self._events(node, code) or self._local(code, slot, partner)
        return found

    def _local(self, code: Any, old: rb.Slot, new: rb.Slot) -> Any:
        try:
            return self.value(code, old.type, new.type)
        except _NoPlaceError as what:
            raise NotMigratedError(INSIDE, [f"'{old.name}' is {what}"]) from None

    def _events(self, node: str, code: Any) -> Any:
        """The events that a trigger still has to go through, one value after another; None of anything
        else."""
        trigger = self.old.origins.graph.node(node).owns
        if not isinstance(trigger, rb.Trigger):
            return None
        types: tuple[Type, ...] = (PlayerT(), Int(0, 0))
        if isinstance(trigger.event, rb.OnEnter):
            types = (trigger.event.slot.type,)
        try:
            return tuple(
                self.value(item, types[place % len(types)], types[place % len(types)])
                for place, item in enumerate(code)
            )
        except _NoPlaceError as what:
            raise NotMigratedError(INSIDE, [f"{trigger.name} is to go on with {what}"]) from None

    # ---------------------------------------------------------------------------------------- choices

    def _chosen(self) -> Iterator[tuple[str, Any]]:
        """What several have chosen at once where the game stands."""
        old, new = self.old.origins, self.new.origins
        before = {one.id: one for one in old.program.decisions}
        point = next((one for one, now in self.stands.nodes.items() if now == self.stands.point), None)
        for decision in new.program.decisions:
            if decision.id not in new.names.kept:
                continue
            kept: list[list[Any]] = [[] for _ in range(self.players)]
            held: list[list[Any]] = [[] for _ in range(self.players)]
            if decision.id == self.stands.point and point in old.names.kept:
                assert point is not None
                kept = [
                    self._choice(before[point], decision, choice)
                    for choice in getattr(self.state, old.names.kept[point])
                ]
                held = self._held(before[point], decision)
            yield new.names.kept[decision.id], kept
            if decision.id in new.names.held:
                yield new.names.held[decision.id], held

    def _choice(self, old: ir.Decision, new: ir.Decision, choice: tuple[Any, ...]) -> list[Any]:
        if not choice:
            return []
        number = self.stands.cases.get(choice[0])
        if number is None:
            raise NotMigratedError(
                INSIDE, [f"somebody has chosen {old.cases[choice[0]].label}, which is gone"]
            )
        ours, theirs = old.cases[choice[0]].binders, new.cases[number].binders
        if len(ours) != len(theirs):
            raise NotMigratedError(
                INSIDE, [f"somebody has chosen {old.cases[choice[0]].label}, which is another"]
            )
        codes = zip(choice[1:], ours, theirs, strict=True)
        return [number, *(self._local(code, one.slot, other.slot) for code, one, other in codes)]

    def _held(self, old: ir.Decision, new: ir.Decision) -> list[list[Any]]:
        """What the variables held that a secret choice has set."""
        nothing: list[list[Any]] = [[] for _ in range(self.players)]
        if old.at_once is None or new.at_once is None or old.at_once.anew is None or new.at_once.anew is None:
            return nothing
        types = {one.slot: one for one in self.old.layout.variables}
        types_now = {one.slot: one for one in self.new.layout.variables}
        names = [self._variable_key(types[slot]) for slot in old.at_once.anew[0]]
        held = getattr(self.state, self.old.origins.names.held[old.id])
        found = nothing
        for seat, codes in enumerate(held):
            if codes:
                by_name = dict(zip(names, zip(codes, old.at_once.anew[0], strict=True), strict=True))
                for slot in new.at_once.anew[0]:
                    key = self._variable_key(types_now[slot])
                    if key not in by_name:
                        return nothing
                    code, source = by_name[key]
                    found[seat].append(self.value(code, types[source].type, types_now[slot].type))
        return found

    def _out(self) -> Iterator[tuple[str, Any]]:
        if self.new.origins.program.eliminates:
            yield "out", list(self.state.out)
        elif self.state.out:
            raise NotMigratedError(NO_ROOM, ["a player is out, which the new rules do not know"])


def _all_slots(origins: Origins) -> dict[rb.Slot, str]:
    """The locals that a program keeps, and those that stand for one."""
    return {
        **dict.fromkeys(origins.alias, ""),
        **dict.fromkeys(origins.alias.values(), ""),
        **origins.names.saved,
    }


def _code(value: ir.Value) -> Any:
    if isinstance(value, ir.Absent):
        return NOTHING if value is ir.NOTHING else UNSET
    return value
