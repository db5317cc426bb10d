"""What a person may know of a game, in words: his hand, the points, what he learnt, what happened last.

Input: views, events, points, lines. Output: lines.
Invariant: the same for all positions that the person cannot tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from conche.draw.words import Words, plain, table, value_of
from conche.play.turns import Learnt, Turn, is_hidden, sees
from conche_runtime.interface import ChanceEvent, ChosenEvent, ForcedEvent, RevealEvent, State


def hand_of(view: Mapping[str, Any], seat: int, words: Words) -> list[str]:
    """What of a view only its player sees: his secret things, and what he knows of piles."""
    lines = []
    for name, value in view.items():
        if isinstance(value, list) and len(value) == len(words.seats) and name != "to_act":
            others = [one for number, one in enumerate(value) if number != seat]
            looks = words.looks.zones.get(name) or words.looks.variables.get(name)
            secret = looks.visibility == "secret" if looks is not None else all(map(is_hidden, others))
            if secret and (looks is None or looks.owner == "player"):
                lines.append(f"{plain(name)}: {_held(words.named(name, value[seat]))}")
        elif isinstance(value, dict) and ("top" in value or "bottom" in value) and "unknown" not in value:
            for where, end in (("on top", "top"), ("at the bottom", "bottom")):
                known = ", ".join("?" if piece is None else plain(piece) for piece in value.get(end, ()))
                if known:
                    lines.append(f"{plain(name)}, {where}: {known}")
    return lines


def _held(value: Any) -> str:
    if isinstance(value, dict) and value and all(type(count) is int for count in value.values()):
        return ", ".join(plain(kind) + (f" ×{count}" if count != 1 else "") for kind, count in value.items())
    if isinstance(value, list):
        return ", ".join(map(value_of, value)) or "nothing"
    return value_of(value) if value != {} else "nothing"


def scores_for(state: State, seat: int, words: Words, known: Mapping[str, str]) -> list[str]:
    """The points as if the game ended now, as far as a person can know them. `known`: whose points of a score
    are (`conche.play.points`); of one that is not there nobody's."""
    scores = state.scores
    parts = [name for name in scores[0] if name != "total"]
    rows = []
    for player, name in enumerate(words.seats):
        told = [known.get(part) == "all" or (known.get(part) == "own" and player == seat) for part in parts]
        points = [scores[player]["total"], *[scores[player][part] for part in parts]]
        row = [str(one) if yes else "?" for one, yes in zip(points, [all(told), *told], strict=True)]
        rows.append([name, *row])
    used = [at for at in range(2, len(parts) + 2) if any(row[at] != "0" for row in rows)]
    head = ["", "total", *map(plain, parts)]
    lines = table([[row[at] for at in (0, 1, *used)] for row in (head, *rows)])
    unknown = any("?" in row for row in rows)
    note = "if the game ended now" + ("; ?: it depends on what is secret" if unknown else "")
    return [*lines, words.faint(note)]


def learnt_in_words(what: Learnt, seat: int, words: Words) -> str:
    """Why a move cannot be taken back: what was shown since. `seat`: who is told so."""
    who = "you" if what.seat == seat else words.seats[what.seat]
    have = "have" if what.seat == seat else "has"
    if not (what.what.shown_to([seat]) if isinstance(what.what, Turn) else sees(what.what, seat)):
        return f"{who} {have} been shown since what you do not see"
    match what.what:
        case ChanceEvent() as event:
            return (
                f"{who} {have} seen since what came from {_path(event.source, words)}: {words.outcome(event)}"
            )
        case RevealEvent() as event:
            return f"{who} {have} been shown since: {_path(event.what, words)} {value_of(event.value)}"
        case ChosenEvent() as event:
            shown = words.arguments(event.name, event.args)
            return (
                f"{who} {have} seen since what {words.seats[event.player]} chose at the same time: "
                f"{plain(event.name)} {shown}".rstrip()
            )
        case ForcedEvent() | Turn() as move:
            shown = words.arguments(move.name, move.args)
            return (
                f"{words.seats[move.player]} has moved since, knowing what {who} could not see: "
                f"{plain(move.name)} {shown}".rstrip()
            )


def _path(path: str, words: Words) -> str:
    """A source of chance or what is revealed, with whose it is."""
    found = re.fullmatch(r"(.*)\[(\d+)\]", path)
    if found is None or int(found[2]) >= len(words.seats):
        return plain(path)
    return f"{words.seats[int(found[2])]}'s {plain(found[1])}"


def last_lines(steps: Sequence[Sequence[str]], most: int) -> list[str]:
    """The last lines of all steps, of which the first is the set-up; where they begin within a move, its
    first line stands before them."""
    lines = [line for step in steps for line in step]
    begin = len(lines) - most
    if begin <= 0:
        return lines
    at = 0
    for place, step in enumerate(steps):
        if place and at < begin < at + len(step):
            left = [f"      … {begin - at - 1} more"] if begin - at > 1 else []
            return [step[0], *left, *lines[begin:]]
        at += len(step)
    return lines[begin:]
