"""The rules as they count in one combination, as text in the rules language.

Input: rules in force, the values of all options. Output: `RuleText`s.
Invariants: what stands under an option that is not chosen is left out, and the `with option` around what is
chosen too; nothing else is changed. The text is that of the formatter, without citations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from conche.booklet.model import RuleText
from conche.semantics.walk import node_fields
from conche.syntax import ast
from conche.syntax.to_text import to_text
from conche.traceability.model import Rule
from conche.traceability.names import OF_PLAYER


def rule_texts(
    rules: Sequence[Rule], titles: Mapping[str, str], options: Mapping[str, str]
) -> tuple[RuleText, ...]:
    """Rules, and what those of modules do to the game; declarations that follow each other are one text.
    `titles`: of modules, by name, empty for the game."""
    found: list[RuleText] = []
    for rule in rules:
        one = _rule_text(rule, titles[rule.part], options)
        last = found[-1] if found else None
        if (
            last is not None
            and not one.note
            and not last.note
            and (last.part, last.file) == (one.part, one.file)
        ):
            found[-1] = replace(last, last_line=one.last_line, text=_joined(last.text, one.text))
        else:
            found.append(one)
    return tuple(found)


def _rule_text(rule: Rule, part: str, options: Mapping[str, str]) -> RuleText:
    settled = _settled(rule.decl, options)
    if rule.name.startswith(OF_PLAYER):
        settled = ast.EachPlayerHas((cast(Any, settled),), rule.decl.span, ())
    text = to_text(cast(ast.Decl, _bare(settled))).rstrip("\n")
    file = rule.file.replace("\\", "/").rpartition("/")[2]
    return RuleText(part, _note(rule.decl), file, rule.line, rule.line, text)


def _goes_on(before: RuleText, after: RuleText) -> bool:
    """Whether two declarations of one file can be one text."""
    return not before.note and not after.note and before.file == after.file


def _joined(before: str, after: str) -> str:
    """Two texts; what players have stands under one head."""
    lines = before.split("\n")
    last = next(line for line in reversed(lines) if not line.startswith(" "))
    head, _, rest = after.partition("\n")
    if last == head == "each player has":
        return f"{before}\n{rest}"
    return f"{before}\n{after}" if "\n" not in after and len(lines) == 1 else f"{before}\n\n{after}"


def _note(decl: object) -> str:
    match decl:
        case ast.ExtendChoose():
            return "adds options"
        case ast.ReplaceBody() | ast.ReplaceQuery() | ast.ReplaceValues() | ast.ReplaceType():
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
    if node is None:
        return None
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


def is_empty(rule: Rule, options: Mapping[str, str]) -> bool:
    """Whether a rule says what is done, and nothing is."""
    return _settled(getattr(rule.decl, "body", None), options) == ()
