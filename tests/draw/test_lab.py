"""Names that are long or wide or hostile, stacks, turned pieces that look alike, boards with holes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rich.cells import cell_len

from conche.draw import Drawing, Looks
from conche.draw.cells import ansi, chop, clean, cut, line, wrap
from conche.draw.looks import VariableLooks
from conche.draw.position import seat_letters
from conche.draw.signs import MOST, signs_of
from conche.draw.words import Words
from draw.lab import LONG, cell, drawing, looks, piece
from draw.reader import read_board
from records.fake_game import FakeEngine

WIDE = "大きな木のある場所"
RINGS = {
    "bend": (1, 1, 12, 12),
    "twin": (1, 1, 12, 12),
    "through": (0, 12, 0, 12),
    WIDE: (12, 12, 12, 12),
    LONG: (12, 12, 12, 1),
}
ENTRIES = [
    cell(0, 0, piece("bend", turn=1)),
    cell(1, 0, piece(WIDE, turn=0), wet=3),
    cell(2, 0, piece("small", 1), piece("large", 0), piece("hoard", 2, loot={"road": 2})),
    cell(20, 5, piece("twin", turn=2)),
    cell(0, 1, piece(LONG, turn=3)),
    cell(1, 1, piece("through", turn=1)),
    cell(4, 1, piece("small", 3)),
    cell(3, 3, wet=5),
]


def position(**more: Any) -> dict[str, Any]:
    return {
        "coins": [1, 0, 9, 3],
        LONG: [1, 1, 1, 2],
        "huts": [{"small": 3, "hoard": 1}] * 4,
        "stack": {"bend": 2, LONG: 1},
        "market": {WIDE: 1, LONG: 2},
        "land": ENTRIES,
        "decision": None,
        "players": 4,
        **more,
    }


@pytest.mark.parametrize("width", [60, 80, 99])
def test_pieces_that_look_alike_are_told_apart(width: int) -> None:
    lines = drawing(4).board("land", ENTRIES, width)
    seen = read_board(lines, values=r"\d+")
    signs = {kind: of.sign for kind, of in looks().kinds.items()}
    for entry in ENTRIES:
        x, y = entry["at"]
        found = seen[x, y]
        assert found is not None
        if not entry["pieces"]:
            assert (found.text, found.more) == ("", True)
            continue
        top = entry["pieces"][-1]
        if "turn" in top:
            ring = RINGS[top["kind"]]
            assert found.edges == tuple(str(ring[(side - top["turn"]) % 4]) for side in range(4))
            assert found.text == signs[top["kind"]]
        else:
            assert found.text.replace(" ", "") == f"{signs[top['kind']]}{'abcd'[top['owner']]}"
        assert found.high == len(entry["pieces"])
        assert found.more == (len(entry) > 2 or "loot" in top)
    text = " ".join(" ".join(lines).split())
    assert "(1, 0) wet 3" in text
    assert "(2, 0) loot: road ×2; covers large of red; covers small of rose" in text


@pytest.mark.parametrize("width", [30, 60, 80, 200])
@pytest.mark.parametrize("color", [False, True])
def test_no_line_is_too_wide(width: int, color: bool) -> None:
    lines = drawing(4, color).position(position(), width)
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", one) for one in lines]
    assert max(map(cell_len, bare)) <= width
    assert color or bare == lines
    squeezed = "".join("".join(bare).split())
    for part in (WIDE, LONG, f"{LONG}×2", "3hidden", "small×3"):
        assert part in squeezed


def test_pieces_far_apart_leave_out_what_is_between() -> None:
    entries = [cell(x, y, piece("through", turn=0)) for x, y in ((-30, -30), (0, 0), (31, 31))]
    lines = drawing(2).board("land", entries, 80)
    assert len(lines) < 25
    seen = read_board(lines, values=r"\d+")
    held = {at for at, found in seen.items() if found is not None}
    assert held == {(-30, -30), (0, 0), (31, 31)}
    # The board ends there.
    assert (31, 32) not in seen
    assert (31, 30) in seen


def test_names_cannot_steer_the_terminal() -> None:
    hostile = "\x1b[2J\x07ev\u202eil\u2028\x9b31m\n"
    assert clean(hostile).isprintable()
    assert "\x1b" not in clean(hostile)
    snapshot = position(land=[cell(0, 0, piece(hostile, turn=0))], market={hostile: 2}, **{hostile: hostile})
    for known in (looks(), Looks()):
        picture = drawing(4)
        painted = type(picture)(picture._engine, 4, picture.words, known)
        for one in painted.position(snapshot, 80):
            assert one.isprintable()


def test_a_picture_without_any_knowledge_of_the_rules() -> None:
    known = drawing(4)
    bare = type(known)(known._engine, 4, known.words, None)
    text = "\n".join(bare.position(position(), 300))
    for part in ("through", "covers large of red", "stack", "small ×3", "coins"):
        assert part in text


# ------------------------------------------------------------------------------------------------ parts


def test_signs_are_short_and_all_different() -> None:
    alike = ["temple", "temper", "tempest", "tem"]
    names = ["gold_mine(1)", "gold_mine(2)", *alike, "2-1-0-1", LONG, f"{LONG}2", WIDE]
    signs = signs_of(names, {})
    assert signs["gold_mine(2)"] == "gm2"
    assert signs["temple"] != "tem"
    assert signs["tem"] == "tem"
    assert signs["2-1-0-1"] == "2101"
    assert len({sign.casefold() for sign in signs.values()}) == len(names)
    assert all(0 < cell_len(sign) <= MOST for sign in signs.values())
    assert signs_of(names, {"temper": "tem"})["temper"] == "tem"
    many = [f"{'x' * 9}{n}" for n in range(300)]
    assert len(set(signs_of(many, {}).values())) == 300


def test_letters_of_seats() -> None:
    assert seat_letters(["red", "blue"]) == ["r", "b"]
    assert seat_letters(["red", "rose"]) == ["re", "ro"]
    assert seat_letters([f"seat_{n}" for n in range(3)]) == ["a", "b", "c"]


@pytest.mark.parametrize("most", range(3, 14))
def test_wrapped_lines_hold_every_letter(most: int) -> None:
    text = "some words, 大きな and averyverylongone ×2"
    lines = ["".join(run.text for run in one) for one in wrap(line(text), most, 2)]
    assert all(cell_len(one) <= most for one in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_cutting_and_painting() -> None:
    assert cut("大きな木", 5) == "大き…"
    assert chop("大きな木", 3) == ["大", "き", "な", "木"]
    assert ansi(line("a  "), True) == "a"


def test_players_flags_and_numbers_in_words() -> None:
    known = Looks(
        seated=frozenset({"owner", "first"}),
        variables={
            "owner": VariableLooks("kind", "player", "open"),
            "first": VariableLooks("game", "player", "open"),
            "late": VariableLooks("game", "flag", "open"),
            "fed_up": VariableLooks("player", "flag", "open"),
            "gold": VariableLooks("player", "number", "open"),
            "idle": VariableLooks("player", "number", "open"),
        },
    )
    words = Words(FakeEngine(), 3, looks=known)
    snapshot = {
        "owner": {"pots": 1, "chairs": None},
        "first": 0,
        "late": True,
        "fed_up": [True, False, False],
        "gold": [0, -1, 2],
        "idle": [0, 0, 0],
        "out": [2],
    }
    lines = Drawing(FakeEngine(), 3, words, known).position(snapshot, 80)
    red, blue, green = words.seats
    assert lines[0] == f"owner pots {blue}, chairs – · first {red} · late yes"
    assert lines[2].split() == [red, blue, green, "(out)"]
    assert [line.split() for line in lines[3:5]] == [["fed", "up", "yes", "–", "–"], ["gold", "0", "-1", "2"]]
    assert lines[5] == "empty or 0: idle"
