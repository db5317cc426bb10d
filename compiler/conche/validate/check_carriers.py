"""Of pieces that carry others it is told which one is meant, and they go only where what they carry can.

What it does: reports (C0380) the name of such pieces where one of them is needed and nothing says which, and
(C0381) statements that cannot take one along with what it carries: `pay`, a `swap` whose other side is not
written out, a choice that several make at once. Why: there are as many of a name as come into the game, each
with a content of its own, and an engine has to know of which it speaks.

    piece Mine
      gem_mine carries bag gems of 6 Gem, open
    let best = gem_mine                 # C0380; use: let best = lowest(mines)
    swap every k for gem_mine in row    # C0381; use: swap every shaft for gem_mine in row

Fine are statements that say how many, or all: `put`, `take`, `move`, `swap every … for …`. Not seen: whether
there is such a piece at all when one is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.semantics import rulebook as rb
from conche.semantics.types import KindT, Maybe, Type
from conche.semantics.walk import walk
from conche.source import Span


def check_carriers(graph: ActionGraph) -> list[Diagnostic]:
    if all(zone.owner in ("game", "player") for zone in graph.rulebook.zones.values()):
        return []
    checker = _Carriers(graph.rulebook)
    found = [finding for node in graph.nodes() for finding in checker.of_node(graph, node)]
    rules = graph.rulebook
    found += checker.names((*rules.queries.values(), *rules.scores.values(), rules.rank))
    return found


class _Carriers:
    def __init__(self, rules: rb.Rulebook) -> None:
        self.rules = rules
        self.carriers = {
            piece.name
            for piece in rules.pieces.values()
            if any(kind.carries is not None for kind in piece.kinds)
        }
        self.names_of = {piece.name: {kind.name for kind in piece.kinds} for piece in rules.pieces.values()}

    def of_node(self, graph: ActionGraph, node: Node) -> Iterator[Diagnostic]:
        stmt = node.owns
        match stmt:
            case (
                rb.Query() | rb.Score() | rb.Zone() | rb.Var() | rb.Track() | rb.Board() | rb.Action() | None
            ):
                return
            case rb.Put(items=items) | rb.Take(items=items):
                for number, kind in items:
                    yield from self.names((number, () if self.is_family(kind) else kind))
                yield from self.names(stmt.zone)
            case rb.Move():
                moved = () if self.is_family(stmt.kind) else stmt.kind
                yield from self.names((moved, stmt.source, stmt.target, stmt.turned))
            case rb.Swap():
                yield from self._swap(stmt)
            case rb.PayPieces(kind=kind) if self.carries(kind.type):
                yield self._wrong(stmt.span, "a payment", "use `move`")
            case rb.Step() | rb.ActionCase():
                return
            case _:
                if at_once(node):
                    yield from self._at_once(graph, node)
                yield from self.names(_own(stmt))

    def _swap(self, stmt: rb.Swap) -> Iterator[Diagnostic]:
        families = [self.is_family(kind) for kind in (stmt.old, stmt.new)]
        for kind, other in ((stmt.old, families[1]), (stmt.new, families[0])):
            if other and not isinstance(kind, rb.Lit):
                yield self._wrong(
                    stmt.span, "a swap for a kind that is not written out", "write the kind out"
                )
        rest = [kind for kind, family in zip((stmt.old, stmt.new), families, strict=True) if not family]
        yield from self.names((*rest, stmt.zone))

    def _at_once(self, graph: ActionGraph, node: Node) -> Iterator[Diagnostic]:
        choose = choose_of(graph.choice(node.id))
        for case in choose.cases:
            for binder in case.binders:
                if self.carries(binder.slot.type):
                    yield self._wrong(
                        binder.span, "a choice that several make at once", "let them choose one by one"
                    )

    def is_family(self, kind: rb.Expr) -> bool:
        match kind:
            case rb.Lit(value=str() as name, type=KindT(piece=of)):
                return name not in self.names_of[of]
            case _:
                return False

    def carries(self, type_: Type) -> bool:
        element = type_.element if isinstance(type_, Maybe) else type_
        return isinstance(element, KindT) and element.piece in self.carriers

    def names(self, part: object) -> Iterator[Diagnostic]:
        """The names that stand where one piece is meant."""
        for node in walk((part,)):
            match node:
                case rb.Lit(value=str() as name, type=KindT(piece=of)) if name not in self.names_of[of]:
                    yield diagnose(
                        "C0380",
                        f"which '{name}' is meant? Each carries something of its own",
                        Label(node.span, "one of them is needed here"),
                        help=("take one out of a zone or a choice: `for k in kinds(…)`, `lowest(…)`",),
                    )
                case _:
                    pass

    def _wrong(self, span: Span, what: str, help_: str) -> Diagnostic:
        return diagnose(
            "C0381",
            f"{what} cannot be of pieces that carry others",
            Label(span, "here a piece would have to take along what it carries"),
            help=(help_,),
        )


def _own(stmt: rb.Stmt | rb.Case | rb.Trigger) -> object:
    """What a compound statement says itself, without its parts, which are nodes of their own."""
    match stmt:
        case rb.If(condition=condition) | rb.While(condition=condition):
            return condition
        case rb.ForEach(source=source):
            return source
        case rb.EachPlayer(start=start, guard=guard) | rb.Rounds(start=start, guard=guard):
            return (start, guard)
        case rb.Times(times=times):
            return times
        case rb.Choose(chooser=chooser):
            return chooser
        case rb.Case(binders=binders, guard=guard, late_guard=late_guard):
            return (binders, guard, late_guard)
        case rb.Trigger(event=event, guard=guard):
            return (event, guard)
        case _:
            return stmt
