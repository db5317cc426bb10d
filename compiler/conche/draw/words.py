"""Moves, outcomes and positions in words, for any game.

Purpose: what `play`, `replay` and pictures say. Input: moves, events, snapshots. Output: lines of text.
Invariant: knows of no game; all names are those of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from conche.draw.cells import COLORS
from conche.draw.looks import Looks
from conche.seats import seat_names
from conche_runtime.interface import (
    ChanceEvent,
    ChosenEvent,
    Engine,
    Event,
    ForcedEvent,
    RevealEvent,
    State,
)


class _Seat(str):
    """The name of a seat as a value: it is shown as the rules write it, as at the head of a line."""

    __slots__ = ()


class Words:
    """Words for one game at a table of `players`. With `color`, seats that are named for a colour, or have
    one by a hint of the rules, are shown in it. `seated`: what of the game is a player
    (`conche.draw.looks_of.seated_of`) and is called by the seat's name; `looks` knows that, too."""

    def __init__(
        self,
        engine: Engine,
        players: int,
        color: bool = False,
        seated: Collection[str] = (),
        looks: Looks | None = None,
    ) -> None:
        self.looks = looks or Looks()
        self.seats = seat_names(engine.seats, players)
        self.width = max(map(len, self.seats), default=0)
        self.color = color
        self.seated = seated or self.looks.seated

    def styles(self, player: int) -> tuple[str, ...]:
        """The colour of a seat, if it has one."""
        name = self.seats[player]
        color = self.looks.seat_colors.get(name, name)
        return (color,) if color in COLORS else ()

    def paint(self, player: int, text: str) -> str:
        codes = [COLORS[style] for style in self.styles(player)]
        return f"\x1b[{codes[0]}m{text}\x1b[0m" if self.color and codes else text

    def faint(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.color else text

    def seat(self, player: int) -> str:
        """The name of a seat, padded to the width of the longest one."""
        return self.paint(player, self.seats[player].ljust(self.width))

    def move(self, player: int, name: str, args: Mapping[str, Any], note: str = "") -> str:
        """`red    place  worker 2-1-0-1, turn 1, at (0, -1)`"""
        line = f"{self.seat(player)}  {plain(name)}  {self.arguments(name, args)}".rstrip()
        return f"{line}  {self.faint(note)}" if note else line

    def arguments(self, name: str, args: Mapping[str, Any]) -> str:
        """`worker 2-1-0-1, turn 1, at (0, -1)`: the arguments of a decision of that name."""
        return arguments({key: self.named(f"{name}.{key}", value) for key, value in args.items()})

    def named(self, what: str, value: Any) -> Any:
        """A value, with the seats' names in place of their numbers where `what` is a player."""
        return self._names(value) if what in self.seated else value

    def _names(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._names(item) for item in value]
        if isinstance(value, dict):
            return {key: self._names(item) for key, item in value.items()}
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.seats):
            return _Seat(self.seats[value])
        return value

    def source(self, source: str) -> tuple[str, str]:
        """Whose a source of chance is, as the head of a line, and its name: `workers[0]` is red's."""
        match = re.fullmatch(r"(.*)\[(\d+)\]", source)
        if match is None or int(match[2]) >= len(self.seats):
            return " " * self.width, plain(source)
        return self.seat(int(match[2])), plain(match[1])

    def events(self, events: Iterable[Event], eyes: Sequence[int] | None) -> list[str]:
        """What happened, as the seats `eyes` may know it (None: everything). Outcomes of one source share
        a line."""
        lines: list[str] = []
        source, values = "", list[str]()

        def close() -> None:
            if values:
                head, name = self.source(source)
                lines.append(f"{head}  {self.faint(f'{name}: ' + ', '.join(values))}")
                values.clear()

        for event in events:
            if isinstance(event, ChanceEvent) and event.source == source and self.shown(event, eyes):
                values.append(self.outcome(event))
                continue
            close()
            match event:
                case ChanceEvent() if self.shown(event, eyes):
                    source = event.source
                    values.append(self.outcome(event))
                case ForcedEvent() if self.shown(event, eyes):
                    note = "the only option" if eyes in (None, [event.player]) else ""
                    lines.append(self.move(event.player, event.name, event.args, note))
                case ChosenEvent() if event.forced or eyes not in (None, [event.player]):
                    lines.append(self._chosen(event, eyes))
                case RevealEvent() if self.shown(event, eyes):
                    head, name = self.source(event.what)
                    lines.append(f"{head}  {self.faint(f'{name} is shown: {value_of(event.value)}')}")
                case _:
                    pass
        close()
        return lines

    def _chosen(self, event: ChosenEvent, eyes: Sequence[int] | None) -> str:
        """What one has chosen where several did at once. Who sees the choice as it is made has seen it."""
        if eyes in (None, [event.player]):
            return self.move(event.player, event.name, event.args, "the only option")
        return self.move(event.player, event.name, event.args if self.shown(event, eyes) else {})

    def outcome(self, event: ChanceEvent) -> str:
        return value_of(self.named(f"chance {event.source}", event.value))

    @staticmethod
    def shown(event: Event, eyes: Sequence[int] | None) -> bool:
        """Whether all of some seats may know of an event."""
        if eyes is None:
            return True
        if isinstance(event, ForcedEvent):
            return event.private or all(seat == event.player for seat in eyes)
        return event.seen_by is None or all(seat in event.seen_by for seat in eyes)

    def scores(self, state: State) -> list[str]:
        """The final table: place, total and what it is made of; then what brought nobody anything."""
        scores, ranking = state.scores, state.ranking
        parts = [name for name in scores[0] if name != "total"]
        names = [name for name in parts if any(of_seat[name] for of_seat in scores)]
        zeros = [plain(name) for name in parts if name not in names]
        head = ["", "place", "total", *map(plain, names)]
        rows = [
            [
                self.seats[seat],
                str(number),
                str(scores[seat]["total"]),
                *[str(scores[seat][n]) for n in names],
            ]
            for number, place in zip(_numbers(ranking), ranking, strict=True)
            for seat in place
        ]
        lines = table([head, *rows])
        order = [seat for place in ranking for seat in place]
        painted = [self.paint(seat, line) for seat, line in zip(order, lines[1:], strict=True)]
        return [lines[0], *painted, *([f"(also 0: {', '.join(zeros)})"] if zeros else [])]

    def winners(self, state: State) -> str:
        """Who has won, in one sentence."""
        first = [self.seats[seat] for seat in state.ranking[0]]
        return f"{first[0]} wins" if len(first) == 1 else f"{' and '.join(first)} share the victory"


def _numbers(ranking: Sequence[Sequence[int]]) -> list[int]:
    """The number of each place: after a shared one as many are left out as share it."""
    numbers, number = [], 1
    for place in ranking:
        numbers.append(number)
        number += len(place)
    return numbers


def plain(name: str) -> str:
    """A name of the rules as words: `gold_mine(2)` → `gold mine(2)`."""
    return name.replace("_", " ")


def value_of(value: Any) -> str:
    """A value of a record in words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case [int(x), int(y)] if not isinstance(x, bool) and not isinstance(y, bool):
            return f"({x}, {y})"
        case list() | tuple():
            return f"[{', '.join(map(value_of, value))}]"
        case dict():
            return ", ".join(f"{plain(str(key))} {value_of(item)}" for key, item in value.items())
        case _Seat():
            return str(value)
        case str():
            return plain(value)
        case _:
            return str(value)


def arguments(args: Mapping[str, Any]) -> str:
    """`worker 2-1-0-1, turn 1, at (0, -1)`; of an argument that is nothing, `no worker`."""
    return ", ".join(
        f"no {plain(name)}" if value is None else f"{plain(name)} {value_of(value)}"
        for name, value in args.items()
    )


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
