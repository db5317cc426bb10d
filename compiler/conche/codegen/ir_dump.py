"""The engine IR as text: `conche build --emit ir`, and its golden form.

Input: a program. Output: lines: the layout, tables, queries, functions, blocks, decisions, scores.

    block step.fill (cacao.rules:118)
        let gaps = each(s in table.around[at] where top(table, s) = 0)
        goto step.fill/1.while/next

Invariants: depends on the program alone. A local is written by its name, with a number behind it where
another local of the same block, function, query or decision has that name too. Types are left out, but for
slots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import assert_never

from conche.codegen import ir
from conche.codegen.ir_walk import walk
from conche.semantics.rulebook import Slot
from conche.semantics.words import describe


def dump(program: ir.Program) -> str:
    """The whole program, ending in a line end."""
    return "\n".join(_Dump(program).lines()) + "\n"


class _Dump:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.names: dict[Slot, str] = {}

    def lines(self) -> Iterator[str]:
        program = self.program
        yield f"engine of {program.ruleset}"
        yield ""
        yield from self._layout()
        yield ""
        for table in program.tables:
            yield self._table(table)
        for query in program.queries:
            yield ""
            yield from self._query(query)
        for function in program.functions:
            yield ""
            self._name_all(function)
            yield f"function {function.id}({self._params(function.params)}) {self._mark(function.mark)}"
            yield from self._ops(function.body, 1)
        for block in program.blocks:
            yield ""
            self._name_all(block)
            params = f"({self._params(block.params)})" if block.params else ""
            yield f"block {block.id}{params} {self._mark(block.mark)}"
            yield from self._run(block.run, 1)
        for decision in program.decisions:
            yield ""
            yield from self._decision(decision)
        yield ""
        for score in program.scores:
            self._name_all(score)
            yield f"score {score.name}({score.you.name}) = {self._text(score.value)} {self._mark(score.mark)}"
        self._name_all(program.rank)
        yield f"rank by {', '.join(self._text(key) for key in program.rank.keys)}"

    # ---------------------------------------------------------------------------------------- names

    def _name_all(self, node: object) -> None:
        """Gives every local within a name."""
        self.names = {}
        used: set[str] = set()
        for part in walk(node):
            slots: list[Slot] = []
            match part:
                case ir.Local(slot=slot) | ir.Let(slot=slot) | ir.For(slot=slot) | ir.Fold(slot=slot):
                    slots = [slot]
                case ir.Pick(slot=slot) | ir.ZoneDraw(slot=slot) | ir.Binder(slot=slot):
                    slots = [slot]
                case ir.ZoneRemove(known=known) if known is not None:
                    slots = [known]
                case ir.AtOnce(seat=seat, order=order):
                    slots = [seat, order]
                case ir.Function(params=params) | ir.Block(params=params) | ir.Query(params=params):
                    slots = list(params)
                case _:
                    pass
            for slot in slots:
                if slot not in self.names:
                    name, number = slot.name, 2
                    while name in used:
                        name = f"{slot.name}'{number}"
                        number += 1
                    used.add(name)
                    self.names[slot] = name

    def _name(self, slot: Slot) -> str:
        return self.names.get(slot, slot.name)

    def _params(self, params: tuple[Slot, ...]) -> str:
        return ", ".join(self._name(param) for param in params)

    def _mark(self, mark: ir.Mark) -> str:
        return f"({PurePath(mark.file).name}:{mark.line})"

    # ---------------------------------------------------------------------------------------- layout

    def _layout(self) -> Iterator[str]:
        program, layout = self.program, self.program.layout
        yield f"players {layout.min_players}..{layout.max_players}"
        for kinds in layout.kinds:
            words = (("owned", kinds.owned), ("ring", kinds.ring))
            traits = "".join(f" {word}" for word, has in words if has)
            yield f"kinds {kinds.name}{traits}: {', '.join(kinds.names)}"
        for variable in layout.variables:
            initial = "" if variable.initial is None else f" = {variable.initial!r}"
            owner = variable.owner if variable.board is None else f"{variable.owner} of {variable.board}"
            type_ = describe(variable.type, bounds=True)
            yield f"variable {variable.slot} of {owner}: {type_}{initial}, {variable.visibility}"
        for zone in layout.zones:
            most = "" if zone.capacity is None else f" up to {zone.capacity}"
            known = " with known order" if zone.known else ""
            what = f"{zone.storage} of {zone.of}{most}{known}"
            yield f"zone {zone.slot} of {zone.owner}: {what}, {zone.visibility}"
        for grid in layout.grids:
            yield f"grid {grid.name}: {grid.across} across, margin {grid.margin}, {len(grid.codes)} codes"
            for allowed in grid.room:
                self.names = {}
                for condition, number in allowed.lines:
                    yield f"    up to {number} {allowed.piece} where {self._text(condition)}"
        for stream in layout.streams:
            yield f"stream {stream.path}{'[seat]' if stream.by_seat else ''}"
        for kept in layout.sets:
            yield from self._set(kept)
        for slot in program.saved:
            yield f"saved {slot.owner or 'loop'}.{slot.name}: {describe(slot.type)}"
        for routine, backs in program.returns:
            yield f"return of {routine} to {', '.join(backs)}"

    def _set(self, kept: ir.MaintainedSet) -> Iterator[str]:
        self.names = {}
        by = "" if kept.key is None else f" by {kept.key}"
        yield f"set {kept.slot}{by}: {kept.space.name} where {self._text(kept.holds)}"
        for upkeep in kept.upkeep:
            here = "nothing" if upkeep.here is None else self._text(upkeep.here)
            near = "nothing" if upkeep.near is None else self._text(upkeep.near)
            yield f"    a {upkeep.piece} put: here {here}, beside {near}"

    def _table(self, table: ir.Table | ir.GridTable) -> str:
        match table:
            case ir.GridTable(name=name, board=board, which=which):
                return f"table {name}: {which} of {board}"
            case ir.Table(name=name, values=values, note=note):
                shown = ", ".join("–" if value is None else str(value) for value in values)
                return f"table {name} ({note}): {shown}"
            case _:
                assert_never(table)

    # ---------------------------------------------------------------------------------------- declarations

    def _query(self, query: ir.Query) -> Iterator[str]:
        self._name_all(query)
        for slot, _ in query.lets:
            self.names.setdefault(slot, slot.name)
        yield f"query {query.name}({self._params(query.params)}) {self._mark(query.mark)}"
        for slot, value in query.lets:
            yield f"    let {self._name(slot)} = {self._text(value)}"
        for condition, value, _ in query.cases:
            when = "" if condition is None else f" if {self._text(condition)}"
            yield f"    {self._text(value)}{when}"

    def _decision(self, decision: ir.Decision) -> Iterator[str]:
        self._name_all(decision)
        chooser = self._text(decision.chooser)
        yield f"decision {decision.id} '{decision.name}' of {chooser} {self._mark(decision.mark)}"
        if decision.found is not None:
            slot, value = decision.found
            yield f"    found {self._name(slot)} = {self._text(value)}"
        for case in decision.cases:
            named = "" if case.move == decision.name else f" '{case.move}'"
            yield f"    case {case.label}{named} -> {case.block}({self._params(case.passes)})"
            if case.guard is not None:
                yield f"        if {self._text(case.guard)}"
            for binder in case.binders:
                shown = "" if binder.arg is not None else "hidden "
                if binder.source is not None:
                    yield f"        {shown}{self._name(binder.slot)} in {self._text(binder.source)}"
                elif binder.value is not None:
                    yield f"        {shown}{self._name(binder.slot)} = {self._text(binder.value)}"
            if case.late_guard is not None:
                yield f"        where {self._text(case.late_guard)}"
            yield f"        count {self._text(case.count)}"
        yield from self._told(decision)
        if not decision.told_apart:
            yield "    checked that no two options look alike"
        yield "    otherwise"
        yield from self._run(decision.otherwise, 2)

    def _told(self, decision: ir.Decision) -> Iterator[str]:
        """What others know of it, and when it is asked."""
        if decision.private:
            yield "    private"
        asking, at_once = decision.asking, decision.at_once
        if asking is not None:
            whom = "" if asking.seat is None else f" of every {self._name(asking.seat)}"
            only = "" if asking.condition is None else f" where {self._text(asking.condition)}"
            yield f"    passes, known as {asking.name!r}{whom}{only}"
        if at_once is not None:
            how = "together" if at_once.shown else "secretly"
            only = "" if at_once.guard is None else f" where {self._text(at_once.guard)}"
            yield f"    {how} {self._name(at_once.seat)} in {self._text(at_once.seats)}{only}"
            yield f"    asked in {self._name(at_once.order)}, then goto {at_once.done}"
            if at_once.anew is not None:
                names, cases = at_once.anew
                yield f"    anew {', '.join(names)}"
                for case, ops in zip(decision.cases, cases, strict=True):
                    yield f"    case {case.label}"
                    yield from self._ops(ops, 2)

    # ---------------------------------------------------------------------------------------- operations

    def _run(self, run: ir.Run, depth: int) -> Iterator[str]:
        yield from self._ops(run.ops, depth)
        indent, end = "    " * depth, run.end
        match end:
            case ir.Goto(block=block):
                yield f"{indent}goto {block}"
            case ir.Branch(condition=condition, yes=yes, no=no):
                yield f"{indent}if {self._text(condition)}"
                yield from self._run(yes, depth + 1)
                yield f"{indent}else"
                yield from self._run(no, depth + 1)
            case ir.Switch(subject=subject, arms=arms):
                yield f"{indent}switch {self._text(subject)}"
                for codes, arm in arms:
                    yield f"{indent}is {', '.join(map(str, codes))}"
                    yield from self._run(arm, depth + 1)
            case ir.Decide(decision=decision):
                yield f"{indent}decide {decision}"
            case ir.Gather(decision=decision):
                yield f"{indent}gather {decision}"
            case ir.TakeKept(decision=decision, seat=player):
                yield f"{indent}take what {self._text(player)} chose at {decision}"
            case ir.Back(routine=routine):
                yield f"{indent}back from {routine}"
            case ir.Into(routine=routine, block=block, back=back):
                yield f"{indent}into {routine} at {block}, back to {back}"
            case ir.Over():
                yield f"{indent}over"
            case ir.Dead():
                yield f"{indent}dead"
            case _:
                assert_never(end)

    def _ops(self, ops: tuple[ir.Op, ...], depth: int) -> Iterator[str]:
        for op in ops:
            yield from self._op(op, depth)

    def _op(self, op: ir.Op, depth: int) -> Iterator[str]:
        indent = "    " * depth
        match op:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                yield f"{indent}if {self._text(condition)}"
                yield from self._ops(then, depth + 1)
                if otherwise:
                    yield f"{indent}else"
                    yield from self._ops(otherwise, depth + 1)
            case ir.Select(subject=subject, arms=arms):
                yield f"{indent}select {self._text(subject)}"
                for codes, arm in arms:
                    yield f"{indent}is {', '.join(map(str, codes))}"
                    yield from self._ops(arm, depth + 1)
            case ir.For(slot=slot, source=source, body=body):
                yield f"{indent}for {self._name(slot)} in {self._text(source)}"
                yield from self._ops(body, depth + 1)
            case ir.While(condition=loop_condition, body=body):
                yield f"{indent}while {'true' if loop_condition is None else self._text(loop_condition)}"
                yield from self._ops(body, depth + 1)
            case _:
                yield f"{indent}{self._simple(op)}"

    def _simple(self, op: ir.Op) -> str:
        text = self._text
        match op:
            case ir.Let(slot=slot, value=value, bounds=bounds):
                return f"let {self._name(slot)} = {text(value)}{self._bounds(bounds)}"
            case ir.Store(slot=name, index=index, value=value, bounds=bounds):
                at = "" if index is None else f"[{text(index)}]"
                return f"store {name}{at} = {text(value)}{self._bounds(bounds)}"
            case ir.ZoneAdd(zone=zone, seat=seat, kind=kind, amount=amount, place=place, room=room):
                sure = ", room for it" if room else ""
                sure += "" if op.known is None else f", known to {text(op.known)}"
                return f"add {text(amount)} {text(kind)} {place} {self._zone(zone, seat)}{sure}"
            case ir.ZoneRemove(zone=zone, seat=seat, kind=kind, amount=amount, known=known):
                return f"remove {text(amount)} {text(kind)} from {self._zone(zone, seat)}{self._knew(known)}"
            case ir.ZoneDraw(slot=slot, zone=zone, seat=seat, seen=seen, known=known):
                seen_by = (seen if isinstance(seen, str) else text(seen)) + self._knew(known)
                return f"draw {self._name(slot)} from {self._zone(zone, seat)} seen by {seen_by}"
            case ir.ZoneLook(zone=zone, seat=seat, viewer=viewer, amount=amount):
                return f"look at {text(amount)} of {self._zone(zone, seat)} by {text(viewer)}"
            case ir.Eliminate(seat=player):
                return f"eliminate {text(player)}"
            case ir.ForgetChoice(decision=decision, seat=player):
                return f"forget {decision} of {text(player)}"
            case ir.ZoneShuffle(zone=zone, seat=seat):
                return f"shuffle {self._zone(zone, seat)}"
            case ir.ZoneSwap(zone=zone, seat=seat, old=old, new=new):
                return f"swap {text(old)} for {text(new)} in {self._zone(zone, seat)}"
            case ir.ZoneClear(zone=zone, seat=seat):
                return f"clear {self._zone(zone, seat)}"
            case ir.ZoneSwapCopies(zone=zone, seat=seat, old=gone, new=come):
                return f"swap {self._codes(gone)} for {self._codes(come)} in {self._zone(zone, seat)}"
            case ir.PutPiece(board=board, space=space, piece=piece, kind=kind, owner=owner, turn=turn):
                extra = "" if owner is None else f" of {text(owner)}"
                extra += "" if turn is None else f" turned {text(turn)}"
                return f"put {piece} {text(kind)}{extra} on {board}[{text(space)}]"
            case ir.Pick(slot=slot, stream=stream, source=source):
                return f"pick {self._name(slot)} by {stream} from {text(source)}"
            case ir.Show(what=what, whose=whose, value=value, to=to):
                whose_text = "" if whose is None else f"[{text(whose)}]"
                return f"show {what!r}{whose_text} {text(value)} to {'all' if to is None else text(to)}"
            case ir.Call(function=name, args=args):
                return f"call {name}({', '.join(text(arg) for arg in args)})"
            case ir.Break():
                return "break"
            case ir.Return():
                return "return"
            case ir.Fail(message=message):
                return f"fail {message!r}"
            case ir.Require(condition=condition, message=message):
                return f"require {text(condition)} else {message!r}"
            case ir.Forget(routine=routine):
                return f"forget {routine}"
            case _:
                raise AssertionError(f"{op} is compound")

    def _knew(self, known: Slot | None) -> str:
        return "" if known is None else f", who knew it: {self._name(known)}"

    def _bounds(self, bounds: tuple[int, int] | None) -> str:
        return "" if bounds is None else f" within {bounds[0]}..{bounds[1]}"

    def _zone(self, zone: str, seat: ir.Expr | None) -> str:
        return zone if seat is None else f"{zone}[{self._text(seat)}]"

    # ---------------------------------------------------------------------------------------- expressions

    def _inner(self, expr: ir.Expr) -> str:
        """An operand, in brackets where it is made of operands itself."""
        text = self._text(expr)
        compound = isinstance(
            expr,
            ir.Arith
            | ir.Compare
            | ir.OneOf
            | ir.Logic
            | ir.Not
            | ir.Negate
            | ir.Cond
            | ir.Member
            | ir.HowMany,
        )
        return f"({text})" if compound else text

    def _text(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value=value):
                return {True: "yes", False: "no"}[value] if isinstance(value, bool) else repr(value)
            case ir.Local(slot=slot):
                return self._name(slot)
            case ir.PlayerNumber():
                return "players"
            case ir.PlayersIn():
                return "players still in"
            case ir.PlayersLeft():
                return "how many are still in"
            case ir.StillIn(seat=player):
                return f"{self._inner(player)} is still in"
            case ir.Clockwise(start=player):
                return f"clockwise from {self._inner(player)}"
            case ir.NextSeat(seat=player, step=step):
                return f"{'left' if step > 0 else 'right'} of {self._inner(player)}"
            case ir.Mask(seats=seats, others=others):
                known = [self._text(seat) for seat in seats]
                known += [] if others is None else [f"those of {self._text(others)}"]
                return f"mask of ({', '.join(known)})"
            case ir.Global(slot=name, checked=checked):
                return f"{name}{'!' if checked else ''}"
            case ir.Item(slot=name, index=index, checked=checked):
                return f"{name}[{self._text(index)}]{'!' if checked else ''}"
            case ir.Lookup(table=table, index=index):
                return f"{table}[{self._text(index)}]"
            case ir.Arith(op=op, left=left, right=right) | ir.Compare(op=op, left=left, right=right):
                return f"{self._inner(left)} {op} {self._inner(right)}"
            case ir.OneOf(value=code, codes=codes):
                return f"{self._inner(code)} is {self._codes(codes)}"
            case ir.Logic(op=op, parts=parts):
                return f" {op} ".join(self._inner(part) for part in parts)
            case ir.HowMany(parts=parts):
                return f"how many of ({', '.join(self._text(part) for part in parts)})"
            case ir.Not(operand=operand):
                return f"not {self._inner(operand)}"
            case ir.Negate(operand=operand):
                return f"-{self._inner(operand)}"
            case ir.MinMax(op=op, args=args):
                return f"{op}({', '.join(self._text(arg) for arg in args)})"
            case ir.Cond(condition=condition, then=then, otherwise=otherwise):
                return f"if {self._inner(condition)} then {self._inner(then)} else {self._inner(otherwise)}"
            case ir.Member(value=member, source=source):
                return f"{self._inner(member)} in {self._inner(source)}"
            case ir.ScoreTotal(player=player):
                return f"total({self._text(player)})"
            case ir.Running(routine=routine):
                return f"running({routine})"
            case ir.Ask(query=name, args=args):
                return f"{name}({', '.join(self._text(arg) for arg in args)})"
            case _:
                return self._collection(expr)

    def _codes(self, codes: tuple[int, ...]) -> str:
        if len(codes) > 2 and codes == tuple(range(codes[0], codes[-1] + 1)):
            return f"{codes[0]}..{codes[-1]}"
        return "/".join(map(str, codes)) or "none"

    def _collection(self, expr: ir.Expr) -> str:
        text = self._text
        match expr:
            case ir.Size(source=source):
                return f"size({text(source)})"
            case ir.At(source=source, index=index):
                return f"{text(source)}[{text(index)}]"
            case ir.Tail(source=source):
                return f"tail({text(source)})"
            case ir.Sequence(items=items):
                return f"[{', '.join(text(item) if n == 1 else f'{n} {text(item)}' for n, item in items)}]"
            case ir.Concat(parts=parts):
                return f"concat({', '.join(text(part) for part in parts)})"
            case ir.Distinct(source=source):
                return f"distinct({text(source)})"
            case ir.With(source=source, value=value, unique=unique):
                return f"with{' unique' if unique else ''}({text(source)}, {text(value)})"
            case ir.Without(source=source, value=value):
                return f"without({text(source)}, {text(value)})"
            case ir.Interval(low=low, high=high):
                return f"{self._inner(low)}..{self._inner(high)}"
            case ir.Fold(op=op, body=body, slot=slot, source=source, where=where):
                head = self._name(slot) if body is None else f"{text(body)} for {self._name(slot)}"
                condition = "" if where is None else f" where {text(where)}"
                return f"{op}({head} in {text(source)}{condition})"
            case ir.ZoneSize(zone=zone, seat=seat):
                return f"count({self._zone(zone, seat)})"
            case ir.ZoneHolds(zone=zone, seat=seat, kind=kind):
                return f"{self._zone(zone, seat)}[{text(kind)}]"
            case ir.ZoneKinds(zone=zone, seat=seat):
                return f"kinds({self._zone(zone, seat)})"
            case ir.ZoneItems(zone=zone, seat=seat):
                return f"items({self._zone(zone, seat)})"
            case ir.FreeCopy(piece=piece, codes=codes):
                return f"free({piece} {self._codes(codes)})"
            case ir.LowestCopy(zone=zone, seat=seat, codes=codes):
                return f"lowest({self._codes(codes)} in {self._zone(zone, seat)})"
            case ir.Top(board=board, space=space):
                return f"top({board}, {text(space)})"
            case ir.Height(board=board, space=space):
                return f"height({board}, {text(space)})"
            case ir.Spaces(board=board):
                return f"spaces({board})"
            case ir.Kept(set=name, key=key):
                return name if key is None else f"{name}[{text(key)}]"
            case ir.KeptHas(set=name, key=key, space=space):
                return f"{text(space)} in {name if key is None else f'{name}[{text(key)}]'}"
            case _:
                raise AssertionError(type(expr).__name__)
