"""Prints operations and ends of the engine IR as lines of Python.

Input: the operations of a block or function. Output: lines, each with the line of the rules it was made of.
Invariants: every statement is one line here, however long; `wrap` breaks the long ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from conche.codegen import ir
from conche.codegen.ir_walk import can_fail, is_simple
from conche.codegen.names import Scope
from conche.codegen.print_codecs import codec_text
from conche.codegen.print_expressions import (
    INDEX,
    OR,
    SUM,
    Expressions,
    Module,
    is_sequence,
    literal,
)
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import Slot
from conche.semantics.types import ListT, Maybe, SetT, Type


@dataclass(frozen=True, slots=True)
class Line:
    """A line of Python; `mark` None: it was made of no rule in particular."""

    indent: int
    text: str
    mark: ir.Mark | None = None


class Body:
    """The body of one function."""

    def __init__(self, module: Module, params: Sequence[Slot], first: Body | None = None) -> None:
        """first: the same body, printed before to learn what is read how often."""
        self.module = module
        self.names = module.names
        self.program = module.program
        self.scope = Scope(module.names.globals)
        self.expressions = Expressions(module, self.scope)
        self.lines: list[Line] = []
        self.indent = 1
        self.mark: ir.Mark | None = None
        self.typed: set[Slot] = set()
        self.saved = module.names.saved
        self.params = frozenset(params)
        for slot in params:
            self.expressions.bind(slot)
        if first is not None:
            self._learn(first)

    def _learn(self, first: Body) -> None:
        """From the first printing: which locals nobody reads, which attributes are worth a local of their
        own."""
        read = first.expressions.read
        known = {*first.expressions.locals, *first.expressions.unread}
        self.expressions.unread = frozenset(
            slot for slot in known if slot not in read and slot not in first.params
        )
        for attribute, times in sorted(first.expressions.reads.items()):
            if times > 1 and attribute in self.module.hoistable:
                self.expressions.hoisted[attribute] = self.scope.give(attribute)

    def prologue(self, loads: Sequence[Slot]) -> None:
        """Reads what is read several times into locals: attributes, and saved locals (`loads`)."""
        for attribute, name in self.expressions.hoisted.items():
            self.put(f"{name} = state.{attribute}")
        for slot in loads:
            name = self.expressions.bind(slot)
            if name != "_":
                self.put(f"{name} = state.{self.saved[slot]}")
                self.typed.add(slot)
                if is_sequence(slot.type):
                    self.expressions.tuples.add(slot)

    # ---------------------------------------------------------------------------------------- lines

    def put(self, text: str) -> None:
        self.lines.append(Line(self.indent, text, self.mark))

    def text(self, expr: ir.Expr, prec: int = 0) -> str:
        return self.expressions.text(expr, prec)

    def condition(self, expr: ir.Expr, prec: int = 0) -> str:
        """A flag where only its truth matters."""
        return self.expressions.condition(expr).at(prec)

    def fault(self, message: str) -> None:
        self.put(f"raise {self.module.runtime('Fault')}({literal(message)})")

    def trouble(self, helper: str, name: str, seat: ir.Expr | None, *args: str) -> None:
        """What the rules forbid, with a message that a helper makes; seat: whose it is."""
        whose = "-1" if seat is None else self.text(seat)
        self.put(f"raise {self.module.runtime(helper)}(state, {literal(name)}, {', '.join([whose, *args])})")

    # ---------------------------------------------------------------------------------------- operations

    def ops(self, ops: Sequence[ir.Op]) -> None:
        before = len(self.lines)
        for op in ops:
            self.op(op)
        if len(self.lines) == before:
            self.put("pass")

    def op(self, op: ir.Op) -> None:
        self.mark = op.mark
        match op:
            case ir.Let():
                self._let(op)
            case ir.Store():
                self._store(op)
            case ir.ZoneAdd() | ir.ZoneRemove() | ir.ZoneDraw() | ir.ZoneShuffle() | ir.ZoneSwap():
                self._zone(op)
            case ir.ZoneLook() | ir.Eliminate() | ir.ForgetChoice():
                self._known(op)
            case ir.ZoneClear() | ir.ZoneSwapCopies():
                self._copies(op)
            case ir.PutPiece():
                self._put_piece(op)
            case ir.Pick():
                self._pick(op)
            case ir.Show():
                self._show(op)
            case ir.Call():
                args = ["state", *(self._argument(arg) for arg in op.args)]
                self.put(f"{self.names.functions[op.function]}({', '.join(args)})")
            case ir.If():
                self._if(op)
            case ir.Select():
                self._select(op)
            case ir.For():
                self._for(op)
            case ir.While():
                self._while(op)
            case ir.Break():
                self.put("break")
            case ir.Return():
                self.put("return")
            case ir.Fail():
                self.fault(op.message)
            case ir.Require():
                self.put(f"if {self.condition(ir.Not(op.condition))}:")
                self.indent += 1
                self.fault(op.message)
                self.indent -= 1
            case ir.Forget():
                self.put(f"state.{self.names.returns[op.routine]} = None")
            case _:
                assert_never(op)

    def _argument(self, arg: ir.Expr) -> str:
        return self.expressions.tuple_text(arg) if is_sequence(arg.type) else self.text(arg)

    def _nested(self, ops: Sequence[ir.Op]) -> None:
        self.indent += 1
        self.expressions.depth += 1
        self.ops(ops)
        self.expressions.depth -= 1
        self.indent -= 1

    # ---------------------------------------------------------------------------------------- values

    def _let(self, op: ir.Let) -> None:
        if op.value == ir.Local(op.slot):
            return
        if op.slot in self.expressions.unread and op.slot not in self.saved and not can_fail(op.value):
            return
        if op.bounds is not None:
            value = self._bounded(op.slot.name, None, op.slot.type, op.value, op.bounds)
        elif is_sequence(op.slot.type):
            value = self._items(op.value, op.slot in self.saved)
        else:
            value = self.text(op.value)
        self.assign(op.slot, value)

    def assign(self, slot: Slot, value: str) -> None:
        """A local gets a value, in its slot of the state too where it has one."""
        name = self.expressions.bind(slot)
        sequence = is_sequence(slot.type)
        if sequence:
            self.expressions.tuples.add(slot)
        if slot in self.saved and name == "_":
            self.put(f"state.{self.saved[slot]} = {value}")
        elif slot in self.saved and sequence and slot not in self.typed:
            self.put(f"{name}: tuple[int, ...] = {value}")
            self.put(f"state.{self.saved[slot]} = {name}")
        elif slot in self.saved:
            self.put(f"state.{self.saved[slot]} = {name} = {value}")
        elif sequence and slot not in self.typed and name != "_":
            self.put(f"{name}: tuple[int, ...] = {value}")
        else:
            self.put(f"{name} = {value}")
        self.typed.add(slot)

    def _bounded(
        self, name: str, seat: ir.Expr | None, type_: Type, value: ir.Expr, bounds: tuple[int, int]
    ) -> str:
        """A value that must lie within bounds, in a local; gives its text."""
        low, high = bounds
        local = self.scope.give("value")
        if is_sequence(type_):
            self.put(f"{local} = {self.expressions.tuple_text(value)}")
            item = self.scope.give("item")
            self.put(f"for {item} in {local}:")
            self.indent += 1
            self.put(f"if not {low} <= {item} <= {high}:")
        else:
            self.put(f"{local} = {self.text(value)}")
            self.put(f"if {self._outside(local, value, bounds, type_)}:")
            item = local
        self.indent += 1
        self.trouble("out_of_bounds", name, seat, item, str(low), str(high))
        self.indent -= 2 if is_sequence(type_) else 1
        return local

    def _outside(self, name: str, value: ir.Expr, bounds: tuple[int, int], type_: Type) -> str:
        """The condition that a number lies outside; sides that are safe left out."""
        low, high = bounds
        found = self.module.ranges.of(value)
        if found is not None and found.low >= low:
            return f"{name} > {high}"
        if found is not None and found.high <= high:
            return f"{name} < {low}"
        condition = f"not {low} <= {name} <= {high}"
        if isinstance(type_, Maybe):
            return f"{name} != {self.module.runtime('NOTHING')} and {condition}"
        return condition

    def _target(self, op: ir.Store) -> str:
        """What is assigned to."""
        if op.index is None:
            return f"state.{self.names.slots[op.slot]}"
        return f"{self.expressions.slot(op.slot)}[{self.text(op.index)}]"

    def _place(self, op: ir.Store) -> ir.Expr:
        """The variable that is set, to be read."""
        type_ = self.module.variables[op.slot].type
        if op.index is None:
            return ir.Global(op.slot, False, type_)
        return ir.Item(op.slot, op.index, False, type_)

    def _store(self, op: ir.Store) -> None:
        variable = self.module.variables[op.slot]
        place, target = self._place(op), self._target(op)
        match op.value:
            case ir.With(source=source, value=value, unique=unique) if self._same_place(source, place):
                self._add(op, place, value, unique)
                return
            case _:
                pass
        if op.bounds is not None:
            seat = op.index if variable.owner == "player" else None
            self.put(f"{target} = {self._bounded(variable.name, seat, variable.type, op.value, op.bounds)}")
        elif is_sequence(variable.type):
            self.put(f"{target} = {self._items(op.value, op.index is None)}")
        else:
            self.put(f"{target} = {self.text(op.value)}")

    def _items(self, value: ir.Expr, attribute: bool) -> str:
        """A sequence for a variable. An attribute that is empty is not to be taken for one that always is."""
        text = self.expressions.tuple_text(value)
        return self.module.runtime("EMPTY") if text == "()" and attribute else text

    def _add(self, op: ir.Store, place: ir.Expr, value: ir.Expr, unique: bool) -> None:
        """One more item in a set or list."""
        item = self.text(value)
        if op.bounds is not None:
            type_ = self.module.variables[op.slot].type
            assert isinstance(type_, ListT | SetT)
            item = self._bounded(self.module.variables[op.slot].name, None, type_.element, value, op.bounds)
        elif not is_simple(value) and unique:
            local = self.scope.give("item")
            self.put(f"{local} = {item}")
            item = local
        if unique:
            self.put(f"if {item} not in {self._read(place)}:")
            self.indent += 1
        self.put(f"{self._target(op)} = (*{self._read(place)}, {item})")
        self.indent -= unique

    def _read(self, place: ir.Expr) -> str:
        return self.text(place, OR)

    def _same_place(self, source: ir.Expr, place: ir.Expr) -> bool:
        match source:
            case ir.Global() | ir.Item():
                return replace(source, checked=False, type=place.type) == place and not source.checked
            case _:
                return False

    # ---------------------------------------------------------------------------------------- zones

    def _zone(self, op: ir.ZoneAdd | ir.ZoneRemove | ir.ZoneDraw | ir.ZoneShuffle | ir.ZoneSwap) -> None:
        zone = self.module.zones[op.zone]
        match op:
            case ir.ZoneAdd():
                self._zone_add(zone, op)
            case ir.ZoneRemove():
                self._zone_remove(zone, op)
            case ir.ZoneDraw():
                args = ["state", *(() if op.seat is None else (self.text(op.seat),))]
                args.append(self._seen(op.seen))
                self._knew("first_known", zone, op.seat, op.known)
                self._result(op.slot, f"{self.names.draws[zone.slot]}({', '.join(args)})")
            case ir.ZoneShuffle():
                if zone.known:
                    self._shuffle(zone, op.seat)
            case ir.ZoneSwap():
                self._swap(zone, op)
            case _:
                assert_never(op)

    def _known(self, op: ir.ZoneLook | ir.Eliminate | ir.ForgetChoice) -> None:
        """What players know, and who they are."""
        match op:
            case ir.ZoneLook():
                seat = "None" if op.seat is None else self.text(op.seat)
                args = f"{literal(self.module.zones[op.zone].name)}, {seat}, {self.text(op.viewer)}"
                draw = self.names.draws[op.zone]
                look = self.module.runtime("look_at")
                self.put(f"{look}(state, {args}, {self.text(op.amount)}, {draw})")
            case ir.Eliminate():
                self.put(f"{self.module.runtime('eliminate')}(state, {self.text(op.seat)})")
            case ir.ForgetChoice():
                self.put(f"state.{self.names.held[op.decision]}[{self.text(op.seat)}] = ()")
            case _:
                assert_never(op)

    def _knew(self, helper: str, zone: ir.Zone, seat: ir.Expr | None, known: Slot | None, *args: str) -> None:
        """Who knows a piece that leaves a pile, into a local."""
        if known is not None:
            whose = "None" if seat is None else self.text(seat)
            asked = ", ".join((literal(zone.name), whose, *args))
            self._result(known, f"{self.module.runtime(helper)}(state, {asked})")

    def _copies(self, op: ir.ZoneClear | ir.ZoneSwapCopies) -> None:
        zone = literal(self.module.zones[op.zone].name)
        seat = "None" if op.seat is None else self.text(op.seat)
        if isinstance(op, ir.ZoneClear):
            self.put(f"{self.module.runtime('clear_zone')}(state, {zone}, {seat})")
            return
        carried = "None" if op.carried is None else literal(self.module.zones[op.carried].name)
        swap = self.module.runtime("swap_copies")
        self.put(f"{swap}(state, {zone}, {seat}, {literal(op.old)}, {literal(op.new)}, {carried})")

    def _seen(self, seen: str | ir.Expr) -> str:
        if isinstance(seen, str):
            return self.module.runtime("ALL" if seen == "all" else "NOBODY")
        return self.text(seen)

    def _ordered(self, zone: ir.Zone, seat: ir.Expr | None, suffix: str = "") -> str:
        """A row, or one end of a pile."""
        if seat is None:
            return f"state.{self.names.slots[zone.slot]}{suffix}"
        return f"{self.expressions.slot(zone.slot, suffix)}[{self.text(seat)}]"

    def _size_place(self, zone: ir.Zone, seat: ir.Expr | None) -> str | None:
        """Where the number of all pieces is; None where the counts are enough."""
        if self.module.kind_number(zone) == 1:
            return None
        if seat is None:
            return f"state.{self.names.slots[zone.slot]}_size"
        return f"{self.expressions.slot(zone.slot, '_size')}[{self.text(seat)}]"

    def _zone_add(self, zone: ir.Zone, op: ir.ZoneAdd) -> None:
        kind, amount = self.text(op.kind), self.text(op.amount)
        one = isinstance(op.amount, ir.Const) and op.amount.value == 1
        if zone.capacity is not None and not op.room:
            size = self.expressions.zone_size(zone, op.seat)
            if one:
                self.put(f"if {size.at(SUM)} >= {zone.capacity}:")
            else:
                self.put(f"if {size.at(SUM)} + {self.text(op.amount, SUM + 1)} > {zone.capacity}:")
            self.indent += 1
            self.trouble("no_room", zone.name, op.seat, str(zone.capacity))
            self.indent -= 1
        if zone.capacity is None and not op.room:
            size = self.expressions.zone_size(zone, op.seat)
            if one:
                self.put(f"if {size.at(SUM)} >= {MANY}:")
            else:
                self.put(f"if {size.at(SUM)} + {self.text(op.amount, SUM + 1)} > {MANY}:")
            self.indent += 1
            self.trouble("too_many", zone.name, op.seat)
            self.indent -= 1
        if op.place in ("end", "top", "under"):
            suffix = {"end": "", "top": "_top", "under": "_bottom"}[op.place]
            place = self._ordered(zone, op.seat, suffix)
            items = kind if one else f"*({kind},) * {self.text(op.amount, SUM + 2)}"
            self._add_at_end(op.place, place, items)
            if op.known is not None:
                masks = self._ordered(zone, op.seat, f"{suffix}_known")
                self._add_at_end(op.place, masks, self.text(op.known))
            return
        index = self.text(self.expressions.zone_index(zone, op.seat, op.kind))
        self.put(f"{self.expressions.slot(zone.slot)}[{index}] += {amount}")
        place_of_size = self._size_place(zone, op.seat)
        if place_of_size is not None:
            self.put(f"{place_of_size} += {amount}")

    def _add_at_end(self, end: str, place: str, items: str) -> None:
        self.put(f"{place} = ({items}, *{place})" if end == "top" else f"{place} = (*{place}, {items})")

    def _zone_remove(self, zone: ir.Zone, op: ir.ZoneRemove) -> None:
        one = isinstance(op.amount, ir.Const) and op.amount.value == 1
        if zone.storage == "row" or zone.known:
            self._remove_ordered(zone, op, one)
            return
        counts = self.expressions.slot(zone.slot)
        index = self.text(self.expressions.zone_index(zone, op.seat, op.kind))
        held = f"{counts}[{index}]"
        self.put(f"if not {held}:" if one else f"if {held} < {self.text(op.amount, SUM)}:")
        self.indent += 1
        self.trouble("not_there", zone.name, op.seat, self.text(op.kind), self.text(op.amount))
        self.indent -= 1
        amount = self.text(op.amount)
        self.put(f"{held} -= {amount}")
        place_of_size = self._size_place(zone, op.seat)
        if place_of_size is not None:
            self.put(f"{place_of_size} -= {amount}")

    def _remove_ordered(self, zone: ir.Zone, op: ir.ZoneRemove, one: bool) -> None:
        """From a row, or a pile of which some order may be known: unknown pieces first, then the topmost."""
        without = self.module.runtime("without")
        name, kind = literal(zone.name), self.text(op.kind)
        self._knew("known_of", zone, op.seat, op.known, kind)
        if not one:
            self.put(f"for _ in range({self.text(op.amount)}):")
            self.indent += 1
        if zone.storage == "row":
            row = self._ordered(zone, op.seat)
            self.put(f"{row} = {without}({row}, {kind}, {name})")
        elif zone.masked:
            seat = "None" if op.seat is None else self.text(op.seat)
            self.put(f"{self.module.runtime('take_known')}(state, {name}, {seat}, {kind})")
        else:
            index = self.text(self.expressions.zone_index(zone, op.seat, op.kind))
            held = f"{self.expressions.slot(zone.slot)}[{index}]"
            top, bottom = (self._ordered(zone, op.seat, end) for end in ("_top", "_bottom"))
            self.put(f"if {held}:")
            self.indent += 1
            self.put(f"{held} -= 1")
            place_of_size = self._size_place(zone, op.seat)
            if place_of_size is not None:
                self.put(f"{place_of_size} -= 1")
            self.indent -= 1
            self.put(f"elif {self.text(op.kind, SUM)} in {top}:")
            self.indent += 1
            self.put(f"{top} = {without}({top}, {kind}, {name})")
            self.indent -= 1
            self.put("else:")
            self.indent += 1
            self.put(f"{bottom} = {without}({bottom}, {kind}, {name})")
            self.indent -= 1
        if not one:
            self.indent -= 1

    def _shuffle(self, zone: ir.Zone, seat: ir.Expr | None) -> None:
        top, bottom = (self._ordered(zone, seat, end) for end in ("_top", "_bottom"))
        kind = self.scope.give("kind")
        self.put(f"for {kind} in (*{top}, *{bottom}):")
        self.indent += 1
        start = self.text(self.expressions.zone_start(zone, seat))
        index = kind if start == "0" else f"{start} + {kind}"
        self.put(f"{self.expressions.slot(zone.slot)}[{index}] += 1")
        self.indent -= 1
        place_of_size = self._size_place(zone, seat)
        if place_of_size is not None:
            self.put(f"{place_of_size} += len({top}) + len({bottom})")
        self.put(f"{top} = {bottom} = {self.module.runtime('EMPTY')}")
        if zone.masked:
            top, bottom = (self._ordered(zone, seat, f"{end}_known") for end in ("_top", "_bottom"))
            self.put(f"{top} = {bottom} = EMPTY")

    def _swap(self, zone: ir.Zone, op: ir.ZoneSwap) -> None:
        old, new = self.scope.give("old"), self.scope.give("new")
        self.put(f"{old}, {new} = {self.text(op.old)}, {self.text(op.new)}")

        def swapped(place: str) -> None:
            kind = self.scope.give("kind")
            self.put(f"{place} = tuple([{new} if {kind} == {old} else {kind} for {kind} in {place}])")

        if zone.storage == "row":
            swapped(self._ordered(zone, op.seat))
            return
        counts = self.expressions.slot(zone.slot)
        start = self.text(self.expressions.zone_start(zone, op.seat))
        at_old, at_new = (name if start == "0" else f"{start} + {name}" for name in (old, new))
        self.put(f"if {old} != {new}:")
        self.indent += 1
        self.put(f"{counts}[{at_new}] += {counts}[{at_old}]")
        self.put(f"{counts}[{at_old}] = 0")
        if zone.known:
            for end in ("_top", "_bottom"):
                swapped(self._ordered(zone, op.seat, end))
        self.indent -= 1

    # ---------------------------------------------------------------------------------------- pieces, chance,
    # events

    def _put_piece(self, op: ir.PutPiece) -> None:
        code = self.piece_code(op)
        put = self.names.puts[op.board, op.piece]
        self.put(f"{put}(state, {self.text(op.space)}, {self.text(code)})")

    def piece_code(self, op: ir.PutPiece) -> ir.Expr:
        """The top code of a piece that is put."""
        grid = self.module.grids[op.board]
        first = next(n for n, code in enumerate(grid.codes) if code is not None and code.piece == op.piece)
        index = INDEX
        code: ir.Expr = op.kind
        if op.owner is not None:
            code = _times_plus(code, self.program.layout.max_players, op.owner, index)
        if op.turn is not None:
            code = _times_plus(code, 4, op.turn, index)
        if isinstance(code, ir.Const) and isinstance(code.value, int):
            return ir.Const(code.value + first, index)
        return ir.Arith("+", code, ir.Const(first, index), index)

    def _pick(self, op: ir.Pick) -> None:
        stream = self.module.streams[op.stream]
        self._result(op.slot, f"state.pick({self.text(op.source)}, {stream})")

    def _result(self, slot: Slot, call: str) -> None:
        """A local gets what a call gives; the call stands alone where nobody reads it."""
        if slot in self.expressions.unread and slot not in self.saved:
            self.put(call)
        else:
            self.assign(slot, call)

    def _show(self, op: ir.Show, condition: ir.Expr | None = None) -> None:
        """condition: under which alone something is shown."""
        what = literal(op.what)
        if op.whose is not None:
            what = f'f"{op.what}[{{{self.text(op.whose)}}}]"'
        seen = self.module.runtime("ALL") if op.to is None else self.text(op.to)
        only = "" if condition is None else f"{self.condition(condition, 3)} and "
        self.put(f"if {only}state.log is not None:")
        self.indent += 1
        codec = codec_text(self.module, op.value.type)
        value = self.expressions.tuple_text(op.value) if is_sequence(op.value.type) else self.text(op.value)
        self.put(f"state.note_shown({what}, {codec}.show({value}), {seen})")
        self.indent -= 1

    # ---------------------------------------------------------------------------------------- structure

    def _if(self, op: ir.If) -> None:
        then, otherwise, condition = op.then, op.otherwise, op.condition
        if not then:
            then, otherwise, condition = otherwise, (), ir.Not(condition)
        if not then:
            return
        while not otherwise and len(then) == 1 and isinstance(then[0], ir.If) and not then[0].otherwise:
            condition = ir.Logic("and", (condition, then[0].condition))
            then = then[0].then
        if len(then) == 1 and not otherwise and self._if_new(condition, then[0]):
            return
        if len(then) == 1 and not otherwise and isinstance(then[0], ir.Show):
            self._show(then[0], condition)
            return
        self.put(f"if {self.condition(condition)}:")
        self._nested(then)
        if otherwise:
            self.mark = op.mark
            self.put("else:")
            self._nested(otherwise)

    def _if_new(self, condition: ir.Expr, op: ir.Op) -> bool:
        """An item comes into a set under a condition: one `if` for both."""
        match op:
            case ir.Store(value=ir.With(source=source, value=value, unique=True), bounds=None) if is_simple(
                value
            ):
                place = self._place(op)
                if not self._same_place(source, place):
                    return False
                absent = ir.Not(ir.Member(value, place))
                self.put(f"if {self.condition(ir.Logic('and', (condition, absent)))}:")
                self.mark = op.mark
                self.indent += 1
                self.put(f"{self._target(op)} = (*{self._read(place)}, {self.text(value)})")
                self.indent -= 1
                return True
            case _:
                return False

    def _select(self, op: ir.Select) -> None:
        for number, (codes, ops) in enumerate(op.arms):
            self.mark = op.mark
            self.put(f"{'if' if number == 0 else 'elif'} {self.text(ir.OneOf(op.subject, codes, None))}:")
            self._nested(ops)
        self.mark = op.mark
        self.put("else:")
        self.indent += 1
        self.fault("there is no case for this")
        self.indent -= 1

    def _for(self, op: ir.For) -> None:
        source = self.print_loop_source(op.source)
        self.put(f"for {self.expressions.bind(op.slot)} in {source}:")
        self._nested(op.body)

    def _while(self, op: ir.While) -> None:
        """A loop that does not end is a fault of the rules, not a program that hangs."""
        self.put(f"for _ in {self.module.runtime('TURNS')}:")
        self.indent += 1
        self.expressions.depth += 1
        if op.condition is not None:
            self.put(f"if {self.condition(ir.Not(op.condition))}:")
            self.indent += 1
            self.put("break")
            self.indent -= 1
        self.ops(op.body)
        self.expressions.depth -= 1
        self.indent -= 1
        self.mark = op.mark
        self.put("else:")
        self.indent += 1
        self.fault("the rules never come to another decision")
        self.indent -= 1

    def print_loop_source(self, source: ir.Expr) -> str:
        """What a loop runs over: read once, so a set that is kept up to date is copied."""
        if isinstance(source, ir.Kept):
            return self.expressions.tuple_text(source)
        return self.text(source)


def _times_plus(code: ir.Expr, factor: int, plus: ir.Expr, index: Type) -> ir.Expr:
    """code * factor + plus"""
    if isinstance(code, ir.Const) and isinstance(code.value, int):
        scaled: ir.Expr = ir.Const(code.value * factor, index)
    else:
        scaled = ir.Arith("*", code, ir.Const(factor, index), index)
    if isinstance(scaled, ir.Const) and isinstance(plus, ir.Const):
        assert isinstance(scaled.value, int)
        assert isinstance(plus.value, int)
        return ir.Const(scaled.value + plus.value, index)
    if isinstance(plus, ir.Const) and plus.value == 0:
        return scaled
    if isinstance(scaled, ir.Const) and scaled.value == 0:
        return plus
    return ir.Arith("+", scaled, plus, index)
