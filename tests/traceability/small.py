"""A small game with a clause file and a module, written into a folder."""

from __future__ import annotations

from pathlib import Path

GAME = """\
game small "Small"
  version 1.0.0
  players 2..2
  seats red, blue
  clauses "small.clauses.md"

option pace in {slow, fast} = slow                                             §1

each player has                                                                §1
  coins: 0..9 = 0, open
  taken: 0..9 = 0, open

play                                                                           §1
  each player you from red
    do turn

step turn
  choose act
    case take(n in 1..2)
      gain n coins
      do note(n)
    case pass(n = 0)
      stop
  with option pace is fast
    gain up to 1 coins                                                         §A1

step note(n: 0..2)                                                             §1.2
  set you.taken to you.taken + n

query worth(p: Player) = 2 * p.coins                                           §1.2

score coins = worth(you)                                                       §1.2
rank by total, you.taken                                                       §1.2

scenario "red takes, blue passes"                                              §1
  given 2 players
  move red: act(n = 2)
  move blue: act(n = 0)
  then red.coins = 2

scenario "both pass"                                                           §3
  given 2 players
  move red: act(n = 0)
  move blue: act(n = 0)
  then score(red, coins) = 0
"""

CLAUSES = """\
# Small

## §1 Turns

Everybody has one turn. See §1.2, §9.

### §1.2 Counting

A coin counts two.

## §3 Passing

Who passes gets nothing.

### §A1 The fast game

One coin more.
"""

MODULE = """\
module gifts "Gifts" for small 1.x                                             §7
  version 1.0.0
  clauses "gifts.clauses.md"

option gifts in {few, many} = few                                              §7

replace note                                                                   §7a
  set you.taken to min(9, you.taken + n + 1)

after turn add give                                                            §7a
  gain 1 coins

modify worth(p): + 1 if p.coins > 2                                            §7b

with option gifts is many
  before turn add give_more                                                    §A8
    gain 1 coins
"""

GIFTS = """\
# Gifts

## §7 Gifts

Everybody is given a coin.

### §7a When

After the own turn.

### §7b What for

It can be worth more.

## Rulings

### §A8 Many gifts

One before the turn as well.
"""

OTHER = """\
module apart "Apart" for small 1.x                                             §1
  version 1.0.0

before turn add wait                                                           §1
  stop
"""


def write_small(folder: Path) -> Path:
    """The game and its modules `gifts` and `apart`; gives the path of the game."""
    texts = {
        "small.rules": GAME,
        "small.clauses.md": CLAUSES,
        "gifts.rules": MODULE,
        "gifts.clauses.md": GIFTS,
        "apart.rules": OTHER,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "small.rules"
