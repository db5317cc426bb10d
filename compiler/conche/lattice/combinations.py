"""Which modules go together, for how many players, and with which options.

Purpose: the points of the lattice. Input: a `TypedGame` and its `TypedModule`s. Output: `Combination`s.
Invariants: in order of size, then of the modules' names. A combination is legal when nothing that its modules
say about each other, the game or its version rules it out: `compose` says the same of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from conche.lattice.covering import covering_array
from conche.modules.compose import check_fit
from conche.semantics import rulebook as rb
from conche.semantics.typed_module import TypedGame, TypedModule

MOST_MODULES = 14
"""More modules than that make more combinations than can be looked at."""


@dataclass(frozen=True, slots=True)
class Combination:
    """`players`: from the fewest to the most. `rows`: values of options, those at their default first."""

    modules: tuple[str, ...]
    players: tuple[int, int]
    rows: tuple[Mapping[str, str], ...]


def subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All combinations of names, small ones first."""
    for size in range(len(names) + 1):
        yield from combinations(sorted(names), size)


def is_legal(game: TypedGame, modules: Sequence[TypedModule]) -> bool:
    """Whether these modules can be in play together."""
    return not check_fit(game, modules)


def players_of(game: TypedGame, modules: Sequence[TypedModule]) -> tuple[int, int]:
    """For how many players the game is with these modules."""
    spans = [game.rulebook.players, *(one.players for one in modules if one.players is not None)]
    return max(low for low, _ in spans), min(high for _, high in spans)


def options_of(game: TypedGame, modules: Sequence[TypedModule]) -> dict[str, tuple[str, ...]]:
    """The options that there are with these modules, and their values, the default first."""
    names = {module.name for module in modules}
    return {
        option.name: (option.default, *(value for value in option.values if value != option.default))
        for option, present in declared_options(game, modules)
        if all((name in names) == wanted for name, wanted in present)
    }


def declared_options(
    game: TypedGame, modules: Sequence[TypedModule]
) -> list[tuple[rb.Option, tuple[tuple[str, bool], ...]]]:
    """All options by name, each with the modules that must be in play or not for it to be there."""
    found: list[tuple[rb.Option, tuple[tuple[str, bool], ...]]] = []
    found += [(option, ()) for option in game.rulebook.options.values()]
    own = [(own.node, own.condition.modules) for module in modules for own in module.own]
    found += [(node, present) for node, present in own if isinstance(node, rb.Option)]
    return sorted(found, key=lambda pair: pair[0].name)


def legal_combinations(
    game: TypedGame, modules: Sequence[TypedModule], fixed: Mapping[str, str] | None = None
) -> list[Combination]:
    """All of them, each with rows of options in which every two values meet. `fixed`: options that have one
    value throughout."""
    by_name = {module.name: module for module in modules}
    found = []
    for names in subsets(list(by_name)):
        chosen = [by_name[name] for name in names]
        if not is_legal(game, chosen):
            continue
        factors = {
            name: (fixed[name],) if fixed and name in fixed else values
            for name, values in options_of(game, chosen).items()
        }
        found.append(Combination(names, players_of(game, chosen), tuple(covering_array(factors))))
    return found
