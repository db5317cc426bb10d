"""The engine IR: how a state is laid out, and the blocks that run between decisions.

Input: built by `from_graph` out of the action graph. Output: read by `passes`, `verify_ir`, `ir_dump` and the
targets. It holds no text of any target.

Values are *codes*, by the type of the rules (`conche.semantics.types`):
    Flag                 a truth value
    Int                  itself
    EnumT, KindT         the number in order of declaration
    PlayerT              the seat
    SideT                0..3 (E S W N)
    SpaceT               the cell of its grid, `(y + half) * width + x + half`
    EdgeT                cell * 4 + side
    TextT                the text
    ListT, SetT, RingT   a tuple of codes
    Maybe                its element's code, or NOTHING
A variable that is not set holds UNSET.

A *top code* says what lies on top of a cell: 0 for nothing, else one number for every kind, owner and turn.

State = the place where it waits (a decision, or the end) + slots. Slots are what `Layout` lists: variables
and zones of the rules, grids, maintained sets, and the locals that some decision outlives (`Program.saved`,
found by `allocate`). There is no recursion in rules, so each local and each return address needs its slot
once.

Control. A `Block` is entered by `Goto`, by a decision (then its `params` are the arguments), or by `Back`.
It is a `Run`: operations in a row and an end; a branch or switch at the end holds the runs of its arms. Loops
and ifs in which nobody decides are structured operations. A routine that asks nobody and leaves nothing but
itself is a `Function`. Every block and function names the graph node it comes from, every operation the line
of the rules (`Mark`).

Invariants: see `verify_ir`. Everything is a tuple or a frozen dataclass, so programs can be compared and
hashed."""

from __future__ import annotations

from conche.node import node
from conche.semantics.rulebook import Slot
from conche.semantics.types import Flag, Int, Type

FLAG = Flag()


class Absent:
    """The two values that are no code: NOTHING (of a `maybe`) and UNSET (of a variable)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


NOTHING = Absent("NOTHING")
UNSET = Absent("UNSET")

Entry = int | bool | tuple[int, ...] | None
"""An entry of a static table; None: there is none."""

Scalar = int | bool | str | Absent
Value = Scalar | tuple[int, ...]


@node(frozen=True, slots=True)
class Mark:
    """A line of a rules file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# ------------------------------------------------------------------------------------------------ layout


@node(frozen=True, slots=True)
class KindSet:
    """The kinds of a piece type or the members of an enum, in order. `attributes`: by name, a value or None
    by kind."""

    name: str
    is_enum: bool
    owned: bool
    ring: bool
    names: tuple[str, ...]
    written: tuple[str, ...]
    turns: tuple[int, ...]
    attributes: tuple[tuple[str, tuple[Entry, ...]], ...]


@node(frozen=True, slots=True)
class Variable:
    """A variable or the marker of a track. owner: game (one slot), player (a list by seat), space (by cell of
    `board`), kind (a list by number of the kind or member of `of`).

    initial: the code it starts with, or UNSET; None where an operation of the start block sets it."""

    slot: str
    name: str
    owner: str
    board: str | None
    type: Type
    initial: Value | None
    visibility: str
    of: str | None = None


@node(frozen=True, slots=True)
class Zone:
    """storage: `counts` (how many by kind, and their sum), `row` (a tuple of kinds), `pile` (counts of
    unknown pieces between known ones on top and at the bottom; `known`: whether any can ever be known,
    `masked`: whether not always by all, so that who does is kept). By seat where owner is player.

    A zone that pieces carry has their family as owner. There is one for each copy of it, and its seat is the
    copy's number from 0; `carriers` are the copies' kinds, of the piece type `carrier`."""

    slot: str
    name: str
    kind: str
    owner: str
    of: str
    capacity: int | None
    visibility: str
    storage: str
    known: bool
    carrier: str = ""
    carriers: tuple[int, ...] = ()
    masked: bool = False

    @property
    def by_seat(self) -> bool:
        """Whether there are several of it, for players or for copies."""
        return self.owner != "game"


@node(frozen=True, slots=True)
class Code:
    """What a top code stands for; owner None where the type is not owned, turn None where it has no ring."""

    piece: str
    kind: int
    owner: int | None
    turn: int | None


@node(frozen=True, slots=True)
class Room:
    """How many pieces of a type a space takes: the most of all lines (condition, number) whose condition
    holds; none where none does. Conditions speak of the locals `x` and `y` alone."""

    piece: str
    x: Slot
    y: Slot
    lines: tuple[tuple[Expr, int], ...]


@node(frozen=True, slots=True)
class Grid:
    """A board: a top code by cell, and stacks of codes below some. `margin` rows and columns on each side
    hold nothing, but exist as spaces. `codes[0]` stands for nothing."""

    slot: str
    name: str
    across: int
    margin: int
    codes: tuple[Code | None, ...]
    room: tuple[Room, ...]

    @property
    def half(self) -> int:
        """What is added to a coordinate."""
        return self.across // 2 + self.margin

    @property
    def width(self) -> int:
        return self.across + 2 * self.margin

    def cell(self, x: int, y: int) -> int:
        return (y + self.half) * self.width + x + self.half


@node(frozen=True, slots=True)
class Stream:
    """A source of chance. by_seat: one for every player, `path[0]`, … `of`: what an outcome is. copies: not
    0, one for each of so many copies that carry one, `path[1]`, …"""

    path: str
    by_seat: bool
    of: Type
    copies: int = 0


@node(frozen=True, slots=True)
class Upkeep:
    """What changes in a maintained set when a piece of a type is put on a space that was empty.

    `here`: whether that space belongs to it now; None: it neither did nor does. `near`: whether a neighbour
    of it, the local `space` of the set, belongs to it now; None: nothing changes there. (When a piece is put
    on another, everything is worked out anew.)"""

    piece: str
    here: Expr | None
    near: Expr | None


@node(frozen=True, slots=True)
class MaintainedSet:
    """The spaces for which `holds` is true, ascending; kept up to date when a piece is put at a cell.

    `holds` speaks of the local `space` and reads nothing but `Top` and `Height` at it and `Top` at its
    neighbours. `key`: None for one set; else a table of seats by top code, and there is one set for each
    seat, of the spaces whose top piece has that entry. `upkeep`: what a put changes. It is derived: neither
    saved nor shown."""

    slot: str
    name: str
    board: str
    space: Slot
    holds: Expr
    key: str | None
    upkeep: tuple[Upkeep, ...]


@node(frozen=True, slots=True)
class Layout:
    seats: tuple[str, ...]
    min_players: int
    max_players: int
    kinds: tuple[KindSet, ...]
    variables: tuple[Variable, ...]
    zones: tuple[Zone, ...]
    grids: tuple[Grid, ...]
    streams: tuple[Stream, ...]
    sets: tuple[MaintainedSet, ...]


@node(frozen=True, slots=True)
class Table:
    """Static values by index from 0; None: no such value, and to look it up is a run-time error."""

    name: str
    values: tuple[Entry, ...]
    note: str


@node(frozen=True, slots=True)
class GridTable:
    """Static values that follow from a grid. which: `around` (by cell: its neighbours E S W N), `beside` (by
    edge: the cell across), `toward` (by difference of neighbouring cells: the side), `x` and `y` (by
    cell)."""

    name: str
    board: str
    which: str


# ------------------------------------------------------------------------------------------------ expressions
# Each has its `type` last.


@node(frozen=True, slots=True)
class Const:
    value: Value
    type: Type


@node(frozen=True, slots=True)
class Local:
    slot: Slot

    @property
    def type(self) -> Type:
        return self.slot.type


@node(frozen=True, slots=True)
class PlayerNumber:
    """How many play."""

    type: Type


@node(frozen=True, slots=True)
class PlayersIn:
    """The seats of those still in, ascending, in a game that eliminates."""

    type: Type


@node(frozen=True, slots=True)
class PlayersLeft:
    """How many those are."""

    type: Type


@node(frozen=True, slots=True)
class StillIn:
    seat: Expr
    type: Type = FLAG


@node(frozen=True, slots=True)
class Clockwise:
    """Those still in, in the order of seats, from a seat on, which need not be in; it must be one of the
    game's."""

    start: Expr
    type: Type


@node(frozen=True, slots=True)
class NextSeat:
    """The next one still in, that way (step 1 or -1); the seat itself when there is no other. It must be one
    of the game's."""

    seat: Expr
    step: int
    type: Type


@node(frozen=True, slots=True)
class Mask:
    """Who knows a piece: some seats, and those of another mask. A mask is a number with a bit for each seat;
    -1: all."""

    seats: tuple[Expr, ...]
    others: Expr | None
    type: Type


@node(frozen=True, slots=True)
class Global:
    """A variable of the game. checked: it may be unset, and then to read it is a run-time error."""

    slot: str
    checked: bool
    type: Type


@node(frozen=True, slots=True)
class Item:
    """A variable of a player, a space or a kind, by seat, cell or number."""

    slot: str
    index: Expr
    checked: bool
    type: Type


@node(frozen=True, slots=True)
class Lookup:
    """An entry of a static table."""

    table: str
    index: Expr
    type: Type


@node(frozen=True, slots=True)
class Arith:
    """op: + - * / mod (floor; by 0 a run-time error)."""

    op: str
    left: Expr
    right: Expr
    type: Type


@node(frozen=True, slots=True)
class Compare:
    """op: = != (two sets are equal when they hold the same, in any order) < > <= >="""

    op: str
    left: Expr
    right: Expr
    type: Type = FLAG


@node(frozen=True, slots=True)
class OneOf:
    """Whether a code is one of some, ascending. last: the largest that it can be; None: it may be no code at
    all."""

    value: Expr
    codes: tuple[int, ...]
    last: int | None
    type: Type = FLAG


@node(frozen=True, slots=True)
class Logic:
    """op: and, or; from the left, the next one only where it is needed."""

    op: str
    parts: tuple[Expr, ...]
    type: Type = FLAG


@node(frozen=True, slots=True)
class HowMany:
    """How many of some flags hold; all are looked at."""

    parts: tuple[Expr, ...]
    type: Type


@node(frozen=True, slots=True)
class Not:
    operand: Expr
    type: Type = FLAG


@node(frozen=True, slots=True)
class Negate:
    operand: Expr
    type: Type


@node(frozen=True, slots=True)
class MinMax:
    op: str
    args: tuple[Expr, ...]
    type: Type


@node(frozen=True, slots=True)
class Cond:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type


@node(frozen=True, slots=True)
class Member:
    """Whether a value is in a sequence."""

    value: Expr
    source: Expr
    type: Type = FLAG


@node(frozen=True, slots=True)
class Size:
    """How many items a sequence has."""

    source: Expr
    type: Type


@node(frozen=True, slots=True)
class At:
    """An item of a sequence, by place from 0, which must exist."""

    source: Expr
    index: Expr
    type: Type


@node(frozen=True, slots=True)
class Tail:
    """All items but the first."""

    source: Expr
    type: Type


@node(frozen=True, slots=True)
class Sequence:
    """A sequence written out: how often, which."""

    items: tuple[tuple[int, Expr], ...]
    type: Type


@node(frozen=True, slots=True)
class Concat:
    parts: tuple[Expr, ...]
    type: Type


@node(frozen=True, slots=True)
class Distinct:
    """Each item once, where it comes first."""

    source: Expr
    type: Type


@node(frozen=True, slots=True)
class With:
    """A sequence with one more item at its end; unique: unless it is there."""

    source: Expr
    value: Expr
    unique: bool
    type: Type


@node(frozen=True, slots=True)
class Without:
    """A sequence without the first such item; not there: a run-time error."""

    source: Expr
    value: Expr
    type: Type


@node(frozen=True, slots=True)
class Interval:
    """low..high, ascending, both included; empty when high < low."""

    low: Expr
    high: Expr
    type: Type


@node(frozen=True, slots=True)
class Fold:
    """op: count any each (body None: the item itself) sum most least all each (body given); sorted: the
    items by the body, a number or a list of numbers, ascending; equal ones stay in order."""

    op: str
    body: Expr | None
    slot: Slot
    source: Expr
    where: Expr | None
    type: Type


@node(frozen=True, slots=True)
class Ask:
    """A query."""

    query: str
    args: tuple[Expr, ...]
    type: Type


@node(frozen=True, slots=True)
class ZoneSize:
    """seat: None for a common zone."""

    zone: str
    seat: Expr | None
    type: Type


@node(frozen=True, slots=True)
class ZoneHolds:
    zone: str
    seat: Expr | None
    kind: Expr
    type: Type


@node(frozen=True, slots=True)
class ZoneKinds:
    """The different kinds in a zone, ascending."""

    zone: str
    seat: Expr | None
    type: Type


@node(frozen=True, slots=True)
class ZoneItems:
    """All pieces in a zone: a row in its order, anything else by kind ascending."""

    zone: str
    seat: Expr | None
    type: Type


@node(frozen=True, slots=True)
class FreeCopy:
    """The lowest of some kinds, `codes` of a piece type, that is nowhere; none: a run-time error."""

    piece: str
    codes: tuple[int, ...]
    type: Type


@node(frozen=True, slots=True)
class LowestCopy:
    """The lowest of some kinds that is in a zone; if there is none, the first of them."""

    zone: str
    seat: Expr | None
    codes: tuple[int, ...]
    type: Type


@node(frozen=True, slots=True)
class Top:
    """The top code of a cell."""

    board: str
    space: Expr
    type: Type


@node(frozen=True, slots=True)
class Height:
    board: str
    space: Expr
    type: Type


@node(frozen=True, slots=True)
class Spaces:
    """The spaces that hold a piece and their neighbours, ascending."""

    board: str
    type: Type


@node(frozen=True, slots=True)
class Kept:
    """A maintained set; key: the seat, of one by seat."""

    set: str
    key: Expr | None
    type: Type


@node(frozen=True, slots=True)
class KeptHas:
    """Whether a space is in a maintained set."""

    set: str
    key: Expr | None
    space: Expr
    type: Type = FLAG


@node(frozen=True, slots=True)
class ScoreTotal:
    """The sum of all scores of a player, in the keys of the ranking."""

    player: Expr
    type: Type


@node(frozen=True, slots=True)
class Running:
    """Whether a routine has been called and has not come to its end."""

    routine: str
    type: Type = FLAG


Expr = (
    Const
    | Local
    | PlayerNumber
    | PlayersIn
    | PlayersLeft
    | StillIn
    | Clockwise
    | NextSeat
    | Mask
    | Global
    | Item
    | Lookup
    | Arith
    | Compare
    | OneOf
    | Logic
    | HowMany
    | Not
    | Negate
    | MinMax
    | Cond
    | Member
    | Size
    | At
    | Tail
    | Sequence
    | Concat
    | Distinct
    | With
    | Without
    | Interval
    | Fold
    | Ask
    | ZoneSize
    | ZoneHolds
    | ZoneKinds
    | ZoneItems
    | FreeCopy
    | LowestCopy
    | Top
    | Height
    | Spaces
    | Kept
    | KeptHas
    | ScoreTotal
    | Running
)

# ------------------------------------------------------------------------------------------------ operations
# Each has its `mark` last.


@node(frozen=True, slots=True)
class Let:
    """A local gets a value, for the first time or anew. bounds: outside is a run-time error (of a sequence:
    any item)."""

    slot: Slot
    value: Expr
    bounds: tuple[int, int] | None
    mark: Mark


@node(frozen=True, slots=True)
class Store:
    """A variable gets a value; index: the seat, cell or number of the kind. bounds: outside is a run-time
    error (of a sequence: any item)."""

    slot: str
    index: Expr | None
    value: Expr
    bounds: tuple[int, int] | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneAdd:
    """Pieces, not less than none, come into a zone; too many for its capacity: a run-time error. room: there
    surely is room for them. place: `in` (unordered, or unknown in a pile), `end` (of a row), `top` or `under`
    (of a pile). known: at a known place of a masked pile, the mask of those who know it."""

    zone: str
    seat: Expr | None
    kind: Expr
    amount: Expr
    place: str
    room: bool
    known: Expr | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneRemove:
    """Pieces leave a zone; not there, or less than none: a run-time error. In a pile unknown ones first.
    known: a local that gets the mask of those who knew where the one piece lay."""

    zone: str
    seat: Expr | None
    kind: Expr
    amount: Expr
    known: Slot | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneDraw:
    """One piece leaves a pile (the top one) or a bag (any); its kind goes into the local. Nothing there: a
    run-time error. seen: `all`, `none`, or the seat that alone sees the outcome. known: as in `ZoneRemove`;
    nobody, where its place was not known."""

    slot: Slot
    zone: str
    seat: Expr | None
    seen: str | Expr
    known: Slot | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneLook:
    """A player gets to know the top pieces of a masked pile; fewer there, or less than none: a run-time
    error."""

    zone: str
    seat: Expr | None
    viewer: Expr
    amount: Expr
    mark: Mark


@node(frozen=True, slots=True)
class ZoneShuffle:
    zone: str
    seat: Expr | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneSwap:
    """Every piece of kind `old` becomes one of kind `new`."""

    zone: str
    seat: Expr | None
    old: Expr
    new: Expr
    mark: Mark


@node(frozen=True, slots=True)
class ZoneClear:
    """All pieces of a zone are gone."""

    zone: str
    seat: Expr | None
    mark: Mark


@node(frozen=True, slots=True)
class ZoneSwapCopies:
    """Every piece of kinds `old` becomes one of kinds `new`, of several the lowest that is nowhere. What gone
    copies carried, in `carried` by their order, is gone."""

    zone: str
    seat: Expr | None
    old: tuple[int, ...]
    new: tuple[int, ...]
    carried: str | None
    mark: Mark


@node(frozen=True, slots=True)
class PutPiece:
    """A piece comes on top of a cell; no room there: a run-time error. owner, turn: None where its type has
    none."""

    board: str
    space: Expr
    piece: str
    kind: Expr
    owner: Expr | None
    turn: Expr | None
    mark: Mark


@node(frozen=True, slots=True)
class Pick:
    """One item of the source, equally likely; none there: a run-time error."""

    slot: Slot
    stream: str
    source: Expr
    mark: Mark


@node(frozen=True, slots=True)
class Show:
    """An event of the log: the rules reveal a value to a seat, or to all. whose: the seat it belongs to, if
    any."""

    what: str
    whose: Expr | None
    value: Expr
    to: Expr | None
    mark: Mark


@node(frozen=True, slots=True)
class Call:
    function: str
    args: tuple[Expr, ...]
    mark: Mark


@node(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Op, ...]
    otherwise: tuple[Op, ...]
    mark: Mark


@node(frozen=True, slots=True)
class Select:
    """The arm whose codes have the subject; none: a run-time error."""

    subject: Expr
    arms: tuple[tuple[tuple[int, ...], tuple[Op, ...]], ...]
    mark: Mark


@node(frozen=True, slots=True)
class For:
    """The source is read once, before the first turn of the loop."""

    slot: Slot
    source: Expr
    body: tuple[Op, ...]
    mark: Mark


@node(frozen=True, slots=True)
class While:
    """condition None: until a `Break`."""

    condition: Expr | None
    body: tuple[Op, ...]
    mark: Mark


@node(frozen=True, slots=True)
class Break:
    mark: Mark


@node(frozen=True, slots=True)
class Return:
    """Out of a function."""

    mark: Mark


@node(frozen=True, slots=True)
class Fail:
    """The rules do what they say cannot happen."""

    message: str
    mark: Mark


@node(frozen=True, slots=True)
class Require:
    """A run-time error unless the condition holds."""

    condition: Expr
    message: str
    mark: Mark


@node(frozen=True, slots=True)
class Forget:
    """The routine is left without its end: it does not run any more."""

    routine: str
    mark: Mark


@node(frozen=True, slots=True)
class Eliminate:
    """A player is out from here on; he may be already."""

    seat: Expr
    mark: Mark


@node(frozen=True, slots=True)
class ForgetChoice:
    """What a player chose at a decision is not to be chosen anew in samples any more."""

    decision: str
    seat: Expr
    mark: Mark


Op = (
    Let
    | Store
    | ZoneAdd
    | ZoneRemove
    | ZoneDraw
    | ZoneLook
    | ZoneShuffle
    | ZoneSwap
    | ZoneClear
    | ZoneSwapCopies
    | PutPiece
    | Pick
    | Show
    | Call
    | If
    | Select
    | For
    | While
    | Break
    | Return
    | Fail
    | Require
    | Forget
    | Eliminate
    | ForgetChoice
)

# ------------------------------------------------------------------------------------------------ ends of
# code


@node(frozen=True, slots=True)
class Goto:
    block: str
    mark: Mark


@node(frozen=True, slots=True)
class Branch:
    condition: Expr
    yes: Run
    no: Run
    mark: Mark


@node(frozen=True, slots=True)
class Switch:
    """As Select, at an end."""

    subject: Expr
    arms: tuple[tuple[tuple[int, ...], Run], ...]
    mark: Mark


@node(frozen=True, slots=True)
class Decide:
    """Count the options of a decision: two or more, and the state waits there; one is taken at once; none:
    the decision's `otherwise`."""

    decision: str
    mark: Mark


@node(frozen=True, slots=True)
class Gather:
    """All choose at once: ask those who are to, and wait for all that have two options or more; then to the
    decision's `done`."""

    decision: str
    mark: Mark


@node(frozen=True, slots=True)
class TakeKept:
    """To the case that a player has chosen, with its values."""

    decision: str
    seat: Expr
    mark: Mark


@node(frozen=True, slots=True)
class Back:
    """To the block that the return slot of a routine names."""

    routine: str
    mark: Mark


@node(frozen=True, slots=True)
class Into:
    """Into a routine that is called from several places; its end leads to `back`."""

    routine: str
    block: str
    back: str
    mark: Mark


@node(frozen=True, slots=True)
class Over:
    mark: Mark


@node(frozen=True, slots=True)
class Dead:
    """Never reached: what comes before it fails."""

    mark: Mark


End = Goto | Branch | Switch | Decide | Gather | TakeKept | Back | Into | Over | Dead


@node(frozen=True, slots=True)
class Run:
    """A straight run of operations and its end."""

    ops: tuple[Op, ...]
    end: End


# ------------------------------------------------------------------------------------------------ program


@node(frozen=True, slots=True)
class Block:
    """`params`: locals that come as arguments (of a decision's case)."""

    id: str
    node: str
    params: tuple[Slot, ...]
    run: Run
    mark: Mark


@node(frozen=True, slots=True)
class Binder:
    """As in the rulebook: `source`, or else `value`; `arg` is the name shown, None for a hidden one."""

    slot: Slot
    source: Expr | None
    value: Expr | None
    arg: str | None


@node(frozen=True, slots=True)
class Case:
    """`count`: how many options the binders give, where the guard holds. `block` is entered with the values
    of `passes`, binders of this case. `move`: what the move is called."""

    label: str
    binders: tuple[Binder, ...]
    guard: Expr | None
    late_guard: Expr | None
    count: Expr
    block: str
    passes: tuple[Slot, ...]
    move: str
    mark: Mark


@node(frozen=True, slots=True)
class Asking:
    """What others may know of a decision that can be passed: its name (None: it may be another one), and
    whom open facts allow to be asked: every player still in for whom a condition holds; without a slot the
    one who is asked."""

    name: str | None
    seat: Slot | None
    condition: Expr | None


@node(frozen=True, slots=True)
class AtOnce:
    """Players choose at once: those of `seats` for whom `guard` holds. The decision's code speaks of the
    local `seat`, the chooser. Into `order` come the seats of all who were asked; `done` is gone on with when
    all have chosen. shown: all see then what they have chosen.

    `anew`: for a choice that samples can make anew, the variables that it sets, and for each case how; else
    None."""

    seat: Slot
    seats: Expr
    guard: Expr | None
    order: Slot
    done: str
    shown: bool
    anew: tuple[tuple[str, ...], tuple[tuple[Op, ...], ...]] | None


@node(frozen=True, slots=True)
class Decision:
    """`id` is the graph node of the choice; `name` what players call it. `found`: a sequence that is worked
    out when the options are counted, into a local that is kept as long as the state waits here. `otherwise`:
    the code for when there is no option. told_apart: no two options have the same arguments; else that is
    checked when options are counted, and a run-time error. listed: an argument may be a piece that carries
    others, and of options that look alike the first stands for all; so they are listed, and nothing else is
    `found`. private: not all can work out the options. asking: of one whose last case is to pass. at_once:
    where all choose at once; then it is entered by `Gather`."""

    id: str
    name: str
    chooser: Expr
    found: tuple[Slot, Expr] | None
    cases: tuple[Case, ...]
    otherwise: Run
    told_apart: bool
    listed: bool
    private: bool
    asking: Asking | None
    at_once: AtOnce | None
    mark: Mark


@node(frozen=True, slots=True)
class Function:
    id: str
    node: str
    params: tuple[Slot, ...]
    body: tuple[Op, ...]
    mark: Mark


@node(frozen=True, slots=True)
class Query:
    """Lets in order, then the first case whose condition holds; the last one has none."""

    name: str
    params: tuple[Slot, ...]
    lets: tuple[tuple[Slot, Expr], ...]
    cases: tuple[tuple[Expr | None, Expr, Mark], ...]
    type: Type
    mark: Mark


@node(frozen=True, slots=True)
class Score:
    name: str
    you: Slot
    value: Expr
    mark: Mark


@node(frozen=True, slots=True)
class Rank:
    you: Slot
    keys: tuple[Expr, ...]
    mark: Mark


@node(frozen=True, slots=True)
class Program:
    """A whole engine. `trusted`: the ranges of locals that are sure (arguments, bound attributes). `saved`:
    the locals that are slots of the state. `returns`: the routines with a return slot, and the blocks that it
    can name. `flows`: names of zones between which a statement carries pieces, and whether always those of
    one player, for `sample`. `eliminates`: whether players can be out while the game goes on."""

    ruleset: str
    title: str
    digest: str
    versions: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    layout: Layout
    tables: tuple[Table | GridTable, ...]
    queries: tuple[Query, ...]
    functions: tuple[Function, ...]
    blocks: tuple[Block, ...]
    decisions: tuple[Decision, ...]
    scores: tuple[Score, ...]
    rank: Rank
    start: str
    trusted: tuple[tuple[Slot, Int], ...]
    saved: tuple[Slot, ...]
    returns: tuple[tuple[str, tuple[str, ...]], ...]
    flows: tuple[tuple[str, str, bool], ...]
    eliminates: bool = False
