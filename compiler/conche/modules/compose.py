"""Composing: a game, modules and options become one closed rulebook.

Purpose: lays the changes of modules over the typed game (docs/decisions/0005-modules.md). Nothing is typed
again but what depends on what all modules are: ranges of numbers, sure choices, complete actions, the order
of triggers.
Input: a `TypedGame`, `TypedModule`s, options. Output: the `Rulebook`, or None when there is an error, and
findings.
Invariants: the same rulebook in whatever order modules are named; without modules the one that the game alone
has. Findings are about the combination; those of a module are the module's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, assert_never

from conche.diagnostics.codes import diagnose
from conche.diagnostics.lists import in_a_row
from conche.diagnostics.model import Diagnostic, Label, has_errors
from conche.diagnostics.suggest import did_you_mean
from conche.modules.commute import Order
from conche.modules.draft import Draft
from conche.modules.finish import finish, settled
from conche.modules.layers import Layers
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.anew import with_resets
from conche.semantics.copies import with_copies
from conche.semantics.option_parts import written_for
from conche.semantics.symbols import hint_of_values
from conche.semantics.words import listed

N = TypeVar("N")


def compose(
    game: tm.TypedGame,
    modules: Sequence[tm.TypedModule],
    options: Mapping[str, str],
    *,
    written: Mapping[str, str] | None = None,
) -> tuple[rb.Rulebook | None, list[Diagnostic]]:
    """The rulebook of a ruleset. `written`: how a person names the game and modules, where that differs from
    their names (paths)."""
    found: list[Diagnostic] = []
    modules = sorted(modules, key=lambda module: module.name)
    found += check_fit(game, modules)
    if has_errors(found):
        return None, found
    order = Order(modules, found)
    chosen = _options(game, modules, options, found)
    if has_errors(found):
        return None, found
    names = frozenset(module.name for module in modules)
    found += _without_effect(game, modules, options, names, chosen)
    if has_errors(found):
        return None, found
    draft = Draft.of(game)
    changes: list[tm.Change] = []
    for module in modules:
        if module.players is not None:
            low, high = max(draft.players[0], module.players[0]), min(draft.players[1], module.players[1])
            draft.players = (low, high)
    for name in order.names:
        module = next(m for m in modules if m.name == name)
        for own in module.own:
            if own.condition.holds(names, chosen):
                draft.add(own, name)
        changes += [change for change in module.changes if change.condition.holds(names, chosen)]
    Layers(draft, changes, order, draft.found).lay()
    found += draft.found
    if has_errors(found):
        return None, found
    finish(draft, game, chosen, [module.name for module in modules])
    found += [finding for finding in draft.found if finding not in found]
    if has_errors(found):
        return None, found
    rulebook = with_copies(with_resets(_rulebook(draft, game, modules, chosen, written or {})), found)
    return (None if has_errors(found) else rulebook), found


# ------------------------------------------------------------------------------------------ do they fit


def check_fit(game: tm.TypedGame, modules: Sequence[tm.TypedModule]) -> list[Diagnostic]:
    """Why these modules cannot be in play together: what they say about each other, the game, its version and
    the number of players."""
    found: list[Diagnostic] = []
    low, high = game.rulebook.players
    present = {module.name: module for module in modules}
    apart = {name for module in modules for name in _apart(module, present)}
    for module in modules:
        missing = [required for required in module.requires if required.text not in present]
        if missing and module.name not in apart:
            names = [required.text for required in missing]
            found.append(
                diagnose(
                    "C0238",
                    f"the module '{module.name}' requires {listed(names)},"
                    f" which {'is' if len(names) == 1 else 'are'} not in play",
                    *(Label(required.span) for required in missing),
                    help=(f"add `+{'+'.join(names)}` to the ruleset",),
                )
            )
        found += [
            diagnose(
                "C0238",
                f"the modules '{module.name}' and '{excluded.text}' exclude each other",
                Label(excluded.span, "said here"),
                help=("leave one of them out",),
            )
            for excluded in module.excludes
            if excluded.text in present
        ]
        if module.players is not None:
            before, (low, high) = (low, high), (max(low, module.players[0]), min(high, module.players[1]))
            if before[0] <= before[1] and low > high:
                found.append(
                    diagnose(
                        "C0238",
                        f"with the module '{module.name}' there is no number of players left",
                        Label(module.span),
                        notes=(f"it is for {_players(module.players)}, all else for {_players(before)}",),
                        help=("leave one of the modules out",),
                    )
                )
    return found


def _apart(module: tm.TypedModule, present: Collection[str]) -> Iterator[str]:
    """The module and one that it excludes: which of them is left out decides what else is missing."""
    for excluded in module.excludes:
        if excluded.text in present:
            yield from (module.name, excluded.text)


def _players(players: tuple[int, int]) -> str:
    low, high = players
    return str(low) if low == high else f"{low} to {high}"


def _options(
    game: tm.TypedGame,
    modules: Sequence[tm.TypedModule],
    given: Mapping[str, str],
    found: list[Diagnostic],
) -> dict[str, str]:
    """The value of every option that exists, in whatever part of a module it is declared."""
    known: dict[str, rb.Option] = dict(game.rulebook.options)
    for module in modules:
        for own in module.own:
            if isinstance(own.node, rb.Option):
                known.setdefault(own.node.name, own.node)
    for name, value in sorted(given.items()):
        option = known.get(name)
        if option is None:
            title = f"neither the game nor its modules have an option '{name}'"
            hint = did_you_mean(name, known) or (
                f"the options are {listed(sorted(known))}" if known else None
            )
        elif value not in option.values:
            title = f"the option '{name}' has no value '{value}'"
            hint = hint_of_values(option, value)
        else:
            continue
        found.append(diagnose("C0228", title, help=(hint,) if hint else ()))
    return {name: given.get(name, option.default) for name, option in known.items()}


def _without_effect(
    game: tm.TypedGame,
    modules: Sequence[tm.TypedModule],
    given: Mapping[str, str],
    names: Collection[str],
    values: Mapping[str, str],
) -> list[Diagnostic]:
    """The options that a ruleset gives a value, declared only in parts that do not count in it."""
    conditions: dict[str, list[tm.Condition]] = {}
    for module in modules:
        for own in module.own:
            if isinstance(own.node, rb.Option) and own.node.name in given:
                conditions.setdefault(own.node.name, []).append(own.condition)
    return [
        diagnose(
            "C0228",
            f"there is an option '{name}' only {listed([str(one) for one in needed], 'or')}",
            help=("leave the option out",),
        )
        for name, needed in sorted(conditions.items())
        if name not in game.rulebook.options and not any(one.holds(names, values) for one in needed)
    ]


# ------------------------------------------------------------------------------------------ the rulebook


def _rulebook(
    draft: Draft,
    game: tm.TypedGame,
    modules: Sequence[tm.TypedModule],
    values: Mapping[str, str],
    written: Mapping[str, str],
) -> rb.Rulebook:
    book = game.rulebook
    options = {n: replace(o, value=values[n]) for n, o in sorted(draft.options.items())}
    chosen = [f"{o.name}={o.value}" for o in options.values() if o.value != o.default]
    parts = [written.get(name, name) for name in (book.game, *(module.name for module in modules))]
    here, others = _scenarios(game, modules, options, draft.eliminates)
    title = book.title
    if modules:
        title += f" with {in_a_row([module.title for module in modules])}"
    return replace(
        book,
        ruleset=":".join(["+".join(parts), *([",".join(chosen)] if chosen else [])]),
        title=title,
        versions=(*book.versions, *((module.name, module.version) for module in modules)),
        players=draft.players,
        options=options,
        enums=_sorted(draft.enums),
        pieces=_sorted(draft.pieces),
        tables=_sorted(draft.tables),
        boards=_sorted(draft.boards),
        zones=_sorted(draft.zones),
        tracks=_sorted(draft.tracks),
        variables=_sorted(draft.variables),
        setup=draft.parts["setup"],
        play=draft.parts["play"],
        steps=_sorted(draft.steps),
        actions=_sorted(draft.actions),
        queries=_sorted(draft.queries),
        triggers=_sorted(draft.triggers),
        scores=_sorted(draft.scores),
        rank=draft.rank,
        invariants=_sorted(draft.invariants),
        conserved=_sorted(draft.conserved),
        rulings=_sorted(draft.rulings),
        scenarios=here,
        other_scenarios=others,
        modified=tuple(map(_modified, draft.changes)),
        hints=tuple(draft.hints),
    )


def _modified(change: tm.Change) -> rb.Modified:
    edit = change.edit
    choice = edit.name if isinstance(edit, tm.ExtendChoose) else None
    match edit:
        case tm.AddStep(before=before):
            how = "before" if before else "after"
        case tm.ReplaceBody() | tm.ReplaceAnswer() | tm.ReplaceType() | tm.ReplaceTable():
            how = "replace"
        case tm.Wrap():
            how = "wrap"
        case tm.Modify(op=op):
            how = op
        case tm.ExtendType() | tm.ExtendBoard() | tm.ExtendChoose():
            how = "extend"
        case _:
            assert_never(edit)
    return rb.Modified(change.module, edit.place, how, change.span, choice)


def _sorted(declared: Mapping[str, N]) -> dict[str, N]:
    return dict(sorted(declared.items()))


def _scenarios(
    game: tm.TypedGame,
    modules: Sequence[tm.TypedModule],
    options: Mapping[str, rb.Option],
    eliminates: bool,
) -> tuple[tuple[rb.Scenario, ...], tuple[rb.Scenario, ...]]:
    """Those that were written for just this ruleset: the game's for the game alone, a module's for it and
    what it requires, those in a `with` for the modules and options that it names too. And the others, as far
    as all that they speak of is there."""
    names = frozenset(module.name for module in modules)
    by_name = {module.name: module for module in modules}
    values = {name: option.value for name, option in options.items()}
    every = [(scenario, frozenset[str]()) for scenario in _all_of(game.rulebook)]
    for module in modules:
        for scenario, condition in module.scenarios:
            if condition.holds(names, values):
                meant = _meant(module, condition, by_name)
                every.append((replace(scenario, options=condition.options), meant))
    here: list[rb.Scenario] = []
    others: list[rb.Scenario] = []
    for open_scenario, meant in every:
        scenario = settled(open_scenario, values, eliminates=eliminates)
        (here if meant == names and written_for(scenario.options, options) else others).append(scenario)
    return tuple(here), tuple(others)


def _all_of(book: rb.Rulebook) -> list[rb.Scenario]:
    """In the order of the text."""
    return sorted((*book.scenarios, *book.other_scenarios), key=lambda scenario: scenario.span)


def _meant(
    module: tm.TypedModule, condition: tm.Condition, by_name: Mapping[str, tm.TypedModule]
) -> frozenset[str]:
    """The modules that a scenario of a module is for."""
    meant: set[str] = set()
    waiting = [module.name, *(name for name, present in condition.modules if present)]
    while waiting:
        name = waiting.pop()
        if name not in meant and name in by_name:
            meant.add(name)
            waiting += [required.text for required in by_name[name].requires]
    return frozenset(meant)
