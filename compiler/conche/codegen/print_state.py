"""Prints the class of states, and what a generated module says of its rules.

Input: a program. Output: `StateText` for the template, and the arguments of `Game`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conche.codegen import ir
from conche.codegen.print_codecs import codec_text
from conche.codegen.print_expressions import Module, is_sequence, literal, python_type
from conche.codegen.print_ops import Body
from conche.codegen.print_sets import print_refresh, print_updates, print_upkeep, update_function
from conche.codegen.wrap import WIDTH
from conche.semantics.rulebook import Slot
from conche.semantics.types import Flag, Int, TextT, Type


@dataclass(frozen=True, slots=True)
class Attribute:
    """A slot of the state: its type, what it starts with, how it is copied."""

    name: str
    type: str
    start: str
    copy: str


@dataclass(frozen=True, slots=True)
class StateText:
    attributes: tuple[Attribute, ...]
    slots: tuple[str, ...]
    constants: tuple[str, ...]
    rooms: tuple[Any, ...]
    grids: tuple[str, ...]
    tables: tuple[str, ...]
    draws: tuple[Any, ...]
    updates: tuple[Any, ...]
    puts: tuple[Any, ...]
    refresh: Any


MakeFunction = Callable[..., Any]


def state_text(module: Module, function: MakeFunction) -> StateText:
    """Everything about states. `function` prints one function."""
    grids = tuple(_grid(module, grid) for grid in module.layout.grids)
    puts = tuple(_put(module, function, grid, room) for grid in module.layout.grids for room in grid.room)
    draws = tuple(
        _draw(module, function, zone) for zone in module.layout.zones if zone.slot in module.names.draws
    )
    attributes = tuple(_attributes(module))
    return StateText(
        attributes,
        tuple(sorted((attribute.name for attribute in attributes), key=_in_numbers)),
        tuple(_constants(module)),
        tuple(_room(module, function, grid, room) for grid in module.layout.grids for room in grid.room),
        grids,
        tuple(_table(module, name) for name in module.tables if name in module.used_tables),
        draws,
        tuple(update_function(module, function, kept) for kept in module.layout.sets),
        puts,
        function("what is kept up to date is worked out anew", "refresh", (), "None", print_refresh),
    )


# ------------------------------------------------------------------------------------------------ attributes


def _in_numbers(name: str) -> list[tuple[int, int, str]]:
    """The key to sort names by: the numbers in them as numbers."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split("([0-9]+)", name) if part
    ]


def _attributes(module: Module) -> list[Attribute]:
    names, found = module.names, list[Attribute]()
    for variable in module.layout.variables:
        name = names.slots[variable.slot]
        type_ = _kept_type(variable.type)
        start = _initial(module, variable)
        if variable.owner == "game":
            found.append(Attribute(name, type_, start, f"self.{name}"))
        elif variable.owner == "player":
            found.append(Attribute(name, f"list[{type_}]", f"[{start}] * players", f"self.{name}[:]"))
        elif variable.owner == "kind":
            number = module.kind_number_of(variable.of or "")
            found.append(Attribute(name, f"list[{type_}]", f"[{start}] * {number}", f"self.{name}[:]"))
        else:
            found.append(Attribute(name, f"dict[int, {type_}]", "{}", f"self.{name}.copy()"))
    for zone in module.layout.zones:
        found += _zone_attributes(module, zone)
    for grid in module.layout.grids:
        name, constant = names.slots[grid.slot], names.grids[grid.name]
        storage = "bytearray" if len(grid.codes) <= 256 else "list[int]"
        found.append(Attribute(name, storage, f"{constant}.empty()", f"self.{name}[:]"))
        found.append(
            Attribute(f"{name}_below", "dict[int, tuple[int, ...]]", "{}", f"self.{name}_below.copy()")
        )
    for kept in module.layout.sets:
        name = names.slots[kept.slot]
        if kept.key is not None:
            copy = f"[spaces[:] for spaces in self.{name}]"
            found.append(Attribute(name, "list[list[int]]", "[[] for _ in range(players)]", copy))
        else:
            found.append(Attribute(name, "list[int]", "[]", f"self.{name}[:]"))
            size = f"bytearray({names.grids[kept.board]}.size)"
            found.append(Attribute(f"{name}_has", "bytearray", size, f"self.{name}_has[:]"))
    for slot in module.program.saved:
        name = names.saved[slot]
        found.append(Attribute(name, _kept_type(slot.type), _default(slot.type), f"self.{name}"))
    for name in names.returns.values():
        found.append(Attribute(name, "Next", "None", f"self.{name}"))
    for name in (*names.kept.values(), *names.held.values()):
        found.append(Attribute(name, "list[tuple[Any, ...]]", "[()] * players", f"self.{name}[:]"))
    if names.kept:
        found.append(Attribute("asked", "tuple[int, ...]", "()", "self.asked"))
    if module.program.eliminates:
        found.append(Attribute("out", "tuple[int, ...]", "()", "self.out"))
        found.append(Attribute("playing", "tuple[int, ...]", "tuple(range(players))", "self.playing"))
    return found


def _kept_type(type_: Type) -> str:
    return "tuple[int, ...]" if is_sequence(type_) else python_type(type_)


def _default(type_: Type) -> str:
    if is_sequence(type_):
        return "()"
    match type_:
        case Flag():
            return "False"
        case TextT():
            return '""'
        case _:
            return "0"


def _initial(module: Module, variable: ir.Variable) -> str:
    match variable.initial:
        case None:
            return _default(variable.type)
        case ir.Absent(name=name):
            return module.runtime(name)
        case value:
            return literal(value)


def _zone_attributes(module: Module, zone: ir.Zone) -> list[Attribute]:
    name, number = module.names.slots[zone.slot], module.kind_number(zone)
    places = str(len(zone.carriers)) if zone.carriers else "players" if zone.by_seat else ""
    if zone.storage == "row":
        return [_ordered(name, places)]
    length = f"{number} * {places}" if number > 1 else places
    length = str(number * len(zone.carriers)) if zone.carriers else length if places else str(number)
    found = [
        Attribute(
            name, "list[int]", f"[0] * {length if ' ' not in length else f'({length})'}", f"self.{name}[:]"
        )
    ]
    if number > 1:
        if places:
            found.append(Attribute(f"{name}_size", "list[int]", f"[0] * {places}", f"self.{name}_size[:]"))
        else:
            found.append(Attribute(f"{name}_size", "int", "0", f"self.{name}_size"))
    if zone.known:
        found += [_ordered(f"{name}_top", places), _ordered(f"{name}_bottom", places)]
    if zone.masked:
        found += [_ordered(f"{name}_top_known", places), _ordered(f"{name}_bottom_known", places)]
    return found


def _ordered(name: str, places: str) -> Attribute:
    """places: how many there are of it, where there are several."""
    if places:
        return Attribute(name, "list[tuple[int, ...]]", f"[()] * {places}", f"self.{name}[:]")
    return Attribute(name, "tuple[int, ...]", "()", f"self.{name}")


# ------------------------------------------------------------------------------------------------ constants


def _constants(module: Module) -> list[str]:
    names = module.names
    module.runtime("NameCodec")
    found = [f"{names.seat} = NumberCodec(0, {module.layout.max_players - 1})"]
    for kinds in module.layout.kinds:
        shown = ", ".join(literal(written) for written in kinds.written)
        found.append(
            f"{names.kinds[kinds.name]} = NameCodec(({shown}{',' if len(kinds.written) == 1 else ''}))"
        )
    return found


def _grid(module: Module, grid: ir.Grid) -> str:
    names = module.names
    module.runtime("Grid")
    module.runtime("EdgeCodec")
    pieces = [room.piece for room in grid.room]
    kinds = ", ".join(f"{literal(piece)}: {names.kinds[piece]}" for piece in pieces)
    owners = {piece: module.layout.max_players if module.kinds[piece].owned else 0 for piece in pieces}
    shapes = ", ".join(f"{literal(piece)}: ({owners[piece]}, {module.kinds[piece].ring})" for piece in pieces)
    room = ", ".join(f"{literal(piece)}: {names.room_functions[grid.name, piece]}" for piece in pieces)
    args = [
        literal(grid.name),
        literal(names.slots[grid.slot]),
        f"across={grid.across}",
        f"margin={grid.margin}",
        f"kinds={{{kinds}}}",
        f"shapes={{{shapes}}}",
        f"room={{{room}}}",
    ]
    lines = [f"{names.grids[grid.name]} = Grid({', '.join(args)})"]
    lines.append(f"{names.spaces[grid.name]} = {names.grids[grid.name]}.space")
    lines.append(f"{names.edges[grid.name]} = EdgeCodec({names.spaces[grid.name]})")
    lines += [
        f"{names.rooms[grid.name, piece]} = {names.grids[grid.name]}.room[{literal(piece)}]"
        for piece in pieces
    ]
    return "\n".join(lines)


def _room(module: Module, function: MakeFunction, grid: ir.Grid, room: ir.Room) -> Any:
    """How many pieces of a type a space takes."""

    def fill(body: Body) -> None:
        parts = [f"{number} if {body.text(condition, 1)} else 0" for condition, number in room.lines]
        body.put(f"return {parts[0]}" if len(parts) == 1 else f"return max({', '.join(parts)})")

    name = module.names.room_functions[grid.name, room.piece]
    return function(
        f"how many {room.piece} a space of {grid.name} takes", name, (room.x, room.y), "int", fill, state=""
    )


def _table(module: Module, name: str) -> str:
    table, constant = module.tables[name], module.names.tables[name]
    match table:
        case ir.GridTable(board=board, which=which):
            return f"{constant} = {module.names.grids[board]}.{which}"
        case ir.Table(values=values, note=note):
            if all(value is not None for value in values):
                shown = ", ".join(_entry(value) for value in values)
                text = f"{constant} = ({shown}{',' if len(values) == 1 else ''})"
            else:
                shown = ", ".join(
                    f"{index}: {_entry(value)}" for index, value in enumerate(values) if value is not None
                )
                text = f"{constant} = {{{shown}}}"
            return f"{text}  # {note}" if len(text) + len(note) < 100 else f"# {note}\n{text}"


def _entry(value: Any) -> str:
    return literal(value)


# ------------------------------------------------------------------------------------------------ pieces


def _put(module: Module, function: MakeFunction, grid: ir.Grid, room: ir.Room) -> Any:
    """Puts a piece of a type on a board."""
    names = module.names
    sets = [kept for kept in module.layout.sets if kept.board == grid.name]

    def fill(body: Body) -> None:
        tops = body.expressions.slot(grid.slot)
        at, new = body.expressions.local(_SPACE), body.expressions.local(_CODE)
        module.runtime("cover")
        body.put(f"if {tops}[{at}] or not {names.rooms[grid.name, room.piece]}[{at}]:")
        body.indent += 1
        below = body.expressions.slot(grid.slot, "_below")
        body.put(f"cover({tops}, {below}, {at}, {names.grids[grid.name]}, {literal(room.piece)})")
        if sets:
            body.put(f"{tops}[{at}] = {new}")
            print_updates(body, sets, at)
            body.put("return")
        body.indent -= 1
        body.put(f"{body.expressions.slot(grid.slot)}[{at}] = {new}")
        for kept in sets:
            print_upkeep(body, kept, room.piece, _SPACE)

    comment = f"a {room.piece} comes on top of a space of {grid.name}"
    return function(comment, names.puts[grid.name, room.piece], (_SPACE, _CODE), "None", fill)


_SPACE = Slot("", -10, "space", Int(0, 2**31))
_CODE = Slot("", -11, "code", Int(0, 2**31))


def _draw(module: Module, function: MakeFunction, zone: ir.Zone) -> Any:
    """Draws a piece from a pile or bag."""
    seat = Slot("", -12, "seat", Int(0, 2**31))
    seen = Slot("", -13, "seen", Int(0, 2**31))
    names, number = module.names, module.kind_number(zone)
    player = zone.by_seat
    alike = len(set(module.kinds[zone.of].written)) < number

    def fill(body: Body) -> None:
        local = body.expressions.local(seat) if player else None
        counts = body.expressions.slot(zone.slot)
        size_place = f"state.{names.slots[zone.slot]}_size" if not player else ""
        if player:
            size_place = f"{body.expressions.slot(zone.slot, '_size')}[{local}]"
        if number == 1:
            size_place = f"{counts}[{local or 0}]"
        if zone.known:
            _known(body, zone, local, "_top", body.expressions.local(seen))
        body.put(f"size = {size_place}")
        body.put("if not size:")
        body.indent += 1
        if zone.known:
            _known(body, zone, local, "_bottom", body.expressions.local(seen))
        body.trouble("empty", zone.name, ir.Local(seat) if player else None)
        body.indent -= 1
        if number > 1:
            body.put(f"{size_place} = size - 1")
        start = "0" if not player else local if number == 1 else f"{local} * {number}"
        stream = module.streams[zone.name]
        stream_text = str(stream)
        if player:
            stream_text = f"{local} + {stream}" if stream else str(local)
        if player and number > 1:
            body.put(f"start = {start}")
            span = f"start, start + {number}"
        else:
            span = f"{start}, {number}" if not player else f"{start}, {local} + 1"
        args = f"{counts}, {span}, size, {stream_text}, {body.expressions.local(seen)}"
        if alike:
            body.put(f"return state.draw_alike({args}, {names.kinds[zone.of]}.alike)")
        else:
            body.put(f"return state.draw({args})")

    comment = f"one piece of {zone.name}"
    params = (seat, seen) if player else (seen,)
    return function(comment, names.draws[zone.slot], params, "int", fill)


def _known(body: Body, zone: ir.Zone, seat: str | None, end: str, seen: str) -> None:
    """Takes a piece whose place is known, and tells those who see it now and did not know it."""
    name = body.names.slots[zone.slot]
    place = f"state.{name}{end}" if seat is None else f"{body.expressions.slot(zone.slot, end)}[{seat}]"
    body.put(f"if {place}:")
    body.indent += 1
    local = body.scope.give("kind")
    body.put(f"{local} = {place}[0]")
    body.put(f"{place} = {place}[1:]")
    if zone.masked:
        suffix = f"{end}_known"
        masks = f"state.{name}{suffix}"
        if seat is not None:
            masks = f"{body.expressions.slot(zone.slot, suffix)}[{seat}]"
        body.put("if state.log is not None:")
        body.indent += 1
        body.put(f"state.note_learnt({literal(zone.name)}, {seat}, {local}, {masks}[0], {seen})")
        body.indent -= 1
        body.put(f"{masks} = {masks}[1:]")
    body.put(f"return {local}")
    body.indent -= 1


# ------------------------------------------------------------------------------------------------ the game


def game_lines(module: Module) -> list[str]:
    """The arguments of `Game`, one a line."""
    program, names, layout = module.program, module.names, module.layout
    out = [
        f"ruleset={literal(program.ruleset)},",
        f"digest={literal(program.digest)},",
        f"versions={_dictionary(program.versions)},",
        f"options={_dictionary(program.options)},",
        f"min_players={layout.min_players},",
        f"max_players={layout.max_players},",
        f"seats={_tuple([literal(seat) for seat in layout.seats])},",
    ]
    out += _listed("variables", [_variable(module, variable) for variable in layout.variables])
    out += _listed("zones", [_zone(module, zone) for zone in layout.zones])
    out.append(f"grids={_tuple(list(names.grids.values()))},")
    out += _listed("streams", _streams(module))
    saved = [f"({literal(names.saved[slot])}, {codec_text(module, slot.type)})" for slot in program.saved]
    out += _listed("saved", saved)
    returns = [
        f"({literal(names.returns[name])}, {_tuple([names.blocks[back] for back in backs])})"
        for name, backs in program.returns
    ]
    out += _listed("returns", returns)
    out += _listed("decisions", list(names.decision_objects.values()))
    flows = [f"({literal(a)}, {literal(b)}, {same})" for a, b, same in program.flows]
    out += _listed("flows", flows)
    scores = [f"({literal(name)}, {function})" for name, function in names.scores.items()]
    out += _listed("scores", scores)
    out += [
        "rank=rank,",
        f"begin={names.blocks[program.start]},",
        "refresh=refresh,",
        "lines=LINES,",
        "default_file=FILE,",
    ]
    if program.eliminates:
        out.append("eliminates=True,")
    return out


def _listed(name: str, items: list[str]) -> list[str]:
    if not items:
        return [f"{name}=(),"]
    if len(items) == 1 and len(line := f"{name}=({items[0]},),") + 4 <= WIDTH:
        return [line]
    return [f"{name}=(", *(f"    {item}," for item in items), "),"]


def _tuple(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _dictionary(pairs: tuple[tuple[str, str], ...]) -> str:
    return "{" + ", ".join(f"{literal(key)}: {literal(value)}" for key, value in pairs) + "}"


def _variable(module: Module, variable: ir.Variable) -> str:
    module.runtime("Variable")
    parts = [
        literal(module.names.slots[variable.slot]),
        literal(variable.name),
        literal(variable.owner),
        codec_text(module, variable.type, bounded=True),
        literal(variable.visibility),
        _initial(module, variable),
    ]
    if variable.board is not None:
        parts.append(literal(variable.board))
    if variable.of is not None:
        kinds = module.kinds[variable.of]
        shown = tuple(
            written if kinds.written.count(written) == 1 else name
            for name, written in zip(kinds.names, kinds.written, strict=True)
        )
        parts.append(f"names={_tuple([literal(name) for name in shown])}")
    return f"Variable({', '.join(parts)})"


def _zone(module: Module, zone: ir.Zone) -> str:
    module.runtime("Zone")
    parts = [
        literal(module.names.slots[zone.slot]),
        literal(zone.name),
        literal(zone.kind),
        literal(zone.owner),
        module.names.kinds[zone.of],
        literal(zone.storage),
        repr(zone.known),
        literal(zone.visibility),
        repr(zone.capacity),
    ]
    if zone.carriers:
        parts += [module.names.kinds[zone.carrier], literal(zone.carriers)]
    if zone.masked:
        parts.append("masked=True")
    return f"Zone({', '.join(parts)})"


def _streams(module: Module) -> list[str]:
    found = []
    for stream in module.layout.streams:
        module.runtime("Stream")
        codec = codec_text(module, stream.of)
        parts = [literal(stream.path), repr(stream.by_seat), str(module.streams[stream.path]), codec]
        if stream.copies:
            parts.append(str(stream.copies))
        found.append(f"Stream({', '.join(parts)})")
    return found
