"""Builds the action graph of a rulebook.

Input: a closed, typed `Rulebook`. Output: its `ActionGraph`, as `model.py` describes it.
Invariants: every statement of every routine has exactly one node that owns it (a loop has its head as well),
whether it can be reached or not; every routine is built once. Ids depend on names and places alone:

    step.fill/1.while/next                      a statement is `<number>.<word>` below what it stands in
    step.fill/1.while/0.choose_fill/display     a case, by its label; by its number where it has none, or one
                                                that another case has too, or the label `none`
    …/display/0.move    …/none/0.stop           what stands in a case, and in a choice's `none`
    step.place/0.choose_place/0/1.if/yes/0.pay  what stands in a branch
    …/0.move/fire.flood                         where trigger `flood` is tried after a statement

Nesting: a choice's part holds the node of its case, which holds the body in a part of label ""; the part
`none` holds its body. A loop's part belongs to its `enter` node, not to its head. `fire` nodes stand in the
part of their statement, right after it.

Triggers. A statement gets a `fire` node for each trigger whose event it can cause, in the triggers' order:
entering a zone or board by Move, Draw, Put, GainPieces or PayPieces `to` (not by Swap: that piece was there);
gaining by GainVar, GainPieces or a payment `to` a player; a condition by whatever writes a thing that the
condition reads, through queries too.

The head of a `repeat` without a condition has no `then` edge: nothing but `stop` leaves it. `end game` has
one to `phase.end`. In a game that eliminates, a choice has an `option` edge `out`, for one who has left: past
the choice; of the short form past the block it stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conche.graph.expressions import own_exprs, query_exprs, reads_of, variable_node, writes_of
from conche.graph.fires import Fires
from conche.graph.model import OUT, ActionGraph, Edge, EdgeKind, Node, NodeKind, Owned, Part
from conche.graph.modified import modified_nodes
from conche.graph.private import private_choices, secret_choices
from conche.graph.titles import case_title, title_of
from conche.semantics.rulebook import (
    Case,
    Chance,
    Choose,
    Do,
    DoAction,
    Draw,
    EachPlayer,
    EndGame,
    Expr,
    ForEach,
    If,
    Look,
    OnCondition,
    OnEnter,
    OnGain,
    Rounds,
    Rulebook,
    Stmt,
    Stop,
    Times,
    Trigger,
    While,
)
from conche.source import Span

_WORDS = {
    "GainVar": "gain",
    "GainPieces": "gain",
    "PayVar": "pay",
    "PayPieces": "pay",
    "SetPlace": "set",
    "AddTo": "add",
    "DropFrom": "drop",
    "EndGame": "end_game",
    "ForEach": "for",
    "EachPlayer": "each_player",
}

Loop = ForEach | EachPlayer | Rounds | While | Times


def from_rulebook(rulebook: Rulebook) -> ActionGraph:
    """The action graph of a rulebook."""
    builder = _Builder(rulebook)
    builder.add_data()
    builder.add_phases()
    for name, step in rulebook.steps.items():
        builder.add_routine(
            f"step.{name}", NodeKind.STEP, f"step {name}", step, step.body, step.span, step.cites
        )
    for name, action in rulebook.actions.items():
        for case in action.cases:
            title = f"action {name}({case.label})"
            start = f"action.{name}.{case.label}"
            builder.add_routine(start, NodeKind.ACTION, title, case, case.body, case.span, case.cites)
    for name, trigger in rulebook.triggers.items():
        builder.add_trigger(name, trigger)
    builder.add_modules()
    builder.add_clauses()
    private = private_choices(rulebook, builder.nodes)
    return ActionGraph(rulebook, builder.nodes, builder.edges, private, secret_choices(builder.nodes))


def case_labels(choose: Choose) -> tuple[str, ...]:
    """The labels of a choice's option edges, case by case: each one different, none of them `none` or
    `out`."""
    written = [case.label for case in choose.cases]
    return tuple(
        label
        if label is not None and label not in ("none", OUT) and written.count(label) == 1
        else str(number)
        for number, label in enumerate(written)
    )


def stmt_word(stmt: Stmt) -> str:
    """What a statement is called in the ids of nodes."""
    match stmt:
        case Do():
            return f"do_{stmt.step}"
        case DoAction():
            return f"do_{stmt.action}"
        case Choose():
            return f"choose_{stmt.name}"
        case Chance():
            return f"chance_{stmt.name}"
        case While(condition=None):
            return "repeat"
        case _:
            name = type(stmt).__name__
            return _WORDS.get(name, name.lower())


@dataclass(frozen=True, slots=True)
class _Where:
    """The place a statement is built for: the routine, the node it stands in, the prefix of its id, what
    follows it and what follows the body it is in (and by which edge), and where `stop` leads (None: to the
    routine's end)."""

    routine: str
    parent: str
    prefix: str
    follow: tuple[str, EdgeKind]
    past_loop: str | None
    past_body: tuple[str, EdgeKind] | None = None


class _Builder:
    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.nodes: dict[str, Node] = {}
        self.edges: set[Edge] = set()
        self.fires = Fires(rulebook)
        self.eliminates = rulebook.eliminates

    # -------------------------------------------------------------------------------------- nodes and edges

    def node(
        self,
        node_id: str,
        kind: NodeKind,
        title: str,
        span: Span,
        *,
        routine: str,
        role: str = "",
        parent: str | None = None,
        owns: Owned = None,
        cites: tuple[str, ...] = (),
    ) -> None:
        assert node_id not in self.nodes, node_id
        cites = tuple(dict.fromkeys(cites))
        self.nodes[node_id] = Node(node_id, kind, role, title, routine, parent, owns, (), span, cites)

    def edge(self, source: str, target: str, kind: EdgeKind, label: str = "") -> None:
        self.edges.add(Edge(source, target, kind, label))

    def reads(self, node_id: str, *exprs: Expr | None) -> None:
        found = reads_of(self.rulebook, [expr for expr in exprs if expr is not None])
        for target, label in sorted(found):
            self.edge(node_id, target, EdgeKind.READS, label)

    # -------------------------------------------------------------------------------------- declarations

    def add_data(self) -> None:
        rules = self.rulebook
        for zone in rules.zones.values():
            node_id = f"zone.{zone.name}"
            self._datum(node_id, NodeKind.ZONE, f"{zone.kind} {zone.name}", zone.span, zone, zone.cites)
        for track in rules.tracks.values():
            node_id = f"track.{track.name}"
            self._datum(node_id, NodeKind.ZONE, f"track {track.name}", track.span, track, track.cites)
        for var in rules.variables.values():
            self._datum(f"var.{var.name}", NodeKind.ZONE, f"var {var.name}", var.span, var, var.cites)
        for board in rules.boards.values():
            node_id = f"board.{board.name}"
            cites = board.cites + tuple(cite for holds in board.holds for cite in holds.cites)
            self._datum(node_id, NodeKind.ZONE, f"board {board.name}", board.span, board, cites)
            for var in board.attributes:
                title = f"var {var.name} of {board.name}"
                self._datum(f"{node_id}.{var.name}", NodeKind.ZONE, title, var.span, var, var.cites)
        for query in rules.queries.values():
            cites = query.cites
            cites += tuple(cite for let in query.lets for cite in let.cites)
            cites += tuple(cite for case in query.cases for cite in case.cites)
            node_id = f"query.{query.name}"
            self._datum(node_id, NodeKind.QUERY, f"query {query.name}", query.span, query, cites)
        for score in rules.scores.values():
            title = f"score {score.name}"
            self._datum(f"score.{score.name}", NodeKind.SCORE, title, score.span, score, score.cites)
        for query in rules.queries.values():
            self.reads(f"query.{query.name}", *query_exprs(query))
        for score in rules.scores.values():
            self.reads(f"score.{score.name}", score.value)

    def _datum(
        self, node_id: str, kind: NodeKind, title: str, span: Span, owns: Owned, cites: tuple[str, ...]
    ) -> None:
        self.node(node_id, kind, title, span, routine="", owns=owns, cites=cites)

    def add_modules(self) -> None:
        """The modules that change something, each at its first change, and what they change."""
        for change, target in modified_nodes(self.rulebook, self.nodes):
            source = f"module.{change.module}"
            if source not in self.nodes:
                self.node(source, NodeKind.MODULE, f"module {change.module}", change.span, routine="")
            if target is not None:
                self.edge(source, target, EdgeKind.MODIFIES, change.how)

    def add_clauses(self) -> None:
        """The clauses cited, each at the first place that cites it; rulings at their own."""
        nodes = [self.nodes[node_id] for node_id in sorted(self.nodes)]
        rulings = self.rulebook.rulings
        first: dict[str, Span] = {}
        for node in nodes:
            for cite in node.cites:
                first[cite] = min(first.get(cite, node.span), node.span)
        for cite in sorted(first.keys() | rulings.keys()):
            ruling = rulings.get(cite)
            title, span = (
                (f"§{cite}", first[cite]) if ruling is None else (f"§{cite} {ruling.text}", ruling.span)
            )
            self.node(f"clause.{cite}", NodeKind.CLAUSE, title, span, routine="")
        for node in nodes:
            if node.role in ("next", "end", "fire") and node.id != ActionGraph.END:
                continue  # the same rule as its `enter`, start or trigger node
            for cite in node.cites:
                self.edge(node.id, f"clause.{cite}", EdgeKind.CITES)

    # -------------------------------------------------------------------------------------- routines

    def add_phases(self) -> None:
        rules = self.rulebook
        phase, end = NodeKind.PHASE, ActionGraph.END
        self.add_routine(
            ActionGraph.START, phase, "setup", None, rules.setup, rules.setup_span, rules.setup_cites
        )
        self.add_routine(ActionGraph.PLAY, phase, "play", None, rules.play, rules.play_span, rules.play_cites)
        rank = rules.rank
        self.node(end, phase, "end of the game", rank.span, routine=end, role="end", cites=rank.cites)
        self.edge(f"{ActionGraph.START}/end", ActionGraph.PLAY, EdgeKind.THEN)
        self.edge(f"{ActionGraph.PLAY}/end", end, EdgeKind.THEN)
        self.reads(end, *rank.keys)
        for name in rules.scores:
            self.edge(end, f"score.{name}", EdgeKind.READS)

    def add_trigger(self, name: str, trigger: Trigger) -> None:
        start = f"trigger.{name}"
        body, span, cites = trigger.body, trigger.span, trigger.cites
        self.add_routine(start, NodeKind.TRIGGER, f"trigger {name}", trigger, body, span, cites)
        event = trigger.event
        match event:
            case OnEnter():
                for place in (*(f"zone.{z}" for z in event.zones), *(f"board.{b}" for b in event.boards)):
                    self.edge(start, place, EdgeKind.READS, "enters")
            case OnGain(var=None):
                self.edge(start, f"zone.{event.zone}", EdgeKind.READS, "gains")
            case OnGain(var=str() as var):
                self.edge(start, variable_node(self.rulebook, var), EdgeKind.READS, "gains")
            case OnCondition():
                self.reads(start, event.condition)
        self.reads(start, trigger.guard)

    def add_routine(
        self,
        start: str,
        kind: NodeKind,
        title: str,
        owns: Owned,
        body: tuple[Stmt, ...],
        span: Span,
        cites: tuple[str, ...],
    ) -> None:
        end = f"{start}/end"
        self.node(start, kind, title, span, routine=start, role="start", owns=owns, cites=cites)
        entry, nodes = self._body(body, _Where(start, start, start, (end, EdgeKind.THEN), None))
        self._set_parts(start, Part("", nodes))
        self.node(end, kind, f"end of {title}", span, routine=start, role="end")
        self.edge(start, entry[0], EdgeKind.THEN)

    def _set_parts(self, node_id: str, *parts: Part) -> None:
        self.nodes[node_id] = replace(self.nodes[node_id], parts=parts)

    # -------------------------------------------------------------------------------------- statements

    def _body(self, body: Sequence[Stmt], where: _Where) -> tuple[tuple[str, EdgeKind], tuple[str, ...]]:
        """Builds a body; gives what leads into it (into an empty one: what follows it), and its nodes."""
        ids = [f"{where.prefix}/{number}.{stmt_word(stmt)}" for number, stmt in enumerate(body)]
        entries = [*((node_id, EdgeKind.THEN) for node_id in ids), where.follow]
        nodes: list[str] = []
        for number, stmt in enumerate(body):
            triggers = self.fires.after(stmt)
            fires = [f"{ids[number]}/fire.{trigger.name}" for trigger in triggers]
            chain = [*((fire, EdgeKind.THEN) for fire in fires), entries[number + 1]]
            self._statement(stmt, ids[number], replace(where, follow=chain[0], past_body=where.follow))
            for trigger, fire, after in zip(triggers, fires, chain[1:], strict=True):
                self.node(
                    fire,
                    NodeKind.TRIGGER,
                    f"trigger {trigger.name}?",
                    stmt.span,
                    routine=where.routine,
                    role="fire",
                    parent=where.parent,
                    owns=trigger,
                    cites=trigger.cites,
                )
                self.edge(fire, f"trigger.{trigger.name}", EdgeKind.TRIGGERS)
                self.edge(fire, *after)
            nodes += [ids[number], *fires]
        return entries[0], tuple(nodes)

    def _statement(self, stmt: Stmt, node_id: str, where: _Where) -> None:
        """The node of a statement with its edges, and all that stands in it."""
        self.node(
            node_id,
            _kind(stmt),
            title_of(stmt, self.rulebook.seats),
            stmt.span,
            routine=where.routine,
            role="enter" if isinstance(stmt, Loop) else "",
            parent=where.parent,
            owns=stmt,
            cites=stmt.cites,
        )
        match stmt:
            case If():
                self.reads(node_id, stmt.condition)
                self._set_parts(
                    node_id,
                    self._part(stmt.then, "yes", node_id, node_id, where),
                    self._part(stmt.otherwise, "no", node_id, node_id, where),
                )
            case ForEach() | EachPlayer() | Rounds() | While() | Times():
                self._loop(stmt, node_id, where)
            case Choose():
                self._choose(stmt, node_id, where)
            case Stop():
                self.edge(node_id, self._stop_target(stmt, where), EdgeKind.THEN)
            case EndGame():
                self.edge(node_id, ActionGraph.END, EdgeKind.THEN)
            case _:
                self._effect(stmt, node_id)
                self.edge(node_id, *where.follow)

    def _effect(self, stmt: Stmt, node_id: str) -> None:
        self.reads(node_id, *own_exprs(stmt))
        for target, label in sorted(writes_of(self.rulebook, stmt)):
            self.edge(node_id, target, EdgeKind.WRITES, label)
        match stmt:
            case Do():
                self.edge(node_id, f"step.{stmt.step}", EdgeKind.DOES)
            case DoAction():
                for case in self.rulebook.actions[stmt.action].cases:
                    self.edge(node_id, f"action.{stmt.action}.{case.label}", EdgeKind.DOES, case.label)
            case _:
                pass

    def _part(self, body: tuple[Stmt, ...], label: str, owner: str, source: str, where: _Where) -> Part:
        """A part of `owner`, with the option edge from `source` into it."""
        inside = replace(where, parent=owner, prefix=f"{owner}/{label}")
        entry, nodes = self._body(body, inside)
        self.edge(source, entry[0], EdgeKind.OPTION, label)
        return Part(label, nodes)

    def _loop(self, stmt: Loop, node_id: str, where: _Where) -> None:
        head = f"{node_id}/next"
        self.node(
            head,
            NodeKind.LOOP,
            f"next of {title_of(stmt, self.rulebook.seats)}",
            stmt.span,
            routine=where.routine,
            role="next",
            parent=node_id,
            owns=stmt,
            cites=stmt.cites,
        )
        self.edge(node_id, head, EdgeKind.THEN)
        at_enter, at_head = loop_exprs(stmt)
        self.reads(node_id, *at_enter)
        self.reads(head, *at_head)
        inside = _Where(where.routine, node_id, node_id, (head, EdgeKind.REPEATS), where.follow[0])
        entry, nodes = self._body(stmt.body, inside)
        self._set_parts(node_id, Part("body", nodes))
        self.edge(head, entry[0], EdgeKind.OPTION, "body")
        if not (isinstance(stmt, While) and stmt.condition is None):
            self.edge(head, *where.follow)

    def _choose(self, stmt: Choose, node_id: str, where: _Where) -> None:
        self.reads(node_id, stmt.chooser)
        parts: list[Part] = []
        for label, case in zip(case_labels(stmt), stmt.cases, strict=True):
            case_id = f"{node_id}/{label}"
            self._case(case, case_id, label, replace(where, parent=node_id))
            self.edge(node_id, case_id, EdgeKind.OPTION, label)
            parts.append(Part(label, (case_id,)))
        if stmt.none is not None:
            parts.append(self._part(stmt.none, "none", node_id, node_id, where))
        if self.eliminates:
            past = where.past_body if stmt.short else where.follow
            assert past is not None
            self.edge(node_id, past[0], EdgeKind.OPTION, OUT)
        self._set_parts(node_id, *parts)

    def _case(self, case: Case, case_id: str, label: str, where: _Where) -> None:
        self.node(
            case_id,
            NodeKind.CHOICE,
            case_title(case, self.rulebook.seats),
            case.span,
            routine=where.routine,
            role="case",
            parent=where.parent,
            owns=case,
            cites=case.cites,
        )
        self.reads(case_id, *own_exprs(case))
        entry, nodes = self._body(case.body, replace(where, parent=case_id, prefix=case_id))
        self._set_parts(case_id, Part("", nodes))
        self.edge(case_id, *entry)

    def _stop_target(self, stmt: Stop, where: _Where) -> str:
        if stmt.target is not None:
            return f"step.{stmt.target}/end"
        return where.past_loop or f"{where.routine}/end"


def loop_exprs(stmt: Loop) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """What a loop reads once when it is entered, and what it reads at its head every time round."""
    match stmt:
        case ForEach():
            return (stmt.source,), ()
        case Times():
            return (stmt.times,), ()
        case EachPlayer():
            return (stmt.start,), (() if stmt.guard is None else (stmt.guard,))
        case Rounds():
            return (), (stmt.start, *(() if stmt.guard is None else (stmt.guard,)))
        case While():
            return (), (() if stmt.condition is None else (stmt.condition,))


def _kind(stmt: Stmt) -> NodeKind:
    match stmt:
        case If():
            return NodeKind.BRANCH
        case ForEach() | EachPlayer() | Rounds() | While() | Times():
            return NodeKind.LOOP
        case Choose():
            return NodeKind.CHOICE
        case Chance() | Draw() | Look():
            return NodeKind.CHANCE
        case _:
            return NodeKind.EFFECT
