"""The rules of a ruleset's files: what stands where, under which condition, and what it cites.

Input: the parts of a ruleset and its action graph. Output: `Rule`s, in the order of the text.
Invariants: every declaration and change is a rule, in force or not; of `each player has` every member is one,
which cites what its head cites too, as do rules in a `with` block. Scenarios and rulings are no rules. What
two modules declare alike is in force in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from conche.graph.model import ActionGraph
from conche.semantics.typed_module import Condition
from conche.semantics.walk import node_fields
from conche.source import Span
from conche.syntax import ast
from conche.syntax.to_text import to_text
from conche.traceability.counted import Counted
from conche.traceability.model import Citation, Decl, Part, Rule
from conche.traceability.names import name_of, path_of
from conche.traceability.parts import meanings

_NO_RULES = (ast.ScenarioDecl, ast.RulingDecl, ast.ErrorDecl, ast.WithModules, ast.EachPlayerHas)
_ALWAYS = Condition()


def rules_of(parts: Sequence[Part], graph: ActionGraph) -> tuple[Rule, ...]:
    """All rules of all parts."""
    modules = frozenset(part.name for part in parts if not part.is_game)
    options = {name: option.value for name, option in graph.rulebook.options.items()}
    found: list[Rule] = []
    for part in parts:
        assert part.file.header is not None
        known = meanings(parts, part.name)
        for decl, owner, condition, heads in _declared(part.file.header, part.file.decls):
            cites = tuple(
                Citation(
                    cite.id,
                    cite.span.line,
                    place,
                    players,
                    place.holds(modules, options),
                    known.get(cite.id),
                )
                for cite, place, players in _cites((*heads, decl), condition)
            )
            in_force = condition.holds(modules, options)
            name = name_of(decl, of_player=owner)
            found.append(Rule(part.name, name, decl, path_of(decl), condition, in_force, cites))
    return _settled(found, graph)


def _declared(
    header: ast.Header, decls: Iterable[ast.Decl]
) -> Iterator[tuple[Decl, bool, Condition, tuple[ast.Cite, ...]]]:
    """Each rule, whether it is something that each player has, its condition, what it cites by its head."""
    yield header, False, _ALWAYS, ()
    yield from _inside(decls, _ALWAYS, ())


def _inside(
    decls: Iterable[ast.Decl], condition: Condition, heads: tuple[ast.Cite, ...]
) -> Iterator[tuple[Decl, bool, Condition, tuple[ast.Cite, ...]]]:
    for decl in decls:
        if isinstance(decl, ast.WithModules):
            yield from _inside(decl.decls, condition.and_(condition_of(decl)), (*heads, *decl.cites))
        elif isinstance(decl, ast.EachPlayerHas):
            for member in decl.members:
                yield member, True, condition, (*heads, *decl.cites)
        elif not isinstance(decl, _NO_RULES):
            yield decl, False, condition, heads


def scenarios_in(
    decls: Iterable[ast.Decl], condition: Condition = _ALWAYS
) -> Iterator[tuple[ast.ScenarioDecl, Condition]]:
    """The scenarios of a file, each with its condition."""
    for decl in decls:
        if isinstance(decl, ast.WithModules):
            yield from scenarios_in(decl.decls, condition.and_(condition_of(decl)))
        elif isinstance(decl, ast.ScenarioDecl):
            yield decl, condition


def condition_of(block: ast.WithModules | ast.WithOption) -> Condition:
    """When what stands in a `with` block counts."""
    if isinstance(block, ast.WithOption):
        return Condition((), ((block.option.text, block.value.text),))
    option = () if block.option is None else ((block.option[0].text, block.option[1].text),)
    return Condition(tuple(sorted((name.text, present) for name, present in block.modules)), option)


def _cites(
    top: tuple[object, ...], condition: Condition
) -> Iterator[tuple[ast.Cite, Condition, tuple[int, ...]]]:
    """The citations below a node, each once, with the condition and the numbers of players of its place."""
    seen: set[tuple[str, Span]] = set()
    stack: list[tuple[object, Condition, tuple[int, ...]]] = [(top, condition, ())]
    while stack:
        node, here, players = stack.pop()
        match node:
            case tuple():
                stack.extend((item, here, players) for item in reversed(node))
            case ast.Cite():
                if (node.id, node.span) not in seen:
                    seen.add((node.id, node.span))
                    yield node, here, players
            case Span() | ast.Name():
                pass
            case _ if hasattr(node, "__dataclass_fields__"):
                if isinstance(node, ast.WithOption):
                    here = here.and_(condition_of(node))
                elif isinstance(node, ast.WithPlayers):
                    players = tuple(node.counts)
                # Citations stand last in a node, and come first in its text: at the end of its head.
                names = [name for name in node_fields(node) if name != "cites"]
                stack.extend((getattr(node, name), here, players) for name in reversed(names))
                stack.append((getattr(node, "cites", ()), here, players))


def _settled(rules: list[Rule], graph: ActionGraph) -> tuple[Rule, ...]:
    """The rules, those that are replaced no longer in force, each with what is counted for it."""
    counted = Counted(graph)
    replaced = {_replaces(rule.decl) for rule in rules if rule.in_force and counted.stands(rule.decl)} - {
        None
    }
    settled: list[Rule] = []
    for rule in rules:
        if _replaces(rule.decl) is not None:
            in_force = rule.in_force and counted.stands(rule.decl)
        else:
            in_force = rule.in_force and _declares(rule.decl) not in replaced
        counts = counted.of(rule.decl) if in_force else ()
        settled.append(replace(rule, in_force=in_force, counts=counts))
    return _shared(settled)


def _replaces(decl: Decl) -> str | None:
    """What a change replaces: a body, a value, a list of values, a type, by name."""
    match decl:
        case ast.ReplaceBody():
            return f"body {path_of(decl)}"
        case ast.ReplaceQuery():
            return f"value {decl.name.text}"
        case ast.ReplaceValues():
            return f"values {decl.name.text}"
        case ast.ReplaceType():
            return f"type {decl.name.text}"
        case _:
            return None


def _declares(decl: Decl) -> str | None:
    """The same of a declaration that can be replaced."""
    match decl:
        case ast.StepDecl() | ast.AddStep():
            return f"body {decl.name.text}"
        case ast.ActionDecl():
            return f"body {decl.name.text}.{decl.pattern.name.text}"
        case ast.SetupDecl():
            return "body setup"
        case ast.PlayDecl():
            return "body play"
        case ast.QueryDecl() | ast.ScoreDecl():
            return f"value {decl.name.text}"
        case ast.ValuesDecl():
            return f"values {decl.name.text}"
        case ast.EnumDecl() | ast.PieceDecl():
            return f"type {decl.name.text}"
        case _:
            return None


def _shared(rules: list[Rule]) -> tuple[Rule, ...]:
    """Of what two modules declare alike the rulebook has one: it is counted for both."""
    known: dict[str, tuple[str, ...]] = {}
    settled: list[Rule] = []
    for rule in rules:
        if rule.in_force and isinstance(rule.decl, ast.StepDecl | ast.ActionDecl):
            counts = known.setdefault(to_text(rule.decl), rule.counts)
            settled.append(rule if rule.counts else replace(rule, counts=counts))
        else:
            settled.append(rule)
    return tuple(settled)
