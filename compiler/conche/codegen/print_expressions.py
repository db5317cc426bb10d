"""Prints expressions of the engine IR as Python.

Input: expressions, and a `Function` that knows the names of locals and counts what is read. Output: text with
its precedence, so that parentheses stand only where they are needed.
Invariants: the text is what `ruff format` would leave as it is, but for long lines; every string goes through
`literal`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from conche.codegen import ir
from conche.codegen.module_names import ModuleNames
from conche.codegen.names import Scope, plain
from conche.codegen.ranges import ranges_of
from conche.semantics.intervals import MANY
from conche.semantics.rulebook import Slot
from conche.semantics.types import Flag, Int, KindT, ListT, Maybe, RingT, SetT, TextT, Type

INDEX: Type = Int(0, 2**31)

# precedences
COND, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(9)


@dataclass(frozen=True, slots=True)
class Text:
    """Python text and how tightly it holds together. items: of a sequence, whether it is a tuple."""

    text: str
    prec: int = ATOM
    is_tuple: bool = False

    def at(self, prec: int) -> str:
        """In parentheses where it holds together less tightly than needed."""
        return self.text if self.prec >= prec else f"({self.text})"


def literal(value: object) -> str:
    """A Python literal, with double quotes where the formatter wants them."""
    text = repr(value)
    if isinstance(value, str):
        body = text[1:-1]
        if text.startswith("'") and '"' not in body and "\\'" not in body:
            return f'"{body}"'
    return text


def python_type(type_: Type) -> str:
    match type_:
        case Flag():
            return "bool"
        case TextT():
            return "str"
        case SetT() | ListT() | RingT():
            return "Sequence[int]"
        case Maybe(element=element) if isinstance(element, SetT | ListT | RingT | TextT):
            return python_type(element)
        case _:
            return "int"


def is_sequence(type_: Type) -> bool:
    return isinstance(type_, SetT | ListT | RingT)


def _logic(op: str) -> int:
    """How tightly `and` or `or` holds together."""
    return AND if op == "and" else OR


class Module:
    """What all functions of a generated module share. `used`: names of the runtime that the text needs."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.layout = program.layout
        self.names = ModuleNames(program)
        self.variables = {variable.slot: variable for variable in program.layout.variables}
        self.zones = {zone.slot: zone for zone in program.layout.zones}
        self.grids = {grid.name: grid for grid in program.layout.grids}
        self.sets = {kept.slot: kept for kept in program.layout.sets}
        self.kinds = {kinds.name: kinds for kinds in program.layout.kinds}
        self.tables = {table.name: table for table in program.tables}
        self.queries = {query.name: query for query in program.queries}
        self.ranges = ranges_of(program)
        self.hoistable = self._hoistable()
        self.used: set[str] = set()
        self.used_tables: set[str] = set()
        self.streams: dict[str, int] = {}
        number = 0
        for stream in program.layout.streams:
            self.streams[stream.path] = number
            number += stream.copies or (program.layout.max_players if stream.by_seat else 1)

    def _hoistable(self) -> frozenset[str]:
        """The attributes whose objects never change, only what is in them."""
        slots, found = self.names.slots, {"players"}
        for variable in self.layout.variables:
            if variable.owner != "game":
                found.add(slots[variable.slot])
        for zone in self.layout.zones:
            name = slots[zone.slot]
            if zone.storage != "row" or zone.by_seat:
                found.add(name)
            if zone.by_seat:
                found |= {f"{name}_size", f"{name}_top", f"{name}_bottom"}
        for grid in self.layout.grids:
            found |= {slots[grid.slot], f"{slots[grid.slot]}_below"}
        for kept in self.layout.sets:
            found |= {slots[kept.slot], f"{slots[kept.slot]}_has"}
        return frozenset(found)

    def carried(self, type_: Type) -> list[ir.Zone]:
        """The zones that pieces of a type can carry."""
        if not isinstance(type_, KindT):
            return []
        return [zone for zone in self.layout.zones if zone.carriers and zone.carrier == type_.piece]

    def runtime(self, name: str) -> str:
        self.used.add(name)
        return name

    def kind_number(self, zone: ir.Zone) -> int:
        return self.kind_number_of(zone.of)

    def kind_number_of(self, of: str) -> int:
        return len(self.kinds[of].names)


class Expressions:
    """Prints expressions within one function."""

    def __init__(self, module: Module, scope: Scope) -> None:
        self.module = module
        self.scope = scope
        self.locals: dict[Slot, str] = {}
        self.read: dict[Slot, int] = {}
        self.unread: frozenset[Slot] = frozenset()
        self.tuples: set[Slot] = set()
        self.hoisted: dict[str, str] = {}
        self.reads: dict[str, int] = {}
        self.depth = 0

    # ---------------------------------------------------------------------------------------- names

    def local(self, slot: Slot) -> str:
        """The name of a local that is read."""
        self.read[slot] = self.read.get(slot, 0) + 1
        return self.bind(slot)

    def bind(self, slot: Slot) -> str:
        """The name of a local that is set; a new one gets its name, one that is never read `_`."""
        if slot in self.unread:
            return "_"
        if slot not in self.locals:
            self.locals[slot] = self.scope.give(plain(slot.name))
        return self.locals[slot]

    def attribute(self, name: str) -> str:
        """An attribute of the state, by a local name where it has one."""
        self.reads[name] = self.reads.get(name, 0) + (2 if self.depth else 1)
        return self.hoisted.get(name, f"state.{name}")

    def slot(self, slot: str, suffix: str = "") -> str:
        return self.attribute(self.module.names.slots[slot] + suffix)

    def table(self, name: str) -> str:
        self.module.used_tables.add(name)
        return self.module.names.tables[name]

    # ---------------------------------------------------------------------------------------- entry points

    def text(self, expr: ir.Expr, prec: int = COND) -> str:
        return self.print(expr).at(prec)

    def tuple_text(self, expr: ir.Expr) -> str:
        """A sequence as a tuple, which nothing else can change."""
        printed = self.print(expr)
        return printed.text if printed.is_tuple else f"tuple({printed.text})"

    def print(self, expr: ir.Expr) -> Text:
        match expr:
            case ir.Const():
                return self._const(expr)
            case ir.Local():
                return Text(self.local(expr.slot), ATOM, expr.slot in self.tuples)
            case ir.PlayerNumber():
                return Text(self.attribute("players"))
            case (
                ir.PlayersIn() | ir.PlayersLeft() | ir.StillIn() | ir.Clockwise() | ir.NextSeat() | ir.Mask()
            ):
                return self._players(expr)
            case ir.Global() | ir.Item():
                return self._variable(expr)
            case ir.Lookup():
                return self._lookup(expr)
            case ir.Arith() | ir.Negate():
                return self._arithmetic(expr)
            case ir.Compare() | ir.OneOf() | ir.Logic() | ir.Not() | ir.Member():
                return self._flag(expr)
            case ir.HowMany():
                return Text(" + ".join(f"({self.text(part)})" for part in expr.parts), SUM)
            case ir.MinMax():
                return Text(f"{expr.op}({', '.join(self.text(arg) for arg in expr.args)})")
            case ir.Cond():
                yes, no = self.print(expr.then), self.print(expr.otherwise)
                then, other, both = yes.at(OR), no.at(COND), yes.is_tuple and no.is_tuple
                if then == other:
                    # Whichever holds: but the condition is asked, and may fail.
                    return Text(f"({then}, {other})[{self.text(expr.condition)}]", ATOM, both)
                return Text(f"{then} if {self.condition(expr.condition).at(OR)} else {other}", COND, both)
            case (
                ir.Size()
                | ir.At()
                | ir.Tail()
                | ir.Sequence()
                | ir.Concat()
                | ir.Distinct()
                | ir.With()
                | ir.Without()
            ):
                return self._sequence(expr)
            case ir.Interval():
                return self._interval(expr)
            case ir.Fold():
                return self._fold(expr)
            case ir.Ask():
                args = ["state", *(self.text(arg) for arg in expr.args)]
                return Text(f"{self.module.names.queries[expr.query]}({', '.join(args)})")
            case ir.ZoneSize() | ir.ZoneHolds() | ir.ZoneKinds() | ir.ZoneItems():
                return self._zone(expr)
            case ir.KeptHas(key=None):
                return Text(f"{self._board(expr).text} != 0", COMPARE)
            case ir.Top() | ir.Height() | ir.Spaces() | ir.Kept() | ir.KeptHas():
                return self._board(expr)
            case ir.FreeCopy():
                kinds = self.module.names.kinds[expr.piece]
                return Text(f"{self.module.runtime('free_copy')}(state, {kinds}, {literal(expr.codes)})")
            case ir.LowestCopy():
                zone = literal(self.module.zones[expr.zone].name)
                seat = "None" if expr.seat is None else self.text(expr.seat)
                lowest = self.module.runtime("lowest_copy")
                return Text(f"{lowest}(state, {zone}, {seat}, {literal(expr.codes)})")
            case ir.ScoreTotal():
                player = self.text(expr.player)
                scores = [f"{name}(state, {player})" for name in self.module.names.scores.values()]
                return Text(" + ".join(scores) or "0", SUM if len(scores) > 1 else ATOM)
            case ir.Running():
                return Text(f"{self.attribute(self.module.names.returns[expr.routine])} is not None", COMPARE)
            case _:
                assert_never(expr)

    def condition(self, expr: ir.Expr) -> Text:
        """A flag where only its truth matters: a number stands for being more than 0."""
        match expr:
            case ir.Compare(op="!=" | ">", left=left, right=right) if self._is_zero(right) and self._counts(
                left
            ):
                return self._some(left)
            case ir.Compare(op="=", left=left, right=right) if self._is_zero(right) and self._counts(left):
                return Text(f"not {self._some(left).at(NOT)}", NOT)
            case ir.Not(operand=ir.Compare() as compare) if self._is_zero(compare.right) and self._counts(
                compare.left
            ):
                turned = {"=": "!=", "!=": "=", ">": "="}.get(compare.op)
                if turned is not None:
                    return self.condition(ir.Compare(turned, compare.left, compare.right))
                return self.print(expr)
            case ir.Not(operand=ir.Logic() | ir.Cond() as inner):
                return Text(f"not {self.condition(inner).at(NOT)}", NOT)
            case ir.Logic(op=op, parts=parts):
                return Text(f" {op} ".join(self.condition(part).at(NOT) for part in parts), _logic(op))
            case ir.KeptHas(key=None):
                return self._board(expr)
            case ir.Cond():
                then, other = self.condition(expr.then).at(OR), self.condition(expr.otherwise).at(COND)
                return Text(f"{then} if {self.condition(expr.condition).at(OR)} else {other}", COND)
            case _:
                return self.print(expr)

    def _some(self, counted: ir.Expr) -> Text:
        """What is true when a number is not 0: of a sequence itself, if it is one to look at."""
        match counted:
            case ir.Size(source=ir.Local() | ir.Global() | ir.Item() | ir.Kept() as source):
                return self.print(source)
            case ir.ZoneSize(zone=name, seat=seat) if self.module.zones[name].storage == "row":
                return Text(self._at_seat(self.slot(name), None if seat is None else self.text(seat)))
            case ir.Size(source=ir.Fold()):
                return Text(f"{self.text(counted, SUM)} != 0", COMPARE)
            case _:
                return self.print(counted)

    # ---------------------------------------------------------------------------------------- players

    def _players(
        self,
        expr: ir.PlayersIn | ir.PlayersLeft | ir.StillIn | ir.Clockwise | ir.NextSeat | ir.Mask,
    ) -> Text:
        playing = "state.playing"
        match expr:
            case ir.PlayersIn():
                return Text(playing, ATOM, True)
            case ir.PlayersLeft():
                return Text(f"len({playing})")
            case ir.StillIn():
                return Text(f"{self.text(expr.seat, SUM)} in {playing}", COMPARE)
            case ir.Mask():
                known = [f"1 << {self.text(seat, UNARY)}" for seat in expr.seats]
                known += [] if expr.others is None else [self.text(expr.others, UNARY)]
                return Text(f"({' | '.join(known)})")
            case _:
                seats = playing if self.module.program.eliminates else f"range({self.attribute('players')})"
                if isinstance(expr, ir.Clockwise):
                    name = self.module.runtime("clockwise")
                    return Text(f"{name}(state, {seats}, {self.text(expr.start)})", ATOM, True)
                name = self.module.runtime("next_seat")
                return Text(f"{name}(state, {seats}, {self.text(expr.seat)}, {expr.step})")

    # ---------------------------------------------------------------------------------------- values

    def _const(self, expr: ir.Const) -> Text:
        match expr.value:
            case ir.Absent(name=name):
                return Text(self.module.runtime(name))
            case tuple() as items:
                return Text(literal(items), ATOM, True)
            case value:
                negative = isinstance(value, int) and not isinstance(value, bool) and value < 0
                return Text(literal(value), UNARY if negative else ATOM)

    def _variable(self, expr: ir.Global | ir.Item) -> Text:
        variable = self.module.variables[expr.slot]
        text = self.slot(expr.slot)
        if isinstance(expr, ir.Item):
            index = self.text(expr.index)
            if variable.owner == "space":
                text = f"{text}.get({index}, {self._initial(variable)})"
            else:
                text = f"{text}[{index}]"
        if expr.checked:
            text = f"{self.module.runtime('known')}({text}, {literal(variable.name)})"
        return Text(text, ATOM, is_sequence(variable.type))

    def _initial(self, variable: ir.Variable) -> str:
        if variable.initial is None:
            return "0"
        return self.print(ir.Const(variable.initial, variable.type)).text

    def _lookup(self, expr: ir.Lookup) -> Text:
        return Text(f"{self.table(expr.table)}[{self.text(expr.index)}]", ATOM, is_sequence(expr.type))

    def _arithmetic(self, expr: ir.Arith | ir.Negate) -> Text:
        if isinstance(expr, ir.Negate):
            return Text(f"-{self.text(expr.operand, UNARY)}", UNARY)
        op = {"/": "//", "mod": "%"}.get(expr.op, expr.op)
        prec = SUM if op in "+-" else PRODUCT
        return Text(f"{self.text(expr.left, prec)} {op} {self.text(expr.right, prec + 1)}", prec)

    # ---------------------------------------------------------------------------------------- flags

    def _flag(self, expr: ir.Compare | ir.OneOf | ir.Logic | ir.Not | ir.Member) -> Text:
        match expr:
            case ir.Compare():
                return self._compare(expr)
            case ir.OneOf():
                return self._one_of(expr, False)
            case ir.Logic():
                return Text(f" {expr.op} ".join(self.text(part, NOT) for part in expr.parts), _logic(expr.op))
            case ir.Not():
                return self._not(expr.operand)
            case ir.Member():
                return self._member(expr, "in")
            case _:
                assert_never(expr)

    def _not(self, operand: ir.Expr) -> Text:
        match operand:
            case ir.Compare(op=op, left=left, right=right):
                turned = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}[op]
                return self._compare(ir.Compare(turned, left, right))
            case ir.OneOf():
                return self._one_of(operand, True)
            case ir.Member():
                return self._member(operand, "not in")
            case ir.Not(operand=inner):
                return self.print(inner)
            case ir.StillIn(seat=seat):
                return Text(f"{self.text(seat, SUM)} not in state.playing", COMPARE)
            case _:
                return Text(f"not {self.text(operand, NOT)}", NOT)

    def _member(self, expr: ir.Member, op: str) -> Text:
        return Text(f"{self.text(expr.value, SUM)} {op} {self.text(expr.source, SUM)}", COMPARE)

    def _compare(self, expr: ir.Compare) -> Text:
        op, left, right = expr.op, expr.left, expr.right
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const):
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
            left, right = right, left
        if is_sequence(left.type) and op in ("=", "!="):
            return self._same(op, left, right)
        if isinstance(left.type, Flag) and isinstance(right, ir.Const) and isinstance(right.value, bool):
            return self.print(left if right.value is (op == "=") else ir.Not(left))
        if op in ("=", "!=", ">") and self._is_zero(right) and self._counts(left):
            printed = self.print(left)
            if op == "=":
                return Text(f"not {printed.at(NOT)}", NOT)
            if op == "!=":
                return Text(f"{printed.at(SUM)} != 0", COMPARE)
        op = {"=": "=="}.get(op, op)
        return Text(f"{self.text(left, SUM)} {op} {self.text(right, SUM)}", COMPARE)

    def _is_zero(self, expr: ir.Expr) -> bool:
        return isinstance(expr, ir.Const) and expr.value == 0 and not isinstance(expr.value, bool)

    def _counts(self, expr: ir.Expr) -> bool:
        """Whether "is 0" reads well as "not"."""
        return isinstance(expr, ir.Size | ir.ZoneSize | ir.ZoneHolds | ir.Top)

    def _same(self, op: str, left: ir.Expr, right: ir.Expr) -> Text:
        sign = "==" if op == "=" else "!="
        if isinstance(left.type, SetT) and isinstance(right.type, SetT):
            return Text(f"{self._set_text(left)} {sign} {self._set_text(right)}", COMPARE)
        return Text(f"{self.tuple_text(left)} {sign} {self.tuple_text(right)}", COMPARE)

    def _set_text(self, expr: ir.Expr) -> str:
        """A sequence as a set."""
        match expr:
            case ir.Sequence(items=items) | ir.Distinct(source=ir.Sequence(items=items)) if items:
                return f"{{{', '.join(dict.fromkeys(self.text(item) for _, item in items))}}}"
            case ir.Sequence() | ir.Distinct(source=ir.Sequence()):
                return "set()"
            case _:
                return f"set({self.text(expr)})"

    def _one_of(self, expr: ir.OneOf, negated: bool) -> Text:
        codes, last = expr.codes, expr.last
        if not codes:
            return Text("True" if negated else "False")
        value = self.text(expr.value, SUM)
        if len(codes) == 1:
            return Text(f"{value} {'!=' if negated else '=='} {codes[0]}", COMPARE)
        if codes == tuple(range(codes[0], codes[-1] + 1)) and last is not None:
            if codes[-1] == last:
                return Text(f"{value} {'<' if negated else '>='} {codes[0]}", COMPARE)
            if codes[0] == 0:
                return Text(f"{value} {'>' if negated else '<='} {codes[-1]}", COMPARE)
            text = f"{codes[0]} <= {value} <= {codes[-1]}"
            return Text(f"not {text}", NOT) if negated else Text(text, COMPARE)
        return Text(f"{value} {'not in' if negated else 'in'} {literal(codes)}", COMPARE)

    # ---------------------------------------------------------------------------------------- sequences

    def _sequence(
        self,
        expr: ir.Size | ir.At | ir.Tail | ir.Sequence | ir.Concat | ir.Distinct | ir.With | ir.Without,
    ) -> Text:
        match expr:
            case ir.Size(source=ir.Fold() as fold) if fold.op == "each":
                return self._count(fold)
            case ir.Size(source=ir.Interval() as interval):
                return self._interval_size(interval)
            case ir.Size():
                return Text(f"len({self.text(expr.source)})")
            case ir.At(source=ir.Interval(low=ir.Const(value=0))):
                return self.print(expr.index)
            case ir.At(source=ir.Interval(low=low)):
                return self.print(ir.Arith("+", low, expr.index, expr.type))
            case ir.At():
                return Text(f"{self.text(expr.source, ATOM)}[{self.text(expr.index)}]")
            case ir.Tail():
                printed = self.print(expr.source)
                return Text(f"{printed.at(ATOM)}[1:]", ATOM, printed.is_tuple)
            case ir.Sequence():
                return self._listed(expr)
            case ir.Concat():
                return Text(f"({', '.join(f'*{self.text(part, OR)}' for part in expr.parts)})", ATOM, True)
            case ir.Distinct():
                return Text(f"{self.module.runtime('distinct')}({self.text(expr.source)})", ATOM, True)
            case ir.With():
                added = f"(*{self.text(expr.source, OR)}, {self.text(expr.value)})"
                if not expr.unique:
                    return Text(added, ATOM, True)
                member = self._member(ir.Member(expr.value, expr.source), "in").text
                return Text(f"{self.tuple_text(expr.source)} if {member} else {added}", COND, True)
            case ir.Without():
                name = literal(self._name_of(expr.source))
                args = f"{self.text(expr.source)}, {self.text(expr.value)}, {name}"
                return Text(f"{self.module.runtime('without')}({args})", ATOM, True)
            case _:
                assert_never(expr)

    def _name_of(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Local(slot=slot):
                return slot.name
            case ir.Global(slot=name) | ir.Item(slot=name):
                return self.module.variables[name].name
            case _:
                return "list"

    def _listed(self, expr: ir.Sequence) -> Text:
        items: list[str] = []
        for number, item in expr.items:
            items += [self.text(item)] * number if number <= 3 else [f"*({self.text(item)},) * {number}"]
        if len(items) == 1:
            return Text(f"({items[0]},)", ATOM, True)
        return Text(f"({', '.join(items)})", ATOM, True)

    def _interval(self, expr: ir.Interval) -> Text:
        if not self._is_short(expr):
            span = self.module.runtime("span")
            return Text(f"{span}({self.text(expr.low)}, {self.text(expr.high)})")
        end = self._plus_one(expr.high)
        if self._is_zero(expr.low):
            return Text(f"range({end})")
        return Text(f"range({self.text(expr.low)}, {end})")

    def _is_short(self, expr: ir.Interval) -> bool:
        """Whether a range surely has no more numbers than can be gone through."""
        size = self.module.ranges.of(ir.Arith("-", expr.high, expr.low, expr.type))
        return size is not None and size.high < MANY

    def _plus_one(self, expr: ir.Expr) -> str:
        """The text of a number and one more."""
        match expr:
            case ir.Const(value=int() as value):
                return str(value + 1)
            case ir.Arith(op="-", left=left, right=ir.Const(value=1)):
                return self.text(left)
            case _:
                return f"{self.text(expr, SUM)} + 1"

    def _interval_size(self, expr: ir.Interval) -> Text:
        if not self._is_short(expr):
            return Text(f"len({self._interval(expr).text})")
        if isinstance(expr.low, ir.Const) and expr.low.value == 1:
            size = self.text(expr.high, SUM)
        else:
            size = self._plus_one(expr.high)
            if not self._is_zero(expr.low):
                size = f"{size} - {self.text(expr.low, PRODUCT)}"
        found = self.module.ranges.of(ir.Arith("-", expr.high, expr.low, expr.type))
        if found is not None and found.low >= -1:
            return Text(size, SUM if " " in size else ATOM)
        return Text(f"max({size}, 0)")

    # ---------------------------------------------------------------------------------------- folds

    def _fold(self, expr: ir.Fold) -> Text:
        if expr.op == "count":
            return self._count(expr)
        source, where, body = self._loop(expr)
        loop = f"for {self.bind(expr.slot)} in {source}{where}"
        match expr.op:
            case "each":
                if expr.body in (None, ir.Local(expr.slot)) and not where:
                    return Text(source)
                return Text(f"[{body} {loop}]")
            case "any" if expr.body is None:
                return Text(f"any(True {loop})")
            case "any" | "all":
                return Text(f"{expr.op}({body} {loop})")
            case "sum":
                return Text(f"sum({body} {loop})")
            case "sorted":
                return self._sorted(expr, source, body)
            case "most" | "least":
                name = "max" if expr.op == "most" else "min"
                if expr.body == ir.Local(expr.slot) and not where:
                    return Text(f"{name}({source}, default=0)")
                return Text(f"{name}(({body} {loop}), default=0)")
            case _:
                raise AssertionError(f"unknown fold {expr.op}")

    def _sorted(self, expr: ir.Fold, source: str, key: str) -> Text:
        """Equal ones stay in order: their places are a last key."""
        item, place = self.bind(expr.slot), self.scope.give("place")
        keyed = f"[({key}, {place}, {item}) for {place}, {item} in enumerate({source})]"
        return Text(f"[{item} for _, _, {item} in sorted({keyed})]")

    def _loop(self, expr: ir.Fold) -> tuple[str, str, str]:
        """Source, condition and body of a fold."""
        source = self.print(expr.source).at(OR)
        self.depth += 1
        self.bind(expr.slot)
        where = "" if expr.where is None else f" if {self.condition(expr.where).at(OR)}"
        if expr.body is not None:
            body = self.text(expr.body, COND)
        else:
            body = "" if expr.op in ("any", "count") else self.local(expr.slot)
        self.depth -= 1
        return source, where, body

    def _count(self, expr: ir.Fold) -> Text:
        source, where, _ = self._loop(expr)
        if not where:
            return self.print(ir.Size(expr.source, expr.type))
        match expr.where:
            case ir.Compare(op="=", left=ir.Local(slot=slot), right=ir.Local() as value) if slot == expr.slot:
                if isinstance(expr.source, ir.Local | ir.Global | ir.Item) and value.slot != slot:
                    return Text(f"{source}.count({self.text(value)})")
            case _:
                pass
        return Text(f"sum(1 for {self.bind(expr.slot)} in {source}{where})")

    # ---------------------------------------------------------------------------------------- zones

    def _zone(self, expr: ir.ZoneSize | ir.ZoneHolds | ir.ZoneKinds | ir.ZoneItems) -> Text:
        zone = self.module.zones[expr.zone]
        seat = None if expr.seat is None else self.text(expr.seat)
        match expr:
            case ir.ZoneSize():
                return self.zone_size(zone, expr.seat)
            case ir.ZoneHolds():
                return self._zone_holds(zone, expr)
            case ir.ZoneKinds() | ir.ZoneItems() if zone.storage == "row":
                row = self._at_seat(self.slot(zone.slot), seat)
                if isinstance(expr, ir.ZoneItems):
                    return Text(row, ATOM, True)
                return Text(f"{self.module.runtime('kinds_of_row')}[{row}]", ATOM, True)
            case ir.ZoneKinds() | ir.ZoneItems():
                return self._zone_sequence(zone, expr)
            case _:
                assert_never(expr)

    def _at_seat(self, text: str, seat: str | None) -> str:
        return text if seat is None else f"{text}[{seat}]"

    def zone_start(self, zone: ir.Zone, seat: ir.Expr | None) -> ir.Expr:
        """Where the counts of a seat begin."""
        number = self.module.kind_number(zone)
        zero = ir.Const(0, INDEX)
        if seat is None:
            return zero
        return seat if number == 1 else ir.Arith("*", seat, ir.Const(number, INDEX), INDEX)

    def zone_index(self, zone: ir.Zone, seat: ir.Expr | None, kind: ir.Expr) -> ir.Expr:
        """Where the count of a kind is."""
        start = self.zone_start(zone, seat)
        if self.module.kind_number(zone) == 1 and isinstance(kind, ir.Const):
            return start
        if self._is_zero(start):
            return kind
        return start if self._is_zero(kind) else ir.Arith("+", start, kind, INDEX)

    def zone_size(self, zone: ir.Zone, seat: ir.Expr | None) -> Text:
        seat_text = None if seat is None else self.text(seat)
        if zone.storage == "row":
            return Text(f"len({self._at_seat(self.slot(zone.slot), seat_text)})")
        if self.module.kind_number(zone) == 1:
            size = f"{self.slot(zone.slot)}[{seat_text or 0}]"
        else:
            size = self._at_seat(self.slot(zone.slot, "_size"), seat_text)
        if not zone.known:
            return Text(size)
        ends = [f"len({self._at_seat(self.slot(zone.slot, end), seat_text)})" for end in ("_top", "_bottom")]
        return Text(f"{size} + {ends[0]} + {ends[1]}", SUM)

    def _zone_holds(self, zone: ir.Zone, expr: ir.ZoneHolds) -> Text:
        seat = None if expr.seat is None else self.text(expr.seat)
        kind = self.text(expr.kind)
        if zone.storage == "row":
            return Text(f"{self._at_seat(self.slot(zone.slot), seat)}.count({kind})")
        index = self.text(self.zone_index(zone, expr.seat, expr.kind))
        held = f"{self.slot(zone.slot)}[{index}]"
        if not zone.known:
            return Text(held)
        ends = [
            f"{self._at_seat(self.slot(zone.slot, end), seat)}.count({kind})" for end in ("_top", "_bottom")
        ]
        return Text(f"{held} + {ends[0]} + {ends[1]}", SUM)

    def _zone_sequence(self, zone: ir.Zone, expr: ir.ZoneKinds | ir.ZoneItems) -> Text:
        helper = "kinds_in" if isinstance(expr, ir.ZoneKinds) else "items_in"
        start = self.text(self.zone_start(zone, expr.seat))
        number = self.module.kind_number(zone)
        text = f"{self.module.runtime(helper)}({self.slot(zone.slot)}, {start}, {number})"
        if not zone.known:
            return Text(text, ATOM, True)
        seat = None if expr.seat is None else self.text(expr.seat)
        top, bottom = (self._at_seat(self.slot(zone.slot, end), seat) for end in ("_top", "_bottom"))
        joined = f"(*{top}, *{text}, *{bottom})"
        if isinstance(expr, ir.ZoneItems):
            # By kind, known order or not: no rule can tell where in a pile a piece lies.
            return Text(f"tuple(sorted({joined}))", ATOM, True)
        return Text(f"{self.module.runtime('kinds_of_row')}[{joined}]", ATOM, True)

    # ---------------------------------------------------------------------------------------- boards

    def _board(self, expr: ir.Top | ir.Height | ir.Spaces | ir.Kept | ir.KeptHas) -> Text:
        match expr:
            case ir.Top():
                return Text(f"{self.slot(f'board.{expr.board}')}[{self.text(expr.space)}]")
            case ir.Height():
                tops, below = self.slot(f"board.{expr.board}"), self.slot(f"board.{expr.board}", "_below")
                return Text(f"{self.module.runtime('height')}({tops}, {below}, {self.text(expr.space)})")
            case ir.Spaces():
                grid = self.module.names.grids[expr.board]
                return Text(f"{self.module.runtime('spaces_of')}({self.slot(f'board.{expr.board}')}, {grid})")
            case ir.Kept(key=None):
                return Text(self.slot(expr.set))
            case ir.Kept():
                assert expr.key is not None
                return Text(f"{self.slot(expr.set)}[{self.text(expr.key)}]")
            case ir.KeptHas(key=None):
                return Text(f"{self.slot(expr.set, '_has')}[{self.text(expr.space)}]")
            case ir.KeptHas():
                assert expr.key is not None
                among = f"{self.slot(expr.set)}[{self.text(expr.key)}]"
                return Text(f"{self.text(expr.space, SUM)} in {among}", COMPARE)
            case _:
                assert_never(expr)
