"""Who may know what a value depends on.

Input: typed expressions, and what is known of the locals in them. Output: labels.
A label is the set of secret things that a value depends on, each with the place where it was read: empty
for what everybody may know. A secret thing is an `Atom`: a zone, variable or track with whose it is. Whose
is a key: the slot of the local that holds the player, `seat 2`, the text of another expression, or `?` for
a player that cannot be told. Invariants: the number of pieces in a zone is no secret; everything else in it
is as visible as the zone. What a query depends on is worked out once and then applied to its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from conche.graph.expressions import children, place_node, sized_zone
from conche.semantics.rulebook import (
    Board,
    Call,
    Expr,
    Fold,
    GlobalVar,
    KindVar,
    Lit,
    Local,
    PlayerVar,
    Query,
    Rulebook,
    ScoreOf,
    Slot,
    Sorted,
    SpaceVar,
    Total,
    TrackValue,
    ZoneRef,
)
from conche.semantics.show_expressions import show
from conche.source import Span

UNKNOWN = "?"
OPEN, SECRET, HIDDEN = "open", "secret", "hidden"


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """level: `secret` (to the player `owner`) or `hidden` (owner ""). data: its node in the graph; of what is
    chosen secretly `choice.` and the node of the choice."""

    data: str
    level: str
    owner: str

    @property
    def name(self) -> str:
        return self.data.split(".")[-1]


Label = Mapping[Atom, Span]
NOTHING: Label = {}


def join(*labels: Label) -> Label:
    """All that any of them depends on; of two places where the same was read, the first in the text."""
    found: dict[Atom, Span] = {}
    for label in labels:
        for atom, span in label.items():
            found[atom] = min(span, found.get(atom, span))
    return found


def rename(label: Label, owner: Callable[[str], str]) -> Label:
    """With other keys for the owners."""
    return join(*({replace(atom, owner=_kept(atom, owner)): span} for atom, span in label.items()))


def _kept(atom: Atom, owner: Callable[[str], str]) -> str:
    return owner(atom.owner) if atom.level == SECRET else atom.owner


def slot_key(slot: Slot) -> str:
    return f"{slot.owner}#{slot.number}"


def player_key(player: Expr | None) -> str:
    match player:
        case None:
            return ""
        case Local(slot=slot):
            return slot_key(slot)
        case Lit(value=value):
            return f"seat {value}"
        case _:
            return f"expr {show(player)}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known where an expression is read: labels of locals, and which atoms and locals all know by
    now."""

    locals: Mapping[str, Label]
    atom_known: Callable[[Atom], bool]
    local_known: Callable[[str], bool]


BLANK = Seen({}, lambda atom: False, lambda key: False)


class Labels:
    """The labels of one rulebook's expressions."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._queries: dict[str, Label] = {}

    def visibility(self, data: str) -> str:
        """Of a data node: open, secret or hidden. A secret of nobody in particular is hidden."""
        kind, _, name = data.partition(".")
        rules = self._rulebook
        match kind:
            case "zone":
                zone = rules.zones[name]
                return _level(zone.visibility, zone.owner)
            case "track":
                track = rules.tracks[name]
                return _level(track.visibility, track.owner)
            case "var":
                var = rules.variables[name]
                return _level(var.visibility, var.owner)
            case _:
                return self._board_visibility(rules.boards.get(name.split(".")[0]), name)

    def _board_visibility(self, board: Board | None, name: str) -> str:
        attribute = name.partition(".")[2]
        found = [] if board is None else [var for var in board.attributes if var.name == attribute]
        return _level(found[0].visibility, found[0].owner) if found else OPEN

    def declared_at(self, data: str) -> Span:
        kind, _, name = data.partition(".")
        rules = self._rulebook
        match kind:
            case "zone":
                return rules.zones[name].span
            case "track":
                return rules.tracks[name].span
            case "var":
                return rules.variables[name].span
            case _:
                return rules.boards[name.split(".")[0]].span

    def of(self, seen: Seen, *exprs: Expr | None) -> Label:
        """What expressions depend on."""
        return join(*(self._of(expr, seen) for expr in exprs if expr is not None))

    def _of(self, expr: Expr, seen: Seen) -> Label:
        zone = sized_zone(expr)
        if zone is not None:
            return self.of(seen, zone.player)
        match expr:
            case Local(slot=slot):
                key = slot_key(slot)
                label = seen.locals.get(key, NOTHING)
                if not label or seen.local_known(key):
                    return NOTHING
                return {atom: span for atom, span in label.items() if not seen.atom_known(atom)}
            case ZoneRef():
                return join(
                    self._datum(f"zone.{expr.name}", expr.player, expr.span, seen), self.of(seen, expr.player)
                )
            case GlobalVar() | PlayerVar() | SpaceVar() | KindVar():
                owner = expr.player if isinstance(expr, PlayerVar) else None
                data = place_node(self._rulebook, expr) or ""
                return join(self._datum(data, owner, expr.span, seen), self.of(seen, *children(expr)))
            case TrackValue():
                own = self._datum(f"track.{expr.track}", expr.player, expr.span, seen)
                return join(own, self.of(seen, expr.player))
            case Fold():
                return self._over(expr.slot, expr.source, (expr.body, expr.where), seen)
            case Sorted():
                return self._over(expr.slot, expr.source, expr.keys, seen)
            case Call():
                return self._call(expr, seen)
            case ScoreOf() | Total():
                return NOTHING  # the score itself is checked
            case _:
                return self.of(seen, *children(expr))

    def _datum(self, data: str, player: Expr | None, span: Span, seen: Seen) -> Label:
        level = self.visibility(data)
        if level == OPEN:
            return NOTHING
        atom = Atom(data, level, player_key(player) if level == SECRET else "")
        return NOTHING if seen.atom_known(atom) else {atom: span}

    def _over(self, slot: Slot, over: Expr, parts: tuple[Expr | None, ...], seen: Seen) -> Label:
        """What is worked out for each element of a collection."""
        source = self._of(over, seen)
        key = slot_key(slot)
        inside = replace(seen, locals={**seen.locals, key: source})
        label = join(source, self.of(inside, *parts))
        return rename(label, lambda owner: UNKNOWN if owner == key else owner)

    def _call(self, call: Call, seen: Seen) -> Label:
        query = self._rulebook.queries[call.query]
        keys = {slot_key(param): player_key(arg) for param, arg in zip(query.params, call.args, strict=True)}
        own: dict[Atom, Span] = {}
        parts: list[Label] = []
        for atom, span in self._query(query).items():
            if atom.level == "param":
                parts.append(self._of(call.args[int(atom.owner)], seen))
                continue
            owner = keys.get(atom.owner, UNKNOWN) if atom.level == SECRET else ""
            named = replace(atom, owner=owner)
            if not seen.atom_known(named):
                own[named] = span
        return join(own, *parts)

    def _query(self, query: Query) -> Label:
        """What a query depends on; a parameter counts as an atom of level `param` whose owner is its
        number."""
        found = self._queries.get(query.name)
        if found is None:
            env: dict[str, Label] = {
                slot_key(param): {Atom(query.name, "param", str(number)): query.span}
                for number, param in enumerate(query.params)
            }
            for let in query.lets:
                env[slot_key(let.slot)] = self._of(let.value, replace(BLANK, locals=env))
            seen = replace(BLANK, locals=env)
            found = join(*(self.of(seen, case.condition, case.value) for case in query.cases))
            self._queries[query.name] = found
        return found


def _level(visibility: str, owner: str) -> str:
    return HIDDEN if visibility == SECRET and owner != "player" else visibility
