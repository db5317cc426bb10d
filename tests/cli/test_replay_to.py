"""`conche replay --to`: where the position that is shown stands, when the line names a part of a move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Conche

GAME = """\
game dice "Dice"
  version 1.0.0
  players 2..2
  seats red, blue

each player has
  coins: 0..99 = 0, open

setup
  for each p in players
    chance gift(pips in 1..6)
    set p.coins to pips

play
  repeat 2 times
    each player you from red
      choose roll(n in 1..2)
      chance die(pips in 1..6)
      gain pips * n coins

score coins = you.coins
rank by total
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (1, "lines 1 to 3 of 12 fit; the set-up goes on to line 3"),
        (2, "lines 1 to 3 of 12 fit; the set-up goes on to line 3"),
        (3, "lines 1 to 3 of 12 fit"),
        (4, "lines 1 to 5 of 12 fit; the move before it goes on to line 5"),
        (5, "lines 1 to 5 of 12 fit"),
    ],
)
def test_a_line_within_a_set_up_or_a_move(conche: Conche, tmp_path: Path, line: int, told: str) -> None:
    (tmp_path / "dice.rules").write_text(GAME)
    record = tmp_path / "game.jsonl"
    conche("play", tmp_path / "dice.rules", "--seed", 1, "--bots", "random", "--record", record)
    kinds = ["chance" in json.loads(one) for one in record.read_text().splitlines()[1:5]]
    assert kinds == [True, True, False, True]
    result = conche("replay", record, "--to", line)
    assert result.code == 0
    assert result.out.splitlines()[-1] == f"{record}: {told}"
