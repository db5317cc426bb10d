"""What everything of a program is called in a generated module.

Input: a program. Output: `ModuleNames`, the names of slots, tables, codecs, moves, queries, functions, blocks
and decisions.
Invariants: names are given in one fixed order, so the same program gives the same names.
"""

from __future__ import annotations

from conche.codegen import ir
from conche.codegen.names import (
    ATTRIBUTES,
    Scope,
    block_name,
    camel,
    constant,
    decision_name,
    plain,
    routine_name,
)
from conche.semantics.rulebook import Slot


class ModuleNames:
    """`globals`: everything defined in the module; local names keep clear of it."""

    def __init__(self, program: ir.Program) -> None:
        self.globals = Scope()
        self.attributes = Scope(reserved=ATTRIBUTES)
        layout = program.layout
        give = self.globals.give
        self.slots: dict[str, str] = {}
        for variable in layout.variables:
            self.slots[variable.slot] = self.attributes.give(plain(variable.name))
        for zone in layout.zones:
            suffixes = _suffixes(zone)
            name = self.slots[zone.slot] = self._attribute_family(plain(zone.name), suffixes)
            self.attributes.names |= {f"{name}{suffix}" for suffix in suffixes}
        for grid in layout.grids:
            name = self.slots[grid.slot] = self._attribute_family(plain(grid.name), ("_below",))
            self.attributes.names.add(f"{name}_below")
        for kept in layout.sets:
            name = self.slots[kept.slot] = self._attribute_family(plain(kept.name), ("_has",))
            self.attributes.names.add(f"{name}_has")
        self.saved: dict[Slot, str] = {}
        for slot in program.saved:
            owner = routine_name(f"_.{slot.owner.partition('.')[2] or slot.owner}") if slot.owner else ""
            wanted = plain(f"{owner}_{slot.name}" if owner else slot.name)
            self.saved[slot] = self.attributes.give(wanted)
        self.returns = {
            name: self.attributes.give(plain(f"after_{routine_name(name)}")) for name, _ in program.returns
        }

        self.seat = give("SEAT")
        self.kinds = {kinds.name: give(constant(kinds.name)) for kinds in layout.kinds}
        self.grids = {grid.name: give(constant(grid.name)) for grid in layout.grids}
        self.spaces = {grid.name: give(constant(f"{grid.name}_space")) for grid in layout.grids}
        self.edges = {grid.name: give(constant(f"{grid.name}_edge")) for grid in layout.grids}
        self.rooms = {
            (grid.name, room.piece): give(constant(f"{grid.name}_room_{room.piece}"))
            for grid in layout.grids
            for room in grid.room
        }
        self.room_functions = {
            (grid.name, room.piece): give(plain(f"room_for_{room.piece.lower()}"))
            for grid in layout.grids
            for room in grid.room
        }
        self.tables = {table.name: give(constant(table.name)) for table in program.tables}
        moves = dict.fromkeys(case.move for decision in program.decisions for case in decision.cases)
        self.moves = {name: give(camel(name)) for name in moves}
        self.queries = {query.name: give(plain(query.name)) for query in program.queries}
        self.functions = {function.id: give(routine_name(function.id)) for function in program.functions}
        self.blocks = {block.id: give(block_name(block.id)) for block in program.blocks}
        self.decisions: dict[str, str] = {}
        self.decision_objects: dict[str, str] = {}
        self.kept: dict[str, str] = {}
        self.held: dict[str, str] = {}
        for decision in program.decisions:
            base = self._decision(decision)
            self.decisions[decision.id] = base
            self.decision_objects[decision.id] = give(base.upper())
            if decision.at_once is not None:
                self.kept[decision.id] = self.attributes.give(f"{base}_kept")
                if decision.at_once.anew is not None:
                    self.held[decision.id] = self.attributes.give(f"{base}_held")
        self.pools = {
            (decision.id, number): give(
                self.decision_objects[decision.id]
                + (f"_{constant(case.label)}" if len(decision.cases) > 1 else "")
                + "_MOVES"
            )
            for decision in program.decisions
            for number, case in enumerate(decision.cases)
        }
        self.puts = {
            (grid.name, room.piece): give(plain(f"put_{room.piece.lower()}"))
            for grid in layout.grids
            for room in grid.room
        }
        self.draws = {
            zone.slot: give(plain(f"draw_{zone.name}"))
            for zone in layout.zones
            if zone.kind in ("pile", "bag")
        }
        self.updates = {kept.slot: give(plain(f"update_{kept.name}")) for kept in layout.sets}
        self.scores = {score.name: give(plain(f"score_{score.name}")) for score in program.scores}

    def _attribute_family(self, wanted: str, suffixes: tuple[str, ...]) -> str:
        """An attribute that with each suffix is free as well."""
        while any(self.attributes.has(wanted + suffix) for suffix in suffixes):
            wanted += "_"
        return self.attributes.give(wanted)

    def _decision(self, decision: ir.Decision) -> str:
        """A name that is free behind each of the prefixes of a decision's functions."""
        wanted = decision_name(decision.id, decision.name)
        prefixes: tuple[str, ...] = ("ask_", "step_", "move_", "moves_", "apply_")
        prefixes += ("options_", "named_") if decision.listed else ()
        prefixes += () if decision.asking is None else ("may_",)
        prefixes += () if decision.at_once is None else ("count_", "holds_", "named_", "take_", "anew_")
        name, number = wanted, 2
        while any(self.globals.has(prefix + name) for prefix in prefixes):
            name = f"{wanted}_{number}"
            number += 1
        self.globals.names |= {prefix + name for prefix in prefixes}
        return name


def _suffixes(zone: ir.Zone) -> tuple[str, ...]:
    """What stands behind a zone's name in the attributes that belong to it."""
    masks = ("_top_known", "_bottom_known") if zone.masked else ()
    return ("_size", "_top", "_bottom", *masks)
