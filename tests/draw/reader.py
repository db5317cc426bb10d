"""Reads pieces back from the picture of a board: an eye of its own, which knows what a picture promises and
nothing of how it is made.

What it relies on: all columns are equally wide, and their numbers stand over their middles; the number of a
row stands at its middle; a row in which nothing lies may be one line high, all others are equally high;
what a piece shows to its sides stands around what lies between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

At = tuple[int, int]

_NUMBER = re.compile(r"-?\d+")
_RAISED = {"²": 2, "³": 3, "⁴": 4, "⁵": 5}
_FRAME = set("╵╷│╴┘┐┤╶└┌├─┴┬┼┈ ")


@dataclass(frozen=True)
class Seen:
    """What stands in a cell. `text`: the sign, the name or the owner, all in one; `edges`: E S W N, or ();
    `high`: how many pieces; `more`: whether there is more to be said."""

    text: str
    edges: tuple[str, ...] = ()
    high: int = 1
    more: bool = False


def read_board(lines: Sequence[str], values: str = r"\d", whole: bool = False) -> dict[At, Seen | None]:
    """All cells of a picture, None for an empty one; it may be cut into bands. `values`: what a piece can
    show at its edges; `whole`: whether the board is one of which all spaces are drawn alike."""
    found: dict[At, Seen | None] = {}
    for number, line in enumerate(lines):
        # What stands above or below a middle may be nothing but numbers, too: a header is the first line, or
        # behind one that tells a band.
        if line.startswith("columns ") or (number and not lines[number - 1].startswith("columns ")):
            continue
        columns = _columns(line)
        edge = min(start for start, _ in columns.values())
        for y, block in _rows(lines[number + 1 :], edge, whole):
            for x, (start, size) in columns.items():
                cell = [one.ljust(start + size)[start : start + size].strip() for one in block]
                if any(one.strip("┊") for one in cell):
                    assert (x, y) not in found
                    found[x, y] = _cell(cell, values)
    return found


def _columns(header: str) -> dict[int, tuple[int, int]]:
    """Where each column begins, and how wide it is."""
    numbers = [(int(match.group()), match.start(), len(match.group())) for match in _NUMBER.finditer(header)]
    for size in range(max(length for _, _, length in numbers), 60):
        starts = [start - (size - length) // 2 for _, start, length in numbers]
        pairs = zip(starts, starts[1:], numbers, numbers[1:], strict=False)
        # Where columns are left out, a narrow one stands for them.
        if all(b - a == size + (1 if y[0] == x[0] + 1 else 3) for a, b, x, y in pairs):
            return {x: (start, size) for (x, _, _), start in zip(numbers, starts, strict=True)}
    raise AssertionError(f"these are no columns: {header!r}")


def _rows(lines: Sequence[str], edge: int, whole: bool) -> Iterator[tuple[int, list[str]]]:
    """The rows, each with its lines. `edge`: where the first column begins."""
    kept: list[str] = []
    labels: dict[int, int] = {}
    for line in lines:
        label = re.fullmatch(r" *(-?\d+)? *[╵╷│╴┘┐┤╶└┌├─┴┬┼┈]?", line[:edge])
        if label is None:
            break
        if set(line) <= _FRAME and {"─", "┈"} & set(line):
            continue
        if label[1] is not None:
            labels[len(kept)] = int(label[1])
        kept.append(" " * edge + line[edge:])
    full = [number for number in labels if whole or kept[number].strip(" ·┊│")]
    free = len(kept) - len(labels)
    high = 1 + (free // len(full) if full else 0)
    assert not full or free % len(full) == 0, kept
    above = (high - 1) // 2
    for number, y in labels.items():
        yield y, kept[number - above : number - above + high] if number in full else [kept[number]]


def _cell(lines: Sequence[str], values: str) -> Seen | None:
    text = " ".join(line for line in lines if line)
    if text == "·":
        return None
    around = re.fullmatch(rf"({values}) *(.+?) *({values})", lines[1]) if len(lines) == 3 else None
    edges: tuple[str, ...] = ()
    if around is not None and re.fullmatch(values, lines[0]) and re.fullmatch(values, lines[2]):
        edges = (around[3], lines[2], around[1], lines[0])
        text = around[2]
    high = re.search(r"×(\d+)|([²³⁴⁵])", text)
    number = 1 if high is None else int(high[1]) if high[1] else _RAISED[high[2]]
    return Seen(re.sub(r"×\d+|[²³⁴⁵*]", "", text).strip(), edges, number, "*" in text)
