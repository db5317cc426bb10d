"""What stands between play and a rule: the conditions under which it is come to.

Purpose: gives a search something to aim at. Input: an action graph and its rules. Output: for every rule a
`Goal`, and `Ways` in which pieces come into zones and variables get their values.
Invariants: nothing is played here. A condition is a `Need`, whose locals are free: whoever is to have the
turn, whatever argument is chosen. Needs are those of one routine; what leads into the routine are the needs
of the places that call it, one of which is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from conche.graph.expressions import children, own_exprs, query_exprs
from conche.graph.expressions import walk as every
from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.lattice.rules import Rule, span_of
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag, PlayerT
from conche.semantics.walk import walk


class Kind(StrEnum):
    """What is asked of an expression."""

    YES = "holds"
    NO = "does not hold"
    SOME = "is not empty"
    NONE = "is empty"
    WORTH = "is not 0"


@dataclass(frozen=True, slots=True)
class Need:
    """`within`: the slots that an expression around it gives values, each with where they come from: a fold
    or a case's binder."""

    kind: Kind
    expr: rb.Expr
    within: tuple[tuple[rb.Slot, rb.Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """A rule by its number. `ways`: all needs of one of them must be met. `query`: the needs are about the
    arguments of this query, whenever it is worked out. `at_end`: they must be met when the game is over.
    `behind`: rules by number, one of which must have been reached before there is any hope; none: no such.
    `decision`: the one among whose options they decide, if there is just one."""

    rule: int
    ways: tuple[tuple[Need, ...], ...]
    query: str | None = None
    at_end: bool = False
    behind: tuple[int, ...] = ()
    in_play: bool = True
    """Whether it can be come to once play has begun."""
    decision: str | None = None


def goals_of(graph: ActionGraph, rules: Sequence[Rule]) -> list[Goal]:
    """One for each rule, in their order."""
    numbers = {rule.node: number for number, rule in enumerate(rules) if rule.node is not None}
    inner = _worked_out(graph.rulebook)
    play, asked = reach_of(graph)
    found: list[Goal] = []
    for number, rule in enumerate(rules):
        goal = _goal(graph, rule, number, numbers, inner)
        if rule.node is not None:
            goal = replace(goal, in_play=graph.node(rule.node).routine in play)
        elif goal.query is not None and goal.query not in asked:
            goal = replace(goal, at_end=True)
        found.append(goal)
    return found


def reach_of(graph: ActionGraph) -> tuple[set[str], set[str]]:
    """The routines that can run once play has begun, and the queries that are asked in them."""
    play, todo = {ActionGraph.PLAY}, [ActionGraph.PLAY]
    within: dict[str, list[Node]] = {}
    for node in graph.nodes():
        within.setdefault(node.routine, []).append(node)
    while todo:
        for node in within.get(todo.pop(), ()):
            for (kind, _), target in sorted(graph.control(node.id).items()):
                if kind in (EdgeKind.DOES, EdgeKind.TRIGGERS) and target not in play:
                    play.add(target)
                    todo.append(target)
    asked: set[str] = set()
    exprs: list[rb.Expr] = [
        expr
        for routine in sorted(play)
        for node in within.get(routine, ())
        if isinstance(node.owns, rb.Stmt | rb.Case)
        for expr in own_exprs(node.owns)
    ]
    exprs += [
        t.event.condition for t in graph.rulebook.triggers.values() if isinstance(t.event, rb.OnCondition)
    ]
    exprs += [trigger.guard for trigger in graph.rulebook.triggers.values() if trigger.guard is not None]
    while exprs:
        calls = {expr.query for expr in every(*exprs) if isinstance(expr, rb.Call)} - asked
        asked |= calls
        exprs = [expr for name in sorted(calls) for expr in query_exprs(graph.rulebook.queries[name])]
    return play, asked


def _goal(
    graph: ActionGraph,
    rule: Rule,
    number: int,
    numbers: dict[str, int],
    inner: dict[object, list[tuple[str, tuple[Need, ...]]]],
) -> Goal:
    if rule.node is not None:
        node = graph.node(rule.node)
        if node.role == "start":
            callers = list(_callers(graph, node.id))
            behind = tuple(sorted({n for one in callers for n in _standing(graph, one, numbers)}))
            if any(not _standing(graph, one, numbers) for one in callers):
                behind = ()
            ways = tuple(dict.fromkeys((*needs_of(graph, one), *called_by(one, node)) for one in callers))
            return Goal(number, ways, behind=behind, decision=_decision(graph, callers))
        decision = _decision(graph, [node])
        return Goal(number, (needs_of(graph, node),), behind=_above(node, numbers), decision=decision)
    if rule.kind == "score":
        name = rule.title.removeprefix("score ")
        return Goal(number, ((Need(Kind.WORTH, graph.rulebook.scores[name].value),),), at_end=True)
    found = inner.get(rule.span, [])
    if not found:
        return Goal(number, ())
    query = found[0][0]
    ways = tuple(needs for name, needs in found if name == query)
    return Goal(number, ways, query=query, at_end=query in graph.rulebook.scores)


def _decision(graph: ActionGraph, nodes: Sequence[Node]) -> str | None:
    """The name of the decision that all of them stand in."""
    names: set[str | None] = set()
    for node in nodes:
        name: str | None = None
        while name is None and node.parent is not None and node.parent != node.id:
            node = graph.node(node.parent)
            if isinstance(node.owns, rb.Choose):
                name = node.owns.name
        names.add(name)
    return names.pop() if len(names) == 1 else None


def _above(node: Node, numbers: dict[str, int]) -> tuple[int, ...]:
    """The rule that a node stands in."""
    parent = node.parent or node.routine
    return (numbers[parent],) if parent in numbers else ()


def _standing(graph: ActionGraph, caller: Node, numbers: dict[str, int]) -> tuple[int, ...]:
    if caller.id in numbers:
        return (numbers[caller.id],)
    return _above(caller, numbers)


def _callers(graph: ActionGraph, start: str) -> Iterator[Node]:
    for kind in (EdgeKind.DOES, EdgeKind.TRIGGERS):
        for source, _ in graph.into(start, kind):
            yield graph.node(source)


def called_by(caller: Node, start: Node) -> tuple[Need, ...]:
    """What the call itself asks for."""
    match caller.owns, start.owns:
        case rb.DoAction(subject=subject), rb.ActionCase(kinds=kinds):
            return (Need(Kind.YES, rb.IsKind(subject, kinds, Flag(), subject.span)),)
        case rb.Trigger(event=event, guard=guard), _:
            found = [guard] if guard is not None else []
            if isinstance(event, rb.OnCondition):
                found.insert(0, event.condition)
            return tuple(Need(Kind.YES, expr) for expr in found)
        case _:
            return ()


# ------------------------------------------------------------------------------------ of what runs


def needs_of(graph: ActionGraph, node: Node) -> tuple[Need, ...]:
    """The conditions around a node in its routine, the outermost first."""
    found: list[Need] = []
    binders: list[tuple[rb.Slot, rb.Expr]] = []
    while True:
        if isinstance(node.owns, rb.Case):
            mine = _of_case(node.owns)
            found[:0] = mine
        if node.parent is None or node.parent == node.id:
            break
        outer = graph.node(node.parent)
        label = next((part.label for part in outer.parts if node.id in part.nodes), None)
        found[:0] = _of_part(outer.owns, label)
        match outer.owns:
            case rb.ForEach(slot=slot, source=source):
                binders.append((slot, source))
        node = outer
    if not binders:
        return tuple(found)
    return tuple(Need(one.kind, one.expr, (*reversed(binders), *one.within)) for one in found)


def _of_part(owner: object, label: str | None) -> list[Need]:
    match owner:
        case rb.If(condition=condition) if label is not None:
            return [Need(Kind.YES if label == "yes" else Kind.NO, condition)]
        case rb.ForEach(source=source):
            return [Need(Kind.SOME, source)]
        case rb.EachPlayer(guard=rb_guard) | rb.Rounds(guard=rb_guard) if rb_guard is not None:
            return [Need(Kind.YES, rb_guard)]
        case rb.While(condition=condition) if condition is not None:
            return [Need(Kind.YES, condition)]
        case rb.Times(times=times):
            return [Need(Kind.WORTH, times)]
        case rb.Choose() if label == "none":
            return [need for case in owner.cases for need in _barred(case)]
        case _:
            return []


def _of_case(case: rb.Case) -> list[Need]:
    found = [] if case.guard is None else [Need(Kind.YES, case.guard)]
    within: list[tuple[rb.Slot, rb.Expr]] = []
    for binder in case.binders:
        if binder.source is not None:
            if case.late_guard is None:
                found.append(Need(Kind.SOME, binder.source, tuple(within)))
            within.append((binder.slot, binder.source))
    if case.late_guard is not None:
        found.append(Need(Kind.YES, case.late_guard, tuple(within)))
    return found


def _barred(case: rb.Case) -> list[Need]:
    """What must be so for a case to have no option: the first of what it asks for is not met."""
    asked = _of_case(case)
    if not asked:
        return []
    first = asked[0]
    turned = {Kind.YES: Kind.NO, Kind.SOME: Kind.NONE}[first.kind]
    return [Need(turned, first.expr)] if not first.within else []


# ------------------------------------------------------------------------- of what is worked out


def _worked_out(rules: rb.Rulebook) -> dict[object, list[tuple[str, tuple[Need, ...]]]]:
    """By span of an expression in a query or score: which one, and what must be so for it to be worked
    out."""
    found: dict[object, list[tuple[str, tuple[Need, ...]]]] = {}
    for query in rules.queries.values():
        before: list[Need] = []
        for case in query.cases:
            own = [*before]
            if case.condition is not None:
                _below(case.condition, query.name, (*before,), (), found)
                own.append(Need(Kind.YES, case.condition))
                before.append(Need(Kind.NO, case.condition))
            _below(case.value, query.name, tuple(own), (), found)
    for score in rules.scores.values():
        _below(score.value, score.name, (), (), found)
    return found


Within = tuple[tuple[rb.Slot, rb.Expr], ...]


def _below(
    expr: rb.Expr,
    name: str,
    needs: tuple[Need, ...],
    within: Within,
    found: dict[object, list[tuple[str, tuple[Need, ...]]]],
) -> None:
    todo: list[tuple[rb.Expr, tuple[Need, ...], Within]] = [(expr, needs, within)]
    while todo:
        here, asked, inside = todo.pop()
        found.setdefault(span_of(here), []).append((name, asked))
        match here:
            case rb.Cond():
                todo.append((here.condition, asked, inside))
                todo.append((here.then, (*asked, Need(Kind.YES, here.condition, inside)), inside))
                todo.append((here.otherwise, (*asked, Need(Kind.NO, here.condition, inside)), inside))
            case rb.Binary(op="and" | "or"):
                kind = Kind.YES if here.op == "and" else Kind.NO
                todo.append((here.left, asked, inside))
                todo.append((here.right, (*asked, Need(kind, here.left, inside)), inside))
            case rb.Fold():
                inner = (*inside, (here.slot, here.source))
                todo.append((here.source, asked, inside))
                some = (*asked, Need(Kind.SOME, here.source, inside))
                if here.where is not None:
                    todo.append((here.where, some, inner))
                    some = (*asked, Need(Kind.YES, here.where, inner))
                if here.body is not None:
                    todo.append((here.body, some, inner))
            case _:
                todo += [(part, asked, inside) for part in children(here)]


# ----------------------------------------------------------------------------- how things come about


@dataclass(frozen=True, slots=True)
class Way:
    """A statement by which something gets to be so: `value` comes to `player`, under `needs`."""

    value: rb.Expr
    player: rb.Expr | None
    needs: tuple[Need, ...]


@dataclass(slots=True)
class Ways:
    """`into`: by zone, how pieces of a kind come in. `sets`: by variable, how it gets a value."""

    into: dict[str, list[Way]] = field(default_factory=dict)
    sets: dict[str, list[Way]] = field(default_factory=dict)


def ways_of(graph: ActionGraph) -> Ways:
    found = Ways()
    for node in graph.nodes():
        if node.role in ("", "enter") and node.routine != ActionGraph.START:
            for table, name, value, player in _brought(node.owns):
                way = Way(value, player, needs_of(graph, node))
                (found.into if table == "into" else found.sets).setdefault(name, []).append(way)
    return found


def _brought(stmt: object) -> Iterator[tuple[str, str, rb.Expr, rb.Expr | None]]:
    match stmt:
        case rb.Move(target=rb.ZoneRef() as zone):
            yield "into", zone.name, stmt.kind, zone.player
        case rb.GainPieces():
            yield "into", stmt.zone.name, stmt.kind, stmt.player
        case rb.Put():
            for _, kind in stmt.items:
                yield "into", stmt.zone.name, kind, stmt.zone.player
        case rb.SetPlace(target=rb.GlobalVar() as place):
            yield "sets", place.name, stmt.value, None
        case rb.SetPlace(target=rb.PlayerVar() as place):
            yield "sets", place.name, stmt.value, place.player
        case rb.SetPlace(target=rb.SpaceVar() as place):
            yield "sets", place.name, stmt.value, None


def free_players(*exprs: object) -> list[rb.Slot]:
    """The players among the locals, in order of appearance, that no fold and no binder gives a value."""
    bound = {node.slot for node in walk(exprs) if isinstance(node, rb.Fold | rb.Binder | rb.Let)}
    found = [node.slot for node in walk(exprs) if isinstance(node, rb.Local)]
    return [slot for slot in dict.fromkeys(found) if slot not in bound and isinstance(slot.type, PlayerT)]
