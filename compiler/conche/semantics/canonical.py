"""The canonical form of a rulebook, and its digest: equal digests mean the same rules.

Purpose: the identity of a ruleset, for caches, record headers and comparisons.
Input: a `Rulebook`. Output: stable text; a digest for each declaration, and one for all.

What is part of it: everything that a game played by the rules can show. That includes the names of decisions,
of their arguments and cases, of sources of chance, of declarations, and the names that kinds have in records
(`written`). What is not: spans, citations, rulings, scenarios, the game's name, title and version, the names
of seats, the texts of invariants, hints for pictures, options (they are settled), the order of declarations,
and how something is written where that changes nothing (the short form of `choose`, an implicit `you`, what
typing derives). Locals are numbered as they appear in their declaration, so renaming one changes nothing,
unless it is an argument of a decision.

The digest of a declaration is the hash of its own text; a declaration it refers to is there by name. The root
hashes the list of paths and digests, so it changes exactly when one of them does. (A declaration's digest
does not hold those of what it refers to: a comparison wants to know what was changed, and finds what that
reaches in the action graph.)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields

from conche.semantics import rulebook as rb
from conche.semantics.types import Int, Type
from conche.semantics.walk import node_fields

_LEFT_OUT: dict[type, frozenset[str]] = {
    rb.Step: frozenset({"implicit_you"}),
    rb.Action: frozenset({"implicit_you", "cases"}),
    rb.ActionCase: frozenset({"label"}),
    rb.Choose: frozenset({"short", "sure"}),
    rb.Invariant: frozenset({"text"}),
    rb.Kind: frozenset({"turns", "copy"}),
    rb.Trigger: frozenset({"order"}),
    rb.Query: frozenset({"type"}),
}
"""Fields that are derived or change nothing, beside `span`, `cites` and the types of expressions."""

_UNSAID: dict[type, tuple[tuple[str, object], ...]] = {
    rb.Kind: (("carries", None),),
    rb.EachPlayer: (("at_once", ""),),
    rb.Rounds: (("until_pass", False),),
    rb.Choose: (("passes", False),),
    rb.Case: (("move", None),),
    rb.Var: (("of", None), ("anew", None)),
}
"""Fields that are written only where they say something."""


def canonical(rulebook: rb.Rulebook) -> str:
    """One line for each declaration, by path: the path and an s-expression."""
    return "".join(f"{path} {text}\n" for path, text in _declarations(rulebook).items())


def declaration_digests(rulebook: rb.Rulebook) -> dict[str, str]:
    """The digest of each declaration by path: `step.fill`, `action.use.market`, `piece.Jungle`,
    `zone.display` …"""
    return {path: _hash(f"{path} {text}") for path, text in _declarations(rulebook).items()}


def digest(rulebook: rb.Rulebook) -> str:
    """The digest of the rules: 64 hexadecimal digits, of which the first 16 tell rulesets apart well
    enough."""
    lines = (f"{path} {own}\n" for path, own in declaration_digests(rulebook).items())
    return _hash("".join(lines))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _declarations(rulebook: rb.Rulebook) -> dict[str, str]:
    found: dict[str, str] = {
        "players": write(rulebook.players),
        "setup": write(rulebook.setup),
        "play": write(rulebook.play),
        "rank": write(rulebook.rank),
    }
    groups: list[tuple[str, dict[str, object]]] = [
        ("enum", {**rulebook.enums}),
        ("piece", {**rulebook.pieces}),
        ("values", {**rulebook.tables}),
        ("board", {**rulebook.boards}),
        ("zone", {**rulebook.zones}),
        ("track", {**rulebook.tracks}),
        ("var", {**rulebook.variables}),
        ("step", {**rulebook.steps}),
        ("action", {**rulebook.actions}),
        ("query", {**rulebook.queries}),
        ("trigger", {**rulebook.triggers}),
        ("score", {**rulebook.scores}),
        ("conserve", {**rulebook.conserved}),
    ]
    for word, declared in groups:
        for name, node in declared.items():
            found[f"{word}.{name}"] = write(node)
    for action in rulebook.actions.values():
        for case in action.cases:
            found[f"action.{action.name}.{case.label}"] = write(case)
    invariants = sorted(write(invariant) for invariant in rulebook.invariants.values())
    for number, text in enumerate(invariants):
        found[f"always.{number}"] = text
    return dict(sorted(found.items()))


def write(node: object) -> str:
    """A node as an s-expression: classes and fields in their order, slots by number."""
    parts: list[str] = []
    slots: dict[tuple[str, int], int] = {}
    stack: list[object] = [node]
    while stack:
        top = stack.pop()
        match top:
            case _Literal():
                parts.append(top)
            case None | bool():
                parts.append({None: "nil", True: "yes", False: "no"}[top])
            case int():
                parts.append(str(top))
            case str():
                parts.append(json.dumps(top, ensure_ascii=False))
            case tuple():
                parts.append("[")
                stack.append(_Literal("]"))
                stack.extend(reversed(top))
            case rb.Slot():
                parts.append(_slot(top, slots))
            case _:
                parts.append("(" + type(top).__name__)
                stack.append(_Literal(")"))
                stack.extend(value for _, value in reversed(contents(top)))
    return _spaced(parts)


class _Literal(str):
    """Text that is written as it is."""

    __slots__ = ()


def _slot(slot: rb.Slot, slots: dict[tuple[str, int], int]) -> str:
    key = (slot.owner, slot.number)
    if key in slots:
        return f"${slots[key]}"
    slots[key] = len(slots)
    return f"${slots[key]}:{write_type(slot.type)}"


def contents(node: object) -> list[tuple[str, object]]:
    """What a node's s-expression holds, each part with the name of its field. A type stands as its text."""
    left_out = _LEFT_OUT.get(type(node), frozenset())
    names = [name for name in node_fields(node) if name not in left_out and name != "cites"]
    for name, unsaid in _UNSAID.get(type(node), ()):
        if getattr(node, name) == unsaid:
            names.remove(name)
    held: list[tuple[str, object]] = [(name, getattr(node, name)) for name in names]
    match node:
        case rb.Choose():
            held[names.index("always")] = ("always", bool(node.always))
        case rb.Binder(hidden=False):
            held.insert(0, ("argument", node.slot.name))
        case rb.Lit() if not isinstance(node.type, Int):
            held.insert(0, ("type", _Literal(write_type(node.type))))
        case rb.Var():
            held.append(("type", _Literal(write_type(node.type))))
        case rb.PieceType() | rb.Enum():
            types = tuple((name, _Literal(write_type(type_))) for name, type_ in node.attributes)
            held[names.index("attributes")] = ("attributes", types)
        case _:
            pass
    return held


def write_type(type_: Type) -> str:
    """A type as an s-expression."""
    parts = [type(type_).__name__]
    for field in fields(type_):
        value = getattr(type_, field.name)
        parts.append(str(value) if isinstance(value, int | str) else write_type(value))
    return parts[0] if len(parts) == 1 else f"({' '.join(parts)})"


def _spaced(parts: list[str]) -> str:
    result: list[str] = []
    for part in parts:
        if result and part not in (")", "]") and not result[-1].endswith("["):
            result.append(" ")
        result.append(part)
    return "".join(result)
