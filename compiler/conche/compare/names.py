"""Names in typed trees: which field of a node names what, and trees with other names.

Purpose: a rename is one change, wherever the name is used.
Input: nodes of the rulebook. Output: the names they use; the same nodes with names replaced.
Invariants: a text that is no name of anything (`Zone.kind`, `Binary.op`) is in no namespace and is never
replaced; the text of a class or field that this table does not know is none either, so that what it names
is compared as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, KindT
from conche.source import Span

N = TypeVar("N")


class Name(NamedTuple):
    """`space`: what sort of thing it names (`step`, `query`, `var`, `zone`, `kind`, `decision` …). An
    argument is called `decision.argument`."""

    space: str
    text: str


Renames = Mapping[Name, str]

_NAMES: dict[str, dict[str, str]] = {
    "Action": {"name": "action", "of": "type"},
    "ActionCase": {"label": "family", "kinds": "kind"},
    "Board": {"name": "board"},
    "Call": {"query": "query"},
    "Case": {"move": "decision"},
    "Chance": {"name": "chance"},
    "Choose": {"name": "decision"},
    "Conserve": {"piece": "type"},
    "Do": {"step": "step"},
    "DoAction": {"action": "action"},
    "EdgeFace": {"name": "attribute"},
    "EdgeT": {"board": "board"},
    "Enum": {"name": "type"},
    "EnumT": {"name": "type"},
    "GainVar": {"var": "var"},
    "GlobalVar": {"name": "var"},
    "Holds": {"piece": "type"},
    "IsKind": {"kinds": "kind"},
    "IsPiece": {"piece": "type"},
    "Kind": {"name": "kind", "family": "family", "carries": "zone"},
    "KindT": {"piece": "type"},
    "KindVar": {"name": "var"},
    "Member": {"name": "kind", "family": "family"},
    "Members": {"of": "type"},
    "OnEnter": {"kinds": "kind", "zones": "zone", "boards": "board"},
    "OnGain": {"var": "var", "zone": "zone", "kind": "kind"},
    "PayVar": {"var": "var"},
    "PieceAttr": {"name": "attribute"},
    "PieceType": {"name": "type"},
    "PlayerVar": {"name": "var"},
    "Query": {"name": "query"},
    "Score": {"name": "score"},
    "ScoreOf": {"score": "score"},
    "SpaceT": {"board": "board"},
    "SpaceVar": {"name": "space"},
    "Spaces": {"board": "board"},
    "Step": {"name": "step"},
    "Stop": {"target": "step"},
    "Table": {"name": "values"},
    "TableEntry": {"table": "values"},
    "Track": {"name": "var"},
    "TrackValue": {"track": "var"},
    "Trigger": {"name": "trigger", "follows": "trigger"},
    "Zone": {"name": "zone", "of": "type"},
    "ZoneRef": {"name": "zone"},
}

SPACE_OF_SORT = {"enum": "type", "piece": "type", "track": "var"}
"""The namespace of a declaration's name, where it is not called as the sort of declaration is."""


def space_of(sort: str) -> str:
    return SPACE_OF_SORT.get(sort, sort)


def namespace(node: object, field: str) -> str | None:
    """What the texts of a field name."""
    if isinstance(node, rb.Var):
        spaces = {"name": "space" if node.owner == "space" else "var", "of": "type", "anew": "step"}
        return spaces.get(field)
    if isinstance(node, rb.Lit) and field == "value":
        return "kind" if isinstance(node.type, KindT | EnumT) else None
    return _NAMES.get(type(node).__name__, {}).get(field)


def names_in(node: object) -> Iterator[Name]:
    """Every name that is used below a node, its own among them; often several times."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack += top
        elif is_dataclass(top) and not isinstance(top, Span):
            for field in _fields(top):
                value = getattr(top, field)
                space = namespace(top, field)
                if space is None:
                    stack.append(value)
                else:
                    yield from (Name(space, text) for text in _texts(value))
            yield from _others(top)


def _texts(value: object) -> Iterator[str]:
    for text in value if isinstance(value, tuple) else (value,):
        if isinstance(text, str):
            yield text


def _others(node: object) -> Iterator[Name]:
    """Names that do not fill a field."""
    match node:
        case rb.Choose():
            for case in node.cases:
                for binder in case.binders:
                    if not binder.hidden:
                        yield Name("argument", f"{node.name}.{binder.slot.name}")
        case rb.PieceType() | rb.Enum():
            yield from (Name("attribute", name) for name, _ in node.attributes)
        case _:
            pass


def renamed(node: N, renames: Renames) -> N:
    """The node with other names in it; the same one where it has none of these."""
    if not renames:
        return node
    result: N = _renamed(node, renames)
    return result


def _renamed(node: Any, renames: Renames) -> Any:
    if isinstance(node, tuple):
        items = tuple(_renamed(item, renames) for item in node)
        return items if any(new is not old for new, old in zip(items, node, strict=True)) else node
    if isinstance(node, dict):
        return {key: _renamed(value, renames) for key, value in node.items()}
    if not is_dataclass(node) or isinstance(node, Span):
        return node
    changed: dict[str, object] = {}
    for field in _fields(node):
        value = getattr(node, field)
        if value is None or isinstance(value, bool | int):
            continue
        space = namespace(node, field)
        new = _renamed(value, renames) if space is None else _texts_renamed(space, value, renames)
        if new is not value:
            changed[field] = new
    changed |= _others_renamed(node, changed, renames)
    return replace(node, **changed) if changed else node  # type: ignore[type-var]


def _texts_renamed(space: str, value: object, renames: Renames) -> object:
    if isinstance(value, tuple):
        new = tuple(_texts_renamed(space, text, renames) for text in value)
        return new if new != value else value
    if not isinstance(value, str):
        return value
    found = renames.get(Name(space, value))
    if found is None and space == "kind":
        # Pieces that carry pieces are spoken of by their family.
        found = renames.get(Name("family", value))
    return value if found is None else found


def _others_renamed(node: object, changed: Mapping[str, object], renames: Renames) -> dict[str, object]:
    match node:
        case rb.Choose():
            cases: Any = changed.get("cases", node.cases)
            new = tuple(_arguments_renamed(node.name, case, renames) for case in cases)
            return {"cases": new} if new != cases else {}
        case rb.PieceType() | rb.Enum():
            listed: Any = changed.get("attributes", node.attributes)
            pairs = tuple((renames.get(Name("attribute", name), name), type_) for name, type_ in listed)
            return {"attributes": pairs} if pairs != listed else {}
        case rb.Kind() | rb.Member():
            values: Any = changed.get("attributes", node.attributes)
            pairs = tuple((renames.get(Name("attribute", name), name), value) for name, value in values)
            return {"attributes": pairs} if pairs != values else {}
        case rb.ActionCase():
            bound: Any = changed.get("bound", node.bound)
            pairs = tuple((slot, renames.get(Name("attribute", name), name)) for slot, name in bound)
            return {"bound": pairs} if pairs != bound else {}
        case _:
            return {}


def _arguments_renamed(decision: str, case: rb.Case, renames: Renames) -> rb.Case:
    binders = []
    for binder in case.binders:
        name = renames.get(Name("argument", f"{decision}.{binder.slot.name}"))
        new = None if name is None else replace(binder.slot, name=name.rpartition(".")[2])
        binders.append(binder if new is None else replace(binder, slot=new))
    return replace(case, binders=tuple(binders)) if tuple(binders) != case.binders else case


def _fields(node: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(node) if field.name not in ("span", "cites"))
