"""From the AST to the rulebook.

Purpose: resolves every name, types every expression, settles options and players.
Input: the `File` of a game, the ruleset's name and its options. Output: the `Rulebook`, or None when there is
an error, and the findings.
Invariants: all independent mistakes are reported in one run; what could not be read or typed is silent
afterwards. The same declarations give the same rulebook in any order, but for spans.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, has_errors, in_order
from conche.diagnostics.suggest import did_you_mean
from conche.semantics import rulebook as rb
from conche.semantics.anew import with_resets
from conche.semantics.check_components import cite_ids, declare_components
from conche.semantics.check_declarations import (
    check_action,
    check_board,
    check_conserve,
    check_initial,
    check_invariant,
    check_part,
    check_query,
    check_rank,
    check_score,
    check_step,
    find_misnamed,
)
from conche.semantics.check_hints import check_clashes, check_hints
from conche.semantics.check_scenarios import check_scenarios
from conche.semantics.check_signatures import declare_signatures, query_order
from conche.semantics.check_triggers import check_triggers, declare_triggers
from conche.semantics.copies import with_copies
from conche.semantics.option_parts import check_game_changes, scenarios_of, written_for
from conche.semantics.symbols import Context, Query, hint_of_values
from conche.semantics.typed_module import TypedGame
from conche.semantics.walk import walk
from conche.semantics.words import listed
from conche.source import Span
from conche.syntax import ast


def from_ast(
    file: ast.File, *, ruleset: str, options: Mapping[str, str]
) -> tuple[rb.Rulebook | None, list[Diagnostic]]:
    """The rulebook of one game file.

    `ruleset` is its name as a person writes it, without options; those of `options` that differ from their
    default are added to it. Findings come in the order of the file.
    """
    context = Context(options)
    rulebook = _type(context, file, ruleset, options)
    if rulebook is not None:
        rulebook = with_copies(with_resets(rulebook), context.diagnostics)
    return rulebook, in_order(context.diagnostics)


def type_game(file: ast.File) -> TypedGame | None:
    """A game as modules see it; None when it has errors, which `from_ast` finds."""
    context = Context({}, open_options=True)
    rulebook = _type(context, file, "", {})
    if rulebook is None or file.header is None:
        return None
    return TypedGame(file, context.globals, rulebook, file.header.version or "")


def _type(context: Context, file: ast.File, ruleset: str, options: Mapping[str, str]) -> rb.Rulebook | None:
    if file.header is not None and file.header.kind == "module":
        name = file.header.name
        context.report("C0241", f"'{name.text}' is a module, no game", name.span)
        return None
    check_game_changes(context, file.decls)
    declare_components(context, file)
    declare_signatures(context, file)
    _check_options(context, file, options)
    typed = _Typed(context, file)
    typed.check()
    unread = any(isinstance(node, ast.ErrorDecl | ast.ErrorStmt) for node in walk(file.decls))
    if file.header is None or unread or has_errors(context.diagnostics):
        return None
    return typed.rulebook(file.header, ruleset)


def _check_options(context: Context, file: ast.File, options: Mapping[str, str]) -> None:
    known = {s.name: s for s in context.globals.values.values() if isinstance(s, rb.Option)}
    for name, value in sorted(options.items()):
        option = known.get(name)
        if option is None:
            if name in context.globals.broken:
                continue
            title = f"the game has no option '{name}'"
            hint = did_you_mean(name, known) or (f"its options are {listed(known)}" if known else None)
        elif value not in option.values:
            title = f"the option '{name}' has no value '{value}'"
            hint = hint_of_values(option, value)
        else:
            continue
        context.diagnostics.append(diagnose("C0228", title, help=(hint,) if hint else ()))


class _Typed:
    """The typed declarations, gathered one after another."""

    def __init__(self, context: Context, file: ast.File) -> None:
        self.context = context
        self.file = file
        self.queries: dict[str, rb.Query] = {}
        self.steps: dict[str, rb.Step] = {}
        self.actions: dict[str, rb.Action] = {}
        self.triggers: dict[str, rb.Trigger] = {}
        self.scores: dict[str, rb.Score] = {}
        self.invariants: dict[str, rb.Invariant] = {}
        self.conserved: dict[str, rb.Conserve] = {}
        self.rulings: dict[str, rb.Ruling] = {}
        self.parts: dict[str, tuple[tuple[rb.Stmt, ...], Span, tuple[str, ...]]] = {}
        self.rank: rb.Rank | None = None
        self.scenarios: list[rb.Scenario] = []
        self.hints: list[rb.Hint] = []

    def check(self) -> None:
        globals_, context, decls = self.context.globals, self.context, self.file.decls
        for score in decls:
            if isinstance(score, ast.ScoreDecl):
                globals_.scores.setdefault(score.name.text, score.name.span)
        for name, board in self._boards():
            globals_.values[name] = globals_.board = board
        self._initials()
        self._queries()
        actions: dict[str, list[ast.ActionDecl]] = {}
        for decl in decls:
            match decl:
                case ast.StepDecl():
                    step = globals_.steps.get(decl.name.text)
                    if step is not None and step.span == decl.name.span:
                        self.steps[step.name] = check_step(context, decl, step)
                case ast.ActionDecl():
                    if decl.name.text in globals_.actions:
                        actions.setdefault(decl.name.text, []).append(decl)
                case ast.SetupDecl():
                    self._part("setup", decl)
                case ast.PlayDecl():
                    self._part("play", decl)
                case _:
                    pass
        find_misnamed(context, actions)
        for name, cases in actions.items():
            self.actions[name] = check_action(context, globals_.actions[name], cases)
        triggers = declare_triggers(context, [d for d in decls if isinstance(d, ast.TriggerDecl)])
        self.triggers = check_triggers(context, triggers)
        self._endings()
        shown = [hint for d in decls if isinstance(d, ast.ShowDecl) for hint in check_hints(context, d)]
        self.hints = check_clashes(context, shown)
        self._missing()
        written = scenarios_of(context, decls)
        typed = check_scenarios(context, [decl for decl, _ in written])
        self.scenarios = [replace(one, options=o) for one, (_, o) in zip(typed, written, strict=True)]

    def _queries(self) -> None:
        globals_ = self.context.globals
        decls: dict[str, ast.QueryDecl] = {}
        for decl in self.file.decls:
            if isinstance(decl, ast.QueryDecl):
                symbol = globals_.values.get(decl.name.text)
                if isinstance(symbol, Query) and symbol.span == decl.name.span:
                    decls[decl.name.text] = decl
        for name in query_order(self.context, decls):
            symbol = globals_.values[name]
            if isinstance(symbol, Query):
                self.queries[name] = check_query(self.context, decls[name], symbol)

    def _boards(self) -> list[tuple[str, rb.Board]]:
        board = self.context.globals.board
        return [
            (decl.name.text, check_board(self.context, decl, board))
            for decl in self.file.decls
            if board is not None and isinstance(decl, ast.BoardDecl) and decl.name.span == board.span
        ]

    def _initials(self) -> None:
        """First values: typed when all components are declared, for they may name seats, members and
        kinds."""
        globals_ = self.context.globals
        for decl in self.file.decls:
            match decl:
                case ast.VarDecl():
                    symbol = globals_.values.get(decl.name.text)
                    if isinstance(symbol, rb.Var) and symbol.span == decl.name.span:
                        globals_.values[symbol.name] = check_initial(self.context, decl, symbol)
                case ast.EachPlayerHas():
                    for member in decl.members:
                        found = globals_.player.get(member.name.text)
                        if isinstance(member, ast.VarDecl) and isinstance(found, rb.Var):
                            globals_.player[found.name] = check_initial(self.context, member, found)
                case ast.EachKindHas():
                    for variable in decl.members:
                        known = globals_.kind.get(variable.name.text)
                        if known is not None and known.span == variable.name.span:
                            globals_.kind[known.name] = check_initial(self.context, variable, known)
                case ast.BoardDecl():
                    for attribute in decl.attributes:
                        var = globals_.space.get(attribute.name.text)
                        if var is not None and var.span == attribute.name.span:
                            globals_.space[var.name] = check_initial(self.context, attribute, var)
                case _:
                    pass

    def _part(self, role: str, decl: ast.SetupDecl | ast.PlayDecl) -> None:
        if role in self.parts:
            self.context.duplicate("the part", role, decl.span, self.parts[role][1])
            check_part(self.context, role, decl.body)
            return
        self.parts[role] = (check_part(self.context, role, decl.body), decl.span, cite_ids(decl.cites))

    def _endings(self) -> None:
        context = self.context
        for decl in self.file.decls:
            match decl:
                case ast.ScoreDecl():
                    score = check_score(context, decl)
                    if score.name in self.scores:
                        first = self.context.globals.scores[score.name]
                        context.duplicate("the score", score.name, decl.name.span, first)
                    self.scores.setdefault(score.name, score)
                case ast.RankDecl():
                    rank = check_rank(context, decl)
                    if self.rank is not None:
                        context.duplicate("the ranking", "rank by", decl.span, self.rank.span)
                    self.rank = self.rank or rank
                case ast.InvariantDecl():
                    text = decl.text.value
                    if text in self.invariants:
                        context.duplicate("the text", text, decl.text.span, self.invariants[text].span)
                    self.invariants.setdefault(text, check_invariant(context, decl))
                case ast.ConserveDecl():
                    conserve = check_conserve(context, decl)
                    if conserve is not None and conserve.piece in self.conserved:
                        earlier = self.conserved[conserve.piece]
                        context.duplicate("'conserve' of", conserve.piece, decl.piece.span, earlier.span)
                    elif conserve is not None:
                        self.conserved[conserve.piece] = conserve
                case ast.RulingDecl():
                    ruling = rb.Ruling(decl.cite.id, decl.text.value, decl.span)
                    if ruling.id in self.rulings:
                        earlier_span = self.rulings[ruling.id].span
                        context.duplicate("the ruling", f"§{ruling.id}", decl.cite.span, earlier_span)
                    self.rulings.setdefault(ruling.id, ruling)
                case _:
                    pass

    def _missing(self) -> None:
        header = self.file.header
        broken = self.context.globals.broken_keywords
        if header is None:
            return
        if "play" not in self.parts and "play" not in broken:
            self.context.report(
                "C0222",
                f"the game '{header.name.text}' does not say how it is played",
                header.name.span,
                help=("add a part `play` with the turns of the players",),
            )
        if self.rank is None and "rank" not in broken:
            self.context.report(
                "C0222",
                f"the game '{header.name.text}' does not say who wins",
                header.name.span,
                help=("add a line `rank by total`",),
            )

    def rulebook(self, header: ast.Header, ruleset: str) -> rb.Rulebook:
        globals_ = self.context.globals
        values = globals_.values.values()
        every = [
            *values,
            *globals_.player.values(),
            *globals_.carried.values(),
            *globals_.kind.values(),
        ]
        if self.rank is None:
            raise AssertionError("a rulebook without a ranking")
        board = globals_.board
        if board is not None:
            board = replace(board, attributes=tuple(var for _, var in sorted(globals_.space.items())))
        options = {s.name: s for s in values if isinstance(s, rb.Option)}
        chosen = [f"{o.name}={o.value}" for _, o in sorted(options.items()) if o.value != o.default]
        setup, setup_span, setup_cites = self.parts.get("setup", ((), header.span, ()))
        play, play_span, play_cites = self.parts["play"]
        return rb.Rulebook(
            ruleset=":".join([ruleset, *([",".join(chosen)] if chosen else [])]),
            game=header.name.text,
            title=header.title.value,
            versions=((header.name.text, header.version or ""),),
            players=globals_.players,
            seats=globals_.seats,
            clauses_file=header.clauses.value if header.clauses else None,
            options=dict(sorted(options.items())),
            enums={n: t for n, t in sorted(globals_.types.items()) if isinstance(t, rb.Enum)},
            pieces={n: t for n, t in sorted(globals_.types.items()) if isinstance(t, rb.PieceType)},
            tables={s.name: s for s in sorted(values, key=_name) if isinstance(s, rb.Table)},
            boards={board.name: board} if board is not None else {},
            zones={s.name: s for s in sorted(every, key=_name) if isinstance(s, rb.Zone)},
            tracks={s.name: s for s in sorted(every, key=_name) if isinstance(s, rb.Track)},
            variables={s.name: s for s in sorted(every, key=_name) if isinstance(s, rb.Var)},
            setup=setup,
            setup_span=setup_span,
            setup_cites=setup_cites,
            play=play,
            play_span=play_span,
            play_cites=play_cites,
            steps=dict(sorted(self.steps.items())),
            actions={name: _sorted_cases(globals_, action) for name, action in sorted(self.actions.items())},
            queries=dict(sorted(self.queries.items())),
            triggers=self.triggers,
            scores=dict(sorted(self.scores.items())),
            rank=self.rank,
            invariants=dict(sorted(self.invariants.items())),
            conserved=dict(sorted(self.conserved.items())),
            rulings=dict(sorted(self.rulings.items())),
            scenarios=tuple(one for one in self.scenarios if written_for(one.options, options)),
            other_scenarios=tuple(one for one in self.scenarios if not written_for(one.options, options)),
            hints=tuple(self.hints),
        )


def _name(symbol: object) -> str:
    name = getattr(symbol, "name", "")
    return name if isinstance(name, str) else ""


def _sorted_cases(globals_: object, action: rb.Action) -> rb.Action:
    """Disjoint cases in the order of their labels, so that the order of declarations does not matter."""
    return replace(action, cases=tuple(sorted(action.cases, key=lambda case: case.label)))
