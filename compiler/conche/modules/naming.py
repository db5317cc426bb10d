"""What to write where a ruleset names a game or a module that is not there, or a module alone.

Input: the name, and where its file lies. Output: a finding that shows the ruleset as it should be.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.diagnostics.suggest import did_you_mean
from conche.resources import find_game, game_names
from conche.semantics.words import listed
from conche.syntax import ast


def no_game(name: str) -> Diagnostic:
    """No bundled game is called so."""
    games = game_names()
    paths = {game: find_game(game) for game in games}
    hints = [
        f"'{name}' is a module: write `{game}+{name}`"
        for game, path in paths.items()
        if path is not None and (path.parent / f"{name}.rules").is_file()
    ]
    if Path(f"{name}.rules").is_file():
        hints.append(f"a rules file is named by its path: `./{name}.rules`")
    if not hints:
        near = did_you_mean(name, games)
        hints = [near or f"the games are {listed(games)}"] if games else []
    return diagnose("C0227", f"there is no game '{name}'", help=hints)


def module_alone(header: ast.Header, path: str, folder: str) -> Diagnostic:
    """A module is named without its game, which lies beside it or is a bundled one."""
    name, base = header.name.text, header.base.text if header.base is not None else "GAME"
    beside, bundled = os.path.join(folder, f"{base}.rules"), find_game(base)
    if os.path.isfile(beside):
        ours = bundled is not None and os.path.samefile(beside, bundled)
        own = os.path.basename(path) == f"{name}.rules"
        ruleset = f"{base if ours else _as_path(beside)}+{name if own else path}"
    else:
        ruleset = f"{base if bundled is not None else f'FOLDER/{base}.rules'}+{path}"
    title = f"'{name}' is a module, no game"
    return diagnose("C0241", title, Label(header.name.span), help=(f"add it to its game: `{ruleset}`",))


def no_module(game: str, written: str, name: str, modules: Collection[str]) -> Diagnostic:
    """`game`: its name, and how the ruleset writes it; `modules`: those that lie beside it."""
    one, several = (
        f"the module beside it is {listed(modules)}",
        f"the modules beside it are {listed(modules)}",
    )
    beside = (one if len(modules) == 1 else several) if modules else "no module lies beside it"
    path = f"{name}.rules" if Path(f"{name}.rules").is_file() else f"FOLDER/{name}.rules"
    return diagnose(
        "C0242",
        f"the game '{game}' has no module '{name}'",
        help=(
            did_you_mean(name, modules) or beside,
            f"one that lies elsewhere is named by its path, from here: `{written}+{_as_path(path)}`",
        ),
    )


def _as_path(path: str) -> str:
    """A path as a ruleset can name it."""
    return path.replace(os.sep, "/") if os.path.dirname(path) else f"./{path}"
