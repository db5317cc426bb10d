"""Other modules of the same game: which there are, and what each declares.

Input: rules files. Output: files by name; for a name that is unknown here, who has it.
Invariants: only hints are made of what is asked here beside the files themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from conche.diagnostics.model import Diagnostic
from conche.semantics.typed_module import Condition
from conche.semantics.walk import walk
from conche.syntax import ast


class FindModule(Protocol):
    """The modules of a game, by name."""

    def __call__(self, name: str, /) -> ast.File | None: ...

    def names(self) -> Sequence[str]:
        """Those that lie beside the game or are in play, sorted."""
        ...

    def why_not(self, name: str) -> Diagnostic | None:
        """Why the file of that name is no module that can be spoken of, where it is none."""
        ...


_DECLARES = (
    ast.OptionDecl,
    ast.ValuesDecl,
    ast.VarDecl,
    ast.ZoneDecl,
    ast.TrackDecl,
    ast.Variant,
    ast.EnumDecl,
    ast.PieceDecl,
    ast.StepDecl,
    ast.AddStep,
    ast.ActionDecl,
    ast.QueryDecl,
    ast.TriggerDecl,
    ast.ScoreDecl,
)


def declares(decls: Sequence[ast.Decl], name: str) -> bool:
    """Whether something of that name is declared."""
    return any(isinstance(node, _DECLARES) and node.name.text == name for node in walk(tuple(decls)))


def declared_if(name: str, parts: Mapping[Condition, Sequence[ast.Decl]], here: Condition) -> str | None:
    """A hint where another part of the same module declares the name."""
    for condition, decls in parts.items():
        if not here.implies(condition) and declares(decls, name):
            return f"it is declared only `{condition}`: speak of it in a part like that"
    return None


def who_has(name: str, find: FindModule, known: Collection[str]) -> str | None:
    """A hint where another module than those that are known here declares the name."""
    for other in find.names():
        file = None if other in known else find(other)
        if file is not None and declares(file.decls, name):
            return (
                f"the module '{other}' has it: speak of it in a part `with {other}`,"
                f" or write `requires {other}` in the header"
            )
    return None
