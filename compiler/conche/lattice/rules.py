"""The rules of a ruleset that play can reach, each with the module it stands in.

Purpose: what a witness has to show. Input: an action graph and the typed modules. Output: `Rule`s.
Invariants: a rule is a place in a rules file. What runs is known by its node; what is only worked out (the
value of a query, a modification, a score) by the span of the expression. A case of an action that is nothing
but `stop` is no rule: it says that nothing is to be done, often for what is never used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conche.graph.model import ActionGraph, Node, NodeKind
from conche.semantics import rulebook as rb
from conche.semantics.typed_module import Modify, TypedModule
from conche.semantics.walk import walk
from conche.source import Span

GAME = ""
"""Stands for a module's name where the game itself is meant."""

_STARTS = {NodeKind.STEP: "step", NodeKind.ACTION: "action", NodeKind.TRIGGER: "trigger"}
_WITHIN = frozenset({NodeKind.CHANCE, NodeKind.EFFECT, NodeKind.BRANCH, NodeKind.LOOP, NodeKind.CHOICE})


@dataclass(frozen=True, slots=True)
class Rule:
    """kind: step, action, trigger, case, statement (by `node`); value, modify (by `span`, the expression that
    is worked out); score (`span` as well: somebody gets something for it)."""

    kind: str
    title: str
    module: str
    span: Span
    node: str | None = None


def rules_of(graph: ActionGraph, modules: Sequence[TypedModule]) -> list[Rule]:
    """All of them: the game's first, then those of the modules by name, by place."""
    files = {module.span.file: module.name for module in modules}
    found = [*_run(graph, files), *_worked_out(graph.rulebook, files), *_modifies(graph.rulebook, modules)]
    return sorted(
        dict.fromkeys(found), key=lambda rule: (rule.module, rule.span.start, rule.kind, rule.title)
    )


def _run(graph: ActionGraph, files: dict[str, str]) -> Iterator[Rule]:
    for node in graph.nodes():
        kind = _kind(node)
        if kind is not None and not _does_nothing(graph.node(node.routine)):
            yield Rule(kind, node.title, files.get(node.span.file, GAME), node.span, node.id)


def _kind(node: Node) -> str | None:
    match node.role:
        case "start":
            return _STARTS.get(node.kind)
        case "case":
            return "case"
        case "" | "enter" if node.kind in _WITHIN:
            return "statement"
        case _:
            return None


def _does_nothing(routine: Node) -> bool:
    match routine.owns:
        case rb.ActionCase(body=(rb.Stop(target=None),)):
            return True
        case _:
            return False


def _worked_out(rules: rb.Rulebook, files: dict[str, str]) -> Iterator[Rule]:
    for query in rules.queries.values():
        for number, case in enumerate(query.cases, start=1):
            title = f"query {query.name}" + (f", line {number}" if len(query.cases) > 1 else "")
            # A value may have been put around the one that is written here.
            yield Rule("value", title, files.get(case.span.file, GAME), case.value.span)
    for score in rules.scores.values():
        yield Rule("score", f"score {score.name}", files.get(score.span.file, GAME), score.span)


def _modifies(rules: rb.Rulebook, modules: Sequence[TypedModule]) -> Iterator[Rule]:
    """Those that count in this ruleset, whose text is somewhere in it."""
    spans = {span_of(node) for node in walk((*rules.queries.values(), *rules.scores.values()))}
    for module in modules:
        for change in module.changes:
            if isinstance(change.edit, Modify) and change.edit.value.span in spans:
                title = f"modify {change.edit.place.partition('.')[2]}: {change.edit.op}"
                yield Rule("modify", title, module.name, change.edit.value.span)


def span_of(node: object) -> Span | None:
    return getattr(node, "span", None)
