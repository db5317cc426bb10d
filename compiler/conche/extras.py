"""What Conche can do only where a further library is installed.

Input: the name of a module, and of the extra of the distribution that brings it. Output: the module.
Invariant: a library that is not there is a `MissingExtraError` that says what to install, never an
ImportError.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from conche_runtime.errors import ConcheError


class MissingExtraError(ConcheError):
    """`what` needs a library that is not installed; `extra`: which extra of Conche brings it."""

    def __init__(self, what: str, library: str, extra: str) -> None:
        super().__init__(what, library, extra)
        self.what, self.library, self.extra = what, library, extra

    def __str__(self) -> str:
        return f"{self.what} needs the library {self.library}, which is not installed"

    @property
    def help(self) -> str:
        return f"install it with `pip install 'conche[{self.extra}]'`, or `pip install {self.library}`"


def library(name: str, *, what: str, extra: str) -> ModuleType:
    """The module `name`; `MissingExtraError` where it cannot be imported."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError(what, name.partition(".")[0], extra) from None
