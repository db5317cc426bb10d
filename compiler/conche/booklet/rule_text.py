"""The rules as they count in one combination, as text in the rules language.

Input: rules in force, the values of all options. Output: `RuleText`s.
Invariants: what stands under an option that is not chosen is left out, and the `with option` around what is
chosen too; nothing else is changed. The text is that of the formatter, without citations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from conche.booklet.model import RuleText
from conche.semantics.walk import node_fields
from conche.syntax import ast
from conche.syntax.to_text import to_text
from conche.traceability.model import Rule


def rule_text(rule: Rule, part: str, options: Mapping[str, str]) -> RuleText:
    """A rule and what it does to the game. `part`: the title of its module, empty for the game."""
    decl = cast(ast.Decl, _bare(_settled(rule.decl, options)))
    text = to_text(decl).rstrip("\n")
    file = rule.file.replace("\\", "/").rpartition("/")[2]
    return RuleText(part, _note(rule.decl), f"{file}, line {rule.line}", text)


def _note(decl: object) -> str:
    match decl:
        case ast.ExtendChoose():
            return "adds options"
        case ast.ReplaceBody() | ast.ReplaceQuery():
            return "says this instead"
        case ast.Wrap():
            return "puts this around it"
        case ast.Modify():
            return "changes the value"
        case ast.ExtendType():
            return "adds kinds"
        case ast.ExtendBoard():
            return "adds to the board"
        case ast.AddStep():
            return "adds this step"
        case _:
            return ""


def _settled(node: object, options: Mapping[str, str]) -> object:
    """The tree without what depends on options."""
    if isinstance(node, tuple):
        items: list[object] = []
        for item in node:
            if isinstance(item, ast.WithOption):
                if options.get(item.option.text) == item.value.text:
                    body = _settled(item.body, options)
                    assert isinstance(body, tuple)
                    items += body
            else:
                items.append(_settled(item, options))
        return tuple(items)
    return _with_parts(node, lambda part: _settled(part, options))


def _bare(node: object) -> object:
    """The tree without citations."""
    if isinstance(node, tuple):
        return tuple(_bare(item) for item in node)
    bare = _with_parts(node, _bare)
    return replace(cast(Any, bare), cites=()) if getattr(bare, "cites", ()) else bare


def _with_parts(node: object, work: Callable[[object], object]) -> object:
    """The node with its parts changed; what is no node stays as it is."""
    changed: dict[str, object] = {}
    for name in node_fields(node):
        part = getattr(node, name)
        if isinstance(part, tuple) or hasattr(type(part), "__dataclass_fields__"):
            changed[name] = work(part)
    return replace(cast(Any, node), **changed) if changed else node
