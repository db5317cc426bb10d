"""Positions of all bundled games, at several widths, with and without colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.cells import cell_len

from draw.positions import ALL, GAMES, drawing_of, image, seats, snapshots
from draw.reader import read_board

ANSI = re.compile(r"\x1b\[[0-9;]*m")
NO_THINGS = {"decision", "players", "to_act", "you", "out"}


def some(ruleset: str) -> Iterator[dict[str, Any]]:
    """The first, the last and a few other positions of a game."""
    yield from snapshots(ruleset, seats(ruleset), seed=11, every=120)


@pytest.mark.parametrize("ruleset", GAMES)
def test_no_line_is_too_wide_and_colour_is_only_colour(ruleset: str) -> None:
    plain, painted = (drawing_of(ruleset, seats(ruleset), color) for color in (False, True))
    for snapshot in some(ruleset):
        for width in (60, 80, 200):
            lines = plain.position(snapshot, width)
            assert all(line.isprintable() for line in lines)
            assert max(map(cell_len, lines)) <= width
            colored = painted.position(snapshot, width)
            assert [ANSI.sub("", line) for line in colored] == lines
            assert all(ANSI.sub("", line).isprintable() for line in colored)
            assert lines == plain.position(snapshot, width)


@pytest.mark.parametrize("width", [20, 33, 45])
def test_narrow_windows(width: int) -> None:
    for ruleset in ("cacao", "schoko"):
        for snapshot in some(ruleset):
            lines = drawing_of(ruleset, 4).position(snapshot, width)
            assert max(map(cell_len, lines)) <= width


def words(name: str) -> str:
    return name.replace("_", " ")


def told(ruleset: str, name: str, value: Any) -> list[str]:
    """What a picture has to say of a thing, in an order that does not matter."""
    looks = image(ruleset).looks
    zone = looks.zones.get(name)
    variable = looks.variables.get(name)
    seated = name in looks.seated
    match value:
        case None | [] | {} | False:
            return []
        case 0 if not seated:
            return []
        case {"size": 0}:
            return []
        case {"size": size, **known}:
            ends = [*known.get("top", []), *known.get("bottom", [])]
            return [f"{size} hidden", *(words(one) for one in ends if one is not None)]
        case dict() if zone is not None and zone.visibility == "hidden":
            return [f"{sum(value.values())} hidden"]
        case dict() if zone is not None:
            return [words(kind) + (f" ×{count}" if count > 1 else "") for kind, count in value.items()]
        case dict():
            return []  # variables of kinds have a test of their own
        case True:
            return ["yes"]
        case int() if variable is not None and variable.fields:
            return [f"field {value} ({variable.fields[value]})"]
        case int() if seated:
            return [image(ruleset).engine().seats[value]]
        case [int(x), int(y)] if variable is not None and variable.type == "space":
            return [f"({x}, {y})"]
        case list():
            return [part for one in value for part in told_of_item(one)]
        case _:
            return [words(str(value))]


def told_of_item(one: Any) -> list[str]:
    match one:
        case str():
            return [words(one)]
        case [int(x), int(y)]:
            return [f"({x}, {y})"]
        case [int(x), int(y), str(side)]:
            return [f"({x}, {y}) {side}"]
        case {"kind": kind, **carried}:
            inside = [
                words(k) + (f" ×{n}" if n > 1 else "") for part in carried.values() for k, n in part.items()
            ]
            return [words(kind), *inside]
        case _:
            return [str(one)]


@pytest.mark.parametrize("ruleset", GAMES)
def test_all_that_is_open_is_told(ruleset: str) -> None:
    looks = image(ruleset).looks
    drawing = drawing_of(ruleset, seats(ruleset))
    for snapshot in some(ruleset):
        lines = drawing.position({name: snapshot[name] for name in snapshot if name not in looks.boards}, 600)
        heads = {seat: f"{seat}" for seat in image(ruleset).engine().seats[: seats(ruleset)]}
        head = next((line for line in lines if all(f"{seat}" in line.split() for seat in heads)), "")
        starts = [re.search(rf"\b{seat}\b", head).start() for seat in heads] if head else []  # type: ignore[union-attr]
        for name, value in snapshot.items():
            if name in NO_THINGS or name in looks.left_out or name in looks.boards:
                continue
            label = looks.labels.get(name, words(name))
            of = looks.zones.get(name) or looks.variables[name]
            mine = [line for line in lines if label in line]
            assert mine, (name, lines)
            if of.owner != "player":
                assert any(all(part in line for part in told(ruleset, name, value)) for line in mine), (
                    name,
                    value,
                )
                continue
            parts = [told(ruleset, name, one) for one in value]
            if not any(parts):
                continue
            row = next(line for line in lines if line.startswith(label + "  ") or line.strip() == label)
            cells = [
                row[start : end - 2 if end else None]
                for start, end in zip(starts, [*starts[1:], None], strict=True)
            ]
            for cell, wanted in zip(cells, parts, strict=True):
                assert all(part in cell for part in wanted), (name, value, row)


@pytest.mark.parametrize("ruleset", ["cacao", ALL])
def test_the_legend_explains_all_signs(ruleset: str) -> None:
    looks = image(ruleset).looks
    drawing = drawing_of(ruleset, 3)
    labels = {of.sign: of.label for of in looks.kinds.values()}
    for snapshot in snapshots(ruleset, 3, seed=2, every=70):
        for width in (60, 150):
            lines = drawing.board("table", snapshot["table"], width)
            parts = [part for line in lines for part in line.split(" · ")]
            cells = [cell for cell in read_board(lines).values() if cell is not None]
            for cell in cells:
                if cell.edges:
                    assert any(
                        part == f"{cell.text} {seat}" for part in parts for seat in ("red", "purple", "white")
                    )
                    assert "at the edges: workers" in parts
                elif cell.text in labels:
                    assert f"{cell.text} {labels[cell.text]}" in parts or cell.text == labels[cell.text]
                else:
                    assert cell.text.replace(" (", "(") in labels.values()
            assert ("* see below" in parts) == any(cell.more for cell in cells)


def test_what_is_left_out_is_not_there() -> None:
    for snapshot in snapshots("cacao", 2, seed=1, every=30):
        text = "\n".join(drawing_of("cacao", 2).position(snapshot, 100))
        assert "placed" not in text
        assert "pending" not in text


def test_what_others_hide_is_marked() -> None:
    snapshot = list(snapshots("schoko", 3, seed=1, every=60))[3]
    assert "you" in snapshot
    lines = drawing_of("schoko", 3).position(snapshot, 100)
    cash = next(line for line in lines if line.startswith("cash"))
    assert cash.count("?") == 2
    assert "? is secret" in lines


def test_variables_of_kinds_are_told_once_where_they_are_alike() -> None:
    drawing = drawing_of("schoko", 2)
    snapshot = next(snapshots("schoko", 2, seed=1, every=1000))
    prices = dict(snapshot["price"])
    first, *_, last = prices
    for value, expected in ((0, "all others 0"), (7, "all others 7")):
        changed = {**dict.fromkeys(prices, value), first: 12, last: 30}
        text = "\n".join(drawing.position({**snapshot, "price": changed}, 120))
        assert f"prices agreed  {words(first)}: 12, {words(last)}: 30, {expected}" in text
