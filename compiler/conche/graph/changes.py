"""What modules do to the graph of their game: what they add, what they change, and what that reaches.

Input: the graph of the game alone, that of the game with modules, and the changes of the modules that count.
Output: `Changes`. Invariants: everything that stands in a module's file is added, but for what stands at a
place of the game; what stands in the game's file and asks, runs or reads something that a module changes is
reached, through queries too; what reads only what a reached statement writes is not. In the order of ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from conche.graph.model import ActionGraph, EdgeKind, Node, NodeKind
from conche.semantics import typed_module as tm
from conche.semantics.rulebook import Choose, Trigger
from conche.source import Span


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """`node`: its id, or None for a type, which has none. `how`: in words."""

    node: str | None
    title: str
    how: str
    module: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reached:
    """`why`: in words, `reads query market_price`."""

    node: str
    why: str


@dataclass(frozen=True, slots=True)
class Changes:
    """`base`: the ruleset of the game alone. `added`: ids, all nodes of modules."""

    base: str
    added: tuple[str, ...]
    changed: tuple[ChangedPlace, ...]
    reached: tuple[Reached, ...]

    @property
    def marks(self) -> dict[str, str]:
        """`added`, `changed` or `reached`, by id."""
        return {
            **{one.node: "reached" for one in self.reached},
            **dict.fromkeys(self.added, "added"),
            **{one.node: "changed" for one in self.changed if one.node is not None},
        }


_NO_RULES = (NodeKind.CLAUSE, NodeKind.MODULE)


def changes_between(base: ActionGraph, graph: ActionGraph, changes: Iterable[tm.Change]) -> Changes:
    own_files = {node.span.file for node in base.nodes() if node.kind not in _NO_RULES}
    added = {
        node.id
        for node in graph.nodes()
        if node.kind not in _NO_RULES and node.role != "fire" and node.span.file not in own_files
    }
    changed: list[ChangedPlace] = []
    touched: set[str] = set()
    for change in changes:
        place = _changed(graph, change)
        changed.append(place)
        # More variables of spaces, or places for more pieces, are nothing to whoever reads the board.
        if place.node is not None and not isinstance(change.edit, tm.ExtendBoard):
            touched.add(place.node)
    changed.sort(key=lambda one: (one.title, one.span))
    reached = tuple(_reached(graph, added, touched))
    return Changes(base.rulebook.ruleset, tuple(sorted(added - touched)), tuple(changed), reached)


# ------------------------------------------------------------------------------------------------ changed


def _changed(graph: ActionGraph, change: tm.Change) -> ChangedPlace:
    edit = change.edit
    node: str | None = edit.place
    if isinstance(edit, tm.ExtendChoose):
        node = _choice(graph, edit)
    elif edit.place in ("setup", "play"):
        node = f"phase.{edit.place}"
    if node not in graph.nx:
        node = None
    title = edit.place.replace(".", " ", 1) if node is None else graph.node(node).title
    return ChangedPlace(node, title, _how(edit), change.module, change.span)


def _choice(graph: ActionGraph, edit: tm.ExtendChoose) -> str | None:
    places = (edit.place, f"{edit.place}.original")
    for node in graph.nodes():
        if isinstance(node.owns, Choose) and node.owns.name == edit.name and node.routine in places:
            return node.id
    return None


def _how(edit: tm.Edit) -> str:
    match edit:
        case tm.ExtendType(made=made):
            return f"more kinds: {', '.join(dict.fromkeys(kind.family for kind in made))}"
        case tm.ReplaceType():
            return "other kinds"
        case tm.ReplaceTable():
            return "other numbers"
        case tm.ExtendBoard():
            return "more of its spaces"
        case tm.ExtendChoose(cases=cases):
            return "one more case" if len(cases) == 1 else f"{len(cases)} more cases"
        case tm.AddStep(before=before, name=name):
            return f"step {name} {'before' if before else 'after'} it"
        case tm.ReplaceBody():
            return "another body"
        case tm.ReplaceAnswer():
            return "another value"
        case tm.Wrap():
            return "something around it"
        case tm.Modify(op=op):
            return f"its value changed with '{op}'"
        case _:
            assert_never(edit)


# ------------------------------------------------------------------------------------------------ reached


def _reached(graph: ActionGraph, added: set[str], touched: set[str]) -> Iterator[Reached]:
    """What of the game asks, runs or reads what is added or touched."""
    reasons: dict[str, str] = {}
    for source in sorted(added):
        for _, target, data in sorted(graph.nx.out_edges(source, data=True), key=lambda edge: edge[1]):
            if data["kind"] is EdgeKind.WRITES and target not in added:
                reasons.setdefault(target, f"is changed by {graph.node(graph.node(source).routine).title}")
    waiting = sorted(touched | reasons.keys())
    while waiting:
        target = waiting.pop(0)
        for reader, why in _users(graph, target):
            if reader in added or reader in touched or reader in reasons:
                continue
            reasons[reader] = why
            if graph.node(reader).kind in (NodeKind.QUERY, NodeKind.SCORE):
                waiting.append(reader)
    for node in graph.nodes():
        if isinstance(node.owns, Trigger) and node.role == "fire" and f"trigger.{node.owns.name}" in added:
            statement = node.id.rpartition("/")[0]
            if statement not in added:
                reasons.setdefault(statement, f"sets off trigger {node.owns.name}")
    yield from (Reached(node, why) for node, why in sorted(reasons.items()))


def _users(graph: ActionGraph, target: str) -> Iterator[tuple[str, str]]:
    """Who reads a query or datum, and who runs a routine."""
    title = graph.node(target).title
    for source, _, data in sorted(graph.nx.in_edges(target, data=True), key=lambda edge: edge[0]):
        match data["kind"]:
            case EdgeKind.READS:
                yield source, f"reads {title}"
            case EdgeKind.DOES:
                yield source, f"does {title}"
            case _:
                pass


def beginnings(graph: ActionGraph, changes: Changes) -> list[Node]:
    """Of what is added: steps, cases of actions, triggers, queries, scores, and where things lie."""
    nodes = [graph.node(node_id) for node_id in changes.added]
    return [node for node in nodes if node.parent is None and node.role != "end"]
