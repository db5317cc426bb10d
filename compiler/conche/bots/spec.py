"""How bots are written: `random`, `playout:games=200`, `playout:time=0.5:depth=30`.

Input: a text. Output: a `Spec`.
A name, then arguments as key=value, each after a colon. A comma stands between seats, so no value has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conche.bots.errors import BotNameError


@dataclass(frozen=True, slots=True)
class Spec:
    """`arguments`: in the order in which they were written."""

    name: str
    arguments: Mapping[str, str]


def parse_spec(text: str) -> Spec:
    """What a text asks for. BotNameError where it is not written as a bot."""
    name, *rest = (part.strip() for part in text.split(":"))
    if not name:
        raise BotNameError(
            f"there is no name of a bot in '{text}'", "C0503", "write it as in `random,playout:games=50`"
        )
    arguments: dict[str, str] = {}
    for part in rest:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            help = f"write each as key=value after a colon: `{name}:key=value`"
            raise BotNameError(f"'{part}' in '{text}' is no argument of a bot", "C0503", help)
        if key in arguments:
            raise BotNameError(f"'{key}' is given twice in '{text}'", "C0503")
        arguments[key] = value
    return Spec(name, arguments)
