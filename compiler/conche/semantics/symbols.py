"""What names mean: the declarations of a rules file, and the locals of the declaration being typed.

Purpose: the state that the `check_*` passes share.
Input: filled by `check_components` (and `check_signatures`), read by all others.
Invariants: bare names (`values`) are one namespace, shared by components, members, kinds, seats, options and
queries, and no local repeats one of them; what can be done (steps, actions, queries, triggers), what a player
has, what a space has and what a piece has are namespaces of their own. The first of two declarations of a
name stands. A name of a declaration that could not be read is `broken`: whatever speaks of it stays silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Fix, Label
from conche.diagnostics.suggest import closest, did_you_mean, edit_distance, is_slip
from conche.node import node
from conche.semantics import rulebook as rb
from conche.semantics.types import EnumT, ErrorT, Flag, Int, KindT, ListT, PlayerT, SpaceT, Type
from conche.semantics.words import listed
from conche.source import Span
from conche.syntax import ast

SIDES = {"east": "E", "south": "S", "west": "W", "north": "N"}

BARE_BUILTINS = ("players", "spaces", "sides", "total", "you", *SIDES)
"""Names with a meaning of their own as a bare word; nothing may be declared with them."""

FUNCTIONS = (
    "count",
    "room",
    "kinds",
    "turns",
    "around",
    "beside",
    "edge",
    "toward",
    "clockwise",
    "left_of",
    "right_of",
    "last",
    "value",
    "min",
    "max",
    "kind",
)
"""Names with a meaning of their own before a parenthesis; no query or kind with values may be declared with
them."""

SCENARIO_FUNCTIONS = ("score", "rank", "total")

SPACE_FIELDS = ("x", "y", "owner", "height", "turn")
EDGE_FIELDS = ("at", "side", "across")

BUILTIN_TYPES = ("flag", "Player", "Space", "Edge", "Side")


@node(frozen=True, slots=True)
class Seat:
    name: str
    number: int
    span: Span


@node(frozen=True, slots=True)
class Family:
    """A variant of a piece type or enum: one kind, or one for every combination of its parameters' values."""

    name: str
    of: str
    is_enum: bool
    params: tuple[str, ...]
    kinds: tuple[rb.Kind | rb.Member, ...]
    span: Span

    @property
    def type(self) -> KindT | EnumT:
        return EnumT(self.of) if self.is_enum else KindT(self.of)


@node(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    span: Span


@node(frozen=True, slots=True)
class Query:
    name: str
    params: tuple[Parameter, ...]
    span: Span


@node(frozen=True, slots=True)
class Step:
    """`you`: where it first speaks of `you` without declaring it (or calls what does); None if it does
    not."""

    name: str
    params: tuple[Parameter, ...]
    you: Span | None
    span: Span


@node(frozen=True, slots=True)
class Action:
    """`of`: the piece type or enum of the first argument; None when no pattern could be read."""

    name: str
    of: KindT | EnumT | None
    params: tuple[Parameter, ...]
    you: Span | None
    span: Span


Space = Literal["value", "player", "space", "kind", "decision", "zone", "type"]
"""A namespace: bare names, what a player has, what a space has, what a kind or member has, decisions and
their arguments, where pieces may be kept, types."""

Symbol = Seat | Family | Query | rb.Option | rb.Table | rb.Board | rb.Zone | rb.Track | rb.Var


@node(frozen=True, slots=True)
class Argument:
    """An argument of a decision, as all `choose` of that name have it; `texts`: the texts it can be.
    `counts`: it is what a chosen piece carries, told in records as how many of each kind."""

    name: str
    type: Type
    texts: frozenset[str]
    span: Span
    counts: bool = False


@dataclass
class Globals:
    """Everything declared."""

    players: tuple[int, int] = (1, 1)
    seats: tuple[str, ...] = ()
    values: dict[str, Symbol] = field(default_factory=dict)
    types: dict[str, rb.Enum | rb.PieceType] = field(default_factory=dict)
    player: dict[str, rb.Var | rb.Zone | rb.Track] = field(default_factory=dict)
    space: dict[str, rb.Var] = field(default_factory=dict)
    kind: dict[str, rb.Var] = field(default_factory=dict)
    """The variables that kinds or members have, by name."""
    eliminates: bool = False
    """Whether players can be out while the game goes on."""
    carried: dict[str, rb.Zone] = field(default_factory=dict)
    """The zones that pieces carry, by `family.zone`."""
    board: rb.Board | None = None
    heads: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    """Of each enum and piece type the attributes that its head declares, in their order."""
    kinds: int = 0
    """How many kinds with parameters were made."""
    steps: dict[str, Step] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    query_types: dict[str, Type] = field(default_factory=dict)
    triggers: dict[str, Span] = field(default_factory=dict)
    scores: dict[str, Span] = field(default_factory=dict)
    decisions: dict[str, dict[str, Argument]] = field(default_factory=dict)
    chances: dict[str, Type] = field(default_factory=dict)
    twice: set[str] = field(default_factory=set)
    """Names that are declared more than once: what is said of them stays silent."""
    seats_named: bool = True
    """Whether the header names the seats; else they are called `seat_0`, `seat_1` …"""
    broken: set[str] = field(default_factory=set)
    """Names of declarations that could not be read or typed."""
    broken_keywords: set[str] = field(default_factory=set)
    unsure: set[Space] = field(default_factory=set)
    """The namespaces in which such a declaration may have declared names that are not known."""

    def copy(self) -> Globals:
        """Another one with the same contents, which may grow apart."""
        result = copy(self)
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, dict | set):
                setattr(result, part.name, value.copy())
        return result

    @property
    def families(self) -> list[Family]:
        return [symbol for symbol in self.values.values() if isinstance(symbol, Family)]

    def space_type(self) -> Type:
        """`SpaceT` of the board; silent when there is none (the declaration that needs one says so)."""
        return SpaceT(self.board.name) if self.board else ErrorT()

    def family_of_kind(self, kind: str) -> Family | None:
        return next((f for f in self.families if any(k.name == kind for k in f.kinds)), None)

    def element_type(self, of: str) -> KindT | EnumT | ErrorT:
        """What a zone of that piece type or enum holds."""
        declared = self.types.get(of)
        if declared is None:
            return ErrorT()
        return EnumT(of) if isinstance(declared, rb.Enum) else KindT(of)

    def attribute_types(self, attribute: str) -> list[tuple[str, Type]]:
        """The piece types that have the attribute, with its type."""
        return [
            (piece.name, type_)
            for piece in self.types.values()
            if isinstance(piece, rb.PieceType)
            for name, type_ in piece.attributes
            if name == attribute
        ]


COLOURS = frozenset(
    [
        "beige",
        "black",
        "blue",
        "brown",
        "cyan",
        "gold",
        "gray",
        "green",
        "grey",
        "magenta",
        "orange",
        "pink",
        "purple",
        "red",
        "silver",
        "teal",
        "turquoise",
        "violet",
        "white",
        "yellow",
    ]
)
"""Names that players like to have."""

NAME_THE_SEATS = (
    "name the seats in the header: `seats red, blue`; without names they are `seat_0`, `seat_1` …"
)


class Context:
    """The findings so far, and what is declared.

    `open_options`: what depends on an option is kept whatever the option is (`open_option`), to be settled
    when the ruleset is composed. `elsewhere`: a hint for a name that is unknown here.
    """

    def __init__(self, options: Mapping[str, str], *, open_options: bool = False) -> None:
        self.globals = Globals()
        self.options = options
        self.open_options = open_options
        self.diagnostics: list[Diagnostic] = []
        self.elsewhere: Callable[[str], str | None] = lambda name: None

    def report(
        self,
        code: str,
        title: str,
        span: Span,
        label: str = "",
        *,
        also: Iterable[tuple[Span, str]] = (),
        notes: Iterable[str] = (),
        help: Iterable[str | None] = (),
        fixes: Iterable[Fix] = (),
        missing: str | None = None,
    ) -> None:
        labels = [Label(span, label), *(Label(other, text, primary=False) for other, text in also)]
        hints = [hint for hint in help if hint]
        found = diagnose(code, title, *labels, notes=notes, help=hints, fixes=fixes)
        self.diagnostics.append(found if missing is None else replace(found, missing=missing))

    def excused(self, name: str, known: Iterable[str], *spaces: Space, unsure: bool = False) -> bool:
        """Whether an unknown name may be one that could not be read: it is silent then, unless it is so near
        to a known one that it must be a slip."""
        if name in self.globals.broken:
            return True
        if not unsure and self.globals.unsure.isdisjoint(spaces):
            return False
        return not any(edit_distance(name, other, 1) == 1 for other in known if len(other) > 3)

    def unknown(
        self,
        what: str,
        name: ast.Name,
        known: Iterable[str],
        *help: str | None,
        space: Space = "value",
        unsure: bool = False,
        code: str = "C0201",
        told: Iterable[str] | None = None,
    ) -> None:
        """There is no `what` of that name, unless it may be one that could not be read. `told`: the names to
        be listed where none is near, if not all."""
        names = list(known)
        near = closest(name.text, names)
        if self.excused(name.text, names, space, unsure=unsure):
            return
        colour = name.text in COLOURS and not any(is_slip(name.text, other) for other in near)
        unnamed = not self.globals.seats_named and colour
        if colour:
            near = []
        fixes = _written(name, near)
        meant = NAME_THE_SEATS if unnamed else None if fixes else did_you_mean(name.text, names)
        if colour and not unnamed and not any(help):
            meant = _told("the seats:", (n for n, s in self.globals.values.items() if isinstance(s, Seat)))
        where = None if meant or any(help) else self.elsewhere(name.text)
        if not (meant or where or fixes or any(help)) and what in _TOLD:
            meant = _told(
                _TOLD[what], (one for one in (names if told is None else told) if one not in FUNCTIONS)
            )
        self.report(
            code,
            f"there is no {what} '{name.text}'",
            name.span,
            help=(meant, *help, where),
            fixes=fixes,
            missing=name.text,
        )

    def no_board(self, what: str, span: Span) -> None:
        """Something needs a board and there is none: said once."""
        if "space" in self.globals.unsure:
            return
        self.globals.unsure.add("space")
        self.report(
            "C0201",
            f"{what} needs a board, and none is declared",
            span,
            help=("declare one: `board table square grid at most 64 across`",),
        )

    def unknown_attribute(self, owner: str, name: ast.Name, known: Iterable[str], *spaces: Space) -> None:
        """Nothing of that sort has an attribute of that name."""
        names = list(known)
        near = closest(name.text, names)
        if self.excused(name.text, names, *spaces):
            return
        fixes = _written(name, near)
        has = _told(f"{owner} has", names) or f"leave out `.{name.text}`"
        self.report(
            "C0207",
            f"{owner} has no '{name.text}'",
            name.span,
            help=(None if fixes else did_you_mean(name.text, names) or self.elsewhere(name.text) or has,),
            fixes=fixes,
            missing=name.text,
        )

    def duplicate(self, what: str, name: str, span: Span, first: Span) -> None:
        self.report(
            "C0202",
            f"{what} '{name}' repeats a name that is taken",
            span,
            "declared again here",
            also=((first, "first declared here"),),
            help=("give one of them another name",),
        )


@node(frozen=True, slots=True)
class LocalName:
    """`settable`: introduced by `let` or as an argument of a decision."""

    slot: rb.Slot
    span: Span
    settable: bool


class Body:
    """The locals of the declaration being typed.

    `role` says what it is: step, action, trigger, setup, play, query, score, rank, scenario, always,
    constant.
    """

    def __init__(self, context: Context, path: str, role: str) -> None:
        self.context = context
        self.globals = context.globals
        self.path = path
        self.role = role
        self.unsure = False
        """Whether a statement could not be read that may have introduced any local."""
        self.original: tuple[str, tuple[rb.Expr, ...]] | None = None
        """In the body of a `wrap`: the step that `original` runs, and its arguments."""
        self.loops = 0
        self.slots = 0
        self.scopes: list[dict[str, LocalName]] = [{}]
        self.let_spans: dict[int, Span] = {}
        self.widened: dict[Span, Type] = {}
        self.growth: dict[Span, Type] = {}

    def restart(self) -> None:
        """Back to the beginning, but for what was learned about the numbers that its locals can be."""
        self.loops = self.slots = 0
        self.scopes = [{}]
        self.let_spans = {}
        self.growth = {}

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    @contextmanager
    def loop(self) -> Iterator[None]:
        self.loops += 1
        try:
            with self.scope():
                yield
        finally:
            self.loops -= 1

    def find(self, name: str) -> LocalName | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def visible(self) -> list[str]:
        return [name for scope in self.scopes for name in scope]

    def fresh(self, name: str, type_: Type) -> rb.Slot:
        """A slot that no name of the text stands for."""
        slot = rb.Slot(self.path, self.slots, name, type_)
        self.slots += 1
        return slot

    def introduce(self, name: ast.Name, type_: Type, *, settable: bool = False, you: bool = False) -> rb.Slot:
        """A new local in the innermost scope. `you`: whether it may be called `you`."""
        self._check_name(name, type_, you)
        slot = self.fresh(name.text, type_)
        self.scopes[-1][name.text] = LocalName(slot, name.span, settable)
        return slot

    def _check_name(self, name: ast.Name, type_: Type, you: bool) -> None:
        context = self.context
        earlier = self.find(name.text)
        declared = self.globals.values.get(name.text)
        if earlier is not None:
            context.duplicate("the local", name.text, name.span, earlier.span)
        elif name.text == "you" and you:
            if not isinstance(type_, PlayerT | ErrorT):
                context.report(
                    "C0203", "'you' is always a player", name.span, help=("give the local another name",)
                )
        elif name.text in BARE_BUILTINS:
            reserved(context, name)
        elif declared is not None:
            context.duplicate("the local", name.text, name.span, declared.span)


_TOLD = {
    "query or kind": "queries and families of kinds:",
    "step or action": "the steps and actions:",
    "step": "the steps:",
    "type": "the types:",
    "piece type or enum": "the piece types and enums:",
    "piece type": "the piece types:",
    "number of a player or kind of piece": "what can be gained and paid:",
}
"""Of what all names are told, where none is near and they are few."""

_FEW = 8


def _told(what: str, names: Iterable[str]) -> str | None:
    known = sorted(set(names))
    return f"{what} {', '.join(f'`{one}`' for one in known)}" if 0 < len(known) <= _FEW else None


def _written(name: ast.Name, near: list[str]) -> list[Fix]:
    """The fix that writes the one name that is near, or the one of several that is a slip away."""
    slips = [one for one in near if is_slip(name.text, one)]
    if len(slips) != 1 and len(near) != 1:
        return []
    meant = slips[0] if len(slips) == 1 else near[0]
    return [Fix(name.span, meant, f"write '{meant}'", safe=len(slips) == 1)]


def reserved(context: Context, name: ast.Name) -> None:
    context.report(
        "C0203",
        f"'{name.text}' has a meaning of its own and cannot be declared",
        name.span,
        help=("choose another name",),
    )


def zone_ref(globals_: Globals, zone: rb.Zone, player: rb.Expr | None, span: Span) -> rb.ZoneRef:
    return rb.ZoneRef(zone.name, player, ListT(globals_.element_type(zone.of)), span)


OPEN_OPTION = "option "
"""How the name of an option begins that is not settled: no variable is called so."""


def open_option(option: rb.Option, value: str, span: Span) -> rb.Expr:
    """`o is v`, to be settled when the ruleset is composed (`modules.settle`)."""
    return rb.IsKind(
        rb.GlobalVar(OPEN_OPTION + option.name, EnumT(OPEN_OPTION + option.name), span),
        (value,),
        Flag(),
        span,
    )


def number_of_option(option: rb.Option, span: Span, *, open_: bool) -> rb.Expr:
    """The number that an option is; `open_`: to be settled when the ruleset is composed."""
    if open_:
        low, high = option.numbers or (0, 0)
        return rb.GlobalVar(OPEN_OPTION + option.name, Int(low, high), span)
    value = int(option.value)
    return rb.Lit(value, Int(value, value), span)


def hint_of_values(option: rb.Option, value: str) -> str:
    """What may be meant by a value that the option does not have."""
    if option.numbers is not None:
        low, high = option.numbers
        return f"it is a number {low}..{high}"
    return did_you_mean(value, option.values) or f"its values are {listed(option.values)}"


def describe_symbol(symbol: Symbol) -> str:
    """`the zone 'display'`"""
    match symbol:
        case Seat():
            return f"the seat '{symbol.name}'"
        case Family(is_enum=True):
            return f"the member '{symbol.name}' of {symbol.of}"
        case Family():
            return f"the kind '{symbol.name}' of {symbol.of}"
        case Query():
            return f"the query '{symbol.name}'"
        case rb.Option():
            return f"the option '{symbol.name}'"
        case rb.Table():
            return f"the list of values '{symbol.name}'"
        case rb.Board():
            return f"the board '{symbol.name}'"
        case rb.Zone():
            return f"the {symbol.kind} '{symbol.name}'"
        case rb.Track():
            return f"the track '{symbol.name}'"
        case rb.Var():
            return f"the variable '{symbol.name}'"
