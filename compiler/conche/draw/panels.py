"""What lies beside the board: what is common, and what is each player's.

Purpose: the rest of a position, as lists and a table. Input: a snapshot. Output: lines of a width.
Invariants: what is open is all there; things that nobody has anything of are named in one line; the order
is that of the hints, then that of the snapshot. A table has a column for each player where the columns are
wide enough to be read; else the players stand one below the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conche.draw.cells import Line, Run, joined, line, padded, width, width_of, wrap
from conche.draw.values import Telling

_FAINT, _BOLD = ("faint",), ("bold",)
_SHORT = 20
"""So short things stand on a line together."""
_LABEL, _PART = 18, 5
"""The column of labels takes so many cells at most, or that part of the width."""
_NARROW, _LONG, _GAP = 9, 24, 2
"""A table whose columns would be narrower is none, and none in which words had to be broken, but for very
long ones."""

Section = tuple[str, Sequence[str]]
"""A title, or none, and the names below it."""


def sections(telling: Telling, names: Sequence[str]) -> list[Section]:
    """Names in the groups of the hints; first those that are in no group, if there are others."""
    grouped = [
        (group.title, [name for name in group.names if name in names]) for group in telling.looks.groups
    ]
    within = {name for _, several in grouped for name in several}
    untitled = [name for title, several in grouped if not title for name in several]
    rest = [name for name in names if name not in within]
    head: list[Section] = [("", [*untitled, *rest])] if untitled or rest else []
    return [*head, *((title, several) for title, several in grouped if title and several)]


def common_lines(
    telling: Telling, snapshot: Mapping[str, Any], names: Sequence[str], most: int
) -> list[Line]:
    """What belongs to nobody: long things on lines of their own, short ones together."""
    lines: list[Line] = []
    nothing: list[str] = []
    for title, several in sections(telling, names):
        told: list[tuple[str, Line]] = []
        for name in several:
            value = telling.thing(name, snapshot[name])
            if value is None:
                nothing.append(name)
            else:
                told.append((name, value))
        if title and told:
            lines.append(line(Run(f"─ {title}", _BOLD)))
        lines += _listed(telling, told, most)
    return [*lines, *_nothing(telling, nothing, most)]


def _listed(telling: Telling, told: Sequence[tuple[str, Line]], most: int) -> list[Line]:
    """Zones and long things first, with their labels in a column."""
    long = [one for one in told if one[0] in telling.looks.zones or width(one[1]) > _SHORT]
    short = [
        (Run(f"{telling.label(name)} ", _FAINT), *value) for name, value in told if (name, value) not in long
    ]
    column = _column(telling, [name for name, _ in long], most)
    lines: list[Line] = []
    for name, value in long:
        lines += beside([wrap(line(Run(telling.label(name), _FAINT)), column)], [column], value, most)
    return [*lines, *(flow(short, most) if short else [])]


def _column(telling: Telling, names: Iterable[str], most: int) -> int:
    """How wide the column of labels is."""
    longest = max((width_of(telling.label(name)) for name in names), default=0)
    return min(longest, max(_LABEL, most // _PART), most // 2)


def flow(parts: Sequence[Line], most: int) -> list[Line]:
    """Parts with a dot between them; a line is broken between parts where that can be."""
    lines: list[Line] = []
    for part in parts:
        if lines and width(lines[-1]) + 3 + width(part) <= most:
            lines[-1] = (*lines[-1], Run(" · ", _FAINT), *part)
        else:
            lines += wrap(part, most, 2)
    return lines


def beside(heads: Sequence[Sequence[Line]], sizes: Sequence[int], value: Line, most: int) -> list[Line]:
    """Columns, and behind them a value that is wrapped."""
    taken = sum(sizes) + _GAP * len(sizes)
    return abreast([*heads, wrap(value, max(most - taken, 1))], [*sizes, max(most - taken, 1)])


def abreast(columns: Sequence[Sequence[Line]], sizes: Sequence[int]) -> list[Line]:
    """Columns of lines side by side."""
    high = max(map(len, columns), default=0)
    return [
        joined(
            [
                padded(column[number] if number < len(column) else (), size)
                for column, size in zip(columns, sizes, strict=True)
            ],
            " " * _GAP,
        )
        for number in range(high)
    ]


def _nothing(telling: Telling, names: Sequence[str], most: int) -> list[Line]:
    if not names:
        return []
    told = ", ".join(telling.label(name) for name in names)
    return wrap(line(Run(f"empty or 0: {told}", _FAINT)), most, 2)


# ------------------------------------------------------------------------------------------------ players


def player_lines(
    telling: Telling,
    snapshot: Mapping[str, Any],
    names: Sequence[str],
    players: int,
    most: int,
) -> list[Line]:
    """What each player has. In a view, what of others is secret shows as `?`."""
    you = snapshot.get("you")
    told: dict[str, list[Line | None]] = {}
    nothing: list[str] = []
    for name in names:
        values = [
            telling.thing(name, value, _unknown(telling, name, value, seat, you))
            for seat, value in enumerate(snapshot[name])
        ]
        if any(value is not None for value in values):
            told[name] = values
        else:
            nothing.append(name)
    heads = [_head(telling, snapshot, seat) for seat in range(players)]
    parts = sections(telling, list(told))
    column = _column(telling, told, most)
    room = (most - column - _GAP * players) // max(players, 1)
    lines_of_all = [*heads, *(value for values in told.values() for value in values if value)]
    if told and room >= max(_NARROW, min(max(map(_longest, lines_of_all), default=0), _LONG)):
        rows = {
            name: [_cell(*one) for one in zip(values, snapshot[name], strict=True)]
            for name, values in told.items()
        }
        lines = _table(telling, parts, rows, heads, column, room)
    else:
        lines = _one_by_one(telling, parts, told, heads, most)
    if any(
        "?" in "".join(run.text for run in value) for values in told.values() for value in values if value
    ):
        lines.append(line(Run("? is secret", _FAINT)))
    return [*lines, *_nothing(telling, nothing, most)]


def brief_lines(
    telling: Telling, snapshot: Mapping[str, Any], common: Sequence[str], own: Sequence[str], most: int
) -> list[Line]:
    """What belongs to nobody, and what the player has whose view it is, in as few lines as can be; what there
    is nothing of is left out."""
    you = snapshot.get("you")
    lines = flow(_told(telling, [(name, snapshot[name]) for name in common]), most)
    if you is None:
        return lines
    mine = _told(telling, [(name, snapshot[name][you]) for name in own])
    return [*lines, *flow([_head(telling, snapshot, you), *mine], most)]


def _told(telling: Telling, things: Iterable[tuple[str, Any]]) -> list[Line]:
    """Each thing behind its label."""
    told = [(name, telling.thing(name, value)) for name, value in things]
    return [(Run(f"{telling.label(name)} ", _FAINT), *value) for name, value in told if value is not None]


def _longest(one: Line) -> int:
    """The cells of the longest word."""
    return max(map(width_of, "".join(run.text for run in one).split()), default=0)


def _unknown(telling: Telling, name: str, value: Any, seat: int, you: Any) -> bool:
    variable = telling.looks.variables.get(name)
    return you is not None and seat != you and variable is not None and variable.visibility == "secret"


def _head(telling: Telling, snapshot: Mapping[str, Any], seat: int) -> Line:
    seats = telling.seat(seat)
    note = " (out)" if seat in snapshot.get("out", ()) else " (you)" if snapshot.get("you") == seat else ""
    return (
        line(Run(seats.text, (*seats.styles, *_BOLD)), Run(note, _FAINT))
        if note
        else line(Run(seats.text, (*seats.styles, *_BOLD)))
    )


def _table(
    telling: Telling,
    parts: Sequence[Section],
    cells: Mapping[str, Sequence[Line]],
    heads: Sequence[Line],
    column: int,
    room: int,
) -> list[Line]:
    sizes = [
        min(room, max([width(head), *(width(row[seat]) for row in cells.values())]))
        for seat, head in enumerate(heads)
    ]
    lines = abreast(
        [[()], *[wrap(head, size) for head, size in zip(heads, sizes, strict=True)]], [column, *sizes]
    )
    for title, several in parts:
        if title:
            lines.append(line(Run(f"─ {title}", _BOLD)))
        for name in several:
            label = wrap(line(Run(telling.label(name), _FAINT)), column)
            values = [wrap(value, size) for value, size in zip(cells[name], sizes, strict=True)]
            lines += abreast([label, *values], [column, *sizes])
    return lines


def _cell(told: Line | None, value: Any) -> Line:
    return told if told is not None else line(Run("0" if value == 0 and value is not False else "–", _FAINT))


def _one_by_one(
    telling: Telling,
    parts: Sequence[Section],
    told: Mapping[str, Sequence[Line | None]],
    heads: Sequence[Line],
    most: int,
) -> list[Line]:
    lines: list[Line] = []
    for seat, head in enumerate(heads):
        lines += wrap(head, most)
        several: list[Line] = []
        for _, names in parts:
            for name in names:
                value = told[name][seat]
                if value is not None:
                    several.append((Run(f"{telling.label(name)} ", _FAINT), *value))
        lines += [(Run("  "), *one) for one in flow(several, max(most - 2, 1))]
    return lines
