"""What is drawn of a position where a window is too low for all of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rich.cells import cell_len

from draw.positions import ALL, drawing_of, seats, snapshots

NOTE = "`board` shows everything"
VIEWS = {
    ruleset: [one for one in snapshots(ruleset, seats(ruleset), seed=11, every=300) if "you" in one]
    for ruleset in ("cacao", ALL, "schoko", "rules/examples/orchard.rules")
}


@pytest.mark.parametrize("ruleset", VIEWS)
@pytest.mark.parametrize("width", [60, 120])
def test_it_is_everything_where_that_fits_and_no_higher_than_the_room(ruleset: str, width: int) -> None:
    drawing = drawing_of(ruleset, seats(ruleset))
    for view in VIEWS[ruleset]:
        whole = drawing.position(view, width)
        assert drawing.part(view, width, len(whole), (), NOTE) == whole
        for height in (18, 30):
            lines = drawing.part(view, width, height, (), NOTE)
            assert len(lines) <= height
            assert max(map(cell_len, lines)) <= width
            assert (NOTE in lines[-1]) == (lines[-1].startswith("…"))


def row_numbers(lines: list[str]) -> tuple[int, int]:
    """The first and the last row that are drawn, as the last line tells them."""
    found = re.match(r"… rows? (?:(-?\d+) to )?(-?\d+) of ", lines[-1])
    assert found is not None, lines
    return int(found[1] or found[2]), int(found[2])


def test_the_board_is_drawn_around_what_matters() -> None:
    drawing = drawing_of(ALL, seats(ALL))
    view: dict[str, Any] = VIEWS[ALL][-1]
    ys = sorted({entry["at"][1] for entry in view["table"] if entry["pieces"]})
    for y in (ys[0], ys[len(ys) // 2], ys[-1]):
        first, last = row_numbers(drawing.part(view, 80, 22, [(0, y)], NOTE))
        assert first <= y <= last


def test_other_rows_and_what_lies_on_them_are_left_out() -> None:
    drawing = drawing_of("cacao", 2)
    pieces = [{"at": [0, y], "pieces": [{"kind": "water"}]} for y in range(12)]
    view = {"you": 0, "table": pieces, "gold": [3, 4], "display": ["temple"]}
    lines = drawing.part(view, 80, 7, [(0, 9)], NOTE)
    first, last = row_numbers(lines)
    assert first <= 9 <= last
    drawn = [int(line.split()[0]) for line in lines[1:] if re.match(r" *-?\d+ ", line)]
    assert drawn == list(range(first, last + 1))
    assert any("red (you) · gold 3" in line for line in lines)
    assert "gold 4" not in "\n".join(lines)
