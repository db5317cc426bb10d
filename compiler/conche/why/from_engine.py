"""The state of a generated engine as a position of the interpreter.

Purpose: engines explain their moves by the interpreter, which has the rules at hand.
Input: a state, the interpreter of the same rules. Output: a `Position` that stands at the same decision.
Invariants: all that lies on the table is carried over exactly. Of half-finished actions there are the locals
that the decision speaks of, and what has been chosen where several choose at once: enough to answer for the
decision, not to play on. An engine keeps what it needs alone, so a local that it has under another name is
found where the rules have set it: a parameter by the call, a copy by what it is a copy of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conche.codegen.module_names import ModuleNames
from conche.codegen.program import program_of
from conche.graph.expressions import own_exprs, walk
from conche.graph.model import ActionGraph, EdgeKind, Node, at_once, choose_of
from conche.interpret.book import Book
from conche.interpret.decisions import Program
from conche.interpret.evaluate import BrokenRuleError, Env, Evaluator, slot_key
from conche.interpret.position import NOBODY, Heap, Piece, Position, SlotKey, Value
from conche.semantics.rulebook import (
    ActionCase,
    Choose,
    Do,
    DoAction,
    EachPlayer,
    Expr,
    Let,
    Local,
    Slot,
    Step,
)
from conche.semantics.types import EnumT, KindT, ListT, Maybe, SetT, Type
from conche_runtime.codecs import NOTHING, UNSET, Codec, ItemsCodec, MaybeCodec
from conche_runtime.layout import FAILED, OVER, AtOnce
from conche_runtime.show import stacks_of, zone_counts, zone_masks, zone_order
from conche_runtime.state import EngineState

_CALLS = (EdgeKind.DOES, EdgeKind.TRIGGERS)


class Carrier:
    """Carries states of one engine over. It works out once how the engine calls things."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graph, self.book = program.graph, program.book
        made = program_of(program.graph)
        names = ModuleNames(made)
        self.decisions = {names.decisions[one.id]: one.id for one in made.decisions}
        self.saved = dict(names.saved)
        self.returns = {
            routine: (names.returns[routine], {names.blocks[back]: back for back in backs})
            for routine, backs in made.returns
        }

    def position(self, state: EngineState) -> Position:
        """The position of a state."""
        game = state.game
        position = Position(state.players, ActionGraph.END, None)
        position.out = tuple(state.out) if game.eliminates else ()
        self._variables(state, position)
        self._zones(state, position)
        self._boards(state, position)
        if state.at is not OVER and state.at is not FAILED:
            self._stand(state, position)
        return position

    # -------------------------------------------------------------------------------- the table

    def _variables(self, state: EngineState, position: Position) -> None:
        for variable in state.game.variables:
            held = getattr(state, variable.attribute)
            if variable.owner == "space":
                grid = next(grid for grid in state.game.grids if grid.name == variable.grid)
                var = self.book.space_var(grid.name, variable.name)
                for cell, code in held.items():
                    x, y = grid.space.show(cell)
                    if not _unset(code):
                        value = self._value(variable.codec, code, var.type)
                        position.attributes[grid.name, variable.name, (x, y)] = value
                continue
            places = self.book.places(variable.name, state.players)
            codes = [held] if variable.owner == "game" else held
            for place, code in zip(places, codes, strict=True):
                if not _unset(code):
                    type_ = self.book.type_of(variable.name)
                    position.variables[variable.name, place] = self._value(variable.codec, code, type_)

    def _value(self, codec: Codec, code: Any, type_: Type) -> Value:
        return value_of(self.book, codec, code, type_)

    def _zones(self, state: EngineState, position: Position) -> None:
        for zone in state.game.zones:
            rules = self.book.zone(zone.name)
            kinds = self.book.order[rules.of]
            seats = self.book.seats(rules.owner, state.players)
            for place, seat in zip(zone.places(state.players), seats, strict=True):
                heap = position.heaps[zone.name, seat] = Heap()
                if zone.storage != "row":
                    for kind, number in enumerate(zone_counts(state, zone, place)):
                        heap.add(kinds[kind], number)
                top, bottom = zone_order(state, zone, place)
                heap.top = [kinds[kind] for kind in top]
                heap.bottom = [kinds[kind] for kind in bottom]
                if rules.kind == "pile":
                    masks = zone_masks(state, zone, place)
                    heap.top_known = list(masks[0]) or [NOBODY] * len(heap.top)
                    heap.bottom_known = list(masks[1]) or [NOBODY] * len(heap.bottom)

    def _boards(self, state: EngineState, position: Position) -> None:
        position.boards = {name: {} for name in self.book.rulebook.boards}
        for grid in state.game.grids:
            for cell, codes in stacks_of(state, grid).items():
                x, y = grid.space.show(cell)
                stack = []
                for code in codes:
                    piece = grid.pieces[code]
                    assert piece is not None
                    kind = self.book.order[piece.of][piece.kind]
                    stack.append(Piece(piece.of, kind, piece.owner, piece.turn or 0))
                position.boards[grid.name][x, y] = tuple(stack)

    # -------------------------------------------------------------------------------- the decision

    def _stand(self, state: EngineState, position: Position) -> None:
        node = self.graph.node(self.decisions[state.at.key])
        loop = self.graph.node(node.parent or node.id)
        locals_ = _Locals(self, state, position)
        if isinstance(state.at, AtOnce):
            position.node = loop.id
            position.loops[loop.id] = self._kept(state, state.at, node)
        else:
            position.node = node.id
        own: set[SlotKey] = set()
        if isinstance(loop.owns, EachPlayer) and at_once(loop):
            own.add(slot_key(loop.owns.slot))
            locals_.fill(tuple(e for e in (loop.owns.guard, loop.owns.start) if e is not None), own, loop)
        choose = choose_of(node)
        for case in choose.cases:
            mine = own | {slot_key(binder.slot) for binder in case.binders}
            locals_.fill(own_exprs(case), mine, node)
        locals_.fill((choose.chooser,), own, node)
        found = self.graph.askers(node.id) if choose.passes else None
        if found is not None and found[1] is not None:
            locals_.fill((found[1],), own | {slot_key(found[0])}, node)

    def _kept(self, state: EngineState, at: AtOnce, node: Node) -> tuple[Value, ...]:
        """What was chosen at once: see `Position`."""
        cases = choose_of(node).cases
        kept, entries = getattr(state, at.kept), list[Value]()
        for seat in getattr(state, at.order):
            if not kept[seat]:
                entries.append((seat, -1, ()))
                continue
            number, *codes = kept[seat]
            types = [binder.slot.type for binder in cases[number].binders]
            codecs = at.codecs[number]
            values = tuple(
                self._value(codec, code, type_)
                for codec, code, type_ in zip(codecs, codes, types, strict=True)
            )
            entries.append((seat, number, values))
        return tuple(entries)


class _Locals:
    """The locals that a decision speaks of."""

    def __init__(self, carrier: Carrier, state: EngineState, position: Position) -> None:
        self.carrier, self.state, self.position = carrier, state, position
        self.graph = carrier.graph
        self.evaluator = Evaluator(carrier.book, position)
        self._looking: set[Slot] = set()

    def fill(self, exprs: Iterable[Expr], own: set[SlotKey], at: Node) -> None:
        """Sets the locals that expressions speak of, but for those that they have themselves."""
        for slot in _spoken_of(exprs):
            key = slot_key(slot)
            if key not in own and key not in self.position.locals:
                found, value = self._find(slot, at)
                if found:
                    self.position.locals[key] = value

    def _find(self, slot: Slot, at: Node) -> tuple[bool, Value]:
        """What a local is worth where a routine stands."""
        attribute = self.carrier.saved.get(slot)
        if attribute is not None:
            codec = dict(self.state.game.saved)[attribute]
            code = getattr(self.state, attribute)
            if not _unset(code):
                return True, value_of(self.carrier.book, codec, code, slot.type)
        if slot in self._looking:
            return False, None
        self._looking.add(slot)
        try:
            return self._as_set(slot, at)
        finally:
            self._looking.discard(slot)

    def _as_set(self, slot: Slot, at: Node) -> tuple[bool, Value]:
        """By what the rules set it to: who is asked, a call, a `let`."""
        chooser = at.owns.chooser if isinstance(at.owns, Choose) else None
        if isinstance(chooser, Local) and chooser.slot == slot and self.state.actor >= 0:
            return True, self.state.actor
        routine = self.graph.node(at.routine)
        params: tuple[Slot, ...] = ()
        if isinstance(routine.owns, Step | ActionCase):
            params = routine.owns.params
        if slot in params:
            return self._by_call(routine, params.index(slot))
        for node in self.graph.nodes():
            if isinstance(node.owns, Let) and node.owns.slot == slot:
                return self._worth(node.owns.value, node)
        return False, None

    def _by_call(self, routine: Node, number: int) -> tuple[bool, Value]:
        """A parameter, by the call that has begun the routine."""
        callers = sorted(source for kind in _CALLS for source, _ in self.graph.into(routine.id, kind))
        kept = self.carrier.returns.get(routine.id)
        if kept is not None and len(callers) > 1:
            back = getattr(self.state, kept[0])
            target = None if back is None else kept[1].get(back.__name__)
            here = [caller for caller in callers if target is not None and self._leads(caller, target)]
            callers = here or callers
        for caller in callers:
            node = self.graph.node(caller)
            if isinstance(node.owns, Do | DoAction):
                found, value = self._worth(node.owns.args[number], node)
                if found:
                    return True, value
        return False, None

    def _leads(self, caller: str, target: str) -> bool:
        """Whether what follows a call is a place."""
        return self.graph.then(caller) == target or caller == target

    def _worth(self, expr: Expr, at: Node) -> tuple[bool, Value]:
        inner: dict[SlotKey, Value] = {}
        for slot in _spoken_of((expr,)):
            found, value = self._find(slot, at)
            if not found:
                return False, None
            inner[slot_key(slot)] = value
        env: Env = inner
        try:
            return True, self.evaluator.value(expr, env)
        except BrokenRuleError:
            return False, None


def value_of(book: Book, codec: Codec, code: Any, type_: Type) -> Value:
    """The value that a code stands for: a copy of a piece that carries others too, which records write as all
    the others."""
    match type_:
        case KindT(piece=of) | EnumT(name=of):
            kind: str = book.order[of][code]
            return kind
        case Maybe(element=element):
            if type(code) is int and code == NOTHING:
                return None
            return value_of(book, codec.element if isinstance(codec, MaybeCodec) else codec, code, element)
        case SetT(element=element) | ListT(element=element) if isinstance(codec, ItemsCodec):
            return tuple(value_of(book, codec.element, item, element) for item in code)
        case _:
            return book.from_json(codec.show(code), type_)


def _spoken_of(exprs: Iterable[Expr]) -> list[Slot]:
    """The locals of expressions that these do not introduce themselves, in order."""
    found: dict[Slot, None] = {}
    for expr in exprs:
        parts = list(walk(expr))
        inner = {part.slot for part in parts if hasattr(part, "slot") and not isinstance(part, Local)}
        found.update(
            dict.fromkeys(part.slot for part in parts if isinstance(part, Local) and part.slot not in inner)
        )
    return list(found)


def _unset(code: Any) -> bool:
    """Whether a slot holds nothing yet."""
    return type(code) is int and code == UNSET
