"""The smallest game that many tests are about, and a module for it."""

from __future__ import annotations

TINY = """\
game tiny "Tiny"
  version 1.0.0
  players 2..3
  seats red, blue, green

each player has
  coins: 0..9 = 0, open

setup
  for each p in players
    set p.coins to 1

play
  each player you from red
    do turn

step turn
  choose take(n in 1..3)
  gain n coins

score coins = you.coins
rank by total
"""
"""A whole game in a few lines."""

MODULE = """\
module more "More" for tiny 1.x
  version 1.0.0

after turn add bonus
  gain 1 coins
"""
