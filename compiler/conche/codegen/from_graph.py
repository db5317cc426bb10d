"""Lowers an action graph to an engine program.

Input: an `ActionGraph` without errors, the digest of its rules. Output: an `ir.Program`, not optimised.
Invariants: every block names the node it comes from. A block's id is the id of the node that it begins with,
so ids depend on the rules alone. Raises `UnsupportedError` for what has no meaning here."""

from __future__ import annotations

from dataclasses import replace

from conche.codegen import ir
from conche.codegen.allocate import allocate
from conche.codegen.few_pieces import few_pieces
from conche.codegen.ir_walk import without
from conche.codegen.layout import Codes, track_type
from conche.codegen.lower_expressions import NUMBER, Expressions, UnsupportedError
from conche.codegen.lower_routines import Lowering
from conche.codegen.lower_statements import Statements
from conche.codegen.ranges import Ranges
from conche.codegen.routines import Routines
from conche.graph.model import ActionGraph
from conche.semantics import rulebook as rb
from conche.semantics.types import KindT, Maybe, PlayerT, SetT, Type


def from_graph(graph: ActionGraph, digest: str) -> ir.Program:
    """The engine program of a ruleset."""
    return lower(graph, digest)[0]


def lower(graph: ActionGraph, digest: str) -> tuple[ir.Program, Lowering]:
    """The same, with what is known of how it was made."""
    rulebook = graph.rulebook
    codes = Codes(rulebook)
    expressions = Expressions(codes)
    layout, first = _layout(codes, expressions)
    routines = Routines(graph)
    statements = Statements(graph, expressions, Ranges(layout, codes.tables, {}), few_pieces(graph, routines))
    lowering = Lowering(graph, routines, statements)
    lowering.lower_all(first)
    queries = tuple(_query(statements, query) for query in graph.queries())
    scores = tuple(
        ir.Score(score.name, score.you, expressions.lower(score.value), statements.mark(score.span))
        for score in graph.scores()
    )
    rank = ir.Rank(
        rulebook.rank.you,
        tuple(expressions.lower(key) for key in rulebook.rank.keys),
        statements.mark(rulebook.rank.span),
    )
    program = ir.Program(
        rulebook.ruleset,
        rulebook.title,
        digest,
        rulebook.versions,
        tuple((option.name, option.value) for option in rulebook.options.values()),
        layout,
        tuple(table for _, table in sorted(codes.tables.items())),
        queries,
        tuple(lowering.functions),
        tuple(lowering.blocks),
        _listed(graph, layout, lowering.decisions),
        scores,
        rank,
        ActionGraph.START,
        tuple(sorted(lowering.ranges.locals.items(), key=lambda item: (item[0].owner, item[0].number))),
        (),
        tuple((name, tuple(backs)) for name, backs in sorted(lowering.returns.items())),
        _flows(graph),
        graph.eliminates,
    )
    asked = {decision.id for decision in program.decisions}
    program = without(program, lambda op: isinstance(op, ir.ForgetChoice) and op.decision not in asked)
    return allocate(program), lowering


def _layout(codes: Codes, expressions: Expressions) -> tuple[ir.Layout, list[ir.Op]]:
    """The layout, and the operations that give variables their first values where these are no constants."""
    rulebook = codes.rulebook
    first: list[ir.Op] = []
    variables: list[ir.Variable] = []

    def add(slot: str, var: rb.Var, board: str | None) -> None:
        initial: ir.Value | None = ir.UNSET
        if var.initial is not None:
            value = expressions.lower(var.initial)
            initial = _constant(value)
            if initial is None:
                first.extend(_first_value(codes, slot, var, value, board))
        owner = "space" if board is not None else var.owner
        variables.append(ir.Variable(slot, var.name, owner, board, var.type, initial, var.visibility, var.of))

    for var in rulebook.variables.values():
        add(f"var.{var.name}", var, None)
    variables += [
        ir.Variable(f"var.{name}", name, track.owner, None, track_type(track), 0, track.visibility)
        for name, track in rulebook.tracks.items()
    ]
    for board in rulebook.boards.values():
        for var in board.attributes:
            add(f"space.{board.name}.{var.name}", var, board.name)
    grids = tuple(_grid(codes, expressions, board) for board in rulebook.boards.values())
    layout = ir.Layout(
        rulebook.seats,
        *rulebook.players,
        tuple(codes.kinds.values()),
        tuple(variables),
        tuple(codes.zones.values()),
        grids,
        codes.streams(),
        (),
    )
    return layout, first


def _first_value(codes: Codes, slot: str, var: rb.Var, value: ir.Expr, board: str | None) -> list[ir.Op]:
    """Sets a variable whose first value is no constant."""
    if board is not None:
        raise AssertionError(f"'{var.name}' of {board} does not begin with a constant")
    mark = ir.Mark(var.span.file, var.span.line)
    if var.owner == "game":
        return [ir.Store(slot, None, value, None, mark)]
    if var.owner == "kind":
        assert var.of is not None
        last_kind = len(codes.kinds[var.of].names) - 1
        kind = rb.Slot(slot, 0, "kind", NUMBER)
        kinds = ir.Interval(ir.Const(0, NUMBER), ir.Const(last_kind, NUMBER), SetT(NUMBER))
        return [ir.For(kind, kinds, (ir.Store(slot, ir.Local(kind), value, None, mark),), mark)]
    seat = rb.Slot(slot, 0, "seat", PlayerT())
    last = ir.Arith("-", ir.PlayerNumber(NUMBER), ir.Const(1, NUMBER), NUMBER)
    seats = ir.Interval(ir.Const(0, NUMBER), last, SetT(PlayerT()))
    return [ir.For(seat, seats, (ir.Store(slot, ir.Local(seat), value, None, mark),), mark)]


def _constant(value: ir.Expr) -> ir.Value | None:
    match value:
        case ir.Const(value=constant):
            return constant
        case ir.Sequence(items=items) | ir.Distinct(source=ir.Sequence(items=items)):
            listed: list[int] = []
            for number, item in items:
                if not isinstance(item, ir.Const) or not isinstance(item.value, int):
                    return None
                listed += [item.value] * number
            return tuple(dict.fromkeys(listed)) if isinstance(value, ir.Distinct) else tuple(listed)
        case _:
            return None


def _grid(codes: Codes, expressions: Expressions, board: rb.Board) -> ir.Grid:
    grid = codes.grids[board.name]
    room: list[ir.Room] = []
    x = rb.Slot(f"board.{board.name}", 0, "x", NUMBER)
    y = rb.Slot(f"board.{board.name}", 1, "y", NUMBER)
    for piece in sorted({holds.piece for holds in board.holds}):
        lines: list[tuple[ir.Expr, int]] = []
        for holds in board.holds:
            if holds.piece == piece:
                expressions.alias = {holds.x: x, holds.y: y}
                lines.append((expressions.lower(holds.condition), holds.capacity))
        room.append(ir.Room(piece, x, y, tuple(lines)))
    expressions.alias = {}
    return ir.Grid(grid.slot, grid.name, grid.across, grid.margin, grid.codes, tuple(room))


def _query(statements: Statements, query: rb.Query) -> ir.Query:
    lower = statements.expressions.lower
    return ir.Query(
        query.name,
        query.params,
        tuple((let.slot, lower(let.value)) for let in query.lets),
        tuple(
            (
                None if case.condition is None else lower(case.condition),
                lower(case.value),
                statements.mark(case.span),
            )
            for case in query.cases
        ),
        query.type,
        statements.mark(query.span),
    )


def _listed(graph: ActionGraph, layout: ir.Layout, decisions: list[ir.Decision]) -> tuple[ir.Decision, ...]:
    """The decisions. Listed are those in which a piece that carries others can be an argument, and those that
    share a name with them."""
    carriers = {zone.carrier for zone in layout.zones if zone.carriers}

    def carries(type_: Type) -> bool:
        element = type_.element if isinstance(type_, Maybe) else type_
        return isinstance(element, KindT) and element.piece in carriers

    names = {
        decision.name
        for decision in decisions
        for case in decision.cases
        if any(carries(binder.slot.type) for binder in case.binders)
    }
    for decision in decisions:
        if decision.name in names and decision.at_once is not None:
            raise UnsupportedError(
                "pieces that carry others cannot be chosen at once by several",
                graph.node(decision.id).span,
            )
    return tuple(replace(decision, listed=decision.name in names) for decision in decisions)


def _flows(graph: ActionGraph) -> tuple[tuple[str, str, bool], ...]:
    """Which zones pieces are carried between by one statement, and whether always those of one player."""
    found: set[tuple[str, str, bool]] = set()
    for node in graph.nodes():
        match node.owns:
            case rb.Move(source=source, target=rb.ZoneRef() as target):
                found.add((source.name, target.name, _same_player(source, target)))
            case rb.Draw(source=source, target=rb.ZoneRef() as target):
                found.add((source.name, target.name, _same_player(source, target)))
            case rb.PayPieces(zone=zone, to=to) if to is not None:
                found.add((zone.name, zone.name, False))
            case _:
                pass
    return tuple(sorted(found))


def _same_player(source: rb.ZoneRef, target: rb.ZoneRef) -> bool:
    return source.player is not None and target.player is not None and _same(source.player, target.player)


def _same(one: rb.Expr, other: rb.Expr) -> bool:
    """Whether two expressions certainly mean the same player."""
    match one, other:
        case rb.Local(slot=a), rb.Local(slot=b):
            return a == b
        case rb.GlobalVar(name=c), rb.GlobalVar(name=d):
            return c == d
        case rb.Lit(value=e), rb.Lit(value=f):
            return e == f
        case rb.PlayerVar(name=g, player=p), rb.PlayerVar(name=h, player=q):
            return g == h and _same(p, q)
        case _:
            return False
