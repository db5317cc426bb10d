"""The rulebook: composed, resolved, typed and closed. What every later stage reads.

Input: built by `from_ast`. Output: read by `graph`, `validate`, `interpret`, `codegen`, `diff`.
Invariants: every name is resolved to a declaration of this rulebook or to a local slot; every expression has
its type; options are settled (their parts kept or gone); `with n players` has become an `If` on
`PlayerCount`; chosen-order loops have become `While` + `Choose`; a step that speaks of `you` without
declaring it has it as its first, implicit parameter, and every `Do` passes it. There is no recursion among
queries or among steps.

Order: dictionaries of declarations are sorted by name, except where order carries meaning (members, kinds,
cases, statements, scores' breakdown is sorted by name too). So the same rules give the same rulebook in any
order of text.

Locals: a local is a `Slot` with a number unique within its owner (step, action case, query, score, …). There
is no recursion, so every owner needs its slots once. `Let` introduces a slot, as do parameters, loops,
binders, folds.
"""

from __future__ import annotations

from typing import Literal

from conche.node import node
from conche.semantics.types import Type
from conche.semantics.walk import walk
from conche.source import Span


@node(frozen=True, slots=True)
class Slot:
    """A local. `owner` is the path of the declaration it lives in (`step.fill`, `query.usable`)."""

    owner: str
    number: int
    name: str
    type: Type


# ------------------------------------------------------------------------------------------------ expressions
# Every expression node has `type` and `span` last.


@node(frozen=True, slots=True)
class Lit:
    """value: int, bool, str (enum member, side, text), None; for a kind a `Kind.index` is not used but its
    name; a seat is an int; a space is (x, y)."""

    value: int | bool | str | tuple[int, int] | None
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Local:
    slot: Slot
    type: Type
    span: Span


@node(frozen=True, slots=True)
class GlobalVar:
    """A variable of the game."""

    name: str
    type: Type
    span: Span


@node(frozen=True, slots=True)
class PlayerVar:
    """A variable (or the marker of a track: its field number from 0) of a player."""

    name: str
    player: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class SpaceVar:
    """A declared attribute of a space."""

    name: str
    space: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class KindVar:
    """A variable that every kind of a piece type, or member of an enum, has: `card.price`."""

    name: str
    kind: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ZoneRef:
    """A zone; `player` is None for a common one; of a zone that pieces carry it is the space whose top piece,
    or the kind that carries it (nothing there that does: a run-time error). Not a value: it stands only where
    a zone is spoken of. `type` is the ListT of its pieces' KindT or EnumT (what `each (t in display)` runs
    over).

    Order: a row from its beginning; any other zone by kind, in the order of their declaration. A pile too,
    also where some of its order is known: no fold and no loop can tell where in it a piece lies."""

    name: str
    player: Expr | None
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ZoneCount:
    """`count(zone)`: how many pieces are in it."""

    zone: ZoneRef
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ZoneRoom:
    """`room(zone)`: capacity less count; only of zones with a capacity."""

    zone: ZoneRef
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ZoneHolds:
    """`zone[kind]`: how many of that kind are in it."""

    zone: ZoneRef
    kind: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ZoneKinds:
    """`kinds(zone)`: the different kinds in it, each once, in the order of their declaration (of a row
    too)."""

    zone: ZoneRef
    type: Type
    span: Span


@node(frozen=True, slots=True)
class TrackValue:
    """`value(p.carrier)`: what is printed on the field of the marker; `player` is None for a track of the
    game."""

    track: str
    player: Expr | None
    type: Type
    span: Span


@node(frozen=True, slots=True)
class TableEntry:
    """`prices[i]`: entry i from 0 of a `values` declaration; out of range is a run-time error."""

    table: str
    index: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class PieceAttr:
    """A declared attribute of the top piece of a space (`s.cost`), of a kind (`worker.cost`) or of an enum
    member.

    A space that holds no piece with that attribute is a run-time error."""

    name: str
    value: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class EdgeFace:
    """`e.faces`: the entry of the ring attribute of the top piece at `e.at` that shows to `e.side`, the turn
    counted in: ring[(side - turn) mod 4]. No such piece there: a run-time error."""

    name: str
    edge: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class SpaceField:
    """field: x, y, height (pieces on it), owner (of the top piece; none there or no owner: run-time error),
    turn."""

    field: str
    space: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class SpaceKind:
    """The kind of the top piece of a space (in an action's dispatch and `kind(s)`); empty: run-time error."""

    space: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class EdgeField:
    """field: at, side, across."""

    field: str
    edge: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class MakeEdge:
    """`edge(space, side)`"""

    space: Expr
    side: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Beside:
    """`beside(space, side)`: the neighbour on that side."""

    space: Expr
    side: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Toward:
    """`toward(a, b)`: the side of a on which its neighbour b lies; not neighbours: run-time error."""

    start: Expr
    end: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Around:
    """`around(space)`: its four neighbours in the order E S W N."""

    space: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Spaces:
    """`spaces`: the spaces that hold a piece and their neighbours, by rows: ascending y, then ascending x."""

    board: str
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Sides:
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Players:
    """`players`: the seats of those still in, in ascending order."""

    type: Type
    span: Span


@node(frozen=True, slots=True)
class PlayerCount:
    """How many began."""

    type: Type
    span: Span


@node(frozen=True, slots=True)
class PlayersLeft:
    """`count(players)`, in a game that eliminates: how many are still in."""

    type: Type
    span: Span


@node(frozen=True, slots=True)
class Clockwise:
    """`clockwise(p)`: those still in, from `player` on; he himself need not be in."""

    player: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Neighbour:
    """`left_of(p)` (step 1), `right_of(p)` (step -1): the next one that way who is still in; he himself when
    there is no other. He himself need not be in."""

    player: Expr
    step: int
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Sorted:
    """`…, by key falling, key rising`: the elements of the source by the keys, which speak of the slot; equal
    ones stay in the order of the source. `falling`: of each key, whether the highest comes first. It stands
    only as the source of a `ForEach`. The keys are read once, when the loop begins."""

    slot: Slot
    source: Expr
    keys: tuple[Expr, ...]
    falling: tuple[bool, ...]
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Members:
    """All members of an enum or all kinds of a piece type, in order of declaration."""

    of: str
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Turns:
    """`turns(kind)`: the numbers 0..3 of clockwise quarter turns that give different tiles, ascending."""

    kind: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class SpaceEmpty:
    space: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class IsPiece:
    """`s is a Worker`: the top piece of the space is of that piece type."""

    space: Expr
    piece: str
    type: Type
    span: Span


@node(frozen=True, slots=True)
class IsKind:
    """`x is market` / `x is market(2)`: `kinds` are the names of all kinds that match. `value` is a space
    (its top piece; an empty space matches nothing), a kind or an enum member."""

    value: Expr
    kinds: tuple[str, ...]
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Unary:
    """op: `-`, `not`."""

    op: str
    operand: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Binary:
    """op: + - * (ints); / mod (ints, floor; by 0 a run-time error); = != (equal types); < > <= >= (ints);
    and or (flags, left first, right only if needed); in (value, collection or zone); concat (lists)."""

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class MinMax:
    """op: min, max, of two or more numbers."""

    op: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Cond:
    """`if c then a else b`"""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class IsEmpty:
    """Of a list, set or zone. (Of a space: SpaceEmpty.) Negation is Unary(not)."""

    value: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Range:
    """low..high, both included, ascending; empty when high < low."""

    low: Expr
    high: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ListOf:
    """A list written out, of pieces too: `[3 water, temple]` has four items."""

    items: tuple[tuple[int, Expr], ...]
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Fold:
    """op: count any each (body None: the element itself) sum most least all each (body given).

    `most` and `least` of nothing are 0. `each` keeps the order of the source. The source is a collection, a
    Range or a ZoneRef."""

    op: str
    body: Expr | None
    slot: Slot
    source: Expr
    where: Expr | None
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Call:
    """A query of the rulebook."""

    query: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Total:
    """`total`, in `rank by` and in scenarios: the sum of all scores of a player."""

    player: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class ScoreOf:
    """`score(p, temples)`, in scenarios: one score of a player, as if the game ended now."""

    score: str
    player: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class RankOf:
    """`rank(p)`, in scenarios: the place of a player from 1, as if the game ended now; shared places are
    equal."""

    player: Expr
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Bad:
    """An expression already reported."""

    type: Type
    span: Span


Expr = (
    Lit
    | Local
    | GlobalVar
    | PlayerVar
    | SpaceVar
    | KindVar
    | ZoneRef
    | ZoneCount
    | ZoneRoom
    | ZoneHolds
    | ZoneKinds
    | TrackValue
    | TableEntry
    | PieceAttr
    | EdgeFace
    | SpaceField
    | SpaceKind
    | EdgeField
    | MakeEdge
    | Beside
    | Toward
    | Around
    | Spaces
    | Sides
    | Players
    | PlayerCount
    | PlayersLeft
    | Clockwise
    | Neighbour
    | Sorted
    | Members
    | Turns
    | SpaceEmpty
    | IsPiece
    | IsKind
    | Unary
    | Binary
    | MinMax
    | Cond
    | IsEmpty
    | Range
    | ListOf
    | Fold
    | Call
    | Total
    | ScoreOf
    | RankOf
    | Bad
)

Place = GlobalVar | PlayerVar | SpaceVar | KindVar | Local
"""What `set`, `add` and `drop` change. A Local only if a `Let` or binder of the same step introduced it."""

# ------------------------------------------------------------------------------------------------ statements
# Every statement has `span` and `cites` (ids such as "1.4a", "A5") last.
# An amount (of GainVar, GainPieces, PayVar, PayPieces, Put, Take, Draw) below 0 is a run-time error; with
# `up_to` it counts as 0.


@node(frozen=True, slots=True)
class GainVar:
    """A player's number variable grows. up_to: cut at the upper bound; else beyond it is a run-time error."""

    player: Expr
    var: str
    amount: Expr
    up_to: bool
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class GainPieces:
    """Pieces of a kind come from the supply into a player's zone. up_to: as many as there is room for."""

    player: Expr
    zone: ZoneRef
    kind: Expr
    amount: Expr
    up_to: bool
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class PayVar:
    """A player's number variable falls; below its lower bound is a run-time error. `to`: that player's one
    grows."""

    player: Expr
    var: str
    amount: Expr
    to: Expr | None
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class PayPieces:
    """Pieces of a kind go from a player's zone to the supply, or into the same zone of `to`."""

    player: Expr
    zone: ZoneRef
    kind: Expr
    amount: Expr
    to: Expr | None
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Put:
    """Pieces come from the box into a zone: (count, kind) in order."""

    items: tuple[tuple[Expr, Expr], ...]
    zone: ZoneRef
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Take:
    """Pieces go from a zone into the box; too few there is a run-time error."""

    items: tuple[tuple[Expr, Expr], ...]
    zone: ZoneRef
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Swap:
    """Every piece of kind `old` in the zone becomes one of kind `new`."""

    old: Expr
    new: Expr
    zone: ZoneRef
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Move:
    """One piece of a kind from a zone to a zone or onto a space.

    Onto a space: it becomes the top piece, with the source zone's player as owner if its type is owned, and
    with `turned` quarter turns if its type has a ring. The space must allow it (board's `on` lines) and have
    room: otherwise a run-time error. Into a row: at its end; into a pile: on top, or under it. Not there: a
    run-time error."""

    kind: Expr
    source: ZoneRef
    target: ZoneRef | Expr
    turned: Expr | None
    under: bool
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Draw:
    """Pieces come from the top of a pile (or at random from a bag), one after another, each a chance outcome
    unless known. To a space: exactly one. up_to: as many as there are and as the target has room for; else
    that is a run-time error."""

    amount: Expr
    up_to: bool
    source: ZoneRef
    target: ZoneRef | Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Shuffle:
    """Nobody knows the order of the pile any more."""

    zone: ZoneRef
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Look:
    """`player` gets to know the top pieces of a pile; fewer there than `amount`: a run-time error."""

    player: Expr
    amount: Expr
    zone: ZoneRef
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Eliminate:
    """The player is out from here on; nothing happens to one who is out already."""

    player: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class SetPlace:
    """Outside the bounds of the place: a run-time error."""

    target: Place
    value: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class AddTo:
    """Into a set (nothing happens if it is there) or at the end of a list."""

    value: Expr
    target: Place
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class DropFrom:
    """Out of a set or the first equal one of a list; not there: a run-time error."""

    value: Expr
    target: Place
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Reveal:
    """From here on `to` (None: all) may know it: declassification for the secrecy check, an event in the
    log."""

    value: Expr
    to: Expr | None
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Let:
    slot: Slot
    value: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Do:
    """Runs a step; `args` are in the order of its params, the implicit `you` included."""

    step: str
    args: tuple[Expr, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class DoAction:
    """Runs the case of an action that matches the kind of `subject` (a space's top piece, a kind or an enum
    member).

    The chosen ActionCase's bound slots get the kind's values; `args` go to `Action.params` (implicit `you`
    included)."""

    action: str
    subject: Expr
    args: tuple[Expr, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Stop:
    """Leaves the innermost loop of the same step (target None and in a loop), the running step or action case
    (target None, no loop), or the running step `target`, from within whatever it has called."""

    target: str | None
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class EndGame:
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class ForEach:
    """The source is read once, at the start."""

    slot: Slot
    source: Expr
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class EachPlayer:
    """Once around the table, clockwise (ascending seats) from `start`; the guard is read when that player's
    turn comes, and who is out then is passed over.

    `at_once`: "" (one after another), `together` or `secretly`. Then the body is one `Choose` of the loop's
    player, without `none` and `pass`: guard and options are read for all at the start, all choose, in any
    order, and when all have chosen the bodies of the cases run in player order. `secretly`: nobody else is
    ever shown the choice."""

    slot: Slot
    start: Expr
    guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]
    at_once: Literal["", "together", "secretly"] = ""


@node(frozen=True, slots=True)
class Rounds:
    """`EachPlayer` again and again, until in a whole round the guard held for nobody. `start` is read every
    round.

    `until_pass`: until in a whole round every choice with `passes` in the body took it, or nobody was asked.
    Only such a loop may be without a guard."""

    slot: Slot
    start: Expr
    guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]
    until_pass: bool = False


@node(frozen=True, slots=True)
class While:
    """condition None: for ever (until stopped)."""

    condition: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Times:
    """The number is read once, at the start."""

    times: Expr
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Binder:
    """An argument. `source` given: ranges over it; else `value` is its value. hidden: not shown as an
    argument.

    Sources and values may speak of the earlier binders of the same case."""

    slot: Slot
    source: Expr | None
    value: Expr | None
    hidden: bool
    span: Span


@node(frozen=True, slots=True)
class Case:
    """The options of a case: the binders' nested loops, first binder outermost, in the order of their
    sources. The guard is read before the binders and does not speak of them, unless `late_guard`, which is
    read for each option.

    Typing splits `if`: a guard that mentions a binder is a `late_guard`.

    `move`: what the move is called, where that is not the name of its decision."""

    label: str | None
    binders: tuple[Binder, ...]
    guard: Expr | None
    late_guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]
    move: str | None = None


@node(frozen=True, slots=True)
class Choose:
    """One decision of one player: all options of all cases in the order of the text.

    Exactly one option: taken without asking (forced). None: `none` runs; `always` (or a proof, `sure`) says
    it cannot happen, and then it is a run-time error. `sure`: typing proved that there is always an
    option.

    `passes`: the last case is to pass. It has no condition and no body, and its arguments are constants;
    whether a player passed, had to or was not asked is shown to nobody."""

    chooser: Expr
    name: str
    cases: tuple[Case, ...]
    none: tuple[Stmt, ...] | None
    always: tuple[str, ...]
    sure: bool
    short: bool
    span: Span
    cites: tuple[str, ...]
    passes: bool = False


@node(frozen=True, slots=True)
class Chance:
    """One of the source, equally likely; the stream is called `name`."""

    name: str
    slot: Slot
    source: Expr
    span: Span
    cites: tuple[str, ...]


Stmt = (
    GainVar
    | GainPieces
    | PayVar
    | PayPieces
    | Put
    | Take
    | Swap
    | Move
    | Draw
    | Shuffle
    | SetPlace
    | AddTo
    | DropFrom
    | Reveal
    | Look
    | Eliminate
    | Let
    | Do
    | DoAction
    | Stop
    | EndGame
    | If
    | ForEach
    | EachPlayer
    | Rounds
    | While
    | Times
    | Choose
    | Chance
)

# ----------------------------------------------------------------------------------------------- declarations
# Every declaration has `span` and `cites` last.


AttributeValue = int | str | tuple[int, ...]
"""A number, a flag, the name of a member or kind, or a ring."""


@node(frozen=True, slots=True)
class Option:
    """`value` is the one in force in this ruleset. `numbers`: of an option that is a number, the lowest and
    the highest; `values` are then all of them, written out."""

    name: str
    values: tuple[str, ...]
    default: str
    value: str
    span: Span
    cites: tuple[str, ...]
    numbers: tuple[int, int] | None = None


@node(frozen=True, slots=True)
class Member:
    """A member of an enum. `written` is its name in records. `family` and `values` as for Kind."""

    name: str
    written: str
    family: str
    values: tuple[int, ...]
    attributes: tuple[tuple[str, AttributeValue], ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Enum:
    """`attributes`: the types declared in the head and by the variants' params."""

    name: str
    members: tuple[Member, ...]
    attributes: tuple[tuple[str, Type], ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Kind:
    """A kind of piece: `name` is unique (`market(2)`), `written` is its name in records, `family` the variant
    (`market`), `values` the variant's parameters. `attributes` are all attributes of the kind: declared ones
    and parameters. `turns`: how many different quarter turns its rings have (1, 2 or 4; 1 without a ring).

    Pieces that carry pieces: `carries` is the name of the zone that each piece of the family has
    (`gem_mine.gems`). A rulebook has as many kinds of that family as pieces of it ever come into the game,
    the copies `gem_mine#1`, `gem_mine#2` … (`copy` 1, 2 …; 0 where nothing is carried), all written
    `gem_mine`. A copy is in one place at most. Where the rules speak of the family, not of a piece in hand:

    - `IsKind`, `OnEnter` and `ActionCase` list all copies; `zone[gem_mine]`, `= gem_mine` and
      `gem_mine is in z` have become sums and `IsKind`s.
    - The literal `gem_mine` (a `Lit` that is the name of no kind) is left in `Put` and `Swap`, as what comes:
      the lowest copies that are nowhere; in `Take` and `Move`, as what goes: the lowest copies there; in
      `GivenZone` and `GivenPiece`: the lowest copy that is nowhere, else the lowest one in a zone, which
      leaves it. A copy that leaves the game, or is given, carries nothing.

    A chance outcome is the written name, with the weight of all copies there; it is the lowest of them. As an
    argument of a decision a copy is its written name, and a further argument behind it, called as the zone is
    without its family, has what it carries: `"tile": "gem_mine", "gems": {"red": 2, "blue": 1}`. Options that
    are then alike are one, that of the first. In a snapshot a row lists `{"kind": "gem_mine", "gems": {…}}`,
    and an entry of a board's pieces has `"gems"` too; other zones count copies by their written name. The
    zone itself is not listed by name."""

    name: str
    written: str
    family: str
    values: tuple[int, ...]
    attributes: tuple[tuple[str, AttributeValue], ...]
    turns: int
    span: Span
    cites: tuple[str, ...]
    carries: str | None = None
    copy: int = 0


@node(frozen=True, slots=True)
class PieceType:
    name: str
    owned: bool
    kinds: tuple[Kind, ...]
    attributes: tuple[tuple[str, Type], ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Table:
    """`values` declaration."""

    name: str
    entries: tuple[int, ...]
    type: Type
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Holds:
    """Spaces for which `condition` holds (it speaks of the slots x and y) take up to `capacity` pieces of a
    type."""

    x: Slot
    y: Slot
    condition: Expr
    capacity: int
    piece: str
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Var:
    """owner: game, player, space or kind; then `of` is the piece type or enum. `initial` None: unset until
    set; reading it then is a run-time error. visibility: open, secret (to its player), hidden (from all).

    `anew`: the step that gives it its first value again whenever it begins. After composing that stands as
    statements at the front of the step."""

    name: str
    owner: str
    type: Type
    initial: Expr | None
    visibility: str
    span: Span
    cites: tuple[str, ...]
    of: str | None = None
    anew: str | None = None


@node(frozen=True, slots=True)
class Board:
    """Coordinates run from -across/2 to across/2 - 1 both ways; a piece outside is a run-time error."""

    name: str
    across: int
    holds: tuple[Holds, ...]
    attributes: tuple[Var, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Zone:
    """kind: pile (ordered, drawn from the top), row (ordered), hand, store, bag, pool (unordered).

    `of` is a piece type or an enum. owner: game or player, or the family of kinds whose pieces carry one each
    (then the name is `family.zone`). capacity None: no bound."""

    name: str
    kind: str
    owner: str
    of: str
    capacity: int | None
    visibility: str
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Track:
    """A player's (or the game's) marker on printed fields; read and set as a number from 0."""

    name: str
    owner: str
    fields: tuple[int, ...]
    visibility: str
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Step:
    """implicit_you: the first param was not written."""

    name: str
    params: tuple[Slot, ...]
    implicit_you: bool
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class ActionCase:
    """`kinds`: the names of the kinds it is for. `bound`: (slot, attribute) for every name bound in the
    pattern."""

    label: str
    kinds: tuple[str, ...]
    bound: tuple[tuple[Slot, str], ...]
    params: tuple[Slot, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Action:
    """`of` is the piece type or enum of its first argument; the cases are disjoint and cover all kinds; every
    case has the same params (names, types), slots of its own."""

    name: str
    of: str
    implicit_you: bool
    cases: tuple[ActionCase, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class QueryCase:
    condition: Expr | None
    value: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Query:
    """Pure. Lets are read in order, then the first case whose condition holds; the last one has none."""

    name: str
    params: tuple[Slot, ...]
    lets: tuple[Let, ...]
    cases: tuple[QueryCase, ...]
    type: Type
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class OnEnter:
    """A piece of one of `kinds` has come into one of `zones` or, where named, onto a board's space (its slot
    is then the space, else the kind)."""

    slot: Slot
    kinds: tuple[str, ...]
    zones: tuple[str, ...]
    boards: tuple[str, ...]


@node(frozen=True, slots=True)
class OnGain:
    """var: the name of a player's number variable; or zone and kind of pieces gained."""

    player: Slot
    amount: Slot
    var: str | None
    zone: str | None
    kind: str | None


@node(frozen=True, slots=True)
class OnCondition:
    condition: Expr


@node(frozen=True, slots=True)
class Trigger:
    """Fires right after the statement that caused it; several at once in the order of `order` (0 first)."""

    name: str
    event: OnEnter | OnGain | OnCondition
    guard: Expr | None
    order: int
    follows: tuple[str, ...]
    params: tuple[Slot, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Score:
    """Of a player, who is `you`; read at the end of the game."""

    name: str
    you: Slot
    value: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Rank:
    """Keys for one player, `you`; higher is better, first key first; equal on all: a shared place."""

    you: Slot
    keys: tuple[Expr, ...]
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Invariant:
    text: str
    condition: Expr
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Conserve:
    piece: str
    span: Span
    cites: tuple[str, ...]


@node(frozen=True, slots=True)
class Ruling:
    id: str
    text: str
    span: Span


@node(frozen=True, slots=True)
class Hint:
    """How something is shown; no part of the rules, and in no canonical form. how: `sign` (of a kind or all
    of a family), `label` (of a variable, zone, board), `color` (of a kind, family, type or seat),
    `leave_out`, `order`, `group`. `names`: what is meant, one but for the last three; `values`: of a kind of
    a family. `text`: the sign, label or title."""

    how: str
    names: tuple[str, ...]
    values: tuple[int, ...] | None
    text: str
    color: str
    span: Span


# -- scenarios: never part of the canonical form


@node(frozen=True, slots=True)
class GivenPlace:
    target: Place
    value: Expr
    span: Span


@node(frozen=True, slots=True)
class GivenZone:
    zone: ZoneRef
    items: tuple[tuple[int, Expr], ...]
    span: Span


@node(frozen=True, slots=True)
class GivenPiece:
    kind: Expr
    owner: Expr | None
    at: Expr
    turned: Expr | None
    span: Span


@node(frozen=True, slots=True)
class PlayMove:
    """args: JSON-able values as in records, by argument name."""

    player: int
    decision: str
    args: tuple[tuple[str, object], ...]
    span: Span


@node(frozen=True, slots=True)
class NextChance:
    """source: the path of the stream (`jungle`, `workers[0]`, `first_seat`); value as in records."""

    source: str
    value: object
    span: Span


@node(frozen=True, slots=True)
class ThenHolds:
    condition: Expr
    span: Span


@node(frozen=True, slots=True)
class ThenCan:
    player: int
    can: bool
    decision: str
    args: tuple[tuple[str, object], ...]
    span: Span


@node(frozen=True, slots=True)
class ThenOptions:
    player: int
    decision: str
    arg: str
    values: tuple[object, ...]
    span: Span


@node(frozen=True, slots=True)
class ThenOver:
    span: Span


ScenarioLine = (
    GivenPlace | GivenZone | GivenPiece | PlayMove | NextChance | ThenHolds | ThenCan | ThenOptions | ThenOver
)


@node(frozen=True, slots=True)
class Scenario:
    """The set-up is run with seed 0, then the `given` lines are put in place, then play begins and runs to
    its first decision of two or more options. Before the `given` lines stand moves and outcomes of the
    set-up. `options`: those that it is written for; all others are at their default. `begin`: a step and its
    arguments, the implicit `you` included, that runs in place of `play`."""

    title: str
    players: int
    lines: tuple[ScenarioLine, ...]
    span: Span
    cites: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    begin: tuple[str, tuple[Expr, ...]] | None = None


@node(frozen=True, slots=True)
class Modified:
    """What a module has done to a place of the game: `step.fill`, `query.usable`, `setup`. `how`: `extend`,
    `replace`, `before`, `after`, `wrap`, or as `modify` says (`+`, `at least`). `choice`: of `extend choose`,
    its name."""

    module: str
    place: str
    how: str
    span: Span
    choice: str | None = None


@node(frozen=True, slots=True)
class Rulebook:
    """A closed set of rules. `ruleset` is its name as a person writes it (`cacao:first_seat=random`), options
    that stand at their default left out; `versions` by game and module name. `scenarios` are those written
    for just this ruleset, `other_scenarios` those of its files for others, which count as uses of what they
    name. `modified`: what modules have done; all of it is done, and nobody who plays asks for it. `hints`:
    for who draws the game; of two that speak of one thing the last one counts."""

    ruleset: str
    game: str
    title: str
    versions: tuple[tuple[str, str], ...]
    players: tuple[int, int]
    seats: tuple[str, ...]
    clauses_file: str | None
    options: dict[str, Option]
    enums: dict[str, Enum]
    pieces: dict[str, PieceType]
    tables: dict[str, Table]
    boards: dict[str, Board]
    zones: dict[str, Zone]
    tracks: dict[str, Track]
    variables: dict[str, Var]
    setup: tuple[Stmt, ...]
    setup_span: Span
    setup_cites: tuple[str, ...]
    play: tuple[Stmt, ...]
    play_span: Span
    play_cites: tuple[str, ...]
    steps: dict[str, Step]
    actions: dict[str, Action]
    queries: dict[str, Query]
    triggers: dict[str, Trigger]
    scores: dict[str, Score]
    rank: Rank
    invariants: dict[str, Invariant]
    conserved: dict[str, Conserve]
    rulings: dict[str, Ruling]
    scenarios: tuple[Scenario, ...]
    other_scenarios: tuple[Scenario, ...] = ()
    modified: tuple[Modified, ...] = ()
    hints: tuple[Hint, ...] = ()

    @property
    def eliminates(self) -> bool:
        """Whether players can be out while the game goes on."""
        routines = (
            self.setup,
            self.play,
            *self.steps.values(),
            *self.actions.values(),
            *self.triggers.values(),
        )
        return any(isinstance(node, Eliminate) for node in walk(routines))
