"""Every piece on the board can be read back from its picture, in any width."""

from __future__ import annotations

import re
from typing import Any

import pytest

from draw.positions import CACAO, drawing_of, image, snapshots
from draw.reader import At, read_board

WIDTHS = (60, 80, 130, 200, 320)
LETTERS = {"r": 0, "p": 1, "w": 2, "y": 3}


def expected_edges(kind: str, turn: int) -> tuple[str, ...]:
    """What `2-1-0-1` shows E S W N, so many quarter turns clockwise."""
    printed = kind.split("-")
    return tuple(printed[(side - turn) % 4] for side in range(4))


@pytest.mark.parametrize("ruleset", CACAO)
def test_all_pieces_of_cacao_are_read_back(ruleset: str) -> None:
    signs = {kind: looks.sign for kind, looks in image(ruleset).looks.kinds.items()}
    drawing = drawing_of(ruleset, 4)
    for number, snapshot in enumerate(snapshots(ruleset, 4, seed=3, every=70)):
        board = {tuple(entry["at"]): entry for entry in snapshot["table"]}
        for width in WIDTHS[number % 2 :: 2] if number else WIDTHS:
            lines = drawing.board("table", snapshot["table"], width)
            seen = read_board(lines)
            held = {at: cell for at, cell in seen.items() if cell is not None}
            assert held.keys() == {at for at, entry in board.items() if entry["pieces"]}, (width, lines)
            for at, cell in held.items():
                pieces = board[at]["pieces"]
                top = pieces[-1]
                if "owner" in top:
                    assert cell.edges == expected_edges(top["kind"], top["turn"]), (at, lines)
                    assert LETTERS[cell.text] == top["owner"]
                else:
                    names = {signs[top["kind"]], top["kind"].replace("_", " ").replace("(", " (")}
                    assert cell.text in names, (at, lines)
                assert cell.high == len(pieces)
                assert cell.more == ("gems" in top)


def beside(board: dict[At, Any]) -> set[At]:
    near = {(x + dx, y + dy) for x, y in board for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))}
    return near - board.keys()


def test_empty_spaces_beside_pieces_are_drawn() -> None:
    for snapshot in snapshots("cacao", 2, seed=1, every=20):
        board = {tuple(entry["at"]): entry for entry in snapshot["table"]}
        for width in (60, 200):
            seen = read_board(drawing_of("cacao", 2).board("table", snapshot["table"], width))
            assert {at for at, cell in seen.items() if cell is None} == beside(board)


def test_what_is_covered_and_carried_is_told_below() -> None:
    ruleset = CACAO[-1]
    drawing = drawing_of(ruleset, 4)
    told = set()
    for snapshot in snapshots(ruleset, 4, seed=5, every=60):
        text = " ".join(" ".join(drawing.position(snapshot, 80)).split())
        for entry in snapshot["table"]:
            x, y = entry["at"]
            note = re.search(rf"\({x}, {y}\) (covers|gems)[^(]*", text)
            covered, top = entry["pieces"][:-1], entry["pieces"][-1]
            if not covered and "gems" not in top:
                assert note is None
                continue
            assert note is not None
            told.add(note[1])
            for piece in covered:
                turn = f" ↻{piece['turn']}" if piece["turn"] else ""
                seat = ("red", "purple", "white", "yellow")[piece["owner"]]
                assert f"covers {piece['kind']} of {seat}{turn}" in note[0]
            for gem, count in top.get("gems", {}).items():
                assert (f"{gem} ×{count}" if count > 1 else gem) in note[0]
            if top.get("gems") == {}:
                assert "gems: nothing" in note[0]
    assert told == {"covers", "gems"}


def test_a_small_board_is_drawn_whole_from_the_start() -> None:
    ruleset = "rules/examples/tictactoe.rules"
    places = {(x, y) for x in range(3) for y in range(3)}
    for snapshot in snapshots(ruleset, 2, seed=2, every=1):
        for width in (20, 60, 200):
            seen = read_board(drawing_of(ruleset, 2).board("grid", snapshot["grid"], width), whole=True)
            assert seen.keys() == places
            marks = {
                tuple(one["at"]): "cn"[one["pieces"][0]["owner"]] for one in snapshot["grid"] if one["pieces"]
            }
            assert {at: cell.text for at, cell in seen.items() if cell is not None} == marks


def test_a_position_has_the_board_on_top_or_at_the_left() -> None:
    drawing = drawing_of("cacao", 3)
    for snapshot in snapshots("cacao", 3, seed=4, every=30):
        alone = drawing.board("table", snapshot["table"], 80)
        assert drawing.position(snapshot, 80)[: len(alone)] == alone
        beside = drawing.position(snapshot, 220)
        grid = [line for line in drawing.board("table", snapshot["table"], 160) if "─" in line]
        assert grid
        assert all(any(line.startswith(part) for line in beside) for part in grid)
        assert any("jungle pile" in line for line in beside[: len(grid)])


def test_a_board_with_nothing_on_it_says_so() -> None:
    snapshot = next(snapshots("cacao", 2, seed=1, every=1))
    assert drawing_of("cacao", 2).position({**snapshot, "table": []}, 80)[0] == "table has nothing on it yet"
