"""Scenarios: short games told in the rules file.

Purpose: types them against the rulebook; turns arguments into the values that records hold.
Input: `ScenarioDecl`s. Output: `Scenario`s of the rulebook.
Invariants: typed after everything else, when all decisions and their arguments are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from conche.diagnostics.model import Fix
from conche.semantics import rulebook as rb
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import constant_count, type_expression, type_flag, type_value
from conche.semantics.check_values import any_number, element_of, is_bad, is_constant, zone_named
from conche.semantics.symbols import BARE_BUILTINS, Argument, Body, Context, Seat, describe_symbol
from conche.semantics.types import EnumT, ErrorT, Int, KindT, ListT, PlayerT, RingT, TextT, Type, unreadable
from conche.semantics.values import Values
from conche.semantics.walk import walk
from conche.semantics.words import describe, listed, plural
from conche.source import Span
from conche.syntax import ast


def check_scenarios(context: Context, decls: list[ast.ScenarioDecl]) -> tuple[rb.Scenario, ...]:
    values = _values(context)
    titles: dict[str, Span] = {}
    result: list[rb.Scenario] = []
    for decl in decls:
        title = decl.title
        if title.value in titles:
            context.duplicate("the scenario", title.value, title.span, titles[title.value])
        titles.setdefault(title.value, title.span)
        result.append(_Scenario(context, decl, values).check())
    return tuple(result)


def _values(context: Context) -> Values:
    globals_ = context.globals
    kinds: dict[str, tuple[rb.Kind | rb.Member, ...]] = {
        name: declared.members if isinstance(declared, rb.Enum) else declared.kinds
        for name, declared in globals_.types.items()
    }
    return Values(kinds, globals_.players[1], globals_.board.across if globals_.board else 0)


class _Scenario:
    def __init__(self, context: Context, decl: ast.ScenarioDecl, values: Values) -> None:
        self.context = context
        self.globals = context.globals
        self.decl = decl
        self.values = values
        self.body = Body(context, f"scenario.{decl.title.value}", "scenario")
        self.players = self._players()

    def check(self) -> rb.Scenario:
        lines: list[rb.ScenarioLine] = []
        begin: tuple[str, tuple[rb.Expr, ...]] | None = None
        part = "setup"
        late = False
        for node in self.decl.lines:
            match node:
                case ast.GivenPlayers() if part not in ("chance", "play"):
                    pass
                case ast.GivenPlayers() | ast.GivenSet() | ast.GivenPiece():
                    if part in ("chance", "play"):
                        if late:
                            continue
                        late = True
                        self.context.report(
                            "C0240",
                            "the `given` lines stand together, before all checks and the moves of the game",
                            node.span,
                            help=("write another scenario for another position",),
                        )
                    else:
                        part = "given"
                case ast.ScenarioChance() | ast.ScenarioMove() if part == "setup":
                    pass
                case ast.ScenarioChance() if part in ("given", "chance"):
                    part = "chance"
                case ast.BeginWith():
                    if part == "play":
                        self._late_begin(node)
                    begin, part = self._begin(node), "play"
                    continue
                case _:
                    part = "play"
            line = self._line(node)
            if line is not None:
                lines.append(line)
        decl = self.decl
        cites = cite_ids(decl.cites)
        return rb.Scenario(decl.title.value, self.players, tuple(lines), decl.span, cites, begin=begin)

    def _late_begin(self, node: ast.BeginWith) -> None:
        self.context.report(
            "C0240",
            "what a scenario begins with stands once, before all checks and the moves of the game",
            node.span,
            help=("write another scenario for another step",),
        )

    def _begin(self, node: ast.BeginWith) -> tuple[str, tuple[rb.Expr, ...]] | None:
        """The step and its arguments, of which the first is who is `you` there."""
        name, steps = node.step, self.globals.steps
        step = steps.get(name.text)
        if step is None:
            self.context.unknown("step", name, steps)
            return None
        wanted = [(param.name, param.type) for param in step.params]
        if step.you is not None:
            wanted.insert(0, ("you", PlayerT()))
        if len(node.args) != len(wanted):
            told = f": {', '.join(param for param, _ in wanted)}" if wanted else ""
            self.context.report(
                "C0206",
                f"'{name.text}' begins with {plural(len(wanted), 'argument')}{told},"
                f" and {len(node.args) or 'none'} {'is' if len(node.args) < 2 else 'are'} given",
                node.span,
                also=((step.span, "declared here"),),
                help=(f"write `begin with {name.text}{_given(wanted)}`",),
            )
            return None
        args: list[rb.Expr] = []
        for arg, (param, type_) in zip(node.args, wanted, strict=True):
            args.append(type_value(self.body, arg, type_, f"'{param}' of '{name.text}'"))
            self._check_seats(arg)
        return None if any(is_bad(arg) for arg in args) else (name.text, tuple(args))

    def _players(self) -> int:
        given = [line for line in self.decl.lines if isinstance(line, ast.GivenPlayers)]
        low, high = self.globals.players
        if not given:
            if self.context.globals.seats or "value" not in self.globals.unsure:
                self.context.report(
                    "C0240",
                    f"the scenario '{self.decl.title.value}' does not say how many play",
                    self.decl.title.span,
                    help=(f"begin it with `given {low} players`",),
                )
            return high
        for again in given[1:]:
            self.context.report(
                "C0240",
                "how many play is said twice",
                again.span,
                also=((given[0].span, "said here first"),),
            )
        if not low <= given[0].count <= high:
            self.context.report(
                "C0221",
                f"the game is for {low} to {high} players, not {given[0].count}",
                given[0].span,
                help=("write another number, or widen `players` in the header",),
            )
            return high
        return given[0].count

    def _line(self, node: ast.ScenarioLine) -> rb.ScenarioLine | None:
        match node:
            case ast.GivenPlayers() | ast.BeginWith():
                return None
            case ast.GivenSet():
                return self._given(node)
            case ast.GivenPiece():
                return self._given_piece(node)
            case ast.ScenarioMove():
                player = self._seat(node.player)
                args = self._arguments(node.decision, node.args)
                if player is None or args is None:
                    return None
                return rb.PlayMove(player, node.decision.text, args, node.span)
            case ast.ScenarioChance():
                return self._chance(node)
            case ast.ThenHolds():
                condition = type_flag(self.body, node.condition, "what is checked")
                self._check_seats(node.condition)
                return None if is_bad(condition) else rb.ThenHolds(condition, node.span)
            case ast.ThenCan():
                player = self._seat(node.player)
                args = self._arguments(node.decision, node.args)
                if player is None or args is None:
                    return None
                return rb.ThenCan(player, node.can, node.decision.text, args, node.span)
            case ast.ThenOptions():
                return self._options(node)
            case ast.ThenOver():
                return rb.ThenOver(node.span)
            case _:
                assert_never(node)

    # -------------------------------------------------------------------------------------------- given

    def _given(self, node: ast.GivenSet) -> rb.ScenarioLine | None:
        target = type_expression(self.body, node.target)
        self._check_seats(node.target)
        if isinstance(target, rb.ZoneRef):
            return None if is_bad(target) else self._given_zone(node, target)
        if isinstance(target, rb.GlobalVar | rb.PlayerVar | rb.SpaceVar | rb.KindVar):
            if not self._known_value(node.value, target.type, (), f"'{target.name}'"):
                return None
            value = type_value(self.body, node.value, target.type, f"'{target.name}'")
            self._check_seats(node.value)
            if is_bad(value):
                return None
            if not is_constant(value):
                self.context.report("C0209", "a scenario gives values that are written out", value.span)
                return None
            return rb.GivenPlace(target, value, node.span)
        if not is_bad(target):
            self.context.report(
                "C0215",
                "a scenario gives the values of variables, the places of markers and the pieces of zones",
                target.span,
            )
        return None

    def _given_zone(self, node: ast.GivenSet, zone: rb.ZoneRef) -> rb.ScenarioLine | None:
        if not isinstance(node.value, ast.ListLit):
            self.context.report(
                "C0204",
                f"the pieces of '{zone.name}' are listed in brackets",
                node.value.span,
                help=("write `[]` for none",),
            )
            return None
        element = element_of(zone.type) or ErrorT()
        items: list[tuple[int, rb.Expr]] = []
        for item in node.value.items:
            count = 1
            value_node = item
            if isinstance(item, ast.Item):
                count = 1 if item.count is None else constant_count(self.body, item.count)
                value_node = item.value
            if not self._known_value(value_node, element, (), f"what '{zone.name}' holds"):
                return None
            kind = type_value(self.body, value_node, element, f"what '{zone.name}' holds")
            if is_bad(kind):
                return None
            items.append((count, kind))
        declared = zone_named(self.globals, zone.name)
        total = sum(count for count, _ in items)
        if declared is not None and declared.capacity is not None and total > declared.capacity:
            self.context.report(
                "C0205",
                f"'{zone.name}' has room for {declared.capacity}, not for {total}",
                node.value.span,
                also=((declared.span, "declared here"),),
            )
            return None
        return rb.GivenZone(zone, tuple(items), node.span)

    def _given_piece(self, node: ast.GivenPiece) -> rb.ScenarioLine | None:
        context = self.context
        kind = type_expression(self.body, node.piece)
        at = type_value(self.body, node.at, self.globals.space_type(), "where a piece lies")
        owner = (
            None if node.owner is None else type_value(self.body, node.owner, PlayerT(), "whose piece it is")
        )
        if node.owner is not None:
            self._check_seats(node.owner)
        turned = None if node.turned is None else type_value(self.body, node.turned, Int(0, 3), "a turn")
        if any(part is not None and is_bad(part) for part in (kind, at, owner, turned)):
            return None
        piece = self.globals.types.get(kind.type.piece) if isinstance(kind.type, KindT) else None
        if not isinstance(piece, rb.PieceType) or not is_constant(kind):
            context.report("C0204", "a kind of piece lies on a space", kind.span)
            return None
        good = True
        if piece.owned and owner is None:
            context.report(
                "C0240",
                f"each {piece.name} belongs to a player",
                node.span,
                also=((piece.span, "declared here as `owned`"),),
                help=(f"add whose it is: `of {next(self._playing(), 'SEAT')}`",),
            )
            good = False
        if owner is not None and not piece.owned:
            context.report(
                "C0240",
                f"a {piece.name} belongs to no player",
                owner.span,
                also=((piece.span, "declared here without `owned`"),),
                missing=f"owner of {piece.name}",
            )
            good = False
        if turned is not None and not any(isinstance(t, RingT) for _, t in piece.attributes):
            context.report("C0240", f"a {piece.name} has no ring, so its turn means nothing", turned.span)
            good = False
        return rb.GivenPiece(kind, owner, at, turned, node.span) if good else None

    # --------------------------------------------------------------------------------------- moves and checks

    def _seat(self, name: ast.Name) -> int | None:
        symbol = self.globals.values.get(name.text)
        if not isinstance(symbol, Seat):
            self._no_seat(name)
            return None
        if symbol.number >= self.players:
            self._absent(name.text, name.span)
            return None
        return symbol.number

    def _absent(self, name: str, span: Span) -> None:
        self.context.report(
            "C0240",
            f"'{name}' does not take part in this scenario",
            span,
            notes=(f"with {self.players} players the seats are {listed([*self._playing()])}",),
        )

    def _playing(self) -> Iterator[str]:
        """The names of the seats that take part."""
        for symbol in self.globals.values.values():
            if isinstance(symbol, Seat) and symbol.number < self.players:
                yield symbol.name

    def _check_seats(self, node: ast.Expr) -> None:
        """Seats that an expression names take part."""
        for part in walk(node):
            if isinstance(part, ast.NameRef) and part.name not in self.globals.twice:
                symbol = self.globals.values.get(part.name)
                if isinstance(symbol, Seat) and symbol.number >= self.players:
                    self._absent(part.name, part.span)

    def _decision(self, name: ast.Name) -> dict[str, Argument] | None:
        known = self.globals.decisions.get(name.text)
        if known is None:
            self.context.unknown(
                "decision",
                name,
                self.globals.decisions,
                _are("the decisions", self.globals.decisions),
                space="decision",
            )
        return known

    def _arguments(
        self, decision: ast.Name, nodes: tuple[ast.ScenarioArg, ...]
    ) -> tuple[tuple[str, object], ...] | None:
        known = self._decision(decision)
        good = known is not None
        result: list[tuple[str, object]] = []
        seen: dict[str, Span] = {}
        for node in nodes:
            name = node.name
            if name.text in seen:
                self.context.duplicate("the argument", name.text, name.span, seen[name.text])
                good = False
            seen.setdefault(name.text, name.span)
            if known is None:
                continue
            argument = known.get(name.text)
            if argument is None:
                self._no_argument(decision, name, known)
                good = False
                continue
            value = self._constant(node.value, argument)
            if value is None:
                good = False
            else:
                result.append((name.text, value[0]))
        return tuple(result) if good else None

    def _no_argument(self, decision: ast.Name, name: ast.Name, known: Iterable[str]) -> None:
        self.context.unknown(
            f"argument of '{decision.text}' called",
            name,
            known,
            _are("its arguments", known),
            space="decision",
        )

    def _constant(self, node: ast.Expr, argument: Argument) -> tuple[object] | None:
        """The value of an argument as records write it, in a tuple; None after a finding."""
        if not self._known_value(node, argument.type, argument.texts, f"'{argument.name}'"):
            return None
        wanted = argument.type
        if isinstance(wanted, Int) and "decision" in self.globals.unsure:
            wanted = any_number()  # a case that could not be read may take any number
        expr = type_value(self.body, node, wanted, f"'{argument.name}'")
        self._check_seats(node)
        if is_bad(expr) or isinstance(argument.type, ErrorT):
            return None
        if not is_constant(expr):
            self.context.report("C0209", f"'{argument.name}' is written out in a scenario", expr.span)
            return None
        if isinstance(argument.type, TextT) and isinstance(expr, rb.Lit) and expr.value not in argument.texts:
            name = ast.Name(str(expr.value), expr.span)
            self.context.unknown(
                f"value of '{argument.name}' called",
                name,
                argument.texts,
                _are(f"the values of '{argument.name}'", [f'"{text}"' for text in sorted(argument.texts)]),
                space="decision",
            )
            return None
        return (self._recorded(expr, argument),)

    def _recorded(self, expr: rb.Expr, argument: Argument) -> object:
        """The value of an argument as records write it."""
        found = self._json(expr, argument.type)
        if argument.counts and isinstance(found, list):
            return {kind: found.count(kind) for kind in found}
        return found

    def _known_value(self, node: ast.Expr, type_: Type, texts: Iterable[str], what: str) -> bool:
        """False after a finding: a text without quotes, or a name where a kind, a member or a player of
        another name is wanted."""
        if isinstance(node, ast.ListLit):
            items = [item.value if isinstance(item, ast.Item) else item for item in node.items]
            element = element_of(type_) or type_
            good = [self._known_value(item, element, texts, what) for item in items]
            return all(good)
        if not isinstance(node, ast.NameRef):
            return True
        name = ast.Name(node.name, node.span)
        if isinstance(type_, TextT):
            known = sorted(texts)
            quoted = f'"{name.text}"'
            right = name.text in known
            self.context.report(
                "C0204",
                f"{what} is a text, and texts are written in quotes",
                name.span,
                help=(_are(f"the values of {what}", [f'"{text}"' for text in known]),),
                fixes=[Fix(name.span, quoted, f"write `{quoted}`")] if right else [],
            )
            return False
        if name.text in self.globals.values or name.text in BARE_BUILTINS or name.text in self.globals.player:
            return True
        match type_:
            case KindT(of) | EnumT(of):
                families = [family.name for family in self.globals.families if family.of == of]
                one = "member" if isinstance(type_, EnumT) else "kind"
                plural = f"{one}s of {of}"
                self.context.unknown(f"{one} of {of} called", name, families, _are(f"the {plural}", families))
            case PlayerT():
                self._no_seat(name)
            case _:
                return True
        return False

    def _no_seat(self, name: ast.Name) -> None:
        seats = [n for n, s in self.globals.values.items() if isinstance(s, Seat)]
        hint = _are("the seats", seats) if self.globals.seats_named else None
        self.context.unknown("seat", name, seats, hint)

    def _json(self, expr: rb.Expr, type_: Type) -> object:
        if unreadable(type_):
            return None  # it is reported where it is declared
        return self.values.to_json(constant_value(expr), type_)

    def _options(self, node: ast.ThenOptions) -> rb.ScenarioLine | None:
        player = self._seat(node.player)
        known = self._decision(node.decision)
        if known is None:
            return None
        argument = known.get(node.arg.text)
        if argument is None:
            self._no_argument(node.decision, node.arg, known)
            return None
        if not self._known_value(node.values, ListT(argument.type), argument.texts, f"'{argument.name}'"):
            return None
        expr = type_value(self.body, node.values, ListT(argument.type), f"what '{argument.name}' is in")
        if is_bad(expr) or player is None or isinstance(argument.type, ErrorT):
            return None
        if not isinstance(expr, rb.ListOf) or not is_constant(expr):
            self.context.report("C0209", f"the values of '{argument.name}' are listed in brackets", expr.span)
            return None
        values = [self._recorded(item, argument) for count, item in expr.items for _ in range(count)]
        return rb.ThenOptions(player, node.decision.text, node.arg.text, tuple(values), node.span)

    def _chance(self, node: ast.ScenarioChance) -> rb.ScenarioLine | None:
        found = self._source(node.source)
        if found is None:
            type_expression(self.body, node.value, ErrorT())
            return None
        path, type_ = found
        if not self._known_value(node.value, type_, (), f"what '{path}' gives"):
            return None
        value = type_value(self.body, node.value, type_, f"what '{path}' gives")
        self._check_seats(node.value)
        if is_bad(value):
            return None
        if not is_constant(value):
            self.context.report("C0209", f"what '{path}' gives is written out", value.span)
            return None
        return rb.NextChance(path, self._json(value, type_), node.span)

    def _source(self, node: ast.Expr) -> tuple[str, Type] | None:
        """The path of a stream of chance and the type of what it gives."""
        if isinstance(node, ast.NameRef) and node.name in self.globals.chances:
            return node.name, self.globals.chances[node.name]
        if isinstance(node, ast.NameRef) and node.name not in self.globals.values:
            zones = [n for n, s in self.globals.values.items() if isinstance(s, rb.Zone)]
            known = [*(n for n in zones if _drawn(self.globals.values[n])), *self.globals.chances]
            name = ast.Name(node.name, node.span)
            self.context.unknown(
                "source of chance",
                name,
                [*zones, *self.globals.chances],
                _are("the sources of chance", known),
                space="decision",
            )
            return None
        zone = type_expression(self.body, node)
        self._check_seats(node)
        if not isinstance(zone, rb.ZoneRef):
            if not is_bad(zone):
                symbol = self.globals.values.get(node.name) if isinstance(node, ast.NameRef) else None
                what = describe_symbol(symbol) if symbol else describe(zone.type)
                self.context.report(
                    "C0216", f"a pile, a bag or a chance gives outcomes, not {what}", zone.span
                )
            return None
        declared = zone_named(self.globals, zone.name)
        if declared is None or declared.kind not in ("pile", "bag"):
            self.context.report("C0216", f"'{zone.name}' is drawn from by nobody", zone.span)
            return None
        element = element_of(zone.type) or ErrorT()
        if zone.player is None:
            return zone.name, element
        if not isinstance(zone.player, rb.Lit):
            self.context.report("C0209", "whose pile it is, is written as a seat", zone.player.span)
            return None
        return f"{zone.name}[{zone.player.value}]", element


def _drawn(symbol: object) -> bool:
    return isinstance(symbol, rb.Zone) and symbol.kind in ("pile", "bag")


def _given(wanted: Sequence[tuple[str, Type]]) -> str:
    """The arguments of a step in brackets, by their names; `you` is a seat."""
    return f"({', '.join('SEAT' if param == 'you' else param for param, _ in wanted)})" if wanted else ""


def _are(what: str, names: Iterable[str]) -> str | None:
    """`the seats: red, blue`; None when there are none, or too many to be read."""
    known = list(names)
    return f"{what}: {', '.join(f'`{name}`' for name in known)}" if 0 < len(known) <= 12 else None


def constant_value(expr: rb.Expr) -> object:
    """The value of an expression that is written out, as the interpreter holds it."""
    match expr:
        case rb.Lit(value):
            return value
        case rb.MakeEdge(space, side):
            at = constant_value(space)
            return (*at, constant_value(side)) if isinstance(at, tuple) else None
        case rb.ListOf(items):
            return tuple(constant_value(item) for count, item in items for _ in range(count))
        case _:
            raise AssertionError("not a constant")
