"""Enums and piece types: their members and kinds.

Purpose: makes every kind of every variant, with its attributes and the turns that tell it from itself.
Input: `EnumDecl`, `PieceDecl`. Output: `Enum`, `PieceType` and the `Family` of each variant, declared in
`Globals`.
Invariants: a variant with parameters makes one kind for every combination of their values, in ascending
order, the first parameter slowest.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from conche.semantics import rulebook as rb
from conche.semantics.check_types import constant_number, join, resolve_attribute_type
from conche.semantics.symbols import (
    BARE_BUILTINS,
    BUILTIN_TYPES,
    EDGE_FIELDS,
    FUNCTIONS,
    SPACE_FIELDS,
    Context,
    Family,
    reserved,
)
from conche.semantics.types import EnumT, ErrorT, Flag, Int, KindT, RingT, Type
from conche.semantics.words import describe, plural
from conche.source import Span
from conche.syntax import ast

MOST_KINDS = 10_000
"""How many kinds with parameters there are at most; more are a mistake."""

Attributes = tuple[tuple[str, "rb.AttributeValue"], ...]


def declare_enum(context: Context, node: ast.EnumDecl) -> None:
    if not _free_type(context, node.name):
        return
    head = context.globals.heads[node.name.text] = _attributes_of(context, node.params)
    types = _Attributes(context, head)
    made = [(variant, _members(context, variant, head, types)) for variant in node.variants]
    context.globals.types[node.name.text] = rb.Enum(
        node.name.text,
        tuple(member for _, members in made for member in members),
        types.result(),
        node.span,
        tuple(cite.id for cite in node.cites),
    )
    for variant, members in made:
        _declare_family(context, variant, node.name.text, True, members)


def declare_piece(context: Context, node: ast.PieceDecl) -> None:
    if not _free_type(context, node.name):
        return
    head = context.globals.heads[node.name.text] = _attributes_of(context, node.params)
    types = _Attributes(context, head)
    made = [(variant, _kinds(context, variant, head, types)) for variant in node.variants]
    context.globals.types[node.name.text] = rb.PieceType(
        node.name.text,
        node.owned,
        tuple(kind for _, kinds in made for kind in kinds),
        types.result(),
        node.span,
        tuple(cite.id for cite in node.cites),
    )
    for variant, kinds in made:
        _declare_family(context, variant, node.name.text, False, kinds)


def extend_type(context: Context, node: ast.ExtendType) -> None:
    """More members of an enum or kinds of a piece type, at the end."""
    name = node.name.text
    declared = context.globals.types.get(name)
    if declared is None:
        context.unknown("piece type or enum", node.name, context.globals.types, space="type")
        return
    head = context.globals.heads.get(name, ())
    types = _Attributes(context, head, declared.attributes)
    if isinstance(declared, rb.Enum):
        members = [(variant, _members(context, variant, head, types)) for variant in node.variants]
        context.globals.types[name] = replace(
            declared,
            members=(*declared.members, *(member for _, several in members for member in several)),
            attributes=types.result(),
        )
        for variant, several in members:
            _declare_family(context, variant, name, True, several)
    else:
        kinds = [(variant, _kinds(context, variant, head, types)) for variant in node.variants]
        context.globals.types[name] = replace(
            declared,
            kinds=(*declared.kinds, *(kind for _, made in kinds for kind in made)),
            attributes=types.result(),
        )
        for variant, made in kinds:
            _declare_family(context, variant, name, False, made)


def replace_type(context: Context, node: ast.ReplaceType) -> None:
    """Other members or kinds in place of all there are, with the attributes of the same head."""
    name, globals_ = node.name.text, context.globals
    declared = globals_.types.get(name)
    if declared is None:
        context.unknown("piece type or enum", node.name, globals_.types, space="type", code="C0239")
        return
    carrying = [variant.carries for variant in node.variants if variant.carries is not None]
    kinds = declared.kinds if isinstance(declared, rb.PieceType) else ()
    if carrying or any(kind.carries is not None for kind in kinds):
        span = carrying[0].span if carrying else node.name.span
        context.report("C0254", f"kinds of {name} that carry pieces cannot be replaced", span)
        return
    for family in [family for family in globals_.families if family.of == name]:
        del globals_.values[family.name]
    empty = replace(declared, members=()) if isinstance(declared, rb.Enum) else replace(declared, kinds=())
    globals_.types[name] = replace(empty, attributes=globals_.heads.get(name, ()))
    extend_type(context, ast.ExtendType(node.name, node.variants, node.span, node.cites))


def _members(
    context: Context, variant: ast.Variant, head: tuple[tuple[str, Type], ...], types: _Attributes
) -> tuple[rb.Member, ...]:
    cites = tuple(cite.id for cite in variant.cites)
    return tuple(
        rb.Member(name, written, variant.name.text, values, attributes, variant.span, cites)
        for name, written, values, attributes in _expand(context, variant, head, types)
    )


def _kinds(
    context: Context, variant: ast.Variant, head: tuple[tuple[str, Type], ...], types: _Attributes
) -> tuple[rb.Kind, ...]:
    cites = tuple(cite.id for cite in variant.cites)
    return tuple(
        rb.Kind(
            name,
            written,
            variant.name.text,
            values,
            attributes,
            _turns(attributes),
            variant.span,
            cites,
            None if variant.carries is None else f"{variant.name.text}.{variant.carries.name.text}",
        )
        for name, written, values, attributes in _expand(context, variant, head, types)
    )


def _free_type(context: Context, name: ast.Name) -> bool:
    earlier = context.globals.types.get(name.text)
    if earlier is not None:
        context.duplicate("the type", name.text, name.span, earlier.span)
        return False
    if name.text in BUILTIN_TYPES:
        reserved(context, name)
        return False
    return True


def _declare_family(
    context: Context,
    variant: ast.Variant,
    of: str,
    is_enum: bool,
    made: tuple[rb.Kind, ...] | tuple[rb.Member, ...],
) -> None:
    name = variant.name
    earlier = context.globals.values.get(name.text)
    if earlier is not None:
        context.duplicate("the member" if is_enum else "the kind", name.text, name.span, earlier.span)
        context.globals.twice.add(name.text)
    elif name.text in BARE_BUILTINS or (variant.params and name.text in FUNCTIONS):
        reserved(context, name)
    else:
        params = tuple(param.name.text for param in variant.params)
        context.globals.values[name.text] = Family(name.text, of, is_enum, params, made, name.span)


def check_written(context: Context) -> None:
    """Every name in records stands for one kind or member."""
    seen: dict[str, Span] = {}
    for family in sorted(context.globals.families, key=lambda f: f.span):
        for kind in family.kinds:
            if kind.written in seen:
                context.duplicate("in records, the name", kind.written, kind.span, seen[kind.written])
                break
            seen[kind.written] = kind.span


class _Attributes:
    """The types of the attributes of a piece type: those of its head, and those that its variants' parameters
    make."""

    def __init__(
        self,
        context: Context,
        head: tuple[tuple[str, Type], ...],
        known: tuple[tuple[str, Type], ...] = (),
    ) -> None:
        self.context = context
        self.types: dict[str, Type] = dict(head) | dict(known)
        self.head = {name for name, _ in head}

    def add(self, param: ast.Param, type_: Type) -> None:
        name = param.name.text
        known = self.types.get(name)
        if name in self.head:
            self.context.report(
                "C0202",
                f"the attribute '{name}' stands in the head of the type already",
                param.name.span,
                help=("give one of them another name",),
            )
        elif known is None:
            self.types[name] = type_
        else:
            both = join(known, type_)
            if both is None:
                self.context.report(
                    "C0204",
                    f"the attribute '{name}' is {describe(known)} in another variant,"
                    f" and {describe(type_)} here",
                    param.span,
                )
            else:
                self.types[name] = both

    def result(self) -> tuple[tuple[str, Type], ...]:
        return tuple(sorted(self.types.items()))


def _attributes_of(context: Context, params: tuple[ast.Param, ...]) -> tuple[tuple[str, Type], ...]:
    """Names and types in order; the type of one whose name is taken is `ErrorT`."""
    found: list[tuple[str, Type]] = []
    seen: dict[str, Span] = {}
    for param in params:
        name = param.name
        type_ = resolve_attribute_type(context, param.type)
        if name.text in seen:
            context.duplicate("the attribute", name.text, name.span, seen[name.text])
            type_ = ErrorT()
        elif name.text in SPACE_FIELDS or name.text in EDGE_FIELDS:
            reserved(context, name)
            type_ = ErrorT()
        seen.setdefault(name.text, name.span)
        found.append((name.text, type_))
    return tuple(found)


def _expand(
    context: Context, variant: ast.Variant, head: tuple[tuple[str, Type], ...], types: _Attributes
) -> list[tuple[str, str, tuple[int, ...], Attributes]]:
    """Name, name in records, values and attributes of every kind that a variant makes."""
    name = variant.name.text
    written = variant.written.value if variant.written is not None else name
    if variant.written is not None and not written.strip():
        context.report("C0205", f"the name of '{name}' in records is empty", variant.written.span)
    given = _given_values(context, variant, head)
    params = _attributes_of(context, variant.params)
    ranges: list[range] = []
    for (param, type_), node in zip(params, (p for p in variant.params), strict=False):
        match type_:
            case Int(low, high):
                ranges.append(range(low, high + 1))
                types.add(node, type_)
            case ErrorT():
                ranges.append(range(1))
            case _:
                context.report(
                    "C0204",
                    f"the parameter '{param}' of a variant is a number in a range, not {describe(type_)}",
                    node.span,
                )
                ranges.append(range(1))
    if not params:
        return [(name, written, (), tuple(sorted(given)))]
    number = 1
    for part in ranges:
        number *= len(part)
    context.globals.kinds += number
    if context.globals.kinds > MOST_KINDS:
        context.report(
            "C0205",
            f"'{name}' makes {number} kinds, and a game has at most {MOST_KINDS} in all",
            variant.name.span,
            help=("narrow the ranges of its parameters",),
        )
        context.globals.kinds -= number
        ranges = [part[:1] for part in ranges]
    result = []
    for values in product(*ranges):
        suffix = f"({', '.join(map(str, values))})"
        attributes = (*given, *zip((param for param, _ in params), values, strict=True))
        result.append((name + suffix, written + suffix, values, tuple(sorted(attributes))))
    return result


def _given_values(context: Context, variant: ast.Variant, head: tuple[tuple[str, Type], ...]) -> Attributes:
    """The attributes that the head declares, out of the values that stand behind the variant's name."""
    wanted = sum(type_.length if isinstance(type_, RingT) else 1 for _, type_ in head)
    if any(isinstance(type_, ErrorT) for _, type_ in head):
        return ()
    flat: list[ast.Expr] = []
    for value in variant.values or ():
        flat.extend(value.items if isinstance(value, ast.TupleLit) else (value,))
    if len(flat) != wanted:
        context.report(
            "C0206",
            f"'{variant.name.text}' has {plural(len(flat), 'value')},"
            f" and its type declares {wanted or 'none'}",
            variant.name.span if variant.values is None else variant.span,
            help=(f"the attributes are: {', '.join(name for name, _ in head)}" if head else None,),
        )
        return ()
    result: list[tuple[str, rb.AttributeValue]] = []
    rest = iter(flat)
    elsewhere = _of_another_file(context, head, variant.span)
    for name, type_ in head:
        match type_:
            case RingT(length, element):
                entries = [_constant(context, name, next(rest), element, elsewhere) for _ in range(length)]
                result.append((name, tuple(entry if isinstance(entry, int) else 0 for entry in entries)))
            case _:
                result.append((name, _constant(context, name, next(rest), type_, elsewhere) or 0))
    return tuple(result)


def _of_another_file(context: Context, head: tuple[tuple[str, Type], ...], span: Span) -> bool:
    """Whether it is a type of the game that a module extends."""
    globals_ = context.globals
    names = [name for name, other in globals_.heads.items() if other is head and name in globals_.types]
    return any(globals_.types[name].span.file != span.file for name in names)


def _constant(context: Context, name: str, node: ast.Expr, type_: Type, elsewhere: bool) -> int | str | None:
    """A value of an attribute. `elsewhere`: its bounds stand in another file."""
    if isinstance(type_, EnumT | KindT):
        return _named(context, name, node, type_)
    if isinstance(type_, Flag):
        if isinstance(node, ast.FlagLit):
            return node.value
        context.report("C0204", f"the attribute '{name}' is yes or no", node.span)
        return None
    value = constant_number(node)
    if value is None:
        context.report("C0209", f"the attribute '{name}' of a kind is written as a number", node.span)
    elif isinstance(type_, Int) and not type_.low <= value <= type_.high:
        context.report(
            "C0205",
            f"the attribute '{name}' is a number {type_.low}..{type_.high}, and {value} is not",
            node.span,
            f"expected a number {type_.low}..{type_.high}",
            help=(
                "a module cannot widen the bounds of an attribute: they are those of the game"
                if elsewhere
                else f"bounds that hold it are `{name}: {min(type_.low, value)}..{max(type_.high, value)}`,"
                " in the head of the type",
            ),
        )
    return value


def _named(context: Context, name: str, node: ast.Expr, type_: EnumT | KindT) -> str | None:
    """The member or kind that an attribute is."""
    of = type_.name if isinstance(type_, EnumT) else type_.piece
    found: Family | None = None
    if isinstance(node, ast.NameRef):
        symbol = context.globals.values.get(node.name)
        known = [family.name for family in context.globals.families if family.of == of]
        if not isinstance(symbol, Family) or symbol.of != of:
            context.unknown(
                f"{'member' if isinstance(type_, EnumT) else 'kind'} of {of} called",
                ast.Name(node.name, node.span),
                known,
            )
            return None
        found = symbol
    if found is None or found.params:
        title = f"the attribute '{name}' is {describe(type_)}, written by its name"
        context.report("C0209", title, node.span)
        return None
    return found.kinds[0].name


def _turns(attributes: Attributes) -> int:
    """How many quarter turns show different rings: the least period."""
    rings = [value for _, value in attributes if isinstance(value, tuple)]
    for period in (1, 2, 4):
        if all(ring == ring[period:] + ring[:period] for ring in rings):
            return period
    return 4
