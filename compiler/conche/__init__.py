"""Conche: a compiler for tabletop rulebooks.

Purpose: the names a user of the library needs, `load` and `__version__`.
Input: none. Output: those names, each imported when first asked for.
Invariant: `import conche` itself loads nothing else, so that the shell and short scripts start quickly.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conche.api import load

__all__ = ["__version__", "load"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import `load` when it is first used (PEP 562)."""
    if name == "load":
        from conche.api import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
