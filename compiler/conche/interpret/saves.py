"""Saves of the interpreter: a position as JSON text, and back.

Input: a position, or a text. Output: the other. Invariants: equal positions give equal texts; loading
believes nothing: the rules, the check sum and the shape of all that is in it are looked at. What is wrong is
a `SaveError`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.interpret.decisions import Program, kept_in
from conche.interpret.position import Position, decode, encode
from conche_runtime.errors import SaveError

SAVE_VERSION = 2


def save(program: Program, digest: str, position: Position) -> str:
    saved = {
        "conche_save": SAVE_VERSION,
        "engine": "interpreter",
        "ruleset": program.book.rulebook.ruleset,
        "digest": digest,
        "position": encode(position),
    }
    return json.dumps({**saved, "check": _check(saved)}, ensure_ascii=False, separators=(",", ":"))


def load(program: Program, digest: str, text: str) -> Position:
    """The position that was saved."""
    try:
        saved = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise SaveError("this is not a save, or it is cut") from None
    if not isinstance(saved, dict) or "conche_save" not in saved:
        raise SaveError("this is not a save")
    if saved["conche_save"] != SAVE_VERSION or saved.get("engine") != "interpreter":
        raise SaveError("this save was made by another engine or version")
    check = saved.pop("check", None)
    if check != _check(saved):
        raise SaveError("this save was edited or damaged")
    if saved.get("digest") != digest or saved.get("ruleset") != program.book.rulebook.ruleset:
        raise SaveError(f"this save is of other rules ('{saved.get('ruleset')}')")
    try:
        position = decode(saved["position"])
        _check_position(program, position)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError):
        raise SaveError("this save was edited or damaged") from None
    return position


def _check_position(program: Program, position: Position) -> None:
    """KeyError, TypeError or ValueError when a decoded position cannot be one of these rules."""
    book, graph = program.book, program.graph
    node = graph.node(position.node)
    if at_once(node):
        _check_kept(program, position, node)
    elif position.node != ActionGraph.END:
        choose_of(node)
    for other in (*position.loops, *position.returns, *position.returns.values()):
        graph.node(other)
    expected = {
        (name, seat)
        for name, zone in book.rulebook.zones.items()
        for seat in book.seats(zone.owner, position.players)
    }
    if position.heaps.keys() != expected or position.boards.keys() != book.rulebook.boards.keys():
        raise ValueError("other zones or boards")
    for (name, _), heap in position.heaps.items():
        known = (heap.top_known, heap.bottom_known)
        lengths = (len(heap.top), len(heap.bottom)) if book.zone(name).kind == "pile" else (0, 0)
        if tuple(map(len, known)) != lengths:
            raise ValueError("not known by as many")
    low, high = book.rulebook.players
    if not low <= position.players <= high:
        raise ValueError("another number of players")
    if len(set(position.out)) < len(position.out) or not {*position.out} <= {*range(position.players)}:
        raise ValueError("others are out")


def _check_kept(program: Program, position: Position, node: Node) -> None:
    """The same for what is kept where all choose at once."""
    cases = choose_of(program.graph.choice(node.id)).cases
    kept = kept_in(position, node.id)
    if all(case >= 0 for _, case, _ in kept) or len({seat for seat, _, _ in kept}) < len(kept):
        raise ValueError("nobody is waited for")
    for seat, case, values in kept:
        asked = 0 <= seat < position.players and -1 <= case < len(cases)
        if not asked or len(values) != (0 if case < 0 else len(cases[case].binders)):
            raise ValueError("not a choice")


def _check(saved: Mapping[str, Any]) -> str:
    """A check sum over the rest of a save."""
    text = json.dumps(saved, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
