"""The AST: what a rules file says, node by node, before any name is resolved.

Input: built by `from_text` out of the lark tree. Output: read by `semantics`.
Invariants: every node is frozen and carries the span of its whole text, without the citations at its end;
`cites` are those written at the end of the node's line, in order, and in `if c: stop §1.8` belong to both
statements; no node knows of types. A declaration that did not parse is an `ErrorDecl`.
"""

from __future__ import annotations

from typing import Literal

from conche.node import node
from conche.source import Span


@node(frozen=True, slots=True)
class Cite:
    """A clause (`1.4a`) or a ruling (`A5`), without the section sign."""

    id: str
    span: Span


@node(frozen=True, slots=True)
class Name:
    """An identifier as written."""

    text: str
    span: Span


# ------------------------------------------------------------------------------------------------ expressions


@node(frozen=True, slots=True)
class IntLit:
    value: int
    span: Span


@node(frozen=True, slots=True)
class FlagLit:
    """`yes` or `no`."""

    value: bool
    span: Span


@node(frozen=True, slots=True)
class StringLit:
    value: str
    span: Span


@node(frozen=True, slots=True)
class NoneLit:
    """`nothing`: the absent value of a `maybe` type."""

    span: Span


@node(frozen=True, slots=True)
class NameRef:
    """A bare name: local, variable, zone, member, kind, seat, option, board, or a set that is built in."""

    name: str
    span: Span


@node(frozen=True, slots=True)
class TypeRef:
    """A capitalised name used as a value: the set of an enum's members or of a piece type's kinds."""

    name: str
    span: Span


@node(frozen=True, slots=True)
class Attr:
    """`value.name`"""

    value: Expr
    name: Name
    span: Span


@node(frozen=True, slots=True)
class Index:
    """`value[index]`: how many of a kind a zone holds, or an entry of `values`."""

    value: Expr
    index: Expr
    span: Span


@node(frozen=True, slots=True)
class Call:
    """`name(args)`: a query, a built-in function, or a kind such as `market(2)`."""

    name: Name
    args: tuple[Expr, ...]
    span: Span


@node(frozen=True, slots=True)
class TupleLit:
    """`(x, y)`: a space of the board."""

    items: tuple[Expr, ...]
    span: Span


@node(frozen=True, slots=True)
class Item:
    """`3 water` in a list of pieces; `count` is None where none was written."""

    count: Expr | None
    value: Expr
    span: Span


@node(frozen=True, slots=True)
class ListLit:
    """`[a, b]` or `[]`."""

    items: tuple[Expr, ...]
    span: Span


@node(frozen=True, slots=True)
class RangeLit:
    """`low..high`, both included; empty when high < low."""

    low: Expr
    high: Expr
    span: Span


@node(frozen=True, slots=True)
class Unary:
    """op: `-` or `not`."""

    op: str
    operand: Expr
    span: Span


@node(frozen=True, slots=True)
class Binary:
    """op: + - * / mod  = != < > <= >=  and or  in `not in`."""

    op: str
    left: Expr
    right: Expr
    span: Span


@node(frozen=True, slots=True)
class Pattern:
    """`market`, `market(2)` or `market(price)`: a kind, with values to match or names to bind."""

    name: Name
    args: tuple[Expr, ...] | None
    span: Span


@node(frozen=True, slots=True)
class IsEmpty:
    """`x is empty` / `x is not empty` of a zone, a set or a space."""

    value: Expr
    negated: bool
    span: Span


@node(frozen=True, slots=True)
class IsPattern:
    """`x is market(2)` / `x is not market`: of a space's top piece, a kind, an enum value, an option."""

    value: Expr
    pattern: Pattern
    negated: bool
    span: Span


@node(frozen=True, slots=True)
class IsA:
    """`s is a Worker`: of a space's top piece."""

    value: Expr
    type_name: Name
    negated: bool
    span: Span


@node(frozen=True, slots=True)
class IfExpr:
    """`if c then a else b`"""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@node(frozen=True, slots=True)
class Fold:
    """`count/any/each(x in S where c)` without a body, `sum/most/least/all/each(e for x in S where c)`."""

    op: str
    body: Expr | None
    var: Name
    source: Expr
    where: Expr | None
    span: Span


Expr = (
    IntLit
    | FlagLit
    | StringLit
    | NoneLit
    | NameRef
    | TypeRef
    | Attr
    | Index
    | Call
    | TupleLit
    | Item
    | ListLit
    | RangeLit
    | Unary
    | Binary
    | IsEmpty
    | IsPattern
    | IsA
    | IfExpr
    | Fold
)

# ------------------------------------------------------------------------------------------------ types


@node(frozen=True, slots=True)
class NamedType:
    """`flag`, `Player`, `Space`, `Edge`, `Side`, an enum, or a piece type (then: a kind of that piece)."""

    name: Name
    span: Span


@node(frozen=True, slots=True)
class RangeType:
    low: Expr
    high: Expr
    span: Span


@node(frozen=True, slots=True)
class CollectionType:
    """kind: `set` or `list`, of an element type."""

    kind: str
    element: TypeExpr
    span: Span


@node(frozen=True, slots=True)
class RingType:
    """`ring of 4 of 0..4`: one value per side of a piece; it turns with the piece."""

    length: int
    element: TypeExpr
    span: Span


@node(frozen=True, slots=True)
class MaybeType:
    element: TypeExpr
    span: Span


TypeExpr = NamedType | RangeType | CollectionType | RingType | MaybeType


@node(frozen=True, slots=True)
class Param:
    name: Name
    type: TypeExpr
    span: Span


# ------------------------------------------------------------------------------------------------ statements


@node(frozen=True, slots=True)
class Gain:
    """`gain 3 gold`, `gain up to 1 cacao`: by `you`."""

    amount: Expr
    up_to: bool
    resource: Name
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Pay:
    """`pay 3 gold` (to the supply) or `pay 3 gold to q`: by `you`."""

    amount: Expr
    resource: Name
    to: Expr | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Put:
    """`put 6 water, 2 temple in jungle`: pieces come into the game."""

    items: tuple[Item, ...]
    zone: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Take:
    """`take 1 water out of jungle`: pieces leave the game."""

    items: tuple[Item, ...]
    zone: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Swap:
    """`swap every temple for gem_mine in jungle`: as many of one kind as there are of the other."""

    old: Expr
    new: Expr
    zone: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Move:
    """`move tile from display to at turned turn`, `move card from hand to contracts under`."""

    piece: Expr
    source: Expr
    target: Expr
    turned: Expr | None
    under: bool
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Draw:
    """`draw 2 from jungle to display`, `draw up to 1 from p.workers to p.held`: the chance event."""

    amount: Expr
    up_to: bool
    source: Expr
    target: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Shuffle:
    pile: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Set:
    """`set x to e`"""

    target: Expr
    value: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Add:
    """`add e to x`: into a set or at the end of a list."""

    value: Expr
    target: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Drop:
    """`drop e from x`: out of a set or list; e must be in it."""

    value: Expr
    target: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Reveal:
    """`reveal e` to all, `reveal e to p`: from here on they may know it."""

    value: Expr
    to: Expr | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Look:
    """`look at 2 of events`: `you` get to know the top pieces of a pile."""

    amount: Expr
    zone: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Eliminate:
    """`eliminate p`: that player is out."""

    player: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Let:
    name: Name
    value: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Do:
    """`do step`, `do step(args)`, `do action(subject, args)`."""

    name: Name
    args: tuple[Expr, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Stop:
    """`stop`: leaves the innermost loop, or else the step or action; `stop fill`: leaves the step `fill`."""

    target: Name | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class EndGame:
    """`end game`"""

    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Original:
    """`original`, in the body of a `wrap`: what stood at the place before."""

    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class WithPlayers:
    """`with 3 or 4 players`: a part of the rules that depends on the number of players."""

    counts: tuple[int, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class WithOption:
    """`with option first_seat is random`: decided when the ruleset is composed."""

    option: Name
    value: Name
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class RankKey:
    """`x.price falling`"""

    value: Expr
    falling: bool
    span: Span


@node(frozen=True, slots=True)
class ForEach:
    """`for each x in S`; with `chosen_by` and `decision`: `for each x in S, in order chosen by p as pick`;
    with `ranked`: `for each x in S, by x.price falling, x.age rising`."""

    var: Name
    source: Expr
    chosen_by: Expr | None
    decision: Name | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]
    ranked: tuple[RankKey, ...] = ()


@node(frozen=True, slots=True)
class EachPlayer:
    """`each player p from first if guard`: once around, clockwise; the guard is read when the turn comes."""

    var: Name
    start: Expr
    guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Rounds:
    """`rounds for you from first if guard`: `each player` again and again, until the guard holds for none.
    `until_pass`: `rounds for you from first until all pass`, where the guard may be absent."""

    var: Name
    start: Expr
    guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]
    until_pass: bool = False


@node(frozen=True, slots=True)
class Repeat:
    """`repeat` (both None), `repeat while c`, `repeat n times`."""

    condition: Expr | None
    times: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class BindIn:
    """`x in S`: an argument of the decision. Hidden: `for x in S`, which shows by what follows only."""

    name: Name
    source: Expr
    hidden: bool
    span: Span


@node(frozen=True, slots=True)
class BindIs:
    """`x = e`: an argument whose value follows from the others."""

    name: Name
    value: Expr
    span: Span


Binder = BindIn | BindIs


@node(frozen=True, slots=True)
class Case:
    """`case label(binders) as move if guard` and what then happens. The label may be absent; so may be the
    name of the move, which is then that of its decision."""

    label: Name | None
    binders: tuple[Binder, ...]
    guard: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]
    move: Name | None = None


@node(frozen=True, slots=True)
class Choose:
    """`choose name` with cases, then `none` (a fallback), `always §…` (why there is always an option) or
    `pass(binders)` (an option of which nothing shows).

    The short form `choose use(amount in 0..n)` is one case without a body; its binders stay known to the end
    of the enclosing block. `banker: choose …` asks another player than `you`, for whom `chooser` is None.
    """

    chooser: Expr | None
    name: Name
    cases: tuple[Case, ...]
    none: tuple[Stmt, ...] | None
    always: tuple[Cite, ...]
    short: bool
    span: Span
    cites: tuple[Cite, ...]
    passing: Case | None = None


@node(frozen=True, slots=True)
class AtOnce:
    """`together each player you from first if guard` and a `choose`: all choose before anybody sees. how:
    `together` or `secretly` (then nobody else ever sees the choice)."""

    how: Literal["together", "secretly"]
    var: Name
    start: Expr
    guard: Expr | None
    choose: Choose | ErrorStmt
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Chance:
    """`chance first_seat(seat in players)`: one of the set, all equally likely."""

    name: Name
    var: Name
    source: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ErrorStmt:
    """A statement that could not be read; already reported."""

    span: Span
    cites: tuple[Cite, ...]


Stmt = (
    Gain
    | Pay
    | Put
    | Take
    | Swap
    | Move
    | Draw
    | Shuffle
    | Set
    | Add
    | Drop
    | Reveal
    | Look
    | Eliminate
    | Let
    | Do
    | Stop
    | EndGame
    | Original
    | If
    | WithPlayers
    | WithOption
    | ForEach
    | EachPlayer
    | AtOnce
    | Rounds
    | Repeat
    | Choose
    | Chance
    | ErrorStmt
)

# --------------------------------------------------------------------------------------------- declarations


@node(frozen=True, slots=True)
class Header:
    """kind: `game` or `module`; a module names the game it is for and the versions it fits."""

    kind: str
    name: Name
    title: StringLit
    base: Name | None
    base_version: str | None
    version: str | None
    players: tuple[int, int] | None
    seats: tuple[Name, ...]
    clauses: StringLit | None
    requires: tuple[Name, ...]
    excludes: tuple[Name, ...]
    follows: tuple[Name, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class OptionDecl:
    """`option first_seat in {zero, random} = zero`; with `numbers`: `option months in 6..12 = 8`, whose
    `values` are empty."""

    name: Name
    values: tuple[Name, ...]
    default: Name
    span: Span
    cites: tuple[Cite, ...]
    numbers: tuple[int, int] | None = None


@node(frozen=True, slots=True)
class DataFrom:
    """`from "contracts.csv"`: the rows stand in a file beside the rules."""

    file: StringLit
    span: Span


@node(frozen=True, slots=True)
class Variant:
    """A member of an enum or a kind of piece.

    `params` (`plantation(yield: 1..2)`) make one kind for every combination of values; `values`
    (`w1111 (1, 1, 1, 1)`) give the attributes declared in the type's head. `written` is the name in records,
    by default the name itself. `gem_mine carries store gems of 6 Gem, open`: each such piece has a zone.
    """

    name: Name
    params: tuple[Param, ...]
    values: tuple[Expr, ...] | None
    written: StringLit | None
    carries: ZoneDecl | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class EnumDecl:
    """`rows`: where the variants come from, when they stand in a file."""

    name: Name
    params: tuple[Param, ...]
    variants: tuple[Variant, ...]
    span: Span
    cites: tuple[Cite, ...]
    rows: DataFrom | None = None


@node(frozen=True, slots=True)
class PieceDecl:
    """`owned`: each such piece belongs to a player. `rows`: where the variants come from, when they stand in
    a file."""

    name: Name
    params: tuple[Param, ...]
    owned: bool
    variants: tuple[Variant, ...]
    span: Span
    cites: tuple[Cite, ...]
    rows: DataFrom | None = None


@node(frozen=True, slots=True)
class ValuesDecl:
    """`values prices = [1, 2, 4]` or `values prices from "prices.csv"`: a constant list."""

    name: Name
    value: ListLit | DataFrom
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class BoardHolds:
    """`on (x + y) mod 2 = 0 up to 1 Jungle`: what may lie where the condition on x and y holds."""

    condition: Expr
    capacity: int
    piece: Name
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class VarDecl:
    """`name: type = initial, visibility, anew each step`; visibility: open, secret, hidden. `anew`: the step
    that gives it its first value again."""

    name: Name
    type: TypeExpr
    initial: Expr | None
    visibility: str
    span: Span
    cites: tuple[Cite, ...]
    anew: Name | None = None


@node(frozen=True, slots=True)
class BoardDecl:
    """`board table square grid at most 64 across`; attributes stand in a block `each space has`."""

    name: Name
    across: int
    holds: tuple[BoardHolds, ...]
    attributes: tuple[VarDecl, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ZoneDecl:
    """kind: pile, row, hand, store, bag, pool; `capacity` is None where there is no bound."""

    kind: str
    name: Name
    capacity: Expr | None
    piece: Name
    visibility: str
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class TrackDecl:
    """`track carrier of [-10, -4, …], open`: a marker that starts on field 0."""

    name: Name
    fields: ListLit
    visibility: str
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class EachPlayerHas:
    members: tuple[VarDecl | ZoneDecl | TrackDecl, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class EachKindHas:
    """`each Contract has` and a block of variables, which every kind of a piece type or member of an enum
    has."""

    of: Name
    members: tuple[VarDecl, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class SetupDecl:
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class PlayDecl:
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class StepDecl:
    name: Name
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ActionDecl:
    """`action use(market(price), e: Edge)`: what happens for one pattern of the first argument."""

    name: Name
    pattern: Pattern
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class QueryCase:
    """`value if condition`; condition None for `otherwise value`."""

    value: Expr
    condition: Expr | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class QueryDecl:
    """Cases are tried in order. The short form `query f(x) = e` is one case without condition."""

    name: Name
    params: tuple[Param, ...]
    lets: tuple[Let, ...]
    cases: tuple[QueryCase, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Enters:
    """`when t: gem_mine enters display or table`: a piece of that pattern or type comes into one of them."""

    var: Name
    pattern: Pattern | NamedType
    zones: tuple[Name, ...]
    span: Span


@node(frozen=True, slots=True)
class Gains:
    """`when p gains n of cacao`: n is what came in after all caps."""

    player: Name
    amount: Name
    resource: Name
    span: Span


@node(frozen=True, slots=True)
class Whenever:
    """`whenever condition`: as soon as it holds after a statement that could have made it hold."""

    condition: Expr
    span: Span


@node(frozen=True, slots=True)
class TriggerDecl:
    """`trigger load when t: gem_mine enters display if guard follows trade`: `follows` orders triggers."""

    name: Name
    event: Enters | Gains | Whenever
    guard: Expr | None
    follows: tuple[Name, ...]
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ScoreDecl:
    name: Name
    value: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class RankDecl:
    """`rank by total, …`: highest first; equal on all keys means a shared place."""

    keys: tuple[Expr, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class InvariantDecl:
    """`always "text": condition`: checked at every decision in tests and by `conche test`."""

    text: StringLit
    condition: Expr
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ConserveDecl:
    """`conserve Jungle`: after set-up pieces of that type are neither made nor lost."""

    piece: Name
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class RulingDecl:
    """`ruling §A86 "text"`: a ruling of the rules file's own."""

    cite: Cite
    text: StringLit
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Hint:
    """A line of `show`. how: `sign` (`temple as "⌂" in yellow`, `market(2) as "m2"`), `label`
    (`carrier called "water carrier"`), `color` (`red in magenta`), `leave_out` (`leave out held, placed`),
    `order` (`order gold, carrier`), `group` (`group "Money": cash, loans`). `values`: the numbers behind a
    name; `text`: the sign, label or title."""

    how: str
    names: tuple[Name, ...]
    values: tuple[int, ...] | None
    text: StringLit | None
    color: Name | None
    span: Span


@node(frozen=True, slots=True)
class ShowDecl:
    """`show` and a block of hints for who draws the game; nothing of it is part of the rules."""

    hints: tuple[Hint, ...]
    span: Span
    cites: tuple[Cite, ...]


# -- changes: what a module does to the game (docs/decisions/0005-modules.md)


@node(frozen=True, slots=True)
class Path:
    """A named place: `refill`, `use.market` (the case of an action), `fill.fill` (a choice in a step)."""

    names: tuple[Name, ...]
    span: Span


@node(frozen=True, slots=True)
class ExtendType:
    """`extend Jungle` / `extend Good` and a block of variants: more kinds of a piece type, more members of an
    enum."""

    name: Name
    variants: tuple[Variant, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ExtendBoard:
    """`extend board table`: more `on` lines and attributes of spaces."""

    name: Name
    holds: tuple[BoardHolds, ...]
    attributes: tuple[VarDecl, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ExtendChoose:
    """`extend choose fill.fill` and a block of cases, which may speak of what is in scope at that choice."""

    path: Path
    cases: tuple[Case, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class AddStep:
    """`before refill add build` / `after supply add gems`: a step of its own, run before or after another."""

    before: bool
    path: Path
    name: Name
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ReplaceBody:
    """`replace lay_second_tile` / `replace use.market`: another body for a step or a case of an action."""

    path: Path
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ReplaceQuery:
    """`replace jungle_is_gone() = …`, or with a block of cases: another value for a query, with names for its
    parameters."""

    name: Name
    params: tuple[Name, ...]
    lets: tuple[Let, ...]
    cases: tuple[QueryCase, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ReplaceValues:
    """`replace prices = [2, 3, 4]` or `replace prices from "prices.csv"`: another list of the same length."""

    name: Name
    value: ListLit | DataFrom
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ReplaceType:
    """`replace Contract` and a block of variants, or `replace Contract from "contracts.csv"`: other kinds or
    members, with the same attributes."""

    name: Name
    variants: tuple[Variant, ...]
    span: Span
    cites: tuple[Cite, ...]
    rows: DataFrom | None = None


@node(frozen=True, slots=True)
class Wrap:
    """`wrap use_edges`: the body runs in place of the step; in it `original` runs what was there."""

    path: Path
    body: tuple[Stmt, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class Modify:
    """`modify workers(e): + 1 if e.at.foreman`; op: `+`, `-`, `at least`, `at most`, `or`, `and`. The
    condition may be absent; it reads arguments, and the unmodified value as `original`."""

    query: Name
    params: tuple[Name, ...]
    op: str
    value: Expr
    condition: Expr | None
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class WithModules:
    """`with huts and tree_of_life` / `with no chocolate` / `with no map and option huts is agreed`: a block
    of declarations that count only then. `modules`: (name, present); at most one option, the last in the
    text."""

    modules: tuple[tuple[Name, bool], ...]
    option: tuple[Name, Name] | None
    decls: tuple[Decl, ...]
    span: Span
    cites: tuple[Cite, ...]


Change = (
    ExtendType
    | ExtendBoard
    | ExtendChoose
    | AddStep
    | ReplaceBody
    | ReplaceQuery
    | ReplaceValues
    | ReplaceType
    | Wrap
    | Modify
    | WithModules
)


# -- scenarios


@node(frozen=True, slots=True)
class GivenPlayers:
    """`given 2 players`"""

    count: int
    span: Span


@node(frozen=True, slots=True)
class GivenSet:
    """`given red.gold = 3`, `given display = [market(3), water]`, `given jungle = [2 water]`."""

    target: Expr
    value: Expr
    span: Span


@node(frozen=True, slots=True)
class GivenPiece:
    """`given w1111 of red at (1, 0) turned 0`; owner and turn as far as the piece has them."""

    piece: Expr
    owner: Expr | None
    at: Expr
    turned: Expr | None
    span: Span


@node(frozen=True, slots=True)
class BeginWith:
    """`begin with market`, `begin with finance_of(red)`: this step runs in place of `play`."""

    step: Name
    args: tuple[Expr, ...]
    span: Span


@node(frozen=True, slots=True)
class ScenarioArg:
    name: Name
    value: Expr
    span: Span


@node(frozen=True, slots=True)
class ScenarioMove:
    """`move red: place(worker = w1111, turn = 0, at = (1, 0))`"""

    player: Name
    decision: Name
    args: tuple[ScenarioArg, ...]
    span: Span


@node(frozen=True, slots=True)
class ScenarioChance:
    """`chance jungle: market(3)`, `chance red.workers: w1111`: the next outcome of that source."""

    source: Expr
    value: Expr
    span: Span


@node(frozen=True, slots=True)
class ThenHolds:
    """`then red.gold = 3`: must hold at this point."""

    condition: Expr
    span: Span


@node(frozen=True, slots=True)
class ThenCan:
    """`then red can place(at = (1, 0))` / `then red cannot …`: some / no legal move has these arguments."""

    player: Name
    can: bool
    decision: Name
    args: tuple[ScenarioArg, ...]
    span: Span


@node(frozen=True, slots=True)
class ThenOptions:
    """`then red chooses place at in [(0, -1), (1, 0)]`: exactly the values of that argument there."""

    player: Name
    decision: Name
    arg: Name
    values: Expr
    span: Span


@node(frozen=True, slots=True)
class ThenOver:
    """`then the game is over`"""

    span: Span


ScenarioLine = (
    GivenPlayers
    | GivenSet
    | GivenPiece
    | BeginWith
    | ScenarioMove
    | ScenarioChance
    | ThenHolds
    | ThenCan
    | ThenOptions
    | ThenOver
)


@node(frozen=True, slots=True)
class ScenarioDecl:
    title: StringLit
    lines: tuple[ScenarioLine, ...]
    span: Span
    cites: tuple[Cite, ...]


@node(frozen=True, slots=True)
class ErrorDecl:
    """A declaration that could not be read; already reported.

    `keyword`: the word that it begins with, or the one that is meant where that is misspelt. `name` is what
    it declares, if known; `names`: what the lines of its block may declare.
    """

    keyword: str
    name: str | None
    span: Span
    names: tuple[str, ...] = ()


Decl = (
    OptionDecl
    | EnumDecl
    | PieceDecl
    | ValuesDecl
    | BoardDecl
    | ZoneDecl
    | TrackDecl
    | VarDecl
    | EachPlayerHas
    | EachKindHas
    | SetupDecl
    | PlayDecl
    | StepDecl
    | ActionDecl
    | QueryDecl
    | TriggerDecl
    | ScoreDecl
    | RankDecl
    | InvariantDecl
    | ConserveDecl
    | RulingDecl
    | ScenarioDecl
    | ShowDecl
    | ExtendType
    | ExtendBoard
    | ExtendChoose
    | AddStep
    | ReplaceBody
    | ReplaceQuery
    | ReplaceValues
    | ReplaceType
    | Wrap
    | Modify
    | WithModules
    | ErrorDecl
)


@node(frozen=True, slots=True)
class File:
    """One rules file. `header` is None only when it could not be read (reported). `data`: the name and text
    of each data file whose rows stand in place of a `DataFrom`."""

    name: str
    header: Header | None
    decls: tuple[Decl, ...]
    comments: tuple[Span, ...]
    data: tuple[tuple[str, str], ...] = ()
