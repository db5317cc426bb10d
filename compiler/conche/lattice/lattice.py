"""The lattice of a game: the game, its modules, and all their legal combinations.

Purpose: finds the modules and types each file once; everything else here composes what this gives.
Input: the name of a ruleset, `cacao` or `cacao+./mine.rules`. Output: an `Opened`.
Invariants: the modules are those beside the game and those that the ruleset names; the combinations are those
that have all that it names. Options that the ruleset
gives a value keep it. A `Lattice` can be sent to another process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, in_order
from conche.diagnostics.suggest import did_you_mean
from conche.lattice.combinations import (
    MOST_MODULES,
    Combination,
    declared_options,
    legal_combinations,
    options_of,
)
from conche.modules.compose import compose
from conche.modules.library import Library, Read, parsed, typed_game
from conche.modules.load import all_options, load_source, open_game, type_modules
from conche.modules.parse_ruleset import Part, Ruleset, parse_ruleset
from conche.semantics import rulebook as rb
from conche.semantics.typed_module import TypedGame, TypedModule
from conche.semantics.words import listed
from conche.source import Source, SourceError, read_source


@dataclass(frozen=True, slots=True)
class Lattice:
    """`written`: how a person names the game and each module. `fixed`: options with one value throughout;
    `always`: modules that the ruleset names, which are in all combinations."""

    game: TypedGame
    modules: Mapping[str, TypedModule]
    written: Mapping[str, str]
    fixed: Mapping[str, str]
    combinations: tuple[Combination, ...]
    unfit: tuple[str, ...] = ()
    """Modules beside the game that are for another version of it: nothing is combined with them."""
    always: frozenset[str] = frozenset()

    @property
    def ruled_out(self) -> int:
        """How many combinations are not legal."""
        free = len(self.modules) - len(self.always) + len(self.unfit)
        return (1 << free) - len(self.combinations)

    def compose(
        self, combination: Combination, options: Mapping[str, str]
    ) -> tuple[rb.Rulebook | None, list[Diagnostic]]:
        """The rulebook of a combination with these options."""
        modules = [self.modules[name] for name in combination.modules]
        return compose(self.game, modules, options, written=self.written)

    def name(self, combination: Combination, options: Mapping[str, str]) -> str:
        """The ruleset as a person writes it, options at their default left out."""
        names = [self.game.rulebook.game, *combination.modules]
        parts = "+".join(self.written.get(name, name) for name in names)
        known = options_of(self.game, [self.modules[name] for name in combination.modules])
        chosen = ",".join(f"{name}={value}" for name, value in options.items() if value != known[name][0])
        return f"{parts}:{chosen}" if chosen else parts


@dataclass(frozen=True, slots=True)
class Opened:
    """`lattice` is None where the game has errors or the ruleset is wrong. `broken`: the modules with errors
    of their own, by name as written; no combination has them. `sources` by name, for excerpts."""

    lattice: Lattice | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source] = field(default_factory=dict)
    broken: tuple[str, ...] = ()


def open_lattice(text: str, *, read: Read = read_source) -> Opened:
    """The lattice of the game that a ruleset names."""
    ruleset, found = parse_ruleset(text)
    if ruleset is None:
        return Opened(None, found)
    opened = open_game(ruleset.game, read)
    if isinstance(opened, Diagnostic):
        return Opened(None, [opened])
    source, folder = opened
    named = {part.name for part in ruleset.modules}
    beside = [Part(name) for name in _beside(ruleset, source, folder, read) if name not in named]
    whole = Ruleset(ruleset.game, (*ruleset.modules, *beside))
    fixed, found = all_options(ruleset)
    typed = type_modules(whole, source, folder=folder, read=read)
    modules = {module.name: module for module in sorted(typed.modules, key=lambda module: module.name)}
    unfit = [part.name for part in beside if _is_unfit(part.name, typed.diagnostics)]
    found += [one for one in typed.diagnostics if not any(_is_unfit(name, [one]) for name in unfit)]
    found = in_order(found)
    all_there = len(typed.written) == len(whole.parts)
    if typed.game is not None:
        found += _check_options(typed.game, list(modules.values()), fixed)
        if len(modules) > MOST_MODULES:
            found.append(_too_many(len(modules)))
    if typed.game is None or not all_there or any(one.code in ("C0228", "C0502") for one in found):
        return Opened(None, found, typed.sources)
    always = frozenset(name for name in modules if typed.written[name] in named)
    combinations = [
        one
        for one in legal_combinations(typed.game, list(modules.values()), fixed)
        if always <= {*one.modules}
    ]
    known = {*modules, *unfit, typed.game.rulebook.game}
    broken = sorted(written for name, written in typed.written.items() if name not in known)
    lattice = Lattice(typed.game, modules, typed.written, fixed, tuple(combinations), tuple(unfit), always)
    return Opened(lattice, found, typed.sources, tuple(broken))


def _is_unfit(name: str, found: Sequence[Diagnostic]) -> bool:
    """Whether the module beside the game that is so called is for another version."""
    return any(
        one.code == "C0238" and one.main is not None and one.main.span.file.endswith(f"/{name}.rules")
        for one in found
    )


def _beside(ruleset: Ruleset, source: Source, folder: str, read: Read) -> list[str]:
    """The names of the modules in the game's folder: files whose header says that they are for this game, and
    those whose header cannot be read."""
    base = load_source(source, ruleset=ruleset.game.name, folder=folder, read=read)
    game = typed_game(source, base.file) if base.file is not None and base.rulebook is not None else None
    if game is None:
        return []
    paths = {re.split(r"[/\\]", part.name)[-1] for part in ruleset.parts if part.is_path}
    library = Library(source, game, folder, "", read)
    found = []
    for name in library.names():
        if f"{name}.rules" in paths:
            continue
        try:
            header = parsed(read(f"{folder}/{name}.rules" if folder else f"{name}.rules", name))[0].header
        except SourceError:
            continue
        if header is None or (
            header.kind == "module" and header.base is not None and header.base.text == game.rulebook.game
        ):
            found.append(name)
    return found


def _check_options(
    game: TypedGame, modules: Sequence[TypedModule], fixed: Mapping[str, str]
) -> list[Diagnostic]:
    known = {option.name: option.values for option, _ in declared_options(game, modules)}
    found = []
    for name, value in sorted(fixed.items()):
        if name not in known:
            hint = did_you_mean(name, known) or (f"the options are {listed(known)}" if known else None)
            title = f"neither the game nor its modules have an option '{name}'"
        elif value not in known[name]:
            hint = did_you_mean(value, known[name]) or f"its values are {listed(known[name])}"
            title = f"the option '{name}' has no value '{value}'"
        else:
            continue
        found.append(diagnose("C0228", title, help=(hint,) if hint else ()))
    return found


def _too_many(modules: int) -> Diagnostic:
    return diagnose(
        "C0502",
        f"{modules} modules make {1 << modules} combinations; those of at most {MOST_MODULES} are checked",
        help=("move some of them into a folder of their own, and name those that are meant by their path",),
    )
