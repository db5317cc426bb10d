"""Asks a person at the keyboard for a move.

Purpose: the seats that `--bots` calls `human`. Input: lines of stdin. Output: the number of an option.
Invariants: whatever is typed, the question is asked again until it is answered; the end of input is a wish
to stop. Each option keeps its number while the list is narrowed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from conche.cli.output import flush, put, say
from conche.cli.words import Words, plain, value_of
from conche_runtime.interface import Move, State

MOST = 20
"""So many options are listed at once."""

HELP = """\
  a number        take that option
  some words      list only the options that have all of them{example}; if only one has, it is taken
  /some words     list them only; also /12, as a number alone takes an option
  Enter           list the next {most} options; after the last, list from the first again
  all             list all options again, from the first
  board           show the position
  quit            stop playing{kept}
"""


class Stopped(Exception):
    """The person at the keyboard wants to stop."""


def ask(state: State, player: int, words: Words, show: Callable[[], None], recorded: bool = False) -> int:
    """The number of the option that is chosen. `show` prints the position. `recorded`: whether there is a
    record. Stopped when the person leaves."""
    count = state.count(player)
    moves = [state.move(index, player) for index in range(count)]
    options = [_option(move, state.decision, words) for move in moves]
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
            kept = "; the record is kept" if recorded else ""
            put(HELP.format(example=_example(moves[-1], words), most=MOST, kept=kept))
        elif text.lower() == "all":
            found = list(range(count))
            listed = _list(options, found, 0)
        elif text.lower() == "board":
            show()
        elif text.isascii() and text.isdigit():
            if len(text) < 10 and 1 <= int(text) <= count:
                return int(text) - 1
            say(f"there is no option {text[:12]}; they are numbered 1 to {count}")
        else:
            wanted = text.removeprefix("/").lower()
            found = [i for i, option in enumerate(options) if _has(option.lower(), wanted)]
            if len(found) == 1 and wanted == text.lower():
                return found[0]
            if found:
                listed = _list(options, found, 0)
            else:
                say(f"no option has '{text[:60]}' in it")
                found = list(range(count))
                listed = len(found)


def _option(move: Move, decision: str | None, words: Words) -> str:
    """What is listed: the arguments, behind the move's name where that is not the decision's."""
    shown = words.arguments(move.name, move.args)
    return (shown or "yes") if move.name == decision else f"{plain(move.name)} {shown}".rstrip()


def _example(move: Move, words: Words) -> str:
    """Words that narrow the list to this move and those like it."""
    values = [value_of(words.named(f"{move.name}.{key}", value)) for key, value in move.args.items()]
    shown = " ".join(value for value in (values[:1] + values[-1:] if len(values) > 1 else values) if value)
    return f": `{'/' if shown.isdigit() else ''}{shown}`" if shown else ""


def _has(option: str, wanted: str) -> bool:
    return wanted in option or all(word in option for word in wanted.replace(",", " ").split())


def _list(options: list[str], found: list[int], start: int) -> int:
    """Lists options from place `start`; returns the place where the list stopped."""
    end = min(start + MOST, len(found))
    for index in found[start:end]:
        say(f"{index + 1:4}  {options[index]}")
    if end < len(found):
        say(f"      … {len(found) - end} more: press Enter for the next, or type words to narrow the list")
    return end
