"""The rulebook as text, for people: `conche build --emit rulebook`.

Purpose: shows what typing made of the rules: names resolved, types and ranges, implicit arguments, settled
options.
Input: a `Rulebook`. Output: indented text, close to the language. It is this stage's golden; nothing reads it
back.
Invariants: no spans and no paths, so that it changes only with the rules; same rulebook, same text.
"""

from __future__ import annotations

from collections.abc import Iterable

from conche.semantics import rulebook as rb
from conche.semantics.show_expressions import show, show_slot, show_type
from conche.semantics.show_statements import show_block
from conche.semantics.types import Type


def dump(rulebook: rb.Rulebook) -> str:
    """The whole rulebook, declaration by declaration."""
    lines: list[str] = []
    for part in (_head, _components, _bodies, _endings, _scenarios):
        lines += part(rulebook)
    return "\n".join(lines) + "\n"


def _cites(cites: Iterable[str]) -> str:
    return "".join(f" §{cite}" for cite in cites)


def _head(book: rb.Rulebook) -> list[str]:
    versions = ", ".join(f"{name} {version}".strip() for name, version in book.versions)
    lines = [f"ruleset {book.ruleset}", f'  "{book.title}" ({versions})']
    lines.append(
        f"  players {book.players[0]}..{book.players[1]}: {', '.join(book.seats) or 'no seats named'}"
    )
    lines += [f"  option {o.name} is {o.value} of {_choices(o)}" for o in book.options.values()]
    return [*lines, ""]


def _choices(option: rb.Option) -> str:
    if option.numbers is not None:
        low, high = option.numbers
        return f"{low}..{high}"
    return ", ".join(option.values)


def _components(book: rb.Rulebook) -> list[str]:
    lines: list[str] = []
    for enum in book.enums.values():
        lines.append(f"enum {enum.name}{_attributes(enum.attributes)}{_cites(enum.cites)}")
        lines += [f"  {_kind(member)}" for member in enum.members]
    for piece in book.pieces.values():
        owned = " owned" if piece.owned else ""
        lines.append(f"piece {piece.name}{_attributes(piece.attributes)}{owned}{_cites(piece.cites)}")
        lines += [f"  {_kind(kind)}" for kind in piece.kinds]
    for table in book.tables.values():
        entries = ", ".join(map(str, table.entries))
        lines.append(f"values {table.name} = [{entries}]{_cites(table.cites)}")
    for board in book.boards.values():
        lines.append(f"board {board.name} at most {board.across} across{_cites(board.cites)}")
        for hold in board.holds:
            condition = f"{show_slot(hold.x)}, {show_slot(hold.y)}: {show(hold.condition)}"
            lines.append(f"  on {condition} up to {hold.capacity} {hold.piece}{_cites(hold.cites)}")
        lines += [f"  each space has {_variable(attribute)}" for attribute in board.attributes]
    for zone in book.zones.values():
        room = f"{zone.capacity} " if zone.capacity is not None else ""
        lines.append(
            f"{_owner(zone.owner)}{zone.kind} {zone.name} of {room}{zone.of},"
            f" {zone.visibility}{_cites(zone.cites)}"
        )
    for track in book.tracks.values():
        fields = ", ".join(map(str, track.fields))
        lines.append(
            f"{_owner(track.owner)}track {track.name} of [{fields}], {track.visibility}{_cites(track.cites)}"
        )
    for var in book.variables.values():
        owner = f"each {var.of}'s " if var.of is not None else _owner(var.owner)
        lines.append(f"{owner}var {_variable(var)}")
    return [*lines, ""]


def _owner(owner: str) -> str:
    return "each player's " if owner == "player" else ""


def _variable(var: rb.Var) -> str:
    initial = f" = {show(var.initial)}" if var.initial is not None else ""
    anew = f", anew each {var.anew}" if var.anew is not None else ""
    return f"{var.name}: {show_type(var.type)}{initial}, {var.visibility}{anew}{_cites(var.cites)}"


def _attributes(attributes: tuple[tuple[str, Type], ...]) -> str:
    if not attributes:
        return ""
    return f"({', '.join(f'{name}: {show_type(type_)}' for name, type_ in attributes)})"


def _kind(kind: rb.Kind | rb.Member) -> str:
    attributes = ", ".join(f"{name} = {value}" for name, value in kind.attributes)
    written = f' written "{kind.written}"' if kind.written != kind.name else ""
    turns = f" turns {kind.turns}" if isinstance(kind, rb.Kind) and kind.turns > 1 else ""
    return f"{kind.name}{written}{f': {attributes}' if attributes else ''}{turns}{_cites(kind.cites)}"


def _params(slots: tuple[rb.Slot, ...]) -> str:
    return f"({', '.join(map(show_slot, slots))})"


def _bodies(book: rb.Rulebook) -> list[str]:
    lines = [f"setup{_cites(book.setup_cites)}", *show_block(book.setup), ""]
    lines += [f"play{_cites(book.play_cites)}", *show_block(book.play), ""]
    for step in book.steps.values():
        lines += [
            f"step {step.name}{_params(step.params)}{_cites(step.cites)}",
            *show_block(step.body),
            "",
        ]
    for action in book.actions.values():
        for case in action.cases:
            bound = "".join(f", {show_slot(slot)} = {attribute}" for slot, attribute in case.bound)
            head = f"action {action.name}({case.label} of {action.of}{bound}){_params(case.params)}"
            lines.append(f"{head}{_cites(case.cites)}")
            lines.append(f"  for {', '.join(case.kinds)}")
            lines += [*show_block(case.body), ""]
    for query in book.queries.values():
        lines.append(
            f"query {query.name}{_params(query.params)}: {show_type(query.type)}{_cites(query.cites)}"
        )
        lines += show_block(query.lets) if query.lets else []
        for answer in query.cases:
            if answer.condition is None:
                lines.append(f"  otherwise {show(answer.value)}")
            else:
                lines.append(f"  {show(answer.value)} if {show(answer.condition)}")
        lines.append("")
    for trigger in sorted(book.triggers.values(), key=lambda t: t.order):
        follows = f" follows {', '.join(trigger.follows)}" if trigger.follows else ""
        lines.append(f"trigger {trigger.name} {_event(trigger.event)}{follows}{_cites(trigger.cites)}")
        if trigger.guard is not None:
            lines.append(f"  if {show(trigger.guard)}")
        lines += [*show_block(trigger.body), ""]
    return lines


def _event(event: rb.OnEnter | rb.OnGain | rb.OnCondition) -> str:
    match event:
        case rb.OnEnter():
            where = " or ".join([*event.zones, *event.boards])
            return f"when {show_slot(event.slot)} of {', '.join(event.kinds)} enters {where}"
        case rb.OnGain():
            what = event.var if event.var is not None else f"{event.kind} in {event.zone}"
            return f"when {show_slot(event.player)} gains {show_slot(event.amount)} of {what}"
        case rb.OnCondition():
            return f"whenever {show(event.condition)}"


def _endings(book: rb.Rulebook) -> list[str]:
    keys = ", ".join(map(show, book.rank.keys))
    return [
        *(f"score {s.name} = {show(s.value)}{_cites(s.cites)}" for s in book.scores.values()),
        f"rank by {keys}{_cites(book.rank.cites)}",
        *(f'always "{i.text}": {show(i.condition)}{_cites(i.cites)}' for i in book.invariants.values()),
        *(f"conserve {c.piece}{_cites(c.cites)}" for c in book.conserved.values()),
        *(f'ruling §{r.id} "{r.text}"' for r in book.rulings.values()),
        *(f"show {_hint(hint)}" for hint in book.hints),
    ]


def _hint(hint: rb.Hint) -> str:
    values = "" if hint.values is None else f"({', '.join(map(str, hint.values))})"
    text = f' "{hint.text}"' if hint.text else ""
    color = f" {hint.color}" if hint.color else ""
    return f"{hint.how} {', '.join(hint.names)}{values}{text}{color}"


def _scenarios(book: rb.Rulebook) -> list[str]:
    lines: list[str] = []
    for scenario in book.scenarios:
        lines += [
            "",
            f'scenario "{scenario.title}"{_cites(scenario.cites)}',
            f"  given {scenario.players} players",
        ]
        if scenario.begin is not None:
            step, args = scenario.begin
            lines.append(f"  begin with {step}({', '.join(map(show, args))})")
        lines += [f"  {_scenario_line(book, line)}" for line in scenario.lines]
    return lines


def _scenario_line(book: rb.Rulebook, line: rb.ScenarioLine) -> str:
    match line:
        case rb.GivenPlace():
            return f"given {show(line.target)} = {show(line.value)}"
        case rb.GivenZone():
            items = ", ".join(f"{count} {show(kind)}" for count, kind in line.items)
            return f"given {show(line.zone)} = [{items}]"
        case rb.GivenPiece():
            owner = f" of {show(line.owner)}" if line.owner is not None else ""
            turned = f" turned {show(line.turned)}" if line.turned is not None else ""
            return f"given {show(line.kind)}{owner} at {show(line.at)}{turned}"
        case rb.PlayMove():
            return f"move {_seat(book, line.player)}: {line.decision}{_arguments(line.args)}"
        case rb.NextChance():
            return f"chance {line.source}: {line.value}"
        case rb.ThenHolds():
            return f"then {show(line.condition)}"
        case rb.ThenCan():
            can = "can" if line.can else "cannot"
            return f"then {_seat(book, line.player)} {can} {line.decision}{_arguments(line.args)}"
        case rb.ThenOptions():
            values = ", ".join(map(str, line.values))
            return f"then {_seat(book, line.player)} chooses {line.decision} {line.arg} in [{values}]"
        case rb.ThenOver():
            return "then the game is over"


def _seat(book: rb.Rulebook, player: int) -> str:
    return book.seats[player] if player < len(book.seats) else f"seat {player}"


def _arguments(args: tuple[tuple[str, object], ...]) -> str:
    return f"({', '.join(f'{name} = {value}' for name, value in args)})"
