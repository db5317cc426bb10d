"""Where a saved game stands: which of its places is which place of the new rules.

Purpose: a game is saved inside a turn, with routines under way and loops half gone through.
Input: the engine of the old rules, a state of it, and the comparison. Output: `Standing`: the routines under
way, and of the places and locals in them those of the new rules.
Invariants: nothing is guessed. Each place that the game stands in has a counterpart of the same sort in the
same order; what comes after it may be other than it was. Statements that the new rules have before it, or
have moved from one side of it to the other, are refused with a `NotMigratedError`: they would be left out, or
done twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from conche.codegen.origins import Origins
from conche.codegen.routines import Routines
from conche.compare.compare_versions import Compared
from conche.compare.describe import name_of
from conche.compare.names import Name, Renames
from conche.compare.not_migrated import NotMigratedError
from conche.compare.tree_diff import Lists
from conche.graph.model import ActionGraph, EdgeKind, Node
from conche.graph.order import nested
from conche.semantics import rulebook as rb
from conche_runtime.state import EngineState

SlotKey = tuple[str, int]
"""A local: its owner and its number there."""

INSIDE = "the game stands inside what has changed; play on to the end of that first"


@dataclass(frozen=True, slots=True)
class Frame:
    """A routine under way and the place in it: a choice, or what has called the routine before it in the
    list. Several `points` where they all go on at the same place."""

    routine: str
    points: tuple[str, ...]


@dataclass(slots=True)
class Standing:
    """`point`: the choice where the game waits. `returns`: by routine under way, the node to go on at.
    `nodes`: the places that the game stands in, by their ids in the old rules. `slots`: the locals that can
    be seen there, by what they are now; None for one that is new. `cases`: of the choice, the numbers of its
    cases now."""

    point: str = ""
    returns: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    slots: dict[SlotKey, SlotKey | None] = field(default_factory=dict)
    cases: dict[int, int] = field(default_factory=dict)


def standing(compared: Compared, origins: Origins, state: EngineState) -> Standing:
    """Where a state that waits at a choice stands in the new rules."""
    old, new = compared.old.graph, compared.new.graph
    frames = _frames(old, origins, state)
    found = Standing()
    matcher = _Matcher(compared, found)
    below: str | None = None
    for frame in frames:
        routine = _now(frame.routine, compared.matched.renames)
        points = [matcher.point(frame.routine, routine, point) for point in frame.points]
        if below is not None:
            for point in points:
                if below not in {
                    target for (kind, _), target in new.control(point).items() if kind in _CALLS
                }:
                    raise NotMigratedError(
                        INSIDE, [f"{_said(new.node(point))} does not run {below} any longer"]
                    )
            backs = {back_of(new, point) for point in points}
            if len(backs) > 1:
                raise NotMigratedError(INSIDE, [f"{below} is run from several places of {routine}"])
            found.returns[below] = backs.pop()
        else:
            found.point = points[0]
        below = routine
    choice, now = old.node(frames[0].points[0]).owns, new.node(found.point).owns
    assert isinstance(choice, rb.Choose)
    assert isinstance(now, rb.Choose)
    found.cases = matcher.cases
    return found


_CALLS = (EdgeKind.DOES, EdgeKind.TRIGGERS)


def back_of(graph: ActionGraph, site: str) -> str:
    """The node to go on at after the call at a node."""
    following = graph.then(site)
    return site if graph.node(site).role == "fire" or following is None else following


def _frames(graph: ActionGraph, origins: Origins, state: EngineState) -> list[Frame]:
    """The routines under way, the innermost first."""
    program, names = origins.program, origins.names
    number = state.game.decisions.index(state.at)
    point = program.decisions[number].id
    blocks = {name: block for block, name in names.blocks.items()}
    calls = Routines(graph)
    frames = [Frame(graph.node(point).routine, (point,))]
    while not frames[-1].routine.startswith("phase."):
        routine = frames[-1].routine
        sites = calls.by_id[routine].sites
        if routine in names.returns:
            block = getattr(state, names.returns[routine])
            back = None if block is None else blocks[block.__name__]
            sites = [site for site in sites if back_of(graph, site) == back]
        if not sites:
            raise NotMigratedError("it cannot be told where the game stands", [routine])
        frames.append(Frame(graph.node(sites[0]).routine, tuple(sites)))
    return frames


def _now(routine: str, renames: Renames) -> str:
    """What a routine is called in the new names."""
    kind, _, name = routine.partition(".")
    if kind == "action":
        action, _, label = name.partition(".")
        action = renames.get(Name("action", action), action)
        label = renames.get(Name("family", label)) or renames.get(Name("kind", label)) or label
        return f"action.{action}.{label}"
    return f"{kind}.{renames.get(Name(kind, name), name)}"


def _said(node: Node) -> str:
    """A place in words."""
    return f"{name_of(node.owns)} ({node.routine})" if node.owns is not None else node.id


class _Matcher:
    """Goes down from a routine to a place in it, on both sides."""

    def __init__(self, compared: Compared, found: Standing) -> None:
        self.graphs = (compared.old.graph, compared.aligned.graph, compared.new.graph)
        self.books = (compared.matched.old, compared.new.rulebook)
        self.found = found
        self.cases: dict[int, int] = {}

    def point(self, old_routine: str, routine: str, point: str) -> str:
        """The node of the new rules for a node of a routine of the old ones."""
        old, aligned, new = self.graphs
        if routine not in new or routine not in aligned:
            raise NotMigratedError(INSIDE, [f"{old_routine} is gone"])
        ids = dict(
            zip(
                (node.id for _, node in nested(old, old_routine)),
                (node.id for _, node in nested(aligned, routine)),
                strict=True,
            )
        )
        names = {now: before for before, now in ids.items()}
        ours, theirs = (self._declared(side, routine) for side in (0, 1))
        lists = Lists(ours, theirs)
        self._slots(aligned.node(routine).owns, new.node(routine).owns)
        here = aligned.node(ids[point])
        chain = [here]
        while chain[-1].id != routine:
            chain.append(aligned.node(chain[-1].parent or routine))
        chain.reverse()
        now = new.node(routine)
        for outer, inner in pairwise(chain):
            now = self._within(lists, outer, inner, now)
            self.found.nodes[names[inner.id]] = now.id
        if isinstance(here.owns, rb.Choose):
            self.cases = _numbers(lists, here.owns, now.owns)
        return now.id

    def _declared(self, side: int, routine: str) -> object:
        book = self.books[side]
        phases = {ActionGraph.START: book.setup, ActionGraph.PLAY: book.play}
        return phases[routine] if routine in phases else self.graphs[side + 1].node(routine).owns

    def _within(self, lists: Lists, outer: Node, inner: Node, now: Node) -> Node:
        """The node in `now` that is `inner` in `outer`."""
        _, aligned, new = self.graphs
        if inner.role == "case":
            numbers = _numbers(lists, outer.owns, now.owns)
            place = next(number for number, part in enumerate(outer.parts) if inner.id in part.nodes)
            if place not in numbers:
                raise NotMigratedError(INSIDE, [f"{_said(inner)} is gone"])
            found = new.node(now.parts[numbers[place]].nodes[0])
            self._slots(inner.owns, found.owns)
            return found
        label = next(part.label for part in outer.parts if inner.id in part.nodes)
        ours = _statements(aligned, outer, label)
        theirs = _statements(new, now, label)
        fire = inner if inner.role == "fire" else None
        stmt = aligned.node(inner.id.rpartition("/")[0]) if fire is not None else inner
        at = next(place for place, node in enumerate(ours) if node.id == stmt.id)
        found = self._statement(lists, ours, theirs, at, inner)
        if fire is not None:
            return self._fire(fire, found, now, label)
        self._same_sort(stmt, found)
        self._slots(stmt.owns, found.owns)
        return found

    def _statement(
        self, lists: Lists, ours: Sequence[Node], theirs: Sequence[Node], at: int, inner: Node
    ) -> Node:
        """The partner of a statement in a body; those before it must be done in both."""
        pairs = lists.pairs([node.owns for node in ours], [node.owns for node in theirs])
        places = [(_place(ours, pair.old), _place(theirs, pair.new), pair.moved) for pair in pairs]
        now = next((new for old, new, moved in places if old == at and not moved), None)
        if now is None:
            raise NotMigratedError(INSIDE, [f"{_said(inner)} is gone, or stands elsewhere"])
        for old, new, _ in places:
            if new is None or new == now or old == at:
                continue
            if old is None and new < now:
                raise NotMigratedError(
                    INSIDE, [f"{_said(theirs[new])} is new, and comes before the place where the game stands"]
                )
            if old is not None and (old < at) != (new < now):
                raise NotMigratedError(
                    INSIDE, [f"{_said(theirs[new])} has changed sides with the place where the game stands"]
                )
            if old is not None and old < at:
                self._slots(ours[old].owns, theirs[new].owns)
        return theirs[now]

    def _fire(self, fire: Node, stmt: Node, now: Node, label: str) -> Node:
        """The place after a statement where the same trigger is tried."""
        new = self.graphs[2]
        assert isinstance(fire.owns, rb.Trigger)
        for part in now.parts:
            for node in (new.node(node_id) for node_id in part.nodes):
                if part.label == label and node.role == "fire" and node.id.startswith(f"{stmt.id}/"):
                    assert isinstance(node.owns, rb.Trigger)
                    if node.owns.name == fire.owns.name:
                        return node
        raise NotMigratedError(INSIDE, [f"{_said(stmt)} does not set off {fire.owns.name} any longer"])

    def _same_sort(self, old: Node, new: Node) -> None:
        """A loop keeps what is left of it in the same way."""
        match old.owns, new.owns:
            case rb.EachPlayer(at_once=before), rb.EachPlayer(at_once=after) if before == after:
                same = True
            case rb.Rounds(until_pass=before), rb.Rounds(until_pass=after) if before == after:
                same = True
            case ((rb.EachPlayer() | rb.Rounds()), _):
                same = False
            case before, after:
                same = type(before) is type(after)
        if not same:
            raise NotMigratedError(INSIDE, [f"{_said(old)} is another sort of loop now"])

    def _slots(self, old: object, new: object) -> None:
        """The locals that two partners declare: by name, then by order."""
        ours, theirs = _declares(old), _declares(new)
        by_name = {slot.name: slot for slot in theirs}
        left = [slot for slot in theirs if slot.name not in {one.name for one in ours}]
        for slot in theirs:
            self.found.slots.setdefault((slot.owner, slot.number), None)
        for slot in ours:
            partner = by_name.get(slot.name)
            if partner is None:
                partner = next((one for one in left if type(one.type) is type(slot.type)), None)
                if partner is None:
                    continue
                left.remove(partner)
            self.found.slots[partner.owner, partner.number] = (slot.owner, slot.number)


def _numbers(lists: Lists, old: object, new: object) -> dict[int, int]:
    """The numbers of a choice's cases in the new rules."""
    assert isinstance(old, rb.Choose)
    assert isinstance(new, rb.Choose)
    found: dict[int, int] = {}
    for pair in lists.pairs(old.cases, new.cases):
        if pair.old is not None and pair.new is not None:
            found[_index(old.cases, pair.old)] = _index(new.cases, pair.new)
    return found


def _index(items: Sequence[object], item: object) -> int:
    return next(place for place, one in enumerate(items) if one is item)


def _place(nodes: Sequence[Node], owned: object) -> int | None:
    return next((place for place, node in enumerate(nodes) if node.owns is owned), None)


def _statements(graph: ActionGraph, outer: Node, label: str) -> list[Node]:
    """The statements of a part, without the places of triggers."""
    found = [node_id for part in outer.parts if part.label == label for node_id in part.nodes]
    return [node for node in map(graph.node, found) if node.role != "fire"]


def _declares(node: object) -> tuple[rb.Slot, ...]:
    match node:
        case rb.Step(params=params):
            return params
        case rb.ActionCase(bound=bound, params=params):
            return (*(slot for slot, _ in bound), *params)
        case rb.Trigger(event=rb.OnGain(player=player, amount=amount), params=params):
            return tuple(dict.fromkeys((player, amount, *params)))
        case rb.Trigger(event=rb.OnEnter(slot=slot), params=params):
            return tuple(dict.fromkeys((slot, *params)))
        case rb.Case(binders=binders):
            return tuple(binder.slot for binder in binders)
        case _:
            found = getattr(node, "slot", None)
            return (found,) if isinstance(found, rb.Slot) else ()


def slots_by_key(slots: Mapping[rb.Slot, str]) -> dict[SlotKey, rb.Slot]:
    """Locals by owner and number: in the new names their types are written otherwise."""
    return {(slot.owner, slot.number): slot for slot in slots}
