"""Pictures of positions in the terminal, for any game. `Drawing` draws; `Looks` is what it knows of the
rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conche.draw.looks import Looks

if TYPE_CHECKING:
    from conche.draw.position import Drawing

__all__ = ["Drawing", "Looks"]


def __getattr__(name: str) -> Any:
    # What draws is imported by who draws: `conche.api` wants the record alone.
    if name == "Drawing":
        from conche.draw.position import Drawing

        return Drawing
    raise AttributeError(name)
