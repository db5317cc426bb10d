"""Which choices have options that not all can work out.

Input: a rulebook and the nodes of its graph. Output: the ids of the *private* choices: those whose
conditions, sources or values read what is not open, through queries and locals. Who has to answer one, and
who had but one answer, must not show.
Invariants: blind to the order in which things happen, so that what has been revealed counts as secret still:
too many choices are private, never too few. The number of pieces in a zone is open.

`secret_choices` are choices made `secretly` that can be made anew from what is on the table: whose cases do
nothing but set variables of the player who chose, and which read no other local than him.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conche.graph.expressions import SIZE, own_exprs, query_exprs, reads_of, walk
from conche.graph.model import Node
from conche.semantics.rulebook import (
    Action,
    AddTo,
    Case,
    Chance,
    Choose,
    Do,
    DoAction,
    DropFrom,
    EachPlayer,
    Expr,
    Fold,
    ForEach,
    GainVar,
    Let,
    Local,
    OnCondition,
    OnEnter,
    OnGain,
    PayVar,
    PlayerVar,
    Reveal,
    Rounds,
    Rulebook,
    SetPlace,
    Slot,
    Stmt,
    Trigger,
)


def private_choices(rulebook: Rulebook, nodes: Mapping[str, Node]) -> frozenset[str]:
    """The ids of the choices."""
    secret = _Secret(rulebook)
    while True:
        before = len(secret.locals)
        for node in nodes.values():
            secret.spread(node, nodes)
        if len(secret.locals) == before:
            break
    return frozenset(
        node.id
        for node in nodes.values()
        if isinstance(node.owns, Choose) and node.role == "" and secret.any(_asked_by(node.owns))
    )


def secret_choices(nodes: Mapping[str, Node]) -> dict[str, frozenset[str]]:
    """By the id of the choice, the variables that its cases set."""
    found: dict[str, frozenset[str]] = {}
    for node in nodes.values():
        loop = node.owns
        if isinstance(loop, EachPlayer) and loop.at_once == "secretly" and node.role == "enter":
            (choose,) = loop.body
            assert isinstance(choose, Choose)
            names = [_set_by(case, loop.slot) for case in choose.cases]
            if None not in names:
                (choice,) = node.parts[0].nodes
                found[choice] = frozenset[str]().union(*(name for name in names if name is not None))
    return found


def touched_by(stmt: Stmt) -> list[tuple[str, Expr]]:
    """The variables of players that a statement changes or reveals."""
    match stmt:
        case SetPlace(target=PlayerVar(name=name, player=player)):
            return [(name, player)]
        case AddTo(target=PlayerVar(name=name, player=player)):
            return [(name, player)]
        case DropFrom(target=PlayerVar(name=name, player=player)):
            return [(name, player)]
        case Reveal(value=PlayerVar(name=name, player=player)):
            return [(name, player)]
        case GainVar(var=name, player=player):
            return [(name, player)]
        case PayVar(var=name, player=player, to=to):
            return [(name, player), *([] if to is None else [(name, to)])]
        case _:
            return []


def _set_by(case: Case, player: Slot) -> frozenset[str] | None:
    """The variables of a player that a case sets; None where it does something else."""
    names: set[str] = set()
    exprs = list(own_exprs(case))
    for stmt in case.body:
        match stmt:
            case SetPlace(target=PlayerVar(name=name, player=Local(slot=slot)), value=value) if (
                slot == player
            ):
                names.add(name)
                exprs.append(value)
            case _:
                return None
    own = {player, *(binder.slot for binder in case.binders)}
    parts = list(walk(*exprs))
    own |= {part.slot for part in parts if isinstance(part, Fold)}
    is_own = all(part.slot in own for part in parts if isinstance(part, Local))
    return frozenset(names) if is_own else None


def _asked_by(choose: Choose) -> Iterable[Expr]:
    return (expr for case in choose.cases for expr in own_exprs(case))


class _Secret:
    """What is not open: data by node, queries that read such, and the locals that hold it."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._data = _not_open(rulebook)
        self.locals: set[Slot] = set()
        grows = bool(self._data)
        while grows:
            grows = False
            for name, query in rulebook.queries.items():
                if f"query.{name}" not in self._data and self.any(query_exprs(query)):
                    self._data.add(f"query.{name}")
                    grows = True

    def any(self, exprs: Iterable[Expr]) -> bool:
        parts = tuple(exprs)
        reads = {node for node, part in reads_of(self._rulebook, parts) if part != SIZE}
        if not reads.isdisjoint(self._data):
            return True
        return any(isinstance(part, Local) and part.slot in self.locals for part in walk(*parts))

    def spread(self, node: Node, nodes: Mapping[str, Node]) -> None:
        """Into the locals that a node gives a value."""
        match node.owns:
            case Let(slot=slot, value=value) | ForEach(slot=slot, source=value):
                self._bind((slot,), value)
            case Chance(slot=slot, source=value):
                self._bind((slot,), value)
            case EachPlayer(slot=slot, start=value) | Rounds(slot=slot, start=value):
                self._bind((slot,), value)
            case SetPlace(target=Local(slot=slot), value=value) | AddTo(target=Local(slot=slot), value=value):
                self._bind((slot,), value)
            case DropFrom(target=Local(slot=slot), value=value):
                self._bind((slot,), value)
            case Case() if node.role == "case":
                self._case(node.owns, _is_secretly(node, nodes))
            case Do(step=step, args=args):
                for slot, arg in zip(self._rulebook.steps[step].params, args, strict=True):
                    self._bind((slot,), arg)
            case DoAction():
                self._action(node.owns, self._rulebook.actions[node.owns.action])
            case Trigger(event=event, params=params) if node.role == "start":
                self._trigger(event, params)
            case _:
                pass

    def _bind(self, slots: Iterable[Slot], *values: Expr | None) -> None:
        if self.any(value for value in values if value is not None):
            self.locals.update(slots)

    def _case(self, case: Case, secretly: bool) -> None:
        """An argument is shown when it is chosen, unless it is hidden or chosen secretly."""
        for binder in case.binders:
            if secretly:
                self.locals.add(binder.slot)
            elif binder.hidden:
                self._bind((binder.slot,), binder.source, binder.value)

    def _action(self, stmt: DoAction, action: Action) -> None:
        for case in action.cases:
            self._bind((slot for slot, _ in case.bound), stmt.subject)
            for slot, arg in zip(case.params, stmt.args, strict=True):
                self._bind((slot,), arg)

    def _trigger(self, event: OnEnter | OnGain | OnCondition, params: tuple[Slot, ...]) -> None:
        match event:
            case OnEnter(zones=zones):
                touched = {f"zone.{zone}" for zone in zones}
            case OnGain(var=var, zone=zone):
                touched = {f"zone.{zone}" if var is None else f"var.{var}"}
            case OnCondition():
                touched = set()
        if not touched.isdisjoint(self._data):
            self.locals.update(params)


def _is_secretly(case: Node, nodes: Mapping[str, Node]) -> bool:
    loop = nodes[nodes[case.parent or ""].parent or ""].owns
    return isinstance(loop, EachPlayer) and loop.at_once == "secretly"


def _not_open(rulebook: Rulebook) -> set[str]:
    found = {f"zone.{zone.name}" for zone in rulebook.zones.values() if zone.visibility != "open"}
    found |= {f"track.{track.name}" for track in rulebook.tracks.values() if track.visibility != "open"}
    found |= {f"var.{var.name}" for var in rulebook.variables.values() if var.visibility != "open"}
    for board in rulebook.boards.values():
        found |= {f"board.{board.name}.{v.name}" for v in board.attributes if v.visibility != "open"}
    return found
