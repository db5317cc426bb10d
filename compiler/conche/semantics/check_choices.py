"""Decisions: `choose` and what is known of them.

Purpose: types cases, their arguments and conditions; decides whether there is always an option.
Input: `Choose` of the AST. Output: `Choose` of the rulebook; the arguments of each decision in `Globals`.
Invariants: a condition's leading parts that speak of no argument are the `guard`, read once; the rest is the
`late_guard`. `sure` is claimed only with a proof: a case without condition all of whose sources are never
empty. Options with the same arguments are found where it is certain that there are some.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from conche.semantics import rulebook as rb
from conche.semantics.check_components import cite_ids
from conche.semantics.check_expressions import type_expression, type_flag, type_value
from conche.semantics.check_places import the_player
from conche.semantics.check_types import join
from conche.semantics.check_values import as_value, collection, is_bad, is_constant, length
from conche.semantics.symbols import Argument, Body, Context, Family, Globals
from conche.semantics.types import ErrorT, Flag, ListT, PlayerT, TextT, Type
from conche.semantics.walk import node_fields, walk
from conche.semantics.words import describe
from conche.source import Span
from conche.syntax import ast

PASS = "pass"
"""The label of the case of who passes."""

Block = Callable[[Body, tuple[ast.Stmt, ...]], tuple[rb.Stmt, ...]]
"""Types the statements of a case; given by `check_statements`."""


def type_choose(body: Body, node: ast.Choose, block: Block, *, at_once: bool = False) -> rb.Stmt | None:
    """`at_once`: all players of a loop choose at the same time."""
    if node.chooser is None:
        chooser = the_player(body, node.name.span)
    else:
        chooser = type_value(body, node.chooser, PlayerT(), "who chooses")
    cases, good = type_cases(body, node.name, node.cases, {}, None if node.short else block)
    none = None if node.none is None else block(body, node.none)
    sure = any(always_open(body.globals, case) for case in cases)
    if node.passing is not None:
        for case in (case for case in node.cases if case.label is not None and case.label.text == PASS):
            body.context.duplicate("the case", PASS, node.passing.span, case.span)
        passing, shows_nothing = _passing(body, node.name, node.passing)
        cases, good, sure = (*cases, passing), good and shows_nothing, True
    if good:
        _check_no_option(body, node, sure, at_once)
        check_told_apart(body.context, node.name.text, cases)
    if chooser is None or is_bad(chooser) or not good:
        return None
    return rb.Choose(
        chooser,
        node.name.text,
        cases,
        none,
        cite_ids(node.always),
        sure,
        node.short,
        node.span,
        cite_ids(node.cites),
        node.passing is not None,
    )


def _passing(body: Body, name: ast.Name, node: ast.Case) -> tuple[rb.Case, bool]:
    """The case of who passes, and whether its arguments are written out."""
    with body.scope():
        case = replace(_case(body, node, None), label=PASS)
    note_decision(body, name, case.binders)
    good = True
    for binder in case.binders:
        if _is_broken(binder):
            good = False
        elif binder.value is None or not is_constant(binder.value):
            body.context.report(
                "C0250",
                f"the '{binder.slot.name}' of `pass` is written out: nothing shows of who passes",
                binder.span,
                help=(f"write one value: `{binder.slot.name} = nothing`, `{binder.slot.name} = 0`",),
            )
            good = False
    return case, good


def type_cases(
    body: Body, name: ast.Name, nodes: tuple[ast.Case, ...], labels: dict[str, Span], block: Block | None
) -> tuple[tuple[rb.Case, ...], bool]:
    """The cases of the decision `name`, and whether all their arguments are good. `labels`: those that are
    taken. Without `block` it is a short one, whose arguments stay in the scope that is open."""
    cases: list[rb.Case] = []
    good = True
    for node in nodes:
        label = node.label
        if label is not None:
            if label.text in labels:
                body.context.duplicate("the case", label.text, label.span, labels[label.text])
            labels.setdefault(label.text, label.span)
        if block is None:
            case = _case(body, node, None)
        else:
            with body.scope():
                case = _case(body, node, block)
        note_decision(body, node.move or name, case.binders)
        good = good and not any(_is_broken(binder) for binder in case.binders)
        cases.append(case)
    return tuple(cases), good


def _check_no_option(body: Body, node: ast.Choose, sure: bool, at_once: bool) -> None:
    context = body.context
    name = node.name
    if sure and node.none is not None:
        context.report(
            "C0214",
            f"'{name.text}' always has an option, so 'none' never happens",
            name.span,
            help=("leave `none` out",),
        )
    elif not sure and node.none is None and not node.always:
        if at_once:
            hint = (
                "leave out of the loop who has no option, by `each player … if …`, or add `always §…` with"
                " the clause that rules it out"
            )
        elif node.short:
            hint = "write it with `case` lines and a `none` or `always §…`"
        else:
            hint = "add `none` with what then happens, or `always §…` with the clause that rules it out"
        context.report(
            "C0213",
            f"'{name.text}' says nothing about having no option",
            name.span,
            help=(hint,),
        )


def _case(body: Body, node: ast.Case, block: Block | None) -> rb.Case:
    """One case; without `block` its arguments are left in the scope that is open."""
    binders = tuple(_binder(body, binder) for binder in node.binders)
    guard: rb.Expr | None = None
    late: rb.Expr | None = None
    if node.guard is not None:
        condition = type_flag(body, node.guard, "the condition of a case")
        guard, late = _split(condition, {binder.slot for binder in binders})
    inner = block(body, node.body) if block is not None else ()
    return rb.Case(
        node.label.text if node.label else None,
        binders,
        guard,
        late,
        inner,
        node.span,
        cite_ids(node.cites),
        node.move.text if node.move else None,
    )


def _binder(body: Body, node: ast.Binder) -> rb.Binder:
    if isinstance(node, ast.BindIn):
        source, element = collection(body, type_expression(body, node.source), "what is chosen from")
        slot = body.introduce(node.name, element, settable=True)
        return rb.Binder(slot, source, None, node.hidden, node.span)
    value = as_value(body, type_expression(body, node.value))
    slot = body.introduce(node.name, value.type, settable=True)
    return rb.Binder(slot, None, value, False, node.span)


def _is_broken(binder: rb.Binder) -> bool:
    part = binder.source if binder.source is not None else binder.value
    return part is None or is_bad(part)


def _split(condition: rb.Expr, slots: set[rb.Slot]) -> tuple[rb.Expr | None, rb.Expr | None]:
    """The part of a condition that is read before the arguments are chosen, and the part read for each
    option."""
    parts = [condition]
    while isinstance(parts[0], rb.Binary) and parts[0].op == "and":
        parts[0:1] = [parts[0].left, parts[0].right]
    early = 0
    while early < len(parts) and not _speaks_of(parts[early], slots):
        early += 1
    return _conjunction(parts[:early]), _conjunction(parts[early:])


def _speaks_of(expr: rb.Expr, slots: set[rb.Slot]) -> bool:
    return any(isinstance(node, rb.Local) and node.slot in slots for node in walk(expr))


def _conjunction(parts: list[rb.Expr]) -> rb.Expr | None:
    if not parts:
        return None
    result = parts[0]
    for part in parts[1:]:
        result = rb.Binary("and", result, part, Flag(), result.span.to(part.span))
    return result


def always_open(globals_: Globals, case: rb.Case) -> bool:
    """Whether the case has an option whatever the state is."""
    if case.guard is not None or case.late_guard is not None:
        return False
    return all(
        binder.source is None or (not is_bad(binder.source) and length(globals_, binder.source).low > 0)
        for binder in case.binders
    )


# ----------------------------------------------------------------------------------------- telling them apart


def check_told_apart(
    context: Context, name: str, cases: tuple[rb.Case, ...], earlier: tuple[rb.Case, ...] = ()
) -> None:
    """Reports options that surely have the same arguments, so that nobody can name one of them: those that
    differ in a hidden argument alone, and those of two cases with the same arguments, one of which is always
    allowed. What only may happen is asserted at run time. `earlier`: cases of the same decision that stand
    elsewhere."""
    note = "a move is the name of its decision and its shown arguments; a label is not part of it"
    for number, case in enumerate(cases):
        for binder in _idle_hidden(context.globals, case):
            context.report(
                "C0247",
                f"options of '{name}' that differ in '{binder.slot.name}' alone look the same",
                binder.span,
                f"nothing that is shown depends on '{binder.slot.name}'",
                notes=(note,),
                help=(f"leave out `for`, or show what tells them apart: `show = {binder.slot.name}.…`",),
            )
        for other in (*earlier, *cases[:number]):
            if _alike(case, other):
                context.report(
                    "C0247",
                    f"two cases of '{name}' have the same arguments",
                    case.span,
                    "this option cannot be told",
                    also=((other.span, "from this one"),),
                    notes=(note,),
                    help=('give each an argument that names it, such as `way = "first"`',),
                )
                break


def _idle_hidden(globals_: Globals, case: rb.Case) -> list[rb.Binder]:
    """The hidden arguments that can have several values and touch nothing that is shown, nor the
    condition."""
    idle = []
    for number, binder in enumerate(case.binders):
        if not binder.hidden or binder.source is None or length(globals_, binder.source).high <= 1:
            continue
        touched = {binder.slot}
        shown = case.late_guard is not None and _speaks_of(case.late_guard, touched)
        for later in case.binders[number + 1 :]:
            part = later.source if later.source is not None else later.value
            if part is not None and _speaks_of(part, touched):
                touched.add(later.slot)
                shown = shown or not later.hidden
        if case.late_guard is not None and _speaks_of(case.late_guard, touched):
            shown = True
        if not shown:
            idle.append(binder)
    return idle


def _alike(case: rb.Case, other: rb.Case) -> bool:
    """Whether the options of two cases are the same ones, as often as both are allowed, and one always is."""
    if case.move != other.move or case.late_guard is not None or other.late_guard is not None:
        return False
    if case.guard is not None and other.guard is not None:
        return False
    return _shown(case) == _shown(other)


def _shown(case: rb.Case) -> dict[str, object]:
    """The shown arguments by name, and what each can be: equal for equal texts."""
    names = {binder.slot: binder.slot.name for binder in case.binders if not binder.hidden}
    return {
        binder.slot.name: (
            binder.source is None,
            _shape(binder.source if binder.source is not None else binder.value, names),
        )
        for binder in case.binders
        if not binder.hidden
    }


def _shape(node: object, names: Mapping[rb.Slot, str]) -> object:
    """An expression without its places in the text; arguments of the case by their names."""
    if isinstance(node, rb.Slot):
        return names.get(node, node)
    if isinstance(node, tuple):
        return tuple(_shape(part, names) for part in node)
    if hasattr(type(node), "__dataclass_fields__"):
        parts = (_shape(getattr(node, field), names) for field in node_fields(node))
        return (type(node).__name__, *parts)
    return (type(node).__name__, node)


# ---------------------------------------------------------------------------------------------- what is known


def note_decision(body: Body, name: ast.Name, binders: tuple[rb.Binder, ...]) -> None:
    """Remembers the arguments of a decision; the same argument is of one sort wherever it is chosen."""
    known = body.globals.decisions.setdefault(name.text, {})
    for binder in binders:
        if binder.hidden:
            continue
        slot = binder.slot
        note_carried(body.globals, known, slot.type, binder.span)
        texts = {
            node.value
            for node in walk(binder.value if binder.value is not None else binder.source)
            if isinstance(node, rb.Lit) and isinstance(node.type, TextT) and isinstance(node.value, str)
        }
        earlier = known.get(slot.name)
        if earlier is None:
            known[slot.name] = Argument(slot.name, slot.type, frozenset(texts), binder.span)
            continue
        both: Type | None = join(earlier.type, slot.type)
        if isinstance(earlier.type, ErrorT) or isinstance(slot.type, ErrorT):
            both = ErrorT()  # what it can be is not known
        elif both is None:
            if earlier.span != binder.span:
                body.context.report(
                    "C0233",
                    f"'{slot.name}' of the decision '{name.text}' is {describe(slot.type)} here"
                    f" and {describe(earlier.type)} elsewhere",
                    binder.span,
                    also=((earlier.span, describe(earlier.type)),),
                    help=("name one of the decisions or arguments differently",),
                )
            both = ErrorT()
        known[slot.name] = Argument(slot.name, both, earlier.texts | texts, earlier.span)


def note_carried(globals_: Globals, known: dict[str, Argument], type_: Type, span: Span) -> None:
    """With a piece that carries others, as an argument of a decision, comes what it carries."""
    for zone in globals_.carried.values():
        family = globals_.values.get(zone.owner)
        name = zone.name.partition(".")[2]
        if isinstance(family, Family) and family.type == type_ and name not in known:
            held = ListT(globals_.element_type(zone.of))
            known[name] = Argument(name, held, frozenset(), span, counts=True)


def note_chance(body: Body, name: ast.Name, type_: Type) -> None:
    """Remembers what a source of chance gives."""
    known = body.globals.chances.get(name.text)
    if known is not None and join(known, type_) is None:
        body.context.report(
            "C0233",
            f"the chance '{name.text}' is {describe(type_)} here and {describe(known)} elsewhere",
            name.span,
        )
        return
    body.globals.chances[name.text] = type_ if known is None else join(known, type_) or ErrorT()
