"""What kind of change a difference is.

Purpose: the class of each change, from where it stands and which field differs.
Input: a `Difference` in a declaration, and what both versions use it for. Output: `Classed` changes, one
for each class that the difference has.
Invariants: a difference has at least one class. Fields that this module does not know count as an effect in
a statement and as the class of its sort in a declaration, so that new constructs are shown without being
named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conche.compare.context import Context
from conche.compare.describe import describe
from conche.compare.digests import subtrees
from conche.compare.direction import Same, case_grows
from conche.compare.model import Kind
from conche.compare.tree_diff import Atom, Difference
from conche.semantics import rulebook as rb
from conche.semantics.types import Flag

_OF_SORT = {
    "enum": Kind.COMPONENTS,
    "piece": Kind.COMPONENTS,
    "values": Kind.VALUE,
    "board": Kind.ZONES,
    "zone": Kind.ZONES,
    "track": Kind.ZONES,
    "var": Kind.ZONES,
    "trigger": Kind.ORDER,
    "score": Kind.SCORE,
    "rank": Kind.END,
    "always": Kind.CHECK,
    "conserve": Kind.CHECK,
}

_OF_FIELD = {
    "Zone.visibility": Kind.VISIBILITY,
    "Var.visibility": Kind.VISIBILITY,
    "Track.visibility": Kind.VISIBILITY,
    "Var.initial": Kind.SETUP,
    "Var.anew": Kind.ORDER,
    "Kind.written": Kind.RENAME,
    "Member.written": Kind.RENAME,
    "Kind.attributes": Kind.VALUE,
    "Kind.values": Kind.VALUE,
    "Member.attributes": Kind.VALUE,
    "Member.values": Kind.VALUE,
    "Step.params": Kind.INTERFACE,
    "Query.params": Kind.INTERFACE,
    "ActionCase.params": Kind.INTERFACE,
    "Choose.name": Kind.RENAME,
    "Chance.name": Kind.RENAME,
    "Case.label": Kind.RENAME,
    "Case.move": Kind.RENAME,
    "While.condition": Kind.CONDITION,
    "Rounds.guard": Kind.CONDITION,
    "EachPlayer.guard": Kind.CONDITION,
    "If.condition": Kind.CONDITION,
    "Rounds.start": Kind.ORDER,
    "EachPlayer.start": Kind.ORDER,
    "EachPlayer.at_once": Kind.ORDER,
    "Rounds.until_pass": Kind.ORDER,
    "Stop.target": Kind.ORDER,
    "Let.value": Kind.VALUE,
}


@dataclass(frozen=True, slots=True)
class Classed:
    kind: Kind
    what: str
    atoms: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a difference stands: the declaration, and what each version uses it for."""

    path: str
    sort: str
    old: Context
    new: Context
    same: Same

    @property
    def in_setup(self) -> bool:
        context = self.new if self.path in self.new.known else self.old
        return self.path in context.setup

    @property
    def scoring(self) -> bool:
        return self.path in self.new.scoring or self.path in self.old.scoring


def classify(difference: Difference, place: Place) -> list[Classed]:
    """The changes that a difference makes."""
    if difference.wrapped is not None:
        return [Classed(_of_wrapped(difference, place), describe(difference))]
    if difference.moved:
        scores = place.scoring or place.sort in ("score", "rank")
        return [Classed(Kind.SCORE if scores else Kind.ORDER, describe(difference))]
    if difference.old is None or difference.new is None:
        return [Classed(_of_whole(difference, place), describe(difference))]
    by_kind: dict[Kind, list[Atom]] = {}
    for atom in difference.atoms:
        by_kind.setdefault(_of_atom(atom, difference, place), []).append(atom)
    return [Classed(kind, describe(difference, atoms), tuple(atoms)) for kind, atoms in _items(by_kind)]


def whole(node: Any, is_new: bool, place: Place) -> Classed:
    """A declaration that only one side has."""
    difference = Difference(None, node, ()) if is_new else Difference(node, None, ())
    return Classed(_of_whole(difference, place), describe(difference))


def _items(by_kind: dict[Kind, list[Atom]]) -> Iterator[tuple[Kind, list[Atom]]]:
    for kind in Kind:
        if kind in by_kind:
            yield kind, by_kind[kind]


# ------------------------------------------------------------------------------------------- whole units


def _of_whole(difference: Difference, place: Place) -> Kind:
    node, is_new = difference.node, difference.old is None
    context = place.new if is_new else place.old
    added = Kind.DECISION_ADDED if is_new else Kind.DECISION_REMOVED
    match node:
        case rb.Case():
            return Kind.DECISION_WIDENED if is_new else Kind.DECISION_NARROWED
        case rb.Kind() | rb.Member():
            return Kind.COMPONENTS
        case rb.Holds() | rb.Var():
            return Kind.ZONES
        case rb.QueryCase() | rb.Query():
            return _of_query(node, difference, place)
        case rb.Action():
            return Kind.INTERFACE
        case rb.Trigger() | rb.Score() | rb.Table() | rb.Enum() | rb.PieceType() | rb.Board() | rb.Zone():
            return _OF_SORT[place.sort]
        case rb.Track() | rb.Invariant() | rb.Conserve() | rb.Rank():
            return _OF_SORT[place.sort]
        case _ if context.asks(node):
            return added
        case _:
            return _of_statement(node, difference, place)


def _of_statement(node: object, difference: Difference, place: Place) -> Kind:
    """A statement, or a routine, in which nobody is asked."""
    if any(isinstance(part, rb.EndGame) for part in subtrees(node)):
        return Kind.END
    if place.in_setup:
        by_count = _by_player_count(difference) or any(
            isinstance(part, rb.PlayerCount) for part in subtrees(node)
        )
        counts = isinstance(node, rb.Put | rb.Take | rb.Swap) and not by_count
        return Kind.COMPONENTS if counts else Kind.SETUP
    if place.sort == "query":
        return _of_query(node, difference, place)
    match node:
        case rb.Reveal() | rb.Look():
            return Kind.VISIBILITY
        case rb.Stop():
            return Kind.ORDER
        case rb.Let():
            return Kind.VALUE
        case rb.Trigger():
            return Kind.ORDER
        case _:
            return Kind.EFFECT


def _of_wrapped(difference: Difference, place: Place) -> Kind:
    """Something now stands under a condition, or no longer does."""
    outer, inner = difference.old, difference.new
    if difference.is_wrapped_now:
        outer, inner = inner, outer
    if any(isinstance(part, rb.Choose) for part in subtrees(outer)) and not isinstance(inner, rb.Choose):
        return Kind.DECISION_ADDED if difference.is_wrapped_now else Kind.DECISION_REMOVED
    if any(isinstance(part, rb.EndGame) for part in subtrees(outer)):
        return Kind.END
    if place.in_setup:
        return Kind.SETUP
    return Kind.CONDITION if isinstance(outer, rb.If) else Kind.EFFECT


def _of_query(node: object, difference: Difference, place: Place) -> Kind:
    if place.scoring:
        return Kind.SCORE
    query = next((one for one in (*difference.around, node) if isinstance(one, rb.Query)), None)
    return Kind.CONDITION if query is not None and isinstance(query.type, Flag) else Kind.VALUE


def _by_player_count(difference: Difference) -> bool:
    return any(
        isinstance(part, rb.PlayerCount)
        for unit in difference.around
        if isinstance(unit, rb.If)
        for part in subtrees(unit.condition)
    )


# ------------------------------------------------------------------------------------------- fields


def _of_atom(atom: Atom, difference: Difference, place: Place) -> Kind:
    node, field = difference.new, atom.field
    if atom.path[-1:] == ("Binder.argument",):
        return Kind.RENAME
    match node:
        case rb.Case() if field not in ("Case.label", "Case.move"):
            return _of_case(difference, place)
        case rb.Choose() if field != "Choose.name":
            return Kind.DECISION_CHANGED
        case rb.Track() if field == "Track.fields" and len(difference.old.fields) == len(node.fields):
            return Kind.VALUE
        case rb.Put() | rb.Take() | rb.Swap() if place.in_setup:
            return Kind.SETUP if _by_player_count(difference) else Kind.COMPONENTS
        case rb.If() if any(isinstance(part, rb.EndGame) for part in subtrees(node)):
            return Kind.END
        case rb.Rounds() | rb.While() if place.path == "play" and field in (
            "Rounds.guard",
            "While.condition",
        ):
            # The game goes on for as long as this holds.
            return Kind.END
        case rb.Times() if place.path == "play" and field == "Times.times" and len(difference.around) == 1:
            return Kind.END
        case rb.PieceType() | rb.Enum() if field.endswith(".attributes") and _same_names(difference):
            return Kind.VALUE
        case _:
            pass
    if place.sort == "query" and field not in _OF_FIELD:
        return _of_query(node, difference, place)
    known = _OF_FIELD.get(field)
    if known is not None:
        in_setup = place.in_setup and known in (Kind.CONDITION, Kind.VALUE)
        return Kind.SETUP if in_setup else known
    if place.sort in _OF_SORT and not isinstance(node, _STATEMENTS):
        return _OF_SORT[place.sort]
    if place.in_setup:
        return Kind.SETUP
    return Kind.VISIBILITY if isinstance(node, rb.Reveal | rb.Look) else Kind.EFFECT


_STATEMENTS = (
    rb.GainVar,
    rb.GainPieces,
    rb.PayVar,
    rb.PayPieces,
    rb.Put,
    rb.Take,
    rb.Swap,
    rb.Move,
    rb.Draw,
    rb.Shuffle,
    rb.SetPlace,
    rb.AddTo,
    rb.DropFrom,
    rb.Reveal,
    rb.Look,
    rb.Do,
    rb.DoAction,
    rb.ForEach,
    rb.Times,
    rb.Chance,
)


def _same_names(difference: Difference) -> bool:
    """Whether only the bounds of attributes are others."""
    ours, theirs = ([name for name, _ in side.attributes] for side in (difference.old, difference.new))
    return ours == theirs


def _of_case(difference: Difference, place: Place) -> Kind:
    direction = case_grows(difference.old, difference.new, place.same)
    if direction is None or direction == 0:
        return Kind.DECISION_CHANGED
    return Kind.DECISION_WIDENED if direction > 0 else Kind.DECISION_NARROWED
