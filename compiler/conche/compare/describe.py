"""A difference in one sentence.

Purpose: what a list of changes says of each.
Input: a `Difference`, and the fields that are meant. Output: a sentence without a full stop.
Invariant: an expression is shown in one line, shortened where it is long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.compare.declarations import Passage
from conche.compare.digests import parts
from conche.compare.tree_diff import Atom, Difference
from conche.graph.titles import case_title, show, title_of
from conche.semantics import rulebook as rb
from conche.semantics.canonical import write
from conche.semantics.show_expressions import show_type
from conche.semantics.types import TextT

_WIDE = 60
_WORDS = {
    "guard": "condition",
    "late_guard": "condition",
    "up_to": "up to",
    "initial": "initial value",
    "kinds": "kinds",
    "params": "parameters",
    "holds": "spaces",
    "written": "name in records",
    "argument": "argument",
}


def describe(difference: Difference, atoms: Sequence[Atom] = ()) -> str:
    name = _name(difference)
    if difference.wrapped is not None:
        outer, inner = difference.old, difference.new
        if difference.is_wrapped_now:
            outer, inner = inner, outer
        word = "now in" if difference.is_wrapped_now else "no longer in"
        return f"{name_of(inner)}: {word} '{name_of(outer)}'"
    if difference.moved:
        return f"{name}: moved"
    if difference.old is None:
        return f"{name}: new"
    if difference.new is None:
        return f"{name}: gone"
    said = _fields(difference, atoms)
    return f"{name}: {'; '.join(said)}" if said else name


def _name(difference: Difference) -> str:
    """A unit in a few words; one that says little by itself, by what it stands in."""
    node = difference.node
    around = difference.around[-1] if difference.around else None
    match node, around:
        case rb.QueryCase(), rb.Query():
            both = difference.old is not None and difference.new is not None
            query = name_of(around)
            return query if both and not difference.moved else f"{query}: case {name_of(node)}"
        case rb.Case(), rb.Choose(short=True):
            return name_of(node).replace("case ", f"choose {around.name}", 1)
        case _:
            return name_of(node)


def _fields(difference: Difference, atoms: Sequence[Atom]) -> list[str]:
    """Each field that differs, once."""
    said: dict[str, None] = {}
    for atom in atoms:
        own = atom.field.partition(".")[2]
        for text in _field(own, atom, difference):
            said[text] = None
    return list(said)


def _field(own: str, atom: Atom, difference: Difference) -> list[str]:
    old, new = (getattr(side, own, None) for side in (difference.old, difference.new))
    if atom.path[-1].endswith((".argument", ".written")):
        return [f"{_WORDS[atom.path[-1].partition('.')[2]]} {_value(atom.old)} → {_value(atom.new)}"]
    match own:
        case "items":
            return [f"{_item(atom.old)} → {_item(atom.new)}"]
        case "type":
            return [f"{show_type(difference.old.type)} → {show_type(difference.new.type)}"]
        case "binders":
            return _binders(difference.old, difference.new) or ["options differ"]
        case "args" if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
            pairs = [(_value(a), _value(b)) for a, b in zip(old, new, strict=True)]
            return [f"{a} → {b}" for a, b in pairs if a != b] or ["arguments differ"]
        case "guard" | "late_guard" if isinstance(difference.new, rb.Case):
            old, new = _condition(difference.old), _condition(difference.new)
        case "attributes" if isinstance(old, tuple) and isinstance(new, tuple):
            return _attributes(dict(old), dict(new))
        case "at_once":
            return [f"{_AT_ONCE[old or '']} → {_AT_ONCE[new or '']}"]
        case "passes":
            return ["may be passed" if new else "may no longer be passed"]
        case "none" | "always":
            return [f"without options: {_without(difference.old)} → {_without(difference.new)}"]
        case _:
            pass
    word = _WORDS.get(own, own.replace("_", " "))
    sides = (_value(old), _value(new))
    if sides[0] == sides[1]:
        # Shortened they look the same: what differs within.
        inner = _inner(old, new)
        sides = (_value(inner[0]), _value(inner[1]))
    if sides[0] == sides[1]:
        sides = (_value(atom.old), _value(atom.new))
    if all(sides) and sides[0] != sides[1]:
        return [f"{word} {sides[0]} → {sides[1]}"]
    return [f"{word} {'differ' if word.endswith('s') else 'differs'}"]


def _inner(old: object, new: object) -> tuple[object, object]:
    """The smallest expressions that differ and are more than a name or a number."""
    while isinstance(old, rb.Expr) and type(old) is type(new):
        pairs = zip(parts(old), parts(new), strict=False)
        inside = [(a, b) for (_, a), (_, b) in pairs if isinstance(a, rb.Expr) and isinstance(b, rb.Expr)]
        differ = [(a, b) for a, b in inside if write(a) != write(b)]
        if len(differ) != 1 or any(isinstance(side, rb.Lit | rb.Local) for side in differ[0]):
            break
        old, new = differ[0]
    return old, new


_AT_ONCE = {"": "one after the other", "together": "together", "secretly": "secretly at once"}


def _attributes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What is said of pieces or members, attribute by attribute."""
    said = []
    for name in dict.fromkeys((*old, *new)):
        if name not in old or name not in new:
            said.append(f"{name} {'is new' if name in new else 'is gone'}")
            continue
        sides = [
            _value(side) if isinstance(side, int | str | tuple) else show_type(side)
            for side in (old[name], new[name])
        ]
        if sides[0] != sides[1]:
            said.append(f"{name} {sides[0]} → {sides[1]}")
    return said or ["attributes in another order"]


def _binders(old: rb.Case, new: rb.Case) -> list[str]:
    """What is chosen of other things than before, argument by argument."""
    ours, theirs = ({binder.slot.name: binder for binder in case.binders} for case in (old, new))
    said = []
    for name in dict.fromkeys((*ours, *theirs)):
        sides = [_options(side[name]) if name in side else "" for side in (ours, theirs)]
        if not all(sides):
            said.append(f"argument {name} {'is new' if not sides[0] else 'is gone'}")
        elif sides[0] != sides[1]:
            said.append(f"{name} {sides[0]} → {sides[1]}")
    if not said and list(ours) != list(theirs):
        said.append("arguments in another order")
    return said


def _options(binder: rb.Binder) -> str:
    """What an argument is chosen of, or its one value."""
    if binder.value is not None and isinstance(binder.value, rb.Lit) and isinstance(binder.value.type, TextT):
        return f'"{binder.value.value}"'
    return _value(binder.value if binder.source is None else binder.source)


def _condition(case: rb.Case) -> rb.Expr | None:
    """What stands behind the `if` of a case; typing has cut it in two."""
    if case.guard is None or case.late_guard is None:
        return case.guard or case.late_guard
    return rb.Binary("and", case.guard, case.late_guard, case.guard.type, case.guard.span)


def _without(choose: rb.Choose) -> str:
    """What becomes of a player who has no option."""
    if choose.passes:
        return "the player passes"
    if choose.none is not None:
        return f"{'; '.join(name_of(stmt) for stmt in choose.none) or 'nothing'}"
    return "cannot be"


def _value(value: object) -> str:
    """A value in words; empty where it has no short form."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case int() | str():
            return _short(str(value))
        case tuple() if all(isinstance(item, int | str) for item in value):
            return _short(f"[{', '.join(map(str, value))}]")
        case tuple() if all(isinstance(item, rb.Expr) for item in value):
            return _short(f"({', '.join(show(item) for item in value)})")
        case tuple() if all(isinstance(item, rb.Slot) for item in value):
            return _short(f"({', '.join(item.name for item in value)})")
        case rb.Slot():
            return value.name
        case _ if isinstance(value, rb.Expr):
            return _short(show(value))
        case _:
            return ""


def _item(value: object) -> str:
    """A number of pieces and their kind."""
    match value:
        case (int() as count, rb.Lit() as kind):
            return f"{count} {show(kind)}"
        case (count, kind) if isinstance(count, rb.Expr) and isinstance(kind, rb.Expr):
            return _short(f"{show(count)} {show(kind)}")
        case _:
            return _value(value)


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
