"""Asks a person at the keyboard for a move.

Purpose: the seats that `--bots` calls `human`. Input: lines of stdin. Output: the number of an option.
Invariants: whatever is typed, the question is asked again until it is answered; the end of input is a wish
to stop. Each option keeps its number while the list is narrowed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from conche.cli.output import flush, put, say
from conche.cli.words import Words, arguments, plain
from conche_runtime.interface import State

MOST = 20
"""So many options are listed at once."""

HELP = """\
  a number        take that option
  some words      list the options that have all of them: `2-1-0-1 (0, -1)`
  /12             list the options that have 12 in them
  Enter           list the options again, from where the list stopped
  board           show the position
  quit            stop playing; the record is kept
"""


class Stopped(Exception):  # noqa: N818
    """The person at the keyboard wants to stop."""


def ask(state: State, player: int, words: Words, show: Callable[[], None]) -> int:
    """The number of the option that is chosen. `show` prints the position. Stopped when the person leaves."""
    count = state.count(player)
    options = [arguments(state.move(index, player).args) or "yes" for index in range(count)]
    name = plain(state.decision or "move")
    say(f"{words.seat(player).rstrip()}, choose {name}: {count} options (`help` tells what can be typed)")
    found = list(range(count))
    listed = _list(options, found, 0)
    while True:
        put(f"{name}> ")
        flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            say()
            raise Stopped
        text = " ".join(line.split())
        if not text:
            listed = _list(options, found, 0 if listed >= len(found) else listed)
        elif text.lower() in ("quit", "q", "exit"):
            raise Stopped
        elif text.lower() in ("help", "h", "?"):
            put(HELP)
        elif text.lower() == "board":
            show()
        elif text.isascii() and text.isdigit():
            if len(text) < 10 and 1 <= int(text) <= count:
                return int(text) - 1
            say(f"there is no option {text[:12]}; they are numbered 1 to {count}")
        else:
            wanted = text.removeprefix("/").lower()
            found = [i for i, option in enumerate(options) if _has(option.lower(), wanted)]
            if found:
                listed = _list(options, found, 0)
            else:
                say(f"no option has '{text[:60]}' in it")
                found = list(range(count))
                listed = len(found)


def _has(option: str, wanted: str) -> bool:
    return wanted in option or all(word in option for word in wanted.replace(",", " ").split())


def _list(options: list[str], found: list[int], start: int) -> int:
    """Lists options from place `start`; returns the place where the list stopped."""
    end = min(start + MOST, len(found))
    for index in found[start:end]:
        say(f"{index + 1:4}  {options[index]}")
    if end < len(found):
        say(f"      … {len(found) - end} more: press Enter, or type words to narrow the list")
    return end
