"""Conche: a compiler for tabletop rulebooks.

Purpose: the names a user of the library needs: `load`, the errors, `__version__`.
Input: none. Output: those names, each imported when first asked for.
Invariant: `import conche` itself loads nothing else, so that the shell and short scripts start quickly.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conche.api import load
    from conche.kept import load_for, load_kept
    from conche.pipeline import CompileError
    from conche_runtime.errors import (
        ChanceError,
        ConcheError,
        IllegalMove,
        RecordError,
        RulesError,
        SaveError,
    )

__all__ = [
    "ChanceError",
    "CompileError",
    "ConcheError",
    "IllegalMove",
    "RecordError",
    "RulesError",
    "SaveError",
    "__version__",
    "load",
    "load_for",
    "load_kept",
]

__version__ = "0.1.0"

_HOMES = {
    "load": "conche.api",
    "load_for": "conche.kept",
    "load_kept": "conche.kept",
    "CompileError": "conche.pipeline",
}
"""Where a name lies; the others are the runtime's errors."""


def __getattr__(name: str) -> object:
    """Import a name when it is first used (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(_HOMES.get(name, "conche_runtime.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
