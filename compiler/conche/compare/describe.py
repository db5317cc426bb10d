"""A difference in one sentence.

Purpose: what a list of changes says of each.
Input: a `Difference`, and the fields that are meant. Output: a sentence without a full stop.
Invariant: an expression is shown in one line, shortened where it is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conche.compare.declarations import Passage
from conche.compare.tree_diff import Atom, Difference
from conche.graph.titles import case_title, show, title_of
from conche.semantics import rulebook as rb
from conche.semantics.show_expressions import show_type

_WIDE = 60
_WORDS = {
    "late_guard": "condition",
    "up_to": "up to",
    "initial": "initial value",
    "none": "what happens without options",
    "always": "what happens without options",
    "binders": "options",
    "kinds": "kinds",
    "params": "parameters",
    "holds": "spaces",
    "written": "name in records",
    "argument": "argument",
}


def describe(difference: Difference, atoms: Sequence[Atom] = ()) -> str:
    name = _name(difference)
    if difference.wrapped is not None:
        return f"{name}: {name_of(difference.old)} becomes {name_of(difference.new)}"
    if difference.moved:
        return f"{name}: moved"
    if difference.old is None:
        return f"{name}: new"
    if difference.new is None:
        return f"{name}: gone"
    said = _fields(difference, atoms)
    return f"{name}: {'; '.join(said)}" if said else name


def _name(difference: Difference) -> str:
    """A unit in a few words; a case of a query, of which both sides have one, by the query."""
    changed = difference.old is not None and difference.new is not None
    query = difference.around[0] if difference.around else None
    if changed and isinstance(difference.node, rb.QueryCase) and isinstance(query, rb.Query):
        return name_of(query)
    return name_of(difference.node)


def _fields(difference: Difference, atoms: Sequence[Atom]) -> list[str]:
    """Each field that differs, once."""
    said: dict[str, None] = {}
    for atom in atoms:
        own = atom.field.partition(".")[2]
        old, new = (getattr(side, own, None) for side in (difference.old, difference.new))
        word = _WORDS.get(own, own.replace("_", " "))
        if own == "items":
            said[f"{_value(atom.old)} → {_value(atom.new)}"] = None
        elif own == "type":
            said[f"{show_type(difference.old.type)} → {show_type(difference.new.type)}"] = None
        elif atom.path[-1].endswith((".argument", ".written")):
            said[f"{_WORDS[atom.path[-1].partition('.')[2]]} {_value(atom.old)} → {_value(atom.new)}"] = None
        elif own == "binders":
            said[f"options {_value(atom.old)} → {_value(atom.new)}"] = None
        else:
            sides = (_value(old), _value(new))
            if sides[0] == sides[1]:
                # Shortened they look the same: what differs within.
                sides = (_value(atom.old), _value(atom.new))
            differs = f"{word} {'differ' if word.endswith('s') else 'differs'}"
            said[f"{word} {sides[0]} → {sides[1]}" if all(sides) and sides[0] != sides[1] else differs] = None
    return list(said)


def _value(value: object) -> str:
    """A value in words; empty where it has no short form."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case int() | str():
            return _short(str(value))
        case (int() as count, rb.Lit() as kind):
            return f"{count} {show(kind)}"
        case (count, kind) if isinstance(count, rb.Expr) and isinstance(kind, rb.Expr):
            return _short(f"{show(count)} {show(kind)}")
        case tuple() if all(isinstance(item, int | str) for item in value):
            return _short(f"[{', '.join(map(str, value))}]")
        case tuple() if all(isinstance(item, rb.Slot) for item in value):
            return _short(f"({', '.join(item.name for item in value)})")
        case rb.Binder():
            return value.slot.name
        case rb.Slot():
            return value.name
        case _ if isinstance(value, rb.Expr):
            return _short(show(value))
        case _:
            return ""


def _short(text: str) -> str:
    return text if len(text) <= _WIDE else text[: _WIDE - 1] + "…"


def name_of(node: Any) -> str:
    """A unit in a few words."""
    match node:
        case rb.Case():
            return case_title(node, ())
        case rb.Let() | rb.Choose():
            return title_of(node, ())
        case Passage():
            return node.name
        case rb.Step() | rb.Query() | rb.Trigger() | rb.Score() | rb.Action() | rb.Board():
            return f"{type(node).__name__.lower()} {node.name}"
        case rb.ActionCase():
            return f"action for {node.label}"
        case rb.Zone():
            return f"{node.kind} {node.name}"
        case rb.Var() | rb.Track() | rb.Kind() | rb.Member() | rb.Table() | rb.Enum() | rb.PieceType():
            return str(node.name)
        case rb.Holds():
            return f"up to {node.capacity} {node.piece}"
        case rb.QueryCase():
            return _short(
                f"{show(node.value)} if {show(node.condition)}" if node.condition else show(node.value)
            )
        case rb.Rank():
            return "rank"
        case rb.Invariant():
            return node.text or "always"
        case rb.Conserve():
            return f"conserve {node.piece}"
        case _ if isinstance(node, rb.Stmt):
            return title_of(node, ())
        case _:
            return type(node).__name__
