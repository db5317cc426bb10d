"""From the AST of a module to a typed module.

Purpose: types each of a module's declarations and changes once.
Input: the `File` of a module, the typed game, and a way to find other modules. Output: the `TypedModule`, or
None when there is an error, and the findings.
Invariants: the findings are those of this file alone; whatever is combined later, they are not repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conche.diagnostics.model import Diagnostic, Fix, Label, has_errors, in_order
from conche.diagnostics.suggest import closest, did_you_mean, is_slip
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.check_components import ANYTHING
from conche.semantics.check_declarations import STOP, as_pattern
from conche.semantics.check_scenarios import check_scenarios
from conche.semantics.module_part import Part
from conche.semantics.module_scope import Scope, closure, declare, game_scope, parts_of
from conche.semantics.option_parts import check_option
from conche.semantics.other_modules import FindModule, declared_if, who_has
from conche.semantics.symbols import Context
from conche.semantics.types import EnumT
from conche.semantics.walk import walk
from conche.semantics.words import listed
from conche.source import Span
from conche.syntax import ast


def module_from_ast(
    file: ast.File, game: tm.TypedGame, find: FindModule
) -> tuple[tm.TypedModule | None, list[Diagnostic]]:
    """The module of one file, typed over a game. `find` gives the files of other modules of the game."""
    header = file.header
    if header is None:
        return None, []
    typing = _Module(file, header, game, find)
    module = typing.module() if typing.fits() else None
    unread = any(isinstance(node, ast.ErrorDecl | ast.ErrorStmt) for node in walk(file.decls))
    found = in_order(list(dict.fromkeys(typing.found)))
    return (None if unread or has_errors(found) else module), found


class _Module:
    def __init__(self, file: ast.File, header: ast.Header, game: tm.TypedGame, find: FindModule) -> None:
        self.file = file
        self.header = header
        self.name = header.name.text
        self.game = game
        self.find = find
        self.found: list[Diagnostic] = []
        self.own: list[tm.Own] = []
        self.changes: list[tm.Change] = []
        self.scenarios: list[tuple[rb.Scenario, tm.Condition]] = []
        self.numbers = [0]
        self.lost = False
        """Whether a module that is required does not exist."""

    def fits(self) -> bool:
        """Whether the module is for this game: of another one, nothing else that is found would help."""
        header, book = self.header, self.game.rulebook
        base, version = header.base, header.base_version or ""
        if base is None:
            return True
        hint = None
        if base.text != book.game:
            title = f"the module '{self.name}' is for the game '{base.text}', not for '{book.game}'"
        elif not _version_fits(self.game.version, version):
            have = self.game.version or "a game without a version"
            title = f"the module '{self.name}' is for version {version} of '{base.text}', and this is {have}"
            if self.game.version:
                hint = f"if it fits this version too, write `for {base.text} {have.split('.')[0]}.x`"
        else:
            return True
        slip = is_slip(base.text, book.game) and base.text != book.game
        fixes = [Fix(base.span, book.game, f"write '{book.game}'")] if slip else []
        self._context().report("C0238", title, base.span, help=(hint,), fixes=fixes)
        return False

    def module(self) -> tm.TypedModule:
        header = self.header
        self._check_header()
        parts = parts_of(self.file.decls)
        required = closure(frozenset(name.text for name in header.requires), self.find)
        bare = game_scope(self.game)
        scopes: dict[tm.Condition, Scope] = {}
        for condition, decls in parts.items():
            present = frozenset(name for name, in_play in condition.modules if in_play)
            modules = closure(required | present, self.find) - {self.name}
            top = scopes.get(tm.Condition())
            scope = (top or bare).grown(condition, modules)
            if self.lost:
                scope.context.globals.unsure.update(ANYTHING)
            known = frozenset({*modules, self.name})
            scope.context.elsewhere = lambda name, known=known, here=condition: (  # type: ignore[misc]
                declared_if(name, parts, here) or who_has(name, self.find, known)
            )
            self._declare_others(scope, modules - (top.modules if top else frozenset()), modules)
            for earlier, seen in parts.items():
                if earlier not in (condition, tm.Condition()) and condition.implies(earlier):
                    self._declare_quietly(scope, seen)
            self._part(scope, decls)
            scopes[condition] = scope
        for condition, decls in parts.items():
            self._scenarios(condition, decls, parts, scopes)
        self._check_options(scopes)
        self._check_complete(scopes)
        return tm.TypedModule(
            name=self.name,
            title=header.title.value,
            base=header.base.text if header.base else "",
            base_version=header.base_version or "",
            version=header.version or "",
            players=header.players,
            clauses_file=header.clauses.value if header.clauses else None,
            requires=header.requires,
            excludes=header.excludes,
            follows=header.follows,
            own=tuple(self.own),
            changes=tuple(self.changes),
            scenarios=tuple(self.scenarios),
            file=self.file,
            span=header.name.span,
            base_span=header.base.span if header.base else header.name.span,
            mentions=frozenset(name for condition in parts for name, _ in condition.modules),
        )

    # ---------------------------------------------------------------------------------------------- header

    def _check_header(self) -> None:
        context = self._context()
        header = self.header
        names = [*header.requires, *header.excludes, *header.follows]
        for node in walk(self.file.decls):
            if isinstance(node, ast.WithModules):
                names += [name for name, _ in node.modules]
        known = self.known()
        for name in names:
            if name.text == self.name:
                context.report(
                    "C0238", f"the module '{self.name}' speaks of itself", name.span, help=("leave it out",)
                )
                continue
            if self.find(name.text) is not None:
                continue
            why = self.find.why_not(name.text) if name.text in known else None
            if why is not None:
                # Where the file says what it is; it is the same finding wherever it is spoken of.
                labels = why.labels or (Label(name.span),)
                self.found.append(replace(why, labels=labels, missing=f"module {name.text}"))
            else:
                near = closest(name.text, known, 1)
                slip = bool(near) and is_slip(name.text, near[0])
                context.report(
                    "C0242",
                    f"there is no module '{name.text}'",
                    name.span,
                    help=(did_you_mean(name.text, known) or self._beside(known),),
                    fixes=[Fix(name.span, near[0], f"write '{near[0]}'")] if slip else [],
                    missing=f"module {name.text}",
                )
            if name in header.requires:
                # What it has is not known here, and is no mistake of its own.
                self.lost = True
        if header.seats:
            context.report(
                "C0243", "the seats are named by the game", header.seats[0].span, help=("leave them out",)
            )
        low, high = self.game.globals.players
        if header.players is not None:
            least, most = header.players
            if not low <= least <= most <= high:
                context.report(
                    "C0221", f"the game is for {low} to {high} players, not {least} to {most}", header.span
                )
        for part in self.file.decls:
            if isinstance(part, ast.SetupDecl | ast.PlayDecl | ast.RankDecl | ast.BoardDecl):
                context.report(
                    "C0243",
                    "this is said by the game, and a module changes it",
                    part.span,
                    help=(_instead(part),),
                )

    def _check_options(self, scopes: dict[tm.Condition, Scope]) -> None:
        """The options that parts name are known in some part."""
        symbols = (symbol for scope in scopes.values() for symbol in scope.context.globals.values.values())
        known = {symbol.name: symbol for symbol in symbols if isinstance(symbol, rb.Option)}
        context = self._context()
        context.elsewhere = lambda name: who_has(name, self.find, {self.name})
        for part in walk(self.file.decls):
            if isinstance(part, ast.WithModules):
                check_option(context, part, known)

    def known(self) -> list[str]:
        """The modules that can be named in a hint."""
        return [name for name in self.find.names() if name != self.name]

    def _beside(self, known: Sequence[str]) -> str:
        modules = [name for name in known if self.find(name) is not None]
        there = f"beside the game lie {listed(modules)}" if modules else "beside the game lies no other"
        return f"{there}; one that lies elsewhere is known where the ruleset names it too"

    def _context(self) -> Context:
        context = Context({}, open_options=True)
        context.diagnostics = self.found
        return context

    # ------------------------------------------------------------------------------------------ other parts

    def _declare_others(self, scope: Scope, names: frozenset[str], known: frozenset[str]) -> None:
        """Other modules, as far as it is known that their parts count."""
        facts = tm.Condition(tuple(sorted((name, True) for name in known)), scope.condition.options)
        for name in sorted(names):
            file = self.find(name)
            if file is None:
                continue
            for condition, decls in parts_of(file.decls).items():
                if facts.implies(condition):
                    self._declare_quietly(scope, decls)

    def _declare_quietly(self, scope: Scope, decls: list[ast.Decl]) -> None:
        """Declares and types what was or will be reported elsewhere."""
        context = scope.context
        kept, context.diagnostics = context.diagnostics, []
        declare(scope, decls)
        typed = Part(self.name, scope, decls, self.numbers)
        typed.queries()
        typed.bodies()
        typed.decisions()
        context.diagnostics = kept

    # ------------------------------------------------------------------------------------------- this part

    def _part(self, scope: Scope, decls: list[ast.Decl]) -> None:
        scope.context.diagnostics = []
        scope.triggers.clear()
        declare(scope, decls)
        part = Part(self.name, scope, decls, self.numbers)
        self.own += [tm.Own(node, scope.condition) for node in part.components()]
        self.own += [tm.Own(node, scope.condition) for node in part.queries()]
        self.own += [tm.Own(node, scope.condition) for node in part.bodies()]
        self.own += part.endings()
        self.changes += part.changes()
        self.found += scope.context.diagnostics

    def _scenarios(
        self,
        condition: tm.Condition,
        decls: list[ast.Decl],
        parts: Mapping[tm.Condition, list[ast.Decl]],
        scopes: Mapping[tm.Condition, Scope],
    ) -> None:
        """The scenarios of a part. They are played with what it names and no more, so that they may also
        speak of what holds only then: in parts for the default of an option, or without a module."""
        scenarios = [decl for decl in decls if isinstance(decl, ast.ScenarioDecl)]
        if not scenarios:
            return
        scope, needed = scopes[condition], condition
        scope.context.diagnostics = []
        typed = check_scenarios(scope.context, scenarios)
        if has_errors(scope.context.diagnostics):
            fuller, more = self._played_in(scope, parts, scopes)
            again = check_scenarios(fuller.context, scenarios)
            if more != tm.Condition() and len(fuller.context.diagnostics) < len(scope.context.diagnostics):
                scope, needed, typed = fuller, condition.and_(more), again
        self.scenarios += [(found, needed) for found in typed]
        self.found += scope.context.diagnostics

    def _played_in(
        self,
        scope: Scope,
        parts: Mapping[tm.Condition, list[ast.Decl]],
        scopes: Mapping[tm.Condition, Scope],
    ) -> tuple[Scope, tm.Condition]:
        """The scope of the ruleset that scenarios of a part are played in, and the conditions of what it has
        more than the part sees."""
        symbols = (symbol for one in scopes.values() for symbol in one.context.globals.values.values())
        defaults = {option.name: option.default for option in symbols if isinstance(option, rb.Option)}
        values = defaults | dict(scope.condition.options)
        names = frozenset({*scope.modules, self.name})
        facts = tm.Condition(tuple(sorted((name, True) for name in names)), scope.condition.options)
        fuller = scope.grown(scope.condition, scope.modules)
        fuller.context.elsewhere = scope.context.elsewhere
        more = tm.Condition()
        others = {name: self.find(name) for name in sorted(scope.modules)}
        every = [(facts, parts_of(file.decls)) for file in others.values() if file is not None]
        for known, found in [*every, (scope.condition, parts)]:
            for condition, decls in found.items():
                if not known.implies(condition) and condition.holds(names, values):
                    more = more.and_(condition)
                    self._declare_quietly(fuller, decls)
        return fuller, more

    def _check_complete(self, scopes: dict[tm.Condition, Scope]) -> None:
        """Every action says what happens with the kinds that this module brings."""
        context = self._context()
        for scope in scopes.values():
            globals_ = scope.context.globals
            for name, action in globals_.actions.items():
                if action.of is None or name in globals_.broken:
                    continue
                of = action.of.name if isinstance(action.of, EnumT) else action.of.piece
                declared = globals_.types[of]
                kinds = declared.members if isinstance(declared, rb.Enum) else declared.kinds
                told = {kind for case in scope.bodies.actions.get(name, {}).values() for kind in case.kinds}
                missing = [k for k in kinds if k.name not in told and k.span.file == self.file.name]
                if not missing or of in globals_.broken:
                    continue
                first = missing[0]
                families = list(dict.fromkeys(kind.family for kind in missing))
                own = [decl for decl in walk(self.file.decls) if isinstance(decl, ast.ActionDecl)]
                if any(d.name.text == name and d.pattern.name.text not in globals_.values for d in own):
                    continue  # of which kind it tells there is misspelt
                also: list[tuple[Span, str]] = [(action.span, "the action")]
                fixes: list[Fix] = []
                told_of = {decl.pattern.name.text for decl in own if _nearly(decl, name)}
                if set(families) <= told_of:
                    near = [decl.name.span for decl in own if _nearly(decl, name)]
                    also += [(span, f"did you mean '{name}'?") for span in near]
                    fixes = [Fix(span, name, f"write '{name}'") for span in near]
                context.report(
                    "C0218",
                    f"'{name}' does not say what happens with {listed(families)}",
                    first.span,
                    also=also,
                    help=(
                        None
                        if fixes
                        else f"add `action {name}({as_pattern(scope.context, families[0])})`, {STOP}",
                    ),
                    fixes=fixes,
                )
            if not scope.condition.modules and not scope.condition.options and self.found:
                break


def _nearly(decl: ast.ActionDecl, name: str) -> bool:
    """Whether an action is called nearly so."""
    return decl.name.text != name and is_slip(decl.name.text, name)


def _version_fits(version: str, wanted: str) -> bool:
    """`1.x` fits all that begin with `1.`"""
    parts, have = wanted.split("."), version.split(".")
    for place, part in enumerate(parts):
        if part == "x":
            return True
        if place >= len(have) or have[place] != part:
            return False
    return True


def _instead(part: ast.Decl) -> str:
    match part:
        case ast.SetupDecl() | ast.PlayDecl():
            return "write `before STEP add NAME` or `after STEP add NAME` for one of its steps"
        case ast.BoardDecl():
            return "write `extend board NAME`"
        case _:
            return "change a score or a query"
