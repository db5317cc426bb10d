"""Nothing is declared for nothing.

What it does: reports declarations that nothing uses (C0360: enums, pieces, kinds that never come into the
game, boards, zones, variables, tracks, `values`, queries, steps, actions), locals that nothing reads
(C0361: `let`, `chance`, parameters of steps and actions, `for` binders), a variable that is read though
nothing ever gives it a value (C0362), a zone or board that is read though nothing ever comes into it
(C0363), and what is written but never read (C0364). Why: what nobody uses is a leftover, or the sign of a
rule that was forgotten. Being changed by a statement is no use; drawing or moving a piece out of a zone is
one. Uses in `always` lines and scenarios count. A variable with a value at first that only ever gets read
is fine: a module may set it. What it does not see: unused options (they are settled before), attributes of
pieces, parameters of queries (a module may need them), and whether a use can be come to (`check_reachable`
asks that).

    each player has
      fame: 0..20 = 0, open      # C0364 when the rules gain fame and no score reads it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.expressions import touched_nodes
from conche.graph.model import ActionGraph, EdgeKind, Node, Owned
from conche.semantics.rulebook import Action, Board, Query, Rulebook, ScenarioLine, Slot, Track, Var, Zone
from conche.semantics.types import Type
from conche.source import Span
from conche.validate.said import Said, named_in, said

_OUT = ("from", "swap", "order")
"""Labels of `writes` edges that bring nothing in."""


def check_used(graph: ActionGraph) -> list[Diagnostic]:
    return [*_data(graph), *_routines(graph), *_components(graph), *_locals(graph)]


def _unused(what: str, name: str, span: Span, help_text: str = "take it out, or use it") -> Diagnostic:
    label = Label(span, "nothing uses this")
    return diagnose("C0360", f"{what} '{name}' is never used", label, help=[help_text])


# ---------------------------------------------------------------------------------------- zones and variables


def _data(graph: ActionGraph) -> Iterator[Diagnostic]:
    extra = _other_reads(graph)
    for node in graph.nodes():
        match node.owns:
            case Query() if not graph.into(node.id, EdgeKind.READS) and node.id not in extra:
                yield _unused("query", node.owns.name, node.span)
            case Zone() | Var() | Track() | Board():
                yield from _datum(graph, node, extra)
            case _:
                pass


def _other_reads(graph: ActionGraph) -> set[str]:
    """What `always` lines, the boards and scenarios read: they have no nodes."""
    rules = graph.rulebook
    roots: list[object] = [*rules.invariants.values(), *rules.boards.values(), *_scenarios(rules)]
    roots += [var.initial for var in rules.variables.values() if var.initial is not None]
    found = {node for root in roots for node in said(root).touched}
    return {name for node in found for name in touched_nodes(rules, node)}


def _scenarios(rules: Rulebook) -> list[tuple[ScenarioLine, ...]]:
    """Those for other rulesets too: what a game tests alone is of use."""
    return [scenario.lines for scenario in (*rules.scenarios, *rules.other_scenarios)]


def _datum(graph: ActionGraph, node: Node, extra: set[str]) -> Iterator[Diagnostic]:
    writes = graph.into(node.id, EdgeKind.WRITES)
    filled = [source for source, label in writes if label not in _OUT]
    taken = [source for source, label in writes if label == "from"]
    read = [source for source, _ in graph.into(node.id, EdgeKind.READS)] + taken
    is_read = bool(read) or node.id in extra
    what, name = node.title.split()[0], node.id.split(".")[-1]
    if not is_read and not writes:
        yield _unused(what, name, node.span)
    elif not is_read and not _must_lie_somewhere(graph, node.owns):
        places = [Label(graph.node(source).span, "written here", primary=False) for source in filled[:1]]
        label = Label(node.span, "nothing reads this")
        help_text = f"read it where it matters, such as in a condition or a score, or take '{name}' out"
        yield diagnose(
            "C0364", f"{what} '{name}' is written but never read", label, *places, help=[help_text]
        )
    elif not filled:
        places = [Label(graph.node(source).span, "used here", primary=False) for source in read[:1]]
        if isinstance(node.owns, Var):
            if node.owns.initial is None:
                label = Label(node.span, "this never gets a value")
                help_text = "give it a value at first, or set it"
                yield diagnose(
                    "C0362", f"variable '{name}' is read but never set", label, *places, help=[help_text]
                )
        elif not isinstance(node.owns, Track):
            label = Label(node.span, "nothing ever comes in here")
            help_text = f"let pieces come into it, by `put`, `move` or `draw`, or take '{name}' out"
            yield diagnose(
                "C0363", f"{what} '{name}' is used but never filled", label, *places, help=[help_text]
            )


def _must_lie_somewhere(graph: ActionGraph, owns: Owned) -> bool:
    """Whether it is a place for pieces that may not leave the game, which needs no other use."""
    return isinstance(owns, Zone) and owns.of in {one.piece for one in graph.rulebook.conserved.values()}


# ---------------------------------------------------------------------------------------- routines


def _routines(graph: ActionGraph) -> Iterator[Diagnostic]:
    rules = graph.rulebook
    for name, step in rules.steps.items():
        if not graph.into(f"step.{name}", EdgeKind.DOES):
            yield _unused("step", name, step.span, f"write `do {name}` where it belongs")
    for name, action in rules.actions.items():
        starts = [f"action.{name}.{case.label}" for case in action.cases]
        if not any(graph.into(start, EdgeKind.DOES) for start in starts):
            yield _unused("action", name, action.span, f"write `do {name}(…)` where it belongs")


# ---------------------------------------------------------------------------------------- components


def _components(graph: ActionGraph) -> Iterator[Diagnostic]:
    rules = graph.rulebook
    everything = [said(root) for root in _roots(rules)]
    tables = {name for part in everything for name in part.tables}
    for name, table in rules.tables.items():
        if name not in tables:
            yield _unused("values", name, table.span)
    placed = {zone.of for zone in rules.zones.values()}
    placed |= {holds.piece for board in rules.boards.values() for holds in board.holds}
    spoken = _types_spoken_of(graph, everything)
    for name, enum in rules.enums.items():
        if name not in placed | spoken:
            yield _unused("enum", name, enum.span)
    for name, piece in rules.pieces.items():
        if name not in placed | spoken:
            yield _unused("piece", name, piece.span)
    yield from _kinds(graph, everything)


def _roots(rules: Rulebook) -> Iterator[object]:
    """The parts of the rules that say something of their own, and that other rulebooks may share."""
    yield from (rules.setup, rules.play, rules.rank)
    for step in rules.steps.values():
        yield from (step.params, step.body)
    for action in rules.actions.values():
        for case in action.cases:
            yield from (case.bound, case.params, case.body)
    for trigger in rules.triggers.values():
        yield from (trigger.event, trigger.guard, trigger.params, trigger.body)
    yield from rules.queries.values()
    yield from rules.scores.values()
    yield from rules.invariants.values()
    yield from rules.boards.values()
    yield from _scenarios(rules)
    yield from (var.initial for var in rules.variables.values())


def _types_spoken_of(graph: ActionGraph, parts: Iterable[Said]) -> set[str]:
    """Enums and pieces that variables, locals, expressions and actions are of."""
    rules = graph.rulebook
    types: list[Type] = [var.type for var in rules.variables.values()]
    owners = {var.of for var in rules.variables.values() if var.of is not None}
    types += [var.type for board in rules.boards.values() for var in board.attributes]
    types += [type_ for piece in rules.pieces.values() for _, type_ in piece.attributes]
    types += [type_ for enum in rules.enums.values() for _, type_ in enum.attributes]
    found = {action.of for action in rules.actions.values()} | owners | named_in(types)
    return found.union(*(part.types for part in parts))


def _kinds(graph: ActionGraph, parts: Iterable[Said]) -> Iterator[Diagnostic]:
    """Kinds of pieces that nothing ever brings into the game, where the text tells all that are."""
    brought: set[str] = set()
    told: dict[str, bool] = {}
    zones = graph.rulebook.zones
    for zone, kind in (brings for part in parts for brings in part.brings):
        of = zones[zone].of
        told[of] = told.get(of, True) and kind is not None
        if kind is not None:
            brought.add(kind)
    for name, piece in graph.rulebook.pieces.items():
        for one in piece.kinds:
            if told.get(name, False) and not {one.name, one.family} & brought:
                title = f"no {name} '{one.name}' ever comes into the game"
                label = Label(one.span, "nothing brings this in")
                yield diagnose("C0360", title, label, help=["take it out, or `put` some in the set-up"])


# ---------------------------------------------------------------------------------------- locals


def _locals(graph: ActionGraph) -> Iterator[Diagnostic]:
    rules = graph.rulebook
    for step in rules.steps.values():
        inside = said(step.body)
        for number, slot in enumerate(step.params):
            if slot not in inside.read and not (step.implicit_you and number == 0):
                yield _unread("parameter", slot, step.span)
        yield from _introduced(inside)
    for action in rules.actions.values():
        yield from _action(action)
    for trigger in rules.triggers.values():
        yield from _introduced(said(trigger.body))
    for body in (rules.setup, rules.play):
        yield from _introduced(said(body))
    for query in rules.queries.values():
        yield from _introduced(said(query))


def _action(action: Action) -> Iterator[Diagnostic]:
    """Parameters are those of all cases together; what a pattern binds is each case's own."""
    inside = [said(case.body) for case in action.cases]
    for number, slot in enumerate(action.cases[0].params if action.cases else ()):
        implicit = action.implicit_you and number == 0
        if not implicit and all(
            case.params[number] not in part.read for case, part in zip(action.cases, inside, strict=True)
        ):
            yield _unread("parameter", slot, action.span)
    for case, part in zip(action.cases, inside, strict=True):
        for slot, _ in case.bound:
            if slot not in part.read:
                yield _unread("name", slot, case.span)
        yield from _introduced(part)


def _introduced(part: Said) -> Iterator[Diagnostic]:
    for what, slot, span in part.introduces:
        if slot not in part.read:
            yield _unread(what, slot, span)


def _unread(what: str, slot: Slot, span: Span) -> Diagnostic:
    label = Label(span, f"'{slot.name}' is never read")
    return diagnose("C0361", f"{what} '{slot.name}' is never used", label, help=["take it out, or use it"])
