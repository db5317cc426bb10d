"""AST to text: the canonical way to write a rules file, and the formatter's base.

Input: a `File`, declaration, statement, expression or type. Output: its text.
Invariants: reading the text again gives the same tree but for spans and comments; what the author had on one
line behind a `:` stays there. Raises `ValueError` for what could not be read (`ErrorDecl`, `ErrorStmt`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from conche.syntax import ast
from conche.syntax.expression_text import (
    SUM,
    expression_text,
    expressions_text,
    item_text,
    params_text,
    pattern_text,
    type_text,
)
from conche.syntax.wrapping import cited

_INDENT = "  "

Line = tuple[int, str, tuple[ast.Cite, ...]]
"""How deep a line is indented, its text, and the citations at its end."""


def to_text(node: ast.File | ast.Header | ast.Decl | ast.Stmt | ast.Expr | ast.TypeExpr) -> str:
    """The canonical text. Files, declarations and statements end with a line end, expressions do not."""
    match node:
        case ast.File():
            return _file_text(node)
        case ast.Header():
            return _joined(_header(node))
    if isinstance(node, _DECLS):
        return _joined(_declaration(node))
    if isinstance(node, _STMTS):
        return _joined(_statement(node, 0))
    if isinstance(node, _TYPES):
        return type_text(node)
    return expression_text(node)


_DECLS = ast.Decl
_STMTS = ast.Stmt
_TYPES = ast.TypeExpr


def _file_text(file: ast.File) -> str:
    parts: list[str] = [] if file.header is None else [_joined(_header(file.header))]
    previous: ast.Decl | None = None
    for decl in file.decls:
        text = _joined(_declaration(decl))
        alike = type(decl) is type(previous) and text.count("\n") == 1 and parts[-1].strip().count("\n") == 0
        if parts and not alike:
            text = f"\n{text}"
        parts.append(text)
        previous = decl
    return "".join(parts)


def _joined(lines: Iterable[Line]) -> str:
    return "".join(f"{cited(_INDENT * depth, text, cites)}\n" for depth, text, cites in lines)


# -------------------------------------------------------------------------------- header


def _header(header: ast.Header) -> Iterator[Line]:
    base = "" if header.base is None else f" for {header.base.text} {header.base_version}"
    yield 0, f'{header.kind} {header.name.text} "{header.title.value}"{base}', header.cites
    if header.version is not None:
        yield 1, f"version {header.version}", ()
    if header.players is not None:
        yield 1, f"players {header.players[0]}..{header.players[1]}", ()
    if header.seats:
        yield 1, f"seats {_names(header.seats)}", ()
    if header.clauses is not None:
        yield 1, f'clauses "{header.clauses.value}"', ()
    for word, names in (
        ("requires", header.requires),
        ("excludes", header.excludes),
        ("follows", header.follows),
    ):
        if names:
            yield 1, f"{word} {_names(names)}", ()


def _names(names: Iterable[ast.Name]) -> str:
    return ", ".join(name.text for name in names)


# -------------------------------------------------------------------------------- declarations


def _declaration(decl: ast.Decl) -> Iterator[Line]:
    match decl:
        case ast.OptionDecl():
            values = f"{{{_names(decl.values)}}}" if decl.numbers is None else "{}..{}".format(*decl.numbers)
            yield 0, f"option {decl.name.text} in {values} = {decl.default.text}", decl.cites
        case ast.EnumDecl():
            yield 0, f"enum {decl.name.text}{params_text(decl.params)}{_rows(decl.rows)}", decl.cites
            yield from _variants(decl.variants)
        case ast.PieceDecl():
            owned = " owned" if decl.owned else ""
            head = f"piece {decl.name.text}{params_text(decl.params)}{owned}{_rows(decl.rows)}"
            yield 0, head, decl.cites
            yield from _variants(decl.variants)
        case ast.ValuesDecl():
            yield 0, f"values {decl.name.text}{_data(decl.value)}", decl.cites
        case ast.BoardDecl():
            yield from _board(decl)
        case ast.VarDecl():
            yield 0, f"var {_var(decl)}", decl.cites
        case ast.ZoneDecl() | ast.TrackDecl():
            yield 0, _member(decl), decl.cites
        case ast.EachPlayerHas():
            yield 0, "each player has", decl.cites
            for member in decl.members:
                yield 1, _member(member), member.cites
        case ast.EachKindHas():
            yield 0, f"each {decl.of.text} has", decl.cites
            for variable in decl.members:
                yield 1, _var(variable), variable.cites
        case ast.SetupDecl():
            yield from _headed(0, "setup", decl.span.line, decl.cites, decl.body)
        case ast.PlayDecl():
            yield from _headed(0, "play", decl.span.line, decl.cites, decl.body)
        case ast.StepDecl():
            head = f"step {decl.name.text}{params_text(decl.params)}"
            yield from _headed(0, head, decl.span.line, decl.cites, decl.body)
        case ast.ActionDecl():
            rest = params_text(decl.params)
            inner = f"{pattern_text(decl.pattern)}, {rest[1:-1]}" if rest else pattern_text(decl.pattern)
            yield from _headed(0, f"action {decl.name.text}({inner})", decl.span.line, decl.cites, decl.body)
        case ast.QueryDecl():
            yield from _query(decl)
        case ast.TriggerDecl():
            yield from _trigger(decl)
        case ast.ScoreDecl():
            yield 0, f"score {decl.name.text} = {expression_text(decl.value)}", decl.cites
        case ast.RankDecl():
            yield 0, f"rank by {expressions_text(decl.keys)}", decl.cites
        case ast.InvariantDecl():
            yield 0, f'always "{decl.text.value}": {expression_text(decl.condition)}', decl.cites
        case ast.ConserveDecl():
            yield 0, f"conserve {decl.piece.text}", decl.cites
        case ast.RulingDecl():
            yield 0, f'ruling §{decl.cite.id} "{decl.text.value}"', decl.cites
        case ast.ScenarioDecl():
            yield 0, f'scenario "{decl.title.value}"', decl.cites
            for line in decl.lines:
                yield 1, _scenario_line(line), ()
        case ast.ShowDecl():
            yield 0, "show", ()
            for hint in decl.hints:
                yield 1, _hint(hint), ()
        case ast.ErrorDecl():
            raise ValueError(f"a declaration was not read: {decl.keyword}")
        case _:
            yield from _change(decl)


def _change(decl: ast.Change) -> Iterator[Line]:
    match decl:
        case ast.ExtendType():
            yield 0, f"extend {decl.name.text}", decl.cites
            yield from _variants(decl.variants)
        case ast.ExtendBoard():
            yield 0, f"extend board {decl.name.text}", decl.cites
            yield from _board_lines(decl.holds, decl.attributes)
        case ast.ExtendChoose():
            yield 0, f"extend choose {_path(decl.path)}", decl.cites
            for case in decl.cases:
                yield from _case(case, 1)
        case ast.AddStep():
            head = f"{'before' if decl.before else 'after'} {_path(decl.path)} add {decl.name.text}"
            yield from _headed(0, head, decl.span.line, decl.cites, decl.body)
        case ast.ReplaceBody():
            yield from _headed(0, f"replace {_path(decl.path)}", decl.span.line, decl.cites, decl.body)
        case ast.Wrap():
            yield from _headed(0, f"wrap {_path(decl.path)}", decl.span.line, decl.cites, decl.body)
        case ast.ReplaceQuery():
            yield from _query_lines(f"replace {decl.name.text}({_names(decl.params)})", decl)
        case ast.ReplaceValues():
            yield 0, f"replace {decl.name.text}{_data(decl.value)}", decl.cites
        case ast.ReplaceType():
            yield 0, f"replace {decl.name.text}{_rows(decl.rows)}", decl.cites
            yield from _variants(decl.variants)
        case ast.Modify():
            value = expression_text(decl.value)
            condition = "" if decl.condition is None else f" if {expression_text(decl.condition)}"
            head = f"modify {decl.query.text}({_names(decl.params)}): {decl.op} {value}{condition}"
            yield 0, head, decl.cites
        case ast.WithModules():
            yield 0, f"with {_with(decl)}", decl.cites
            for inner in decl.decls:
                for depth, text, cites in _declaration(inner):
                    yield depth + 1, text, cites
        case _:
            assert_never(decl)


def _hint(hint: ast.Hint) -> str:
    text = "" if hint.text is None else f'"{hint.text.value}"'
    color = "" if hint.color is None else f" in {hint.color.text}"
    values = "" if hint.values is None else f"({', '.join(map(str, hint.values))})"
    shown = f"{hint.names[0].text}{values}"
    match hint.how:
        case "sign":
            return f"{shown} as {text}{color}"
        case "label":
            return f"{shown} called {text}"
        case "color":
            return f"{shown}{color}"
        case "leave_out":
            return f"leave out {_names(hint.names)}"
        case "order":
            return f"order {_names(hint.names)}"
        case _:
            return f"group {text}: {_names(hint.names)}"


def _rows(rows: ast.DataFrom | None) -> str:
    return "" if rows is None else f' from "{rows.file.value}"'


def _data(value: ast.ListLit | ast.DataFrom) -> str:
    return _rows(value) if isinstance(value, ast.DataFrom) else f" = {expression_text(value)}"


def _path(path: ast.Path) -> str:
    return ".".join(name.text for name in path.names)


def _with(decl: ast.WithModules) -> str:
    parts = [f"{'' if present else 'no '}{name.text}" for name, present in decl.modules]
    if decl.option is not None:
        parts.append(f"option {decl.option[0].text} is {decl.option[1].text}")
    return " and ".join(parts)


def _variants(variants: Iterable[ast.Variant]) -> Iterator[Line]:
    for variant in variants:
        values = "" if variant.values is None else f" ({expressions_text(variant.values)})"
        written = "" if variant.written is None else f' written "{variant.written.value}"'
        carries = "" if variant.carries is None else f" carries {_member(variant.carries)}"
        head = f"{variant.name.text}{params_text(variant.params)}{values}{written}{carries}"
        yield 1, head, variant.cites


def _board(board: ast.BoardDecl) -> Iterator[Line]:
    yield 0, f"board {board.name.text} square grid at most {board.across} across", board.cites
    yield from _board_lines(board.holds, board.attributes)


def _board_lines(lines: tuple[ast.BoardHolds, ...], attributes: tuple[ast.VarDecl, ...]) -> Iterator[Line]:
    for holds in lines:
        condition = expression_text(holds.condition)
        yield 1, f"on {condition} up to {holds.capacity} {holds.piece.text}", holds.cites
    if attributes:
        yield 1, "each space has", ()
        for attribute in attributes:
            yield 2, _var(attribute), attribute.cites


def _var(var: ast.VarDecl) -> str:
    initial = "" if var.initial is None else f" = {expression_text(var.initial)}"
    anew = "" if var.anew is None else f", anew each {var.anew.text}"
    return f"{var.name.text}: {type_text(var.type)}{initial}, {var.visibility}{anew}"


def _member(member: ast.VarDecl | ast.ZoneDecl | ast.TrackDecl) -> str:
    match member:
        case ast.VarDecl():
            return _var(member)
        case ast.ZoneDecl():
            capacity = "" if member.capacity is None else f"{expression_text(member.capacity, SUM)} "
            return f"{member.kind} {member.name.text} of {capacity}{member.piece.text}, {member.visibility}"
        case ast.TrackDecl():
            return f"track {member.name.text} of {expression_text(member.fields)}, {member.visibility}"
        case _:
            assert_never(member)


def _query(query: ast.QueryDecl) -> Iterator[Line]:
    yield from _query_lines(f"query {query.name.text}{params_text(query.params) or '()'}", query)


def _query_lines(head: str, query: ast.QueryDecl | ast.ReplaceQuery) -> Iterator[Line]:
    first = query.cases[0]
    if len(query.cases) == 1 and first.condition is None and not query.lets and _ids(first) == _ids(query):
        yield 0, f"{head} = {expression_text(first.value)}", query.cites
        return
    yield 0, head, query.cites
    for let in query.lets:
        yield 1, f"let {let.name.text} = {expression_text(let.value)}", let.cites
    for case in query.cases:
        value = expression_text(case.value)
        if case.condition is None:
            yield 1, f"otherwise {value}", case.cites
        else:
            yield 1, f"{value} if {expression_text(case.condition)}", case.cites


def _trigger(trigger: ast.TriggerDecl) -> Iterator[Line]:
    match trigger.event:
        case ast.Enters(var=var, pattern=what, zones=zones):
            kind = what.name.text if isinstance(what, ast.NamedType) else pattern_text(what)
            places = " or ".join(zone.text for zone in zones)
            event = f"when {var.text}: {kind} enters {places}"
        case ast.Gains(player=player, amount=amount, resource=resource):
            event = f"when {player.text} gains {amount.text} of {resource.text}"
        case ast.Whenever(condition=condition):
            event = f"whenever {expression_text(condition)}"
        case _:
            assert_never(trigger.event)
    guard = "" if trigger.guard is None else f" if {expression_text(trigger.guard)}"
    follows = f" follows {_names(trigger.follows)}" if trigger.follows else ""
    head = f"trigger {trigger.name.text} {event}{guard}{follows}"
    yield from _headed(0, head, trigger.span.line, trigger.cites, trigger.body)


def _scenario_line(line: ast.ScenarioLine) -> str:
    match line:
        case ast.GivenPlayers():
            return f"given {line.count} players"
        case ast.GivenSet():
            return f"given {expression_text(line.target)} = {expression_text(line.value)}"
        case ast.GivenPiece():
            owner = "" if line.owner is None else f" of {expression_text(line.owner)}"
            turned = "" if line.turned is None else f" turned {expression_text(line.turned)}"
            return f"given {expression_text(line.piece)}{owner} at {expression_text(line.at)}{turned}"
        case ast.BeginWith():
            return f"begin with {line.step.text}{_arguments(line.args)}"
        case ast.ScenarioMove():
            return f"move {line.player.text}: {line.decision.text}{_args(line.args)}"
        case ast.ScenarioChance():
            return f"chance {expression_text(line.source)}: {expression_text(line.value)}"
        case ast.ThenHolds():
            return f"then {expression_text(line.condition)}"
        case ast.ThenCan():
            can = "can" if line.can else "cannot"
            return f"then {line.player.text} {can} {line.decision.text}{_args(line.args)}"
        case ast.ThenOptions():
            values = expression_text(line.values)
            return f"then {line.player.text} chooses {line.decision.text} {line.arg.text} in {values}"
        case ast.ThenOver():
            return "then the game is over"
        case _:
            assert_never(line)


def _arguments(args: tuple[ast.Expr, ...]) -> str:
    return f"({expressions_text(args)})" if args else ""


def _args(args: tuple[ast.ScenarioArg, ...]) -> str:
    if not args:
        return ""
    return f"({', '.join(f'{arg.name.text} = {expression_text(arg.value)}' for arg in args)})"


# -------------------------------------------------------------------------------- statements


def _statements(body: Iterable[ast.Stmt], depth: int) -> Iterator[Line]:
    for stmt in body:
        yield from _statement(stmt, depth)


def _headed(
    depth: int, head: str, line: int, cites: tuple[ast.Cite, ...], body: tuple[ast.Stmt, ...]
) -> Iterator[Line]:
    """A head and its block, on one line if they were: `line` is where the head ends."""
    if len(body) == 1 and _on_one_line(line, cites, body[0]):
        yield depth, f"{head}: {_simple(body[0])}", cites
        return
    yield depth, head, cites
    yield from _statements(body, depth + 1)


def _on_one_line(line: int, cites: tuple[ast.Cite, ...], stmt: ast.Stmt) -> bool:
    if isinstance(stmt, _COMPOUND) or (isinstance(stmt, ast.Choose) and not stmt.short):
        return False
    return stmt.span.line == line and [cite.id for cite in cites] == _ids(stmt)


_COMPOUND = (
    ast.If,
    ast.WithPlayers,
    ast.WithOption,
    ast.ForEach,
    ast.EachPlayer,
    ast.AtOnce,
    ast.Rounds,
    ast.Repeat,
    ast.ErrorStmt,
)


def _ids(node: ast.Stmt | ast.QueryDecl | ast.ReplaceQuery | ast.QueryCase) -> list[str]:
    return [cite.id for cite in node.cites]


def _statement(stmt: ast.Stmt, depth: int) -> Iterator[Line]:
    line = stmt.span.line
    match stmt:
        case ast.If():
            yield from _if(stmt, depth, "if")
        case ast.WithPlayers():
            head = f"with {' or '.join(map(str, stmt.counts))} players"
            yield from _headed(depth, head, line, stmt.cites, stmt.body)
        case ast.WithOption():
            head = f"with option {stmt.option.text} is {stmt.value.text}"
            yield from _headed(depth, head, line, stmt.cites, stmt.body)
        case ast.ForEach():
            head = f"for each {stmt.var.text} in {expression_text(stmt.source)}"
            last: ast.Expr | ast.Name = stmt.source
            if stmt.chosen_by is not None and stmt.decision is not None:
                by = expression_text(stmt.chosen_by)
                head += f", in order chosen by {by} as {stmt.decision.text}"
                last = stmt.decision
            if stmt.ranked:
                head += f", by {', '.join(map(_rank_key, stmt.ranked))}"
                last = stmt.ranked[-1].value
            yield from _headed(depth, head, last.span.end_line, stmt.cites, stmt.body)
        case ast.EachPlayer():
            last = stmt.start if stmt.guard is None else stmt.guard
            yield from _headed(depth, _each_player(stmt), last.span.end_line, stmt.cites, stmt.body)
        case ast.AtOnce():
            yield depth, f"{stmt.how} {_each_player(stmt)}", stmt.cites
            yield from _statement(stmt.choose, depth + 1)
        case ast.Rounds():
            until = " until all pass" if stmt.until_pass else ""
            start = expression_text(stmt.start)
            head = f"rounds for {stmt.var.text} from {start}{_guard(stmt.guard)}{until}"
            last = stmt.start if stmt.guard is None else stmt.guard
            yield from _headed(depth, head, last.span.end_line, stmt.cites, stmt.body)
        case ast.Repeat(condition=None, times=None):
            yield from _headed(depth, "repeat", line, stmt.cites, stmt.body)
        case ast.Repeat(condition=condition, times=times):
            if condition is not None:
                head, last = f"repeat while {expression_text(condition)}", condition
            else:
                assert times is not None
                head, last = f"repeat {expression_text(times, SUM)} times", times
            yield from _headed(depth, head, last.span.end_line, stmt.cites, stmt.body)
        case ast.Choose(short=False):
            yield from _choose(stmt, depth)
        case ast.ErrorStmt():
            raise ValueError("a statement was not read")
        case _:
            yield depth, _simple(stmt), stmt.cites


def _each_player(stmt: ast.EachPlayer | ast.AtOnce) -> str:
    return f"each player {stmt.var.text} from {expression_text(stmt.start)}{_guard(stmt.guard)}"


def _guard(guard: ast.Expr | None) -> str:
    return "" if guard is None else f" if {expression_text(guard)}"


def _rank_key(key: ast.RankKey) -> str:
    return f"{expression_text(key.value)} {'falling' if key.falling else 'rising'}"


def _if(stmt: ast.If, depth: int, word: str) -> Iterator[Line]:
    line = stmt.condition.span.end_line
    head = f"{word} {expression_text(stmt.condition)}"
    yield from _headed(depth, head, line, stmt.cites, stmt.then)
    match stmt.otherwise:
        case ():
            return
        case (ast.If() as inner,):
            yield from _if(inner, depth, "else if")
        case (only,) if _on_one_line(line, stmt.cites, stmt.then[0]) and _on_one_line(
            only.span.line, only.cites, only
        ):
            yield depth, f"else: {_simple(only)}", only.cites
        case _:
            yield depth, "else", ()
            yield from _statements(stmt.otherwise, depth + 1)


def _choose(stmt: ast.Choose, depth: int) -> Iterator[Line]:
    yield depth, f"{_chooser(stmt)}choose {stmt.name.text}", stmt.cites
    for case in stmt.cases:
        yield from _case(case, depth + 1)
    if stmt.none is not None:
        yield depth + 1, "none", ()
        yield from _statements(stmt.none, depth + 2)
    if stmt.always:
        yield depth + 1, f"always {' '.join(f'§{cite.id}' for cite in stmt.always)}", ()
    if stmt.passing is not None:
        binders = stmt.passing.binders
        yield (
            depth + 1,
            f"pass ({', '.join(map(_binder, binders))})" if binders else "pass",
            stmt.passing.cites,
        )


def _case(case: ast.Case, depth: int) -> Iterator[Line]:
    label = "" if case.label is None else case.label.text
    binders = f"({', '.join(map(_binder, case.binders))})" if case.binders else ""
    move = "" if case.move is None else f" as {case.move.text}"
    # Without a label the parentheses stand apart, as those of no call.
    head = f"case {label}{binders}{move}{_guard(case.guard)}"
    line = case.span.line if case.guard is None else case.guard.span.end_line
    yield from _headed(depth, head, line, case.cites, case.body)


def _chooser(stmt: ast.Choose) -> str:
    return "" if stmt.chooser is None else f"{expression_text(stmt.chooser)}: "


def _binder(binder: ast.Binder) -> str:
    match binder:
        case ast.BindIn():
            return f"{'for ' if binder.hidden else ''}{binder.name.text} in {expression_text(binder.source)}"
        case ast.BindIs():
            return f"{binder.name.text} = {expression_text(binder.value)}"
        case _:
            assert_never(binder)


def _simple(stmt: ast.Stmt) -> str:
    """A statement without a block, and without its citations."""
    match stmt:
        case ast.Gain():
            up_to = "up to " if stmt.up_to else ""
            return f"gain {up_to}{expression_text(stmt.amount, SUM)} {stmt.resource.text}"
        case ast.Pay():
            return f"pay {expression_text(stmt.amount, SUM)} {stmt.resource.text}{_to(stmt.to)}"
        case ast.Put():
            return f"put {', '.join(map(item_text, stmt.items))} in {expression_text(stmt.zone)}"
        case ast.Take():
            return f"take {', '.join(map(item_text, stmt.items))} out of {expression_text(stmt.zone)}"
        case ast.Swap():
            old, new = expression_text(stmt.old), expression_text(stmt.new)
            return f"swap every {old} for {new} in {expression_text(stmt.zone)}"
        case ast.Move():
            turned = "" if stmt.turned is None else f" turned {expression_text(stmt.turned)}"
            under = " under" if stmt.under else ""
            piece, source = expression_text(stmt.piece), expression_text(stmt.source)
            return f"move {piece} from {source} to {expression_text(stmt.target)}{turned}{under}"
        case ast.Draw():
            amount = f"{'up to ' if stmt.up_to else ''}{expression_text(stmt.amount, SUM)}"
            return f"draw {amount} from {expression_text(stmt.source)} to {expression_text(stmt.target)}"
        case ast.Shuffle():
            return f"shuffle {expression_text(stmt.pile)}"
        case ast.Set():
            return f"set {expression_text(stmt.target)} to {expression_text(stmt.value)}"
        case ast.Add():
            return f"add {expression_text(stmt.value)} to {expression_text(stmt.target)}"
        case ast.Drop():
            return f"drop {expression_text(stmt.value)} from {expression_text(stmt.target)}"
        case ast.Reveal():
            return f"reveal {expression_text(stmt.value)}{_to(stmt.to)}"
        case ast.Look():
            return f"look at {expression_text(stmt.amount, SUM)} of {expression_text(stmt.zone)}"
        case ast.Eliminate():
            return f"eliminate {expression_text(stmt.player)}"
        case ast.Let():
            return f"let {stmt.name.text} = {expression_text(stmt.value)}"
        case ast.Do():
            return f"do {stmt.name.text}{_arguments(stmt.args)}"
        case ast.Stop():
            return "stop" if stmt.target is None else f"stop {stmt.target.text}"
        case ast.EndGame():
            return "end game"
        case ast.Original():
            return "original"
        case ast.Choose():
            binders = ", ".join(map(_binder, stmt.cases[0].binders))
            return f"{_chooser(stmt)}choose {stmt.name.text}({binders})"
        case ast.Chance():
            return f"chance {stmt.name.text}({stmt.var.text} in {expression_text(stmt.source)})"
        case _:
            raise ValueError(f"a statement with a block: {type(stmt).__name__}")


def _to(player: ast.Expr | None) -> str:
    return "" if player is None else f" to {expression_text(player)}"
