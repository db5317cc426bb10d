"""What a change does to programs and modules, to saved games and to records.

Purpose: promises that a publisher can make. Input: a change. Output: its `Verdicts`; those of all; the
proposed version number.
Invariants: `cosmetic` and `compatible` are promises (docs/decisions/0007-diff.md); where the form of a
change does not show that they can be kept, the verdict is `breaking`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from conche.compare.context import Context
from conche.compare.declarations import declarations
from conche.compare.found import Found
from conche.compare.model import Change, Kind, Verdict, Verdicts
from conche.compare.names import Name, names_in
from conche.semantics import rulebook as rb
from conche.semantics.types import TextT
from conche.semantics.walk import walk

_NONE, _MAY, _BREAKS = Verdict.COSMETIC, Verdict.COMPATIBLE, Verdict.BREAKING

_OF_KIND: dict[Kind, tuple[Verdict, Verdict, Verdict]] = {
    Kind.COMPONENTS: (_MAY, _BREAKS, _BREAKS),
    Kind.SETUP: (_MAY, _MAY, _BREAKS),
    Kind.ZONES: (_BREAKS, _BREAKS, _BREAKS),
    Kind.VISIBILITY: (_BREAKS, _MAY, _MAY),
    Kind.DECISION_ADDED: (_BREAKS, _MAY, _BREAKS),
    Kind.DECISION_REMOVED: (_BREAKS, _BREAKS, _BREAKS),
    Kind.DECISION_WIDENED: (_MAY, _MAY, _BREAKS),
    Kind.DECISION_NARROWED: (_MAY, _MAY, _BREAKS),
    Kind.DECISION_CHANGED: (_MAY, _MAY, _BREAKS),
    Kind.CONDITION: (_MAY, _MAY, _BREAKS),
    Kind.EFFECT: (_MAY, _MAY, _BREAKS),
    Kind.VALUE: (_MAY, _MAY, _BREAKS),
    Kind.ORDER: (_MAY, _MAY, _BREAKS),
    Kind.SCORE: (_MAY, _MAY, _MAY),
    Kind.END: (_MAY, _MAY, _BREAKS),
    Kind.INTERFACE: (_BREAKS, _MAY, _NONE),
    Kind.RENAME: (_BREAKS, _MAY, _NONE),
    Kind.CHECK: (_NONE, _NONE, _NONE),
    Kind.CLAUSE: (_NONE, _NONE, _NONE),
}
"""For the interface, saves and records, where nothing more is known."""

_OPENNESS = ("hidden", "secret", "open")


Argument = tuple[str, str, str]
"""A decision, an argument of it, and its value if that is one text, else nothing."""


def used_in_setup(book: rb.Rulebook) -> frozenset[Name]:
    """The names of what the set-up speaks of: what it may fill or set."""
    setup = Context.of(book).setup
    nodes = [one.node for path, one in declarations(book).items() if path in setup or path == "setup"]
    return frozenset(name for node in nodes for name in names_in(node))


def arguments_of(book: rb.Rulebook) -> frozenset[Argument]:
    """What moves can be called by."""
    return frozenset(
        argument
        for one in declarations(book).values()
        for part in walk(one.node)
        if isinstance(part, rb.Choose)
        for case in part.cases
        for argument in _named(part.name, case)
    )


def verdicts_of(
    found: Found, in_setup: frozenset[Name] = frozenset(), arguments: frozenset[Argument] | None = None
) -> Verdicts:
    """The verdicts of one change, with the reasons of those that are not cosmetic. `in_setup`, `arguments`:
    of the new rules, see `used_in_setup` and `arguments_of`."""
    interface, saves, records = _OF_KIND[found.kind]
    if found.path == "players":
        interface, saves, records = _players(found)
    else:
        interface, saves, records = (
            _BREAKS if _takes_arguments(found, arguments) else _interface(found, interface),
            _saves(found, saves, in_setup),
            _records(found, records),
        )
    reasons = {
        about: (f"{found.what} ({_why(found, about, verdict)})",)
        for about, verdict in (("interface", interface), ("saves", saves), ("records", records))
        if verdict is not _NONE
    }
    return Verdicts(interface, saves, records, reasons)


def _why(found: Found, about: str, verdict: Verdict) -> str:
    if about == "saves" and verdict is _BREAKS:
        if found.kind in (Kind.COMPONENTS, Kind.SETUP):
            return "a game that is under way was set up with other pieces"
        if isinstance(found.new, rb.Var) and found.old is None and found.new.initial is None:
            return "it has no value in a game that is under way"
        if found.kind is Kind.ZONES and found.old is None:
            return "the new set-up fills it, and a game that is under way has nothing there"
    return _WHY[about, verdict]


_WHY = {
    ("interface", _MAY): "names and forms stay",
    ("interface", _BREAKS): "a program or module may name what is gone or has another form",
    ("saves", _MAY): "a saved position fits the new rules",
    ("saves", _BREAKS): "a saved position may have no place in the new rules",
    ("records", _MAY): "the moves replay, what is told of them may differ",
    ("records", _BREAKS): "a recorded game may not replay",
}


def _interface(found: Found, verdict: Verdict) -> Verdict:
    match found.kind:
        case Kind.COMPONENTS if found.old is not None and found.new is None and _is_kind(found.node):
            return _BREAKS
        case Kind.COMPONENTS if found.whole and found.new is None:
            return _BREAKS
        case Kind.ZONES:
            return _MAY if found.old is None or (found.new is not None and _same_form(found)) else _BREAKS
        case Kind.VISIBILITY:
            other_look = isinstance(found.old, rb.Look) and isinstance(found.new, rb.Look)
            return _MAY if _opens(found) or other_look else _BREAKS
        case Kind.DECISION_CHANGED:
            return _BREAKS if _other_arguments(found) else _MAY
        case Kind.SCORE if found.whole and found.new is None:
            return _BREAKS
        case Kind.VALUE | Kind.CONDITION | Kind.EFFECT | Kind.ORDER if found.whole and found.new is None:
            # A module may name it.
            return _BREAKS
        case Kind.INTERFACE if found.old is None:
            return _MAY
        case Kind.INTERFACE if isinstance(found.old, rb.Option) and isinstance(found.new, rb.Option):
            more = set(found.old.values) <= set(found.new.values)
            return _MAY if more and found.old.default == found.new.default else _BREAKS
        case _:
            return verdict


def _saves(found: Found, verdict: Verdict, in_setup: frozenset[Name]) -> Verdict:
    if found.kind is Kind.ZONES:
        if found.old is None:
            # What the set-up puts there, a game that is under way does not have.
            filled = any(name in in_setup for name in found.declares())
            return _MAY if _begins(found.new) and not filled else _BREAKS
        if found.new is None:
            # What it held is left out.
            return _MAY if isinstance(found.old, rb.Var | rb.Track) else _BREAKS
        return _MAY if found.new is not None and _same_form(found) and _larger(found) else _BREAKS
    if found.kind is Kind.COMPONENTS and found.old is None and isinstance(found.node, _SORTS_OF_PIECES):
        # Of which a saved game has none.
        return _MAY
    if found.kind is Kind.SETUP and not all(map(_keeps_pieces, (found.old, found.new))):
        # As with component counts: a game that is under way has more pieces, or fewer.
        return _BREAKS
    return verdict


_SORTS_OF_PIECES = (rb.Kind, rb.Member, rb.PieceType, rb.Enum)


def _keeps_pieces(node: object) -> bool:
    """Whether a part of the set-up, however it changes, brings in as many pieces: it sets values, or carries
    pieces from one zone to another."""
    if node is None or isinstance(node, rb.Var | rb.Track):
        return True
    if not any(isinstance(part, _CARRIES) for part in walk(node)):
        return False
    return all(
        isinstance(part, (*_CARRIES, *_AROUND)) for part in walk(node) if isinstance(part, get_args(rb.Stmt))
    )


_CARRIES = (
    rb.SetPlace,
    rb.GainVar,
    rb.PayVar,
    rb.AddTo,
    rb.DropFrom,
    rb.Draw,
    rb.Move,
    rb.Shuffle,
    rb.Reveal,
    rb.Chance,
)
_AROUND = (rb.If, rb.ForEach, rb.EachPlayer, rb.Rounds, rb.Times, rb.While, rb.Choose, rb.Stop)


def _begins(node: object) -> bool:
    """Whether what is new has a value, or is empty, in a game that is under way."""
    match node:
        case rb.Var(initial=initial):
            return initial is not None
        case rb.Zone(owner=owner):
            return owner in ("game", "player")
        case rb.Track() | rb.Board() | rb.Holds():
            return True
        case _:
            return False


def _records(found: Found, verdict: Verdict) -> Verdict:
    match found.kind:
        case Kind.RENAME:
            return _BREAKS if _named_in_records(found) else _NONE
        case Kind.END if isinstance(found.node, rb.Rank):
            return _MAY
        case Kind.VISIBILITY if isinstance(found.node, rb.Zone) and found.node.kind in ("pile", "bag"):
            return _BREAKS
        case Kind.VISIBILITY if isinstance(found.node, rb.Look):
            # What is on top of a pile is an outcome of chance as soon as somebody has seen it.
            return _BREAKS
        case Kind.INTERFACE if found.whole and found.new is None:
            return _BREAKS
        case _:
            return verdict


def _players(found: Found) -> tuple[Verdict, Verdict, Verdict]:
    """Who could play can still do so, or not."""
    (atom,) = found.atoms
    (low, high), (new_low, new_high) = _range(atom.old), _range(atom.new)
    return (_MAY, _MAY, _NONE) if new_low <= low and high <= new_high else (_BREAKS, _BREAKS, _BREAKS)


def _range(value: object) -> tuple[int, int]:
    assert isinstance(value, tuple)
    return value[0], value[1]


def _is_kind(node: object) -> bool:
    return isinstance(node, rb.Kind | rb.Member)


def _same_form(found: Found) -> bool:
    """Only a bound has changed."""
    fields = {atom.field for atom in found.atoms}
    return bool(fields) and fields <= _BOUNDS


_BOUNDS = {"Zone.capacity", "Holds.capacity", "Var.type", "Board.across", "Track.fields"}


def _larger(found: Found) -> bool:
    match found.old, found.new:
        case rb.Zone(capacity=old), rb.Zone(capacity=new):
            return new is None or (old is not None and new >= old)
        case rb.Holds(capacity=old), rb.Holds(capacity=new):
            return new >= old
        case rb.Board(across=old), rb.Board(across=new):
            return new >= old
        case rb.Track(fields=old), rb.Track(fields=new):
            return bool(new[: len(old)] == old)
        case rb.Var(type=old), rb.Var(type=new):
            low, high = getattr(old, "low", None), getattr(old, "high", None)
            if low is None or high is None or not hasattr(new, "low"):
                return False
            return bool(getattr(new, "low", low) <= low and getattr(new, "high", high) >= high)
        case _:
            return False


def _opens(found: Found) -> bool:
    old, new = (getattr(node, "visibility", None) for node in (found.old, found.new))
    if old in _OPENNESS and new in _OPENNESS:
        return _OPENNESS.index(new) > _OPENNESS.index(old)
    return isinstance(found.new, rb.Reveal | rb.Look) and found.old is None


def _other_arguments(found: Found) -> bool:
    match found.old, found.new:
        case rb.Case(), rb.Case():
            return _arguments(found.old) != _arguments(found.new)
        case _:
            return False


def _takes_arguments(found: Found, arguments: frozenset[Argument] | None) -> bool:
    """Whether moves were called by something that no case of the new rules has."""
    if arguments is None or not isinstance(found.old, rb.Case):
        return False
    decision = next((one.name for one in reversed(found.around) if isinstance(one, rb.Choose)), None)
    return decision is not None and not set(_named(decision, found.old)) <= arguments


def _named(decision: str, case: rb.Case) -> Iterator[Argument]:
    for binder in case.binders:
        match binder:
            case rb.Binder(hidden=True):
                pass
            case rb.Binder(value=rb.Lit(value=str(text), type=TextT())):
                yield decision, binder.slot.name, text
            case _:
                yield decision, binder.slot.name, ""


def _arguments(case: rb.Case) -> list[str]:
    return [binder.slot.name for binder in case.binders if not binder.hidden]


def _named_in_records(found: Found) -> bool:
    """Decisions, arguments, sources of chance and pieces stand in records by name, scores in their last
    line."""
    if found.sort in ("zone", "score"):
        return True
    if isinstance(found.old, rb.Kind | rb.Member) and isinstance(found.new, rb.Kind | rb.Member):
        return found.old.written != found.new.written
    fields = {atom.path[-1] for atom in found.atoms}
    return found.path.startswith(("decision.", "argument.", "chance.")) or bool(
        fields
        & {"Choose.name", "Case.move", "Chance.name", "Binder.argument", "Kind.written", "Member.written"}
    )


def worst(changes: Iterable[Change]) -> Verdicts:
    """The verdicts over all changes; of each the reasons for the worst."""
    changes = list(changes)
    result: dict[str, Verdict] = {}
    reasons: dict[str, tuple[str, ...]] = {}
    for about in ("interface", "saves", "records"):
        of: list[tuple[Verdict, Change]] = [(getattr(one.verdicts, about), one) for one in changes]
        top = max((verdict for verdict, _ in of), key=lambda verdict: verdict.weight, default=_NONE)
        result[about] = top
        if top is not _NONE:
            reasons[about] = tuple(
                reason for verdict, one in of if verdict is top for reason in one.verdicts.reasons[about]
            )
    return Verdicts(**result, reasons=reasons)


def proposed_version(old: str, changes: Iterable[Change], verdicts: Verdicts) -> str:
    """The number after `old`: its first place where something breaks for programs or saves, its second where
    play or what is offered changes, else its third; before 1.0 one place further right."""
    changes = list(changes)
    if not changes:
        return old
    numbers = [int(part) if part.isdigit() else 0 for part in old.split(".")][:3]
    numbers += [0] * (3 - len(numbers))
    if _BREAKS in (verdicts.interface, verdicts.saves):
        place = 0
    elif any(one.verdicts.records is not _NONE or one.verdicts.interface is not _NONE for one in changes):
        place = 1
    else:
        place = 2
    if numbers[0] == 0:
        place = min(place + 1, 2)
    numbers[place] += 1
    return ".".join(map(str, [*numbers[: place + 1], *[0] * (2 - place)]))
