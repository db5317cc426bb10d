"""Rules that cannot matter in a ruleset, as they are about kinds of pieces that it has none of.

Purpose: a search need not look for them, and whoever reads what it found is told why. Input: an action graph,
its rules, numbers of players. Output: the kinds that are absent; by rule, those that it waits for.
Invariants: a kind is absent where no set-up that the census runs brings one in, with any of these numbers of
players, and nothing in play makes one; where one of those set-ups fails nothing is known. A rule is named
where its conditions, by themselves, allow it to be come to if there were such pieces, and not without them;
what else stands in its way does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from conche.graph.expressions import children, own_exprs
from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.lattice.census import census
from conche.lattice.goals import Kind, Need, called_by, needs_of, reach_of
from conche.lattice.rules import Rule, span_of
from conche.semantics import rulebook as rb

SEEDS = 2
"""Set-ups with chance of their own; the census leans to and from every outcome besides."""


def absent_kinds(graph: ActionGraph, players: Iterable[int]) -> dict[str, frozenset[str]]:
    """The kinds of pieces of which there never is one, by name: by family where there is none of it."""
    there = set(_made_in_play(graph))
    for count in players:
        taken = census(graph, count, seeds=SEEDS, thorough=True)
        if taken.found:
            return {}
        there |= {(total.piece, total.kind) for total in taken.totals if total.number.high > 0}
    found: dict[str, set[str]] = {}
    for piece in graph.rulebook.pieces.values():
        gone = [kind for kind in piece.kinds if (piece.name, kind.written) not in there]
        left = {kind.family for kind in piece.kinds if (piece.name, kind.written) in there}
        for kind in gone:
            found.setdefault(kind.written if kind.family in left else kind.family, set()).add(kind.name)
    return {name: frozenset(kinds) for name, kinds in found.items()}


def _made_in_play(graph: ActionGraph) -> Iterator[tuple[str, str]]:
    """Kinds that something outside the set-up can put into the game, as written."""
    rules, (play, _) = graph.rulebook, reach_of(graph)
    for node in graph.nodes():
        if node.routine not in play or node.role not in ("", "enter"):
            continue
        for zone, kind in _made(node.owns):
            of = rules.zones[zone].of
            if of in rules.conserved or of not in rules.pieces:
                continue
            name = kind.value if isinstance(kind, rb.Lit) else None
            for one in rules.pieces[of].kinds:
                if name is None or name in (one.name, one.family):
                    yield of, one.written


def _made(stmt: object) -> Iterator[tuple[str, rb.Expr]]:
    match stmt:
        case rb.Put():
            yield from ((stmt.zone.name, kind) for _, kind in stmt.items)
        case rb.GainPieces():
            yield stmt.zone.name, stmt.kind
        case rb.Swap():
            yield stmt.zone.name, stmt.new


def waiting_for(
    graph: ActionGraph, rules: Sequence[Rule], absent: dict[str, frozenset[str]]
) -> dict[int, tuple[str, ...]]:
    """By rule that cannot be come to, the absent kinds of which there would have to be some."""
    if not absent:
        return {}
    everything = _Open(graph, frozenset()).rules(rules)
    closed = everything - _Open(graph, frozenset[str]().union(*absent.values())).rules(rules)
    found: dict[int, list[str]] = {number: [] for number in sorted(closed)}
    for name in sorted(absent) if closed else ():
        others = frozenset[str]().union(*(kinds for other, kinds in absent.items() if other != name))
        for number in closed & _Open(graph, others).rules(rules):
            found[number].append(name)
    return {number: tuple(names or sorted(absent)) for number, names in found.items()}


class _Open:
    """What can be come to, as far as conditions say, with no pieces of the absent kinds."""

    def __init__(self, graph: ActionGraph, absent: frozenset[str]) -> None:
        self.graph, self.book, self.absent = graph, graph.rulebook, absent
        self._known: dict[tuple[str, Kind], bool] = {}
        self.nodes: set[str] = set()
        self.spans: set[object] = set()
        self._queries: set[str] = set()
        self._walk()

    def rules(self, rules: Sequence[Rule]) -> set[int]:
        return {number for number, rule in enumerate(rules) if self._is_open(rule)}

    def _is_open(self, rule: Rule) -> bool:
        if rule.node is not None:
            return rule.node in self.nodes
        if rule.kind == "score":
            return not self.never(Kind.WORTH, self.book.scores[rule.title.removeprefix("score ")].value)
        return rule.span in self.spans

    # ------------------------------------------------------------------------------------ what runs

    def _walk(self) -> None:
        within: dict[str, list[Node]] = {}
        for node in self.graph.nodes():
            within.setdefault(node.routine, []).append(node)
        todo = [ActionGraph.START, ActionGraph.PLAY]
        routines = set(todo)
        while todo:
            for node in within.get(todo.pop(), ()):
                if any(self._fails(need) for need in needs_of(self.graph, node)):
                    continue
                self.nodes.add(node.id)
                if isinstance(node.owns, rb.Stmt | rb.Case):
                    self._look(own_exprs(node.owns))
                for (kind, _), target in sorted(self.graph.control(node.id).items()):
                    if kind not in (EdgeKind.DOES, EdgeKind.TRIGGERS) or target in routines:
                        continue
                    start = self.graph.node(target)
                    if not self._fires(start) or any(self._fails(need) for need in called_by(node, start)):
                        continue
                    routines.add(target)
                    todo.append(target)
        for trigger in self.book.triggers.values():
            condition = trigger.event.condition if isinstance(trigger.event, rb.OnCondition) else None
            self._look([one for one in (condition, trigger.guard) if one is not None])
        self._look([score.value for score in self.book.scores.values()])
        self._look(self.book.rank.keys)

    def _fires(self, start: Node) -> bool:
        match start.owns:
            case rb.Trigger(event=rb.OnEnter(kinds=kinds)):
                return not kinds or not self.absent.issuperset(kinds)
            case _:
                return True

    def _look(self, exprs: Iterable[rb.Expr]) -> None:
        """Notes what can be worked out in these expressions, and in the queries that they ask."""
        todo = list(exprs)
        while todo:
            expr = todo.pop()
            self.spans.add(span_of(expr))
            match expr:
                case rb.Call() if expr.query not in self._queries:
                    self._queries.add(expr.query)
                    todo += [*self._open_cases(self.book.queries[expr.query]), *expr.args]
                case rb.Cond():
                    todo.append(expr.condition)
                    todo += [] if self.never(Kind.YES, expr.condition) else [expr.then]
                    todo += [] if self.never(Kind.NO, expr.condition) else [expr.otherwise]
                case rb.Binary(op="and" | "or"):
                    kind = Kind.YES if expr.op == "and" else Kind.NO
                    todo += [expr.left] if self.never(kind, expr.left) else [expr.left, expr.right]
                case rb.Fold():
                    todo.append(expr.source)
                    if not self.never(Kind.SOME, expr.source):
                        todo += [expr.where] if expr.where is not None else []
                        if expr.body is not None and not self._picks_none(expr):
                            todo.append(expr.body)
                case _:
                    todo += children(expr)

    def _open_cases(self, query: rb.Query) -> Iterator[rb.Expr]:
        yield from (let.value for let in query.lets)
        for case in query.cases:
            if case.condition is None:
                yield case.value
                continue
            yield case.condition
            if not self.never(Kind.YES, case.condition):
                yield case.value
            if self.never(Kind.NO, case.condition):
                return

    # ------------------------------------------------------------------------------------ what cannot be

    def _fails(self, need: Need) -> bool:
        return self.never(need.kind, need.expr) or any(
            self.never(Kind.SOME, source) for _, source in need.within
        )

    def never(self, kind: Kind, expr: rb.Expr) -> bool:
        """Whether an expression can never be what is asked of it. False where that is not plain."""
        match kind, expr:
            case ((Kind.YES | Kind.NO), rb.Unary(op="not")):
                return self.never(Kind.NO if kind is Kind.YES else Kind.YES, expr.operand)
            case ((Kind.YES | Kind.NO), rb.Binary(op="and" | "or")):
                left, right = (self.never(kind, part) for part in (expr.left, expr.right))
                return left or right if (expr.op == "and") == (kind is Kind.YES) else left and right
            case _, rb.Cond():
                then = self.never(Kind.YES, expr.condition) or self.never(kind, expr.then)
                return then and (self.never(Kind.NO, expr.condition) or self.never(kind, expr.otherwise))
            case _, rb.Call():
                return self._query_never(kind, expr.query)
            case Kind.YES, rb.IsKind():
                return bool(expr.kinds) and self.absent.issuperset(expr.kinds)
            case Kind.YES, rb.IsPiece():
                return self._has_none(expr.piece)
            case Kind.YES, rb.Fold(op="any"):
                return self._picks_none(expr) or (expr.body is not None and self.never(kind, expr.body))
            case Kind.NO, rb.Fold(op="all"):
                return self._picks_none(expr) or (expr.body is not None and self.never(kind, expr.body))
            case Kind.YES, rb.IsEmpty():
                return False
            case Kind.NO, rb.IsEmpty():
                return self.never(Kind.SOME, expr.value)
            case Kind.YES, rb.Binary(op="in"):
                return self._is_absent(expr.left) or self.never(Kind.SOME, expr.right)
            case Kind.YES, rb.Binary(op=">", right=rb.Lit(value=int(most))):
                return most >= 0 and self.never(Kind.WORTH, expr.left)
            case Kind.YES, rb.Binary(op=">=", right=rb.Lit(value=int(least))):
                return least > 0 and self.never(Kind.WORTH, expr.left)
            case Kind.SOME, rb.Fold(op="each"):
                return self._picks_none(expr)
            case Kind.SOME, rb.ZoneRef():
                return self._has_none(self.book.zones[expr.name].of)
            case Kind.SOME, rb.ZoneKinds():
                return self.never(kind, expr.zone)
            case Kind.WORTH, rb.ZoneCount():
                return self.never(Kind.SOME, expr.zone)
            case Kind.WORTH, rb.ZoneHolds():
                return self._is_absent(expr.kind) or self.never(Kind.SOME, expr.zone)
            case Kind.WORTH, rb.Fold(op="count"):
                return self._picks_none(expr)
            case Kind.WORTH, rb.Fold(op="sum" | "most" | "least"):
                return self._picks_none(expr) or (expr.body is not None and self.never(kind, expr.body))
            case Kind.WORTH, rb.Binary(op="*"):
                return self.never(kind, expr.left) or self.never(kind, expr.right)
            case Kind.WORTH, rb.Binary(op="+" | "-"):
                return self.never(kind, expr.left) and self.never(kind, expr.right)
            case Kind.WORTH, rb.Lit():
                return expr.value == 0
            case _:
                return False

    def _query_never(self, kind: Kind, name: str) -> bool:
        if (name, kind) not in self._known:
            self._known[name, kind] = False  # queries do not call themselves
            self._known[name, kind] = all(
                (case.condition is not None and self.never(Kind.YES, case.condition))
                or self.never(kind, case.value)
                for case in self.book.queries[name].cases
            )
        return self._known[name, kind]

    def _picks_none(self, fold: rb.Fold) -> bool:
        return self.never(Kind.SOME, fold.source) or (
            fold.where is not None and self.never(Kind.YES, fold.where)
        )

    def _is_absent(self, kind: rb.Expr) -> bool:
        return isinstance(kind, rb.Lit) and kind.value in self.absent

    def _has_none(self, of: str) -> bool:
        piece = self.book.pieces.get(of)
        return piece is not None and all(kind.name in self.absent for kind in piece.kinds)
